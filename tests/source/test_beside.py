"""A file that is parsed beside another version of it has the tree that it has alone."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledgergate.source.beside import read_source_beside
from ledgergate.source.text import Source, Unreadable, read_source

_OLD = """\
import a

X = (
    1,
)


@mark
def test_a():
    assert a.f() == 1


def test_b():
    if X:
        assert a.f()


def test_c():
    assert "text"
"""
_LINES = (
    *('"""', "'''", "else:", "elif x:", "    x = 1", "@mark", "\\", "if x:", "(", ")", "try:", "except: pass", "pass"),
    *("x = 1; y = 2", "x = 1 \\", "x = \\", "def f():", "class A:", "    pass", "", "# c", "# c \\", '"text"', "  \\"),
    *('x = """', "x = (1,", "\x0cx = 1", "match x:", " case 1: pass", "case = 1", "x = 1  ", "\t", "ü = 'ü'", "]"),
    *("from __future__ import annotations", "finally:", "async", "lambda:\\", "for x in y: pass"),
)


def both(old: str, new: str) -> tuple[Source, Source | Unreadable, Source | Unreadable]:
    known = read_source(old.encode())
    assert isinstance(known, Source)
    return known, read_source_beside(new.encode(), known), read_source(new.encode())


def dumped(source: Source | Unreadable) -> object:
    if isinstance(source, Unreadable):
        return source
    return ast.dump(source.tree, include_attributes=True), source.lines, source.cookie, source.text


@pytest.mark.parametrize(
    ("new", "shared"),
    [
        pytest.param(_OLD, 5, id="nothing changed"),
        pytest.param(_OLD.replace("f() == 1", "f() == 2"), 4, id="one line changed"),
        pytest.param(f"{_OLD}\n\ndef test_d():\n    assert a.g()\n", 4, id="a test came at the end"),
        pytest.param(_OLD.replace("    1,\n", "    1,\n    2,\n"), 1, id="a line came, so what follows moved"),
        pytest.param(_OLD.replace("\n\n\ndef test_b", "\n    x()\n\ndef test_b"), 4, id="a line came between"),
        pytest.param(_OLD.replace("\n\n\ndef test_b", "\n\n@skip\ndef test_b"), 0, id="a decorator came between"),
        pytest.param(_OLD.replace("import a\n\n", 'import a\n"""'), 0, id="a text in quotes that has no end"),
    ],
)
def test_what_stands_where_it_stood_is_shared(new: str, shared: int) -> None:
    known, beside, alone = both(_OLD, new)
    assert dumped(beside) == dumped(alone)
    kept = [] if isinstance(beside, Unreadable) else [one for one in beside.tree.body if one in known.tree.body]
    assert len(kept) == shared


@given(
    st.lists(st.sampled_from((*_LINES, *_OLD.splitlines())), max_size=8).map("\n".join) | st.just(_OLD),
    st.lists(st.tuples(st.integers(0, 20), st.integers(0, 2), st.sampled_from(_LINES)), min_size=1, max_size=4),
)
def test_any_edit_gives_the_tree_that_it_gives_alone(old: str, edits: list[tuple[int, int, str]]) -> None:
    if isinstance(read_source(old.encode()), Unreadable):
        old = _OLD
    lines = old.split("\n")
    for at, taken, line in edits:
        lines[at : at + taken] = [line]
    _, beside, alone = both(old, "\n".join(lines))
    assert dumped(beside) == dumped(alone)


@pytest.mark.parametrize(
    "data",
    [b"def f(:\n", b"x = '\x00'\n", b"# coding: no-such\n", b"x = '\xff'\n", b"x = " + b"(" * 300 + b")" * 300 + b"\n"],
)
def test_what_cannot_be_read_is_told_as_it_is_told_alone(data: bytes) -> None:
    known = read_source(_OLD.encode())
    assert isinstance(known, Source)
    found = read_source_beside(data + _OLD.encode(), known)
    assert isinstance(found, Unreadable)
    assert found == read_source(data + _OLD.encode())
    assert dumped(read_source_beside(_OLD.encode() + data, known)) == dumped(read_source(_OLD.encode() + data))
