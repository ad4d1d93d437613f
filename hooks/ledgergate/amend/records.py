"""The records of an amendment, and what they come to: contract items, bytes of ledgers, places of files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from ledgergate.errors import UsageError
from ledgergate.git import Entry, Snapshot
from ledgergate.ledger import Ledger, Row
from ledgergate.ledger.paths import path_fault
from ledgergate.ledger.relock import meant_by
from ledgergate.policy.model import Policy
from ledgergate.values import Item
from ledgergate.vouch import row_items


class RowChange(NamedTuple):
    """A row before and after, each with the path of its ledger; None where there is none."""

    old: Row | None
    new: Row | None
    old_ledger: str | None
    new_ledger: str | None


class Move(NamedTuple):
    """A file, or a folder (both end in `/`), that gets another path."""

    source: str
    target: str


class Amendment(NamedTuple):
    """What a command would do.

    `tree` is what git would store of the working tree now, before any move. `held` pairs each artifact of the new rows
    with where it stands in that tree.
    """

    changes: tuple[RowChange, ...]
    tree: Snapshot
    moves: tuple[Move, ...] = ()
    held: tuple[tuple[str, str], ...] = ()


class View(NamedTuple):
    """What a plan looks at.

    `look` gives the tree in which these paths are as the working tree has them.
    """

    policy: Policy
    ledgers: tuple[Ledger, ...]
    look: Callable[[Iterable[str]], Snapshot]

    def tree(self, paths: Iterable[str | None]) -> Snapshot:
        """As `look`, for paths that somebody typed: `UsageError` for one that leads nowhere inside the repository."""
        wanted = [path for path in paths if path is not None]
        faults = [fault for path in wanted if (fault := path_fault(path, path))]
        if faults:
            raise UsageError(" ".join(filter(None, [f"{faults[0].message}.", faults[0].remedy])))
        return self.look(wanted)

    def find(self, id_: str) -> tuple[Row, str] | None:
        """The row with this id, and the path of its ledger."""
        return next(((led.by_id[id_], led.path) for led in self.ledgers if id_ in led.by_id), None)

    def must_find(self, id_: str) -> tuple[Row, str]:
        """As `find`; `UsageError` where there is none, naming what may have been meant."""
        found = self.find(id_)
        if found is None:
            rows = {row.id: row for ledger in self.ledgers for row in ledger.rows}
            raise UsageError(f"no row has the id {id_}; {meant_by(id_, rows)}")
        return found

    def nearest_ledger(self, id_: str) -> str:
        """The ledger beside the test: the one whose folder shares the most leading parts with the id's file."""
        folders = id_.partition("::")[0].split("/")[:-1]

        def distance(ledger: Ledger) -> tuple[int, int]:
            own = ledger.path.split("/")[:-1]
            shared = next((n for n, pair in enumerate(zip(own, folders, strict=False)) if pair[0] != pair[1]), None)
            shared = min(len(own), len(folders)) if shared is None else shared
            return -shared, len(own)

        return min(self.ledgers, key=distance).path


def amendment_items(changes: Iterable[RowChange]) -> Iterator[Item]:
    """What an approval names: one item a row, two for a row that gets another id."""
    for old, new, *_ in changes:
        yield from row_items(old, new)


def edited_ledgers(ledgers: Mapping[str, bytes], changes: Iterable[RowChange]) -> dict[str, bytes]:
    """The new bytes of each ledger that changes, given all by their paths. Raises `LedgergateError`."""
    from ledgergate.ledger.edit import insert_rows, remove_rows, replace_row

    edited: dict[str, bytes] = {}
    for old, new, old_path, new_path in changes:
        if old is not None and new is not None and old_path is not None and old_path == new_path:
            edited[old_path] = replace_row(edited.get(old_path, ledgers[old_path]), old.id, new)
            continue
        if old is not None and old_path is not None:
            edited[old_path] = remove_rows(edited.get(old_path, ledgers[old_path]), [old.id])
        if new is not None and new_path is not None:
            edited[new_path] = insert_rows(edited.get(new_path, ledgers[new_path]), [new])
    return edited


def moved_files(tree: Snapshot, moves: Iterable[Move]) -> dict[str, Entry | None]:
    """By path, what the moves take from the tree (None) and put into it."""
    files: dict[str, Entry | None] = {}
    for source, target in moves:
        entry = tree.entry(source.rstrip("/"))
        found = [(source, entry)] if entry is not None else list(tree.files(source))
        for path, one in found:
            files[path] = None
            files[target + path.removeprefix(source)] = one
    return files
