"""Prints what came of a judgement, and turns its state into an exit status."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from ledgergate.checks.engine import unscored_report
from ledgergate.errors import ExitCode, LedgergateError
from ledgergate.report import Format, render
from ledgergate.values import Actor, Report, State


def show(
    judgement: Callable[[], Report], output_format: Format = "text", *, all_findings: bool = False, more: str = "--all"
) -> int:
    """Print the report that a judgement gives to standard output; 0 only for PASS. `more` names what lists all of it.

    What keeps it from being made is a report, too, in the format that was asked for: UNSCORED, with the reason.
    """
    try:
        report = judgement()
    except LedgergateError as error:
        report = unscored_report(None, Actor("human"), error)
    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    sys.stdout.write(render(report, output_format, all_findings=all_findings, colour=colour, more=more))
    return ExitCode.OK if report.state is State.PASS else ExitCode.JUDGED
