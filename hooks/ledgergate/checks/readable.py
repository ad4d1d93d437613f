"""What keeps every other check from being made: ledgers that cannot be read. No rows read is never "no rows"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ledgergate.rules import finding
from ledgergate.values import Finding, State
from ledgergate.vouch import Case, Side

_WHOLE_LEDGER = ("ledger-unreadable", "row-duplicate", "freeze-unreadable")


class _Fault(NamedTuple):
    rule: str
    message: str
    remedy: str | None
    path: str
    line: int | None
    subject: str | None = None


def unreadable_ledgers(case: Case, check: str) -> Iterator[Finding]:
    """A finding for each ledger of base or head against which nothing can be compared or measured.

    A human at the client may mend what base has broken: then it is a note.
    """
    for fault in _faults(case.head):
        yield _about(fault, check, State.UNSCORED)
    mends = case.change.moment == "staged" and not case.actor.is_agent and not any(_faults(case.head))
    for fault in _faults(case.base):
        message = f"In the revision that this change is compared with: {fault.message}"
        remedy = "A human mends it in a commit of its own, from a shell that no agent started."
        yield _about(fault._replace(message=message, remedy=remedy), check, State.PASS if mends else State.UNSCORED)


def missing_ledgers(case: Case, check: str) -> Iterator[Finding]:
    """A finding for each file that the policy names and head lacks."""
    for path in case.head.missing:
        if case.rules.authority == "default branch" and path in case.base.missing:
            # A branch cut before the ledgers came has none to lose; what it brings is judged when it is merged.
            continue
        yield finding("ledger-missing", check, "The policy names this file, and it is not there.", path=path)


def _faults(side: Side) -> Iterator[_Fault]:
    for path, problem in side.ledgers.problems:
        if problem.rule in _WHOLE_LEDGER:
            yield _Fault(problem.rule, problem.message, problem.remedy, path, problem.line, problem.subject)
    for fault in side.freeze.problems if side.freeze else ():
        if fault.rule in _WHOLE_LEDGER:
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
