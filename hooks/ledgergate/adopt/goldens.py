"""Which tracked files are goldens, told from their names, their folders and what the suite collects."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from enum import IntEnum
from typing import NamedTuple

from ledgergate.adopt.layout import is_test_file, test_folder
from ledgergate.ledger.match import Matcher, is_its_file, without_ending


class Sureness(IntEnum):
    """How far a find can be trusted. What is only a guess is never taken unasked."""

    SURE = 1
    LIKELY = 2
    GUESS = 3


class Group(NamedTuple):
    """Goldens that were found for the same reasons below one folder (`home`, with its slash; empty for the root)."""

    home: str
    sureness: Sureness
    reasons: tuple[str, ...]
    paths: tuple[str, ...]


class _Find(NamedTuple):
    home: str
    sureness: Sureness
    reason: str


_SURE_FOLDERS = frozenset(
    {"golden", "goldens", "golden_files", "snapshots", "__snapshots__", "__image_snapshots__", "approved", "expected"}
)
# Plugins write these beside the code too; any other sign counts below the tests only.
_FOLDERS_ANYWHERE = frozenset({"__snapshots__", "__image_snapshots__", "__inline_snapshot__", ".inline-snapshot"})
_WORDS_OF_FOLDERS = frozenset(
    {"golden", "goldens", "expected", "snapshot", "snapshots", "approved", "baseline", "baselines"}
)
_SURE_ENDINGS = frozenset({"golden", "snap", "ambr"})
_LIKELY_ENDINGS = frozenset({"expected", "output", "raw"})
_NO_GOLDENS = re.compile(
    r"readme.*|licen[cs]e.*|\..*|__init__\.py|.*\.(?:received|obtained)\..*|.*\.(?:py[cod]|so)", re.IGNORECASE
)
_CODE = (".py", ".pyi", ".pyx", ".pxd", ".c", ".h", ".cpp", ".rs", ".go", ".js", ".ts", ".rb", ".sh")
_STEERING = frozenset({"pyproject.toml", "tox.ini", "setup.cfg", "pytest.ini", "makefile", "requirements.txt"})
_SMALLEST_FAMILY = 20


def find_goldens(
    paths: Collection[str],
    in_tests: Callable[[str], bool],
    ids: Iterable[str],
    named: Collection[str] = (),
) -> tuple[Group, ...]:
    """The goldens among the git paths of a repository's files, grouped by folder, in the order of folders.

    `in_tests` says whether a path is below the tests, `ids` are those that the suite collects, and `named` the paths
    that tests name in their sources.
    """
    ids = tuple(ids)
    collected = _collected_files(ids)
    candidates = [
        path for path in paths if path in collected.data or (path not in collected.modules and _may_be_golden(path))
    ]
    matcher = Matcher(ids, ())
    finds: dict[str, _Find] = {}
    for path in candidates:
        find = _look_at(path, in_tests(path), collected.data, matcher)
        if find is None and path in named and in_tests(path) and may_be_data(path):
            find = _Find(_home(path), Sureness.LIKELY, "named in the source of a test")
        if find is not None:
            finds[path] = find
    families = _families([path for path in candidates if path not in finds and in_tests(path)])
    return _grouped({**finds, **families})


def ending(name: str) -> str:
    """The part of a file's name that says it is a golden: `.approved.txt`, `.golden.json`, else its last suffix."""
    found = re.search(r"\.(?:approved|golden|expected)\..+$", name)
    return found[0] if found else "".join(name.rpartition(".")[1:]) if "." in name[1:] else ""


def may_be_data(path: str) -> bool:
    """Whether a file is, by its name, what a test could read and neither code nor what steers tests."""
    name = path.rpartition("/")[2]
    is_code = name.endswith(_CODE) or name.lower() in _STEERING
    return not is_code and "." in name[1:] and _may_be_golden(path)


class _Collected(NamedTuple):
    modules: frozenset[str]
    data: frozenset[str]


def _collected_files(ids: Iterable[str]) -> _Collected:
    """The files of the ids: those that define tests, and those that are tests themselves."""
    data = {id_.partition("::")[0] for id_ in ids if is_its_file(id_)}
    modules = {id_.partition("::")[0] for id_ in ids} - data
    return _Collected(frozenset(modules), frozenset(data))


def _may_be_golden(path: str) -> bool:
    return not is_test_file(path) and not _NO_GOLDENS.fullmatch(path.rpartition("/")[2])


def _look_at(path: str, in_tests: bool, collected: frozenset[str], matcher: Matcher) -> _Find | None:
    folder = _golden_folder(path)
    name = folder.rstrip("/").rpartition("/")[2].lower()
    suffixes = path.rpartition("/")[2].lower().split(".")[1:]
    if in_tests and path in collected:
        return _Find(_home(path), Sureness.SURE, "pytest collects them as tests")
    if in_tests and without_ending(path) in collected:
        return _Find(_home(path), Sureness.SURE, f"named like those, and *{ending(path)}")
    # Rust keeps its snapshots beside the code; elsewhere a .snap can be a package.
    is_snapshot = name == "snapshots" and suffixes[-1:] == ["snap"]
    if folder and (is_snapshot or name in _FOLDERS_ANYWHERE or (in_tests and name in _SURE_FOLDERS)):
        return _Find(folder, Sureness.SURE, f"in a folder called {name}")
    if reason := _sure_name(path, suffixes, in_tests):
        return _Find(_home(path), Sureness.SURE, reason)
    if not in_tests:
        return None
    if folder:
        return _Find(folder, Sureness.LIKELY, f"in a folder called {name}")
    if suffixes and suffixes[-1] in _LIKELY_ENDINGS:
        return _Find(_home(path), Sureness.LIKELY, f"named *{ending(path)}")
    if not path.endswith(".py") and matcher.is_spelled(path):
        return _Find(_home(path), Sureness.LIKELY, "folder and name are those of a test")
    return None


def _sure_name(path: str, suffixes: Sequence[str], in_tests: bool) -> str | None:
    """What of a file's name says for sure that it is a golden."""
    if "approved" in suffixes[:-1]:
        return "named *.approved.*"
    last = suffixes[-1] if suffixes else ""
    sure = last == "ambr" or (in_tests and (last in _SURE_ENDINGS or "golden" in suffixes[:-1]))
    return f"named *{ending(path)}" if sure else None


def _golden_folder(path: str) -> str:
    """The topmost folder above a path that is called like a place for goldens, with its slash."""
    parts = path.split("/")[:-1]
    for depth, part in enumerate(parts):
        if part.lower() in _SURE_FOLDERS or not _WORDS_OF_FOLDERS.isdisjoint(re.split(r"[_.\- ]", part.lower())):
            return "/".join(parts[: depth + 1]) + "/"
    return ""


def _home(path: str) -> str:
    """The folder that a golden is listed under: the first one below the tests, or that of the tests itself."""
    top = test_folder(path)
    below, slash, _ = path.removeprefix(top).partition("/")
    return f"{top}{below}{slash}" if slash else top


def _families(paths: Iterable[str]) -> dict[str, _Find]:
    """Files that are many of a kind in one folder of data, and could be goldens or mere inputs."""
    kinds: dict[tuple[str, str], list[str]] = {}
    for path in paths:
        if ending(path) not in ("", ".py"):
            kinds.setdefault((_home(path), ending(path)), []).append(path)
    return {
        path: _Find(home, Sureness.GUESS, f"{len(members)} files named *{suffix}, which may be goldens or inputs")
        for (home, suffix), members in kinds.items()
        if len(members) >= _SMALLEST_FAMILY
        for path in members
    }


def _grouped(finds: dict[str, _Find]) -> tuple[Group, ...]:
    groups: dict[tuple[str, bool], list[str]] = {}
    for path, find in finds.items():
        groups.setdefault((find.home, find.sureness is Sureness.GUESS), []).append(path)
    return tuple(
        Group(
            home,
            max(finds[path].sureness for path in paths),
            tuple(_reasons(finds[path] for path in paths)),
            tuple(paths),
        )
        for (home, _), paths in sorted(groups.items())
    )


def _reasons(finds: Iterable[_Find]) -> Iterator[str]:
    return iter(dict.fromkeys(find.reason for find in finds))
