"""Where the rows of a ledger file stand in its text, with the comments and blank lines around them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from ledgergate.ledger.events import Event, RawRow, walk
from ledgergate.ledger.splice import line_end, line_start, next_line

# What stands between a row's last value and the dash of the row after it.
_TO_DASH = re.compile(r"[^\n]*\n(?:[ \t]*(?:#[^\n]*)?\r?\n)*[ ]*(?=-)")
_COMMENT = re.compile(r"( *)#")
_ROWS_KEY = re.compile(r"""^ *(["']?)rows\1 *:""", re.MULTILINE)


class Place(NamedTuple):
    """The characters of one row.

    `dash` is where its dash stands (in a list inside brackets: its brace), `start` where its first key or brace does,
    and `end` is behind its last value or brace. `flow`: it stands in braces; `listed`: in a list inside brackets.
    """

    id: str
    dash: int
    start: int
    end: int
    flow: bool
    listed: bool


def places(text: str) -> list[Place]:
    """The places of all rows, in the file's order. The text is that of a ledger without a problem."""
    found: list[Place] = []
    for raw in walk(text):
        found.append(place_of(text, raw, found[-1].end if found else None))
    return found


def place_of(text: str, raw: RawRow, before: int | None) -> Place:
    """The row's place; `before` is the end of the row before it, None for the first."""
    start, listed = raw.start.start_mark.index, bool(raw.rows.flow_style)
    if listed:
        dash = start
    elif before is None:
        dash = raw.rows.start_mark.index
    else:
        dash = _TO_DASH.match(text, before).end()  # type: ignore[union-attr]
    end = raw.end.end_mark.index if raw.flow else value_end(text, [*raw.values.values()][-1])
    return Place(str(raw.fields["id"]), dash, start, end, raw.flow, listed)


def value_end(text: str, value: Event | list[Any]) -> int:
    """Behind the last character of a value (an event, or those of a list)."""
    if isinstance(value, list):
        return value[-1].end_mark.index if value[0].flow_style else value_end(text, value[-2])
    end = int(value.end_mark.index)
    if value.style not in ("|", ">"):
        return end
    # A block text reaches to the next token; blank lines before that may be part of it.
    trimmed = text[:end].rstrip(" ")
    return len(trimmed.removesuffix("\n").removesuffix("\r"))


def column(text: str, index: int) -> int:
    """How many characters stand before this one in its line."""
    return index - line_start(text, index)


def last_end(text: str, place: Place) -> int:
    """Where the last line of a row outside brackets ends. Comments indented deeper than its dash are its own."""
    end, indent = line_end(text, place.end), column(text, place.dash)
    while (at := next_line(text, end)) < len(text):
        comment = _COMMENT.match(text, at)
        if comment is None or len(comment[1]) <= indent:
            break
        end = line_end(text, at)
    return end


def first_start(text: str, place: Place, floor: int) -> int:
    """Where the comment lines directly above a row begin, or its own first line; never before `floor`.

    Comments indented deeper than its dash are not its own: they would be those of a row put before it.
    """
    start, indent = line_start(text, place.dash), column(text, place.dash)
    while start > floor:
        above = line_start(text, start - 1)
        comment = _COMMENT.match(text, above)
        if above < floor or comment is None or len(comment[1]) > indent:
            break
        start = above
    return start


def is_blank(text: str, start: int) -> bool:
    """Whether the line that begins here is there and blank."""
    return start < len(text) and not text[start : line_end(text, start)].strip(" ")


def is_spaced(text: str, found: Sequence[Place]) -> bool:
    """Whether most rows stand apart from the next one by a blank line."""
    gaps = [text[one.end : two.dash] for one, two in pairwise(found)]
    return 2 * sum(bool(re.search(r"\n *\r?\n", gap)) for gap in gaps) > len(gaps)


def rows_key_end(text: str, first: Place) -> int:
    """Behind the colon of the key `rows`, above the first row outside brackets."""
    return [*_ROWS_KEY.finditer(text, 0, first.dash)][-1].end()
