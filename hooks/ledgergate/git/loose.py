"""Object files of one object each. libgit2 (up to 1.9.7) reads for ever in one that was cut short."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path

from ledgergate.errors import LedgergateError
from ledgergate.git.borrowed import borrowed_folders, folders_in_file
from ledgergate.git.regular import regular_bytes

_DEPTH = 5
_STEP = 1 << 20


class LooseObjects:
    """The loose object files of a repository and of those that it borrows from, as libgit2 would look for them."""

    def __init__(self, folder: Path) -> None:
        """`folder` is where the repository itself keeps its objects."""
        self._folder = folder
        # Whoever writes an object while we read moves it to its place whole, so one look at a folder is enough.
        self._names = cache(self._names_of)

    def refuse_cut(self, oid: str) -> None:
        """Raises `LedgergateError` where the object has a file that ends too early. No file, or a packed one, is fine.

        Ask before libgit2 reads the object; what else is wrong with a file, libgit2 says.
        """
        for folder, names in self._names(oid[:2]):
            if oid[2:] in names:
                self._refuse_file(folder / oid[:2] / oid[2:], oid)

    def refuse_any_cut(self) -> None:
        """The same for every loose object that there is."""
        for folder in self._folders:
            for file in folder.glob("[0-9a-f][0-9a-f]/*"):
                self._refuse_file(file, file.parent.name + file.name)

    def _names_of(self, prefix: str) -> list[tuple[Path, frozenset[str]]]:
        """The folders that hold objects whose ids begin so, with the names of their files."""
        found = [(folder, _file_names(folder, prefix)) for folder in self._folders]
        return [(folder, names) for folder, names in found if names]

    @staticmethod
    def _refuse_file(file: Path, oid: str) -> None:
        if _is_cut(file):
            raise LedgergateError(
                "git-unreadable",
                f"object {oid} was cut short: its file {file} ends too early",
                remedy="Move that file away, and bring the object back: `git fetch --refetch` if the remote has it, "
                "`git hash-object -w PATH` if a file does. `git fsck` lists what is missing.",
            )

    @cached_property
    def _folders(self) -> tuple[Path, ...]:
        return tuple(dict.fromkeys(folder for folder, _ in self._found))

    @property
    def out_of_sight(self) -> tuple[Path, ...]:
        """Those of the folders that libgit2 does not come to by itself: they, or what leads there, stand in quotes."""
        seen = {folder for folder, is_hidden in self._found if not is_hidden}
        return tuple(dict.fromkeys(folder for folder, _ in self._found if folder not in seen))

    @cached_property
    def _found(self) -> tuple[tuple[Path, bool], ...]:
        starts = [self._folder, *map(Path, borrowed_folders(os.environ))]
        return tuple(found for start in starts for found in _with_alternates(start, _DEPTH))


def _with_alternates(folder: Path, depth: int, *, is_hidden: bool = False) -> Iterator[tuple[Path, bool]]:
    yield folder, is_hidden
    if not depth:
        return
    try:
        data = regular_bytes(folder / "info" / "alternates")
    except FileNotFoundError:
        return
    except OSError as error:
        raise LedgergateError("git-unreadable", f"cannot read from where git borrows objects: {error}") from error
    for path, is_quoted in folders_in_file(data):
        yield from _with_alternates(folder / path, depth - 1, is_hidden=is_hidden or is_quoted)


def _file_names(folder: Path, prefix: str) -> frozenset[str]:
    try:
        return frozenset(file.name for file in (folder / prefix).iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return frozenset()
    except OSError as error:
        raise LedgergateError("git-unreadable", f"cannot look through git's objects: {error}") from error


def _is_cut(file: Path) -> bool:
    try:
        data = regular_bytes(file)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise LedgergateError("git-unreadable", f"cannot read a file of git's objects: {error}") from error
    return _ends_early(data)


def _ends_early(data: bytes) -> bool:
    inflater = zlib.decompressobj()
    try:
        while not inflater.eof and data:
            inflater.decompress(data, _STEP)
            data = inflater.unconsumed_tail
    except zlib.error:
        return False
    return not inflater.eof
