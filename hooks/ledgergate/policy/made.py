"""New files that make would take for a target that runs tests: it would be up to date, and nothing would run."""

from __future__ import annotations

from fnmatch import fnmatchcase
from itertools import accumulate
from typing import Any, Protocol

from ledgergate.policy.task_files import made_targets

_MAKEFILES = ("GNUmakefile", "makefile", "Makefile")


class Tree(Protocol):
    """The part of a snapshot that this takes."""

    def names(self, folder: str, /) -> tuple[str, ...]: ...

    def entry(self, path: str, /) -> Any: ...

    def read_entry(self, entry: Any, /) -> bytes: ...


def taken_for_made(base: Tree, path: str) -> str | None:
    """The target that a new path, or a folder that is new with it, would be taken for, in a few words; None: none.

    What has been there before is the project's own: make has not run for it all along.
    """
    folders = path.split("/")
    for depth in range(len(folders)):
        folder = "/".join(folders[:depth])
        names = base.names(folder)
        found = next((name for name in _MAKEFILES if name in names), None)
        below = tuple(accumulate(folders[depth:], "{}/{}".format))
        if found is not None and (target := _target(base, f"{folder}/{found}".lstrip("/"), folder, below)):
            return f"make would take it for the target {target}, and run no tests"
        if folders[depth] not in names:
            # Nothing below it was there.
            break
    return None


def _target(base: Tree, makefile: str, folder: str, below: tuple[str, ...]) -> str | None:
    entry = base.entry(makefile)
    if entry is None or not entry.is_file:
        return None
    made = made_targets(base.read_entry(entry).decode("utf-8", "replace"))
    new = [name for name in below if base.entry(f"{folder}/{name}".lstrip("/")) is None]
    new = [name for name in new if not base.names(f"{folder}/{name}".lstrip("/"))]
    if made.is_elsewhere:
        new += [name.rpartition("/")[2] for name in new]
    return next((name for name in new if any(fnmatchcase(name, target) for target in made.targets)), None)
