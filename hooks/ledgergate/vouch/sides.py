"""What one side of a change says: its ledgers taken together, and its freeze ledger."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from functools import cached_property
from typing import NamedTuple, TypeVar

from ledgergate.errors import LedgergateError
from ledgergate.freeze import FreezeLedger, read_freeze_ledger
from ledgergate.git import Snapshot
from ledgergate.ledger import Ledger, Problem, Row, read_ledger
from ledgergate.ledger.scan import Known
from ledgergate.policy.model import Policy
from ledgergate.policy.paths import ledger_paths

# With one of these a ledger says nothing that anything could be compared with.
UNREADABLE = ("ledger-unreadable", "row-duplicate", "freeze-unreadable")

# A history can hold hundreds of versions of large ledgers; who looks through it needs a commit's and its parents'.
_VERSIONS_KEPT = 16
Key = TypeVar("Key")
Kept = TypeVar("Kept")


class LedgerSet:
    """Ledgers taken together: an id has one row in all of them. Sides with the same ledgers share one set."""

    def __init__(self, ledgers: tuple[Ledger, ...]) -> None:
        self.ledgers = ledgers
        self._by_folder: dict[str, tuple[Row, ...]] = {}

    @cached_property
    def rows(self) -> Mapping[str, Row]:
        if len(self.ledgers) == 1:
            return self.ledgers[0].by_id
        return {row.id: row for ledger in reversed(self.ledgers) for row in ledger.rows}

    @cached_property
    def sound_rows(self) -> tuple[Row, ...]:
        """The rows that can be measured; what is wrong with the others is said elsewhere."""
        return tuple(row for ledger in self.ledgers for row in ledger.sound_rows)

    def ledger_of(self, row: Row) -> str:
        """The path of the ledger that holds a row of this set."""
        return next(ledger.path for ledger in self.ledgers if ledger.by_id.get(row.id) is row)

    @cached_property
    def problems(self) -> tuple[tuple[str, Problem], ...]:
        """(ledger path, problem), those that only show across several ledgers included."""
        own = [(ledger.path, problem) for ledger in self.ledgers for problem in ledger.problems]
        return (*own, *_doubled_across(self.ledgers))

    @cached_property
    def pinned(self) -> Mapping[str, tuple[Row, ...]]:
        """The rows by each path that they pin; a folder stands with its closing slash.

        Drafts and quarantined rows pin nothing.
        """
        pinned: dict[str, tuple[Row, ...]] = {}
        for row in self.sound_rows:
            if row.class_ in ("draft", "quarantine"):
                continue
            for path in row.pinned_paths:
                pinned[path] = (*pinned[path], row) if path in pinned else (row,)
        return pinned

    def pinning(self, path: str) -> tuple[Row, ...]:
        """The classified rows whose artifact or seeds are this file, a folder that holds it, or a test in it."""
        own, above = self.pinned.get(path, ()), self._pinning_folder(path[: path.rfind("/") + 1])
        return (*own, *above) if above else own

    def _pinning_folder(self, folder: str) -> tuple[Row, ...]:
        """The rows whose artifact or seeds are this folder, or one that holds it. Each check asks of each path."""
        if folder not in self._by_folder:
            ends = (at + 1 for at, char in enumerate(folder) if char == "/")
            self._by_folder[folder] = tuple(row for end in ends for row in self.pinned.get(folder[:end], ()))
        return self._by_folder[folder]

    def naming(self, path: str) -> tuple[Row, ...]:
        """The same without the rows that pin no more of the file than a test in it."""
        return tuple(row for row in self.pinning(path) if any(_is_or_holds(name, path) for name in row.named_paths))

    def is_named(self, pinned: str) -> bool:
        """Whether a row pins the very bytes of what stands in `pinned`, and not only a test in it."""
        return any(pinned in row.named_paths for row in self.pinned.get(pinned, ()))

    def is_classified(self, path: str) -> bool:
        """Whether a row names this golden: one that pins it, or a quarantined one that will."""
        return bool(self.naming(path)) or self.is_quarantined(path)

    def is_quarantined(self, path: str) -> bool:
        """Whether a quarantined row will pin this golden again when it is released, and none pins it now."""
        return any(_is_or_holds(name, path) for name in self._quarantined) and not self.naming(path)

    @cached_property
    def _quarantined(self) -> frozenset[str]:
        rows = (row for row in self.sound_rows if row.class_ == "quarantine")
        return frozenset(artifact for row in rows for artifact in row.artifacts)


class Side(NamedTuple):
    """What one snapshot says. A snapshot may lack ledgers, or the freeze ledger, that the policy names."""

    snapshot: Snapshot
    ledgers: LedgerSet
    freeze: FreezeLedger | None

    @property
    def is_readable(self) -> bool:
        """Whether anything can be compared with it: no ledger of it is unreadable as a whole."""
        return not self.unreadable_paths

    @property
    def unreadable_paths(self) -> frozenset[str]:
        """The ledgers that are unreadable as a whole."""
        problems = [(path, problem.rule) for path, problem in self.ledgers.problems]
        if self.freeze:
            problems += ((self.freeze.path, problem.rule) for problem in self.freeze.problems)
        return frozenset(path for path, rule in problems if rule in UNREADABLE)


def _is_or_holds(name: str, path: str) -> bool:
    return path == name or (name.endswith("/") and path.startswith(name))


class SideReader:
    """Reads sides with the same globs: each ledger of neighbouring ones once, and each row's text once in all."""

    def __init__(self, policies: Iterable[Policy], today: date, *, many: bool = False) -> None:
        """`policies` are those of base and head: ledgers are found by the globs of both.

        `many`: more versions of a ledger than two may be read, so that it pays to remember what their rows look like.
        """
        self._policies = tuple(dict.fromkeys(policies))
        self._today = today
        self._known: Known | None = {} if many else None
        self._ledgers: dict[tuple[str, str | None], Ledger] = {}
        self._freezes: dict[tuple[str, str], FreezeLedger] = {}
        self._sets: dict[tuple[tuple[str, str | None], ...], LedgerSet] = {}

    def read(self, snapshot: Snapshot) -> Side:
        named = [policy.freeze_ledger for policy in self._policies]
        freeze_path = next((path for path in named if snapshot.entry(path) is not None), None)
        freeze = None if freeze_path is None else self._freeze(snapshot, freeze_path)
        return Side(snapshot, self._ledger_set(snapshot), freeze)

    def _ledger_set(self, snapshot: Snapshot) -> LedgerSet:
        paths = sorted({path for policy in self._policies for path in ledger_paths(policy, snapshot)})
        entries = {path: snapshot.entry(path) for path in paths}
        key = tuple((path, entry.oid if entry and entry.is_file else None) for path, entry in entries.items())
        found = self._sets.pop(key, None) or LedgerSet(tuple(self._ledger(snapshot, path, oid) for path, oid in key))
        return _keep(self._sets, key, found)

    def _ledger(self, snapshot: Snapshot, path: str, oid: str | None) -> Ledger:
        if oid is None:
            return _no_regular_file(path)
        found = self._ledgers.pop((path, oid), None) or read_ledger(
            path, snapshot.read(path), today=self._today, known=self._known
        )
        return _keep(self._ledgers, (path, oid), found)

    def _freeze(self, snapshot: Snapshot, path: str) -> FreezeLedger:
        entry = snapshot.entry(path)
        if entry is None or not entry.is_file:
            raise LedgergateError("freeze-unreadable", "it is no regular file", path=path)
        if (path, entry.oid) not in self._freezes:
            remote = frozenset[str]().union(*(policy.remote_lanes for policy in self._policies))
            read = read_freeze_ledger(path, snapshot.read_entry(entry), remote_lanes=remote)
            self._freezes[path, entry.oid] = read
        return self._freezes[path, entry.oid]


def _keep(kept: dict[Key, Kept], key: Key, value: Kept) -> Kept:
    """The value, which stays at hand until that many others have been asked for."""
    kept[key] = value
    if len(kept) > _VERSIONS_KEPT:
        del kept[next(iter(kept))]
    return value


def _no_regular_file(path: str) -> Ledger:
    problem = Problem("ledger-unreadable", 1, None, "it is no regular file (a link, or a submodule)")
    return Ledger(path=path, rows=(), by_id={}, problems=(problem,))


def _doubled_across(ledgers: tuple[Ledger, ...]) -> Iterable[tuple[str, Problem]]:
    if len(ledgers) < 2:
        return
    first: dict[str, str] = {}
    for ledger in ledgers:
        for row in ledger.rows:
            other = first.setdefault(row.id, ledger.path)
            if other != ledger.path:
                message = f"this id has a row in {other} too; an id has one row in all ledgers together"
                yield ledger.path, Problem("row-duplicate", row.line, row.id, message)
