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
    return seen._replace(state=State.PASS, message=f"{seen.state.value} on a protected ref: {seen.message}")


def as_pushed(report: Report) -> Report:
    """The report on a proposal for whoever pushes it: what cannot be read has to be mended there, too.

    Of all else the command that shows it says how to go on.
    """
    if report.aside is None:
        return report
    return report._replace(
        notes=tuple(note if note.check in _READING else note._replace(remedy="") for note in report.notes)
    )
