from __future__ import annotations

import pytest

from ledgergate.adopt.freeze_file import lane_floors, render_freeze_ledger
from ledgergate.freeze import read_freeze_ledger
from ledgergate.ledger import Row


def row(id_: str, class_: str, **fields: str) -> Row:
    return Row.of({"id": id_, "class": class_, **fields})


ROWS = [
    ([], {}),
    ([row("t.py::a", "locked_fixture"), row("t.py::b", "locked_fixture", params="3")], {"fixtures": 4}),
    ([row("t.py::a", "property")], {"properties": 1}),
    ([row("t.py::a", "property"), row("t.py::b", "locked_fixture")], {"fixtures": 1, "properties": 1}),
    ([row("a.txt::golden", "locked_fixture"), row("t/::a.py", "locked_fixture")], {}),
    ([row("t.py::a", "quarantine", params="7"), row("t.py::b", "draft")], {}),
    ([row("a.txt::", "locked_fixture")], {"fixtures": 1}),
]


@pytest.mark.parametrize(("rows", "floors"), ROWS)
def test_lanes_are_those_that_there_are_cases_for(rows: list[Row], floors: dict[str, int]) -> None:
    assert lane_floors(rows) == floors


@pytest.mark.parametrize("floors", [{}, {"fixtures": 4}, {"fixtures": 1, "properties": 2}])
def test_the_file_is_well_formed(floors: dict[str, int]) -> None:
    read = read_freeze_ledger("f.json", render_freeze_ledger(floors), remote_lanes=frozenset())
    assert read.problems == ()
    assert read.settings is not None
    assert read.settings.floors == (floors or {"fixtures": 1})
    assert read.settings.required_lanes == tuple(floors or ["fixtures"])
