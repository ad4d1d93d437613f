"""The merge note: what a run proved and what a change touches, on a page for a pull request or a step summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from ledgergate.report.documents import BoardSeen, Documents, FreezeSeen, ItemSeen, ReportSeen, ScoreSeen
from ledgergate.report.escape import short_digests
from ledgergate.report.markup import code, prose, table
from ledgergate.report.summary import counted
from ledgergate.rules import RULES
from ledgergate.score import Decision
from ledgergate.values import Finding, State, display_path, fold

MARK = "<!-- ledgergate merge note -->"
_DAY = 86_400
# The comments of the forges end at 65,536 characters.
_LONGEST = 60_000
_ROWS = 20
_GROUPS = 12
_PER_GROUP = 3
_WORST_FIRST = tuple(reversed(State))
_NOTHING = "(nothing)"


def render_merge_note(documents: Documents, now: datetime) -> str:
    """The note as Markdown, ending in a line break and short enough for a comment; `now` counts the days of freezes.

    It judges nothing anew: states and decision are those that the documents give, the worst of them on top.
    """
    sections = [
        [MARK, f"### ledgergate: {_verdict(documents)}"],
        [*_unreadable(documents)],
        [*_lanes(documents.score)],
        [*_refusals(_findings(documents))],
        [*_contract([item for report in documents.reports for item in report.items], _told(documents))],
        [*_admitted(documents)],
        [*_freezes(documents, now)],
        [*_quarantine(documents.board)],
        [*_next(documents)],
    ]
    return _within_limit(["\n".join(lines) for lines in sections if lines])


def _within_limit(sections: Sequence[str]) -> str:
    left = "The rest is left out, for its length."
    kept: list[str] = []
    room = _LONGEST - len(left) - 2
    for section in sections:
        room -= len(section) + 2
        if room < 0:
            kept.append(left)
            break
        kept.append(section)
    return "\n\n".join(kept) + "\n"


def _verdict(documents: Documents) -> str:
    score = documents.score
    states = [report.state for report in documents.reports]
    if documents.unreadable:
        states.append(State.UNSCORED)
    if score is None:
        return f"**{fold(states).value}**, and what the tests proved is not known"
    worst = fold([State.PASS, *states])
    if worst is State.PASS:
        return f"**{score.decision.value}**"
    return f"**{Decision.BLOCK.value}**, for a check is {worst.value}"


def _unreadable(documents: Documents) -> Iterator[str]:
    for name, reason in documents.unreadable[:_ROWS]:
        yield f"- **UNSCORED** {code(name)} says nothing: {prose(reason)}"
    yield from _more(len(documents.unreadable) - _ROWS, "- ")


def _lanes(score: ScoreSeen | None) -> Iterator[str]:
    if score is None:
        return
    yield f"Decision table: {_table_row(score)}"
    yield ""
    named = [(lane, state.value, "required") for lane, state in score.lanes]
    named += [(lane, "not run" if state is None else state.value, "optional") for lane, state in score.optional]
    rows = [(code(lane), kind, state, *_measured(score, lane)) for lane, state, kind in named[:_ROWS]]
    yield from table(("lane", "", "state", "ran", "floor"), rows)
    yield from _more(len(named) - _ROWS)


def _measured(score: ScoreSeen, lane: str) -> tuple[str, str]:
    floor = score.floors.get(lane)
    if floor is None:
        return "", ""
    return "?" if floor.executed is None else str(floor.executed), str(floor.floor)


def _table_row(score: ScoreSeen) -> str:
    """The row that gave the decision: of several optional lanes, the worst."""
    ran = [state for _, state in score.optional if state is not None]
    if score.required_fold is not State.PASS:
        beside = "whatever the optional ones are"
    elif ran:
        beside = f"optional lanes {fold(ran).value}"
    else:
        beside = "no optional lane ran"
    return f"required lanes {score.required_fold.value}, {beside}: {score.decision.value}"


def _findings(documents: Documents) -> list[Finding]:
    found = [seen for report in documents.reports for seen in report.findings]
    for source in (documents.score, documents.board):
        found += source.findings if source else ()
    # A check and a score may say the same.
    return list({(seen.rule, seen.path, seen.line, seen.subject, seen.message): seen for seen in found}.values())


def _refusals(findings: Sequence[Finding]) -> Iterator[str]:
    if not findings:
        return
    yield f"#### Refused ({counted(len(findings), 'finding')})"
    groups: dict[tuple[State, str], list[Finding]] = {}
    for seen in findings:
        groups.setdefault((seen.state, seen.rule), []).append(seen)
    ordered = sorted(groups.items(), key=lambda group: _WORST_FIRST.index(group[0][0]))
    for (state, rule), group in ordered[:_GROUPS]:
        yield ""
        number = f" ({len(group)})" if len(group) > 1 else ""
        yield f"**{state.value}** {code(rule)}{_title(rule)}{number}"
        for seen in group[:_PER_GROUP]:
            yield f"- {_finding(seen)}"
        yield from _more(len(group) - _PER_GROUP, "- ")
    yield from _more(len(ordered) - _GROUPS, noun="rule")


def _title(rule: str) -> str:
    entry = RULES.get(rule)
    return f": {prose(entry.title)}" if entry else ""


def _finding(seen: Finding) -> str:
    place = None if seen.path is None else display_path(seen.path) + ("" if seen.line is None else f":{seen.line}")
    parts = [code(part) for part in (place, seen.subject) if part is not None]
    if seen.old != seen.new:
        parts.append(f"{_value(seen.old)} → {_value(seen.new)}")
    return " ".join(parts) + f"{': ' if parts else ''}{prose(short_digests(seen.message.partition(chr(10))[0]))}"


def _value(text: str | None) -> str:
    return _NOTHING if text is None else code(short_digests(text), 60)


def _told(documents: Documents) -> dict[str, Finding]:
    """What the checks say of a subject: the old and new texts that an item only has the digests of."""
    seen = [entry for report in documents.reports for entry in (*report.notes, *report.findings)]
    return {entry.subject or entry.path or "": entry for entry in seen if entry.old != entry.new}


def _contract(items: Sequence[ItemSeen], told: dict[str, Finding]) -> Iterator[str]:
    unique = list(dict.fromkeys(items))
    if not unique:
        return
    waiting = sum(item.vouched_by is None for item in unique)
    yield f"#### Contract ({counted(len(unique), 'change')}, {waiting} not vouched for)"
    yield ""
    unique.sort(key=lambda item: item.vouched_by is not None)
    rows = [
        (
            item.kind,
            code(item.subject),
            *_sides(item, told),
            "nobody yet" if item.vouched_by is None else code(item.vouched_by),
        )
        for item in unique[:_ROWS]
    ]
    yield from table(("", "what", "old", "new", "vouched for by"), rows)
    yield from _more(len(unique) - _ROWS)


def _voucher(item: ItemSeen) -> str:
    return "nobody yet" if item.vouched_by is None else code(item.vouched_by)


def _sides(item: ItemSeen, told: dict[str, Finding]) -> tuple[str, str]:
    seen = told.get(item.subject)
    old, new = (item.old, item.new) if seen is None else (seen.old, seen.new)
    return _value(old), _value(new)


def _admitted(documents: Documents) -> Iterator[str]:
    judged = {case.id: case for report in documents.reports for case in report.judged}
    if not judged:
        return
    admitted = [case for case in judged.values() if case.verdict == "admitted"]
    # One for each row of the ledger, however many parameters it covers, and for each case that has no row.
    of_rows, stray = (sum(bool(case.class_) is has for case in judged.values()) for has in (True, False))
    beside = f" and {counted(stray, 'case')} without one" if stray else ""
    yield f"#### Admissible passes ({len(admitted)} of {counted(of_rows, 'row')} of the ledger{beside})"
    yield ""
    lanes = {lane.lane: _ran(lane.ran_cases) for lane in documents.lanes}
    classes = sorted({case.class_ for case in admitted})
    rows = [
        (
            code(class_),
            *(str(sum(case.class_ == class_ and case.id in ran for case in admitted)) for ran in lanes.values()),
            str(sum(case.class_ == class_ for case in admitted)),
        )
        for class_ in classes
    ]
    yield from table(("class", *map(code, lanes), "all"), rows)
    refused = Counter(case.verdict for case in judged.values() if case.verdict not in ("admitted", "recorded"))
    if refused:
        yield ""
        yield "No evidence: " + ", ".join(f"{number} {code(rule)}" for rule, number in refused.most_common(_ROWS))


def _ran(cases: Iterable[str]) -> frozenset[str]:
    """The cases, and the functions whose parameters they are: a row may be about either."""
    return frozenset(name for case in cases for name in (case, case.partition("[")[0]))


def _freezes(documents: Documents, now: datetime) -> Iterator[str]:
    source = documents.board or documents.score
    freezes = source.freezes if source else ()
    if not freezes:
        return
    yield f"#### Freezes ({len(freezes)})"
    yield ""
    ordered = sorted(freezes, key=lambda freeze: freeze.expires_utc or now)
    rows = [
        (code(freeze.id), code(freeze.lane or "any"), code(freeze.owner or "nobody"), _left(freeze, now))
        for freeze in ordered[:_ROWS]
    ]
    yield from table(("freeze", "lane", "owner", "days left"), rows)
    yield from _more(len(freezes) - _ROWS)


def _left(freeze: FreezeSeen, now: datetime) -> str:
    if freeze.expires_utc is None:
        return "unknown"
    seconds = (freeze.expires_utc - now).total_seconds()
    return "**expired**" if seconds <= 0 else str(int(seconds // _DAY))


def _quarantine(board: BoardSeen | None) -> Iterator[str]:
    if board is None or not board.quarantine:
        return
    yield f"#### Quarantine ({counted(len(board.quarantine), 'test')}, none of them evidence)"
    yield ""
    oldest = sorted(board.quarantine, key=lambda entry: -entry.age_days)
    rows = [
        (code(entry.id), code(entry.owner), f"{entry.age_days}{' **stale**' if entry.is_stale else ''}")
        for entry in oldest[:_ROWS]
    ]
    yield from table(("test", "owner", "days"), rows)
    yield from _more(len(oldest) - _ROWS)


def _next(documents: Documents) -> Iterator[str]:
    """How each rule is mended, worst first; what waits for a human's word stands among the notes."""
    notes = [note for report in documents.reports for note in _waiting(report)]
    rules: dict[str, list[str]] = {}
    for seen in sorted((*_findings(documents), *notes), key=lambda seen: _WORST_FIRST.index(seen.state)):
        rules.setdefault(seen.remedy, []).append(seen.rule)
    if not rules:
        return
    # A remedy names its path: of many for one rule the first few show what to do, and leave room for other rules.
    alike: dict[str, list[str]] = {}
    for remedy, names in rules.items():
        alike.setdefault(", ".join(map(code, dict.fromkeys(names))), []).append(remedy)
    yield "#### How to go on"
    for shown, remedies in list(alike.items())[:_GROUPS]:
        yield ""
        yield f"- {shown}"
        for remedy in remedies[:_PER_GROUP]:
            yield from (f"  - {prose(line.strip())}" for line in remedy.split("\n") if line.strip())
        yield from _more(len(remedies) - _PER_GROUP, "  - ")
    yield from _more(len(alike) - _GROUPS)


def _waiting(report: ReportSeen) -> Iterator[Finding]:
    """The notes of a report but those on changes that somebody has vouched for: nothing is left to do there."""
    done = {item.subject for item in report.items if item.vouched_by is not None}
    for note in report.notes:
        is_settled = note.subject in done and note.old != note.new
        if note.remedy and note.rule != "contract-change" and not is_settled:
            yield note


def _more(number: int, before: str = "\n", noun: str = "") -> Iterator[str]:
    if number > 0:
        yield f"{before}... and {counted(number, f'more {noun}') if noun else f'{number} more'}"
