"""What a week needs to know of a project: real places to work at."""

from __future__ import annotations

from typing import NamedTuple

from support.sdists import Sdist


class Edit(NamedTuple):
    """In the file at `path` the first `old` becomes `new`."""

    path: str
    old: str
    new: str


class Together(NamedTuple):
    """Edits that make one commit."""

    title: str
    edits: tuple[Edit, ...]


class NewTest(NamedTuple):
    """A test that is added at the end of a file: its title, where, its id, and its source."""

    title: str
    path: str
    id: str
    source: str


class Project(NamedTuple):
    """One project and the week's material.

    `fixes` are an agent's edits of production code, `chores` its other honest ones (changelog, documentation, a
    dependency). `own_fixes` are a human's edits of production alone. `expectations` change production with the tests
    that pin it; their files of tests and goldens are relocked. `tests` are a human's new tests, `drafts` an agent's.
    `renamed` is a test file and its new name, `obsolete` a test and its source to cut out. `steering` are a human's
    edits of files that steer the tests. `tampering` are an agent's edits that must be refused.
    """

    sdist: Sdist
    init: tuple[str, ...]
    packages: tuple[str, ...]
    source_root: str
    fixes: tuple[Together, ...]
    chores: tuple[Together, ...]
    own_fixes: tuple[Together, ...]
    expectations: tuple[Together, ...]
    tests: tuple[NewTest, ...]
    drafts: tuple[NewTest, ...]
    renamed: tuple[str, str]
    flaky: str
    obsolete: NewTest
    steering: tuple[Together, ...]
    tampering: tuple[Together, ...]


def one(title: str, path: str, old: str, new: str) -> Together:
    """A commit of one edit."""
    return Together(title, (Edit(path, old, new),))
