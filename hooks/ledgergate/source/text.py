"""A Python file as text, lines and syntax tree, parsed once."""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
import warnings
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

_COOKIE = r"[ \t\f]*#.*?coding[:=][ \t]*[-\w.]+"
_TRAILING = " \t\f\v"


class Unreadable(NamedTuple):
    """Why bytes cannot be read as Python."""

    message: str


class Source(NamedTuple):
    """A file that Python can read.

    `lines` end where Python ends them (LF, CRLF, CR), and have lost the white space at their ends; line N of the tree
    is `lines[N - 1]`. `cookie` is the number of the line that names the encoding, or None. `text` is what was parsed.
    """

    tree: ast.Module
    lines: tuple[str, ...]
    cookie: int | None
    text: str


@lru_cache(maxsize=64)
def read_source(data: bytes) -> Source | Unreadable:
    """Decode and parse as Python itself would; whatever it could not run is unreadable."""
    return read_source_by(data, parse)


def read_source_by(data: bytes, parse: Callable[[str], ast.Module]) -> Source | Unreadable:
    """The same, parsed by something that gives the tree that `parse` would give, or raises what it would raise."""
    data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        text = data.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")
        tree = parse(text)
    except SyntaxError as error:
        return Unreadable(_with_version(f"line {error.lineno}: {error.msg}" if error.lineno else str(error.msg)))
    except (ValueError, LookupError) as error:
        return Unreadable(_with_version(str(error)))
    except (RecursionError, MemoryError):
        return Unreadable(_with_version("it is nested too deeply"))
    lines = text.removeprefix("\ufeff").split("\n")
    return Source(tree, tuple(line.rstrip(_TRAILING) for line in lines), _cookie_line(lines), text)


def parse_expression(text: str) -> ast.expr | None:
    """A text as one expression, the way `eval` takes it; None if it is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text.lstrip(" \t"), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def parse(text: str) -> ast.Module:
    """The syntax tree of a text; warns of nothing."""
    with warnings.catch_warnings():
        # An odd escape in a string is no business of ours, and shall neither be printed nor become an error.
        warnings.simplefilter("ignore")
        return ast.parse(text)


def _with_version(reason: str) -> str:
    return f"Python {sys.version_info.major}.{sys.version_info.minor} cannot read it ({reason})"


def _cookie_line(lines: list[str]) -> int | None:
    for number, line in enumerate(lines[:2], 1):
        if "coding" in line and re.match(_COOKIE, line, re.ASCII):
            return number
        if line.lstrip(" \t\f")[:1] not in ("", "#"):
            break
    return None
