"""The report as workflow commands of GitHub Actions, which its pages show beside the lines that they name."""

from __future__ import annotations

from ledgergate.report.remedy import filled_remedy
from ledgergate.report.summary import judged_as, notes_to_show, summary_line
from ledgergate.values import Finding, Report, display_path, display_text


def render_github(report: Report, *, all_findings: bool) -> str:
    """An `::error` for each finding, a `::notice` for each note that a reviewer should see, and a plain last line."""
    lines = [_annotation("error", finding) for finding in report.findings]
    notes = report.notes if all_findings else notes_to_show(report)
    lines += [_annotation("notice", note) for note in notes]
    if who := judged_as(report):
        lines.append(who)
    if report.aside:
        lines.append(display_text(report.aside))
    return "\n".join([*lines, summary_line(report)]) + "\n"


def _annotation(kind: str, finding: Finding) -> str:
    properties: dict[str, str] = {}
    if finding.path is not None:
        properties["file"] = display_path(finding.path)
    if finding.line is not None:
        properties["line"] = str(finding.line)
    properties["title"] = f"{finding.rule} ({finding.state.value})"
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{kind} {listed}::{_data(body(finding))}"


def body(finding: Finding) -> str:
    """What is to be said of a finding, in lines: what it is about, what changed, why, and how to go on."""
    lines = [finding.subject] if finding.subject else []
    if finding.old is not None or finding.new is not None:
        lines.append(f"{finding.old or '(nothing)'} -> {finding.new or '(nothing)'}")
    lines += finding.message.split("\n")
    if not finding.is_note:
        lines += filled_remedy([finding]).split("\n")
    return "\n".join(map(display_text, lines))


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(display_text(text)).replace(":", "%3A").replace(",", "%2C")
