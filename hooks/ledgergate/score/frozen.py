"""The freezes as a run meets them: which lane each belongs to, which cases it names, whether it still holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from ledgergate.freeze import Freeze
from ledgergate.score.lane_report import LaneReport


class Frozen(NamedTuple):
    """A freeze at the time of the judging. `broken` says why its signature does not hold on disk; None: it holds."""

    freeze: Freeze
    expired: bool
    broken: str | None

    def names(self, case: str) -> bool:
        return names_case(self.freeze, case)


def is_expired(freeze: Freeze, now: datetime) -> bool:
    """Whether its time is over; one that cannot be read never began."""
    return freeze.expires_utc is None or freeze.expires_utc <= now


def names_case(freeze: Freeze, case: str) -> bool:
    """Whether the freeze means this case of a report: by its exact id, or by the function's name in the file.

    The name may lack its `test_`. A parametrised function's cases are all meant. A report of another runner may name
    its cases by the bare name.
    """
    if case == freeze.case_id:
        return True
    file, separator, rest = case.partition("::")
    if separator and file != freeze.path:
        return False
    name = (rest if separator else case).partition("[")[0].rpartition("::")[2]
    return name in (freeze.case_id, f"test_{freeze.case_id}")


def by_lane(freezes: Iterable[Freeze], reports: Mapping[str, LaneReport]) -> dict[str, list[Freeze]]:
    """Which freezes each lane has to account for.

    A freeze that names no lane belongs to the one whose report names its case or its receipt. Under the empty name
    stand those that no lane claims, or more than one.
    """
    found: dict[str, list[Freeze]] = {}
    for freeze in freezes:
        lanes = [freeze.lane] if freeze.lane is not None else _claiming(freeze, reports)
        found.setdefault(lanes[0] if len(lanes) == 1 else "", []).append(freeze)
    return found


def _claiming(freeze: Freeze, reports: Mapping[str, LaneReport]) -> list[str]:
    return [lane for lane, report in reports.items() if _is_claimed(freeze, report)]


def _is_claimed(freeze: Freeze, report: LaneReport) -> bool:
    if any(receipt.id == freeze.id for receipt in report.receipts):
        return True
    cases = (*report.ran_cases, *(report.skipped_cases or ()))
    return any(names_case(freeze, case) for case in cases)
