"""What a repository holds before it is under guard."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from ledgergate.adopt.amber import ENDING, amber_tests
from ledgergate.adopt.collect import Collection, Item, collect
from ledgergate.adopt.goldens import may_be_data
from ledgergate.adopt.layout import Layout, is_test_file
from ledgergate.adopt.readers import Read, Readers, is_external
from ledgergate.adopt.suites import Suite, find_suites
from ledgergate.adopt.worth import Worths
from ledgergate.git import Snapshot
from ledgergate.policy.globs import compile_globs


class Found(NamedTuple):
    """Layout, suites and tests; `named` gives for a path the tests whose sources, or it itself, say that they read it.

    `read` gives the stored bytes of a path, or None where it is no regular file.
    """

    paths: tuple[str, ...]
    read: Read
    layout: Layout
    suites: tuple[Suite, ...]
    collection: Collection
    named: Mapping[str, tuple[str, ...]]


class Look(NamedTuple):
    """Where to look: the repository's folder, the git paths in it, and what reads and takes apart its files."""

    root: Path
    paths: tuple[str, ...]
    read: Read
    layout: Layout
    readers: Readers
    worths: Worths

    def around(self, python: str | None) -> Found:
        """What there is; `python` is the interpreter to collect the suites with, None for not at all."""
        suites = find_suites(self.paths, self.layout.home, self.read)
        in_tests = compile_globs(self.layout.globs)
        data = data_files(self.paths, in_tests)
        collection = Collection(())
        if python is not None:
            starts = [(suite.start, suite.arguments) for suite in suites]
            meanwhile = partial(self._prepare, [p for p in self.paths if p.endswith(".py") and in_tests(p)], data)
            collection = collect(python, self.root, frozenset(self.paths), suites=starts, meanwhile=meanwhile)
        named = named_files(self.paths, data, collection.items, self.readers, self.read)
        return Found(self.paths, self.read, self.layout, suites, collection, named)

    def _prepare(self, sources: Sequence[str], data: Sequence[str]) -> None:
        """Do what can be done while pytest collects, which takes longer."""
        self.readers.prepare(sources, data)
        self.worths.prepare(filter(is_test_file, sources))


def reader_of(snapshot: Snapshot) -> Read:
    """Reads regular files of a snapshot, each once."""

    @cache
    def read(path: str) -> bytes | None:
        entry = snapshot.entry(path)
        return snapshot.read_entry(entry) if entry is not None and entry.is_file else None

    return read


def data_files(paths: Iterable[str], in_tests: Callable[[str], bool]) -> list[str]:
    """The files that a test could name as its data."""
    return [path for path in paths if (in_tests(path) or is_external(path)) and may_be_data(path)]


def named_files(
    paths: Iterable[str], data: Sequence[str], items: Sequence[Item], readers: Readers, read: Read
) -> dict[str, tuple[str, ...]]:
    """The files that tests name, each with the ids that read it (without parameters where the source says it).

    Of syrupy's files among the `paths` it is they that name tests; `data` are those that a test could name.
    """
    named = readers.files(items, data)
    ids = [item.id for item in items]
    for path in paths:
        if path.endswith(ENDING) and (tests := amber_tests(path, read(path) or b"", ids)):
            named[path] = tests
    return named
