"""Rows that come, go or change leave every other byte as it is, and stand where the order of ids puts them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledgergate.errors import LedgergateError
from ledgergate.ledger.edit import insert_rows, remove_rows, replace_row
from ledgergate.ledger.reader import read_ledger
from ledgergate.ledger.rows import Row, Value
from support.ledgers import DIGEST, LEDGER, TODAY, ledger_texts, row_lists

FIXTURE = "tests/test_parse.py::test_header_roundtrip"
NEW = "sha256:" + "cd" * 32


def fields_of(data: bytes) -> dict[str, dict[str, Value]]:
    ledger = read_ledger("l", data, today=TODAY)
    assert ledger.problems == ()
    return {row.id: dict(row.fields) for row in ledger.rows}


def quarantine(id_: str) -> Row:
    return Row.of({"id": id_, "class": "quarantine", "opened": "2026-09-01", "reason": "r", "owner": "o"})


def block(id_: str, indent: str = "  ", inner: str = "    ") -> str:
    lead = f"{indent}-".ljust(len(inner))
    return f"{lead}id: {id_}\n{inner}class: quarantine\n{inner}opened: 2026-09-01\n{inner}reason: r\n{inner}owner: o\n"


def flow(id_: str) -> str:
    return f"{{id: {id_}, class: quarantine, opened: 2026-09-01, reason: r, owner: o}}"


HEAD = "version: 1\nrows:\n"
B, D = block("b.py::t"), block("d.py::t")
A, C, E = "a.py::t", "c.py::t", "e.py::t"

INSERTIONS = {
    "before all": (HEAD + B + D, A, HEAD + block(A) + B + D),
    "between": (HEAD + B + D, C, HEAD + B + block(C) + D),
    "behind all": (HEAD + B + D, E, HEAD + B + D + block(E)),
    "behind the last without a line end": ((HEAD + B).rstrip("\n"), E, (HEAD + B + block(E)).rstrip("\n")),
    "before the last without a line end": ((HEAD + B).rstrip("\n"), A, (HEAD + block(A) + B).rstrip("\n")),
    "no order: behind its predecessor": (HEAD + D + B, C, HEAD + D + B + block(C)),
    "no order: before its successor": (HEAD + D + B, A, HEAD + D + block(A) + B),
    "comments above the next row": (HEAD + B + "  # of d\n" + D, C, HEAD + B + block(C) + "  # of d\n" + D),
    "comments above the first row": (HEAD + "  # of b\n" + B, A, HEAD + block(A) + "  # of b\n" + B),
    "a comment behind the last value": (
        HEAD + B.replace("o\n", "o  # kim\n") + D,
        C,
        HEAD + B.replace("o\n", "o  # kim\n") + block(C) + D,
    ),
    "a comment inside the row before": (HEAD + B + "    # of b\n" + D, C, HEAD + B + "    # of b\n" + block(C) + D),
    "a comment at the end": (HEAD + B + "# end\n", C, HEAD + B + block(C) + "# end\n"),
    "a loose comment at the top": (HEAD + "  # top\n\n" + B, A, HEAD + "  # top\n\n" + block(A) + B),
    "rows apart": (HEAD + B + "\n" + D, C, HEAD + B + "\n" + block(C) + "\n" + D),
    "rows apart, before all": (HEAD + B + "\n" + D, A, HEAD + block(A) + "\n" + B + "\n" + D),
    "rows apart, behind all": (HEAD + B + "\n" + D + "\n", E, HEAD + B + "\n" + D + "\n" + block(E) + "\n"),
    "no indent": (HEAD + block("b.py::t", "", "  "), C, HEAD + block("b.py::t", "", "  ") + block(C, "", "  ")),
    "a wide indent": (
        HEAD + block("b.py::t", "    ", "        "),
        C,
        HEAD + block("b.py::t", "    ", "        ") + block(C, "    ", "        "),
    ),
    "a dash alone on its line": (
        HEAD + B.replace("- id", "- # - x\n    id"),
        C,
        HEAD + B.replace("- id", "- # - x\n    id") + block(C),
    ),
    "rows above the version": ("rows:\n" + B + "version: 1\n", C, "rows:\n" + B + block(C) + "version: 1\n"),
    "a block text at the end": (
        HEAD + B.replace("owner: o\n", "owner: |+\n      # o\n\n") + "  # end\n",
        C,
        HEAD + B.replace("owner: o\n", "owner: |+\n      # o\n\n") + block(C) + "  # end\n",
    ),
    "braces": (f"{HEAD}  - {flow('b.py::t')}\n", C, f"{HEAD}  - {flow('b.py::t')}\n  - {flow(C)}\n"),
    "brackets": (f"version: 1\nrows: [{flow('b.py::t')}]\n", C, f"version: 1\nrows: [{flow('b.py::t')}, {flow(C)}]\n"),
    "brackets, before all": (
        f"version: 1\nrows: [{flow('b.py::t')}]\n",
        A,
        f"version: 1\nrows: [{flow(A)}, {flow('b.py::t')}]\n",
    ),
    "brackets, a row a line": (
        f"version: 1\nrows: [\n  {flow('b.py::t')},  # b\n  {flow('d.py::t')},\n]\n",
        E,
        f"version: 1\nrows: [\n  {flow('b.py::t')},  # b\n  {flow('d.py::t')},\n  {flow(E)},\n]\n",
    ),
    "all in braces": ("{version: 1, rows: []}\n", C, f"{{version: 1, rows: [{flow(C)}]}}\n"),
    "no rows": ("version: 1\nrows: []\n", C, HEAD + block(C)),
    "no rows, a comment behind": (
        "version: 1\nrows:   []  # none\n# end\n",
        C,
        f"version: 1\nrows:  # none\n{block(C)}# end\n",
    ),
    "no rows, no line end": ("version: 1\nrows: []", C, (HEAD + block(C)).rstrip("\n")),
    "no rows, the version below": ("rows: []\nversion: 1\n", C, f"rows:\n{block(C)}version: 1\n"),
    "no rows, a comment inside": ("version: 1\nrows: [  # x\n]\n", C, f"version: 1\nrows: [  # x\n{flow(C)}]\n"),
}


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize(("before", "id_", "after"), INSERTIONS.values(), ids=list(INSERTIONS))
def test_a_row_comes_in_the_order_of_ids(before: str, id_: str, after: str, mark: str, end: str) -> None:
    text, wanted = mark + before.replace("\n", end), mark + after.replace("\n", end)
    assert insert_rows(text.encode(), [quarantine(id_)]).decode() == wanted
    if "rows: []" not in before and "[  # x" not in before and "rows:   []" not in before:
        assert remove_rows(wanted.encode(), [id_]).decode() == text


def test_rows_that_come_together_stand_as_if_they_had_come_one_by_one() -> None:
    rows = [quarantine(f"{name}.py::t") for name in "faec"]
    together = insert_rows((HEAD + D + B).encode(), rows)
    one_by_one = (HEAD + D + B).encode()
    for row in rows:
        one_by_one = insert_rows(one_by_one, [row])
    assert together.decode() == one_by_one.decode() == HEAD + D + block(E) + block("f.py::t") + block(A) + B + block(C)


def test_nothing_comes_and_nothing_goes() -> None:
    assert insert_rows(LEDGER.encode(), []) == remove_rows(LEDGER.encode(), []) == LEDGER.encode()
    assert insert_rows(b"version: 1\nrows: []\n", []) == b"version: 1\nrows: []\n"


REMOVALS = {
    "the last row": (HEAD + B, ["b.py::t"], "version: 1\nrows: []\n"),
    "the last row, comments": (
        "version: 1\nrows: # x\n  # of b\n" + B + "# end",
        ["b.py::t"],
        "version: 1\nrows: [] # x\n  # of b\n# end",
    ),
    "every row": (HEAD + B + "\n" + D, ["d.py::t", "b.py::t"], "version: 1\nrows: []\n"),
    "every row in brackets": (
        f"version: 1\nrows: [{flow('b.py::t')}, {flow(C)}]\n",
        [C, "b.py::t"],
        "version: 1\nrows: []\n",
    ),
    "brackets": (
        f"rows: [{', '.join(map(flow, ['a::t', 'b::t', 'c::t', 'd::t']))}]\nversion: 1\n",
        ["a::t", "b::t", "d::t"],
        f"rows: [{flow('c::t')}]\nversion: 1\n",
    ),
    "a comment above stays": (HEAD + B + "  # of d\n" + D, ["d.py::t"], HEAD + B + "  # of d\n"),
    "comments inside go": (HEAD + B.replace("    owner", "    # x\n    owner") + D, ["b.py::t"], HEAD + D),
    "a comment stands apart as before": (
        HEAD + B + "\n  # of d\n" + D + "\n" + block(E),
        ["d.py::t"],
        HEAD + B + "\n  # of d\n\n" + block(E),
    ),
}


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(("before", "ids", "after"), REMOVALS.values(), ids=list(REMOVALS))
def test_a_row_goes(before: str, ids: list[str], after: str, end: str) -> None:
    assert remove_rows(before.replace("\n", end).encode(), ids).decode() == after.replace("\n", end)


LOCKED = Row.of({"id": "b.py::t", "class": "locked_fixture", "artifact": "g", "digest": NEW})
LOCKED_HEAD = "  - id: b.py::t\n    class: locked_fixture\n"
LOCKED_LINES = f"    class: locked_fixture\n    artifact: g\n    digest: {NEW}\n"

REPLACEMENTS = {
    "another class": (HEAD + B + D, LOCKED, HEAD + f"  - id: b.py::t\n{LOCKED_LINES}" + D),
    "comments": (
        HEAD
        + "  # b\n"
        + B.replace("opened", "# date\n    opened")
        .replace("r\n", "r # why\n")
        .replace("class: quarantine", "class: quarantine # c"),
        LOCKED,
        f"{HEAD}  # b\n  - id: b.py::t\n{LOCKED_LINES.replace('ure', 'ure # c', 1)}    # date\n",
    ),
    "quotes": (
        HEAD + B.replace("b.py::t", "'b.py::t'").replace("class: quarantine", '"class": "quarantine"'),
        LOCKED,
        HEAD + "  - id: 'b.py::t'\n" + LOCKED_LINES.replace("class: locked_fixture", '"class": "locked_fixture"'),
    ),
    "no line end": ((HEAD + B).rstrip("\n"), LOCKED, (HEAD + f"  - id: b.py::t\n{LOCKED_LINES}").rstrip("\n")),
    "the id is last": (
        HEAD + "  - owner: o\n    reason: r\n    opened: 2026-09-01\n    class: quarantine\n    id: b.py::t\n" + D,
        LOCKED,
        HEAD + f"  - {LOCKED_LINES[4:]}    id: b.py::t\n" + D,
    ),
    "the id is last, comments": (
        HEAD
        + "  - owner: o # x\n    # y\n    reason: r\n    opened: 2026-09-01\n    class: quarantine\n    id: b.py::t\n"
        + D,
        LOCKED,
        HEAD + f"  -\n    # y\n{LOCKED_LINES}    id: b.py::t\n" + D,
    ),
    "braces": (
        f"{HEAD}  - {flow('b.py::t')}  # x\n",
        LOCKED,
        f"{HEAD}  - {{id: b.py::t, class: locked_fixture, artifact: g, digest: {NEW}}}  # x\n",
    ),
    "braces, the id is last": (
        f"{HEAD}  - {{opened: 2026-09-01, reason: r, class: quarantine, owner: o, id: b.py::t}}\n",
        LOCKED,
        f"{HEAD}  - {{class: locked_fixture, artifact: g, digest: {NEW}, id: b.py::t}}\n",
    ),
    "a list of another length": (
        f"{HEAD}{LOCKED_HEAD}    artifact:\n    - g # g\n    - h # h\n    digest: [{NEW}, {DIGEST}]\n",
        LOCKED,
        f"{HEAD}{LOCKED_HEAD}    artifact: g # h\n    digest: {NEW}\n",
    ),
    "a list for a text": (
        HEAD + f"  - id: b.py::t\n{LOCKED_LINES}",
        Row.of({**LOCKED.fields, "artifact": ("g", "h"), "digest": (NEW, DIGEST)}),
        f"{HEAD}{LOCKED_HEAD}    artifact:\n      - g\n      - h\n    digest:\n      - {NEW}\n      - {DIGEST}\n",
    ),
    "equal": (HEAD + B.replace(": r", ": 'r'"), quarantine("b.py::t"), HEAD + B.replace(": r", ": 'r'")),
    "another id that fits": (HEAD + B + D, quarantine(C), HEAD + block(C) + D),
    "another id that moves": (HEAD + "  # b\n" + B + D, quarantine(E), HEAD + D + "  # b\n" + block(E)),
    "another id that moves up": (HEAD + block(A) + D + B, quarantine(C), HEAD + block(A) + D + block(C)),
    "no order, another id": (HEAD + D + B, quarantine(E), HEAD + D + block(E)),
}


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(("before", "row", "after"), REPLACEMENTS.values(), ids=list(REPLACEMENTS))
def test_a_row_says_something_else(before: str, row: Row, after: str, end: str) -> None:
    data = before.replace("\n", end).encode()
    assert replace_row(data, "b.py::t", row).decode() == after.replace("\n", end)


def test_a_moved_row_keeps_its_comments_and_the_last_line_its_missing_end() -> None:
    before = HEAD + block(A) + "\n" + B + "\n  # of d\n" + D.rstrip("\n")
    wanted = HEAD + "  # of d\n" + D.replace("d.py", "0.py") + "\n" + block(A) + "\n" + B.rstrip("\n")
    assert replace_row(before.encode(), "d.py::t", quarantine("0.py::t")).decode() == wanted


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda data: insert_rows(data, [quarantine(FIXTURE)]), "hold a row for the same id"),
        (lambda data: insert_rows(data, [quarantine("x")]), "no `::`"),
        (lambda data: insert_rows(data, [quarantine(A), quarantine(A)]), "hold a row for the same id"),
        (lambda data: insert_rows(data, [Row.of({**LOCKED.fields, "artifact": "caf\udce9"})]), "UTF-8"),
        (lambda data: remove_rows(data, ["x::y"]), "no row x::y"),
        (lambda data: replace_row(data, "x::y", LOCKED), "no row x::y"),
        (lambda data: replace_row(data, FIXTURE, Row.of({"id": FIXTURE, "class": "property"})), "needs `invariant`"),
        (lambda data: insert_rows(data + b"x", [LOCKED]), "no valid YAML"),
    ],
)
def test_what_cannot_be_said(edit, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(LedgergateError, match=message):
        edit(LEDGER.encode())


def _comments(data: bytes) -> list[bytes]:
    return sorted(line.strip() for line in data.splitlines() if line.strip().startswith(b"#"))


def _is_part(part: bytes, whole: bytes) -> bool:
    """Whether the lines of one stand in the other, in their order."""
    lines = iter(whole.splitlines())
    return all(line in lines for line in part.splitlines())


@given(st.data(), row_lists)
def test_no_other_byte_changes_where_rows_come_and_go(data: st.DataObject, rows: list[dict[str, Value]]) -> None:
    is_new = data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows)))
    old = [row for row, new in zip(rows, is_new, strict=True) if not new]
    new = [row for row, new in zip(rows, is_new, strict=True) if new]
    if data.draw(st.booleans()):
        old.sort(key=lambda row: str(row["id"]))
    before = data.draw(ledger_texts(old)).encode()
    after = insert_rows(before, map(Row.of, new))
    assert fields_of(after) == {str(row["id"]): row for row in rows}
    if old:
        assert _is_part(before, after)
        assert remove_rows(after, [str(row["id"]) for row in new]) == before
    ids = [str(row["id"]) for row in old]
    assert [id_ for id_ in fields_of(after) if id_ in ids] == ids
    if ids == sorted(ids):
        assert list(fields_of(after)) == sorted(fields_of(after))


@given(st.data(), row_lists)
def test_no_other_byte_changes_where_a_row_goes(data: st.DataObject, rows: list[dict[str, Value]]) -> None:
    before = data.draw(ledger_texts(rows)).encode()
    gone = data.draw(st.sets(st.sampled_from([str(row["id"]) for row in rows]))) if rows else set()
    after = remove_rows(before, gone)
    kept = [row for row in rows if str(row["id"]) not in gone]
    assert list(fields_of(after).values()) == kept
    assert not kept or _is_part(after, before)


@given(st.data(), row_lists.filter(lambda rows: len(rows) > 1))
def test_no_other_byte_changes_where_a_row_is_replaced(data: st.DataObject, rows: list[dict[str, Value]]) -> None:
    *rows, new = rows
    before = data.draw(ledger_texts(rows)).encode()
    at = data.draw(st.integers(0, len(rows) - 1))
    id_ = str(rows[at]["id"])
    wanted = new if data.draw(st.booleans()) else {**new, "id": id_}
    after = replace_row(before, id_, Row.of(wanted))
    assert fields_of(after) == {str(row["id"]): row for row in [*rows[:at], wanted, *rows[at + 1 :]]}
    if not any(isinstance(value, tuple) for value in rows[at].values()):
        assert _comments(after) == _comments(before)
    if len(rows) > 1 and wanted["id"] == id_:
        assert _is_part(remove_rows(before, [id_]), after)
