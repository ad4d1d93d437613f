"""`verify`: every digest, seed folder, test id and freeze of one tree, with no change to narrow it down."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime

from ledgergate.checks import ledger_schema
from ledgergate.checks.collisions import colliding_artifacts
from ledgergate.checks.engine import CheckRun, run_checks, unscored_report
from ledgergate.checks.fixture_digests import unclassified_goldens
from ledgergate.checks.many_rows import measuring
from ledgergate.checks.vanished import what_is_missing
from ledgergate.errors import LedgergateError
from ledgergate.freeze.signature import broken_signature, tree_reader
from ledgergate.git import Change, Snapshot
from ledgergate.ledger import Row, file_of
from ledgergate.policy.model import POLICY_PATH
from ledgergate.rules import finding
from ledgergate.values import Actor, Finding, Report, State
from ledgergate.vouch import Case, Rules, policy_of

CHECK = "verify"
_NOBODY = Actor("human")
_NO_POLICY = "Human: `ledgergate init` writes one; or name a commit that has one, with `--at REV`."
_UNCOMMITTED = (
    f"Human: there is one that no commit has yet: commit it, with all that `ledgergate init` wrote beside it "
    f"(`git add -f -- :/{POLICY_PATH} ...`); or name a commit that has one, with `--at REV`."
)
Progress = Callable[[tuple[Row, ...]], Iterable[Row]]
# By the id of a row that was measured, (message, state) where its test is missing; None where it is there.
_Missing = dict[str, tuple[str, State] | None]


def verify(
    empty: Snapshot, head: Snapshot, now: datetime, progress: Progress, *, is_uncommitted: bool = False
) -> Report:
    """The report on a whole tree. `progress` hands the rows through while they are measured, and may show how far.

    `empty` is the empty tree: measured against it, everything is new. `is_uncommitted`: there is a policy that no
    commit has yet.
    """
    try:
        case = whole_tree(empty, head, now, is_uncommitted=is_uncommitted)
    except LedgergateError as error:
        return unscored_report(_everything_new(empty, head), _NOBODY, error)
    missing: _Missing = {}
    runs: dict[str, CheckRun] = {
        ledger_schema.CHECK: ledger_schema.check,
        "fixture-digests": lambda case: _fixtures(case, progress, missing),
        CHECK: lambda case: _tests(case, missing),
    }
    return run_checks(case, runs, with_items=False)._replace(base=None)


def whole_tree(empty: Snapshot, head: Snapshot, now: datetime, *, is_uncommitted: bool = False) -> Case:
    """All of a tree as a change that brings it; `LedgergateError` where its policy is missing or cannot be read."""
    policy = policy_of(head)
    if policy is None:
        raise LedgergateError(
            "ledger-missing",
            f"There is no {POLICY_PATH} in this commit, so nothing can be verified.",
            remedy=_UNCOMMITTED if is_uncommitted else _NO_POLICY,
        )
    return Case(_everything_new(empty, head), Rules(policy, "bootstrap"), now, _NOBODY)


def readable(case: Case) -> Report:
    """Only whether ledgers and policy can be read and are well-formed; what is merely old is left out."""
    report = run_checks(case, {ledger_schema.CHECK: ledger_schema.check}, with_items=False)
    return report._replace(findings=tuple(seen for seen in report.findings if seen.rule != "quarantine-stale"))


def _everything_new(empty: Snapshot, head: Snapshot) -> Change:
    return Change("staged", base=empty, head=head, target=empty)


def _fixtures(case: Case, progress: Progress, missing: _Missing) -> Iterator[Finding]:
    rows = tuple(sorted((row for row in case.head.ledgers.sound_rows if row.class_ != "draft"), key=_file))
    with measuring(case.head, rows, "fixture-digests") as results:
        for row, measured in zip(progress(rows), results, strict=True):
            yield from measured.problems
            if row.is_inline:
                missing[row.id] = measured.missing
    yield from colliding_artifacts(case, "fixture-digests")
    yield from unclassified_goldens(case)


def _file(row: Row) -> str:
    return file_of(row.id)


def _tests(case: Case, missing: _Missing) -> Iterator[Finding]:
    yield from _vanished_tests(case, missing)
    yield from _broken_freezes(case)


def _broken_freezes(case: Case) -> Iterator[Finding]:
    """A finding for each freeze, expired or not, whose check is not what was frozen; malformed ones are told elsewhere.

    An expired freeze is over, but whoever edits it back to life should find the check that it speaks of.
    """
    ledger = case.head.freeze
    if ledger is None:
        return
    malformed = {problem.subject for problem in ledger.problems}
    for freeze in ledger.freezes:
        reason = None if freeze.id in malformed else broken_signature(freeze, tree_reader(case.head.snapshot))
        if reason is not None:
            message = f"{freeze.id} ({freeze.case_id}): {reason}"
            where = {"path": ledger.path, "line": freeze.line, "subject": freeze.id}
            yield finding("freeze-signature", CHECK, message, **where)  # type: ignore[arg-type]


def _vanished_tests(case: Case, missing: _Missing) -> Iterator[Finding]:
    for row in case.head.ledgers.sound_rows:
        known = row.id in missing
        told = missing[row.id] if known else what_is_missing(case.head.snapshot, row.id)
        if told is not None:
            message, state = told
            where = {"path": case.head.ledgers.ledger_of(row), "line": row.line, "subject": row.id}
            # What only a run can tell leaves nothing to do.
            remedy = "" if state is State.PASS else None
            yield finding("test-removed", CHECK, message, state=state, remedy=remedy, **where)  # type: ignore[arg-type]
