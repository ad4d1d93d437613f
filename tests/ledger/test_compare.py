"""What a change may do to the ledger, row by row: each difference with its name, and what is none."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledgergate.ledger.compare import RowDifference, compare
from ledgergate.ledger.reader import read_ledger
from ledgergate.ledger.rows import Row, Value
from support.ledgers import DIGEST, LEDGER, TODAY, ledger_texts, row_lists

OTHER = "sha256:" + "cd" * 32
FIXTURE: dict[str, Value] = {"id": "t.py::f", "class": "locked_fixture", "artifact": "g/a", "digest": DIGEST}
PROPERTY: dict[str, Value] = {"id": "t.py::p", "class": "property", "invariant": "holds", "seeds": "s/"}
QUARANTINE: dict[str, Value] = {
    "id": "t.py::q",
    "class": "quarantine",
    "opened": "2026-09-10",
    "reason": "r",
    "owner": "o",
}
DRAFT: dict[str, Value] = {
    "id": "t.py::d",
    "class": "draft",
    "source": "agent",
    "proposed_class": "property",
    "invariant": "holds",
}
ALL = (FIXTURE, PROPERTY, QUARANTINE, DRAFT)


def rows(*all_fields: dict[str, Value]) -> dict[str, Row]:
    return {str(fields["id"]): Row.of(fields, line) for line, fields in enumerate(all_fields, 3)}


def differences(old: dict[str, Row], new: dict[str, Row]) -> list[tuple[str, str | None, str | None]]:
    return [(found.rule, found.old_text, found.new_text) for found in compare(old, new)]


def gone(fields: dict[str, Value], *names: str) -> dict[str, Value]:
    return {name: value for name, value in fields.items() if name not in names}


PROMOTED = {**gone(DRAFT, "source", "proposed_class"), "class": "property", "seeds": "s/"}
QUARANTINED = {**QUARANTINE, "id": PROPERTY["id"]}

CHANGES: list[tuple[list[dict[str, Value]], list[dict[str, Value]], list[tuple[str, str | None, str | None]]]] = [
    ([], [DRAFT], []),
    ([FIXTURE, PROPERTY], [PROPERTY, FIXTURE], []),
    ([], [FIXTURE], [("row-added-classified", None, "locked_fixture")]),
    ([], [PROPERTY], [("row-added-classified", None, "property")]),
    ([], [QUARANTINE], [("row-added-classified", None, "quarantine")]),
    ([], [{**DRAFT, "class": "odd"}], [("row-added-classified", None, "odd")]),
    ([DRAFT], [PROMOTED], [("class-changed", "draft", "property")]),
    (
        [DRAFT],
        [{**PROMOTED, "invariant": "other"}],
        [("class-changed", "draft", "property"), ("invariant-changed", "holds", "other")],
    ),
    ([PROPERTY], [QUARANTINED], [("class-changed", "property", "quarantine")]),
    ([QUARANTINED], [PROPERTY], [("class-changed", "quarantine", "property")]),
    ([FIXTURE], [{**FIXTURE, "digest": OTHER}], [("digest-changed", DIGEST, OTHER)]),
    ([FIXTURE], [{**FIXTURE, "artifact": "g/b"}], [("artifact-changed", "g/a", "g/b")]),
    (
        [FIXTURE],
        [{**FIXTURE, "artifact": "g/b", "digest": OTHER, "lfs": "true"}],
        [("digest-changed", DIGEST, OTHER), ("artifact-changed", "g/a", "g/b"), ("row-edited", None, "lfs: true")],
    ),
    (
        [{**FIXTURE, "artifact": ("a", "b"), "digest": (DIGEST, DIGEST)}],
        [{**FIXTURE, "artifact": ("a", "c"), "digest": (DIGEST, OTHER)}],
        [("digest-changed", f"{DIGEST}, {DIGEST}", OTHER), ("artifact-changed", "b", "c")],
    ),
    ([PROPERTY], [{**PROPERTY, "invariant": "x"}], [("invariant-changed", "holds", "x")]),
    ([PROPERTY], [{**PROPERTY, "seeds": "z/"}], [("seeds-changed", "s/", "z/")]),
    ([PROPERTY], [{**PROPERTY, "params": "3"}], [("row-edited", None, "params: 3")]),
    ([{**PROPERTY, "params": "3"}], [{**PROPERTY, "params": "2"}], [("row-edited", "params: 3", "params: 2")]),
    ([{**PROPERTY, "params": "3"}], [PROPERTY], [("row-edited", "params: 3", None)]),
    ([QUARANTINE], [{**QUARANTINE, "owner": "x"}], [("quarantine-edited", "owner: o", "owner: x")]),
    ([QUARANTINE], [], [("quarantine-removed", "t.py::q", None)]),
    ([QUARANTINE], [{**QUARANTINE, "id": "t.py::z"}], [("quarantine-removed", "t.py::q", "t.py::z")]),
    ([DRAFT], [{**DRAFT, "invariant": "x"}], [("draft-edited", "invariant: holds", "invariant: x")]),
    ([DRAFT], [], [("draft-edited", "t.py::d", None)]),
    ([DRAFT], [{**DRAFT, "id": "t.py::z"}], [("draft-edited", "t.py::d", "t.py::z")]),
    ([FIXTURE], [], [("row-removed", "t.py::f", None)]),
    ([PROPERTY], [], [("row-removed", "t.py::p", None)]),
    ([FIXTURE], [{**FIXTURE, "id": "t.py::z"}], [("row-removed", "t.py::f", "t.py::z")]),
    (
        [FIXTURE],
        [{**FIXTURE, "id": "t.py::z", "digest": OTHER}],
        [("row-added-classified", None, "locked_fixture"), ("row-removed", "t.py::f", None)],
    ),
    (
        [FIXTURE, {**FIXTURE, "id": "t.py::g", "artifact": "g/b"}],
        [{**FIXTURE, "artifact": "g/b"}, {**FIXTURE, "id": "t.py::g"}],
        [("artifact-changed", "g/a", "g/b"), ("artifact-changed", "g/b", "g/a")],
    ),
    (
        [QUARANTINE, {**QUARANTINE, "id": "t.py::r"}],
        [{**QUARANTINE, "id": "t.py::z"}],
        [("quarantine-removed", "t.py::q", "t.py::z"), ("quarantine-removed", "t.py::r", None)],
    ),
]


@pytest.mark.parametrize(("old", "new", "expected"), CHANGES)
def test_each_difference(
    old: list[dict[str, Value]], new: list[dict[str, Value]], expected: list[tuple[str, str | None, str | None]]
) -> None:
    assert differences(rows(*old), rows(*new)) == expected


def test_a_rename_names_both_rows() -> None:
    [found] = compare(rows(FIXTURE), rows({**FIXTURE, "id": "t.py::z"}))
    assert isinstance(found, RowDifference)
    assert found.old is not None
    assert found.new is not None
    assert (found.old.id, found.new.id) == ("t.py::f", "t.py::z")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("t.py::f", "u.py::f", [("row-removed", "t.py::f", "u.py::f")]),
        ("t.py::f[1]", "u.py::f[1]", [("row-removed", "t.py::f[1]", "u.py::f[1]")]),
        (
            "t.py::f",
            "u.py::other",
            [("row-added-classified", None, "locked_fixture"), ("row-removed", "t.py::f", None)],
        ),
    ],
)
def test_a_test_that_pins_itself_takes_its_name_along(
    old: str, new: str, expected: list[tuple[str, str | None, str | None]]
) -> None:
    before = {**FIXTURE, "id": old, "artifact": old.partition("[")[0]}
    after = {**FIXTURE, "id": new, "artifact": "u.py::f"}
    assert differences(rows(before), rows(after)) == expected


@given(st.data(), row_lists)
def test_the_look_of_a_file_is_no_difference(data: st.DataObject, all_fields: list[dict[str, Value]]) -> None:
    one = read_ledger("l", data.draw(ledger_texts(all_fields)).encode(), today=TODAY)
    shuffled = data.draw(st.permutations(all_fields))
    two = read_ledger("l", data.draw(ledger_texts(shuffled)).encode(), today=TODAY)
    assert list(compare(one.by_id, two.by_id)) == []


@given(row_lists, row_lists)
def test_nothing_is_none_and_only_drafts_are_free(old: list[dict[str, Value]], new: list[dict[str, Value]]) -> None:
    base, head = rows(*old), rows(*new)
    found = list(compare(base, head))
    named = {row.id for difference in found for row in (difference.old, difference.new) if row is not None}
    for id_ in base.keys() | head.keys():
        before, after = base.get(id_), head.get(id_)
        differs = before is None or after is None or before.fields != after.fields
        free = before is None and after is not None and after.class_ == "draft"
        assert (id_ in named) or not differs or free
        assert differs or id_ not in named


def test_a_whole_file_of_renamed_rows_takes_no_time() -> None:
    old = rows(*({**QUARANTINE, "id": f"t.py::q[{number}]"} for number in range(10_000)))
    new = rows(*({**QUARANTINE, "id": f"u.py::q[{number}]"} for number in range(10_000)))
    start = time.perf_counter()
    found = list(compare(old, new))
    assert time.perf_counter() - start < 5
    assert len(found) == 10_000
    assert all(difference.old is not None and difference.new is not None for difference in found)


def test_one_edit_in_the_text_of_a_ledger() -> None:
    base = read_ledger("l", LEDGER.encode(), today=TODAY)
    head = read_ledger("l", LEDGER.replace("owner: test-infra", "owner: 'agent'").encode(), today=TODAY)
    [found] = compare(base.by_id, head.by_id)
    assert (found.rule, found.old_text, found.new_text) == ("quarantine-edited", "owner: test-infra", "owner: agent")
