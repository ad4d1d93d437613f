"""The four-state score of a run: its lanes folded, and the decision that follows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from ledgergate.freeze import Freeze, FreezeLedger, Settings
from ledgergate.policy.model import Policy
from ledgergate.rules import finding
from ledgergate.score.classify import CHECK, LaneScore, Wanted, classify
from ledgergate.score.decide import Decision, decide
from ledgergate.score.frozen import Frozen, by_lane
from ledgergate.score.lane_report import LaneReport, Unreadable
from ledgergate.score.shards import lanes_of
from ledgergate.values import Finding, State, fold

_NOT_RUN = ("case-missing", "quarantine-skipped")
_NO_SETTINGS = Settings((), (), {}, {})


class Floor(NamedTuple):
    """How many cases a lane has to run, and how many it ran (None: nobody can say)."""

    floor: int
    executed: int | None


class FreezeScore(NamedTuple):
    """One freeze at the time of the judging."""

    id: str
    expired: bool
    expires_utc: datetime | None
    owner: str | None


class Score(NamedTuple):
    """What a run is worth.

    `lanes` are the required ones and those that the freeze ledger does not know, `optional` the optional ones; of an
    optional lane without a report the state is None. `required_fold` is over `lanes` and everything that was wrong
    beside them.
    """

    lanes: tuple[tuple[str, State], ...]
    required_fold: State
    optional: tuple[tuple[str, State | None], ...]
    decision: Decision
    findings: tuple[Finding, ...]
    floors: tuple[tuple[str, Floor], ...]
    freezes: tuple[FreezeScore, ...]


def score(
    ledger: FreezeLedger,
    reports: Sequence[LaneReport | Unreadable],
    policy: Policy,
    now: datetime,
    broken: Callable[[Freeze], str | None],
    *,
    is_tested: Callable[[str | None], bool] = lambda _: True,
    checks: Sequence[Finding] = (),
) -> Score:
    """Score the reports of one run.

    `now` is the judging clock, with a time zone. `broken` says why a freeze's signature does not hold of the tested
    files, None where it does. `is_tested` says whether a report of this tree (None: it names none) is about what is
    judged. `checks` are findings of other checks on the same run; they fold with the required lanes.
    """
    settings = ledger.settings or _NO_SETTINGS
    found = lanes_of(reports)
    frozen = by_lane(ledger.freezes, found)
    wanted = Wanted(policy.run.plugins, is_tested)

    def lane_score(lane: str) -> LaneScore:
        own = [_frozen(freeze, now, broken) for freeze in frozen.get(lane, ())]
        return classify(lane, found.get(lane), settings.floor(lane), own, wanted)

    required = [lane_score(lane) for lane in dict.fromkeys(settings.required_lanes)]
    wired = [lane for lane in dict.fromkeys(settings.optional_lanes) if lane not in settings.required_lanes]
    optional = {lane: lane_score(lane) for lane in wired if lane in found}
    unknown = [_unknown_lane(lane, found[lane]) for lane in found if lane not in (*settings.required_lanes, *wired)]
    beside = (*checks, *_ledger_findings(ledger), *_report_findings(reports), *_unclaimed(frozen.get("", ())))
    judged = [*required, *unknown]
    states = [lane.state for lane in judged] + [problem.state for problem in beside]
    required_fold = fold(states)
    scores = [*judged, *optional.values()]
    return Score(
        lanes=tuple((lane.lane, lane.state) for lane in judged),
        required_fold=required_fold,
        optional=tuple((lane, optional[lane].state if lane in optional else None) for lane in wired),
        decision=decide(required_fold, [lane.state for lane in optional.values()], policy.merge),
        findings=(*beside, *_unsaid(beside, [problem for lane in scores for problem in lane.findings])),
        floors=tuple((lane.lane, Floor(settings.floor(lane.lane), lane.executed)) for lane in scores),
        freezes=tuple(
            FreezeScore(freeze.id, freeze.is_expired(now), freeze.expires_utc, freeze.owner)
            for freeze in ledger.freezes
        ),
    )


def _unsaid(beside: Sequence[Finding], of_lanes: Sequence[Finding]) -> Iterator[Finding]:
    """The lanes' findings, without those that say of a skipped case what the ledger's own check has said of it."""
    missing = {seen.subject for seen in beside if seen.rule in _NOT_RUN}
    return (seen for seen in of_lanes if seen.rule != "receipt-missing" or seen.subject not in missing)


def _frozen(freeze: Freeze, now: datetime, broken: Callable[[Freeze], str | None]) -> Frozen:
    return Frozen(freeze, freeze.is_expired(now), broken(freeze))


def _unknown_lane(lane: str, report: LaneReport | Unreadable) -> LaneScore:
    message = f"lane {lane}: it is in neither lane list of the freeze ledger, so nobody can say what it is worth."
    executed = report.executed if isinstance(report, LaneReport) else None
    return LaneScore(lane, State.UNSCORED, executed, (finding("lane-incomplete", CHECK, message, subject=lane),))


def _ledger_findings(ledger: FreezeLedger) -> Iterator[Finding]:
    for problem in ledger.problems:
        yield finding(
            problem.rule, CHECK, problem.message, path=ledger.path, line=problem.line, subject=problem.subject
        )


def _report_findings(reports: Sequence[LaneReport | Unreadable]) -> Iterator[Finding]:
    for report in reports:
        if isinstance(report, Unreadable) and report.lane is None:
            message = f"The report says nothing: {report.reason}."
            yield finding("lane-incomplete", CHECK, message, path=report.source, subject=report.source)


def _unclaimed(freezes: Sequence[Freeze]) -> Iterator[Finding]:
    for freeze in freezes:
        message = f"{freeze.id} ({freeze.case_id}): not exactly one lane names its case or its receipt."
        yield finding("receipt-missing", CHECK, message, subject=freeze.id)
