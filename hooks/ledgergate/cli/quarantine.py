"""`ledgergate quarantine`: a flaky test that is evidence no longer."""

from __future__ import annotations

import click

from ledgergate.amend import plan_quarantine
from ledgergate.cli.amending import carry_out, open_desk, today
from ledgergate.cli.confirm import Approval, approval_options, given_line
from ledgergate.errors import ExitCode


@click.command()
@click.argument("id_", metavar="ID")
@click.option("--reason", required=True, help="Why its result tells nothing: what it depends on, where it was seen.")
@click.option("--owner", required=True, help="Who looks after it.")
@approval_options
def command(id_: str, reason: str, owner: str, yes: bool, contract: str | None) -> int:
    """Put a test into quarantine, from today (UTC): it is evidence no longer, whether it passes or fails.

    It takes the place of the row that the test has; a test without a row gets one.
    """
    approval = Approval.of(yes, contract)
    desk = open_desk("quarantine")
    if desk is None:
        return ExitCode.JUDGED
    return carry_out(desk, plan_quarantine(desk.view, id_, reason, owner, today()), approval, given_line())
