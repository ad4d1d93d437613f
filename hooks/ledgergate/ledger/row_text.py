"""How a row stands in a ledger file that a command writes."""

from __future__ import annotations

from collections.abc import Iterator

from ledgergate.ledger.rows import Row, Value
from ledgergate.ledger.scalars import write_scalar

_ORDER = (
    *("id", "class", "source", "proposed_class", "artifact", "digest", "lfs", "allow_empty"),
    *("invariant", "seeds", "params", "opened", "reason", "owner"),
)


def field_rank(field: str) -> int:
    """The field's place among those of a row, as a new row has them."""
    return _ORDER.index(field) if field in _ORDER else len(_ORDER)


def row_lines(row: Row, dash: int = 2, inner: int = 4) -> Iterator[str]:
    """The lines of a row, each with its line end: the dash in column `dash`, the keys in column `inner`."""
    lead = f"{' ' * dash}-".ljust(inner)
    for field in sorted(row.fields, key=field_rank):
        for line in field_lines(field, row.fields[field], inner):
            yield f"{lead}{line}\n"
            lead = ""
        lead = " " * inner


def field_lines(field: str, value: Value, inner: int) -> Iterator[str]:
    """The lines of one field: the first without its indent, each without its line end."""
    if isinstance(value, str):
        yield f"{field}: {write_scalar(value)}"
    else:
        yield f"{field}:"
        yield from (f"{' ' * (inner + 2)}- {write_scalar(item)}" for item in value)


def flow_row(row: Row) -> str:
    """The row on one line, in braces."""
    fields = sorted(row.fields, key=field_rank)
    return "{" + ", ".join(flow_field(field, row.fields[field]) for field in fields) + "}"


def flow_field(field: str, value: Value) -> str:
    """The field as it stands in braces."""
    if isinstance(value, str):
        return f"{field}: {write_scalar(value, flow=True)}"
    return f"{field}: [{', '.join(write_scalar(item, flow=True) for item in value)}]"
