"""`ledger-edits`: what may be edited by whom."""

from __future__ import annotations

from collections.abc import Iterator

from ledgergate.checks.row_shadowed import shadowing_drafts
from ledgergate.rules import RULES, finding
from ledgergate.values import Finding, State
from ledgergate.vouch import Case, Difference, judge_difference

CHECK = "ledger-edits"
_ACK_NOTE = "A human's approval will have to name it before it reaches a protected branch."


def check(case: Case) -> Iterator[Finding]:
    """A finding (or a human's note) for each difference that belongs to a human, and for drafts that shadow a test."""
    for difference in case.differences:
        yield _judged(case, difference)
    yield from shadowing_drafts(case)


def _judged(case: Case, difference: Difference) -> Finding:
    state = judge_difference(case, difference)
    title = RULES[difference.rule].title
    message = f"{title[:1].upper()}{title[1:]}{f' ({difference.detail})' if difference.detail else ''}."
    return finding(
        difference.rule,
        CHECK,
        message,
        state=state,
        remedy=_ACK_NOTE if state is State.PASS else None,
        path=difference.path,
        line=difference.line,
        subject=difference.subject,
        old=difference.old,
        new=difference.new,
    )
