"""The ledger rows for a set of goldens."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ledgergate.git import Snapshot
from ledgergate.ledger import Row, measure
from ledgergate.ledger.lfs import looks_like_pointer, parse_pointer
from ledgergate.ledger.match import Matcher
from ledgergate.ledger.paths import id_fault, path_fault


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


def golden_rows(snapshot: Snapshot, paths: Iterable[str], ids: Iterable[str]) -> Rows:
    """A `locked_fixture` row for each test that reads goldens of the list, over the bytes that the snapshot stores."""
    goldens, left_out = _measured(snapshot, paths)
    matcher = Matcher(ids, [golden.path for golden in goldens])
    by_id: dict[str, list[_Golden]] = {}
    unnamed: dict[str, str] = {}
    for golden in goldens:
        match = matcher.match(golden.path)
        fit = [id_ for id_ in match.ids if id_fault(id_) is None]
        if not fit:
            unnamed[golden.path] = match.doubt or "the ledger cannot hold the id of its test"
        for id_ in fit or [placeholder_id(golden.path)]:
            by_id.setdefault(id_, []).append(golden)
    for golden in _misfits(by_id):
        unnamed[golden.path] = "its test reads ordinary files too, and it is in Git LFS"
    return Rows(tuple(_row(id_, members) for id_, members in sorted(by_id.items())), unnamed, left_out)


def placeholder_id(path: str) -> str:
    """The id of a row whose test is not known. No placeholder names a Python file: that would have to define it."""
    folder, slash, name = path.rpartition("/")
    if not path.endswith(".py"):
        return f"{path}::golden"
    return f"{folder}{slash}::{name}" if slash else f"{path}::"


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


def _row(id_: str, members: list[_Golden]) -> Row:
    single = len(members) == 1
    fields: dict[str, str | tuple[str, ...]] = {
        "id": id_,
        "class": "locked_fixture",
        "artifact": members[0].path if single else tuple(golden.path for golden in members),
        "digest": members[0].digest if single else tuple(golden.digest for golden in members),
    }
    fields |= {"lfs": "true"} if members[0].lfs else {}
    fields |= {"allow_empty": "true"} if any(golden.empty for golden in members) else {}
    return Row.of(fields)
