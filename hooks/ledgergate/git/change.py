"""A change: two snapshots, the paths that differ, the commits between."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

from ledgergate.git.commits import Commit
from ledgergate.git.snapshot import Entry, Snapshot
from ledgergate.git.tree import FOLDER_MODE, Folder

Moment = Literal["staged", "range"]


class PathChange(NamedTuple):
    """A path that differs. `old` or `new` is None where the path does not exist on that side."""

    path: str
    old: Entry | None
    new: Entry | None


class MergeParent(NamedTuple):
    """A further parent of a merge in progress: its tree, and those of the points where it and HEAD went apart."""

    tip: Snapshot
    forks: tuple[Snapshot, ...]

    def brings(self, path: str, entry: Entry | None) -> bool:
        """Whether this parent came to have that entry, and did not merely keep it from before a fork."""
        return self.tip.entry(path) == entry and all(fork.entry(path) != entry for fork in self.forks)


class Begun(NamedTuple):
    """Where the branch began that is checked out, and the commits since then, newest first.

    `snapshot_of` gives a commit's tree, `overlaid` a tree with other entries at some paths.
    """

    start: Snapshot
    commits: tuple[Commit, ...]
    snapshot_of: Callable[[str | None], Snapshot]
    overlaid: Callable[[Snapshot, Mapping[str, Entry | None]], Snapshot]


def _nowhere() -> None:
    return None


@dataclass(frozen=True)
class Change:
    """What is judged.

    `others` are the further parents of a merge in progress: what one of them brings was not edited by this merge.
    `target` is the tip of the branch that the change is meant for (the base itself on a range). `find_default`
    gives that of the default branch, None where it is not known or has the change already. `find_begun` gives where the
    branch began on which something is staged, None where that is not known, or it has no commits of its own yet.
    `names` are revisions by which a person in a clone may call both ends of a range, None where it is none.
    `rules` is the tree whose policy judges where that is not base's.
    `list_commits` gives the commits between base and head, newest first, `touching` those that touched each of some
    paths (`git.history.History`); `snapshot_of` a commit's tree by its id (the empty tree for None), `merge_bases` the
    best common ancestors of two commits. They are only called where something of a human's differs.
    """

    moment: Moment
    base: Snapshot
    head: Snapshot
    target: Snapshot
    others: tuple[MergeParent, ...] = ()
    find_default: Callable[[], Snapshot | None] = field(default=_nowhere)
    find_begun: Callable[[], Begun | None] = field(default=_nowhere)
    rules: Snapshot | None = None
    names: tuple[str, str] | None = None
    list_commits: Callable[[], tuple[Commit, ...]] = field(default=tuple)
    touching: Callable[[Iterable[str]], Mapping[str, tuple[Commit, ...]]] | None = None
    snapshot_of: Callable[[str | None], Snapshot] | None = None
    merge_bases: Callable[[str, str], tuple[str, ...]] | None = None

    @cached_property
    def paths(self) -> tuple[PathChange, ...]:
        """Every path whose entry differs between base and head, in walking order."""
        return tuple(differing_paths(self.base, self.head))

    @cached_property
    def edits(self) -> tuple[PathChange, ...]:
        """`paths` without what one of a merge's other parents brings."""
        if not self.others:
            return self.paths
        return tuple(c for c in self.paths if not any(other.brings(c.path, c.new) for other in self.others))

    @cached_property
    def by_path(self) -> Mapping[str, PathChange]:
        return {change.path: change for change in self.paths}

    @cached_property
    def default(self) -> Snapshot | None:
        """The default branch's tip, as `find_default` gives it."""
        return self.find_default()

    @cached_property
    def commits(self) -> tuple[Commit, ...]:
        return self.list_commits()


def differing_paths(old: Snapshot, new: Snapshot) -> Iterator[PathChange]:
    """Walk two trees side by side, past every subtree that both share. A rename is a removal and an addition."""
    if old.id != new.id:
        yield from _differing(new, old.root, new.root)


def look_into_differing(old: Snapshot, new: Snapshot) -> None:
    """Read every folder that `differing_paths` would; `LedgergateError` for one that cannot be."""
    pending = [("", old.root, new.root)] if old.id != new.id else []
    while pending:
        prefix, before, after = pending.pop()
        differing = before.items() ^ after.items()
        for name in {name for name, (mode, _) in differing if mode == FOLDER_MODE}:
            path = prefix + name.decode("utf-8", "surrogateescape")
            was, now = _as_folder(new, before.get(name), path), _as_folder(new, after.get(name), path)
            pending.append((f"{path}/", was, now))


def _differing(reader: Snapshot, before: Folder, after: Folder) -> Iterator[PathChange]:
    """In the order of a walk. Folders may lie deeper in each other than calls of Python may."""
    waiting = [("", before, after, _differing_names(before, after))]
    while waiting:
        prefix, before, after, names = waiting[-1]
        name = next(names, None)
        if name is None:
            waiting.pop()
            continue
        was, now = before.get(name), after.get(name)
        path = prefix + name.decode("utf-8", "surrogateescape")
        was_entry, now_entry = _as_entry(was), _as_entry(now)
        if was_entry != now_entry:
            yield PathChange(path, was_entry, now_entry)
        inner, new_inner = _as_folder(reader, was, path), _as_folder(reader, now, path)
        if inner or new_inner:
            waiting.append((f"{path}/", inner, new_inner, _differing_names(inner, new_inner)))


def _differing_names(before: Folder, after: Folder) -> Iterator[bytes]:
    return iter(sorted({name for name, _ in before.items() ^ after.items()}))


def _as_folder(reader: Snapshot, found: tuple[bytes, bytes] | None, path: str) -> Folder:
    return reader.folder(found[1], path) if found is not None and found[0] == FOLDER_MODE else {}


def _as_entry(found: tuple[bytes, bytes] | None) -> Entry | None:
    return None if found is None or found[0] == FOLDER_MODE else Entry.of(*found)
