"""What is found in one test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from ledgergate.guard.facts import Fact
from ledgergate.source.syntax import Function


class Bounded(Exception):  # noqa: N818 - no fault, but the end of what is looked at
    """A test is too large, or nested too deeply, to be read."""


class Doubt(str):
    """A reason why a check counts for nothing that the text alone does not settle."""

    __slots__ = ()


class Skip(NamedTuple):
    """A call that skips a test or expects it to fail, behind these conditions."""

    name: str
    conditions: tuple[str, ...]
    arguments: str
    line: int


class Patch(NamedTuple):
    """Something that a test puts in the place of something else: `target` as a dotted term."""

    target: str
    line: int


class Handler(NamedTuple):
    """What an `except` of a test catches, by the terms of its classes; `of` are the calls that it guards."""

    of: frozenset[str]
    classes: frozenset[str]
    line: int


class Deed(NamedTuple):
    """Something that a test does to an object, in its row of that number and behind `at` checks.

    `of` and `act` are terms. `name` is the variable, where another one was made in the same way.
    """

    of: str
    name: str
    act: str
    line: int
    text: str
    is_elsewhere: bool
    at: int
    row: int


class Reading:
    """What was found in one test, over all rows of its table."""

    def __init__(self) -> None:
        self.facts: list[Fact] = []
        self.acts: dict[str, int] = {}
        # Those of which nobody sees whether they fail, with the reason.
        self.unseen: dict[str, str] = {}
        # What is asked outside of loops over nobody knows what.
        self.surely: set[tuple[str, str, str]] = set()
        self.deeds: list[Deed] = []
        # For each row of the table, how many facts stand before it.
        self.starts: list[int] = []
        self.skips: list[Skip] = []
        # What is assumed of drawn values, with lines.
        self.assumed: dict[str, int] = {}
        self.patches: list[Patch] = []
        self.handlers: list[Handler] = []
        self.lost: dict[str, tuple[str, int]] = {}
        # The functions of the tests that were followed, by their names.
        self.helpers: set[str] = set()
        # Those that were not, by the paths of their files and their names.
        self.hidden: dict[tuple[str, str], Function] = {}

    # To be looked at when all is read.

    @cached_property
    def by_key(self) -> Mapping[tuple[str, str, str], Sequence[Fact]]:
        """The facts that ask the same, together."""
        found: dict[tuple[str, str, str], list[Fact]] = {}
        for fact in self.facts:
            found.setdefault(fact.key, []).append(fact)
        return found

    @cached_property
    def keys(self) -> frozenset[tuple[str, str, str]]:
        return frozenset(self.by_key)
