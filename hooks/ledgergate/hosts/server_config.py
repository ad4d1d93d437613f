"""The server's own configuration, which lies beside its hook: whose word counts there, and what is asked for."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ledgergate.errors import LedgergateError
from ledgergate.policy import fields
from ledgergate.policy.globs import compile_globs

NAME = "ledgergate-server.toml"
USUAL_SECONDS = 4.5
_VERSION = 1
_LONGEST_SECONDS = 3600.0


CALLED_BY_GIT = (
    "Whoever runs this server: git itself has to call the hook, with its standard input or its arguments as they are; "
    "`ledgergate install --server` writes it so."
)


class ServerConfig(NamedTuple):
    """What a server says beside the policy.

    `signers` is the text of its own list, None where the default branch's holds. `require` is whether there has to be a
    policy, on the default branch and on what a policy protects that says nothing, or the patterns of the refs on which
    there has to be one; those are protected whatever a policy says. `deadline_s` is the time for judging, in seconds.
    """

    signers: bytes | None = None
    require: bool | tuple[str, ...] = True
    deadline_s: float = USUAL_SECONDS
    deletable_refs: tuple[str, ...] = ()

    def requires(self, ref: str) -> bool:
        """Whether a pattern of `require` names the ref."""
        return not isinstance(self.require, bool) and _fits(self.require, ref)

    def may_delete(self, ref: str) -> bool:
        """Whether the ref may be deleted though it is protected."""
        return _fits(self.deletable_refs, ref)


def _fits(patterns: Sequence[str], ref: str) -> bool:
    return compile_globs(patterns, anchored=True, folded=True)(ref)


def read_server_config(path: Path) -> ServerConfig:
    """The configuration in a file. Raises `LedgergateError("policy-unreadable")`, which names every problem."""
    try:
        document = fields.toml(_read(path))
    except (OSError, fields.FieldError) as error:
        raise _unreadable(path, [str(error)]) from error
    problems: list[str] = []
    values = _values(document, problems)
    signers = values.get("signers")
    if isinstance(signers, str):
        values["signers"] = _read_signers(path.parent / signers, problems)
    if problems:
        raise _unreadable(path, problems)
    return ServerConfig(**values)


def _read(path: Path) -> bytes:
    """The bytes of a file; `OSError` for what is none: a pipe that nobody writes to would be waited for."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    with os.fdopen(descriptor, "rb") as stream:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "it is no regular file", str(path))
        return stream.read()


def _values(document: dict[str, Any], problems: list[str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    if document.get("version") != _VERSION or isinstance(document.get("version"), bool):
        problems.append(f"version: must be there, and {_VERSION}")
    for key, value in document.items():
        if key in _KINDS:
            try:
                values[key] = _KINDS[key](value)
            except ValueError as error:
                problems.append(f"{key}: {error}")
        elif key != "version":
            problems.append(f"{key}: unknown key{fields.nearest(key, ('version', *_KINDS))}")
    return values


def _required(value: object) -> object:
    return value if isinstance(value, bool) else _PATTERNS(value)


def _seconds(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise fields.FieldError("must be a number of seconds")
    if not 0 < value <= _LONGEST_SECONDS:
        raise fields.FieldError(f"must be more than 0 and at most {_LONGEST_SECONDS:.0f} seconds")
    return float(value)


_PATTERNS = fields.texts(fields.ref_pattern)
_KINDS: dict[str, fields.Kind] = {
    "signers": fields.filled,
    "require": _required,
    "deadline_s": _seconds,
    "deletable_refs": _PATTERNS,
}


def _read_signers(path: Path, problems: list[str]) -> bytes | None:
    from ledgergate.vouch.acks.signers import read_signers

    try:
        data = _read(path)
        read_signers(str(path), data)
    except OSError as error:
        problems.append(f"signers: {error}")
    except LedgergateError as error:
        problems.append(f"signers: {path}: {error.message}")
    else:
        return data
    return None


def _unreadable(path: Path, problems: list[str]) -> LedgergateError:
    return LedgergateError(
        "policy-unreadable",
        f"the server's configuration cannot be used, so nothing is accepted: {'; '.join(problems)}",
        remedy="Whoever looks after the server: mend the file, or move it away and let `ledgergate install --server "
        "REPOSITORY` write a new one, as after a move of the repository.",
        path=str(path),
    )
