"""The tests whose snapshots one file of syrupy holds."""

from __future__ import annotations

import re
from collections.abc import Iterable

ENDING = ".ambr"
_NAME = re.compile(rb"^# name: (.+?)\r?$", re.MULTILINE)


def amber_tests(path: str, data: bytes, ids: Iterable[str]) -> tuple[str, ...]:
    """Those of the ids of a suite that the file names: `folder/__snapshots__/test_mod.ambr` is of `folder/test_mod.py`.

    A snapshot is called like its test (`TestX.test_f[a]`), with a number or a name of its own behind that.
    """
    folder, _, name = path.rpartition("/")
    parent = folder.rpartition("/")[0]
    module = f"{parent}/{name}" if parent else name
    start = f"{module.removesuffix(ENDING)}.py::"
    known = {
        id_.removeprefix(start).replace("::", ".", id_.partition("[")[0].count("::") - 1): id_
        for id_ in ids
        if id_.startswith(start)
    }
    found: dict[str, None] = {}
    for snapshot in _NAME.findall(data):
        id_ = _test_of(snapshot.decode("utf-8", "replace"), known)
        if id_ is not None:
            found[id_] = None
    return tuple(found)


def _test_of(snapshot: str, known: dict[str, str]) -> str | None:
    """The longest test name that the snapshot's begins with, at its end or before `.` or `[`."""
    for end in range(len(snapshot), 0, -1):
        if (end == len(snapshot) or snapshot[end] in ".[") and snapshot[:end] in known:
            return known[snapshot[:end]]
    return None
