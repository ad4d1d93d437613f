"""Regular files to read, and nothing that would be waited for."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from io import BufferedReader
from pathlib import Path

_KINDS: dict[str, Callable[[int], bool]] = {
    "a folder": stat.S_ISDIR,
    "a pipe": stat.S_ISFIFO,
    "a socket": stat.S_ISSOCK,
    "a device": lambda mode: stat.S_ISCHR(mode) or stat.S_ISBLK(mode),
}


def open_regular(path: str | Path) -> BufferedReader:
    """A file to read from; `OSError` for what is none: a pipe that nobody writes to would be waited for."""
    mode = os.stat(path).st_mode  # noqa: PTH116 - git's own path, as it is
    if not stat.S_ISREG(mode):
        kind = next((name for name, fits in _KINDS.items() if fits(mode)), "no regular file")
        error = IsADirectoryError if stat.S_ISDIR(mode) else OSError
        raise error(errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL, f"it is {kind}", str(path))
    return open(path, "rb")  # noqa: PTH123 - as above; the caller closes it


def regular_bytes(path: Path) -> bytes:
    """All of such a file."""
    with open_regular(path) as stream:
        return stream.read()
