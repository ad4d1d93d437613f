"""One freeze more or less, and no other byte of the file is another."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledgergate.errors import LedgergateError
from ledgergate.freeze.edit import insert_freeze, remove_freeze, set_floor
from support.lane_reports import frozen

TABS = """\
{
\t"schema": "freeze-ledger.v1",
\t"freezes": [
\t\t{
\t\t\t"id": "fx-1"
\t\t},
\t\t{
\t\t\t"id": "fx-3"
\t\t}
\t],
\t"required_lanes": ["a"]
}
"""
PACKED = '{"schema":"freeze-ledger.v1","freezes":[{"id":"fx-1"},{"id":"fx-3"}],"required_lanes":["a"]}'
WRAPPED = """\
{
  "schema": "freeze-ledger.v1", "required_lanes": ["a"],
  "freezes": [
    {"id": "fx-1", "reason": "one line"}
  ]
}
"""
EMPTY = """\
{
  "schema": "freeze-ledger.v1",
  "required_lanes": ["a"],
  "freezes": []
}
"""
NEW = {"id": "fx-2", "reason": 'ü "quoted"\n', "fixtures": ["a", "b"]}
LINES = '"id": "fx-2",\n@"reason": "ü \\"quoted\\"\\n",\n@"fixtures": ["a", "b"]'
ONE_LINE = '{"id": "fx-2", "reason": "ü \\"quoted\\"\\n", "fixtures": ["a", "b"]}'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            TABS,
            TABS.replace("\t\t},\n", "\t\t},\n\t\t{\n\t\t\t" + LINES.replace("@", "\t\t\t") + "\n\t\t},\n"),
            id="between two, as they are",
        ),
        pytest.param(PACKED, PACKED.replace('"},{', f'"}},{ONE_LINE},{{'), id="in one line"),
        pytest.param(WRAPPED, WRAPPED.replace('"}\n', f'"}},\n    {ONE_LINE}\n'), id="behind the only one"),
        pytest.param(
            EMPTY,
            EMPTY.replace("[]", "[\n    {\n      " + LINES.replace("@", "      ") + "\n    }\n  ]"),
            id="the first one",
        ),
        pytest.param(
            EMPTY.replace(',\n  "freezes": []', ""),
            EMPTY.replace("[]", "[\n    {\n      " + LINES.replace("@", "      ") + "\n    }\n  ]"),
            id="a list that was not there",
        ),
        pytest.param('{"a": 1}', f'{{"a": 1, "freezes": [{ONE_LINE}]}}', id="all in one line"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["plain", "BOM"])
def test_it_is_written_as_its_neighbours_are(before: str, after: str, end: str, mark: str) -> None:
    old, new = ((mark + text.replace("\n", end)).encode() for text in (before, after))
    assert insert_freeze(old, NEW).decode() == new.decode()


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        (["fx-1", "fx-3"], ["fx-1", "fx-2", "fx-3"]),
        (["fx-3"], ["fx-2", "fx-3"]),
        (["fx-1"], ["fx-1", "fx-2"]),
        (["fx-3", "fx-1"], ["fx-3", "fx-2", "fx-1"]),
        (["fx-5", "fx-4"], ["fx-5", "fx-4", "fx-2"]),
        (["fx-1", "fx-5", "fx-3"], ["fx-1", "fx-5", "fx-3", "fx-2"]),
    ],
)
def test_it_comes_where_the_order_of_the_others_wants_it(ids: list[str], expected: list[str]) -> None:
    data = json.dumps({"freezes": [{"id": one} for one in ids]}, indent=2).encode()
    edited = insert_freeze(data, NEW)
    assert [freeze["id"] for freeze in json.loads(edited)["freezes"]] == expected
    assert remove_freeze(edited, "fx-2") == data


@pytest.mark.parametrize(
    ("before", "identity", "after"),
    [
        (TABS, "fx-1", TABS.replace('\t\t{\n\t\t\t"id": "fx-1"\n\t\t},\n', "")),
        (TABS, "fx-3", TABS.replace(',\n\t\t{\n\t\t\t"id": "fx-3"\n\t\t}', "")),
        (PACKED, "fx-1", PACKED.replace('{"id":"fx-1"},', "")),
        (WRAPPED, "fx-1", EMPTY.replace(',\n  "required', ', "required')),
    ],
)
def test_it_leaves_no_trace(before: str, identity: str, after: str) -> None:
    assert remove_freeze(before.encode(), identity).decode() == after


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "{",
        '{"freezes": {}}',
        '{"freezes": [{"id": "fx-9"}, {"id": "fx-9"}]}',
        '{"freezes": [], "freezes": []}',
        '{"a": NaN, "freezes": [{"id": "fx-9"}]}',
    ],
)
def test_what_cannot_be_edited(text: str) -> None:
    with pytest.raises(LedgergateError, match="edited"):
        remove_freeze(text.encode(), "fx-9")


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["plain", "BOM"])
@pytest.mark.parametrize(
    "before",
    [
        '{"cardinality_floor": {"b": 1, "a": 286}, "freezes": [{"id": "fx-1", "a": 286}]}',
        '{\n "a": 286, "cardinality_floor" : {\n  "a" : 286 ,"b": 286}\n}',
    ],
)
def test_a_floor_is_another(before: str, mark: str, end: str) -> None:
    old = (mark + before.replace("\n", end)).encode()
    place = old.index(b"286", old.index(b'"a"', old.index(b"cardinality")))
    assert set_floor(old, "a", 5) == old[:place] + b"5" + old[place + 3 :]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        '{"cardinality_floor": {}}',
        '{"cardinality_floor": [1]}',
        '{"cardinality_floor": {"b": 1}}',
        '{"cardinality_floor": {"a": 1, "a": 2}}',
    ],
)
def test_a_floor_that_cannot_be_set(text: str) -> None:
    with pytest.raises(LedgergateError, match="edited"):
        set_floor(text.encode(), "a", 5)


def test_what_json_cannot_hold() -> None:
    with pytest.raises(LedgergateError, match="edited"):
        insert_freeze(EMPTY.encode(), {"id": "\udcff"})


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
VALUES = st.none() | st.booleans() | st.integers() | TEXTS | st.lists(TEXTS, max_size=2)
OTHERS = st.lists(
    st.builds(
        lambda number, more: {**more, "id": f"fx-{number}"},
        st.integers(0, 9),
        st.dictionaries(TEXTS.filter(lambda key: key != "id"), VALUES, max_size=2),
    ),
    max_size=4,
    unique_by=lambda one: one["id"],
)
STYLES = st.sampled_from([{"indent": 2}, {"indent": 1}, {"indent": "\t"}, {}, {"separators": (",", ":")}])


@given(OTHERS, st.dictionaries(TEXTS.filter(lambda key: key != "freezes"), VALUES, max_size=2), STYLES, st.booleans())
def test_there_and_back(others: list[dict[str, Any]], beside: dict[str, Any], style: Any, ascii_only: bool) -> None:
    document = {**beside, "freezes": others}
    data = json.dumps(document, ensure_ascii=ascii_only, **style).encode()
    new = frozen(id="fx-55")
    edited = insert_freeze(data, new)
    found = json.loads(edited)
    assert sorted(json.dumps(one) for one in found["freezes"]) == sorted(map(json.dumps, [*others, new]))
    assert {**found, "freezes": others} == document
    assert remove_freeze(edited, "fx-55") == data
