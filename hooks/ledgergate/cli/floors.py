"""What `ledgergate collect --floors` does: the floor of the lane of locked tests follows their rows and freezes."""

from __future__ import annotations

import click

from ledgergate.amend.floors import fixtures_floor
from ledgergate.cli.amending import open_desk
from ledgergate.cli.confirm import Approval, given_line
from ledgergate.cli.freezing import carry_out_floor, read_working_freezes
from ledgergate.errors import ExitCode
from ledgergate.hosts.moments import now


def follow_floors(approval: Approval) -> int:
    """Show the floor that fits, ask once, and write it; nothing of the suite is collected for that."""
    desk = open_desk("collect --floors")
    if desk is None:
        return ExitCode.JUDGED
    frozen, data = read_working_freezes(desk)
    found = fixtures_floor((row for working in desk.ledgers for row in working.ledger.rows), frozen, now())
    if found is None or found.floor == found.in_reach:
        click.echo("Nothing to write: no floor differs from what the rows and freezes leave to run.")
        return ExitCode.OK
    return carry_out_floor(desk, found, frozen, data, approval, given_line())
