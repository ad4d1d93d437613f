"""The floor of the lane of locked tests against the rows and freezes that there are."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from ledgergate.freeze import Freeze, FreezeLedger
from ledgergate.ledger import Row
from ledgergate.ledger.paths import is_placeholder

LANE = "fixtures"
_CLASS = "locked_fixture"


class LaneFloor(NamedTuple):
    """What the floor of a lane is, how many cases the rows of the lane want, and how many of those are frozen."""

    floor: int
    wanted: int
    frozen: int

    @property
    def in_reach(self) -> int:
        """How many cases are sure to run. A floor is never 0 by itself: a lane that runs nothing is no test."""
        return max(self.wanted - self.frozen, 1)


def fixtures_floor(rows: Iterable[Row], frozen: FreezeLedger, now: datetime) -> LaneFloor | None:
    """The floor of the lane `fixtures`; None where the freeze ledger gives it none.

    Other lanes have their own measure: a lane of properties counts the examples that ran, which no row says.
    """
    if frozen.settings is None or LANE not in frozen.settings.floors:
        return None
    locked = [row for row in rows if row.class_ == _CLASS and not is_placeholder(row.id)]
    in_force = [freeze for freeze in frozen.freezes if _may_skip(freeze, now)]
    wanted = sum(row.params or 1 for row in locked)
    return LaneFloor(frozen.settings.floors[LANE], wanted, sum(_frozen_cases(row, in_force) for row in locked))


def _may_skip(freeze: Freeze, now: datetime) -> bool:
    return freeze.lane in (None, LANE) and not freeze.is_expired(now)


def _frozen_cases(row: Row, freezes: Iterable[Freeze]) -> int:
    """How many of a row's cases freezes name: all of its function's, or single ones of a parametrised test."""
    own = list(freezes)
    if any(freeze.names(row.id) for freeze in own):
        return row.params or 1
    single = {freeze.case_id for freeze in own if freeze.case_id.startswith(f"{row.id}[")}
    return min(len(single), row.params or 1)
