"""Text that others wrote, as Markdown in which it can do nothing: no link, no mention, no picture, no HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ledgergate.values import display_text

_LONGEST = 160
_SPECIAL = re.compile(r"[\\`*_{}\[\]<>#!|~&$]")
# What a forge links by itself: mentions, numbers of issues, addresses.
_LINKED = re.compile(r"@(?=\w)|#(?=\d)|(?<=:)(?=//)|(?<=www)(?=\.)|(?<=GH)(?=-)|(?<=!)(?=\d)", re.IGNORECASE)
_NOTHING = "\u200b"
_PIPE = re.compile(r"(\\*)\|")


def code(text: str, longest: int = _LONGEST) -> str:
    """The text in a code span of one line, cut to `longest` characters."""
    shown = display_text(text)
    if len(shown) > longest:
        shown = f"{shown[:longest]}..."
    fence = "`" * (max(map(len, re.findall("`+", shown)), default=0) + 1)
    space = " " if fence != "`" or not shown.strip() else ""
    return f"{fence}{space}{shown}{space}{fence}"


def prose(text: str) -> str:
    """The text in one line, what stands between backquotes as code."""
    parts = display_text(text).split("`")
    if len(parts) % 2 == 0:
        return _plain(display_text(text))
    return "".join(code(part) if odd % 2 else _plain(part) for odd, part in enumerate(parts))


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The lines of a table; the cells are Markdown already."""
    yield f"| {' | '.join(columns)} |"
    yield f"|{'|'.join(' --- ' for _ in columns)}|"
    for row in rows:
        yield f"| {' | '.join(map(_cell, row))} |"


def _cell(text: str) -> str:
    """A pipe would end the cell, in code as well; it does not after an odd number of backslashes."""
    return _PIPE.sub(lambda found: found[1] + ("\\|" if len(found[1]) % 2 == 0 else "\\\\|"), text)


def _plain(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", _LINKED.sub(rf"\g<0>{_NOTHING}", text))
