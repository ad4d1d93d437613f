"""What differs between two states of a ledger, row by row and by meaning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ledgergate.ledger.rows import Row, Value

_CONTRACT = {
    "digest": "digest-changed",
    "artifact": "artifact-changed",
    "invariant": "invariant-changed",
    "seeds": "seeds-changed",
}
_EDITED = {"quarantine": "quarantine-edited", "draft": "draft-edited"}
_REMOVED = {"quarantine": "quarantine-removed", "draft": "draft-edited"}


class RowDifference(NamedTuple):
    """One difference between the rows of two ledgers.

    `old` is None for an added row, `new` for a removed one. Where both are there and their ids differ, the row was
    renamed. `old_text` and `new_text` show what differs, or are None where that side has nothing.
    """

    rule: str
    old: Row | None
    new: Row | None
    old_text: str | None
    new_text: str | None


def compare(base: Mapping[str, Row], head: Mapping[str, Row]) -> Iterator[RowDifference]:
    """Every difference of the rows, in head's order, and then what is gone, in base's.

    Order of rows, comments, quoting and the place in a file are none. An added draft is none either: anyone may append
    one. A change of class is one difference, however many fields belong to one class only.
    """
    if base is head:
        return
    gone = [row for id_, row in base.items() if id_ not in head]
    renamed = _pair_renames(gone, [row for id_, row in head.items() if id_ not in base])
    for id_, new in head.items():
        old = base.get(id_)
        if old is None:
            yield from _added(renamed.get(id_), new)
        elif old.fields != new.fields:
            yield from _changed(old, new)
    paired = {row.id for row in renamed.values()}
    for old in gone:
        if old.id not in paired:
            yield RowDifference(_REMOVED.get(old.class_, "row-removed"), old, None, old.id, None)


def _pair_renames(gone: list[Row], added: list[Row]) -> dict[str, Row]:
    """For each new id of a renamed row, the row that it was."""
    by_content: dict[frozenset[tuple[str, Value]], list[Row]] = {}
    for row in reversed(gone):
        by_content.setdefault(_content(row), []).append(row)
    renamed: dict[str, Row] = {}
    for row in added if gone else ():
        same = by_content.get(_content(row))
        if same:
            renamed[row.id] = same.pop()
    return renamed


def _content(row: Row) -> frozenset[tuple[str, Value]]:
    """What the row says but for its id; a test that pins itself takes its name along."""
    own = row.id.partition("[")[0]
    fields = {**row.fields, "id": ""}
    if own in row.artifacts:
        named = tuple("" if artifact == own else artifact for artifact in row.artifacts)
        fields["artifact"] = named[0] if isinstance(row.fields["artifact"], str) else named
    return frozenset(fields.items())


def _added(old: Row | None, new: Row) -> Iterator[RowDifference]:
    if old is not None:
        yield RowDifference(_REMOVED.get(old.class_, "row-removed"), old, new, old.id, new.id)
    elif new.class_ != "draft":
        yield RowDifference("row-added-classified", None, new, None, new.class_)


def _changed(old: Row, new: Row) -> Iterator[RowDifference]:
    if old.class_ != new.class_:
        yield RowDifference("class-changed", old, new, old.class_, new.class_)
        kept = [field for field in _CONTRACT if field in old.fields and field in new.fields]
        yield from _field_differences(old, new, kept)
        return
    differing = [field for field in _ordered_fields(old, new) if old.fields.get(field) != new.fields.get(field)]
    rule = _EDITED.get(new.class_)
    if rule is None:
        yield from _field_differences(old, new, differing)
    else:
        yield RowDifference(rule, old, new, _named(old, differing), _named(new, differing))


def _ordered_fields(old: Row, new: Row) -> Iterator[str]:
    yield from _CONTRACT
    yield from sorted((old.fields.keys() | new.fields.keys()) - _CONTRACT.keys())


def _field_differences(old: Row, new: Row, fields: list[str]) -> Iterator[RowDifference]:
    for field in fields:
        before, after = old.fields.get(field), new.fields.get(field)
        if before == after:
            continue
        rule = _CONTRACT.get(field)
        if rule is None:
            yield RowDifference("row-edited", old, new, _named(old, [field]), _named(new, [field]))
        else:
            yield RowDifference(rule, old, new, _shown(before, after), _shown(after, before))


def _named(row: Row, fields: list[str]) -> str | None:
    parts = [f"{field}: {_shown(row.fields[field], None)}" for field in fields if field in row.fields]
    return ", ".join(parts) or None


def _shown(value: Value | None, other: Value | None) -> str | None:
    """The value as one text; of a list only what the other side does not list, where that is anything."""
    if value is None or isinstance(value, str):
        return value
    own = [item for item in value if isinstance(other, tuple) and item not in other]
    return ", ".join(own or value)
