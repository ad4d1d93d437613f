"""The lock: the sha256 of everything that a run takes as given, as the tested commit has it."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ledgergate.git import Entry
from ledgergate.lanes.basis import Basis
from ledgergate.lanes.environment import SEED
from ledgergate.ledger.digests import file_digest
from ledgergate.policy.paths import PathClass, classify
from ledgergate.vouch import percent_encode

SCHEMA = "ledgergate-lock.v1"
_INPUTS = frozenset({PathClass.PROTECTED, PathClass.LEDGER, PathClass.GOLDEN, PathClass.TEST, PathClass.DRAFT})


def render_lock(basis: Basis) -> bytes:
    """The lock as JSON: goldens, seeds, ledgers, policy, tests and protected files of the commit by their paths."""
    document = {
        "schema": SCHEMA,
        "commit": basis.commit,
        "tree": basis.tree,
        "base": basis.base_commit,
        "random_seed": SEED,
        "inputs": dict(_inputs(basis)),
    }
    return json.dumps(document, indent=1).encode("ascii") + b"\n"


def _inputs(basis: Basis) -> Iterator[tuple[str, str]]:
    for path, entry in basis.head.files():
        if classify(basis.policy, path) in _INPUTS or basis.in_force.is_named(path):
            yield percent_encode(path), _digest(basis, entry)


def _digest(basis: Basis, entry: Entry) -> str:
    """Of a submodule, which has no bytes here, the digest of its commit's id."""
    return file_digest(entry.oid.encode() if entry.is_submodule else basis.head.read_entry(entry))
