"""What is meant for a ref that nobody protects: the same findings, and nothing is refused."""

from __future__ import annotations

from ledgergate.values import Finding, Report, State

_READING = ("refs", "rules")


def as_proposal(report: Report, ref: str) -> Report:
    """The report with its findings as notes, and a sentence that says what they would be elsewhere."""
    if report.state is State.PASS:
        return report
    aside = f"{ref} is not protected, so nothing is refused; on a protected ref this would be {report.state.value}."
    return report._replace(
        state=State.PASS,
        checks=tuple((name, State.PASS) for name, _ in report.checks),
        findings=(),
        notes=(*map(_as_note, report.findings), *report.notes),
        aside=aside,
    )


def _as_note(seen: Finding) -> Finding:
    """What cannot be read has to be mended here, too; of all else the command that shows it says how to go on."""
    message = f"{seen.state.value} on a protected ref: {seen.message}"
    return seen._replace(state=State.PASS, message=message, remedy=seen.remedy if seen.check in _READING else "")
