"""What text and annotations have in common: the last line, and which notes are worth a line of their own."""

from __future__ import annotations

from collections.abc import Iterator

from ledgergate.rules import RULES
from ledgergate.values import Finding, Report, State, display_text

SHORT = 12
# Notes of these rules say why what was approved is refused.
_TOLD = frozenset({"ack-invalid"})
_NAMES = {State.UNSCORED: "UNSCORED (not proven)"}


def is_for_review(note: Finding) -> bool:
    """Whether a reviewer should see the note: about a contract, or about what is enforced; not a human's manners."""
    rule = RULES.get(note.rule)
    return rule is None or rule.state is not State.FAIL or note.rule in _TOLD


def _is_lost(note: Finding) -> bool:
    """Whether it tells what a test asks for no more, or not so much. That a human edited one is nothing to tell."""
    return note.check == "test-guard" and note.rule != "write-path"


def notes_to_show(report: Report) -> list[Finding]:
    """The notes for review and what a human's edits of tests take away, each difference once.

    A contract that changed is listed by two checks, as a difference and for review; the difference says more.
    """
    # Where nothing is refused, notes are all that there is.
    shown = [note for note in report.notes if report.aside is not None or is_for_review(note) or _is_lost(note)]
    differences = {_place(seen) for seen in (*shown, *report.findings) if seen.rule != "contract-change"}
    return [note for note in shown if note.rule != "contract-change" or _place(note) not in differences]


def _place(seen: Finding) -> tuple[str | None, int | None, str | None, str | None]:
    return seen.path, seen.line, seen.subject, seen.new


def summary_line(report: Report) -> str:
    """One line: the state, what was found, how many checks ran, and on what."""
    parts = [_verdict(report), *_cases(report), _checks(report)]
    notes = notes_to_show(report)
    if notes:
        parts.append(counted(len(notes), "note"))
    return f"ledgergate: {'; '.join(parts)}"


def judged_as(report: Report) -> str | None:
    """Who was taken for an agent, and why, where that can have mattered to what was found."""
    if not report.actor.is_agent or report.state is State.PASS:
        return None
    signals = ", ".join(map(display_text, report.actor.signals))
    return (
        f"Judged as an agent's change ({signals}).\n"
        "Agent: hand over to your human what you may not do; neither hide the signal nor skip the hooks."
    )


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _verdict(report: Report) -> str:
    if report.state is State.PASS:
        return "PASS"
    states = [finding.state for finding in report.findings]
    found = [f"{states.count(state)} {_NAMES.get(state, state.value)}" for state in reversed(State) if state in states]
    return f"{report.state.value}, refused: {', '.join(found) or 'no check could say why'}"


def _cases(report: Report) -> Iterator[str]:
    if report.cases is not None:
        total, admitted, refused, _ = report.cases
        yield f"{counted(total, 'case')} reported"
        yield f"{counted(admitted, 'row')} admitted" + (f", {refused} not" if refused else "")


def _checks(report: Report) -> str:
    ran = f"{counted(len(report.checks), 'check')} ran" if report.checks else "no check ran"
    if not report.head:
        return ran
    against = f" against {report.base[:SHORT]}" if report.base else ""
    return f"{ran} on tree {report.head[:SHORT]}{against}"
