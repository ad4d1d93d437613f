"""Changes of a text at given places, which leave every other character as it is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Splice(NamedTuple):
    """Characters `start` to `end` of the text give way to `new`."""

    start: int
    end: int
    new: str


def splice(text: str, splices: Iterable[Splice]) -> str:
    """The text with these changes, whatever their order. What two of them take away is taken away once."""
    parts: list[str] = []
    at = 0
    for start, end, new in sorted(splices):
        parts += (text[at:start], new)
        at = max(at, end)
    return "".join((*parts, text[at:]))


def line_start(text: str, index: int) -> int:
    """Where the line begins in which the character stands."""
    return text.rfind("\n", 0, index) + 1


def line_end(text: str, index: int) -> int:
    """Where the content of the line ends in which the character stands: at its line break, or with the text."""
    found = text.find("\n", index)
    if found < 0:
        return len(text)
    return found - 1 if found > index and text[found - 1] == "\r" else found


def next_line(text: str, index: int) -> int:
    """Where the line after the one begins in which the character stands; the text's length where there is none."""
    return text.find("\n", index) + 1 or len(text)


def line_break(text: str) -> str:
    """How the text ends its first line; a line feed where it has only one."""
    found = text.find("\n")
    return "\r\n" if found > 0 and text[found - 1] == "\r" else "\n"
