"""A row at a glance: where two texts show the same of it, the reader reads the same of it."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledgergate.ledger import read_ledger
from ledgergate.ledger.glance import glance

ID = "tests/test_a.py::test_one"
ROW = f"  - id: {ID}\n    class: draft\n    source: agent\n    proposed_class: property\n    invariant: holds\n"
OTHER = ROW.replace("test_one", "test_one_more")
HEAD = "version: 1\nrows:\n"


def at_a_glance(*rows: str, head: str = HEAD, row_id: str = ID) -> str | None:
    found = glance((head + "".join(rows)).encode("utf-8", "surrogateescape"), row_id)
    return None if found is None else found.decode("utf-8", "surrogateescape")


@pytest.mark.parametrize(
    ("before", "after"),
    [("", ""), (OTHER, ""), ("", OTHER), (OTHER, OTHER.replace("more", "less")), ("", "# the end\n"), ("\n", "")],
)
def test_its_lines_alone(before: str, after: str) -> None:
    found = at_a_glance(before, ROW, after)
    assert found is not None
    assert found.startswith(ROW)
    assert "more" not in found


@pytest.mark.parametrize(
    "row",
    [
        ROW.replace(ID, f'"{ID}"'),
        ROW.replace(ID, f"'{ID}'"),
        ROW.replace(ID, f"{ID}  # a comment"),
        ROW.replace("\n", "\r\n"),
        "".join(f"      {line}\n" for line in ROW.splitlines()),
        ROW + "    artifact:\n      - tests/goldens/a\n\n      # comment\n      - tests/goldens/b\n",
    ],
)
def test_usual_forms(row: str) -> None:
    assert at_a_glance(OTHER, row, "") == row


@pytest.mark.parametrize(
    "text",
    [
        f"  - {{id: {ID}, class: draft}}\n",
        f"  - class: draft\n    id: {ID}\n",
        f'  - "id": {ID}\n',
        f"  - id:\n      {ID}\n",
        f"  - ? id\n    : {ID}\n",
        f"  -   id: {ID}\n",
        f"  - id : {ID}\n",
        ROW + ROW,
        '  - id: "tests/test_a.py::test_\\x6fne"\n',
    ],
)
def test_unusual_ones_take_a_reader(text: str) -> None:
    assert at_a_glance(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        OTHER,
        OTHER + f"    artifact: {ID}\n",
        OTHER + f"    artifact:\n      - {ID}\n",
        ROW.replace(ID, f"{ID}[1]"),
        ROW.replace(ID, f"my/{ID}"),
    ],
)
def test_where_it_has_no_row(text: str) -> None:
    assert at_a_glance(text) == ""


_IDS = st.sampled_from([ID, f"{ID}[1]", f"{ID}[a b]", "tests/test_b.py::T::test", f"{ID}_more"])
_TEXT = st.sampled_from(["holds", "'holds'", "other  # note", '"quoted"'])


@st.composite
def _rows(draw: st.DrawFn) -> str:
    indent = draw(st.sampled_from([0, 2, 4]))
    lines = []
    for id_ in draw(st.lists(_IDS, unique=True, max_size=4)):
        fields = [f"id: {id_}", "class: draft", "source: agent", "proposed_class: property"]
        fields.append(f"invariant: {draw(_TEXT)}")
        if draw(st.booleans()):
            fields[1:] = draw(st.permutations(fields[1:]))
        lines += [f"{' ' * indent}{'  ' if number else '- '}{field}" for number, field in enumerate(fields)]
        lines += draw(st.sampled_from([[], [""], ["# between"]]))
    return "".join(f"{line}\n" for line in lines)


@given(_rows(), _rows(), _IDS)
def test_the_same_at_a_glance_is_read_as_the_same(one: str, two: str, row_id: str) -> None:
    looks = at_a_glance(one, row_id=row_id), at_a_glance(two, row_id=row_id)
    if None not in looks and looks[0] == looks[1]:
        first, second = (
            read_ledger("l", (HEAD + text).encode(), today=date(2026, 12, 1)).by_id.get(row_id) for text in (one, two)
        )
        assert (first and first.fields) == (second and second.fields)
