"""What ledgergate wrote as JSON, read again so that one note can sum it up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import NamedTuple, TypeVar

from ledgergate.freeze.rules import count, text
from ledgergate.freeze.strict_json import JsonError, Number, read_json
from ledgergate.freeze.timestamps import read_timestamp
from ledgergate.report.board_text import SCHEMA as STATUS_SCHEMA
from ledgergate.report.json import SCHEMA as REPORT_SCHEMA
from ledgergate.report.score import SCHEMA as SCORE_SCHEMA
from ledgergate.score import Decision, LaneReport, Unreadable, read_lane_reports
from ledgergate.values import Finding, JudgedCase, State

T = TypeVar("T")


class ItemSeen(NamedTuple):
    """One change of the contract, with the signer who vouched for it, or None."""

    kind: str
    subject: str
    old: str | None
    new: str | None
    vouched_by: str | None


class ReportSeen(NamedTuple):
    """What a check, a verification or a gate said. `judged` is empty where no test reports were judged."""

    state: State
    findings: tuple[Finding, ...]
    notes: tuple[Finding, ...]
    items: tuple[ItemSeen, ...]
    judged: tuple[JudgedCase, ...]


class FloorSeen(NamedTuple):
    floor: int
    executed: int | None


class FreezeSeen(NamedTuple):
    id: str
    lane: str | None
    owner: str | None
    expires_utc: datetime | None


class ScoreSeen(NamedTuple):
    """The score of a run. The state of an optional lane that did not run is None."""

    lanes: tuple[tuple[str, State], ...]
    required_fold: State
    optional: tuple[tuple[str, State | None], ...]
    decision: Decision
    findings: tuple[Finding, ...]
    floors: Mapping[str, FloorSeen]
    freezes: tuple[FreezeSeen, ...]


class QuarantineSeen(NamedTuple):
    id: str
    owner: str
    age_days: int
    is_stale: bool


class BoardSeen(NamedTuple):
    quarantine: tuple[QuarantineSeen, ...]
    freezes: tuple[FreezeSeen, ...]
    findings: tuple[Finding, ...]


class Documents(NamedTuple):
    """Everything that was read. `unreadable` says of which document nothing is known, and why."""

    reports: tuple[ReportSeen, ...]
    score: ScoreSeen | None
    board: BoardSeen | None
    lanes: tuple[LaneReport, ...]
    unreadable: tuple[tuple[str, str], ...]


_Document = ReportSeen | ScoreSeen | BoardSeen


class _FaultError(Exception):
    """Why a document does not count."""


def read_documents(documents: Iterable[tuple[str, bytes | str]]) -> Documents:
    """Each named document as what it says that it is; a `str` in place of its bytes says why there are none.

    Never raises: what cannot be read stands in `unreadable`.
    """
    reports: list[ReportSeen] = []
    scores: list[ScoreSeen] = []
    boards: list[BoardSeen] = []
    lanes: list[LaneReport] = []
    unreadable: list[tuple[str, str]] = []
    for name, data in documents:
        try:
            found = _read(name, data)
        except _FaultError as fault:
            unreadable.append((name, str(fault)))
            continue
        if isinstance(found, ReportSeen):
            reports.append(found)
        elif isinstance(found, ScoreSeen):
            scores.append(found)
        elif isinstance(found, BoardSeen):
            boards.append(found)
        else:
            lanes += (lane for lane in found if isinstance(lane, LaneReport))
            unreadable += ((name, lane.reason) for lane in found if isinstance(lane, Unreadable))
    for kind, several in (("scores", scores), ("boards", boards)):
        if len(several) > 1:
            unreadable.append((kind, f"there are {len(several)}, and a note is about one run"))
    return Documents(
        reports=tuple(reports),
        score=scores[0] if len(scores) == 1 else None,
        board=boards[0] if len(boards) == 1 else None,
        lanes=tuple(lanes),
        unreadable=tuple(unreadable),
    )


def _read(name: str, data: bytes | str) -> _Document | tuple[LaneReport | Unreadable, ...]:
    if isinstance(data, str):
        raise _FaultError(data)
    try:
        value = read_json(data)
    except JsonError as error:
        raise _FaultError(error.message) from error
    if not isinstance(value, dict):
        raise _FaultError("it is no JSON object")
    schema = value.get("schema")
    if text(schema) is None:
        return read_lane_reports(name, data)
    reader = _READERS.get(schema)
    if reader is None:
        raise _FaultError(f"nothing is known of documents of the schema {schema}")
    return reader(_Fields(value))


class _Fields:
    """The members of an object, each read as what it has to be."""

    def __init__(self, value: object) -> None:
        if not isinstance(value, dict):
            raise _FaultError("an object is missing")
        self._members = value

    def get(self, key: str, read: Callable[[object], T | None]) -> T:
        found = read(self._members.get(key))
        if found is None:
            raise _FaultError(f"`{key}` is missing, or no such thing as it has to be")
        return found

    def optional(self, key: str, read: Callable[[object], T | None]) -> T | None:
        """None where the value is null, which has to be said."""
        if key in self._members and self._members[key] is None:
            return None
        return self.get(key, read)

    def each(self, key: str, read: Callable[[_Fields], T]) -> tuple[T, ...]:
        return tuple(read(_Fields(entry)) for entry in self.get(key, _list))

    def pairs(self, key: str, read: Callable[[object], T | None]) -> tuple[tuple[str, T], ...]:
        members = _Fields(self._members.get(key))
        return tuple((name, members.get(name, read)) for name in members._members)

    def inner(self, key: str) -> _Fields:
        return _Fields(self._members.get(key))

    def has(self, key: str) -> bool:
        return key in self._members


def _list(value: object) -> list[object] | None:
    return value if isinstance(value, list) else None


def _flag(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _integer(value: object) -> int | None:
    """A whole number below zero, too."""
    if isinstance(value, Number) and value.startswith("-"):
        found = count(Number(value[1:]))
        return None if found is None else -found
    return count(value)


def _state(value: object) -> State | None:
    return next((state for state in State if state.value == value), None)


def _decision(value: object) -> Decision | None:
    return next((decision for decision in Decision if decision.value == value), None)


def _moment(value: object) -> datetime | None:
    written = text(value)
    try:
        return None if written is None else read_timestamp(written)
    except ValueError:
        return None


def _report(fields: _Fields) -> ReportSeen:
    cases = fields.inner("cases").each("judged", _judged) if fields.has("cases") else ()
    return ReportSeen(
        state=fields.get("state", _state),
        findings=fields.each("findings", _finding),
        notes=fields.each("notes", _finding),
        items=fields.each("items", _item),
        judged=cases,
    )


def _judged(fields: _Fields) -> JudgedCase:
    return JudgedCase(
        id=fields.get("id", text),
        class_=fields.optional("class", text) or "",
        outcome=fields.optional("outcome", text) or "",
        verdict=fields.get("verdict", text),
    )


def _item(fields: _Fields) -> ItemSeen:
    return ItemSeen(
        kind=fields.get("kind", text),
        subject=fields.get("subject", text),
        old=fields.optional("old", text),
        new=fields.optional("new", text),
        vouched_by=fields.optional("vouched_by", text),
    )


def _finding(fields: _Fields) -> Finding:
    return Finding(
        rule=fields.get("rule", text),
        state=fields.get("state", _state),
        check=fields.get("check", text),
        message=fields.get("message", text),
        remedy=fields.get("remedy", text),
        path=fields.optional("path", text),
        line=fields.optional("line", count),
        subject=fields.optional("subject", text),
        old=fields.optional("old", text),
        new=fields.optional("new", text),
    )


def _score(fields: _Fields) -> ScoreSeen:
    optional = fields.pairs("optional", text)
    return ScoreSeen(
        lanes=fields.pairs("lanes", _state),
        required_fold=fields.get("required_fold", _state),
        optional=tuple((lane, None if said == "unexecuted" else _known(lane, said)) for lane, said in optional),
        decision=fields.get("decision", _decision),
        findings=fields.each("findings", _finding),
        floors={lane: _floor(_Fields(value)) for lane, value in fields.pairs("floors", lambda value: value)},
        freezes=tuple(
            FreezeSeen(id_, None, freeze.optional("owner", text), freeze.optional("expires_utc", _moment))
            for id_, freeze in ((id_, _Fields(value)) for id_, value in fields.pairs("freezes", lambda value: value))
        ),
    )


def _known(lane: str, said: str) -> State:
    state = _state(said)
    if state is None:
        raise _FaultError(f"the state of {lane} is none")
    return state


def _floor(fields: _Fields) -> FloorSeen:
    return FloorSeen(fields.get("floor", count), fields.optional("executed", count))


def _board(fields: _Fields) -> BoardSeen:
    return BoardSeen(
        quarantine=fields.each("quarantine", _quarantined),
        freezes=fields.each("freezes", _frozen),
        findings=fields.each("findings", _finding),
    )


def _quarantined(fields: _Fields) -> QuarantineSeen:
    return QuarantineSeen(
        id=fields.get("id", text),
        owner=fields.get("owner", text),
        age_days=fields.get("age_days", _integer),
        is_stale=fields.get("stale", _flag),
    )


def _frozen(fields: _Fields) -> FreezeSeen:
    return FreezeSeen(
        id=fields.get("id", text),
        lane=fields.optional("lane", text),
        owner=fields.optional("owner", text),
        expires_utc=fields.get("expires_utc", _moment),
    )


_READERS: Mapping[object, Callable[[_Fields], _Document]] = {
    REPORT_SCHEMA: _report,
    SCORE_SCHEMA: _score,
    STATUS_SCHEMA: _board,
}
