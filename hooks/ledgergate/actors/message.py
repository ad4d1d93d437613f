"""Reading a commit message for what agents write into it: trailers, and lines of their own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

_TRAILER = re.compile(r"([A-Za-z0-9][A-Za-z0-9-]*)[ \t]*:[ \t]*(.*)")
_EMOJI = re.compile(r"^[^\w\x00-\x7f]+[ \t]*")
# Controls but white space, and what Unicode tells to leave out where it is not known: formats, fillers, variants.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)


class TrailerLine(NamedTuple):
    """A line `Key: value`. `proper` tells whether git, too, would take it for a trailer, by where it stands."""

    key: str
    value: str
    proper: bool


class Message(NamedTuple):
    """What counts of a commit message: its subject, its lines without a leading emoji, its trailer-like lines."""

    subject: str
    lines: tuple[str, ...]
    trailers: tuple[TrailerLine, ...]


def read_message(text: str) -> Message:
    """Take a message apart.

    Every unindented line `Key: value` is a trailer line, since squashing puts whole messages into the middle of
    another one. Proper are those of the last paragraph, and of any that holds nothing else; never the subject.
    Characters that nobody sees do not count.
    """
    lines = [line.rstrip() for line in seen(text).split("\n")]
    paragraphs = list(_paragraphs(lines))
    subject = paragraphs[0][0] if paragraphs else ""
    bare = tuple(_EMOJI.sub("", line) for line in lines)
    return Message(subject, bare, tuple(_trailer_lines(paragraphs)))


def seen(text: str) -> str:
    """The text without the characters that nobody sees."""
    return _UNSEEN.sub("", text)


def _paragraphs(lines: Iterable[str]) -> Iterator[list[str]]:
    paragraph: list[str] = []
    for line in (*lines, ""):
        if line:
            paragraph.append(line)
        elif paragraph:
            yield paragraph
            paragraph = []


def _unfolded(paragraph: list[str]) -> list[str]:
    """The paragraph with each trailer on one line: git lets a value go on in indented lines."""
    lines: list[str] = []
    for line in paragraph:
        if line[0].isspace() and lines and _TRAILER.fullmatch(lines[-1]):
            lines[-1] = f"{lines[-1]} {line.strip()}"
        else:
            lines.append(line)
    return lines


def _trailer_lines(paragraphs: list[list[str]]) -> Iterator[TrailerLine]:
    for index, folded in enumerate(paragraphs):
        paragraph = _unfolded(folded)
        found = [_TRAILER.fullmatch(line) for line in paragraph]
        is_last = index == len(paragraphs) - 1
        holds_nothing_else = all(match or line[0].isspace() for match, line in zip(found, paragraph, strict=True))
        proper = index > 0 and (is_last or holds_nothing_else)
        yield from (TrailerLine(match[1], match[2], proper) for match in found if match)
