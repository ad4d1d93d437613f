"""Which cases of a run are excused: a freeze lets their lane skip them, and the lane gave the right receipt."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from ledgergate.freeze import Freeze
from ledgergate.score.classify import freeze_problems
from ledgergate.score.frozen import Frozen, by_lane
from ledgergate.score.lane_report import LaneReport, Unreadable
from ledgergate.score.shards import lanes_of


def covered_by_receipts(
    freezes: Sequence[Freeze],
    reports: Iterable[LaneReport | Unreadable],
    now: datetime,
    broken: Callable[[Freeze], str | None],
) -> Callable[[str], bool]:
    """Tells of a case's exact id whether exactly one freeze with a valid receipt covers it.

    A receipt is valid in the freeze's own lane, where that ran to its end; `now` and `broken` are those of `score`.
    """
    lanes = lanes_of(reports)
    valid = [
        freeze
        for lane, own in by_lane(freezes, lanes).items()
        for freeze in own
        if lane and _has_receipt(lanes.get(lane), freeze, now, broken)
    ]
    return lambda case: sum(freeze.names(case) for freeze in valid) == 1


def _has_receipt(
    report: LaneReport | Unreadable | None, freeze: Freeze, now: datetime, broken: Callable[[Freeze], str | None]
) -> bool:
    if not isinstance(report, LaneReport) or report.status != "ok":
        return False
    if all(receipt.id != freeze.id for receipt in report.receipts):
        return False
    return not any(freeze_problems(report, Frozen(freeze, freeze.is_expired(now), broken(freeze))))
