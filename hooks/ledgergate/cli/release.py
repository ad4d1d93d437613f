"""`ledgergate release`: a test that comes out of quarantine."""

from __future__ import annotations

import click

from ledgergate.amend import Wish, plan_release, plan_removal
from ledgergate.cli.amending import carry_out, open_desk, run_of
from ledgergate.cli.confirm import Approval, approval_options, given_line
from ledgergate.cli.freezing import floor_steps
from ledgergate.cli.held_options import held_options
from ledgergate.errors import ExitCode, UsageError


@click.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@held_options
@click.option("--remove", is_flag=True, help="Remove the row: the test is gone, or will be.")
@approval_options
def command(
    ids: tuple[str, ...],
    wish: Wish,
    remove: bool,
    approval: Approval,
) -> int:
    """Take tests out of quarantine.

    Each is held to the golden that its row names, or to its own source, unless an option says otherwise. All of what
    they would be held to is shown, and asked for once.
    """
    if remove and wish != Wish():
        raise UsageError("--remove leaves no row, so that nothing else can be said about it")
    desk = open_desk("release")
    if desk is None:
        return ExitCode.JUDGED
    amendment = plan_removal(desk.view, ids) if remove else plan_release(desk.view, ids, wish)
    return carry_out(desk, amendment, approval, given_line(), first=lambda: [*run_of(amendment), *floor_steps(desk)])
