"""`ledgergate release`: a test that comes out of quarantine."""

from __future__ import annotations

import click

from ledgergate.amend import Wish, plan_release, plan_removal
from ledgergate.cli.amending import carry_out, open_desk
from ledgergate.cli.confirm import Approval, approval_options, given_line
from ledgergate.cli.held_options import held_options
from ledgergate.errors import ExitCode, UsageError


@click.command()
@click.argument("id_", metavar="ID")
@held_options
@click.option("--remove", is_flag=True, help="Remove the row: the test is gone, or will be.")
@approval_options
def command(
    id_: str,
    class_: str | None,
    artifacts: tuple[str, ...],
    invariant: str | None,
    seeds: str | None,
    remove: bool,
    yes: bool,
    contract: str | None,
) -> int:
    """Take a test out of quarantine.

    It is held to the golden that its row names, or to its own source, unless an option says otherwise.
    """
    approval = Approval.of(yes, contract)
    wish = Wish(class_, artifacts, invariant, seeds)
    if remove and wish != Wish():
        raise UsageError("--remove leaves no row, so that nothing else can be said about it")
    desk = open_desk("release")
    if desk is None:
        return ExitCode.JUDGED
    amendment = plan_removal(desk.view, id_) if remove else plan_release(desk.view, id_, wish)
    return carry_out(desk, amendment, approval, given_line())
