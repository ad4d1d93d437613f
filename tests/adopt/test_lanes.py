from __future__ import annotations

import pytest

from ledgergate.adopt.lanes import first_lanes
from ledgergate.adopt.suites import Suite
from ledgergate.ledger import Row

SUITE = Suite("", (), "tests/")


def rows(class_: str, *ids: str) -> list[Row]:
    return [Row.of({"id": id_, "class": class_}) for id_ in ids]


PYTEST = "python -m pytest --rootdir=."
MANY = [f"tests/test_{n}.py::test_p" for n in range(6)]
COMMANDS = {
    "goldens": (rows("locked_fixture", "tests/test_a.py::test_g"), {"fixtures": f"{PYTEST} tests/"}),
    "properties in few files": (
        rows("property", "tests/test_b.py::test_p", "tests/test_b.py::test_q", "tests/a b.py::test_r"),
        {"properties": f"{PYTEST} 'tests/a b.py' tests/test_b.py"},
    ),
    "properties in many files": (rows("property", *MANY), {"properties": f"{PYTEST} tests/"}),
    "both": (
        rows("locked_fixture", "tests/test_a.py::test_g") + rows("property", "tests/test_b.py::test_p"),
        {"fixtures": f"{PYTEST} tests/", "properties": f"{PYTEST} tests/test_b.py"},
    ),
    "tests elsewhere too": (rows("locked_fixture", "tests/test_a.py::test_g", "doc/x.md::x"), {"fixtures": PYTEST}),
    "nothing that is evidence": (rows("quarantine", "tests/test_a.py::test_g"), {}),
    "a golden without its test": (rows("locked_fixture", "tests/a.txt::golden"), {}),
}


@pytest.mark.parametrize(("found", "commands"), COMMANDS.values(), ids=COMMANDS.keys())
def test_each_lane_that_has_a_case_runs_its_tests(found: list[Row], commands: dict[str, str]) -> None:
    lanes = first_lanes([SUITE], found)
    assert {lane.name: lane.command for lane in lanes} == {
        name: f"{command} --ledgergate-lane={name}" for name, command in commands.items()
    }


def test_several_suites_say_themselves_how_they_run() -> None:
    suites = [Suite("a", (), "a/tests/"), Suite("b", (), "b/tests/")]
    assert first_lanes(suites, rows("locked_fixture", "a/tests/test_a.py::test_g")) == ()
