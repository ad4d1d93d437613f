"""Lane reports against the test ledger and the freeze ledger: findings, states, a decision."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from ledgergate.evidence import CHECK, Run, judge, measured_problems
from ledgergate.freeze import Freeze
from ledgergate.freeze.signature import broken_signature, tree_reader
from ledgergate.lanes.basis import Basis
from ledgergate.lanes.results import lane_results
from ledgergate.policy.model import Policy
from ledgergate.score import LaneReport, Score, Unreadable, covered_by_receipts, read_lane_reports, score
from ledgergate.score.classify import unlisted_plugins
from ledgergate.values import Cases, Finding

_WAITS = (
    "Agent: tell your human that the change of the row waits for an approval.\n"
    "Human: look at it. If it is right, a signer approves it on its branch: `{}` shows it and asks; commit the file "
    "that it writes."
)
_Reports = Sequence[LaneReport | Unreadable]


def read_all(reports: Mapping[str, bytes]) -> tuple[LaneReport | Unreadable, ...]:
    """Every lane of every report, each given by its name."""
    return tuple(lane for name, data in reports.items() for lane in read_lane_reports(name, data))


def score_run(
    basis: Basis,
    reports: _Reports,
    now: datetime,
    beside: Sequence[Finding] = (),
    *,
    with_checks: bool = True,
) -> Score:
    """What the reports of one run are worth for a commit; `beside` is what else was wrong with the run.

    Without any report that is all there is to say. The hook checks on what the commit brings to its base fold with the
    lanes, unless the caller has judged that change itself (`with_checks` false).
    """
    checks = [*beside, *(basis.refused if with_checks else basis.broken_ledgers)]
    if reports or not beside:
        _, found = judge_evidence(basis, Run(lane_results(reports)), reports, now)
        # That a lane did not complete is said by its score.
        checks += (seen for seen in found if seen.rule != "report-unreadable")
    broken = signatures_of(basis)
    return score(basis.in_force.freeze, reports, basis.policy, now, broken, is_tested=basis.is_same, checks=checks)


def judge_evidence(basis: Basis, run: Run, reports: _Reports, now: datetime) -> tuple[Cases, list[Finding]]:
    """What the rows in force say of a run, whose lane reports may hold receipts."""
    known = run._replace(
        production_changed=basis.in_force.is_production_changed,
        excused=covered_by_receipts(basis.in_force.freeze.freezes, reports, now, signatures_of(basis)),
    )
    cases, findings = judge(basis.in_force.rows, known, lambda row: measured_problems(basis.head, row))
    return cases, [_with_waiting(basis, seen) for seen in findings]


def plugin_problems(reports: _Reports, policy: Policy) -> tuple[Finding, ...]:
    """The evidence check's findings on plugins that lanes loaded and the policy does not name."""
    found = [unlisted_plugins(one, policy.run.plugins) for one in reports if isinstance(one, LaneReport)]
    return tuple(seen._replace(check=CHECK) for each in found for seen in each)


def _with_waiting(basis: Basis, seen: Finding) -> Finding:
    """A test whose row came with the change is told so: the row counts once somebody has vouched for it."""
    id_ = seen.subject or ""
    if not any(map(basis.in_force.is_waiting, (id_, id_.partition("[")[0]))):
        return seen
    counts = "counts once somebody has vouched for it."
    if seen.rule != "digest-mismatch":
        return seen._replace(message=f"{seen.message} Its row differs from that of the base, and {counts}")
    # Whether it is what the change's own row says is told by the checks on the change.
    return seen._replace(
        message=f"It is not what the base's row says; the change's own row differs from that, and {counts}",
        remedy=_WAITS.format(basis.case.approving),
    )


def signatures_of(basis: Basis) -> Callable[[Freeze], str | None]:
    """Why a freeze's signature does not hold of the tested commit; None where it does."""
    return lambda freeze: broken_signature(freeze, tree_reader(basis.head))
