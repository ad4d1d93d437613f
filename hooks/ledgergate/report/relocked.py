"""Rows with new digests, as the contents that changed beneath them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ledgergate.git import Entry, Snapshot
from ledgergate.ledger import measure, split_artifact
from ledgergate.ledger.inline import source_of
from ledgergate.ledger.relock import Relocked
from ledgergate.report.alike import FileChange
from ledgergate.report.escape import short_digests
from ledgergate.values import display_text

_ELSEWHERE = "compared with HEAD, which does not have the bytes of the old digest"
_NOWHERE = "the bytes of the old digest are not in the recent history"


class _Contract(NamedTuple):
    """One artifact whose digest changes from one value to another, in however many rows."""

    artifact: str
    old: str
    new: str
    lfs: bool


def content_changes(
    relocked: Iterable[Relocked], head: Snapshot, now: Snapshot, earlier: Callable[[str], Iterable[Snapshot]]
) -> Iterator[FileChange]:
    """What changed in each file of the artifacts whose digests are new, once however many rows name it.

    The old bytes are those of `head` where they have the old digest, or else of the first of the `earlier` snapshots of
    a path that has them (a golden may have been committed past every hook); else a remark says what stands in for them.
    """
    rows: dict[_Contract, list[str]] = {}
    for row in relocked:
        for digest in row.digests:
            rows.setdefault(_Contract(*digest, row.old.lfs), []).append(row.old.id)
    for contract, ids in rows.items():
        yield from _changes(contract, _note(contract, ids), _with_the_old(contract, head, earlier), now)


def _note(contract: _Contract, ids: list[str]) -> str:
    more = f" and {len(ids) - 1} more" if len(ids) > 1 else ""
    folder = f"{contract.artifact}: " if contract.artifact.endswith("/") else ""
    return display_text(f"{folder}{short_digests(contract.old)} -> {short_digests(contract.new)}  {ids[0]}{more}")


def _changes(contract: _Contract, note: str, head: Snapshot, now: Snapshot) -> Iterator[FileChange]:
    is_old = measure(head, contract.artifact, lfs=contract.lfs, allow_empty=True).digest == contract.old
    if split_artifact(contract.artifact)[1]:
        yield _change_of_a_test(contract.artifact, note, head, now, is_old=is_old)
        return
    before, after = _files(contract.artifact, head), _files(contract.artifact, now)
    if before == after:
        # The new bytes were committed already, past every hook.
        before, remark = {}, _NOWHERE
    else:
        remark = "" if is_old else _ELSEWHERE if before else _NOWHERE
    for path in sorted(before.keys() | after.keys()):
        old, new = before.get(path), after.get(path)
        if old is None or new is None or old.oid != new.oid:
            yield FileChange(
                path,
                None if old is None else head.read_entry(old),
                None if new is None else now.read_entry(new),
                note,
                remark,
            )


def _change_of_a_test(artifact: str, note: str, head: Snapshot, now: Snapshot, *, is_old: bool) -> FileChange:
    """The covered lines of a test before and after, or the new ones alone where those of the old digest are lost."""
    before, after = source_of(head, artifact), source_of(now, artifact)
    if before == after:
        return FileChange(artifact, None, after, note, _NOWHERE, "test")
    return FileChange(artifact, before, after, note, "" if is_old else _ELSEWHERE if before else _NOWHERE, "test")


def _with_the_old(contract: _Contract, head: Snapshot, earlier: Callable[[str], Iterable[Snapshot]]) -> Snapshot:
    """The newest snapshot in which the artifact has the old digest; `head` where none is found."""

    def has_the_old(snapshot: Snapshot) -> bool:
        return measure(snapshot, contract.artifact, lfs=contract.lfs, allow_empty=True).digest == contract.old

    if has_the_old(head):
        return head
    return next(filter(has_the_old, earlier(split_artifact(contract.artifact)[0])), head)


def _files(artifact: str, snapshot: Snapshot) -> dict[str, Entry]:
    if artifact.endswith("/"):
        return {path: entry for path, entry in snapshot.files(artifact) if entry.is_file}
    entry = snapshot.entry(artifact)
    return {artifact: entry} if entry is not None and entry.is_file else {}
