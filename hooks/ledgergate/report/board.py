"""The board: what a repository's tests are held to, as one snapshot has it. It counts and judges nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import NamedTuple

from ledgergate.freeze import FreezeLedger
from ledgergate.git import Snapshot
from ledgergate.ledger import Row
from ledgergate.policy import PathClass, Policy, classify
from ledgergate.values import Finding
from ledgergate.vouch.sides import LedgerSet

_DAY = 86400


class Quarantined(NamedTuple):
    """A quarantine row. `age_days` counts from the day it was opened; `is_stale`: it is older than policy allows."""

    id: str
    owner: str
    opened: str
    age_days: int
    is_stale: bool
    reason: str


class Frozen(NamedTuple):
    """A freeze. `days_left` are whole days, negative once it has expired."""

    id: str
    case_id: str
    lane: str | None
    owner: str | None
    expires_utc: datetime
    days_left: int


class Board(NamedTuple):
    """`goldens` are the files at the policy's golden paths, `unclassified_goldens` those of them that no row names.

    `unclassified_tests` are collected ids without a row, or None where nothing was collected. `findings` say what could
    not be read, so that something may be missing above them.
    """

    commit: str
    tree: str
    name: str
    rows: tuple[tuple[str, int], ...]
    goldens: int
    unclassified_goldens: tuple[str, ...]
    quarantine: tuple[Quarantined, ...]
    freezes: tuple[Frozen, ...]
    unclassified_tests: tuple[str, ...] | None
    findings: tuple[Finding, ...]


# What rows are counted as: an inline row is a `locked_fixture` that holds a test to its own text.
KINDS = ("golden", "inline", "property", "quarantine", "draft")


def count_rows(rows: Iterable[Row]) -> tuple[tuple[str, int], ...]:
    """How many rows there are of each kind, in the order of `KINDS`."""
    counts = Counter(_kind(row) for row in rows)
    return tuple((kind, counts[kind]) for kind in KINDS)


def _kind(row: Row) -> str:
    if row.class_ != "locked_fixture":
        return row.class_
    return "inline" if row.is_inline else "golden"


def goldens_of(policy: Policy, snapshot: Snapshot, ledgers: LedgerSet) -> tuple[int, tuple[str, ...]]:
    """How many files stand at golden paths, and which of them no row names; one of a quarantined test has its row."""
    paths = [path for path, _ in snapshot.files() if classify(policy, path) is PathClass.GOLDEN]
    return len(paths), tuple(path for path in paths if not ledgers.is_classified(path))


def quarantined(rows: Iterable[Row], today: date, max_age_days: int) -> tuple[Quarantined, ...]:
    """The sound quarantine rows, the oldest first. `max_age_days` 0 is no limit."""
    found = [_quarantined(row, today, max_age_days) for row in rows if row.class_ == "quarantine"]
    return tuple(sorted(found, key=lambda entry: (-entry.age_days, entry.id)))


def _quarantined(row: Row, today: date, limit: int) -> Quarantined:
    opened, owner, reason = (str(row.fields[field]) for field in ("opened", "owner", "reason"))
    age = (today - date.fromisoformat(opened)).days
    return Quarantined(row.id, owner, opened, age, 0 < limit < age, reason)


def frozen(freeze: FreezeLedger | None, now: datetime) -> tuple[Frozen, ...]:
    """The freezes whose end can be read, the first to expire first."""
    entries = [
        Frozen(
            entry.id,
            entry.case_id,
            entry.lane,
            entry.owner,
            entry.expires_utc,
            int((entry.expires_utc - now).total_seconds() // _DAY),
        )
        for entry in (freeze.freezes if freeze else ())
        if entry.expires_utc is not None
    ]
    return tuple(sorted(entries, key=lambda entry: (entry.expires_utc, entry.id)))


def unclassified(ids: Sequence[str], rows: Iterable[Row]) -> tuple[str, ...]:
    """The collected ids that no row covers: neither their own, nor one of their function that says `params`."""
    exact: set[str] = set()
    functions: set[str] = set()
    for row in rows:
        exact.add(row.id)
        if row.params is not None:
            functions.add(row.id)
    return tuple(id_ for id_ in dict.fromkeys(ids) if id_ not in exact and id_.partition("[")[0] not in functions)
