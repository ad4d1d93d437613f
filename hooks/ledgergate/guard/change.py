"""A change of tests as a whole: what of it the losses of one file are judged by."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from ledgergate.guard.edits import Around, LeftOut, Side
from ledgergate.guard.facts import Fact, without_match
from ledgergate.guard.files import File, Key, Sides
from ledgergate.guard.parts import is_autouse
from ledgergate.guard.suite import Suite, Test
from ledgergate.guard.touched import touched_tests
from ledgergate.source.syntax import last_name

# Of more tests that are new only so many are looked at for what old ones became.
MOST_CANDIDATES = 200
# A table of which as much is written is not the same by chance.
_TELLING_TABLE = 400
# Two tests are compared by so much of their text.
_MOST_TEXT = 2000


class Candidate(NamedTuple):
    """A test by what tells whether it is another one under another name."""

    suite: Suite
    test: Test
    keys: frozenset[Key]
    # Of its name.
    words: frozenset[str]
    # The tables that it is given, as far as they are not the same by chance.
    tables: frozenset[str]
    # The nearest test before it that both sides of its file have.
    place: str
    text: str
    # The text by what stands between spaces, and its beginning by characters.
    parts: Counter[str]
    letters: Counter[str]


class Change:
    """The edited files, both sides of each, and what stands around them."""

    def __init__(self, files: Sequence[File], sides: Sides, around: Around) -> None:
        self.files = files
        self.sides = sides
        self.around = around
        self._touched: dict[str, frozenset[str]] = {}
        self._places: dict[int, Mapping[str, str]] = {}

    @cached_property
    def added(self) -> list[tuple[Suite, Test]]:
        """The tests that no old one has the name of."""
        return [
            (file.new, test)
            for file in self.files
            if file.new is not None
            for name, test in file.new_tests.items()
            if name not in file.old_tests
        ]

    @cached_property
    def candidates(self) -> Sequence[Candidate]:
        """These, as far as they are looked at."""
        return [self.candidate("new", suite, test) for suite, test in self.added[:MOST_CANDIDATES]]

    @cached_property
    def candidates_by_body(self) -> Mapping[str, Candidate]:
        """The same by their bodies; the first of several counts."""
        return {one.suite.body(one.test.node): one for one in reversed(self.candidates)}

    def candidate(self, side: Side, suite: Suite, test: Test) -> Candidate:
        """What tells of a test of one side whether it is another one."""
        reading = self.sides.reading(side, suite, test)
        keys = frozenset() if reading is None else reading.keys
        words = frozenset(test.name.rpartition("::")[2].split("_")) - {"test"}
        text = suite.text(test.node)
        counts = Counter(text.split()), Counter(text[:_MOST_TEXT])
        return Candidate(suite, test, keys, words, _tables(test), self._place(suite, test), text, *counts)

    def _place(self, suite: Suite, test: Test) -> str:
        if id(suite) not in self._places:
            file = next(one for one in self.files if one.path == suite.path)
            found: dict[str, str] = {}
            last = ""
            for one in suite.tests:
                found.setdefault(one.name, last)
                if one.name in file.old_tests and one.name in file.new_tests:
                    last = one.name
            self._places[id(suite)] = found
        return self._places[id(suite)][test.name]

    @cached_property
    def added_facts(self) -> Sequence[Fact]:
        """What these ask, as far as they run."""
        readings = (self.sides.reading("new", suite, test) for suite, test in self.added[:MOST_CANDIDATES])
        return [fact for reading in readings if reading is not None and not reading.skips for fact in reading.facts]

    @cached_property
    def asked(self) -> frozenset[Key]:
        """The facts that tests ask which the change added or touched."""
        found: set[Key] = set()
        for file in self.files:
            if file.new is None:
                continue
            for name, test in file.new_tests.items():
                if file.old is None or name not in file.old_tests or name in self.touched_in(file):
                    reading = self.sides.reading("new", file.new, test)
                    if reading is not None and not reading.skips and not self.word_left_out(file.new, test):
                        before = self._before(file, name)
                        found |= reading.keys - before
                        found |= {one.key for one in map(without_match, reading.facts) if one is not None} - before
        return frozenset(found)

    def _before(self, file: File, name: str) -> frozenset[Key]:
        """What the test of that name asked already, so that it takes over nothing from another one."""
        if file.old is None or name not in file.old_tests:
            return frozenset()
        reading = self.sides.reading("old", file.old, file.old_tests[name])
        return frozenset() if reading is None else reading.keys

    def touched_in(self, file: File) -> frozenset[str]:
        """The names of its tests that the edit may have touched."""
        if file.path not in self._touched:
            both = file.old is not None and file.new is not None
            self._touched[file.path] = touched_tests(file.old, file.new) if both else frozenset()  # type: ignore[arg-type]
        return self._touched[file.path]

    @cached_property
    def unasked(self) -> frozenset[str]:
        """The fixtures of conftests of the change that run for all tests."""
        suites = (file.new for file in self.files if file.is_conftest and file.new is not None)
        return frozenset(name for suite in suites for name, node in suite.fixtures.items() if is_autouse(node))

    @cached_property
    def left_out(self) -> LeftOut:
        """What the settings of the tests leave out."""
        return self.around.left_out()

    @cached_property
    def vanished(self) -> frozenset[str]:
        """The words that went out of production."""
        return self.around.vanished()

    def word_left_out(self, suite: Suite, test: Test) -> str | None:
        """The word in the name of a test for which the settings leave it out."""
        if not self.left_out.words:
            return None
        from ledgergate.guard.left_out import word_left_out

        return word_left_out(suite, test, self.left_out.words)


def _tables(test: Test) -> frozenset[str]:
    marks = (one for one in test.node.decorator_list if last_name(one) == "parametrize")
    return frozenset(dumped for dumped in map(ast.dump, marks) if len(dumped) > _TELLING_TABLE)
