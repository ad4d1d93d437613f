"""Reads the edits of a folder below tests/guard, and gives them as commits of one repository.

A file holds the spellings of one kind of move. `=== base` begins the files before an edit, and `=== TITLE` those that
the edit lays over the base above it; `=== TITLE (not told)` is one that the guard lets pass. Within them `--- PATH`
begins a file (`--- PATH (removed)` takes it away), and without that line the text is that of `tests/test_app.py`.
Files of tests begin with the usual imports, which are not written out, and `%GOOD` stands for the code without its
bugs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

CODE = "app.py"
_TESTS = "tests/test_app.py"
_WRONG = """\
class Bad(ValueError):
    pass


def total(xs):
    return sum(xs) + 1


def parse(s):
    if not s:
        raise RuntimeError("empty")
    return int(s)
"""
_RIGHT = _WRONG.replace("sum(xs) + 1", "sum(xs)").replace('RuntimeError("empty")', 'Bad("empty")')
_IMPORTS = "import pytest\n\nfrom app import Bad, parse, total\n\n\n"
_NOT_TOLD = " (not told)"
_SECTION = re.compile(r"^=== (.+)\n", re.MULTILINE)
_FILE = re.compile(r"^--- (\S+)( \(removed\))?\n", re.MULTILINE)

Files = dict[str, str | None]


class Spelling(NamedTuple):
    """One edit: whole trees before and after, but for the code under test where it is the wrong one (`CODE`)."""

    kind: str
    title: str
    before: Mapping[str, str]
    after: Mapping[str, str]
    is_told: bool


def spellings(folder: Path) -> Iterator[Spelling]:
    """All spellings of a folder, those of one kind after another."""
    for path in sorted(folder.glob("*.txt")):
        base: Files = {}
        parts = _SECTION.split(path.read_text("utf-8"))[1:]
        for title, text in zip(parts[::2], parts[1::2], strict=True):
            if title == "base":
                base = {CODE: _WRONG, **_files(text)}
            else:
                name = title.removesuffix(_NOT_TOLD)
                yield Spelling(path.stem, name, _tree(base), _tree({**base, **_files(text)}), name == title)


def _files(text: str) -> Files:
    parts = _FILE.split(text)
    found: Files = {_TESTS: _whole(_TESTS, parts[0])} if parts[0].strip() else {}
    for path, removed, content in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        found[path] = None if removed else _whole(path, content)
    return found


def _whole(path: str, text: str) -> str:
    if text == "%GOOD\n":
        return _RIGHT
    is_tests = path.startswith("tests/") and path.rpartition("/")[2].startswith("test_") and path.endswith(".py")
    has_own = text.startswith("import pytest\n") and "from app import Bad, parse, total" in text
    return _IMPORTS + text if is_tests and not has_own else text


def _tree(files: Files) -> Mapping[str, str]:
    return {path: text for path, text in files.items() if text is not None}
