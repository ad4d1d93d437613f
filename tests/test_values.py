"""The shared records: folding, and texts that print whatever they hold."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ledgergate.values import Actor, Finding, Item, State, display_path, display_text, fold

ANY_TEXT = st.text(st.characters(exclude_categories=()))
PATHS = st.binary().map(lambda path: path.decode("utf-8", "surrogateescape"))


@pytest.mark.parametrize(
    ("states", "expected"),
    [
        ([State.PASS], State.PASS),
        ([State.PASS, State.SKIP], State.SKIP),
        ([State.SKIP, State.UNSCORED], State.UNSCORED),
        ([State.UNSCORED, State.FAIL], State.FAIL),
        ([], State.UNSCORED),
    ],
)
def test_the_worst_state_wins_and_nothing_is_no_pass(states: list[State], expected: State) -> None:
    assert all(fold(order) is expected for order in itertools.permutations(states))


@given(st.lists(st.sampled_from(State), min_size=1), st.lists(st.sampled_from(State), min_size=1))
def test_folding_in_parts_is_folding_at_once(one: list[State], other: list[State]) -> None:
    assert fold([fold(one), fold(other)]) is fold(one + other)
    assert (fold(one) is State.PASS) == (set(one) == {State.PASS})


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("tests/a b.py", "tests/a b.py"),
        ("tests/größe.py", "tests/größe.py"),
        ("a\nb", '"a\\nb"'),
        ('a"b', '"a\\"b"'),
        ("a\\b", '"a\\\\b"'),
        ("a\x1b[31m", '"a\\033[31m"'),
        ("a\udcffb", '"a\\377b"'),
        ("a\u202eb", '"a\\342\\200\\256b"'),
        ("a\ud800", '"a\\355\\240\\200"'),
    ],
)
def test_a_path_is_shown_as_git_shows_it(path: str, shown: str) -> None:
    assert display_path(path) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, größe", "plain, größe"),
        ("a\tb\r\nc", "a\\tb\\r\\nc"),
        ("\x1b[31mred\x07", "\\x1b[31mred\\x07"),
        ("\u202eevil", "\\u202eevil"),
        ("\udcff", "\\udcff"),
        ("\x85\x9b", "\\x85\\x9b"),
    ],
)
def test_a_text_is_shown_in_one_harmless_line(text: str, shown: str) -> None:
    assert display_text(text) == shown


@given(ANY_TEXT)
@example("\ud800\udfff\x00\u2028")
def test_what_is_shown_prints_and_encodes(text: str) -> None:
    for shown in (display_path(text), display_text(text)):
        assert shown.isprintable()
        shown.encode("utf-8")


@given(PATHS, PATHS)
def test_two_paths_never_look_alike(one: str, other: str) -> None:
    assert (display_path(one) == display_path(other)) == (one == other)


def test_only_a_finding_that_passes_is_a_note() -> None:
    for state in State:
        assert Finding("two-sided", state, "check", "m", "r").is_note == (state is State.PASS)


def test_an_actor_is_what_its_kind_says() -> None:
    assert Actor("agent").is_agent
    assert not Actor("human", ("env:X",)).is_agent


def test_items_sort_by_kind_then_subject() -> None:
    items = [Item("row", "b", "x", None), Item("file", "c", "x", None), Item("row", "a", "x", None)]
    assert [(item.kind, item.subject) for item in sorted(items)] == [("file", "c"), ("row", "a"), ("row", "b")]
