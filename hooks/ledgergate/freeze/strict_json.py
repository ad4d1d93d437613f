"""JSON without the liberties that Python's reader takes, and its canonical form."""

from __future__ import annotations

import json
from collections.abc import Mapping

_BOM = b"\xef\xbb\xbf"


class Number(str):
    """A number as the text that stands in the file."""

    __slots__ = ()


class JsonError(Exception):
    """Why bytes are not the JSON that we take."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


def read_json(data: bytes) -> object:
    """The value that the bytes hold, each number a `Number`.

    Takes UTF-8 with or without one byte order mark. Raises `JsonError` for anything else: bytes that are not UTF-8, a
    key that stands twice in one object, NaN and the infinities, half of a surrogate pair, nesting beyond our means.
    """
    try:
        value: object = json.loads(
            _decode(data),
            object_pairs_hook=_unique,
            parse_int=Number,
            parse_float=Number,
            parse_constant=_refuse_constant,
        )
        canonical_json(value)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise JsonError(f"it is not valid JSON: {error.msg} ({where})", error.lineno) from error
    except RecursionError as error:
        raise JsonError("it is nested too deeply to be read") from error
    except UnicodeEncodeError as error:
        raise JsonError("a text in it holds half of a surrogate pair") from error
    return value


def canonical_json(value: object) -> bytes:
    """The value as JSON with sorted keys, no spaces and unescaped UTF-8; a number is the text that the file has."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8")


def fingerprint(value: Mapping[str, object]) -> str:
    """`sha256:<hex>` of the canonical JSON."""
    import hashlib

    return f"sha256:{hashlib.sha256(canonical_json(value)).hexdigest()}"


def _decode(data: bytes) -> str:
    body = data.removeprefix(_BOM)
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        raise JsonError(f"it is not UTF-8 (line {line})", line) from error


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            owner = next((f" of {text}" for name, text in pairs if name == "id" and isinstance(text, str)), "")
            raise JsonError(f'the key "{key}" stands twice in one object{owner}')
        found[key] = value
    return found


def _refuse_constant(name: str) -> object:
    raise JsonError(f"{name} is no JSON")
