"""Edits of a ledger file that leave every other byte as it is, and new ledger files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from ledgergate.errors import LedgergateError
from ledgergate.ledger.reader import read_ledger
from ledgergate.ledger.rows import Ledger, Row, Value
from ledgergate.ledger.scalars import write_scalar
from ledgergate.ledger.text import decode

if TYPE_CHECKING:
    from ledgergate.ledger.events import Event, RawRow

Changes = Mapping[str, Mapping[str, str | Sequence[str]]]

_ORDER = (
    *("id", "class", "source", "proposed_class", "artifact", "digest", "lfs", "allow_empty"),
    *("invariant", "seeds", "params", "opened", "reason", "owner"),
)


class _Splice(NamedTuple):
    """Characters `start` to `end` of the text give way to `new`."""

    start: int
    end: int
    new: str


def set_fields(data: bytes, changes: Changes) -> bytes:
    """The ledger file with other values in fields that it has.

    `changes` gives, for each row's id, the new values by field; a list keeps its length. Only the bytes of those values
    change: comments, quoting, order and line ends stay, and a new value keeps the old one's quoting where it can.

    Raises `LedgergateError` where the file has a problem before or after, or a row or field is not there. The result is
    read again, and given back only if it says exactly what was asked for.
    """
    expected = {row.id: dict(row.fields) for row in _read(data).rows}
    for id_, values in changes.items():
        for field, value in values.items():
            if field not in expected.get(id_, {}):
                raise LedgergateError("row-invalid", f"the ledger has no row {id_} with a field `{field}`")
            expected[id_][field] = value if isinstance(value, str) else tuple(value)
    text = decode(data)
    start = data[: len(data) - len(text.encode("utf-8"))]
    edited = start + _encode(_splice(text, sorted(_splices(text, changes))))
    return _verified(edited, list(expected.values()))


def render(rows: Iterable[Row]) -> bytes:
    """A new ledger file with these rows, in the order of their ids, each field on one line.

    Raises `LedgergateError` where a row is no valid one, as the file would then have problems.
    """
    ordered = sorted(rows, key=lambda row: row.id)
    head = "version: 1\nrows:\n" if ordered else "version: 1\nrows: []\n"
    text = head + "".join(line for row in ordered for line in row_lines(row))
    return _verified(_encode(text), [dict(row.fields) for row in ordered])


def row_lines(row: Row) -> Iterator[str]:
    """The lines of a row as a new ledger file has it, each with its line end."""
    lead = "  - "
    for field in sorted(row.fields, key=lambda name: _ORDER.index(name) if name in _ORDER else len(_ORDER)):
        value = row.fields[field]
        if isinstance(value, str):
            yield f"{lead}{field}: {write_scalar(value)}\n"
        else:
            yield f"{lead}{field}:\n"
            yield from (f"      - {write_scalar(item)}\n" for item in value)
        lead = "    "


def _splices(text: str, changes: Changes) -> Iterator[_Splice]:
    from ledgergate.ledger.events import walk

    for raw in walk(text):
        for field, value in changes.get(str(raw.fields.get("id")), {}).items():
            yield from _field_splices(text, raw, field, value if isinstance(value, str) else tuple(value))


def _field_splices(text: str, raw: RawRow, field: str, new: Value) -> Iterator[_Splice]:
    old, event = raw.fields[field], raw.values[field]
    if isinstance(old, str) and isinstance(new, str):
        pairs, flow = [(old, new, event)], raw.flow
    elif not isinstance(old, str) and not isinstance(new, str) and len(old) == len(new):
        pairs, flow = list(zip(old, new, event[1:], strict=True)), bool(event[0].flow_style)
    else:
        message = f"`{field}` of {raw.fields['id']} can only be changed to as many values as it has"
        raise LedgergateError("row-invalid", message)
    for before, after, scalar in pairs:
        if before != after:
            yield _scalar_splice(text, scalar, after, flow=flow)


def _scalar_splice(text: str, scalar: Event, new: str, *, flow: bool) -> _Splice:
    start, end = scalar.start_mark.index, scalar.end_mark.index
    if scalar.style in ("|", ">"):
        # A block text reaches to the next token; the blank lines and the line end before that are not its own.
        end = start + len(text[start:end].rstrip(" \r\n"))
    return _Splice(start, end, write_scalar(new, scalar.style or "", flow=flow))


def _splice(text: str, splices: Iterable[_Splice]) -> str:
    parts: list[str] = []
    at = 0
    for start, end, new in splices:
        parts += (text[at:start], new)
        at = end
    return "".join((*parts, text[at:]))


def _encode(text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        message = "a ledger is UTF-8, and cannot name a file whose name is not"
        raise LedgergateError("row-invalid", message, remedy="Rename the file.") from None


def _read(data: bytes) -> Ledger:
    # Whether a date lies in the future is no matter of editing.
    ledger = read_ledger("", data, today=date.max)
    if ledger.problems:
        first = ledger.problems[0]
        raise LedgergateError(first.rule, f"line {first.line}: {first.message}", remedy=first.remedy)
    return ledger


def _verified(data: bytes, expected: list[dict[str, Value]]) -> bytes:
    """The data, if it reads as these rows in this order."""
    if [row.fields for row in _read(data).rows] != expected:
        raise LedgergateError("internal-error", "the edited ledger would not say what was asked for; it is left alone")
    return data
