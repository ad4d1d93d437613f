"""The artifacts of rows on the disk while their tests run: the bytes that they promise, and nobody writes to them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from ledgergate.errors import LedgergateError
from ledgergate.ledger import Row, split_artifact
from ledgergate.ledger.lfs import looks_like_pointer
from ledgergate.values import display_path

# What tells that a file was written: inode, size, and the times of its last write and of its last change of any kind.
# Of a folder, all of it for each file.
_Stamp = tuple[int, int, int, int] | tuple[tuple[str, object], ...] | None
_AT_ONCE = 1 << 16
_WRITTEN = "it was written while the tests ran"


class Difference(NamedTuple):
    """An artifact that was not, or did not stay, what its row promises; `case` is the test that it belongs to."""

    case: str
    path: str
    message: str


class Watch:
    """Looks at the artifacts of the rows of one run, in the process that runs their tests."""

    def __init__(self, root: Path, rows: Iterable[Row]) -> None:
        """Called before any test is collected: what is written to an artifact after that was written by the run."""
        self._root = root
        self._prefix = f"{root}{os.sep}"
        self._first: dict[str, _Stamp] = {}
        self._good: set[tuple[str, str]] = set()
        self._cases: dict[str, list[str]] = {}
        for row in rows:
            if row.class_ == "locked_fixture":
                for path in row.pinned_paths:
                    if path not in self._first:
                        self._first[path] = self._stamp(path)

    def before(self, case: str, row: Row) -> list[tuple[str, str]]:
        """(path, message) of each artifact of a row that differs, just before its test is set up."""
        found = []
        for artifact, digest in zip(row.artifacts, row.digests, strict=False):
            path, names = split_artifact(artifact)
            self._cases.setdefault(path, []).append(case)
            message = self._problem(row, artifact, digest, path, is_test=bool(names))
            if message is not None:
                found.append((artifact, message))
        return found

    def after(self) -> Iterator[Difference]:
        """Which artifacts of the tests that ran were written since the beginning; what was put back counts as well."""
        for path, cases in self._cases.items():
            if self._stamp(path) != self._first.get(path):
                yield from (Difference(case, path, _WRITTEN) for case in dict.fromkeys(cases))

    def _problem(self, row: Row, artifact: str, digest: str, path: str, *, is_test: bool) -> str | None:
        # What was read once is not read again: whoever writes to it changes its times. Of a test's own source the lines
        # are compared elsewhere, and parsing them is slow.
        if is_test or (artifact, digest) in self._good:
            return None if self._stamp(path) == self._first.get(path) else _WRITTEN
        message = self._compare(row, artifact, digest)
        if message is None:
            self._good.add((artifact, digest))
        elif self._stamp(path) != self._first.get(path):
            return _WRITTEN
        return message

    def _compare(self, row: Row, artifact: str, digest: str) -> str | None:
        if artifact.endswith("/"):
            return _measure(self._root, row, artifact, digest)
        try:
            data = _read(self._prefix + artifact)
        except OSError:
            return _measure(self._root, row, artifact, digest)
        if f"sha256:{hashlib.sha256(data).hexdigest()}" == digest:
            return None
        return _why(data, digest)

    def _stamp(self, path: str) -> _Stamp:
        """None where nothing is there."""
        if path.endswith("/"):
            return tuple(sorted(_below(self._prefix + path)))
        return _stamp(self._prefix + path)


def _read(file: str) -> bytes:
    """The bytes of a file, by the quickest way there is: it stands before each test."""
    handle = os.open(file, os.O_RDONLY)
    try:
        # A file gives less than it is asked for at its end alone, so that most are read at once.
        data = os.read(handle, _AT_ONCE)
        if len(data) < _AT_ONCE:
            return data
        parts = [data]
        while part := os.read(handle, _AT_ONCE):
            parts.append(part)
        return b"".join(parts)
    finally:
        os.close(handle)


def _stamp(file: str) -> tuple[int, int, int, int] | None:
    try:
        found = os.stat(file)  # noqa: PTH116 - before each test
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _below(folder: str) -> Iterator[tuple[str, object]]:
    for place, _, names in os.walk(folder):
        for name in names:
            file = os.path.join(place, name)  # noqa: PTH118 - a folder may hold thousands
            yield file, _stamp(file)


def _why(data: bytes, digest: str) -> str:
    if looks_like_pointer(data):
        return "it is a Git LFS pointer, and not the real bytes: `git lfs pull` fetches them"
    for converted in (data.replace(b"\r\n", b"\n"), data.replace(b"\n", b"\r\n")):
        if f"sha256:{hashlib.sha256(converted).hexdigest()}" == digest:
            return "only its line ends differ: the checkout converts them (`-text` in .gitattributes prevents it)"
    return "its bytes are not those of its row"


def _measure(root: Path, row: Row, artifact: str, digest: str) -> str | None:
    from ledgergate.evidence.disk import DiskTree
    from ledgergate.ledger import measure

    try:
        measured = measure(DiskTree(root), artifact, lfs=False, allow_empty=row.allow_empty)
    except LedgergateError as error:
        return error.message
    if measured.digest == digest:
        return None
    return measured.message or f"{display_path(artifact)} does not hash to the digest of its row"
