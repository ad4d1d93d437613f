"""Hook `ledgergate`: every staged check, in one process."""

from __future__ import annotations

from ledgergate.hosts.moments import staged_report
from ledgergate.hosts.output import show


def check_staged() -> int:
    """Judge what git would commit now, and print the report as text."""
    return show(staged_report, more="`ledgergate check --all`")
