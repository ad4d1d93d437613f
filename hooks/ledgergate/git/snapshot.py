"""A git tree, read-only: the only thing that checks ever look at."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from typing import NamedTuple

from ledgergate.errors import LedgergateError
from ledgergate.git.objects import Objects
from ledgergate.git.tree import FOLDER_MODE, LINK_MODE, Folder
from ledgergate.values import display_path

_SUBMODULE = 0o160000
_EXECUTABLE = 0o100755
_EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


class Entry(NamedTuple):
    """What a tree holds at a path that is no folder: git's mode, and the object's hexadecimal id."""

    mode: int
    oid: str

    @classmethod
    def of(cls, mode: bytes, oid: bytes) -> Entry:
        """The entry with a mode as a tree writes it, and a binary id."""
        return cls(int(mode, 8), oid.hex())

    @property
    def is_file(self) -> bool:
        return stat.S_ISREG(self.mode)

    @property
    def is_program(self) -> bool:
        """Whether it is a file that may be executed."""
        return self.mode == _EXECUTABLE

    @property
    def is_link(self) -> bool:
        return stat.S_ISLNK(self.mode)

    @property
    def is_submodule(self) -> bool:
        return self.mode == _SUBMODULE


class Snapshot:
    """One tree of one repository. Equal ids are equal content."""

    def __init__(self, objects: Objects, tree: str | None) -> None:
        """`tree` is a tree's hexadecimal id, or None for the empty tree, which need not exist as an object."""
        self._objects = objects
        self._tree = tree
        self._folders: dict[str, Folder | None] = {}

    @property
    def id(self) -> str:
        """The tree's hexadecimal id; that of git's empty tree where there is nothing."""
        return self._tree or _EMPTY_TREE

    @property
    def root(self) -> Folder:
        """What stands directly in the tree."""
        return self._folder("") or {}

    def entry(self, path: str) -> Entry | None:
        """The file, link or submodule at exactly this path; None where there is nothing, or a folder."""
        found = self._find(path)
        return None if found is None or found[0] == FOLDER_MODE else Entry.of(*found)

    def is_folder(self, path: str) -> bool:
        return self._folder(path.rstrip("/")) is not None

    def names(self, folder: str) -> tuple[str, ...]:
        """The names that stand directly in a folder, sub-folders too; none where it is no folder."""
        return tuple(_text(name) for name in self._folder(folder.rstrip("/")) or ())

    def links(self, folder: str) -> tuple[str, ...]:
        """The names of the links that stand directly in a folder."""
        found = self._folder(folder.rstrip("/")) or {}
        return tuple(_text(name) for name, (mode, _) in found.items() if mode == LINK_MODE)

    def read(self, path: str) -> bytes:
        """The stored bytes of the file at `path`; `LedgergateError` where there is none."""
        entry = self.entry(path)
        if entry is None:
            raise LedgergateError("git-unreadable", f"{display_path(path)} is not in the tree {self.id}")
        return self.read_entry(entry)

    def read_entry(self, entry: Entry) -> bytes:
        """The stored bytes of a file or link (a link's are its target)."""
        return self._objects.blob(entry.oid)

    def files(self, folder: str = "") -> Iterator[tuple[str, Entry]]:
        """Every file, link and submodule below a folder as (full path, entry), in the order of the path's bytes."""
        top = folder.rstrip("/")
        found = self._folder(top)
        if found is not None:
            yield from self._walk(found, f"{top}/" if top else "")

    def folder(self, oid: bytes, path: str) -> Folder:
        """What stands directly in the tree with this binary id; `path` names it in the error."""
        return self._objects.folder(oid, path)

    def _walk(self, folder: Folder, prefix: str) -> Iterator[tuple[str, Entry]]:
        # Folders may lie deeper in each other than calls of Python may.
        waiting = [(prefix, iter(folder.items()))]
        while waiting:
            prefix, items = waiting[-1]
            for name, (mode, oid) in items:
                path = prefix + _text(name)
                if mode == FOLDER_MODE:
                    waiting.append((f"{path}/", iter(self.folder(oid, path).items())))
                    break
                yield path, Entry.of(mode, oid)
            else:
                waiting.pop()

    def _find(self, path: str) -> tuple[bytes, bytes] | None:
        folder, _, name = path.rpartition("/")
        found = self._folder(folder)
        try:
            return None if found is None else found.get(name.encode("utf-8", "surrogateescape"))
        except UnicodeEncodeError:
            # No bytes make such a name.
            return None

    def _folder(self, path: str) -> Folder | None:
        unread, above = [], path
        while above not in self._folders:
            unread.append(above)
            if not above:
                break
            above = above.rpartition("/")[0]
        for each in reversed(unread):
            self._folders[each] = self._read_folder(each)
        return self._folders[path]

    def _read_folder(self, path: str) -> Folder | None:
        if not path:
            # git knows the tree that holds nothing whether it is stored or not.
            return {} if self._tree in (None, _EMPTY_TREE) else self.folder(bytes.fromhex(self._tree), path)
        found = self._find(path)
        return self.folder(found[1], path) if found is not None and found[0] == FOLDER_MODE else None


def _text(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape")
