"""`ledgergate thaw`: a freeze that is over."""

from __future__ import annotations

import click

from ledgergate.amend import plan_thaw
from ledgergate.cli.amending import open_desk
from ledgergate.cli.confirm import Approval, approval_options, given_line
from ledgergate.cli.freezing import carry_out, read_working_freezes
from ledgergate.errors import ExitCode


@click.command()
@click.argument("id_", metavar="ID")
@approval_options
def command(id_: str, approval: Approval) -> int:
    """Take a freeze out of the freeze ledger: by its own ID, or by the test's where one freeze is about it."""
    desk = open_desk("thaw")
    if desk is None:
        return ExitCode.JUDGED
    frozen, data = read_working_freezes(desk)
    return carry_out(desk, plan_thaw(id_, frozen, data), data, approval, given_line())
