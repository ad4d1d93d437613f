"""The working tree, as git would store it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from ledgergate.errors import LedgergateError
from ledgergate.git.repository import Repository
from ledgergate.git.snapshot import Snapshot
from ledgergate.git.sources import index_snapshot, written_tree

# Short enough for any command line.
_FOLDERS_AT_ONCE = 200


def work_tree_snapshot(repository: Repository, paths: Iterable[str]) -> Snapshot:
    """What git would commit, were these files and folders of the working tree staged as they are now.

    Line ends, filters and encodings are those that git applies, and what it ignores in a folder is left out; of all
    other paths the tree has what is staged. The user's index stays as it is. Raises `UsageError` without a working
    tree, and `LedgergateError` where git cannot store it.
    """
    tree = _WorkTree(os.fsencode(repository.workdir) + b"/", index_snapshot(repository))
    single: dict[str, None] = {}
    folders: dict[str, None] = {}
    for path in dict.fromkeys(path.rstrip("/") for path in paths):
        barrier = tree.barrier(path.rpartition("/")[0])
        single.update(dict.fromkeys((barrier,) if barrier else tree.staged_below(path)))
        if barrier is None:
            (folders if tree.is_folder(path) else single)[path] = None
    refreshed = chain(single, untracked_files(repository, folders))
    return written_tree(repository, b"".join(_encode(path) + b"\0" for path in refreshed))


def untracked_files(repository: Repository, folders: Iterable[str]) -> Iterator[str]:
    """The files below the folders that git neither knows nor ignores; a repository within is none."""
    remaining = iter(folders)
    while some := list(islice(remaining, _FOLDERS_AT_ONCE)):
        yield from (path for path in _list_files(repository, ("--others",), some) if not path.endswith("/"))


def ignored_paths(repository: Repository, paths: Iterable[str]) -> frozenset[str]:
    """Those of the paths that git adds only when it is forced to."""
    done = repository.git("check-ignore", "-z", "--stdin", stdin=b"".join(_encode(path) + b"\0" for path in paths))
    if done.status > 1:
        raise LedgergateError("git-unreadable", f"git cannot tell which files it ignores: {done.stderr}")
    return frozenset(done.stdout.decode("utf-8", "surrogateescape").split("\0")[:-1])


def work_tree_files(repository: Repository, folder: str) -> list[str]:
    """The files below a folder (all, for the empty path) that git knows or would add; one of them may be gone."""
    return _list_files(repository, ("--cached", "--others"), [folder] if folder else [])


def _list_files(repository: Repository, which: Sequence[str], folders: Sequence[str]) -> list[str]:
    done = repository.git(
        "ls-files", "-z", *which, "--exclude-standard", "--", *folders, env={"GIT_LITERAL_PATHSPECS": "1"}
    )
    if done.status != 0:
        raise LedgergateError("git-unreadable", f"git cannot list the files of the working tree: {done.stderr}")
    return done.stdout.decode("utf-8", "surrogateescape").split("\0")[:-1]


class _WorkTree:
    """What is where in the working tree, and in the index."""

    def __init__(self, root: bytes, staged: Snapshot) -> None:
        self._root = root
        self._staged = staged
        self._barriers: dict[str, str | None] = {"": None}

    def staged_below(self, path: str) -> Iterator[str]:
        return (below for below, _ in self._staged.files(path))

    def is_folder(self, path: str) -> bool:
        return stat.S_ISDIR(self._type(path))

    def barrier(self, folder: str) -> str | None:
        """The first link or submodule on the way to a folder: git stores that, and nothing beyond it."""
        unknown, known = [], folder
        while known not in self._barriers:
            unknown.append(known)
            known = known.rpartition("/")[0]
        for each in reversed(unknown):
            self._barriers[each] = self._barriers[known] or (each if self._is_barrier(each) else None)
            known = each
        return self._barriers[folder]

    def _is_barrier(self, folder: str) -> bool:
        entry = self._staged.entry(folder)
        return stat.S_ISLNK(self._type(folder)) or (entry is not None and entry.is_submodule)

    def _type(self, path: str) -> int:
        """The mode of what is there; 0 for nothing."""
        try:
            return os.lstat(self._root + _encode(path)).st_mode
        except (FileNotFoundError, NotADirectoryError):
            return 0
        except OSError as error:
            raise LedgergateError("git-unreadable", f"it cannot be looked at: {error.strerror}", path=path) from error


def _encode(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")
