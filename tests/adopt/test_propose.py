from __future__ import annotations

from datetime import date

import pytest

from ledgergate.adopt.collect import Item
from ledgergate.adopt.propose import WEAK_CHECKS, Proposals, Proposer, Settled, Wish, settle, uncovered
from ledgergate.adopt.readers import Readers
from ledgergate.adopt.worth import Worths
from ledgergate.ledger import Row
from ledgergate.source.inline import inline_digest

T = "tests/test_a.py"
SOURCE = """\
import unittest
from base import Shared

def test_checks(): assert 1 + 1 == two()
def test_weak(): assert two() is not None
def test_none(): two()
def test_many(x): assert x == two()
def test_length(n): assert n == two()
class TestChild(Shared): pass
"""
BASE = "class Shared:\n    def test_inherited(self): assert self.x == 1\n"
FILES = {T: SOURCE, "tests/base.py": BASE, "tests/drafts/test_d.py": SOURCE, "tests/seeds/length/1": "1"}
TODAY = date(2026, 3, 4)


def item(case: str, file: str = T, **fields: object) -> Item:
    function = case.partition("[")[0]
    known = {"defined_in": file, "name": function.replace("::", "."), **fields}
    return Item(f"{file}::{case}", f"{file}::{function}", file, **known)  # type: ignore[arg-type]


def read(path: str) -> bytes | None:
    return FILES[path].encode() if path in FILES else None


def propose(*items: Item) -> Proposals:
    return Proposer(FILES, Readers(read), Worths(read, inline=True), "tests/drafts/").propose(items)


PLACES = {
    "a check": ([item("test_checks")], "locked_fixture", {"artifact": f"{T}::test_checks"}, "a check that can fail"),
    "not None": (
        [item("test_weak")],
        "quarantine",
        {},
        WEAK_CHECKS,
    ),
    "no check": ([item("test_none")], "quarantine", {}, "no check that can fail"),
    "skipped": ([item("test_checks", idle="skipped")], "quarantine", {}, "skipped today"),
    "xfailed": ([item("test_checks", idle="expected to fail")], "quarantine", {}, "expected to fail today"),
    "parametrised": (
        [item("test_many[a]"), item("test_many[b]")],
        "locked_fixture",
        {"artifact": f"{T}::test_many", "params": "2"},
        "a check that can fail",
    ),
    "some cases skipped": (
        [item("test_many[a]"), item("test_many[b]", idle="skipped"), item("test_many[c]")],
        "locked_fixture",
        {"artifact": f"{T}::test_many", "params": "2"},
        "a check that can fail",
    ),
    "all cases skipped": (
        [item("test_many[a]", idle="skipped"), item("test_many[b]", idle="skipped")],
        "quarantine",
        {"params": "2"},
        "skipped today",
    ),
    "seeds": (
        [item("test_length", is_hypothesis=True)],
        "property",
        {"invariant": "length", "seeds": "tests/seeds/length/"},
        "a folder of seeds",
    ),
    "Hypothesis without seeds": (
        [item("test_many", is_hypothesis=True)],
        "locked_fixture",
        {"artifact": f"{T}::test_many"},
        "a check that can fail",
    ),
    "inherited from another file": (
        [item("TestChild::test_inherited", defined_in="tests/base.py", name="Shared.test_inherited")],
        "locked_fixture",
        {"artifact": "tests/base.py::Shared::test_inherited"},
        "a check that can fail",
    ),
    "a draft": (
        [item("test_none", "tests/drafts/test_d.py")],
        "draft",
        {"source": "agent", "proposed_class": "locked_fixture", "artifact": "tests/drafts/test_d.py::test_none"},
        "below the drafts",
    ),
    "a draft of a property": (
        [item("test_many", "tests/drafts/test_d.py", is_hypothesis=True)],
        "draft",
        {"source": "agent", "proposed_class": "property", "invariant": "many"},
        "below the drafts",
    ),
}


@pytest.mark.parametrize(("items", "class_", "fields", "why"), PLACES.values(), ids=PLACES.keys())
def test_the_class_of_a_test(items: list[Item], class_: str, fields: dict[str, str], why: str) -> None:
    proposals = propose(*items)
    assert proposals.unplaced == {}
    (found,) = proposals.rows
    said = {field: value for field, value in found.fields.items() if field != "digest"}
    assert (found.id, found.class_, said) == (items[0].function, class_, fields)
    assert why in found.why


UNPLACED = {
    "a doctest": (Item("src/a.py::a.f", "src/a.py::a.f", "src/a.py", is_function=False), "doctest"),
    "data": (Item("tests/a.yaml::x", "tests/a.yaml::x", "tests/a.yaml", is_function=False), "no function"),
    "made at run time": (item("test_made", name="make.<locals>.test", defined_in="tests/base.py"), "not in this"),
    "from a package": (item("test_x", defined_in="../lib/site-packages/x.py", name="test_x"), "not in this"),
    "not in the text": (item("test_gone"), "cannot be told"),
    "an odd id": (Item("a\tb.py::test_x", "a\tb.py::test_x", "a\tb.py"), "cannot hold its id"),
}


@pytest.mark.parametrize(("found", "why"), UNPLACED.values(), ids=UNPLACED.keys())
def test_what_nothing_fits(found: Item, why: str) -> None:
    proposals = propose(found)
    assert proposals.rows == ()
    assert why in proposals.unplaced[found.function]


MIXED = propose(item("test_checks"), item("test_none"), item("test_length", is_hypothesis=True))


def settled(*, inline: bool, owner: str | None) -> Settled:
    return settle(MIXED, Wish(inline, owner, TODAY))


def test_a_wish_makes_rows() -> None:
    rows = {row.id.partition("::")[2]: row.fields for row in settled(inline=True, owner="qa").rows}
    assert list(rows) == ["test_checks", "test_length", "test_none"]
    assert rows["test_checks"]["digest"] == inline_digest(SOURCE.encode(), ("test_checks",))
    assert rows["test_none"] == {
        "id": f"{T}::test_none",
        "class": "quarantine",
        "opened": "2026-03-04",
        "reason": "no check that can fail",
        "owner": "qa",
    }


@pytest.mark.parametrize(
    ("inline", "owner", "unplaced"),
    [
        (True, "qa", []),
        (False, "qa", ["has a check that can fail (--inline holds it to its own source)"]),
        (True, None, ["no check that can fail (--owner NAME puts it in quarantine)"]),
    ],
)
def test_what_nobody_wishes_has_no_row_and_a_reason(inline: bool, owner: str | None, unplaced: list[str]) -> None:
    found = settled(inline=inline, owner=owner)
    assert list(found.unplaced.values()) == unplaced
    assert len(found.rows) + len(unplaced) == 3
    assert set(found.why) == {row.id for row in found.rows}


COVERED = [
    # rows, cases that no row covers
    ([("t.py::f", "2")], ["t.py::g"]),
    ([("t.py::f", None)], ["t.py::f[1]", "t.py::f[2]", "t.py::g"]),
    ([("t.py::f[1]", None), ("t.py::g", None)], ["t.py::f[2]"]),
    ([], ["t.py::f[1]", "t.py::f[2]", "t.py::g"]),
]


@pytest.mark.parametrize(("rows", "expected"), COVERED)
def test_what_rows_cover(rows: list[tuple[str, str | None]], expected: list[str]) -> None:
    items = [Item.of_id(id_) for id_ in ("t.py::f[1]", "t.py::f[2]", "t.py::g")]
    made = [Row.of({"id": id_, "class": "draft"} | ({"params": params} if params else {})) for id_, params in rows]
    assert [found.id for found in uncovered(items, made)] == expected
