"""What a value in `ledgergate.toml` may be: one function a kind, value in, value out, `FieldError` with the reason."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ledgergate.policy.globs import check_glob
from ledgergate.values import path_problem

Kind = Callable[[object], object]

_ACCOUNT = re.compile(r"[a-z][a-z0-9.-]*:(?:0|[1-9][0-9]*)")
_TYPES = {bool: "a boolean", int: "a whole number", float: "a float", str: "a text", list: "a list", dict: "a table"}


class FieldError(ValueError):
    """Why a value is none of its kind, worded to stand behind the name of its key."""


def toml(data: bytes) -> dict[str, Any]:
    """The document that the bytes of a TOML file hold."""
    from ledgergate.source.documents import read_toml

    if data.startswith(b"\xef\xbb\xbf"):
        raise FieldError("begins with a byte order mark, which TOML does not allow; save it as UTF-8 without BOM")
    try:
        return read_toml(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FieldError(f"is not UTF-8 (line {line})") from error
    except ValueError as error:
        raise FieldError(f"is not valid TOML: {error}") from error


def text(value: object) -> str:
    if not isinstance(value, str):
        raise FieldError(f"must be a text, not {_type(value)}")
    if any(ord(char) < 32 or ord(char) == 127 for char in value):
        raise FieldError("holds a control character")
    return value


def filled(value: object) -> str:
    if not text(value).strip():
        raise FieldError("is empty")
    return text(value)


def flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise FieldError(f"must be true or false, not {_type(value)}")
    return value


def count(least: int) -> Kind:
    def read(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise FieldError(f"must be a whole number, not {_type(value)}")
        if value < least:
            raise FieldError(f"must be at least {least}, not {value}")
        return value

    return read


def choice(*names: str) -> Kind:
    def read(value: object) -> str:
        if text(value) not in names:
            listed = ", ".join(f'"{name}"' for name in names)
            raise FieldError(f'is "{value}", which is none of {listed}{nearest(str(value), names)}')
        return text(value)

    return read


def texts(kind: Kind, *, least: int = 0) -> Kind:
    """A list whose every entry is of a kind; the reason names the entry."""

    def read(value: object) -> tuple[object, ...]:
        if not isinstance(value, list):
            raise FieldError(f"must be a list of texts, not {_type(value)}")
        if len(value) < least:
            raise FieldError("is empty")
        reasons = [
            reason for position, entry in enumerate(value, 1) if (reason := _entry_reason(kind, position, entry))
        ]
        if reasons:
            raise FieldError("; ".join(reasons))
        return tuple(map(kind, value))

    return read


def _entry_reason(kind: Kind, position: int, entry: object) -> str | None:
    try:
        kind(entry)
    except ValueError as error:
        name = f' ("{entry}")' if isinstance(entry, str) else ""
        return f"entry {position}{name} {error}"
    return None


def glob(value: object) -> str:
    check_glob(filled(value))
    return filled(value)


def path(value: object) -> str:
    """A literal path of a file, relative to the repository's root and inside it."""
    name = filled(value)
    if any(char in name for char in "*?[\\"):
        raise FieldError("must be one path, without wildcards or backslashes")
    _stay_inside(name)
    return name


def ledger(value: object) -> str:
    """A path, or a glob that names files from the root of the repository."""
    name = filled(value)
    if name.startswith("!"):
        raise FieldError("cannot exclude: list the ledgers that there are")
    _stay_inside(name)
    check_glob(name)
    if name.endswith("**"):
        raise FieldError("must end in the name of a file")
    return name


def folder(value: object) -> str:
    """A literal folder below the root, with a slash at its end."""
    name = filled(value).removesuffix("/")
    if name in ("", "."):
        raise FieldError("covers the whole repository; name one folder")
    return path(name) + "/"


def ref(value: object) -> str:
    """The full name of a ref."""
    name = ref_pattern(value)
    if any(char in name for char in "*?[~^:\\"):
        raise FieldError("is no name of a ref")
    return name


def ref_pattern(value: object) -> str:
    """A ref, or a glob that stands for several."""
    name = filled(value)
    if not name.startswith("refs/"):
        raise FieldError(f"must begin with refs/, as in refs/heads/{name}")
    # Git takes none of these for the name of a ref, and no pattern could match what it means.
    if " " in name or name.endswith("/") or "//" in name or ".." in name:
        raise FieldError("is no name or pattern of a ref")
    check_glob(name)
    return name


def account(value: object) -> str:
    if not _ACCOUNT.fullmatch(filled(value)):
        raise FieldError("must be a forge and a numeric account id, as in github:1234")
    return filled(value)


def nearest(name: str, names: tuple[str, ...]) -> str:
    """`; did you mean "X"?` for the valid name that comes nearest, or nothing."""
    from difflib import get_close_matches

    close = get_close_matches(name.lower(), names, 1)
    return f'; did you mean "{close[0]}"?' if close else ""


def _stay_inside(name: str) -> None:
    if name != name.strip():
        raise FieldError("has white space around it")
    reason = path_problem(name)
    if reason:
        raise FieldError(reason)


def _type(value: object) -> str:
    return _TYPES.get(type(value), "a date or time")
