"""What a repository holds before it is under guard."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from ledgergate.adopt.amber import ENDING, amber_tests
from ledgergate.adopt.collect import Collection, Item
from ledgergate.adopt.goldens import may_be_data
from ledgergate.adopt.layout import Layout
from ledgergate.adopt.readers import Read, Readers, is_external
from ledgergate.adopt.suites import Suite
from ledgergate.git import Snapshot


class Found(NamedTuple):
    """Layout, suites and tests; `named` gives for a path the tests whose sources, or it itself, say that they read it.

    `read` gives the stored bytes of a path, or None where it is no regular file.
    """

    paths: tuple[str, ...]
    read: Read
    layout: Layout
    suites: tuple[Suite, ...]
    collection: Collection
    readers: Readers
    named: Mapping[str, tuple[str, ...]]


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
    paths: Sequence[str], in_tests: Callable[[str], bool], items: Sequence[Item], readers: Readers, read: Read
) -> dict[str, tuple[str, ...]]:
    """The files that tests name, each with the ids that read it (without parameters where the source says it)."""
    named = readers.files(items, data_files(paths, in_tests))
    ids = [item.id for item in items]
    for path in paths:
        if path.endswith(ENDING) and (tests := amber_tests(path, read(path) or b"", ids)):
            named[path] = tests
    return named
