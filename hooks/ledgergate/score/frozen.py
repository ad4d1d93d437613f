"""The freezes as a run meets them: which lane each belongs to, which cases it names, whether it still holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ledgergate.freeze import Freeze
from ledgergate.score.lane_report import LaneReport, Unreadable


class Frozen(NamedTuple):
    """A freeze at the time of the judging. `broken` says why its signature does not hold on disk; None: it holds."""

    freeze: Freeze
    expired: bool
    broken: str | None

    def names(self, case: str) -> bool:
        return self.freeze.names(case)


def by_lane(freezes: Iterable[Freeze], reports: Mapping[str, LaneReport | Unreadable]) -> dict[str, list[Freeze]]:
    """Which freezes each lane has to account for.

    A freeze that names no lane belongs to the one whose report names its case or its receipt. Under the empty name
    stand those that no lane claims, or more than one; what cannot be read may claim any.
    """
    found: dict[str, list[Freeze]] = {}
    for freeze in freezes:
        lanes = [freeze.lane] if freeze.lane is not None else _claiming(freeze, reports)
        found.setdefault(lanes[0] if len(lanes) == 1 else "", []).append(freeze)
    return found


def _claiming(freeze: Freeze, reports: Mapping[str, LaneReport | Unreadable]) -> list[str]:
    return [lane for lane, report in reports.items() if _may_claim(freeze, report)]


def _may_claim(freeze: Freeze, report: LaneReport | Unreadable) -> bool:
    if isinstance(report, Unreadable) or any(receipt.id == freeze.id for receipt in report.receipts):
        return True
    cases = (*report.ran_cases, *(report.skipped_cases or ()))
    return any(map(freeze.names, cases))
