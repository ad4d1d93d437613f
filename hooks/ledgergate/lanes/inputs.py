"""What a score was made from, by its digests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ledgergate.git import Snapshot
from ledgergate.lanes.basis import Basis
from ledgergate.ledger.digests import file_digest
from ledgergate.policy.model import POLICY_PATH


class Inputs(NamedTuple):
    """What was scored: commit, tree and base where there is a repository, and `sha256:<hex>` of each file.

    A file that is not there is None. `reports` are (name, digest).
    """

    commit: str | None
    tree: str | None
    base: str | None
    policy: str | None
    ledger: str | None
    freeze_ledger: str | None
    reports: tuple[tuple[str, str | None], ...]


def inputs_of(basis: Basis, reports: Mapping[str, bytes]) -> Inputs:
    """The inputs of a run's score; policy and freeze ledger are those that judge: base's, if it has any."""
    judging = basis.head if basis.in_force.is_first else basis.case.change.base
    freeze = basis.policy.freeze_ledger
    return Inputs(
        commit=basis.commit,
        tree=basis.tree,
        base=basis.base_commit,
        policy=_digest(judging, POLICY_PATH),
        ledger=_ledgers_digest(basis),
        freeze_ledger=_digest(judging, freeze),
        reports=tuple((name, file_digest(data)) for name, data in sorted(reports.items())),
    )


def _digest(snapshot: Snapshot, path: str) -> str | None:
    entry = snapshot.entry(path)
    return file_digest(snapshot.read_entry(entry)) if entry is not None and entry.is_file else None


def _ledgers_digest(basis: Basis) -> str | None:
    """The commit's test ledger; of several, the sha256 of what `sha256sum` prints for them."""
    paths = [ledger.path for ledger in basis.case.head.ledgers.ledgers]
    digests = {path: _digest(basis.head, path) for path in paths}
    if len(paths) < 2:
        return next(iter(digests.values()), None)
    lines = "".join(f"{(digest or '').removeprefix('sha256:')}  {path}\n" for path, digest in digests.items())
    return file_digest(lines.encode("utf-8", "surrogateescape"))
