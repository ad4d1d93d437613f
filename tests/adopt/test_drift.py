from __future__ import annotations

import json

import pytest

from ledgergate.adopt.collect import Collection, Item
from ledgergate.adopt.drift import Drift, find_drift
from ledgergate.adopt.drift_text import drift_json, drift_text
from ledgergate.ledger import Ledger, Row

CASES = ("t.py::f[1]", "t.py::f[2]", "t.py::g", "a.txt::")


def ledger(*rows: tuple[str, int | None]) -> Ledger:
    made = [
        Row.of({"id": id_, "class": "draft"} | ({"params": str(params)} if params else {}), line)
        for line, (id_, params) in enumerate(rows, 1)
    ]
    return Ledger("ledger.yaml", tuple(made), {row.id: row for row in made}, ())


def drift(
    *rows: tuple[str, int | None],
    cases: tuple[str, ...] = CASES,
    deselected: tuple[str, ...] = (),
    same: frozenset[tuple[str, str]] = frozenset(),
) -> Drift:
    collection = Collection(tuple(map(Item.of_id, cases)), None, deselected)
    files = {"t.py", "a.txt", "x.test.ts", "broken.py"}
    return find_drift(collection, [ledger(*rows)], files.__contains__, lambda row, id_: (row.id, id_) in same)


STALE = [
    # row, params, why it is stale; None where it is not
    ("t.py::f", 2, None),
    ("t.py::f", 1, None),
    ("t.py::f", 3, "2 cases are collected, and the row wants 3"),
    ("t.py::f", None, "2 parametrised cases"),
    ("t.py::f[1]", None, None),
    ("t.py::f[3]", None, "no such test"),
    ("t.py::gone", None, "no such test"),
    ("t.py::gone", 2, "no such test"),
    ("gone.py::g", None, "its file is gone"),
    ("a.txt::", None, None),
    ("t.py::slow", None, None),
    ("t.py::slow_many", 9, None),
    # what another runner collects, or pytest could not, nobody can tell
    ("x.test.ts::adds", None, None),
    ("broken.py::h", None, None),
    ("a.txt::golden", None, None),
    ("goldens/::a.py", None, None),
]


@pytest.mark.parametrize(("id_", "params", "why"), STALE)
def test_stale_rows(id_: str, params: int | None, why: str | None) -> None:
    stale = drift((id_, params), deselected=("t.py::slow", "t.py::slow_many[1]")).stale
    assert [(one.row.id, one.path) for one in stale] == ([] if why is None else [(id_, "ledger.yaml")])
    assert all(why is not None and why in one.why for one in stale)


def test_what_has_no_row() -> None:
    assert [item.id for item in drift(("t.py::f", 2)).unclassified] == ["t.py::g", "a.txt::"]
    assert drift(("t.py::f", 2), ("t.py::g", None), ("a.txt::", None)).is_none
    assert [row.id for row in drift(("b.txt::golden", None)).placeholders] == ["b.txt::golden"]


def test_a_test_that_moved_is_neither_stale_nor_without_a_row() -> None:
    rows = (("old.py::f", 2), ("old.py::g", None), ("a.txt::", None))
    found = drift(*rows, same=frozenset({("old.py::f", "t.py::f"), ("old.py::g", "t.py::g")}))
    assert [(move.row.id, move.new_id) for move in found.moved] == [("old.py::f", "t.py::f"), ("old.py::g", "t.py::g")]
    assert (found.stale, found.unclassified, found.is_none) == ((), (), False)


@pytest.mark.parametrize("same", [{("old.py::g", "t.py::g"), ("old.py::g", "u.py::g")}, set()])
def test_two_candidates_or_none_are_no_move(same: set[tuple[str, str]]) -> None:
    found = drift(("old.py::g", None), cases=("t.py::g", "u.py::g"), same=frozenset(same))
    assert found.moved == ()
    assert len(found.unclassified) == 2
    assert len(found.stale) == 1


@pytest.mark.parametrize(
    ("row", "same", "new_id"),
    [
        ("t.py::old", {("t.py::old", "t.py::new")}, "t.py::new"),
        ("t.py::T::old", {("t.py::T::old", "t.py::T::new")}, "t.py::T::new"),
        ("t.py::old", {("t.py::old", "t.py::new"), ("t.py::old", "t.py::newer")}, None),
        ("t.py::old", {("t.py::old", "t.py::T::new")}, None),
        ("t.py::old", set(), None),
    ],
)
def test_a_function_with_another_name_is_known_by_its_body(
    row: str, same: set[tuple[str, str]], new_id: str | None
) -> None:
    cases = ("t.py::new", "t.py::newer", "t.py::T::new")
    found = drift((row, None), cases=cases, same=frozenset(same))
    assert [move.new_id for move in found.moved] == ([] if new_id is None else [new_id])


def test_one_test_takes_one_row() -> None:
    same = frozenset({("old.py::g", "t.py::g"), ("older.py::g", "t.py::g")})
    found = drift(("old.py::g", None), ("older.py::g", None), cases=("t.py::g",), same=same)
    assert [move.row.id for move in found.moved] == ["old.py::g"]
    assert [one.row.id for one in found.stale] == ["older.py::g"]


def test_text_and_json_say_the_same() -> None:
    cases = tuple(f"t.py::f{number}" for number in range(30))
    collection = Collection(tuple(map(Item.of_id, cases)), "it broke")
    found = find_drift(collection, [ledger(("t.py::gone", None))], lambda _: True, lambda *_: False)
    short, long = (drift_text(collection, found, whole=whole) for whole in (False, True))
    assert "and 10 more (--all lists them)" in short
    assert "more" not in long
    for text in (short, long):
        assert "30 cases collected; 0 with a row" in text
        assert "it broke" in text
        assert "t.py::gone (ledger.yaml:1): no such test is collected" in text
    document = json.loads(drift_json(collection, found))
    assert [item["id"] for item in document["unclassified"]] == list(cases)
    assert (document["problem"], document["stale"][0]["id"]) == ("it broke", "t.py::gone")
