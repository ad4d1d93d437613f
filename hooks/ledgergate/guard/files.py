"""The files of a change side by side, read once, and what stands around them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from ledgergate.guard.edits import Around, Edit, Side
from ledgergate.guard.reading import Bounded, Reading
from ledgergate.guard.suite import Definition, Origin, Suite, Test
from ledgergate.source.beside import read_source_beside
from ledgergate.source.syntax import Function
from ledgergate.source.text import Unreadable, read_source

Key = tuple[str, str, str]

_PASSED = frozenset({"_darcs", "build", "CVS", "dist", "node_modules", "venv", "{arch}"})
# A larger file is no test that anyone wrote by hand, and would take seconds.
MOST_BYTES = 1_000_000


def is_named_like_tests(path: str) -> bool:
    """Whether runners look for tests in a file of that name."""
    name = path.rpartition("/")[2]
    return name.endswith("_test.py") or (name.startswith("test") and name.endswith(".py"))


def is_in_passed_folder(path: str) -> bool:
    """Whether a file lies in a folder that runners do not enter, unless they are told otherwise."""
    return any(one in _PASSED or one.startswith(".") or one.endswith(".egg") for one in path.split("/")[:-1])


class File:
    """One edited file, both sides."""

    def __init__(self, edit: Edit, sides: Sides) -> None:
        self.path = edit.path
        self.name = edit.path.rpartition("/")[2]
        self.was = sides.suite("old", edit.path, edit.old)
        self.now = sides.suite("new", edit.path, edit.new)
        self.is_removed = edit.new is None
        self._sides = sides

    @property
    def old(self) -> Suite | None:
        return self.was if isinstance(self.was, Suite) else None

    @property
    def new(self) -> Suite | None:
        return self.now if isinstance(self.now, Suite) else None

    @property
    def is_conftest(self) -> bool:
        return self.name == "conftest.py"

    @property
    def is_named_like_tests(self) -> bool:
        return is_named_like_tests(self.path)

    @cached_property
    def old_tests(self) -> dict[str, Test]:
        return {one.name: one for one in self.old.tests if one.is_collected} if self.old is not None else {}

    @cached_property
    def new_tests(self) -> dict[str, Test]:
        """The tests that run: none in a new file whose name keeps it from being collected."""
        if self.new is None:
            return {}
        is_passed = is_in_passed_folder(self.path) or not self._sides.is_looked_into(self.path)
        if self.old is None and (not self.is_named_like_tests or is_passed):
            return {}
        found: dict[str, Test] = {}
        for one in self.new.tests:
            if one.is_collected:
                found[one.name] = one
        return found


class Sides:
    """Reads files and tests of both sides, each once."""

    def __init__(self, around: Around) -> None:
        self._around = around
        self._suites: dict[tuple[Side, str], Suite | Unreadable | None] = {}
        self._readings: dict[tuple[Side, int], Reading | None] = {}
        self._found: dict[tuple[Side, str, Origin], tuple[Suite, Definition] | None] = {}

    def is_looked_into(self, path: str) -> bool:
        """Whether the settings of the tests have runners look into a file."""
        return self._around.is_looked_into(path)

    def suite(self, side: Side, path: str, data: bytes | None) -> Suite | Unreadable | None:
        """A file of one side; None where there is none."""
        if (side, path) not in self._suites:
            found = None if data is None else _suite(path, data, self._suites.get(("old", path)))
            if isinstance(found, Suite):
                found.elsewhere = self._imported(side)
            self._suites[side, path] = found
        return self._suites[side, path]

    def reading(self, side: Side, suite: Suite, test: Test) -> Reading | None:
        """What a test asks; None where it is too much to read."""
        # Where an edit only adds tests, none is read.
        from ledgergate.guard.start import read_test

        key = (side, id(test.node))
        if key not in self._readings:
            try:
                self._readings[key] = read_test(suite, test, self._imported(side))
            except (Bounded, RecursionError):
                self._readings[key] = None
        return self._readings[key]

    def helper(
        self, side: Side, suite: Suite, function: Function, methods: Mapping[str, Function] | None = None
    ) -> Reading | None:
        """What a function asks that is no test, with the methods beside it; None where it is too much to read."""
        from ledgergate.guard.start import read_helper

        try:
            return read_helper(suite, function, self._imported(side), methods or {})
        except (Bounded, RecursionError):
            return None

    def is_of_tests(self, suite: Suite, origin: Origin) -> bool:
        """Whether a name comes from a file below the tests, on either side."""
        places = _places(suite.path, origin)
        return any(self._file(side, path) is not None for side in ("old", "new") for path in places)

    def _imported(self, side: Side) -> Callable[[Suite, Origin], tuple[Suite, Definition] | None]:
        def find(suite: Suite, origin: Origin) -> tuple[Suite, Definition] | None:
            key = (side, suite.path.rpartition("/")[0], origin)
            if key not in self._found:
                self._found[key] = self._find(side, suite, origin)
            return self._found[key]

        return find

    def _find(self, side: Side, suite: Suite, origin: Origin) -> tuple[Suite, Definition] | None:
        for path in _places(suite.path, origin):
            found = self._file(side, path)
            if isinstance(found, Suite):
                name = origin.name
                node = found.functions.get(name) or found.classes.get(name) or found.assigned.get(name)
                return None if node is None else (found, node)
        return None

    def _file(self, side: Side, path: str) -> Suite | Unreadable | None:
        if (side, path) not in self._suites:
            self.suite(side, path, self._around.read(side, path))
        return self._suites[side, path]


def _suite(path: str, data: bytes, other: Suite | Unreadable | None) -> Suite | Unreadable:
    """A file; it shares what it can with another version of it."""
    if len(data) > MOST_BYTES:
        return Unreadable(f"it is larger than {MOST_BYTES} bytes")
    source = read_source_beside(data, other.source) if isinstance(other, Suite) else read_source(data)
    return source if isinstance(source, Unreadable) else Suite(path, source)


def _places(path: str, origin: Origin) -> Sequence[str]:
    """Where the file of an imported module may lie."""
    folders = path.split("/")[:-1]
    parts = origin.module.split(".") if origin.module else []
    if origin.level:
        base = folders[: len(folders) - origin.level + 1]
        return ["/".join([*base, *parts]) + ".py", "/".join([*base, *parts, "__init__.py"])]
    found = ["/".join(parts) + ".py", "/".join([*folders, *parts]) + ".py"]
    return [*found, "/".join([*folders[:1], *parts]) + ".py"] if len(folders) > 1 else found
