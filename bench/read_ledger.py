"""Reading a ledger against PyYAML's own C loader on the same file, and what the hooks' usual ledger takes.

Usage: python bench/read_ledger.py
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import date

import yaml
from ledger_text import ledger_text

from ledgergate.ledger.reader import read_ledger, read_strictly

TODAY = date(2026, 12, 1)


def best_of(times: int, action: Callable[[], object]) -> float:
    """The shortest wall time in seconds."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        action()
        found.append(time.perf_counter() - start)
    return min(found)


def main() -> None:
    large = ledger_text(100_000)
    data = large.encode()
    peer = best_of(2, lambda: yaml.load(large, Loader=yaml.CSafeLoader))
    usual = best_of(3, lambda: read_ledger("tests/ledger.yaml", data, today=TODAY))
    strict = best_of(2, lambda: read_strictly("tests/ledger.yaml", large, TODAY))
    print(f"100,000 rows: yaml.load with CSafeLoader {peer:.2f} s")
    print(f"100,000 rows: read_ledger {usual:.2f} s, {peer / usual:.1f} times as fast")
    print(f"100,000 rows: the strict reader alone {strict:.2f} s, {peer / strict:.1f} times as fast")
    small = ledger_text(10_000).encode()
    print(f"10,000 rows: read_ledger {best_of(7, lambda: read_ledger('l', small, today=TODAY)) * 1e3:.0f} ms")
    commented = small.replace(b"class: draft\n", b"class: draft  # why\n", 1)
    took = best_of(5, lambda: read_ledger("l", commented, today=TODAY))
    print(f"10,000 rows, one of them with a comment behind a value: read_ledger {took * 1e3:.0f} ms")


if __name__ == "__main__":
    main()
