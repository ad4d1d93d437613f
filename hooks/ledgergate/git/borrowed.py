"""Where git borrows objects from, as its environment or a file says: a receiving hook the repository's own ones."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping

VARIABLE = "GIT_ALTERNATE_OBJECT_DIRECTORIES"
_QUOTED = re.compile(rb'"((?:[^"\\]|\\(?:[0-3][0-7]{2}|[abfnrtv"\\]))*)"')
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)
_LETTERS = dict(zip(b"abfnrtv", b"\a\b\f\n\r\t\v", strict=True))


def borrowed_folders(env: Mapping[str, str]) -> tuple[str, ...]:
    """The folders of objects that the environment names. A path in quotes is written as git quotes it."""
    return tuple(os.fsdecode(path) for path in _split(os.fsencode(env.get(VARIABLE, ""))) if path)


def folders_in_file(data: bytes) -> Iterator[tuple[str, bool]]:
    """The folders that an `info/alternates` names, each with whether it is quoted, which libgit2 does not read."""
    for line in data.split(b"\n"):
        quoted = _QUOTED.match(line)
        if quoted is not None:
            yield os.fsdecode(_ESCAPE.sub(_unescaped, quoted[1])), True
            # What follows the quotes is an entry of its own to git, but for one character.
            line = line[quoted.end() + 1 :]
        if line and not line.startswith(b"#"):
            yield os.fsdecode(line), False


def is_quoted(env: Mapping[str, str]) -> bool:
    """Whether the environment names them in a way that libgit2 does not read."""
    return '"' in env.get(VARIABLE, "")


def _split(value: bytes) -> Iterator[bytes]:
    while value:
        quoted = _QUOTED.match(value)
        if quoted is not None and value[quoted.end() : quoted.end() + 1] in (b"", b":"):
            yield _ESCAPE.sub(_unescaped, quoted[1])
            value = value[quoted.end() + 1 :]
        else:
            path, _, value = value.partition(os.fsencode(os.pathsep))
            yield path


def _unescaped(found: re.Match[bytes]) -> bytes:
    what = found[1]
    return bytes([int(what, 8) if len(what) == 3 else _LETTERS.get(what[0], what[0])])
