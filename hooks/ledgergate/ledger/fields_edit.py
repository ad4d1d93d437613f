"""Edits inside one row: other values, fields more or fewer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise, takewhile

from ledgergate.ledger.events import Event, RawRow
from ledgergate.ledger.places import Place, column, value_end
from ledgergate.ledger.row_text import field_lines, field_rank, flow_field
from ledgergate.ledger.rows import Value
from ledgergate.ledger.scalars import write_scalar
from ledgergate.ledger.splice import Splice, line_break, line_end, line_start, next_line


def same_shape(old: Value, new: Value) -> bool:
    """Whether one value can stand for the other item by item: two texts, or lists of one length."""
    if isinstance(old, str) or isinstance(new, str):
        return isinstance(old, str) and isinstance(new, str)
    return len(old) == len(new)


def value_splices(text: str, raw: RawRow, field: str, new: Value) -> Iterator[Splice]:
    """Another value of the same shape in a field that the row has, each text in the quotes that it had if it can be."""
    old, event = raw.fields[field], raw.values[field]
    if isinstance(old, str) and isinstance(new, str):
        pairs, flow = [(old, new, event)], raw.flow
    else:
        pairs, flow = list(zip(old, new, event[1:-1], strict=True)), bool(event[0].flow_style)
    for before, after, scalar in pairs:
        if before != after:
            yield _scalar_splice(text, scalar, after, flow=flow)


def row_splices(text: str, raw: RawRow, place: Place, new: Mapping[str, Value]) -> Iterator[Splice]:
    """The row with exactly these fields. What stays as it is stays byte for byte.

    A field that goes takes the comment behind it on its line along; comments on lines of their own stay.
    """
    kept = [field for field in raw.fields if field in new]
    for field in kept:
        if same_shape(raw.fields[field], new[field]):
            yield from value_splices(text, raw, field, new[field])
        else:
            yield _field_splice(text, raw, place, field, new[field])
    gone = [field for field in raw.fields if field not in new]
    added = sorted(new.keys() - raw.fields.keys(), key=field_rank)
    yield from _removals(text, raw, place, gone)
    for anchor, fields in _anchored(added, kept).items():
        yield _addition(text, raw, place, anchor, {field: new[field] for field in fields})


def _scalar_splice(text: str, scalar: Event, new: str, *, flow: bool) -> Splice:
    start, end = scalar.start_mark.index, scalar.end_mark.index
    if scalar.style in ("|", ">"):
        # The blank lines and the line end before the next token are not the text's own.
        end = start + len(text[start:end].rstrip(" \r\n"))
    return Splice(start, end, write_scalar(new, scalar.style or "", flow=flow))


def _field_splice(text: str, raw: RawRow, place: Place, field: str, new: Value) -> Splice:
    start = raw.keys[field].start_mark.index
    return Splice(start, value_end(text, raw.values[field]), _written(text, raw, place, {field: new}))


def _anchored(added: list[str], kept: list[str]) -> dict[str, list[str]]:
    """Behind which of the kept fields each new one goes: the last that comes before it in a new row, or the first."""
    anchors: dict[str, list[str]] = {}
    for field in added:
        before = [one for one in kept if field_rank(one) <= field_rank(field)]
        anchors.setdefault(max(before, key=field_rank, default=kept[0]), []).append(field)
    return anchors


def _addition(text: str, raw: RawRow, place: Place, anchor: str, fields: Mapping[str, Value]) -> Splice:
    end = value_end(text, raw.values[anchor])
    if raw.flow:
        return Splice(end, end, ", " + _written(text, raw, place, fields))
    end = line_end(text, end)
    return Splice(end, end, line_break(text) + " " * column(text, place.start) + _written(text, raw, place, fields))


def _written(text: str, raw: RawRow, place: Place, fields: Mapping[str, Value]) -> str:
    if raw.flow:
        return ", ".join(flow_field(field, value) for field, value in fields.items())
    inner = column(text, place.start)
    lines: list[str] = []
    for field, value in fields.items():
        first, *more = field_lines(field, value, inner)
        lines += (f"{' ' * inner}{first}" if lines else first, *more)
    return line_break(text).join(lines)


def _removals(text: str, raw: RawRow, place: Place, gone: list[str]) -> Iterator[Splice]:
    fields = list(raw.fields)
    leading = list(takewhile(gone.__contains__, fields))
    if leading and (raw.flow or _stands_alone(text, raw, leading, fields[len(leading)])):
        first, kept = raw.keys[fields[0]], raw.keys[fields[len(leading)]]
        yield Splice(first.start_mark.index, kept.start_mark.index, "")
        gone = gone[len(leading) :]
    for before, field in pairwise([fields[0], *fields]):
        if field not in gone:
            continue
        start, end = raw.keys[field].start_mark.index, value_end(text, raw.values[field])
        if raw.flow:
            yield Splice(value_end(text, raw.values[before]), end, "")
        elif start == place.start and text[place.dash + 1 : start].isspace():
            yield Splice(place.dash + 1, line_end(text, end), "")
        else:
            yield Splice(line_start(text, start), next_line(text, end), "")


def _stands_alone(text: str, raw: RawRow, leading: list[str], kept: str) -> bool:
    """Whether no line of its own, such as a comment, stands between the fields that lead a row and the one kept."""
    following = [*leading[1:], kept]
    return all(
        not text[line_end(text, value_end(text, raw.values[field])) : raw.keys[after].start_mark.index].strip()
        for field, after in zip(leading, following, strict=True)
    )
