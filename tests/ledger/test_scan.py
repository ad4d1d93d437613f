"""The fast reader against the strict one: what it accepts, both read alike."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ledgergate.ledger.reader import read_strictly
from ledgergate.ledger.rows import Value
from ledgergate.ledger.scan import Known, scan
from ledgergate.ledger.text import Unreadable, decode
from support.ledgers import LEDGER, TODAY, ledger_texts, row_lists


def _assert_same_where_accepted(text: str) -> bool:
    rows = scan(text, TODAY)
    if rows is None:
        return False
    strict = read_strictly("", text, TODAY)
    assert strict.problems == ()
    assert strict.rows == tuple(rows.values())
    assert strict.by_id == rows
    return True


@given(st.data(), row_lists)
def test_both_readers_agree_on_well_formed_ledgers(data: st.DataObject, rows: list[dict[str, Value]]) -> None:
    text = data.draw(ledger_texts(rows)).removeprefix("\ufeff")
    strict = read_strictly("", text, TODAY)
    assert strict.problems == ()
    assert [row.fields for row in strict.rows] == rows
    _assert_same_where_accepted(text)


_SNIPPETS = st.one_of(
    st.sampled_from(
        [
            *(
                "\n",
                "\r",
                "\t",
                " ",
                ":",
                ": ",
                " #",
                "#",
                "'",
                '"',
                "\\",
                "- ",
                "-",
                "  ",
                "[",
                "]",
                "{",
                "&a ",
                "*a",
                "!",
            ),
            *(
                "|",
                ">",
                "?",
                ",",
                "---",
                "...",
                "%",
                "\u2028",
                "\x85",
                "\ufeff",
                "\u00a0",
                "é",
                "::",
                "/",
                "..",
                ".git",
            ),
            *(
                "\n    ",
                "\n      more",
                "\n\n",
                "\n#\n",
                "\n  - ",
                "    params: 2\n",
                "    lfs: true\n",
                "id: ",
                "<<: x",
            ),
        ]
    ),
    st.characters(exclude_categories=("Cs",)),
)


def _edited(data: st.DataObject, text: str) -> str:
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        width = data.draw(st.sampled_from([0, 0, 1, 2, 7]))
        text = text[:at] + data.draw(_SNIPPETS | st.just("")) + text[at + width :]
    return text


@given(st.data(), row_lists)
def test_both_readers_agree_on_whatever_the_fast_one_accepts(data: st.DataObject, rows: list[dict[str, Value]]) -> None:
    text = _edited(data, data.draw(ledger_texts(rows) | st.just(LEDGER)))
    try:
        _assert_same_where_accepted(decode(text.encode()))
    except Unreadable:
        pytest.fail("the strict reader refuses what the fast one accepts")


@given(st.data(), row_lists)
def test_what_is_known_of_other_versions_changes_nothing(data: st.DataObject, rows: list[dict[str, Value]]) -> None:
    text = data.draw(ledger_texts(rows) | st.just(LEDGER))
    known: Known = {}
    for version in (text, _edited(data, text), _edited(data, LEDGER), text.replace("\n    ", "\n      "), LEDGER, text):
        alone, among = scan(version, TODAY), scan(version, TODAY, known)
        assert (alone is None) == (among is None)
        assert list((alone or {}).items()) == list((among or {}).items())


def test_rows_that_stay_share_their_fields() -> None:
    known: Known = {}
    first, second = scan(LEDGER, TODAY, known), scan(LEDGER.replace("rows:", "rows:\n"), TODAY, known)
    assert first is not None and second is not None
    assert [row.fields is second[id_].fields for id_, row in first.items()] == [True] * len(first)
    assert [second[id_].line - row.line for id_, row in first.items()] == [1] * len(first)


@pytest.mark.parametrize(
    "text",
    [
        LEDGER,
        LEDGER.replace("\n", "\r\n"),
        LEDGER.rstrip("\n"),
        "# head\n\n" + LEDGER.replace("    class: property", "    # why\n\n    class: property") + "  # end\n",
        LEDGER.replace("reason: order-dependent on module import cache", "reason: 'no: #1'"),
        LEDGER.replace("invariant: non_negative_length", 'invariant: "no"\n    params: 3'),
        LEDGER.replace("order-dependent", "café: not".replace(": ", ":")),
        LEDGER.replace("    ", "  ").replace("  - id", "- id"),
        LEDGER.replace("artifact: tests/goldens/header.bin", "artifact:\n    - a\n    - b").replace(
            "digest: ", "digest:\n      - sha256:" + "0" * 64 + "\n      - "
        ),
        LEDGER.replace("opened: 2026-09-10", "opened: 2026-08-31"),
        LEDGER.replace("source: agent", "source: agent   # an agent's").replace("rows:", "rows: # all"),
        LEDGER.replace("source: agent", "source: 'a # b' # an agent's").replace("class: draft", "class: draft  "),
        LEDGER.replace("artifact: tests/goldens/header.bin", "artifact:\n    - 'a' # a").replace(
            "digest: ", "digest:\n      - "
        ),
        "version: 1\nrows: []\n",
    ],
)
def test_the_ordinary_shapes_take_the_fast_way(text: str) -> None:
    assert _assert_same_where_accepted(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        LEDGER.replace("version: 1", "version: 2"),
        LEDGER.replace("class: draft", "class: drafty"),
        LEDGER + LEDGER.partition("rows:\n")[2],
        LEDGER.replace("source: agent", "source: agent\n    source: agent"),
        LEDGER.replace("source: agent", "source: agent\n      and more"),
        LEDGER.replace("source: agent", "source: &a agent"),
        LEDGER.replace("2026-09-10", str(TODAY + timedelta(days=1))),
        LEDGER.replace("tests/goldens/header.bin", "../header.bin"),
        " " * 100 + LEDGER,
        LEDGER.replace("  - id", " " * 40 + "- id"),
    ],
)
def test_everything_else_is_left_to_the_strict_reader(text: str) -> None:
    assert scan(text, TODAY) is None


@example("a\u2028b")
@given(st.text(max_size=20))
def test_a_comment_hides_nothing(comment: str) -> None:
    text = LEDGER.replace("rows:\n", f"rows:\n# {comment}\n")
    rows = scan(text, TODAY)
    assert rows is None or len(rows) == 4
