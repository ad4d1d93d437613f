"""Which cases a freeze lets a run skip: it is in force, owned, of this lane, and its check is what was frozen."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from ledgergate.errors import LedgergateError
from ledgergate.freeze import Freeze, FreezeLedger


class Freezes:
    """The freezes that hold for one lane."""

    def __init__(self, root: Path, ledger: FreezeLedger | None, lane: str, now: datetime) -> None:
        """`now` is the clock, with a time zone."""
        self._root = root
        self._now = now
        self._freezes = [freeze for freeze in ledger.freezes if freeze.lane in (None, lane)] if ledger else []
        self._holding: dict[str, bool] = {}

    def signatures(self) -> Mapping[str, str]:
        """The signature of each freeze, by its id."""
        return {freeze.id: freeze.signature for freeze in self._freezes}

    def freeze_of(self, case: str) -> Freeze | None:
        """The freeze for which a case may be skipped; None where there is none, or where another one names it too."""
        found = [freeze for freeze in self._freezes if freeze.names(case)]
        return found[0] if len(found) == 1 and self._holds(found[0]) else None

    def _holds(self, freeze: Freeze) -> bool:
        if freeze.id not in self._holding:
            is_in_force = bool(freeze.owner) and not freeze.is_expired(self._now)
            self._holding[freeze.id] = is_in_force and _is_unbroken(self._root, freeze)
        return self._holding[freeze.id]


def _is_unbroken(root: Path, freeze: Freeze) -> bool:
    from ledgergate.evidence import DiskTree
    from ledgergate.freeze.signature import broken_signature, tree_reader

    try:
        return broken_signature(freeze, tree_reader(DiskTree(root))) is None
    except LedgergateError:
        return False
