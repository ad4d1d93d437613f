"""Where git borrows objects from, read as git writes it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledgergate.git.borrowed import VARIABLE, borrowed_folders, folders_in_file, is_quoted


@pytest.mark.parametrize(
    ("value", "folders"),
    [
        ("", ()),
        ("/a", ("/a",)),
        ("/a:/b", ("/a", "/b")),
        ("/a::/b:", ("/a", "/b")),
        ('"/a:b"', ("/a:b",)),
        ('"/a:b":/c', ("/a:b", "/c")),
        ('/c:"/a\\"b\\\\":/d', ("/c", '/a"b\\', "/d")),
        (r'"/\303\274\t\n"', ("/ü\t\n",)),
        ('/a"b:/c', ('/a"b', "/c")),
        # What only begins like a quoted path is taken as it stands, as git does.
        ('"/a:/b', ('"/a', "/b")),
        ('"/a"b:/c', ('"/a"b', "/c")),
        (r'"/a\x":/c', (r'"/a\x"', "/c")),
    ],
)
def test_folders(value: str, folders: tuple[str, ...]) -> None:
    assert borrowed_folders({VARIABLE: value}) == folders


@pytest.mark.parametrize(
    ("text", "folders"),
    [
        ("", []),
        ("# where from\n/a\n\n../b\n", [("/a", False), ("../b", False)]),
        ('"/a b"\n/c\n', [("/a b", True), ("/c", False)]),
        ('"../\\303\\274\\t"\n', [("../ü\t", True)]),
        ('"/a\n', [('"/a', False)]),
        ('"/a" x\n', [("/a", True), ("x", False)]),
    ],
)
def test_folders_in_a_file(text: str, folders: list[tuple[str, bool]]) -> None:
    assert list(folders_in_file(text.encode())) == folders


def test_nothing_is_borrowed_where_git_says_nothing() -> None:
    assert borrowed_folders({}) == ()
    assert not is_quoted({})


@given(st.text(st.characters(blacklist_characters="\0", blacklist_categories=("Cs",)), max_size=30))
def test_any_value_is_read(value: str) -> None:
    assert all(borrowed_folders({VARIABLE: value}))


@given(st.lists(st.text(st.sampled_from('/ab:"\\ü\n'), min_size=1), max_size=4))
def test_what_git_quotes_is_what_was_meant(paths: list[str]) -> None:
    """As git's `quote_c_style` does."""

    def quoted(path: str) -> str:
        names = {'"': '\\"', "\\": "\\\\", "\n": "\\n"}
        return '"' + "".join(names.get(c, c if c.isascii() else _octal(c)) for c in path) + '"'

    assert borrowed_folders({VARIABLE: ":".join(map(quoted, paths))}) == tuple(paths)


def _octal(char: str) -> str:
    return "".join(f"\\{byte:03o}" for byte in char.encode())
