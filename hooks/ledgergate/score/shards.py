"""The reports of one lane as one: shards of a split run are put together, anything else that doubles is a fault."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import count, islice
from typing import TypeVar

from ledgergate.score.lane_report import LaneReport, Receipt, Unreadable

T = TypeVar("T")
_MOST_NAMED = 10


def lanes_of(reports: Iterable[LaneReport | Unreadable]) -> dict[str, LaneReport | Unreadable]:
    """Each lane that a report names, whole; in the order of their names.

    A lane that is unreadable in one report is so as a whole, since nobody can say what stood there.
    """
    found: dict[str, list[LaneReport | Unreadable]] = {}
    for report in reports:
        if report.lane is not None:
            found.setdefault(report.lane, []).append(report)
    return {lane: _whole(lane, found[lane]) for lane in sorted(found)}


def _whole(lane: str, reports: Sequence[LaneReport | Unreadable]) -> LaneReport | Unreadable:
    parts = [report for report in reports if isinstance(report, LaneReport)]
    parts.sort(key=lambda part: (part.shard or 0, part.source))
    unreadable = next((report for report in reports if isinstance(report, Unreadable)), None)
    fault = unreadable.reason if unreadable else _fault(parts)
    if fault is not None:
        source = unreadable.source if unreadable else _sources(parts)
        return Unreadable(lane, source, fault, tuple(found for report in reports for found in report.violations))
    return parts[0] if len(parts) == 1 else _merged(parts)


def _sources(parts: Sequence[LaneReport]) -> str:
    return ", ".join(dict.fromkeys(part.source for part in parts))


def _fault(parts: Sequence[LaneReport]) -> str | None:
    shards, totals = [part.shard for part in parts], {part.shards for part in parts}
    if None in shards:
        return None if len(parts) == 1 else f"{len(parts)} reports hold this lane, and they are no shards of one run"
    if len(totals) > 1:
        return "its reports disagree about how many shards there are"
    (total,) = totals
    present = {shard for shard in shards if shard is not None}
    lacking = (total or 0) - len(present)
    if lacking > 0:
        first = islice((shard for shard in count(1) if shard not in present), min(lacking, _MOST_NAMED))
        more = f" and {lacking - _MOST_NAMED} more" if lacking > _MOST_NAMED else ""
        return f"of {total} shards these are missing: {', '.join(map(str, first))}{more}"
    if len(shards) != len(present):
        doubled = sorted({shard for shard in shards if shard and shards.count(shard) > 1})
        return f"these shards are reported more than once: {', '.join(map(str, doubled))}"
    if len({part.tree for part in parts}) > 1:
        return "its shards tested different trees"
    return None


def _merged(parts: Sequence[LaneReport]) -> LaneReport:
    return parts[0]._replace(
        source=_sources(parts),
        status=next((part.status for part in parts if part.status != "ok"), "ok"),
        executed=_executed(parts),
        violations=_joined(parts, lambda part: part.violations),
        skipped=any(part.skipped for part in parts),
        ran_cases=_joined(parts, lambda part: part.ran_cases),
        receipts=_receipts(parts),
        skipped_cases=_skipped_cases(parts),
        outside_evidence=tuple(dict.fromkeys(_joined(parts, lambda part: part.outside_evidence))),
        shard=None,
        shards=None,
        plugins=_plugins(parts),
        flaky_cases=tuple(dict.fromkeys(_joined(parts, lambda part: part.flaky_cases))),
        differing=tuple(dict.fromkeys(_joined(parts, lambda part: part.differing))),
        golden_update=next((part.golden_update for part in parts if part.golden_update is not None), None),
        skip_reasons=_joined(parts, lambda part: part.skip_reasons),
        contradictions=_joined(parts, lambda part: part.contradictions),
        reason=next((part.reason for part in parts if part.status != "ok"), None),
    )


def _executed(parts: Sequence[LaneReport]) -> int:
    """How many cases ran. One that several shards ran counts once, where they count no more than the ids they list."""
    distinct = [len(set(part.ran_cases)) for part in parts]
    if all(part.executed <= number for part, number in zip(parts, distinct, strict=True)):
        return min(sum(part.executed for part in parts), len({case for part in parts for case in part.ran_cases}))
    return sum(part.executed for part in parts)


def _plugins(parts: Sequence[LaneReport]) -> tuple[str, ...] | None:
    """None where a shard does not list its plugins."""
    if any(part.plugins is None for part in parts):
        return None
    return tuple(dict.fromkeys(_joined(parts, lambda part: part.plugins or ())))


def _joined(parts: Sequence[LaneReport], field: Callable[[LaneReport], tuple[T, ...]]) -> tuple[T, ...]:
    return tuple(value for part in parts for value in field(part))


def _receipts(parts: Sequence[LaneReport]) -> tuple[Receipt, ...]:
    """All receipts; the cases of one frozen function may lie in several shards, each of which gives its receipt."""
    found: tuple[Receipt, ...] = ()
    for part in parts:
        found += tuple(receipt for receipt in part.receipts if receipt not in found)
    return found


def _skipped_cases(parts: Sequence[LaneReport]) -> tuple[str, ...] | None:
    """None where a shard that skipped does not say what."""
    if any(part.skipped and part.skipped_cases is None for part in parts):
        return None
    return _joined(parts, lambda part: part.skipped_cases or ())
