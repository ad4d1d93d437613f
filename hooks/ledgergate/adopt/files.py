"""Writing files: whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from ledgergate.errors import UsageError


def replace_file(path: Path, data: bytes, mode: int | None = None) -> None:
    """Put `data` in place of the file, in one step and with the mode that it had; the old file stays on any failure.

    `mode` is another one that it is to have. A link is followed, so that it stays one. Raises `OSError`.
    """
    import tempfile

    target = path.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if mode is None:
            mode = target.stat().st_mode & 0o7777 if target.exists() else 0o666 & ~_umask()
        Path(name).chmod(mode)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def replace_files(root: Path, files: Mapping[str, bytes], modes: Mapping[str, int] | None = None) -> None:
    """Write every file (path below `root` -> bytes), or put back what was before and raise `UsageError`.

    `modes` are those of files that are to have another than they have.
    """
    before = {path: _present(root / path) for path in files}
    written: list[str] = []
    try:
        for path, data in files.items():
            replace_file(root / path, data, (modes or {}).get(path))
            written.append(path)
    except BaseException as error:
        kept = _undo(root, before, written)
        if not isinstance(error, OSError):
            raise
        state = f"written all the same: {', '.join(kept)}" if kept else "nothing is changed"
        raise UsageError(f"{path} could not be written ({error}); {state}") from error


def _present(path: Path) -> tuple[bytes, int] | None:
    """The bytes and the mode of a file that is there."""
    return (path.read_bytes(), path.stat().st_mode & 0o7777) if path.exists() else None


def _undo(root: Path, before: Mapping[str, tuple[bytes, int] | None], written: list[str]) -> list[str]:
    """Put back what was there before; the paths where that failed."""
    failed: list[str] = []
    for path in written:
        found = before[path]
        try:
            if found is None:
                (root / path).unlink()
            else:
                replace_file(root / path, *found)
        except OSError:
            failed.append(path)
    return failed


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
