"""The text of a first freeze ledger: the lanes that there are cases for, and how many of those."""

from __future__ import annotations

import json
from collections.abc import Iterable

from ledgergate.ledger import Row
from ledgergate.ledger.paths import is_placeholder

LANES = {"locked_fixture": "fixtures", "property": "properties"}


def lane_floors(rows: Iterable[Row]) -> dict[str, int]:
    """For each lane that rows are evidence in: how many cases they want. Rows whose test is not known want none."""
    floors: dict[str, int] = {}
    for row in rows:
        lane = LANES.get(row.class_)
        if lane is not None and not is_placeholder(row.id):
            floors[lane] = floors.get(lane, 0) + (row.params or 1)
    return dict(sorted(floors.items()))


def render_freeze_ledger(floors: dict[str, int]) -> bytes:
    """The file that requires these lanes. It has to require at least one: with none at all, that is `fixtures`."""
    required = floors or {"fixtures": 1}
    return (
        "{\n"
        '  "schema": "freeze-ledger.v1",\n'
        f'  "required_lanes": {json.dumps(list(required))},\n'
        '  "optional_lanes": [],\n'
        f'  "cardinality_floor": {json.dumps(required)},\n'
        '  "freezes": []\n'
        "}\n"
    ).encode("ascii")
