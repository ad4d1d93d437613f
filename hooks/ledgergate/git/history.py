"""The commits of a range, and which of them touched a path."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from ledgergate.git.commits import Commit
from ledgergate.git.objects import Objects
from ledgergate.git.tree import FOLDER_MODE, Folder


class Link(NamedTuple):
    """A commit by its id, with those of its tree and of its parents."""

    id: str
    tree: str
    parents: tuple[str, ...]


class History:
    """The commits between two tips. They are listed when they are first asked for, and once."""

    def __init__(self, objects: Objects, list_links: Callable[[], Iterable[Link]]) -> None:
        """`list_links` gives the commits, newest first."""
        self._objects = objects
        self._list = list_links

    @cached_property
    def _links(self) -> tuple[Link, ...]:
        return tuple(self._list())

    @cached_property
    def commits(self) -> tuple[Commit, ...]:
        return tuple(self._objects.commit(link.id) for link in self._links)

    def touching(self, paths: Iterable[str]) -> Mapping[str, tuple[Commit, ...]]:
        """For each path the commits in which it is not as in each of their parents, newest first.

        A path with a slash at its end stands for all that is below that folder, the empty one for everything. Of each
        commit only the folders on the way to these paths are read. Raises `LedgergateError` for one that cannot be.
        """
        asked = _Asked.of(paths)
        found: dict[str, list[Commit]] = {path: [] for path in asked.paths()}
        for link in self._links:
            if touched := self._touched(link, asked):
                commit = self._objects.commit(link.id)
                for path in touched:
                    found[path].append(commit)
        return {path: tuple(commits) for path, commits in found.items()}

    def _touched(self, commit: Link, asked: _Asked) -> frozenset[str]:
        tree = bytes.fromhex(commit.tree)
        parents = [bytes.fromhex(self._tree_of(parent)) for parent in commit.parents]
        return frozenset(path for parent in parents or (None,) for path in self._differing(parent, tree, asked))

    def _differing(self, old: bytes | None, new: bytes | None, asked: _Asked) -> Iterator[str]:
        """What of the asked-for paths differs between two trees, each given by its binary id.

        Folders may lie deeper in each other than calls of Python may.
        """
        waiting = [(old, new, asked, "")] if old != new else []
        while waiting:
            old, new, asked, prefix = waiting.pop()
            if asked.below is not None:
                yield asked.below
            if not asked.inner:
                continue
            before, after = self._folder(old, prefix), self._folder(new, prefix)
            differing = {name for name, _ in before.items() ^ after.items()}
            for name in differing & asked.inner.keys():
                inner, was, now = asked.inner[name], _folder_id(before.get(name)), _folder_id(after.get(name))
                if inner.path is not None:
                    yield inner.path
                if was != now:
                    waiting.append((was, now, inner, f"{prefix}{name.decode('utf-8', 'surrogateescape')}/"))

    def _folder(self, tree: bytes | None, path: str) -> Folder:
        return {} if tree is None else self._objects.folder(tree, path)

    def _tree_of(self, commit: str) -> str:
        return self._trees.get(commit) or self._objects.commit(commit).tree

    @cached_property
    def _trees(self) -> Mapping[str, str]:
        return {link.id: link.tree for link in self._links}


class _Asked:
    """The asked-for paths as a tree of names: `path` is one that ends here, `below` one that means all below here."""

    def __init__(self) -> None:
        self.path: str | None = None
        self.below: str | None = None
        self.inner: dict[bytes, _Asked] = {}

    @classmethod
    def of(cls, paths: Iterable[str]) -> _Asked:
        root = cls()
        for path in paths:
            folder, _, name = path.rpartition("/")
            node = root.at(folder)
            if name:
                node.at(name).path = path
            else:
                node.below = path
        return root

    def at(self, path: str) -> _Asked:
        node = self
        for name in path.split("/") if path else ():
            node = node.inner.setdefault(name.encode("utf-8", "surrogateescape"), _Asked())
        return node

    def paths(self) -> Iterator[str]:
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield from (path for path in (node.path, node.below) if path is not None)
            waiting.extend(node.inner.values())


def _folder_id(found: tuple[bytes, bytes] | None) -> bytes | None:
    return found[1] if found is not None and found[0] == FOLDER_MODE else None
