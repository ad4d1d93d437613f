"""Evidence, kept for each tree that was tested, in the git directory that all worktrees share."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from ledgergate.errors import LedgergateError
from ledgergate.git import Repository

_FOLDER = ("ledgergate", "evidence")
_REPORTS = "reports"
_PART = ".part-"
# Of how many trees evidence is kept, and after which time nobody still writes what was begun.
_MOST = 100
_DAY_S = 86_400


class EvidenceStore:
    """What runs of the lanes left, by the id of the tested tree. It is whole, or it is not there."""

    def __init__(self, repository: Repository) -> None:
        self._root = repository.common_dir.absolute().joinpath(*_FOLDER)

    def forget(self, tree: str) -> None:
        """Remove what is kept for a tree: a run of it that comes to no end leaves nothing.

        Raises `LedgergateError` where that is impossible.
        """
        try:
            if self._at(tree).exists():
                shutil.rmtree(self._at(tree))
        except OSError as error:
            raise _trouble("removed", error) from error

    def keep(self, tree: str, reports: Mapping[str, bytes], files: Mapping[str, bytes]) -> Path:
        """Keep the lane reports (by lane) and further files of a run, in place of what was there; where they are.

        Raises `LedgergateError` where that is impossible; then nothing is kept.
        """
        try:
            self._root.mkdir(parents=True, exist_ok=True)
            part = Path(tempfile.mkdtemp(dir=self._root, prefix=_PART))
        except OSError as error:
            raise _trouble("kept", error) from error
        try:
            (part / _REPORTS).mkdir()
            for lane, data in reports.items():
                _write(part / _REPORTS / f"{quote(lane, safe='')}.json", data)
            for name, data in files.items():
                _write(part / name, data)
            self.forget(tree)
            part.rename(self._at(tree))
            self._forget_old()
        except OSError as error:
            raise _trouble("kept", error) from error
        finally:
            shutil.rmtree(part, ignore_errors=True)
        return self._at(tree)

    def _forget_old(self) -> None:
        """Leave the newest, and what another run may be writing now."""
        for tree in self.trees()[_MOST:]:
            shutil.rmtree(self._at(tree), ignore_errors=True)
        for part in self._root.glob(f"{_PART}*"):
            # Another run may have moved it to its place meanwhile.
            with suppress(FileNotFoundError):
                if part.stat().st_mtime < time.time() - _DAY_S:
                    shutil.rmtree(part, ignore_errors=True)

    def trees(self) -> list[str]:
        """The trees with evidence, the newest first."""
        with suppress(FileNotFoundError):
            kept = [folder for folder in self._root.iterdir() if not folder.name.startswith(_PART)]
            kept.sort(key=lambda folder: (folder.stat().st_mtime, folder.name), reverse=True)
            return [folder.name for folder in kept]
        return []

    def reports(self, tree: str) -> dict[str, bytes]:
        """The lane reports of a tree by the names of their files; none where nothing is kept."""
        return dict(self._read(self._at(tree) / _REPORTS))

    def _read(self, folder: Path) -> Iterator[tuple[str, bytes]]:
        try:
            for file in sorted(folder.iterdir()) if folder.is_dir() else ():
                if file.is_symlink() or not file.is_file():
                    # A pipe that nobody writes to would be waited for.
                    message = "the evidence that is kept cannot be read: it is no regular file"
                    raise LedgergateError("report-unreadable", message, path=str(file))
                yield file.name, file.read_bytes()
        except OSError as error:
            message = f"the evidence that is kept cannot be read: {error.strerror or error}"
            raise LedgergateError("report-unreadable", message, path=str(folder)) from error

    def _at(self, tree: str) -> Path:
        return self._root / tree


def _trouble(what: str, error: OSError) -> LedgergateError:
    return LedgergateError("report-unreadable", f"evidence cannot be {what}: {error}")


def _write(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
