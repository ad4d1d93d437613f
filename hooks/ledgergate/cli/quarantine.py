"""`ledgergate quarantine`: a flaky test that is evidence no longer."""

from __future__ import annotations

import click

from ledgergate.amend import plan_quarantine
from ledgergate.cli.amending import carry_out, open_desk, today
from ledgergate.cli.confirm import Approval, approval_options, given_line
from ledgergate.cli.freezing import say_if_out_of_reach
from ledgergate.errors import ExitCode


@click.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@click.option("--reason", required=True, help="Why its result tells nothing: what it depends on, where it was seen.")
@click.option("--owner", required=True, help="Who looks after it.")
@approval_options
def command(ids: tuple[str, ...], reason: str, owner: str, yes: bool, contract: str | None) -> int:
    """Put tests into quarantine, from today (UTC): they are evidence no longer, whether they pass or fail.

    The row takes the place of the one that the test has; a test without a row gets one, and so does a single case
    of a parametrised test, `ID[...]`, whose other cases stay what they are.
    """
    approval = Approval.of(yes, contract)
    desk = open_desk("quarantine")
    if desk is None:
        return ExitCode.JUDGED
    status = carry_out(desk, plan_quarantine(desk.view, ids, reason, owner, today()), approval, given_line())
    if status == ExitCode.OK:
        say_if_out_of_reach(desk)
    return status
