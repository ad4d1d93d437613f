"""The rows that `ledgergate collect --add` proposes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ledgergate.adopt.drift import Drift
from ledgergate.adopt.found import named_files, reader_of
from ledgergate.adopt.moves import Movers
from ledgergate.adopt.propose import Proposer, Wish, settle, uncovered
from ledgergate.adopt.readers import Readers
from ledgergate.adopt.rows import golden_rows
from ledgergate.adopt.suites import nearest_ledger
from ledgergate.adopt.worth import Worths
from ledgergate.git import Snapshot
from ledgergate.ledger import Ledger, Row
from ledgergate.ledger.paths import is_placeholder
from ledgergate.policy import PathClass, Policy, classify


class Addition(NamedTuple):
    """A row of the ledger at a path: a new one, or what `old` becomes; and why."""

    old: Row | None
    new: Row
    ledger: str
    why: str


class Removal(NamedTuple):
    """A row of the ledger at a path that goes, and why."""

    row: Row
    ledger: str
    why: str


class Additions(NamedTuple):
    """In the order of ids; `unplaced` are functions without a proposal, each with the reason."""

    additions: tuple[Addition, ...]
    unplaced: dict[str, str]


def find_additions(
    drift: Drift,
    ledgers: Sequence[Ledger],
    policy: Policy,
    paths: Sequence[str],
    snapshot: Snapshot,
    movers: Movers,
    wish: Wish,
) -> Additions:
    """Rows for every unclassified test, and rows that follow their tests; `paths` are the files of the `snapshot`."""
    items = drift.unclassified
    read = reader_of(snapshot)
    readers, worths = Readers(read), Worths(read, inline=wish.inline)
    goldens = [path for path in paths if classify(policy, path) is PathClass.GOLDEN] if items else []
    named = named_files(goldens, goldens, items, readers, read)
    rows = [row for row in golden_rows(snapshot, goldens, items, named).rows if not is_placeholder(row.id)]
    proposals = Proposer(paths, readers, worths, policy.drafts).propose(uncovered(items, rows))
    settled = settle(proposals, wish)
    why = {**{row.id: "reads a golden file" for row in rows}, **settled.why}
    places = {row.id: (row, ledger.path) for ledger in ledgers for row in ledger.rows}
    names = [ledger.path for ledger in ledgers]
    found = [*_moved(drift, movers), *_placed([*rows, *settled.rows], why, places, names)]
    return Additions(tuple(sorted(found, key=lambda addition: addition.new.id)), settled.unplaced)


def find_removals(drift: Drift) -> tuple[Removal, ...]:
    """The rows whose test is gone, in the order of ids; not those whose test has only lost or gained parameters."""
    found = [Removal(stale.row, stale.path, stale.why) for stale in drift.stale if stale.is_gone]
    return tuple(sorted(found, key=lambda removal: removal.row.id))


def find_counts(drift: Drift) -> tuple[Addition, ...]:
    """The rows whose `params` would follow the number of their cases, in the order of ids."""
    found: list[Addition] = []
    for row, ledger, cases in drift.counts:
        fields = {name: value for name, value in row.fields.items() if name != "params"}
        if cases is None:
            found.append(Addition(row, Row.of(fields), ledger, f"params goes: it was {row.params}, and there are none"))
        else:
            new = Row.of({**fields, "params": str(cases)})
            found.append(Addition(row, new, ledger, f"params was {row.params}"))
    return tuple(sorted(found, key=lambda addition: addition.new.id))


def _moved(drift: Drift, movers: Movers) -> Iterator[Addition]:
    for row, path, new_id in drift.moved:
        renamed = movers.renamed(row, new_id)
        if renamed is not None:
            yield Addition(row, renamed, path, "its test has moved")


def _placed(
    rows: Sequence[Row], why: Mapping[str, str], places: Mapping[str, tuple[Row, str]], ledgers: Sequence[str]
) -> Iterator[Addition]:
    for row in rows:
        if row.id not in places:
            yield Addition(None, row, nearest_ledger(ledgers, row.id), why[row.id])
            continue
        old, ledger = places[row.id]
        if old.params is None and "params" in row.fields:
            parametrised = Row.of({**old.fields, "params": row.fields["params"]})
            yield Addition(old, parametrised, ledger, "its test has parameters now")
