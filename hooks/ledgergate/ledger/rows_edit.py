"""Edits of a ledger's list of rows: rows that come, go, change their fields, or move."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence

from ledgergate.ledger.events import empty_list, walk
from ledgergate.ledger.fields_edit import row_splices
from ledgergate.ledger.places import (
    Place,
    column,
    first_start,
    is_blank,
    is_spaced,
    last_end,
    place_of,
    places,
    rows_key_end,
)
from ledgergate.ledger.row_text import flow_row, row_lines
from ledgergate.ledger.rows import Row, Value
from ledgergate.ledger.splice import Splice, line_break, line_end, line_start, next_line


def insertions(text: str, rows: Sequence[Row]) -> Iterator[Splice]:
    """The rows, which come in the order of their ids, each behind the row whose id comes before its own."""
    found = places(text)
    if not rows:
        return
    if not found:
        yield from _first_rows(text, rows)
        return
    ordered = sorted(found)
    ids = [place.id for place in ordered]
    groups: dict[int, list[Row]] = {}
    for row in rows:
        groups.setdefault(bisect(ids, row.id) - 1, []).append(row)
    for at, group in groups.items():
        neighbour = ordered[max(at, 0)]
        if neighbour.listed:
            yield _listed_insertion(text, neighbour, ", ".join(map(flow_row, group)), behind=at >= 0)
        else:
            blocks = [_block(text, neighbour, row) for row in group]
            yield _insertion(text, found, neighbour, blocks, behind=at >= 0)


def removals(text: str, ids: frozenset[str]) -> Iterator[Splice]:
    """The rows with these ids away."""
    found = places(text)
    gone = [place for place in found if place.id in ids]
    if gone and gone[0].listed:
        yield from _listed_removals(found, ids)
        return
    spaced = is_spaced(text, found)
    for place in gone:
        start = line_start(text, place.dash)
        yield _removal(text, start, last_end(text, place), spaced=spaced, is_first=place is found[0])
    if gone and len(gone) == len(found):
        key = rows_key_end(text, found[0])
        yield Splice(key, key, " []")


def replacement(text: str, id_: str, fields: Mapping[str, Value]) -> Iterator[Splice]:
    """The row with this id as one with these fields."""
    before: int | None = None
    for raw in walk(text):
        place = place_of(text, raw, before)
        before = place.end
        if place.id == id_:
            yield from row_splices(text, raw, place, fields)


def move(text: str, ids: Sequence[str], old: str, new: str) -> Iterator[Splice]:
    """The row, renamed from `old` to `new`, at the place of its new id, if `ids` (the ids before) were in order there.

    It takes the comments directly above along. Inside brackets it stays where it is.
    """
    at = ids.index(old)
    before, after = ids[:at][-1:], ids[at + 1 :][:1]
    if not _is_sorted(*before, old, *after) or _is_sorted(*before, new, *after):
        return
    found = places(text)
    place = found[at]
    if place.listed:
        return
    start, end = first_start(text, place, last_end(text, found[at - 1]) if at else 0), last_end(text, place)
    ordered = sorted(other for other in found if other is not place)
    target = bisect([other.id for other in ordered], new) - 1
    yield _removal(text, start, end, spaced=is_spaced(text, found), is_first=at == 0)
    yield _insertion(text, found, ordered[max(target, 0)], [text[start:end]], behind=target >= 0)


def _is_sorted(*ids: str) -> bool:
    return list(ids) == sorted(ids)


def _first_rows(text: str, rows: Sequence[Row]) -> Iterator[Splice]:
    start, end, in_braces = empty_list(text)
    if in_braces or text[start + 1 : end - 1].strip(" "):
        yield Splice(end - 1, end - 1, ", ".join(map(flow_row, rows)))
        return
    lines = line_break(text).join(line.removesuffix("\n") for row in rows for line in row_lines(row))
    at = line_end(text, end)
    yield Splice(len(text[:start].rstrip(" ")), end, "")
    yield Splice(at, at, line_break(text) + lines)


def _block(text: str, neighbour: Place, row: Row) -> str:
    """The row's lines without the last line end, as its neighbour's are."""
    dash, inner = column(text, neighbour.dash), column(text, neighbour.start)
    if neighbour.flow:
        return f"{' ' * dash}- {flow_row(row)}"
    is_one_line = line_start(text, neighbour.dash) == line_start(text, neighbour.start)
    lines = row_lines(row, dash, inner if is_one_line else dash + 2)
    return line_break(text).join(line.removesuffix("\n") for line in lines)


def _insertion(text: str, found: Sequence[Place], neighbour: Place, blocks: Sequence[str], *, behind: bool) -> Splice:
    end = line_break(text)
    apart = end * 2 if is_spaced(text, found) else end
    if behind:
        at = last_end(text, neighbour)
        return Splice(at, at, "".join(apart + block for block in blocks))
    place = found.index(neighbour)
    at = first_start(text, neighbour, last_end(text, found[place - 1]) if place else 0)
    return Splice(at, at, "".join(block + apart for block in blocks))


def _listed_insertion(text: str, neighbour: Place, written: str, *, behind: bool) -> Splice:
    """Rows in a list inside brackets: on a line of their own where the neighbour is."""
    start = line_start(text, neighbour.start)
    own_line = not text[start : neighbour.start].strip(" ")
    gap = line_break(text) + text[start : neighbour.start] if own_line else " "
    if behind:
        return Splice(neighbour.end, neighbour.end, f",{gap}{written}")
    return Splice(neighbour.start, neighbour.start, f"{written},{gap}")


def _removal(text: str, start: int, end: int, *, spaced: bool, is_first: bool) -> Splice:
    """The lines from `start` to `end` away; where rows stand apart, the blank line before or, for the first, behind."""
    end = next_line(text, end)
    above = line_start(text, start - 1) if start else 0
    if spaced and start and is_blank(text, above):
        return Splice(above, end, "")
    is_top = is_first and not text[above:start].lstrip(" ").startswith("#")
    return Splice(start, next_line(text, end) if spaced and is_top and is_blank(text, end) else end, "")


def _listed_removals(found: Sequence[Place], ids: frozenset[str]) -> Iterator[Splice]:
    kept = False
    for at, place in enumerate(found):
        if place.id not in ids:
            kept = True
        elif kept:
            yield Splice(found[at - 1].end, place.end, "")
        else:
            yield Splice(place.start, found[at + 1].start if at + 1 < len(found) else place.end, "")
