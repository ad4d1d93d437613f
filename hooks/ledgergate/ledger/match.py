"""Which test reads a golden, as far as the ids of the suite tell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

_SNAPSHOT_FOLDERS = frozenset(
    {
        "__snapshots__",
        "snapshots",
        "snapshot",
        "__image_snapshots__",
        "__inline_snapshot__",
        "approved",
        "approved_files",
    }
)
# Of an id with more parts between its brackets only the whole is looked at.
_MOST_PARTS = 8
_COMMON_PARAMETERS = frozenset({"true", "false", "none", "null"})

NO_TEST = "no test id names it"


class Match(NamedTuple):
    """The ids of the tests that read a golden; without any, `doubt` says why none could be told."""

    ids: tuple[str, ...]
    doubt: str | None = None


class Matcher:
    """Finds the tests of goldens among the ids of a suite."""

    def __init__(
        self, ids: Iterable[str], goldens: Iterable[str], named: Mapping[str, tuple[str, ...]] | None = None
    ) -> None:
        """`goldens` are the paths that will be asked for; `named` gives for a path the ids whose sources name it."""
        self._named = named or {}
        self._by_file: dict[str, list[str]] = {}
        for id_ in ids:
            self._by_file.setdefault(id_.partition("::")[0], []).append(id_)
        self._by_name: dict[str, dict[str, list[str]]] = {}
        self._by_parameter = self._index_parameters({name for path in goldens for name in _names(path)})

    def match(self, golden: str) -> Match:
        """The tests of one golden: those of its own file, the one that its path spells, or that has it as parameter."""
        for file in (golden, without_ending(golden)):
            own = tuple(filter(is_its_file, self._by_file.get(file, ())))
            if own:
                return Match(own)
        for candidates in (self._spelled(golden), self._with_parameter(golden)):
            if len(candidates) == 1:
                return Match((candidates[0],))
            if candidates:
                named = self._named.get(golden, ())
                return Match(named, None if named else "several test ids name it")
        named = self._named.get(golden, ())
        return Match(named, None if named else NO_TEST)

    def is_spelled(self, golden: str) -> bool:
        """Whether the path spells one test, as pytest-regressions and snapshot plugins lay their files out."""
        return len(self._spelled(golden)) == 1

    def _spelled(self, golden: str) -> list[str]:
        """The tests that a path like `tests/test_mod/test_func.yml` spells, snapshot folders left out."""
        beside = self._beside(golden)
        if beside:
            return beside
        parts = [part for part in golden.split("/") if part not in _SNAPSHOT_FOLDERS]
        for depth in range(len(parts) - 1, 0, -1):
            module = "/".join(parts[:depth]) + ".py"
            if module in self._by_file:
                names = self._names_in(module)
                found = [names[name] for name in _spellings(parts[depth:]) if name in names]
                return found[0] if found else []
        return []

    def _beside(self, golden: str) -> list[str]:
        """The tests that a name like `test_mod.TestX.test_func.approved.txt` spells."""
        folder, slash, name = golden.rpartition("/")
        stem, _, rest = name.partition(".")
        folder = "/".join(part for part in folder.split("/") if part not in _SNAPSHOT_FOLDERS)
        module = f"{folder}{slash if folder else ''}{stem}.py"
        if module not in self._by_file or ".approved" not in rest:
            return []
        return self._names_in(module).get(_as_file_name(rest.partition(".approved")[0]), [])

    def _names_in(self, module: str) -> dict[str, list[str]]:
        if module not in self._by_name:
            names: dict[str, list[str]] = {}
            for id_ in self._by_file[module]:
                function, bracket, parameters = id_.partition("[")
                path = function.split("::")[1:]
                for name in {path[-1] if path else "", ".".join(path)}:
                    names.setdefault(_as_file_name(name + bracket + parameters), []).append(id_)
            self._by_name[module] = names
        return self._by_name[module]

    def _with_parameter(self, golden: str) -> list[str]:
        """The tests nearest to the golden that have its path, else its name, else its stem as a parameter."""
        for name in _names(golden):
            near = [(nearness(id_, golden), id_) for id_ in self._by_parameter.get(name, ())]
            nearest = max((distance for distance, _ in near), default=0)
            if nearest > 0:
                return [id_ for distance, id_ in near if distance == nearest]
        return []

    def _index_parameters(self, wanted: set[str]) -> dict[str, list[str]]:
        index: dict[str, list[str]] = {}
        for ids in self._by_file.values():
            for id_ in ids:
                for name in wanted.intersection(_parameters(id_)):
                    index.setdefault(name, []).append(id_)
        return index


def is_its_file(id_: str) -> bool:
    """Whether the test of an id is its file itself, as a collector of data files has it, and nothing defined in it.

    The doctests of a page of documentation are called like the page.
    """
    file, _, name = id_.partition("::")
    return not name or not (file.endswith(".py") or name == file.rpartition("/")[2])


def _names(path: str) -> list[str]:
    """What a parameter may call a file, the most exact first. A stem that any parameter could be is none."""
    name = path.rpartition("/")[2]
    stem = name.partition(".")[0] or name
    plain = [] if stem.isdigit() or len(stem) < 2 or stem.lower() in _COMMON_PARAMETERS else [stem]
    return list(dict.fromkeys((path, name, *plain)))


def _parameters(id_: str) -> Iterator[str]:
    """The text between an id's brackets, and every run of its parts: a value may hold the hyphens that join values."""
    _, bracket, rest = id_.partition("[")
    if not bracket:
        return
    text = rest.removesuffix("]")
    yield text
    parts = text.split("-")
    if 1 < len(parts) <= _MOST_PARTS:
        for start in range(len(parts)):
            for end in range(start + 1, len(parts) + 1):
                yield "-".join(parts[start:end])


def nearness(id_: str, golden: str) -> int:
    """How many folders, the repository's root included, a test's module shares with a golden; 0 for too far away.

    A module below the root that shares nothing but the root is no neighbour.
    """
    module, path = id_.partition("::")[0].split("/")[:-1], golden.split("/")[:-1]
    shared = 0
    while shared < min(len(module), len(path)) and module[shared] == path[shared]:
        shared += 1
    return shared + 1 if shared or not module or not path else 0


def _spellings(rest: list[str]) -> Iterator[str]:
    """The test names that the end of a path can mean, the longest first.

    They are `f.yml`, `f.1.raw`, `f/case.yml` (case being a parameter), `f/out.txt`.
    """
    if len(rest) == 1:
        stem = rest[0]
        while "." in stem[1:]:
            stem = stem.rpartition(".")[0]
            yield _as_file_name(stem)
        yield _as_file_name(stem)
    else:
        yield _as_file_name(f"{rest[0]}[{rest[1].rpartition('.')[0] or rest[1]}]")
        yield _as_file_name(rest[0])


def _as_file_name(test: str) -> str:
    return re.sub(r"\W", "_", test)


def without_ending(path: str) -> str:
    """The path less the last suffix of its name."""
    folder, slash, name = path.rpartition("/")
    return folder + slash + (name.rpartition(".")[0] or name)
