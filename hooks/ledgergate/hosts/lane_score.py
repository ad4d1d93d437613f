"""Hook `lane-score`: the four-state score of the evidence that is kept for the tree that is pushed."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ledgergate.errors import LedgergateError, UsageError, run


def main(argv: Sequence[str] | None = None) -> int:
    """Score what `ledgergate run` kept."""
    arguments = [argument for argument in (sys.argv[1:] if argv is None else argv) if argument.startswith("-")]

    def command() -> int:
        if arguments:
            raise UsageError(f"lane-score takes no options (got {arguments[0]}); `ledgergate score` has them")
        return _show_score()

    return run(command)


def _show_score() -> int:
    """Reports are scored anew: a freeze may have ended since they were made."""
    from ledgergate.hosts.moments import now
    from ledgergate.hosts.output import show_score
    from ledgergate.hosts.pushed import pushed_basis
    from ledgergate.lanes.judging import read_all, score_run
    from ledgergate.lanes.store import EvidenceStore

    clock = now()
    basis = pushed_basis(clock)
    store = EvidenceStore(basis.repository)
    tree = basis.same_among(store.trees())
    reports = {} if tree is None else store.reports(tree)
    if not reports:
        raise LedgergateError(
            "lane-missing",
            f"No evidence is kept for the tree {basis.tree[:12]} of {basis.commit[:12]}.",
            remedy="Agent, human: check that commit out, run `ledgergate run`, and push again.",
        )
    return show_score(score_run(basis, read_all(reports), clock))
