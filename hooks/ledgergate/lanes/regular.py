"""Regular files to read, and nothing that would be waited for."""

from __future__ import annotations

import errno
import stat
from collections.abc import Callable
from io import BufferedReader
from pathlib import Path

from ledgergate.errors import LedgergateError

_KINDS: dict[str, Callable[[int], bool]] = {
    "a folder": stat.S_ISDIR,
    "a pipe": stat.S_ISFIFO,
    "a socket": stat.S_ISSOCK,
    "a device": lambda mode: stat.S_ISCHR(mode) or stat.S_ISBLK(mode),
}


def open_regular(path: str) -> BufferedReader:
    """A file to read from; `OSError` for what is none: a pipe that nobody writes to would be waited for."""
    mode = Path(path).stat().st_mode
    if not stat.S_ISREG(mode):
        kind = next((name for name, fits in _KINDS.items() if fits(mode)), "no regular file")
        raise OSError(errno.EINVAL, f"it is {kind}", path)
    return Path(path).open("rb")


def read_regular(path: str, rule: str) -> bytes | None:
    """The bytes of a file, None where there is none; `LedgergateError` by this rule where it cannot be read."""
    try:
        with open_regular(path) as stream:
            return stream.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise LedgergateError(rule, f"it cannot be read: {error.strerror or error}", path=path) from error
