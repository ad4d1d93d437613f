"""The suites of a repository: one, or those of the projects that lie side by side in it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from ledgergate.adopt.layout import is_test_file, test_folder
from ledgergate.adopt.readers import Read

_PROJECT = frozenset({"pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "pytest.ini"})
_CONFIGURED = re.compile(rb"^\[(?:tool\.pytest\b|tool:pytest\]|pytest\])", re.MULTILINE)


class Suite(NamedTuple):
    """Where pytest starts (a folder, empty for the root), what it is given there, and the folder of the ledger."""

    start: str
    arguments: tuple[str, ...]
    home: str


def find_suites(paths: Iterable[str], home: str, read: Read) -> tuple[Suite, ...]:
    """One suite at the root, or one for each of several projects with tests of their own.

    `home` is the folder of the only ledger. A root that configures pytest runs everything itself.
    """
    paths = frozenset(paths)
    projects: dict[str, set[str]] = {}
    for path in sorted(filter(is_test_file, paths)):
        if path.endswith(".py"):
            projects.setdefault(_project(path, paths), set()).add(test_folder(path))
    below = [folder for folder in projects if folder]
    if len(below) < 2 or any(_CONFIGURED.search(read(name) or b"") for name in _PROJECT):
        return (Suite("", (), home),)
    suites = [Suite(folder, (), _home(folder, projects[folder])) for folder in sorted(below)]
    folders = tuple(sorted(projects.get("", set()) - {""}))
    return (*([Suite("", folders, folders[0])] if folders else []), *suites)


def ledger_globs(suites: Iterable[Suite]) -> tuple[str, ...]:
    """The policy's list of ledgers: one glob where the projects are laid out alike, so that the next one fits too."""
    ledgers = [f"{suite.home}ledger.yaml" for suite in suites]
    starred = {re.sub(r"^((?:[^/]+/)*?)[^/]+(/[^/]+/ledger\.yaml)$", r"\1*\2", ledger) for ledger in ledgers}
    glob = next(iter(starred))
    return (glob,) if len(ledgers) > 1 and len(starred) == 1 and not glob.startswith("*") else tuple(ledgers)


def nearest_ledger(ledgers: Iterable[str], id_: str) -> str:
    """The ledger that a new row goes to: the one whose project the test lies in, else the first.

    A ledger stands in the tests folder of its project.
    """
    ledgers = tuple(ledgers)
    shared = {ledger: _shared(ledger, id_.partition("::")[0]) for ledger in ledgers}
    return max(ledgers, key=lambda ledger: shared[ledger])


def _shared(ledger: str, file: str) -> int:
    """How many leading folders two paths share."""
    one, two = ledger.split("/")[:-1], file.split("/")[:-1]
    count = 0
    while count < min(len(one), len(two)) and one[count] == two[count]:
        count += 1
    return count


def _project(path: str, paths: frozenset[str]) -> str:
    """The nearest folder above a path that holds a project; empty for the root."""
    folder = path.rpartition("/")[0]
    while folder and not any(f"{folder}/{name}" in paths for name in _PROJECT):
        folder = folder.rpartition("/")[0]
    return folder


def _home(folder: str, tests: set[str]) -> str:
    inside = sorted(name for name in tests if name.startswith(f"{folder}/"))
    return inside[0] if inside else f"{folder}/tests/"
