"""What one lane is worth: PASS, FAIL, SKIP or UNSCORED, by the steps of the lane table in their order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from ledgergate.rules import finding
from ledgergate.rules.lanes import NO_TREE_REMEDY, SKIPPED_CASE_REMEDY
from ledgergate.score.frozen import Frozen
from ledgergate.score.lane_report import UNNAMED_UPDATE, LaneReport, Unreadable, Violation
from ledgergate.values import Finding, State, fold

CHECK = "lane-score"


class LaneScore(NamedTuple):
    """The state of one lane, how many cases it ran (None where nobody can say), and why it is no PASS."""

    lane: str
    state: State
    executed: int | None
    findings: tuple[Finding, ...]


class Wanted(NamedTuple):
    """What every report has to fit.

    `plugins` are the distributions of the test runner's plugins that may be loaded. `is_tested` says whether a report
    of this tree (None: it names none) is about what is judged.
    """

    plugins: Sequence[str] = ()
    is_tested: Callable[[str | None], bool] = lambda _: True


def classify(
    lane: str,
    report: LaneReport | Unreadable | None,
    floor: int,
    freezes: Sequence[Frozen],
    wanted: Wanted = Wanted(),  # noqa: B008 - a named tuple never changes
) -> LaneScore:
    """The score of a lane from its report (None: there is none), its floor, and the freezes that belong to it."""
    if report is None:
        return LaneScore(lane, State.UNSCORED, None, (_about("lane-missing", lane, "No report has this lane."),))
    if isinstance(report, Unreadable):
        return _incomplete(lane, None, f"{_where(report)}{report.reason}.", _violations(lane, report.violations))
    if report.status != "ok":
        why = f" ({report.reason})" if report.reason else ""
        message = f"{_where(report)}the lane did not run to its end, its status is {report.status}{why}."
        known = (*_violations(lane, report.violations), *_unfit(report, wanted))
        return _incomplete(lane, report.executed, message, known)
    found = (
        *_violations(lane, report.violations),
        *_unfit(report, wanted),
        *_unnamed(report),
        *_contradictory(report),
        *_floor(report, floor),
        *(problem for frozen in freezes for problem in freeze_problems(report, frozen)),
        *_skips(report, freezes),
    )
    return LaneScore(lane, _state(report, found), report.executed, found or tuple(_nothing_ran(report)))


def _incomplete(lane: str, executed: int | None, message: str, known: Iterable[Finding]) -> LaneScore:
    """A lane that did not honestly complete; `known` is what can be said of it all the same, a check that failed."""
    found = (_about("lane-incomplete", lane, message), *known)
    return LaneScore(lane, fold(problem.state for problem in found), executed, found)


def _state(report: LaneReport, found: Sequence[Finding]) -> State:
    if found:
        return fold(problem.state for problem in found)
    if report.executed:
        return State.PASS
    return State.SKIP if report.skipped_cases and report.receipts else State.UNSCORED


def _nothing_ran(report: LaneReport) -> Iterator[Finding]:
    if not report.executed:
        if report.skipped_cases and report.receipts:
            message = "Every case of the lane is frozen: it says nothing about the code."
            yield _about("lane-incomplete", report.lane, message, state=State.SKIP)
        else:
            yield _about("lane-incomplete", report.lane, "Nothing ran.")


def _where(report: LaneReport | Unreadable) -> str:
    """The report's name, where it says more than that of the lane, which stands before it."""
    return "" if report.source == report.lane else f"{report.source}: "


def _violations(lane: str, violations: Sequence[Violation]) -> Iterator[Finding]:
    for violation in violations:
        message = f"A check failed: {violation.message}"
        yield _about("lane-violation", lane, message, subject=violation.case, new=violation.digest)


def _unfit(report: LaneReport, wanted: Wanted) -> Iterator[Finding]:
    """What makes a whole run worth nothing, however its cases ended."""
    if not wanted.is_tested(report.tree):
        made_for = f"It tested the tree {report.tree}" if report.tree else "It does not say which tree it tested"
        found = _about("report-stale", report.lane, f"{made_for}, and another one is judged.", old=report.tree)
        yield found if report.tree else found._replace(remedy=NO_TREE_REMEDY)
    if report.golden_update is not None:
        message = f"The run would have rewritten goldens: {report.golden_update or UNNAMED_UPDATE}."
        yield _about("golden-update-run", report.lane, message)
    yield from unlisted_plugins(report, wanted.plugins)
    for case, path in report.differing:
        message = f"While {case} ran, {path} had other bytes on the disk than its row says."
        yield _about("artifact-differs", report.lane, message, subject=case)


def unlisted_plugins(report: LaneReport, plugins: Iterable[str]) -> Iterator[Finding]:
    """A finding for each plugin that was loaded and is none of these distributions."""
    listed = {_normalised(name) for name in (*plugins, "ledgergate")}
    for plugin in report.plugins or ():
        if _normalised(plugin) not in listed:
            message = f"The plugin {plugin} was loaded, and `[run] plugins` does not name it."
            yield _about("plugin-unlisted", report.lane, message, subject=plugin)


def _normalised(distribution: str) -> str:
    return re.sub(r"[-_.]+", "-", distribution).lower()


def _unnamed(report: LaneReport) -> Iterator[Finding]:
    """A count without names measures nothing. It may be more than they are: the examples of a property count."""
    if report.executed and not report.ran_cases:
        message = f"It counts {report.executed} cases that ran, and `ran_case_ids` names none."
        yield _about("lane-incomplete", report.lane, message)


def _contradictory(report: LaneReport) -> Iterator[Finding]:
    for said in report.contradictions:
        yield _about("lane-incomplete", report.lane, f"{_where(report)}the report {said}.")
    for case in sorted(set(report.ran_cases).intersection(report.outside_evidence)):
        message = f"{_where(report)}the report lists this case as run, and as kept out of the run."
        yield _about("lane-incomplete", report.lane, message, subject=case)


def _floor(report: LaneReport, floor: int) -> Iterator[Finding]:
    if report.executed < floor:
        message = f"{report.executed} cases ran, and the floor is {floor}."
        yield _about("floor-missed", report.lane, message, old=str(floor), new=str(report.executed))


def freeze_problems(report: LaneReport, frozen: Frozen) -> Iterator[Finding]:
    """One freeze against the lane: either its receipt is right, or its case has run."""
    freeze = frozen.freeze
    receipts = [receipt for receipt in report.receipts if receipt.id == freeze.id]
    has_run = any(map(frozen.names, report.ran_cases))
    if frozen.expired:
        if receipts:
            yield _of(report, frozen, "freeze-expired", "It expired, and a receipt still asks to skip its case.")
        elif not has_run:
            yield _of(report, frozen, "freeze-expired", "It expired, so its case has to run again, and did not.")
    elif not receipts:
        if not has_run:
            yield _of(report, frozen, "receipt-missing", "Its case neither ran nor has a receipt.")
    elif len(receipts) > 1:
        yield _of(report, frozen, "receipt-mismatch", f"It has {len(receipts)} receipts, and takes one.")
    elif not freeze.owner:
        yield _of(report, frozen, "freeze-unowned", "Nobody owns it, so no case may be skipped for it.")
    elif receipts[0].signature != freeze.signature:
        yield _of(report, frozen, "receipt-mismatch", "The receipt quotes another signature.", receipts[0].signature)
    elif frozen.broken is not None:
        yield _of(report, frozen, "freeze-signature", frozen.broken)


def _skips(report: LaneReport, freezes: Sequence[Frozen]) -> Iterator[Finding]:
    """Every skip is accounted for: by one freeze with a receipt, or as kept out of the evidence on purpose."""
    known = {frozen.freeze.id for frozen in freezes}
    for receipt in dict.fromkeys(report.receipts):
        if receipt.id not in known:
            message = f"There is a receipt for {receipt.id}, and no freeze of this lane has that id."
            yield _about("receipt-unknown", report.lane, message, subject=receipt.id)
    if report.skipped and not report.skipped_cases:
        yield _about("lane-incomplete", report.lane, "The lane says that it skipped cases, and does not list them.")
    receipted = {receipt.id for receipt in report.receipts}
    excused = [frozen for frozen in freezes if frozen.freeze.id in receipted]
    reasons = dict(report.skip_reasons)
    for case in dict.fromkeys(report.skipped_cases or ()):
        if case not in report.outside_evidence and sum(frozen.names(case) for frozen in excused) != 1:
            why = f" ({reasons[case]})" if reasons.get(case) else ""
            message = f"This case was skipped{why}, and no one freeze accounts for it."
            yield _about("receipt-missing", report.lane, message, subject=case)._replace(remedy=SKIPPED_CASE_REMEDY)


def _of(report: LaneReport, frozen: Frozen, rule: str, message: str, new: str | None = None) -> Finding:
    freeze = frozen.freeze
    old = freeze.signature if new is not None else None
    return _about(rule, report.lane, f"{freeze.id} ({freeze.case_id}): {message}", subject=freeze.id, old=old, new=new)


def _about(
    rule: str,
    lane: str,
    message: str,
    *,
    state: State | None = None,
    subject: str | None = None,
    old: str | None = None,
    new: str | None = None,
) -> Finding:
    return finding(rule, CHECK, f"lane {lane}: {message}", state=state, subject=subject or lane, old=old, new=new)
