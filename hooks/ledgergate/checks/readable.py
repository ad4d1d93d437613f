"""What keeps every other check from being made: a policy or ledgers that cannot be read. Not read is never "none"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ledgergate.ledger import Problem
from ledgergate.rules import RULES, finding
from ledgergate.values import Finding, State
from ledgergate.vouch import UNREADABLE, Case, Side
from ledgergate.vouch.mending import how_to_mend

_NEVER_THERE = (
    "Agent: tell your human.\n"
    "Human: add the file and stage it. The smallest ledger of freezes is\n"
    '  {"schema": "freeze-ledger.v1", "required_lanes": ["fixtures"], "optional_lanes": [], "cardinality_floor": '
    '{"fixtures": 1}, "freezes": []}\n'
    "  and of tests, in two lines, `version: 1` and `rows: []`.\n"
    "Human: if it lies elsewhere, say where in ledgergate.toml: "
    '`ledger = ["tests/new.yaml"]` (or `freeze_ledger`).'
)


class _Fault(NamedTuple):
    rule: str
    message: str
    remedy: str | None
    path: str
    line: int | None
    subject: str | None = None


def undoubling_remedy(case: Case, path: str, problem: Problem | _Fault) -> str | None:
    """The problem's remedy; for a doubled id of head that base has too, with the line of the row that came new."""
    head, base = case.head.ledgers, case.base.ledgers
    kept, old = head.rows.get(problem.subject or ""), base.rows.get(problem.subject or "")
    if problem.rule != "row-duplicate" or kept is None or old is None:
        return problem.remedy
    home = head.ledger_of(kept)
    is_first_old = kept.fields == old.fields if home == path else base.ledger_of(old) == home
    added = f"{path}:{problem.line}" if is_first_old else f"{home}:{kept.line}"
    human = problem.remedy or RULES[problem.rule].remedy.rpartition("Human: ")[2]
    return f"Agent: remove the row that you added, {added}.\nHuman: {human[:1].lower()}{human[1:]}"


def unreadable_ledgers(case: Case, check: str) -> Iterator[Finding]:
    """A finding for each ledger of base or head against which nothing can be compared or measured, or head's policy.

    A human at the client may mend what base has broken, and so may who is trusted to approve it: then it is a note.
    """
    yield from unreadable_policy(case, check)
    for fault in _faults(case.head):
        remedy = undoubling_remedy(case, fault.path, fault)
        yield _about(fault._replace(remedy=remedy), check, State.UNSCORED)
    is_mended = not any(_faults(case.head))
    for fault in _faults(case.base):
        message = f"In the revision that this change is compared with: {fault.message}"
        remedy = how_to_mend(case.change, case.trust)
        state = State.PASS if is_mended and case.vouching.mends(fault.path) else State.UNSCORED
        yield _about(fault._replace(message=message, remedy=remedy), check, state)


def unreadable_policy(case: Case, check: str) -> Iterator[Finding]:
    """A finding for each thing that keeps head's policy from being read."""
    error = case.head_policy_error
    if error is None:
        return
    summary, *problems = error.message.split("\n")
    for problem in problems or [summary]:
        yield finding(error.rule, check, problem.strip(), state=State.UNSCORED, remedy=error.remedy, path=error.path)


def missing_ledger(case: Case, check: str) -> Iterator[Finding]:
    """A finding where head holds no test ledger at all, or has lost one that the policy names without a wildcard.

    Where the policy goes as well, none is missing: that it goes, and each row with it, is what has to be approved.
    """
    if case.takes_policy_away:
        return
    if not case.head.ledgers.ledgers and not _never_had(case, bool(case.base.ledgers.ledgers)):
        yield _missing(check, case.policy.ledger[0], is_lost=_may_be_lost(case, bool(case.base.ledgers.ledgers)))
        return
    still_named = (case.head_policy or case.policy).ledger
    for ledger in case.base.ledgers.ledgers:
        if ledger.path in still_named and case.change.head.entry(ledger.path) is None:
            yield _missing(check, ledger.path)


def missing_freeze_ledger(case: Case, check: str) -> Iterator[Finding]:
    """A finding where head lacks the freeze ledger."""
    if case.head.freeze is None and not case.takes_policy_away and not _never_had(case, case.base.freeze is not None):
        yield _missing(check, case.policy.freeze_ledger, is_lost=_may_be_lost(case, case.base.freeze is not None))


def _never_had(case: Case, base_has: bool) -> bool:
    """Whether a branch cut before the ledgers came has none to lose; what it brings is judged when it is merged."""
    return case.rules.authority == "default branch" and not base_has


def _may_be_lost(case: Case, base_has: bool) -> bool:
    """Whether it was there before, as far as the change tells: of a whole tree there is no before."""
    return base_has or not case.change.base.root


def _missing(check: str, path: str, *, is_lost: bool = True) -> Finding:
    """The finding; of a file that was not there before either nothing can be brought back."""
    if is_lost:
        return finding("ledger-missing", check, "The policy names this file, and it is not there.", path=path)
    message = "The policy names this file, and it is not there; nor was it before."
    return finding("ledger-missing", check, message, path=path, remedy=_NEVER_THERE)


def _faults(side: Side) -> Iterator[_Fault]:
    for path, problem in side.ledgers.problems:
        if problem.rule in UNREADABLE:
            yield _Fault(problem.rule, problem.message, problem.remedy, path, problem.line, problem.subject)
    for fault in side.freeze.problems if side.freeze else ():
        if fault.rule in UNREADABLE:
            yield _Fault(fault.rule, fault.message, None, side.freeze.path if side.freeze else "", fault.line)


def _about(fault: _Fault, check: str, state: State) -> Finding:
    return finding(
        fault.rule,
        check,
        fault.message,
        state=state,
        remedy=fault.remedy,
        path=fault.path,
        line=fault.line,
        subject=fault.subject,
    )
