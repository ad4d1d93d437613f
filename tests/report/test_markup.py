"""Markdown of texts that others wrote: it shows them, and they do nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from ledgergate.report.markup import code, prose, table
from support.report_strategies import TEXTS

READER = MarkdownIt("commonmark").enable("table")
PIECES = st.lists(
    st.sampled_from(
        ["`", "``", "|", "\\", "\\|", "[x](http://y)", "<b>", "&lt;", "![p](q)", "*a*", "@all", "a", " ", "#1"]
    )
).map("".join)
ANY_TEXT = TEXTS | PIECES
HARMLESS = {"text", "code_inline", "text_special"}


def inline(markdown: str) -> list[Token]:
    return [child for token in READER.parse(f"- x {markdown} y") for child in token.children or ()]


def cells(lines: list[str]) -> list[Token]:
    return [token for token in READER.parse("\n".join(lines)) if token.type == "td_open"]


@given(ANY_TEXT)
def test_nothing_in_prose_is_active(text: str) -> None:
    assert {token.type for token in inline(prose(text))} <= HARMLESS


@given(ANY_TEXT)
def test_code_is_one_span(text: str) -> None:
    assert [token.type for token in inline(code(text))] == ["text", "code_inline", "text"]


@given(st.lists(st.tuples(ANY_TEXT, ANY_TEXT), min_size=1, max_size=3))
def test_a_row_has_its_cells_whatever_they_hold(rows: list[tuple[str, str]]) -> None:
    lines = list(table(("a", "b", "c"), [(code(one), prose(two), "end") for one, two in rows]))
    assert len(cells(lines)) == 3 * len(rows)
    ends = [token.content for token in READER.parse("\n".join(lines)) if token.type == "inline"]
    assert ends[5::3] == ["end"] * len(rows)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("see `git diff HEAD` first", "see `git diff HEAD` first"),
        ("an odd ` one", "an odd \\` one"),
        (
            "thanks @octocat, see #12 and https://x.org/y",
            "thanks @\u200boctocat, see \\#\u200b12 and https:\u200b//x.org/y",
        ),
        ("a_b *c*", "a\\_b \\*c\\*"),
        ("two\nlines", "two\\\\nlines"),
    ],
)
def test_prose(text: str, shown: str) -> None:
    assert prose(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a", "`a`"), ("", "`  `"), ("a`b", "`` a`b ``"), ("x" * 200, f"`{'x' * 160}...`"), ("\x1b[2J", "`\\x1b[2J`")],
)
def test_code(text: str, shown: str) -> None:
    assert code(text) == shown
