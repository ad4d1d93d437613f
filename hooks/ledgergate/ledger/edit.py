"""Edits of a ledger file that leave every other byte as it is, and new ledger files."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING

from ledgergate.errors import LedgergateError
from ledgergate.ledger.reader import read_ledger
from ledgergate.ledger.row_text import row_lines
from ledgergate.ledger.rows import Ledger, Row, Value
from ledgergate.ledger.text import decode

if TYPE_CHECKING:
    from ledgergate.ledger.splice import Splice

Changes = Mapping[str, Mapping[str, str | Sequence[str]]]


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
    return _edited(data, lambda text: _value_splices(text, changes), expected.values())


def insert_rows(data: bytes, rows: Iterable[Row]) -> bytes:
    """The ledger file with more rows, each behind the row whose id comes before its own in the order of ids.

    So a ledger in the order of its ids stays in it; in any other, a row stands beside its nearest. It is written in the
    indents, braces and line ends of that neighbour, and behind a blank line where most rows are. Comments directly
    above a row count as its own. No byte that is there changes, but for the brackets of a ledger without rows.

    Raises `LedgergateError` where the file has a problem before or after: a row that is no valid one, or whose id has a
    row already. The result is read again, as by `set_fields`.
    """
    from ledgergate.ledger.rows_edit import insertions

    new = sorted(rows, key=lambda row: row.id)
    return _edited(data, lambda text: insertions(text, new), [row.fields for row in (*_read(data).rows, *new)])


def remove_rows(data: bytes, ids: Collection[str]) -> bytes:
    """The ledger file without these rows, and without the blank line that set each apart.

    Comments above a row stay, since they may be about more than that row; those inside it go.

    Raises `LedgergateError` where the file has a problem before or after, or has no such row.
    """
    from ledgergate.ledger.rows_edit import removals

    rows = _read(data).rows
    _refuse_unknown(ids, {row.id for row in rows})
    return _edited(data, lambda text: removals(text, frozenset(ids)), [r.fields for r in rows if r.id not in set(ids)])


def replace_row(data: bytes, id_: str, row: Row) -> bytes:
    """The ledger file in which the row with this id says what `row` does: other values, fields, or another id.

    What is equal in both stays byte for byte, and so do comments on lines of their own. A field that goes takes the
    comment behind it along, and a list those inside it. Where the old id stood in order and the new one would not, the
    row moves to where `insert_rows` would put it.

    Raises `LedgergateError` where the file has a problem before or after, or has no such row.
    """
    from ledgergate.ledger.rows_edit import move, replacement

    rows = _read(data).rows
    _refuse_unknown([id_], {old.id for old in rows})
    expected = [row.fields if old.id == id_ else old.fields for old in rows]
    replaced = _edited(data, lambda text: replacement(text, id_, row.fields), expected)
    ids = [old.id for old in rows]
    return replaced if row.id == id_ else _edited(replaced, lambda text: move(text, ids, id_, row.id), expected)


def render(rows: Iterable[Row]) -> bytes:
    """A new ledger file with these rows, in the order of their ids, each field on one line.

    Raises `LedgergateError` where a row is no valid one, as the file would then have problems.
    """
    ordered = sorted(rows, key=lambda row: row.id)
    head = "version: 1\nrows:\n" if ordered else "version: 1\nrows: []\n"
    text = head + "".join(line for row in ordered for line in row_lines(row))
    return _verified(_encode(text), [row.fields for row in ordered])


def _refuse_unknown(ids: Iterable[str], known: Collection[str]) -> None:
    for id_ in ids:
        if id_ not in known:
            raise LedgergateError("row-invalid", f"the ledger has no row {id_}")


def _value_splices(text: str, changes: Changes) -> Iterator[Splice]:
    from ledgergate.ledger.events import walk
    from ledgergate.ledger.fields_edit import same_shape, value_splices

    for raw in walk(text):
        for field, value in changes.get(str(raw.fields.get("id")), {}).items():
            new = value if isinstance(value, str) else tuple(value)
            if not same_shape(raw.fields[field], new):
                message = f"`{field}` of {raw.fields['id']} can only be changed to as many values as it has"
                raise LedgergateError("row-invalid", message)
            yield from value_splices(text, raw, field, new)


def _edited(data: bytes, splices: Callable[[str], Iterable[Splice]], expected: Iterable[Mapping[str, Value]]) -> bytes:
    """The file with these changes of its text, if it then says what is expected. A last line without end stays so."""
    from ledgergate.ledger.splice import splice

    text = decode(data)
    mark = data[: len(data) - len(text.encode("utf-8"))]
    edited = splice(text, splices(text))
    if not text.endswith("\n"):
        edited = edited.rstrip("\r\n")
    return _verified(mark + _encode(edited), expected)


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


def _verified(data: bytes, expected: Iterable[Mapping[str, Value]]) -> bytes:
    """The data, if it reads as these rows; in which order is no meaning."""
    found = {row.id: row.fields for row in _read(data).rows}
    wanted = [(str(fields["id"]), fields) for fields in expected]
    if len(found) != len(wanted) or found != dict(wanted):
        raise LedgergateError("internal-error", "the edited ledger would not say what was asked for; it is left alone")
    return data
