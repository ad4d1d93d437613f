"""Where the tests of a repository are, told from the paths that git tracks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from ledgergate.errors import UsageError
from ledgergate.policy.globs import check_glob

_FOLDERS = frozenset({"tests", "test", "__tests__", "spec", "specs", "testdata"})
_FOREIGN = frozenset({"node_modules", "vendor", "third_party", "site-packages"})
_USUAL_HOMES = ("tests/", "test/")
_MANY = 8

# File names of tests, and the glob that finds those which stand beside the code.
_TEST_FILES = (
    (re.compile(r"test_.*\.py"), "test_*.py"),
    (re.compile(r".*_test\.py"), "*_test.py"),
    (re.compile(r".*_test\.go"), "*_test.go"),
    (re.compile(r".*\.test\.[cm]?[jt]sx?"), "*.test.*"),
    (re.compile(r".*\.spec\.[cm]?[jt]sx?"), "*.spec.*"),
    (re.compile(r".*_spec\.rb"), "*_spec.rb"),
)


class Layout(NamedTuple):
    """Where the tests are: gitignore-style globs, and the folder (with its slash) that the ledgers go to.

    `doubt` says what should be asked or told; None where the layout is plain.
    """

    globs: tuple[str, ...]
    home: str
    doubt: str | None = None


def find_layout(paths: Iterable[str]) -> Layout:
    """The layout of the tests among the git paths of a repository."""
    folders: Counter[str] = Counter()
    with_tests: set[str] = set(_USUAL_HOMES)
    beside: set[str] = set()
    for path in paths:
        folder, glob = test_folder(path), _test_file_glob(path)
        if folder:
            folders[folder] += 1
            with_tests |= {folder} if glob else set()
        elif glob and _FOREIGN.isdisjoint(path.split("/")):
            beside.add(glob)
    found = sorted(folder for folder in folders if folder in with_tests)
    if not found and not beside:
        return Layout(("tests/**",), "tests/", "no tests were found; tests/ stands in the policy")
    home = next((usual for usual in _USUAL_HOMES if usual in found), None) or max(
        found, key=lambda folder: (folders[folder], folder), default="tests/"
    )
    return Layout((*_folder_globs(found), *sorted(beside)), home, _doubt(found, beside))


def layout_of(globs: tuple[str, ...]) -> Layout:
    """The layout that someone gave as globs: the ledgers go to the folder that the first of them begins with.

    Raises `UsageError` for what is no glob.
    """
    for glob in globs:
        try:
            check_glob(glob)
        except ValueError as error:
            raise UsageError(f"the glob {glob!r} {error}") from error
    literal: list[str] = []
    for part in globs[0].removeprefix("/").split("/")[:-1]:
        if any(char in "*?[\\" for char in part):
            break
        literal.append(part)
    return Layout(globs, "/".join(literal) + "/" if literal else "tests/")


def test_folder(path: str) -> str:
    """The topmost folder above a path whose name says that tests are in it, with its slash; empty where there is none.

    Folders of vendored code are none of ours.
    """
    parts = path.split("/")[:-1]
    for depth, part in enumerate(parts):
        if part in _FOREIGN:
            return ""
        # Deeper down, `testing` is what a package offers to the tests of others.
        if part in _FOLDERS or (part == "testing" and depth == 0):
            return "/".join(parts[: depth + 1]) + "/"
    return ""


def is_test_file(path: str) -> bool:
    """Whether a file's name is that of a test, or of what pytest reads beside tests."""
    return _test_file_glob(path) is not None or path.rpartition("/")[2] == "conftest.py"


def escape_glob(path: str) -> str:
    """The gitignore-style glob that matches exactly this path, from the root."""
    escaped = re.sub(r"([\\*?\[])", r"\\\1", path)
    return "/" + escaped if "/" not in path or escaped[0] in "!#" else escaped


def _test_file_glob(path: str) -> str | None:
    name = path.rpartition("/")[2]
    return next((glob for pattern, glob in _TEST_FILES if pattern.fullmatch(name)), None)


def _folder_globs(folders: list[str]) -> list[str]:
    if len(folders) <= _MANY:
        return [f"{escape_glob(folder)}**" for folder in folders]
    return [f"**/{name}/**" for name in sorted({folder.split("/")[-2] for folder in folders})]


def _doubt(folders: list[str], beside: set[str]) -> str | None:
    if beside:
        return "some tests stand beside the code"
    return f"tests are in {len(folders)} folders" if len(folders) > 1 else None
