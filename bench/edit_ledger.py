"""Edits of a ledger of 10,000 rows: values of one row and of all, one row more, less, and of another class.

Usage: python bench/edit_ledger.py
"""

from __future__ import annotations

import time
from datetime import date

from ledger_text import ledger_text

from ledgergate.ledger.edit import insert_rows, remove_rows, replace_row, set_fields
from ledgergate.ledger.reader import read_ledger
from ledgergate.ledger.rows import Row

NEW = "sha256:" + "cd" * 32


def main() -> None:
    data = ledger_text(10_000).encode()
    rows = [row for row in read_ledger("l", data, today=date(2026, 12, 1)).rows if row.class_ == "locked_fixture"]
    for label, chosen in (("one row", rows[len(rows) // 2 :][:1]), (f"{len(rows)} rows", rows)):
        start = time.perf_counter()
        edited = set_fields(data, {row.id: {"digest": NEW} for row in chosen})
        took = time.perf_counter() - start
        differing = sum(one != two for one, two in zip(data.splitlines(), edited.splitlines(), strict=True))
        print(f"{label} of 10,000: {took * 1e3:.0f} ms, {differing} lines differ")
    id_ = rows[len(rows) // 2].id
    row = Row.of({"id": f"{id_}x", "class": "quarantine", "opened": "2026-09-01", "reason": "r", "owner": "o"})
    edits = {
        "insert_rows": lambda: insert_rows(data, [row]),
        "remove_rows": lambda: remove_rows(data, [id_]),
        "replace_row": lambda: replace_row(data, id_, Row.of({**row.fields, "id": id_})),
        "replace_row with another id": lambda: replace_row(data, id_, row),
    }
    for label, edit in edits.items():
        start = time.perf_counter()
        size = len(edit())
        print(f"{label}: {(time.perf_counter() - start) * 1e3:.0f} ms, {size - len(data):+} bytes")


if __name__ == "__main__":
    main()
