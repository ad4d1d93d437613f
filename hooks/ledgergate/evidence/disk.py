"""The tested files as they lie on the disk, below one folder."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from ledgergate.errors import LedgergateError
from ledgergate.git import Entry
from ledgergate.values import display_path


class DiskTree:
    """A folder, read as a snapshot is: a link is a link, and nothing beyond one is seen."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._files: dict[str, Path] = {}

    def entry(self, path: str) -> Entry | None:
        """The file or link at exactly this path; None where there is nothing, or a folder."""
        mode = self._mode(path)
        if mode is None or stat.S_ISDIR(mode):
            return None
        file = self._at(path)
        oid = _blob_id(_read(file)) if stat.S_ISREG(mode) or stat.S_ISLNK(mode) else ""
        self._files[oid] = file
        return Entry(mode, oid)

    def is_folder(self, path: str) -> bool:
        mode = self._mode(path.rstrip("/"))
        return mode is not None and stat.S_ISDIR(mode)

    def names(self, folder: str) -> tuple[str, ...]:
        """The names that stand directly in a folder; none where it is no folder."""
        if not self.is_folder(folder):
            return ()
        try:
            found = [os.fsencode(file.name) for file in self._at(folder).iterdir()]
        except OSError as error:
            raise _unreadable(self._at(folder), error) from error
        return tuple(sorted(name.decode("utf-8", "surrogateescape") for name in found))

    def files(self, folder: str = "") -> Iterator[tuple[str, Entry]]:
        """Everything below a folder that is no folder, as (full path, entry), in the order of the path's bytes."""
        yield from sorted(self._walk(folder.rstrip("/")), key=lambda found: found[0].encode("utf-8", "surrogateescape"))

    def read_entry(self, entry: Entry) -> bytes:
        """The bytes of an entry that this tree gave; a link's are its target."""
        return _read(self._files[entry.oid])

    def _walk(self, folder: str) -> Iterator[tuple[str, Entry]]:
        # Folders may lie deeper in each other than calls of Python may.
        waiting = [folder]
        while waiting:
            folder = waiting.pop()
            for name in self.names(folder):
                path = f"{folder}/{name}" if folder else name
                entry = self.entry(path)
                if entry is None:
                    waiting.append(path)
                else:
                    yield path, entry

    def _mode(self, path: str) -> int | None:
        """The mode of what is at the path, None for nothing; what lies beyond a link is nothing."""
        try:
            parts = path.split("/")
            above = ["/".join(parts[:length]) for length in range(1, len(parts))]
            if not all(stat.S_ISDIR(os.lstat(self._at(folder)).st_mode) for folder in above):
                return None
            return os.lstat(self._at(path)).st_mode
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise _unreadable(self._at(path), error) from error

    def _at(self, path: str) -> Path:
        return self._root / os.fsdecode(path.encode("utf-8", "surrogateescape"))


def _read(file: Path) -> bytes:
    try:
        return os.fsencode(file.readlink()) if file.is_symlink() else file.read_bytes()
    except OSError as error:
        raise _unreadable(file, error) from error


def _blob_id(data: bytes) -> str:
    """The id that git gives to these bytes."""
    return hashlib.sha1(b"blob %d\0%b" % (len(data), data), usedforsecurity=False).hexdigest()


def _unreadable(file: Path, error: OSError) -> LedgergateError:
    message = f"{display_path(str(file))} cannot be read: {error.strerror or error}"
    return LedgergateError("report-unreadable", message)
