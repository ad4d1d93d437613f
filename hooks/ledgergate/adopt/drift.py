"""Where a suite and its ledgers have drifted apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ledgergate.adopt.collect import Collection, Item
from ledgergate.adopt.propose import counted_cases, uncovered
from ledgergate.ledger import Ledger, Row, split_id
from ledgergate.ledger.paths import is_placeholder


class Stale(NamedTuple):
    """A row (of the ledger at `path`) that no collected test fits, and why; `is_gone` where there is no such test."""

    row: Row
    path: str
    why: str
    is_gone: bool


class Move(NamedTuple):
    """A row whose test has another id now."""

    row: Row
    path: str
    new_id: str


class Count(NamedTuple):
    """A row whose `params` is not the number of cases that it covers: `cases`, or None without parameters."""

    row: Row
    path: str
    cases: int | None


class Drift(NamedTuple):
    """`unclassified` are cases that no row covers, `placeholders` rows whose golden waits for the id of its test.

    A stale row whose test has moved is among `moved` alone, and so are the cases that it covers under the new id.
    `unheld` are rows that files which differ from the last commit no longer match.
    """

    unclassified: tuple[Item, ...]
    stale: tuple[Stale, ...]
    moved: tuple[Move, ...]
    placeholders: tuple[Row, ...]
    counts: tuple[Count, ...]
    unheld: tuple[Row, ...] = ()

    @property
    def is_none(self) -> bool:
        return not (self.unclassified or self.stale or self.moved)


Same = Callable[[Row, str], bool]


def find_drift(
    collection: Collection, ledgers: Sequence[Ledger], exists: Callable[[str], bool], is_same: Same
) -> Drift:
    """Compare what was collected with the rows.

    `exists` says whether a path is a file, and `is_same(row, id)` whether the test with that id is the one that the row
    is about, though it was called otherwise.
    """
    rows = [row for ledger in ledgers for row in ledger.rows]
    unclassified = list(uncovered(collection.items, rows))
    stale = list(_stale(collection, ledgers, exists))
    moved = list(_moved(stale, unclassified, is_same))
    gone = {move.row.id for move in moved}
    came = {move.new_id for move in moved}
    return Drift(
        tuple(item for item in unclassified if item.id not in came and item.function not in came),
        tuple(one for one in stale if one.row.id not in gone),
        tuple(moved),
        tuple(row for row in rows if is_placeholder(row.id)),
        tuple(_counts(collection, ledgers)),
    )


def _counts(collection: Collection, ledgers: Iterable[Ledger]) -> Iterator[Count]:
    """Of drafts nothing is said, and of a row nothing where the suite's own options leave some of its cases out."""
    rows = [(row, ledger.path) for ledger in ledgers for row in ledger.rows]
    exact = {row.id for row, _ in rows}
    cases: dict[str, list[Item]] = {}
    for item in collection.items:
        cases.setdefault(item.function, []).append(item)
    unsure = {id_.partition("[")[0] for id_ in collection.deselected}
    for row, path in rows:
        if row.params is None or row.class_ == "draft" or row.id not in cases or row.id in unsure:
            continue
        found = [item for item in cases[row.id] if item.id not in exact]
        if not found:
            yield Count(row, path, None)
        elif found and (count := counted_cases(found)) != row.params:
            yield Count(row, path, count)


def _stale(collection: Collection, ledgers: Iterable[Ledger], exists: Callable[[str], bool]) -> Iterator[Stale]:
    cases: dict[str, int] = {}
    for item in collection.items:
        cases[item.function] = cases.get(item.function, 0) + 1
    ids = {*collection.ids, *collection.deselected}
    functions = {id_.partition("[")[0] for id_ in collection.deselected}
    files = {item.file for item in collection.items}
    for ledger in ledgers:
        for row in ledger.rows:
            if row.id not in ids and not is_placeholder(row.id):
                why = _why_stale(row, cases, functions, files, exists)
                if why is not None:
                    yield Stale(row, ledger.path, why, is_gone=row.id not in cases)


def _why_stale(
    row: Row,
    cases: Mapping[str, int],
    deselected: Iterable[str],
    files: Iterable[str],
    exists: Callable[[str], bool],
) -> str | None:
    """Why a row fits no collected test; None where it does, or where pytest alone cannot tell."""
    count = cases.get(row.id, 0)
    if count and row.params is None:
        return f"its test has {count} parametrised cases, and the row covers them only with `params:`"
    if row.id in deselected:
        return None
    if count:
        are = "case is" if count == 1 else "cases are"
        return f"{count} {are} collected, and the row wants {row.params}" if count < (row.params or 0) else None
    file, _ = split_id(row.id)
    if not exists(file):
        return "its file is gone"
    # Where nothing was collected from a file, it may be another runner's, or pytest could not import it.
    return "no such test is collected" if file in files else None


def _moved(stale: Iterable[Stale], unclassified: Sequence[Item], is_same: Same) -> Iterator[Move]:
    """Rows whose test is found under one other id, by the first of these that gives one; two are none.

    An id of the same last name (of several, the one with all the same names), then another name in the same class.
    """
    ids = dict.fromkeys(id_ for item in unclassified for id_ in (item.id, item.function))
    by_name: dict[str, list[str]] = {}
    by_class: dict[str, list[str]] = {}
    for id_ in ids:
        by_name.setdefault(_last_name(id_), []).append(id_)
        by_class.setdefault(_class(id_), []).append(id_)
    taken: set[str] = set()
    renamed: list[Stale] = []
    for one in stale:
        found = _only(_same_names(one.row, by_name.get(_last_name(one.row.id), ())), one.row, taken, is_same)
        if found is None:
            renamed.append(one)
        else:
            yield Move(one.row, one.path, found)
    for one in renamed:
        others = [id_ for id_ in by_class.get(_class(one.row.id), ()) if _parameters(id_) == _parameters(one.row.id)]
        found = _only(others, one.row, taken, is_same)
        if found is not None:
            yield Move(one.row, one.path, found)


def _same_names(row: Row, ids: Sequence[str]) -> Sequence[str]:
    """Of these ids those with all names of the row's, where there are any.

    Classes often repeat a test word for word; in a renamed file each keeps its own.
    """
    return [id_ for id_ in ids if split_id(id_)[1] == split_id(row.id)[1]] or ids


def _only(ids: Sequence[str], row: Row, taken: set[str], is_same: Same) -> str | None:
    """The one id that is free and about the row's test; it is taken then."""
    candidates = [id_ for id_ in ids if id_ not in taken and is_same(row, id_)]
    if len(candidates) != 1:
        return None
    taken.add(candidates[0])
    return candidates[0]


def _class(id_: str) -> str:
    """The id without its last name: the file, and the classes around."""
    return id_.partition("[")[0].rpartition("::")[0]


def _parameters(id_: str) -> str:
    return id_.partition("[")[2]


def _last_name(id_: str) -> str:
    """The last name of an id, with its parameters."""
    _, _, rest = id_.partition("::")
    path, bracket, parameters = rest.partition("[")
    return path.rpartition("::")[2] + bracket + parameters
