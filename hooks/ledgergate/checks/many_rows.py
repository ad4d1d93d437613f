"""What does not hold of many rows, measured on all processors where that pays."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from ledgergate.checks.fixture_digests import row_problems
from ledgergate.checks.vanished import what_is_missing
from ledgergate.errors import LedgergateError
from ledgergate.ledger import Row
from ledgergate.values import Finding, State
from ledgergate.vouch import Side

# Starting the workers takes as long as some hundred tests.
_ENOUGH_TESTS = 1_000
_ROWS_AT_ONCE = 100
_MOST_WORKERS = 16


class Measured(NamedTuple):
    """What a row's artifacts, seeds and checks lack, and (message, state) where a pinned test itself is missing."""

    problems: tuple[Finding, ...]
    missing: tuple[str, State] | None


@contextmanager
def measuring(side: Side, rows: Sequence[Row], check: str) -> Iterator[Iterator[Measured]]:
    """Inside, one `Measured` for each row in their order. The rows of one file should stand together.

    What keeps a row from being measured is raised where its turn comes, from a worker as from this process.
    """
    workers = min(_processors(), _MOST_WORKERS)
    if workers < 2 or sum(row.is_inline for row in rows) < _ENOUGH_TESTS:
        yield (_measured(side, row, check) for row in rows)
        return
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    # Forked workers have what was read so far, and their start-up is behind them.
    pool = ProcessPoolExecutor(workers, get_context("fork"), _begin, (lambda at: _measured(side, rows[at], check),))
    try:
        yield pool.map(_by_worker, range(len(rows)), chunksize=_ROWS_AT_ONCE)
    except BrokenProcessPool as error:
        message = "A process that measures tests ended before its time; most likely memory ran out."
        raise LedgergateError("internal-error", message) from error
    finally:
        pool.shutdown(cancel_futures=True)


def _processors() -> int:
    """How many this process may use, as far as forking them is sound: elsewhere than on Linux, one."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1


def _measured(side: Side, row: Row, check: str) -> Measured:
    # A test is looked for now, while its file is parsed.
    missing = what_is_missing(side.snapshot, row.id) if row.is_inline else None
    return Measured(tuple(row_problems(side, row, check)), missing)


# A worker is told once what to do, and then only the places of rows: the rows and their side are its own by the fork.
_measure_at: Callable[[int], Measured]


def _begin(measure_at: Callable[[int], Measured]) -> None:
    global _measure_at
    _measure_at = measure_at


def _by_worker(at: int) -> Measured:
    return _measure_at(at)
