"""The report for a person: findings by rule, what changed, how to go on, and one last line that sums up."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ledgergate.report.escape import short_digests
from ledgergate.report.remedy import filled_remedy
from ledgergate.report.summary import counted, is_for_review, judged_as, notes_to_show, summary_line
from ledgergate.rules import RULES
from ledgergate.rules.tests import TESTS
from ledgergate.values import Finding, Report, State, display_path, display_text

WIDTH = 100
ALL = "--all"
_MANY = 5
_FIRST_FEW = 3
_LONGEST_LINE = 110
_LONGEST_VALUE = 60
# So much of what two long values have in common stands before what differs.
_BEFORE = 20
# What one act on one file breaks together: the first is mended by what the second asks for.
_SAME_ACT = {"two-sided": "digest-mismatch", "write-path": "golden-unclassified"}
# What else is said of a test that a digest pins, as long as nobody has to approve that apart.
_OF_A_PINNED_TEST = frozenset({"write-path", *(entry[0] for entry in TESTS)})
_APART = "`ledgergate ack "
# Where a report is missing or counts for nothing, so do the tests that it would have shown.
_CAUSES = frozenset({"report-unreadable", "report-empty", "report-stale", "lane-missing", "lane-incomplete"})
_CAUSED = frozenset({"quarantine-skipped"})
# Differences of whole files and freezes: the message says what differs, which their digests would not.
_TOLD_IN_WORDS = frozenset(
    {"freeze-edited", "policy-edited", "signers-edited", "protected-path", "test-edited", "ack-removed", "seeds-shrunk"}
)
_COLOURS = {State.FAIL: "31;1", State.UNSCORED: "33;1", State.SKIP: "36;1", State.PASS: "32"}


def render_text(report: Report, *, all_findings: bool, colour: bool, more: str = ALL) -> str:
    """The report as lines of text. Without `all_findings`, many findings of one rule are a count and the first few.

    `more` is what lists all of them.
    """
    lines = findings_lines(report.findings, all_findings=all_findings, colour=colour, more=more)
    notes = list(_show_notes(report, all_findings=all_findings, more=more))
    if report.items:
        changes = counted(len(report.items), "change")
        digest = short_digests(report.contract or "(none)")
        notes.append(f"contract {digest}: {changes} of what tests are held to, for a human to look at")
    if notes:
        lines += [*notes, ""]
    if who := judged_as(report):
        lines.append(who)
    if report.aside:
        lines.append(display_text(report.aside))
    summary = summary_line(report)
    lines.append(summary.replace(report.state.value, _paint(report.state, colour=colour), 1))
    return "\n".join(lines) + "\n"


def findings_lines(findings: Iterable[Finding], *, all_findings: bool, colour: bool, more: str = ALL) -> list[str]:
    """The findings by rule, worst first, an empty line after each rule."""
    lines: list[str] = []
    shown: set[tuple[str, str | None]] = set()
    for group in _groups(findings):
        lines += [*_show_group(group, shown, all_findings=all_findings, colour=colour, more=more), ""]
        shown.update((group.rule, finding.path) for finding in group.findings)
    return lines


class _Group(NamedTuple):
    """Findings that have rule, state and remedy in common, so that the remedy is said once."""

    rule: str
    state: State
    remedy: str
    findings: list[Finding]


def _groups(findings: Iterable[Finding]) -> list[_Group]:
    """Worst state first, then what others come of, then in the order in which the checks saw them."""
    groups: dict[tuple[str, State, str], _Group] = {}
    for finding in findings:
        key = (finding.rule, finding.state, finding.remedy)
        groups.setdefault(key, _Group(*key, [])).findings.append(finding)
    worst_first = list(reversed(State))
    has_cause = any(group.rule in _CAUSES for group in groups.values())

    def place(group: _Group) -> tuple[int, bool]:
        state = State.UNSCORED if has_cause and group.rule in _CAUSED else group.state
        return worst_first.index(state), group.rule not in _CAUSES

    return sorted(groups.values(), key=place)


def _show_group(
    group: _Group, shown: set[tuple[str, str | None]], *, all_findings: bool, colour: bool, more: str
) -> Iterator[str]:
    many = len(group.findings) > _MANY and not all_findings
    count = f" ({counted(len(group.findings), 'finding')})" if len(group.findings) > 1 else ""
    yield f"{_paint(group.state, colour=colour)} {display_text(group.rule)}{_title(group.rule)}{count}"
    for finding in group.findings[: _FIRST_FEW if many else None]:
        yield from _show_finding(finding, with_message=not many)
    if many:
        yield f"  ... and {len(group.findings) - _FIRST_FEW} more; {more} lists them"
    if group.remedy:
        yield from _show_remedy(_remedy_of(group, shown))


def _remedy_of(group: _Group, shown: set[tuple[str, str | None]]) -> str:
    """How to go on; where another rule has just said it of the same files, that."""
    leaders = [_SAME_ACT.get(group.rule)]
    if group.rule in _OF_A_PINNED_TEST and _APART not in group.remedy:
        leaders.append("digest-mismatch")
    for leader in filter(None, leaders):
        if all((leader, finding.path) in shown for finding in group.findings):
            return f"As for {leader} above."
    return filled_remedy(group.findings)


def _show_remedy(remedy: str) -> Iterator[str]:
    for part in remedy.split("\n"):
        if part.startswith(" "):
            # A block to paste stands as it is.
            yield f"    {display_text(part)}"
        else:
            yield from wrapped(part, "  > ", "    ")


def _title(rule: str) -> str:
    entry = RULES.get(rule)
    return f": {entry.title}" if entry else ""


def _show_finding(finding: Finding, *, with_message: bool) -> Iterator[str]:
    where, change = _where(finding), _change(finding)
    if where:
        yield f"  {where}"
    if change:
        yield f"      {change}"
    if not (where or change) or (with_message and not _repeats_title(finding)):
        yield from _show_message(finding.message)


def _show_message(message: str) -> Iterator[str]:
    """The message, and the lines of a file that may stand below it, as they are."""
    first, *quoted = message.split("\n")
    yield from wrapped(short_digests(display_text(first)), "      ", "      ")
    for line in map(display_text, quoted):
        yield f"        {line[:_LONGEST_LINE]}{'...' if len(line) > _LONGEST_LINE else ''}"


def _repeats_title(finding: Finding) -> bool:
    entry = RULES.get(finding.rule)
    return entry is not None and finding.message.rstrip(".").casefold() == entry.title.casefold()


def _where(finding: Finding) -> str:
    place = ""
    if finding.path is not None:
        place = display_path(finding.path) + (f":{finding.line}" if finding.line is not None else "")
    subject = display_text(finding.subject) if finding.subject and finding.subject != finding.path else ""
    return "  ".join(part for part in (place, subject) if part)


def _change(finding: Finding) -> str:
    gone = finding.new is None and finding.old == finding.subject
    if gone or finding.old == finding.new or finding.rule in _TOLD_IN_WORDS:
        return ""
    same = _in_common(finding.old, finding.new)
    return f"{_value(finding.old, same)} -> {_value(finding.new, same)}"


def _in_common(old: str | None, new: str | None) -> int:
    """How much of the beginning of two long values can be left out, so that what differs shows."""
    pairs = enumerate(zip(display_text(old or ""), display_text(new or ""), strict=False))
    same = next((at for at, (one, two) in pairs if one != two), 0)
    return same - _BEFORE if same > _LONGEST_VALUE - _BEFORE else 0


def _value(value: str | None, same: int = 0) -> str:
    """The value, shortened; without its first `same` characters."""
    if value is None:
        return "(nothing)"
    text = short_digests(f"...{display_text(value)[same:]}" if same else display_text(value))
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}..."


def _show_notes(report: Report, *, all_findings: bool, more: str) -> Iterator[str]:
    shown = list(report.notes) if all_findings else notes_to_show(report)
    alike: dict[str, list[_Group]] = {}
    for group in _groups(shown):
        alike.setdefault(_step_of(group, report), []).append(group)
    for remedy, groups in alike.items():
        for group in groups:
            many = len(group.findings) > _MANY and not all_findings
            for note in group.findings[: _FIRST_FEW if many else None]:
                yield from note_lines(note)
            if many:
                yield f"note {display_text(group.rule)}: {len(group.findings) - _FIRST_FEW} more; {more} lists them"
        if remedy:
            yield from _show_remedy(filled_remedy([note for group in groups for note in group.findings]))


def _step_of(notes: _Group, report: Report) -> str:
    """How to go on with notes that are alike; nothing where they are only to be known."""
    is_told = report.aside is not None or any(map(is_for_review, notes.findings))
    return notes.remedy if is_told and notes.rule != "contract-change" else ""


def note_lines(note: Finding) -> Iterator[str]:
    """A note in a line or two."""
    what = _change(note) or short_digests(display_text(note.message))
    text = "  ".join(part for part in (_where(note), what) if part)
    yield from wrapped(f"note {display_text(note.rule)}: {text}", "", "     ")


def wrapped(text: str, first: str, others: str) -> list[str]:
    """Lines of at most `WIDTH`, except that no command in backquotes, and no long word, is ever broken."""
    # Not `textwrap`, which compiles patterns for as long as a small check takes.
    lines: list[str] = []
    for gap, word in re.findall(r"( *)((?:`[^`]*`|[^ ])+)", display_text(text)):
        if lines and len(lines[-1]) + len(gap) + len(word) <= WIDTH:
            lines[-1] += gap + word
        else:
            lines.append(others + word if lines else first + gap + word)
    return lines


def _paint(state: State, *, colour: bool) -> str:
    return f"\x1b[{_COLOURS[state]}m{state.value}\x1b[0m" if colour else state.value
