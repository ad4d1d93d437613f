"""New files that make would take for a target that runs tests, each with one that only looks like it."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from ledgergate.policy.made import taken_for_made

MAKEFILE = """\
PY := python
.PHONY: check docs
check: test
test: build/test.stamp
\t$(PY) -m pytest
build/test.stamp:
\tpytest --collect-only && touch $@
docs:
\tmkdocs build
site:
\tmkdocs build -d site
"""


class File(NamedTuple):
    data: bytes
    is_file: bool = True


class Files:
    """A tree of some files with their contents."""

    def __init__(self, **files: str) -> None:
        self.files = {path: File(text.encode()) for path, text in files.items()}

    def entry(self, path: str) -> File | None:
        return self.files.get(path)

    def read_entry(self, entry: File) -> bytes:
        return entry.data

    def names(self, folder: str) -> tuple[str, ...]:
        top = f"{folder}/" if folder else ""
        return tuple({path[len(top) :].split("/")[0] for path in self.files if path.startswith(top)})


def base(makefile: str = MAKEFILE, at: str = "Makefile", **more: str) -> Files:
    return Files(**{at: makefile, "src/app.py": "", "build/keep": "", **more})


@pytest.mark.parametrize("path", ["test", "test/x", "test/a/b.py", "build/test.stamp"])
def test_it_would_look_done(path: str) -> None:
    assert "run no tests" in (taken_for_made(base(), path) or "")


@pytest.mark.parametrize(
    "path",
    ["check", "docs/index.md", "site/index.html", "tests/test_a.py", "src/test", "test.py", "build/other", "pytest"],
)
def test_a_place_of_its_own(path: str) -> None:
    assert taken_for_made(base(), path) is None


def test_make_looks_in_the_folders_of_vpath() -> None:
    assert taken_for_made(base(f"VPATH = src\n{MAKEFILE}"), "src/test")
    assert taken_for_made(base(f"vpath %.c src\n{MAKEFILE}"), "src/test")
    assert taken_for_made(base(f"VPATH = src\n{MAKEFILE}"), "src/docs") is None


def test_a_makefile_speaks_of_its_own_folder() -> None:
    assert taken_for_made(base(at="sub/GNUmakefile"), "sub/test")
    assert taken_for_made(base(at="sub/GNUmakefile"), "test") is None


def test_what_stood_there_is_the_projects_own() -> None:
    assert taken_for_made(base(**{"test/old": ""}), "test/new") is None


def test_without_a_makefile() -> None:
    assert taken_for_made(Files(**{"src/app.py": ""}), "test") is None
