"""Files that a person or a job names, to read."""

from __future__ import annotations

from ledgergate.errors import LedgergateError
from ledgergate.git.regular import open_regular


def read_regular(path: str, rule: str) -> bytes | None:
    """The bytes of a file, None where there is none; `LedgergateError` by this rule where it cannot be read."""
    try:
        with open_regular(path) as stream:
            return stream.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise LedgergateError(rule, f"it cannot be read: {error.strerror or error}", path=path) from error
