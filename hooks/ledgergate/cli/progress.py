"""A bar on a terminal's standard error, for work that may take a while."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence

from ledgergate.ledger import Row


def progress_of(description: str) -> Callable[[Sequence[Row]], Iterable[Row]]:
    """Hands rows through one by one, and shows how far where somebody can see it."""

    def shown(rows: Sequence[Row]) -> Iterable[Row]:
        if not sys.stderr.isatty():
            return rows
        from rich.console import Console
        from rich.progress import track

        return track(rows, description=description, console=Console(stderr=True), transient=True)

    return shown
