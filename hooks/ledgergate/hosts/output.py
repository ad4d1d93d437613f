"""Prints what came of a judgement, and turns its state into an exit status."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from ledgergate.checks.engine import unscored_report
from ledgergate.errors import ExitCode, LedgergateError
from ledgergate.report import Format, render
from ledgergate.values import Actor, Report, State

if TYPE_CHECKING:
    from ledgergate.score import Score


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
    sys.stdout.write(render(report, output_format, all_findings=all_findings, colour=may_colour(), more=more))
    return ExitCode.OK if report.state is State.PASS else ExitCode.JUDGED


def show_score(score: Score, rendered: str | None = None, *, all_findings: bool = False) -> int:
    """Print a score, as `rendered` or else as text; 0 only for the decision `allow`."""
    from ledgergate.report.score import is_green, render_score_text

    if rendered is None:
        rendered = render_score_text(score, all_findings=all_findings, colour=may_colour())
    sys.stdout.write(rendered)
    return ExitCode.OK if is_green(score) else ExitCode.JUDGED


def may_colour() -> bool:
    """Whether standard output is a terminal whose user has nothing against colour."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")
