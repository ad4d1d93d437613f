"""The evidence that is kept for a tree, judged as it stands today."""

from __future__ import annotations

from datetime import datetime

from ledgergate.errors import LedgergateError
from ledgergate.lanes.basis import Basis
from ledgergate.lanes.judging import read_all, score_run
from ledgergate.lanes.store import EvidenceStore
from ledgergate.score import Score


def kept_score(basis: Basis, now: datetime) -> Score:
    """What the kept reports are worth. They are scored anew: a freeze may have ended since they were made.

    The hook checks on what the commit would bring are not among it: at a push they are judged ref by ref. Raises
    `LedgergateError` where nothing is kept for the tree, or cannot be read.
    """
    store = EvidenceStore(basis.repository)
    tree = basis.same_among(store.trees())
    reports = {} if tree is None else store.reports(tree)
    if not reports:
        raise LedgergateError(
            "lane-missing",
            f"No evidence is kept for the tree {basis.tree[:12]} of {basis.commit[:12]}.",
            remedy="Agent, human: check that commit out, run `ledgergate run --clean`, and push again.",
        )
    return score_run(basis, read_all(reports), now, with_checks=False)
