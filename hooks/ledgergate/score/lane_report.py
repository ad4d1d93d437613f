"""Lane reports: what a run of the tests says about each of its lanes, read strictly."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, TypeVar

from ledgergate.freeze.rules import count, text
from ledgergate.freeze.strict_json import JsonError, read_json
from ledgergate.score.contradictions import contradictions
from ledgergate.values import display_text

T = TypeVar("T")
# For a report that says nothing of how its run would have rewritten goldens, but that it would.
UNNAMED_UPDATE = "the report does not name the option"
STATUSES = ("ok", "timeout", "crash", "empty", "parse_error")


class Receipt(NamedTuple):
    """A run's word that it skipped a case for the freeze with this id, whose signature it quotes."""

    id: str
    signature: str


class Violation(NamedTuple):
    """A check that failed. `case` and `digest` (the locked counterexample's) where the report gives them."""

    message: str
    case: str | None = None
    digest: str | None = None


class Differing(NamedTuple):
    """An artifact that, when its test ran, had other bytes on the disk than the row of that test says."""

    case: str
    path: str


class LaneReport(NamedTuple):
    """One lane as one report has it.

    `source` names the report. `skipped_cases` is None where the report does not list them. `shard` counts from 1 to
    `shards`; both are None for a lane that ran in one piece. `tree` is the id of the git tree that was tested.
    `plugins` are the test runner's plugins by their distributions, `flaky_cases` were seen more than once,
    `golden_update` is the option by which the run would have rewritten goldens, and `reason` says why a lane is not ok.
    `skip_reasons` holds (case, why it was skipped). `contradictions` are what its fields say against each other.
    """

    lane: str
    source: str
    status: str
    executed: int
    violations: tuple[Violation, ...]
    skipped: bool
    ran_cases: tuple[str, ...]
    receipts: tuple[Receipt, ...]
    skipped_cases: tuple[str, ...] | None
    outside_evidence: tuple[str, ...]
    shard: int | None
    shards: int | None
    tree: str | None
    plugins: tuple[str, ...] | None
    flaky_cases: tuple[str, ...] = ()
    differing: tuple[Differing, ...] = ()
    golden_update: str | None = None
    reason: str | None = None
    skip_reasons: tuple[tuple[str, str], ...] = ()
    contradictions: tuple[str, ...] = ()


class Unreadable(NamedTuple):
    """A report, or one lane of it, that says nothing which counts, but for violations that can be read all the same.

    `lane` is None where the whole report is meant.
    """

    lane: str | None
    source: str
    reason: str
    violations: tuple[Violation, ...] = ()


class _FaultError(Exception):
    """Why a lane's object does not count."""


def read_lane_reports(source: str, data: bytes) -> tuple[LaneReport | Unreadable, ...]:
    """Every lane of one report. Never raises: what cannot be read is `Unreadable`, and never left out."""
    try:
        document = read_json(data)
    except JsonError as error:
        return (Unreadable(None, source, error.message),)
    if not isinstance(document, dict):
        return (Unreadable(None, source, "it is no JSON object"),)
    if not document:
        return (Unreadable(None, source, "it names no lane"),)
    return tuple(_lane(source, lane, fields) for lane, fields in document.items())


def _lane(source: str, lane: str, fields: object) -> LaneReport | Unreadable:
    try:
        if not isinstance(fields, dict):
            raise _FaultError("it is no object")
        return _read(source, lane, fields)
    except _FaultError as fault:
        violations = _violations(fields.get("violations")) if isinstance(fields, dict) else None
        return Unreadable(lane, source, str(fault), violations or ())


def _read(source: str, lane: str, fields: Mapping[str, object]) -> LaneReport:
    status = _needed(fields, "status", text)
    if status not in STATUSES:
        raise _FaultError(f"its status is {display_text(status)}, which is none of {', '.join(STATUSES)}")
    shard, shards = _optional(fields, "shard", _positive), _optional(fields, "shards", _positive)
    if (shard is None) != (shards is None) or (shard is not None and shards is not None and shard > shards):
        raise _FaultError("`shard` and `shards` come together, the first no greater than the second")
    ran_cases = _needed(fields, "ran_case_ids", _names)
    if len(set(ran_cases)) < len(ran_cases):
        raise _FaultError("`ran_case_ids` names a case twice")
    report = LaneReport(
        lane=lane,
        source=source,
        status=status,
        executed=_needed(fields, "executed", count),
        violations=_needed(fields, "violations", _violations),
        skipped=_needed(fields, "skipped", _flag),
        ran_cases=ran_cases,
        receipts=_needed(fields, "receipts", _receipts),
        skipped_cases=_optional(fields, "skipped_case_ids", _names),
        outside_evidence=_optional(fields, "outside_evidence", _names) or (),
        shard=shard,
        shards=shards,
        tree=_optional(fields, "tree", text),
        plugins=_optional(fields, "plugins", _names),
        flaky_cases=_optional(fields, "flaky_case_ids", _names) or (),
        differing=_optional(fields, "differing_artifacts", _differing) or (),
        golden_update=_optional(fields, "golden_update", text),
        reason=_optional(fields, "reason", text),
        skip_reasons=_optional(fields, "skip_reasons", _reasons) or (),
    )
    return report._replace(contradictions=tuple(contradictions(report)))


def _needed(fields: Mapping[str, object], key: str, read: Callable[[object], T | None]) -> T:
    if key not in fields:
        raise _FaultError(f"`{key}` is missing")
    found = read(fields[key])
    if found is None:
        raise _FaultError(f"`{key}` has the wrong type")
    return found


def _optional(fields: Mapping[str, object], key: str, read: Callable[[object], T | None]) -> T | None:
    return _needed(fields, key, read) if key in fields else None


def _flag(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _positive(value: object) -> int | None:
    return count(value) or None


def _names(value: object) -> tuple[str, ...] | None:
    return _all(value, _name)


def _name(value: object) -> str | None:
    """A text that names something."""
    found = text(value)
    return found if found and not found.isspace() else None


def _receipts(value: object) -> tuple[Receipt, ...] | None:
    return _all(value, _receipt)


def _receipt(value: object) -> Receipt | None:
    if not isinstance(value, dict):
        return None
    identity, signature = text(value.get("id")), text(value.get("signature"))
    return None if identity is None or signature is None else Receipt(identity, signature)


def _differing(value: object) -> tuple[Differing, ...] | None:
    return _all(value, _differing_artifact)


def _differing_artifact(value: object) -> Differing | None:
    if not isinstance(value, dict):
        return None
    case, path = text(value.get("case")), text(value.get("path"))
    return None if case is None or path is None else Differing(case, path)


def _reasons(value: object) -> tuple[tuple[str, str], ...] | None:
    return _all(list(value.items()), _reason) if isinstance(value, dict) else None


def _reason(value: object) -> tuple[str, str] | None:
    case, why = value if isinstance(value, tuple) else (None, None)
    return (case, why) if isinstance(case, str) and text(why) is not None else None


def _violations(value: object) -> tuple[Violation, ...] | None:
    return _all(value, _violation)


def _violation(value: object) -> Violation | None:
    if isinstance(value, dict):
        known = {key: value[key] for key in ("case", "message", "counterexample", "digest") if key in value}
        shown = text(value.get("message")) or text(value.get("counterexample")) or text(value.get("case"))
        if shown is None or not all(isinstance(part, str) or part is None for part in known.values()):
            return None
        return Violation(shown, text(value.get("case")), text(value.get("digest")))
    said = text(value)
    return None if said is None else Violation(said)


def _all(value: object, read: Callable[[object], T | None]) -> tuple[T, ...] | None:
    """Every entry of a list as it reads; None where it is no list, or one entry does not read."""
    if not isinstance(value, list):
        return None
    found = tuple(_each(value, read))
    return found if len(found) == len(value) else None


def _each(values: list[object], read: Callable[[object], T | None]) -> Iterator[T]:
    for value in values:
        found = read(value)
        if found is not None:
            yield found
