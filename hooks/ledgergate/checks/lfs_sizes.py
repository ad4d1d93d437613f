"""`fixture-digests`: two LFS pointers that cannot both be true."""

from __future__ import annotations

from collections.abc import Iterator

from ledgergate.git import PathChange
from ledgergate.ledger.lfs import Pointer, parse_pointer
from ledgergate.rules import finding
from ledgergate.values import Finding
from ledgergate.vouch import Case


def contradicted_sizes(case: Case, check_name: str) -> Iterator[Finding]:
    """A finding for each LFS golden whose pointer changed its size while its oid, the digest of the bytes, stayed."""
    for change in case.change.edits:
        row = next((row for row in case.head.ledgers.pinning(change.path) if row.lfs), None)
        pointers = None if row is None else _pointers(case, change)
        if row is None or pointers is None:
            continue
        old, new = pointers
        if old.sha256 == new.sha256 and old.size != new.size:
            yield finding(
                "lfs-pointer-invalid",
                check_name,
                f"{change.path} says other than before how many bytes its oid stands for, and both cannot be true "
                f"(row at {case.head.ledgers.ledger_of(row)}:{row.line})",
                path=change.path,
                subject=row.id,
                old=f"size {old.size}",
                new=f"size {new.size}",
            )


def _pointers(case: Case, change: PathChange) -> tuple[Pointer, Pointer] | None:
    if change.old is None or change.new is None or not (change.old.is_file and change.new.is_file):
        return None
    old = parse_pointer(case.change.base.read_entry(change.old))
    new = parse_pointer(case.change.head.read_entry(change.new))
    return None if isinstance(old, str) or isinstance(new, str) else (old, new)
