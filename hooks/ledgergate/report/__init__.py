"""What was judged, as text for a person, JSON or SARIF for a program, or annotations for a workflow."""

from __future__ import annotations

from typing import Literal, get_args

from ledgergate.errors import UsageError
from ledgergate.values import Report, State

Format = Literal["text", "json", "sarif", "github"]
FORMATS: tuple[Format, ...] = get_args(Format)


def render(
    report: Report, output: Format, *, all_findings: bool = False, colour: bool = False, more: str = "--all"
) -> str:
    """The report in one of the formats, ending in a line break, and always encodable as UTF-8.

    `all_findings` lists what text would otherwise only count, and `more` names what does; `colour` is for text on a
    terminal. Raises `UsageError` for an unknown format.
    """
    if output == "text":
        if not (report.findings or report.notes or report.items) and report.state is State.PASS and not colour:
            from ledgergate.report.summary import summary_line

            return summary_line(report) + "\n"
        from ledgergate.report.text import render_text

        return render_text(report, all_findings=all_findings, colour=colour, more=more)
    if output == "json":
        from ledgergate.report.json import render_json

        return render_json(report)
    if output == "sarif":
        from ledgergate.report.sarif import render_sarif

        return render_sarif(report)
    if output == "github":
        from ledgergate.report.github import render_github

        return render_github(report, all_findings=all_findings)
    raise UsageError(f"no output format {output!r}; there are {', '.join(FORMATS)}")
