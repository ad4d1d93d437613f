"""What the guard says of an edit of one file."""

from __future__ import annotations

from ledgergate.guard import Edit
from ledgergate.guard.compare import compare

PATH = "tests/test_till.py"


def told(old: str, new: str, path: str = PATH) -> list[tuple[str, bool]]:
    """(rule, whether it waits for a human) of each loss, in the order of the file."""
    return [(loss.rule, loss.waits) for loss in compare([Edit(path, old.encode(), new.encode())])]
