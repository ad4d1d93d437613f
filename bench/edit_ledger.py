"""Edits of a ledger of 10,000 rows: one row, and all of them; and how many bytes differ.

Usage: python bench/edit_ledger.py
"""

from __future__ import annotations

import time
from datetime import date

from ledger_text import ledger_text

from ledgergate.ledger.edit import set_fields
from ledgergate.ledger.reader import read_ledger

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


if __name__ == "__main__":
    main()
