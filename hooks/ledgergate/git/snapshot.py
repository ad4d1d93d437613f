"""A git tree, read-only: the only thing that checks ever look at."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from typing import NamedTuple

import pygit2

from ledgergate.errors import LedgergateError
from ledgergate.git.loose import LooseObjects
from ledgergate.values import display_path

# What reading an object can raise: absent (KeyError), of another type or corrupt (GitError, ValueError), disk trouble.
READ_ERRORS = (KeyError, ValueError, TypeError, OSError, pygit2.GitError)


_FOLDER = 0o040000
_SUBMODULE = 0o160000
_EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


class Entry(NamedTuple):
    """What a tree holds at a path that is no folder: git's mode, and the object's hexadecimal id."""

    mode: int
    oid: str

    @property
    def is_file(self) -> bool:
        return stat.S_ISREG(self.mode)

    @property
    def is_link(self) -> bool:
        return stat.S_ISLNK(self.mode)

    @property
    def is_submodule(self) -> bool:
        return self.mode == _SUBMODULE


def unreadable(what: str, error: BaseException) -> LedgergateError:
    """The error for an object that git cannot give us: never "nothing there"."""
    detail = error.args[0] if isinstance(error, KeyError) and error.args else error
    return LedgergateError("git-unreadable", f"{what} cannot be read: {detail}")


class Snapshot:
    """One tree of one repository. Equal ids are equal content."""

    def __init__(self, repository: pygit2.Repository, loose: LooseObjects, tree: pygit2.Tree | None) -> None:
        """`tree` is None for the empty tree, which need not exist as an object."""
        self._repository = repository
        self._loose = loose
        self._tree = tree
        self._folders: dict[str, pygit2.Tree | None] = {"": tree}

    @property
    def id(self) -> str:
        """The tree's hexadecimal id; that of git's empty tree where there is nothing."""
        return _EMPTY_TREE if self._tree is None else str(self._tree.id)

    @property
    def tree(self) -> pygit2.Tree | None:
        return self._tree

    def entry(self, path: str) -> Entry | None:
        """The file, link or submodule at exactly this path; None where there is nothing, or a folder."""
        found = self._find(path)
        if found is None or found.filemode == _FOLDER:
            return None
        return Entry(found.filemode, str(found.id))

    def is_folder(self, path: str) -> bool:
        return self._folder(path.rstrip("/")) is not None

    def names(self, folder: str) -> tuple[str, ...]:
        """The names that stand directly in a folder, sub-folders too; none where it is no folder."""
        tree = self._folder(folder.rstrip("/"))
        if tree is None:
            return ()
        return tuple(_name(entry) for entry in self.entries(tree, folder))

    def read(self, path: str) -> bytes:
        """The stored bytes of the file at `path`; `LedgergateError` where there is none."""
        entry = self.entry(path)
        if entry is None:
            raise LedgergateError("git-unreadable", f"{display_path(path)} is not in the tree {self.id}")
        return self.read_entry(entry)

    def read_entry(self, entry: Entry) -> bytes:
        """The stored bytes of a file or link (a link's are its target)."""
        self._loose.refuse_cut(entry.oid)
        try:
            blob = self._repository[entry.oid]
            if isinstance(blob, pygit2.Blob):
                return blob.data
        except READ_ERRORS as error:
            raise unreadable(f"object {entry.oid}", error) from error
        raise LedgergateError("git-unreadable", f"object {entry.oid} is no file")

    def files(self, folder: str = "") -> Iterator[tuple[str, Entry]]:
        """Every file, link and submodule below a folder as (full path, entry), in the order of the path's bytes."""
        top = folder.rstrip("/")
        tree = self._folder(top)
        if tree is not None:
            yield from self._walk(tree, f"{top}/" if top else "")

    def entries(self, tree: pygit2.Tree, folder: str) -> list[pygit2.Object]:
        """What stands directly in a tree of this repository; `folder` names it in the error."""
        self._loose.refuse_cut(str(tree.id))
        try:
            entries = list(tree)
            if all(entry.raw_name is not None for entry in entries):
                return entries
        except READ_ERRORS as error:
            raise unreadable(f"folder {display_path(folder)}", error) from error
        raise unreadable(f"folder {display_path(folder)}", ValueError("a tree entry without a name"))

    def _walk(self, tree: pygit2.Tree, prefix: str) -> Iterator[tuple[str, Entry]]:
        for entry in self.entries(tree, prefix):
            path = prefix + _name(entry)
            if isinstance(entry, pygit2.Tree):
                yield from self._walk(entry, f"{path}/")
            else:
                yield path, Entry(entry.filemode, str(entry.id))

    def _find(self, path: str) -> pygit2.Object | None:
        folder, _, name = path.rpartition("/")
        tree = self._folder(folder)
        if tree is None or not name:
            return None
        try:
            # Bytes as text would go through the locale; the loop is exact for any name.
            if name.isascii():
                return tree[name] if name in tree else None  # noqa: SIM401 - a Tree has no get
            return next((entry for entry in tree if _name(entry) == name), None)
        except READ_ERRORS as error:
            raise unreadable(display_path(path), error) from error

    def _folder(self, path: str) -> pygit2.Tree | None:
        if path not in self._folders:
            found = self._find(path)
            folder = found if isinstance(found, pygit2.Tree) else None
            if folder is not None:
                self._loose.refuse_cut(str(folder.id))
            self._folders[path] = folder
        return self._folders[path]


def _name(entry: pygit2.Object) -> str:
    raw = entry.raw_name
    if raw is None:
        raise ValueError("a tree entry without a name")
    return raw.decode("utf-8", "surrogateescape")
