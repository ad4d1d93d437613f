"""The first lanes of a policy: how the tests that are evidence run."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence

from ledgergate.adopt.freeze_file import LANES, lane_floors
from ledgergate.adopt.suites import Suite
from ledgergate.ledger import Row, split_id
from ledgergate.policy.model import Lane

# A command that names more than so many files is no longer read.
_MOST_FILES = 5


def first_lanes(suites: Sequence[Suite], rows: Iterable[Row]) -> tuple[Lane, ...]:
    """A lane for each that has a case. None for several suites: what starts each of them is theirs to say."""
    rows = tuple(rows)
    if len(suites) != 1:
        return ()
    return tuple(Lane(lane, _command(lane, _paths(suites[0].home, rows, lane))) for lane in lane_floors(rows))


def _paths(home: str, rows: Sequence[Row], lane: str) -> Sequence[str]:
    """What pytest is given: the files of the properties where they are few; else the folder that holds all rows."""
    files = sorted({split_id(row.id)[0] for row in rows if LANES.get(row.class_) == lane})
    if lane == LANES["property"] and len(files) <= _MOST_FILES:
        return files
    return [home] if home and all(row.id.startswith(home) for row in rows) else []


def _command(lane: str, paths: Sequence[str]) -> str:
    return shlex.join(["python", "-m", "pytest", "--rootdir=.", *paths, f"--ledgergate-lane={lane}"])
