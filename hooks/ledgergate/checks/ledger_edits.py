"""`ledger-edits`: what may be edited by whom."""

from __future__ import annotations

from collections.abc import Iterator

from ledgergate.checks.left_out import left_out_rows
from ledgergate.checks.row_shadowed import shadowing_drafts
from ledgergate.policy.paths import is_partly_protected
from ledgergate.rules import RULES, finding
from ledgergate.values import Finding, State, display_text
from ledgergate.vouch import Case, Difference, judge_difference, vouchers

CHECK = "ledger-edits"
_ACK_NOTE = (
    "Before this reaches a protected branch a signer has to approve it (`ledgergate ack --staged`): until then a check "
    "of the branch says UNSCORED."
)
# What rules say that know of no change.
_BARE = "`ledgergate ack`"
_ON_A_RANGE = (
    "Human: look at it. If it is right, a signer approves it on its branch: `{}` shows it and asks; commit the file "
    "that it writes."
)
_NOBODY_YET = (
    "Human: look at it. If it is right, somebody has to approve it, and nobody's key counts for this branch yet: "
    "name the signers first (docs/ci.md, Signed approvals). In CI the review of an account that the policy names in "
    "`[vouch] humans` counts as well."
)


def check(case: Case) -> Iterator[Finding]:
    """A finding (or a human's note) for each difference that belongs to a human, for acks and for drafts.

    Acks are told that are none, or vouch for nothing; and drafts that shadow a test.
    """
    for difference in case.differences:
        yield _judged(case, difference)
    yield from _acks(case)
    yield from left_out_rows(case, CHECK)
    yield from shadowing_drafts(case)


def _acks(case: Case) -> Iterator[Finding]:
    for problem in case.vouching.acks.problems if case.vouching.acks else ():
        path, state, message, remedy = problem
        remedy = (RULES["ack-invalid"].remedy if remedy is None else remedy).replace(_BARE, f"`{case.approving}`")
        yield finding("ack-invalid", CHECK, message, state=state, remedy=remedy, path=path, subject=path)


def _judged(case: Case, difference: Difference) -> Finding:
    state = judge_difference(case, difference)
    return finding(
        difference.rule,
        CHECK,
        _said(difference),
        state=state,
        remedy=_note(case, difference) if state is State.PASS else _remedy(case, difference),
        path=difference.path,
        line=difference.line,
        subject=difference.subject,
        old=difference.old,
        new=difference.new,
    )


def _said(difference: Difference) -> str:
    title, detail = RULES[difference.rule].title, difference.detail
    if difference.rule == "protected-path" and (difference.old is None or difference.new is None):
        done = "added" if difference.old is None else "removed"
        title, detail = f"a protected file was {done}", None if detail == done else detail
    return f"{title[:1].upper()}{title[1:]}{f' ({detail})' if detail else ''}."


def _note(case: Case, difference: Difference) -> str:
    who = vouchers(case, difference)
    return f"Vouched for: {', '.join(who)}." if who else _ACK_NOTE


def _remedy(case: Case, difference: Difference) -> str:
    agent, _, human = RULES[difference.rule].remedy.partition("\n")
    if difference.rule == "protected-path" and is_partly_protected(case.policy, difference.path):
        agent = (
            "Agent: take back only what is named here, the rest of the file may stay; tell your human what should "
            "change, and why."
        )
    if difference.rule == "row-added-classified" and difference.new == "quarantine":
        agent = "Agent: take the row out, and tell your human which test is flaky, and why."
    return f"{agent}\n{_on_a_range(case) if case.change.moment == 'range' else human}"


def _on_a_range(case: Case) -> str:
    """Without its branch no approval would count, those that are there and those to come."""
    from ledgergate.vouch.acks.added import NAME_THE_TARGET

    if case.policy.vouch.mode == "ack" and case.lacks_signers:
        if not case.is_mending:
            return _NOBODY_YET
        from ledgergate.vouch.mending import who_approves

        return f"Human: look at it. {who_approves(case.change, case.trust)}"
    acks = case.vouching.acks
    target = None if acks is None or case.trust.branch is not None else acks.first_target
    return _ON_A_RANGE.format(case.approving) if target is None else NAME_THE_TARGET.format(display_text(target))
