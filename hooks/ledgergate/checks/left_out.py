"""`ledger-edits`: what a merge in progress leaves out of what its other parents bring."""

from __future__ import annotations

from collections.abc import Iterator

from ledgergate.ledger import RowDifference, compare
from ledgergate.rules import finding
from ledgergate.values import Finding, State
from ledgergate.vouch import Case, Side, same_row

_MESSAGE = "The other side of this merge changed it, and the merge leaves that out: it stays as HEAD has it."
_REMEDY = (
    "Agent: this merge leaves out what its other side changed here; tell your human, unless you were asked to.\n"
    "Human: this merge leaves out what its other side changed here. If that is not meant, take the row over first."
)


def left_out_rows(case: Case, check_name: str) -> Iterator[Finding]:
    """A note for each row that another parent changed since it and HEAD went apart, where HEAD's older state stays.

    To HEAD such a merge changes nothing, so nothing is refused; the range judges what it brings. Of a row that both
    sides changed, one had to be chosen, and of drafts nothing is said.
    """
    for tip, forks in case.others:
        if tip.ledgers is case.head.ledgers or not tip.ledgers.ledgers or tip.ledgers.problems:
            continue
        for found in compare(tip.ledgers.rows, case.head.ledgers.rows):
            ids = {row.id for row in (found.old, found.new) if row is not None}
            if found.rule != "draft-edited" and all(_stayed(case, tip, forks, id_) for id_ in ids):
                yield _note(case, tip, found, check_name)


def _stayed(case: Case, tip: Side, forks: tuple[Side, ...], id_: str) -> bool:
    before = case.base.ledgers.rows.get(id_)
    kept = same_row(case.head.ledgers.rows.get(id_), before)
    forked = [fork.ledgers.rows.get(id_) for fork in forks]
    brought = not any(same_row(tip.ledgers.rows.get(id_), row) for row in forked)
    return kept and brought and any(same_row(before, row) for row in forked)


def _note(case: Case, tip: Side, found: RowDifference, check_name: str) -> Finding:
    side, row = (case.head, found.new) if found.new is not None else (tip, found.old)
    if row is None:
        raise ValueError("a row difference without a row")
    return finding(
        found.rule,
        check_name,
        _MESSAGE,
        state=State.PASS,
        remedy=_REMEDY,
        path=side.ledgers.ledger_of(row),
        line=None if found.new is None else row.line,
        subject=row.id,
        old=found.old_text,
        new=found.new_text,
    )
