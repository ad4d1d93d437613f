"""Pinned tests that leave all their checking to a helper of another file, which their row does not pin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from ledgergate.adopt.readers import Read
from ledgergate.ledger import Row, split_artifact
from ledgergate.source.lent import Lent, lent_checks
from ledgergate.values import display_text

_MOST_NAMED = 3


def leaning_lines(rows: Iterable[Row], read: Read) -> list[str]:
    """What to say of such rows: which helpers, how many tests rest on each, and the way out; empty for none."""
    helpers: Counter[str] = Counter()
    tests = 0
    for row in rows:
        found = frozenset(_unpinned(row, read))
        helpers.update(found)
        tests += bool(found)
    if not helpers:
        return []
    named = [f"{display_text(helper)} ({count:,})" for helper, count in helpers.most_common(_MOST_NAMED)]
    more = f" and {len(helpers) - _MOST_NAMED:,} more" if len(helpers) > _MOST_NAMED else ""
    how = "1 pinned test checks" if tests == 1 else f"{tests:,} pinned tests check"
    return [
        f"{how} only through helpers of other files, which no digest covers: {', '.join(named)}{more}.",
        "Name the helper as a further artifact of the row to pin it too; else who may edit it can weaken them unseen.",
    ]


def _unpinned(row: Row, read: Read) -> Iterator[str]:
    """The helpers, as artifacts would name them, that a test of the row rests on and the row does not name."""
    for artifact in row.artifacts if row.is_inline else ():
        path, names = split_artifact(artifact)
        data = read(path) if names and path.endswith(".py") else None
        for lent in lent_checks(data, names) if data is not None else ():
            file = _file_of(lent, path, read)
            if file is not None and not {file, helper := f"{file}::{lent.name}"} & set(row.artifacts):
                yield helper


def _file_of(lent: Lent, importer: str, read: Read) -> str | None:
    """The repository's file that a test file imports from; None for a library."""
    folders = importer.split("/")[:-1]
    module = [part for part in lent.module.split(".") if part]
    if lent.level:
        starts = [folders[: len(folders) - lent.level + 1]]
    else:
        starts = [folders[:depth] for depth in range(len(folders), -1, -1)]
    for start in starts:
        for ending in (".py", "/__init__.py"):
            path = "/".join([*start, *module]) + ending
            if read(path) is not None:
                return path
    return None
