"""Prints a report and turns its state into an exit status."""

from __future__ import annotations

import os
import sys

from ledgergate.errors import ExitCode
from ledgergate.report import Format, render
from ledgergate.values import Report, State


def show(report: Report, output_format: Format = "text", *, all_findings: bool = False) -> int:
    """Print the report to standard output; 0 only for PASS."""
    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    sys.stdout.write(render(report, output_format, all_findings=all_findings, colour=colour))
    return ExitCode.OK if report.state is State.PASS else ExitCode.JUDGED
