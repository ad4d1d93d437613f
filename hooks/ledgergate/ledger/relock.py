"""What new digests the locked rows of a ledger would take, were what a snapshot holds right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ledgergate.errors import UsageError
from ledgergate.ledger.digests import Measured, measure
from ledgergate.ledger.rows import Ledger, Row

if TYPE_CHECKING:
    from ledgergate.git import Snapshot


class NewDigest(NamedTuple):
    """One artifact of a row whose digest differs from what the row says."""

    artifact: str
    old: str
    new: str


class Relocked(NamedTuple):
    """A row before and after, and which of its digests are new (none: it holds as it is)."""

    old: Row
    new: Row
    digests: tuple[NewDigest, ...]


class Unlockable(NamedTuple):
    """A row that cannot be locked on what the snapshot holds, and why."""

    row: Row
    reasons: tuple[str, ...]


def relock(rows: Iterable[Row], snapshot: Snapshot) -> Iterator[Relocked | Unlockable]:
    """For each sound `locked_fixture` row what becomes of it, in the order of the rows.

    A row is unlockable where one of its artifacts is missing, empty without `allow_empty`, no valid pointer although
    the row says `lfs: true`, or an LFS pointer although it does not: a pointer's own hash pins nothing.
    """
    known: dict[tuple[str, bool, bool], Measured] = {}
    for row in rows:
        measured: list[Measured] = []
        for artifact in row.artifacts:
            key = (artifact, row.lfs, row.allow_empty)
            if key not in known:
                known[key] = measure(snapshot, artifact, lfs=row.lfs, allow_empty=row.allow_empty)
            measured.append(known[key])
        yield _relocked(row, measured)


def _relocked(row: Row, measured: list[Measured]) -> Relocked | Unlockable:
    reasons = tuple(found.message for found in measured if found.message is not None)
    digests = [found.digest for found in measured if found.digest is not None]
    if tuple(digests) == row.digests:
        return Relocked(row, row, ())
    if reasons or len(digests) != len(row.digests):
        return Unlockable(row, reasons or ("its artifacts cannot be measured",))
    pairs = zip(row.artifacts, row.digests, digests, strict=True)
    changed = tuple(NewDigest(*pair) for pair in pairs if pair[1] != pair[2])
    value = digests[0] if isinstance(row.fields["digest"], str) else tuple(digests)
    return Relocked(row, Row.of({**row.fields, "digest": value}, row.line), changed)


def unheld_rows(rows: Iterable[Row], base: Snapshot, snapshot: Snapshot) -> Iterator[Row]:
    """The `locked_fixture` rows whose digest a snapshot does not hold; only what differs from `base` is measured.

    A row whose artifact is missing is none of them: no new digest helps it.
    """
    changed = [row for row in rows if row.class_ == "locked_fixture" and _is_touched(row, base, snapshot)]
    yield from (one.old for one in relock(changed, snapshot) if isinstance(one, Relocked) and one.digests)


def _is_touched(row: Row, base: Snapshot, snapshot: Snapshot) -> bool:
    for path in row.pinned_paths:
        if path.endswith("/"):
            if list(base.files(path)) != list(snapshot.files(path)):
                return True
        elif base.entry(path) != snapshot.entry(path):
            return True
    return False


def select_locked(ledgers: Sequence[Ledger], ids: Sequence[str]) -> list[Row]:
    """The locked rows with these ids, in the order of the ledgers, or every locked row where no id is given.

    Raises `UsageError` for an id without a row, naming what may have been meant, and for a row of another class.
    """
    rows = {row.id: row for ledger in ledgers for row in ledger.rows}
    for id_ in ids:
        row = rows.get(id_)
        if row is None:
            raise UsageError(f"no row has the id {id_}; {meant_by(id_, rows)}")
        if row.class_ != "locked_fixture":
            raise UsageError(f"{id_} is a {row.class_} row, and only locked_fixture rows have a digest that counts")
    wanted = set(ids)
    return [row for row in rows.values() if row.class_ == "locked_fixture" and (not wanted or row.id in wanted)]


def meant_by(id_: str, rows: Mapping[str, Row]) -> str:
    """What may have been meant by an id that no row has, given all rows by their ids."""
    pinning = [row.id for row in rows.values() if id_ in row.artifacts]
    if pinning:
        return f"that is the artifact of {', '.join(pinning[:3])}"
    function = id_.partition("[")[0]
    if function in rows and function != id_:
        return f"the row of the function covers that case: name {function}"
    import difflib

    file = id_.partition("::")[0]
    near = [other for other in rows if other.partition("::")[0] == file] or list(rows)
    close = difflib.get_close_matches(id_, near, 1, 0.0)
    return f"the nearest is {close[0]}" if close else "the ledgers hold no rows"
