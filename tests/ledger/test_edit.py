"""Edits change the bytes of the values that were asked for, and no other; new files load back equal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledgergate.errors import LedgergateError
from ledgergate.ledger.edit import render, set_fields
from ledgergate.ledger.reader import read_ledger
from ledgergate.ledger.rows import Row, Value
from support.ledgers import DIGEST, LEDGER, TODAY, ledger_texts, row_lists, texts

FIXTURE = "tests/test_parse.py::test_header_roundtrip"
QUARANTINE = "tests/test_parse.py::test_concurrent_reload"
NEW = "sha256:" + "cd" * 32


def fields_of(data: bytes) -> list[dict[str, Value]]:
    ledger = read_ledger("l", data, today=TODAY)
    assert ledger.problems == ()
    return [dict(row.fields) for row in ledger.rows]


def edited(text: str, field: str, value: str | list[str], id_: str = QUARANTINE) -> str:
    return set_fields(text.encode(), {id_: {field: value}}).decode()


def test_one_digest() -> None:
    assert edited(LEDGER, "digest", NEW, FIXTURE) == LEDGER.replace(DIGEST, NEW)


@pytest.mark.parametrize(
    ("written", "new", "expected"),
    [
        ("infra  # who", "kim", "kim  # who"),
        ("'infra'", "kim", "'kim'"),
        ("'infra'", "it's", "'it''s'"),
        ("'infra'", "a\tb", '"a\\x09b"'),
        ('"infra"', "kim", '"kim"'),
        ('"infra" # x', 'say "a\\b" é', '"say \\"a\\\\b\\" é" # x'),
        ("infra", "a: b", "'a: b'"),
        ("infra", "a #b", "'a #b'"),
        ("infra", "[x]", "'[x]'"),
        ("infra", "no", "no"),
        ("infra", "caf\xe9", "caf\xe9"),
        ("infra", "x\u2028y", '"x\\u2028y"'),
        ("infra", "\ufeff", '"\\ufeff"'),
        ("infra   ", "kim", "kim   "),
        ("in\n      fra", "kim", "kim"),
        (">-\n      infra", "kim", "kim"),
        ("|\n      infra\n\n    # note", "kim", "kim\n\n    # note"),
        ("infra", "x" * 2000, "x" * 2000),
        ("infra", "a b " * 500 + "c", "a b " * 500 + "c"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_value_keeps_its_quoting_where_it_can(written: str, new: str, expected: str, end: str, mark: str) -> None:
    text = mark + LEDGER.replace("owner: test-infra", f"owner: {written}").replace("\n", end)
    wanted = mark + LEDGER.replace("owner: test-infra", f"owner: {expected}").replace("\n", end)
    assert edited(text, "owner", new) == wanted


def test_inside_brackets_and_braces() -> None:
    text = (
        f"version: 1\nrows: [{{id: a::b[1], class: draft, source: agent,"
        f" proposed_class: locked_fixture, artifact: [x, 'y', \"z\"], digest: [{DIGEST}, {DIGEST}, {DIGEST}]}}]\n"
    ).replace("a::b[1]", "'a::b[1]'")
    changes = {"a::b[1]": {"source": "a,b", "artifact": ["p?", "q]", "r"], "digest": [DIGEST, NEW, DIGEST]}}
    wanted = text.replace("source: agent", "source: 'a,b'").replace("x, 'y', \"z\"", "'p?', 'q]', \"r\"")
    wanted = wanted.replace(f"{DIGEST}, {DIGEST}, {DIGEST}", f"{DIGEST}, {NEW}, {DIGEST}")
    assert set_fields(text.encode(), changes).decode() == wanted


def test_an_equal_value_is_no_edit() -> None:
    text = LEDGER.replace("owner: test-infra", "owner: 'test-infra'")
    assert edited(text, "owner", "test-infra") == text


def test_an_id_can_change_too() -> None:
    assert edited(LEDGER, "id", "tests/test_b.py::x[a: b]").count("id: 'tests/test_b.py::x[a: b]'\n") == 1


@pytest.mark.parametrize(
    ("text", "id_", "field", "value", "message"),
    [
        (LEDGER, "tests/x.py::y", "digest", NEW, "no row tests/x.py::y"),
        (LEDGER, FIXTURE, "lfs", "true", "with a field `lfs`"),
        (LEDGER, FIXTURE, "digest", [NEW], "as many values"),
        (LEDGER, FIXTURE, "digest", "sha256:1", "64 lower-case hex"),
        (LEDGER, FIXTURE, "id", QUARANTINE, "lines 3 and 11"),
        (LEDGER.replace("class: draft", "class: drat"), FIXTURE, "digest", NEW, "no class"),
        ("version: 1\nrows: {}\n", FIXTURE, "digest", NEW, "no list"),
    ],
)
def test_what_cannot_be_edited(text: str, id_: str, field: str, value: str | list[str], message: str) -> None:
    with pytest.raises(LedgergateError, match=message):
        edited(text, field, value, id_)


def _free_fields(row: dict[str, Value]) -> list[str]:
    return [field for field in ("invariant", "reason", "owner", "source", "digest") if field in row]


@st.composite
def _changes(draw: st.DrawFn, rows: list[dict[str, Value]]) -> dict[str, dict[str, Value]]:
    changes: dict[str, dict[str, Value]] = {}
    for row in draw(st.lists(st.sampled_from(rows), unique_by=id, max_size=3)) if rows else ():
        for field in draw(st.lists(st.sampled_from(_free_fields(row)), unique=True)):
            old = row[field]
            digests = old if isinstance(old, tuple) else (old,)
            value: Value = draw(texts) if field != "digest" else (NEW, *digests[1:])
            new = value[0] if field == "digest" and isinstance(old, str) else value
            changes.setdefault(str(row["id"]), {})[field] = new
    return changes


@given(st.data(), row_lists)
def test_no_other_byte_changes(data: st.DataObject, rows: list[dict[str, Value]]) -> None:
    before = data.draw(ledger_texts(rows)).encode()
    changes = data.draw(_changes(rows))
    after = set_fields(before, changes)
    expected = [{**row, **changes.get(str(row["id"]), {})} for row in rows]
    assert fields_of(after) == expected
    # The way back: the old values in the old places give the old bytes, but for the quoting of the values themselves.
    back = set_fields(after, {id_: {field: _row(rows, id_)[field] for field in new} for id_, new in changes.items()})
    assert fields_of(back) == rows
    assert _skeleton(back, changes) == _skeleton(before, changes) == _skeleton(after, changes)


def _row(rows: list[dict[str, Value]], id_: str) -> dict[str, Value]:
    return next(row for row in rows if row["id"] == id_)


def _skeleton(data: bytes, changes: dict[str, dict[str, Value]]) -> bytes:
    """The file with a mark in the place of each changed value, found apart from the editor: by PyYAML's own nodes."""
    import yaml

    text = data.decode().removeprefix("\ufeff")
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    spans: list[tuple[int, int]] = []
    for row in next(value for key, value in root.value if key.value == "rows").value:
        id_ = next(value.value for key, value in row.value if key.value == "id")
        for key, value in row.value:
            if key.value in changes.get(id_, {}):
                items = value.value if isinstance(value, yaml.SequenceNode) else [value]
                spans += [(item.start_mark.index, item.end_mark.index) for item in items]
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]}<>{text[end:]}"
    return text.encode()


@given(row_lists)
def test_a_new_file_loads_back_equal(rows: list[dict[str, Value]]) -> None:
    data = render(Row.of(fields) for fields in rows)
    assert fields_of(data) == sorted(rows, key=lambda fields: str(fields["id"]))
    ids = [line for line in data.decode().split("\n") if line.startswith("  - id: ")]
    assert len(ids) == len(rows)


def test_a_new_file_looks_like_one_written_by_hand() -> None:
    rows = read_ledger("l", LEDGER.encode(), today=TODAY).rows
    blocks = LEDGER.removeprefix("version: 1\nrows:\n").split("  - ")[1:]
    assert render(rows).decode() == "version: 1\nrows:\n" + "".join(f"  - {block}" for block in sorted(blocks))
    assert render([]) == b"version: 1\nrows: []\n"


def test_a_list_stands_an_item_a_line() -> None:
    fields: dict[str, Value] = {
        "id": "a::b",
        "class": "locked_fixture",
        "artifact": ("a: b", "z"),
        "digest": (NEW, NEW),
    }
    assert "    artifact:\n      - 'a: b'\n      - z\n    digest:\n      - sha256:" in render([Row.of(fields)]).decode()


@pytest.mark.parametrize("artifact", ["../x", "caf\udce9", "x\0y"])
def test_a_row_with_a_problem_is_never_written(artifact: str) -> None:
    row = Row.of({"id": "a::b", "class": "locked_fixture", "artifact": artifact, "digest": NEW})
    with pytest.raises(LedgergateError):
        render([row])


def test_an_id_has_one_row_in_a_new_file_too() -> None:
    row = read_ledger("l", LEDGER.encode(), today=TODAY).rows[0]
    with pytest.raises(LedgergateError, match="same id"):
        render([row, row])
