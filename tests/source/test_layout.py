"""Which edits of what a pinned test covers are layout only, free to anyone, and which only look so."""

from __future__ import annotations

import pytest

from ledgergate.source.inline import differ_in_layout_only, inline_digest

_OLD = '''\
import a
import b
X = 'x'


def helper(x):
    return f(x)


class Checks:
    pass


class TestMore(Checks, b.More):
    def test_more(self):
        assert a.y == 1


@a.one
@a.two
def test_a():
    'doc'
    if a.x:
        g()
    elif a.y:
        h()
    assert helper(1, y=2, z=3) == X
    assert f"{X=} {X!r}" == 'fi-1000'
    assert """one
    two""" == a.text  # type: ignore
'''
# (old, new, which test); whatever a formatter may do.
LAYOUT = [
    ("'doc'", '"doc"'),
    ("helper(1, y=2, z=3)", "helper(\n        1,\n        y=2,\n        z=3,\n    )"),
    ("    assert helper", "    # why\n\n    assert helper"),
    ("helper(1, y=2, z=3) == X", "(helper(1, y=2, z=3) == X)"),
    ("import a\nimport b\n", "import a; import b\n"),
    ("import a\n", "import a\n\n\ndef other(): pass\n\n\n"),
    ("  # type: ignore", ""),
    ("'fi-1000'", "'fi' '-1000'"),
    ("'fi-1000'", "'fi-\\x31000'"),
    ("'fi-1000'", "r'fi-1000'"),
    ('f"{X=} {X!r}"', "f'{X=} {X!r}'"),
    (" == X\n", " == \\\n        X\n"),
    ("def helper", "\fdef helper"),
    ("return f(x)", "return ｆ(x)"),
    ("    elif a.y:\n        h()\n", "    else:\n        if a.y:\n            h()\n"),
    ("        g()\n", "       \tg()\n"),
    ("assert helper", "assert(helper"),
    ("1, y=2", "0x1, y=2"),
    ("@a.two\ndef", "@a.two  # both\ndef"),
]
# The same place, another meaning.
OTHERWISE = [
    ("'doc'", "'docs'"),
    ("'doc'", "'''\n    >>> 1 + 1\n    2\n    '''"),
    ("y=2, z=3", "z=3, y=2"),
    ("helper(1, y=2, z=3) == X", "X == helper(1, y=2, z=3)"),
    ("helper(1, y=2, z=3) == X", "(helper(1, y=2, z=3), X)"),
    ("helper(1, y=2, z=3) == X", "helper(1, y=2, z=3) == X,"),
    ("import a\nimport b\n", "import b\nimport a\n"),
    ("import a\n", "import a as a\n"),
    ("import a\n", ""),
    ("X = 'x'", "X = 'x '"),
    ("X = 'x'", "X = u'x'"),
    ("X = 'x'", "X = b'x'"),
    ("X = 'x'", "X: str = 'x'"),
    ("'fi-1000'", "'ﬁ-1000'"),
    ("'fi-1000'", "'fi-1000\\n'"),
    ('f"{X=} {X!r}"', 'f"{X = } {X!r}"'),
    ('f"{X=} {X!r}"', 'f"{X=} {X!s}"'),
    ('f"{X=} {X!r}"', '"{X=} {X!r}"'),
    ("one\n    two", "one\n  two"),
    ("one\n    two", "one\n\n    two"),
    ("one\n    two", "one\\\n    two"),
    ("@a.one\n@a.two", "@a.two\n@a.one"),
    ("def test_a", "async def test_a"),
    ("    elif a.y:", "    if a.y:"),
    ("        h()\n    assert", "        h()\n        assert"),
    ("1, y=2", "1.0, y=2"),
    ("1, y=2", "True, y=2"),
    ("return f(x)", "return g(x)"),
    ("X = 'x'\n\n\ndef helper(x):\n    return f(x)\n", "def helper(x):\n    return f(x)\n\n\nX = 'x'\n"),
    ("test_a", "test_b"),
    ("'doc'", "'doc"),
]


def _in_test(old: str, new: str) -> str:
    assert old in _OLD
    edited = _OLD.replace(old, new)
    return edited.replace("== X\n", "== X)\n") if new == "assert(helper" else edited


@pytest.mark.parametrize(("old", "new"), LAYOUT)
def test_layout(old: str, new: str) -> None:
    assert differ_in_layout_only(_OLD.encode(), _in_test(old, new).encode(), ("test_a",))


@pytest.mark.parametrize(("old", "new"), OTHERWISE)
def test_what_only_looks_like_layout(old: str, new: str) -> None:
    edited = _in_test(old, new).encode()
    assert not differ_in_layout_only(_OLD.encode(), edited, ("test_a",))
    assert inline_digest(edited, ("test_a",)) != inline_digest(_OLD.encode(), ("test_a",))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("class TestMore(Checks, b.More)", "@Checks\nclass TestMore(b.More)"),
        ("class TestMore(Checks, b.More)", "class TestMore(b.More, Checks)"),
        ("class TestMore(Checks, b.More)", "class TestMore(Checks, metaclass=b.More)"),
        ("class TestMore(Checks, b.More)", "class TestMore(Checks[b.More])"),
    ],
)
def test_the_head_of_a_class_is_no_layout(old: str, new: str) -> None:
    assert old in _OLD
    edited = _OLD.replace(old, new).encode()
    assert not differ_in_layout_only(_OLD.encode(), edited, ("TestMore", "test_more"))


def test_line_ends_and_what_stands_behind_them_are_nothing() -> None:
    for edited in (
        _OLD.replace("\n", "\r\n"),
        _OLD.replace("\n", "\r"),
        "\ufeff" + _OLD,
        _OLD.replace("1\n", "1 \t\f\n"),
    ):
        assert inline_digest(edited.encode(), ("test_a",)) == inline_digest(_OLD.encode(), ("test_a",))
        assert differ_in_layout_only(_OLD.encode(), edited.encode(), ("test_a",))


def test_white_space_inside_a_text_is_no_layout_though_its_end_of_line_does_not_count() -> None:
    edited = _OLD.replace("one\n", "one  \n").encode()
    assert inline_digest(edited, ("test_a",)) == inline_digest(_OLD.encode(), ("test_a",))
    assert not differ_in_layout_only(_OLD.encode(), edited, ("test_a",))


def test_an_encoding_is_layout_unless_it_makes_another_text() -> None:
    plain, accent = _OLD.encode(), _OLD.replace("'x'", "'é'").encode()
    for old, only in ((plain, True), (accent, False)):
        edited = b"# coding: latin-1\n" + old
        assert inline_digest(edited, ("test_a",)) != inline_digest(old, ("test_a",))
        assert differ_in_layout_only(old, edited, ("test_a",)) is only


def test_a_line_break_that_an_encoding_makes_is_one() -> None:
    old = b"# coding: unicode_escape\nX = 1\n# \\rdef helper(): return 1\ndef test_a(): assert helper() == X\n"
    edited = old.replace(b"return 1", b"return 2")
    assert inline_digest(edited, ("test_a",)) != inline_digest(old, ("test_a",))
