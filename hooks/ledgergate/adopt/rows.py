"""The ledger rows for a set of goldens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ledgergate.adopt.collect import Item
from ledgergate.git import Snapshot
from ledgergate.ledger import Row, measure
from ledgergate.ledger.lfs import looks_like_pointer, parse_pointer
from ledgergate.ledger.match import NO_TEST, Matcher
from ledgergate.ledger.paths import id_fault, path_fault, placeholder_id


class Rows(NamedTuple):
    """Rows in the order of their ids, and what could not be told: golden -> why.

    A golden in `unnamed` has a row whose id is only a placeholder; one in `left_out` cannot have a row at all.
    """

    rows: tuple[Row, ...]
    unnamed: dict[str, str]
    left_out: dict[str, str]


class _Golden(NamedTuple):
    path: str
    digest: str
    lfs: bool
    empty: bool


def golden_rows(
    snapshot: Snapshot, paths: Iterable[str], items: Sequence[Item], named: Mapping[str, tuple[str, ...]] | None = None
) -> Rows:
    """A `locked_fixture` row for each test that reads goldens of the list, over the bytes that the snapshot stores.

    `named` gives for a golden the cases or functions whose sources name it. A function whose cases all read the same
    has one row for them together.
    """
    goldens, left_out = _measured(snapshot, paths)
    cases: dict[str, list[str]] = {}
    for item in items:
        cases.setdefault(item.function, []).append(item.id)
    whole = {golden: tuple(_cases(ids, cases)) for golden, ids in (named or {}).items()}
    matcher = Matcher([item.id for item in items], [golden.path for golden in goldens], whole)
    by_id: dict[str, list[_Golden]] = {}
    unnamed: dict[str, str] = {}
    for golden in goldens:
        match = matcher.match(golden.path)
        if not match.ids:
            unnamed[golden.path] = match.doubt or NO_TEST
        for id_ in match.ids or [placeholder_id(golden.path)]:
            by_id.setdefault(id_, []).append(golden)
    params = _join_cases(by_id, cases)
    for id_ in [id_ for id_ in by_id if id_fault(id_) is not None]:
        for golden in by_id.pop(id_):
            unnamed[golden.path] = "the ledger cannot hold the id of its test"
            by_id[placeholder_id(golden.path)] = [golden]
    for golden in _misfits(by_id):
        unnamed[golden.path] = "its test reads ordinary files too, and it is in Git LFS"
    rows = tuple(_row(id_, members, params.get(id_)) for id_, members in sorted(by_id.items()))
    return Rows(rows, unnamed, left_out)


def _cases(ids: Iterable[str], cases: Mapping[str, Sequence[str]]) -> Iterator[str]:
    for id_ in ids:
        yield from cases.get(id_, (id_,))


def _join_cases(by_id: dict[str, list[_Golden]], cases: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Give one entry to all cases of a function that read the same goldens; how many those are, by function."""
    params: dict[str, int] = {}
    for function, ids in cases.items():
        goldens = by_id.get(ids[0])
        if ids == [function] or goldens is None or any(by_id.get(id_) != goldens for id_ in ids):
            continue
        # A single case with a golden of its own keeps its exact id.
        if len(ids) > 1 or id_fault(ids[0]) is not None:
            for id_ in ids:
                del by_id[id_]
            by_id[function] = goldens
            params[function] = len(ids)
    return params


def _measured(snapshot: Snapshot, paths: Iterable[str]) -> tuple[list[_Golden], dict[str, str]]:
    goldens: list[_Golden] = []
    left_out: dict[str, str] = {}
    for path in paths:
        fault = path_fault(path, "its path") or id_fault(placeholder_id(path)) or _encoding_fault(path)
        if fault is not None:
            left_out[path] = fault if isinstance(fault, str) else fault.message
            continue
        data = snapshot.read(path)
        pointer = parse_pointer(data)
        if isinstance(pointer, str) and looks_like_pointer(data):
            left_out[path] = f"it {pointer}"
            continue
        lfs = not isinstance(pointer, str)
        measured = measure(snapshot, path, lfs=lfs, allow_empty=True)
        if measured.digest is None:
            left_out[path] = measured.message or "it cannot be measured"
        else:
            goldens.append(_Golden(path, measured.digest, lfs, not data))
    return goldens, left_out


def _encoding_fault(path: str) -> str | None:
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return "its path is not UTF-8, as the ledger is"
    return None


def _misfits(by_id: dict[str, list[_Golden]]) -> list[_Golden]:
    """Move goldens in Git LFS away from rows that hold others: `lfs: true` is said of a whole row."""
    moved: dict[str, _Golden] = {}
    for id_, members in list(by_id.items()):
        pointers = [golden for golden in members if golden.lfs]
        if pointers and len(pointers) < len(members):
            by_id[id_] = [golden for golden in members if not golden.lfs]
            moved.update((golden.path, golden) for golden in pointers)
    for path, golden in moved.items():
        by_id[placeholder_id(path)] = [golden]
    return list(moved.values())


def _row(id_: str, members: list[_Golden], params: int | None) -> Row:
    single = len(members) == 1
    fields: dict[str, str | tuple[str, ...]] = {
        "id": id_,
        "class": "locked_fixture",
        "artifact": members[0].path if single else tuple(golden.path for golden in members),
        "digest": members[0].digest if single else tuple(golden.digest for golden in members),
    }
    fields |= {"lfs": "true"} if members[0].lfs else {}
    fields |= {"allow_empty": "true"} if any(golden.empty for golden in members) else {}
    fields |= {"params": str(params)} if params else {}
    return Row.of(fields)
