"""`ledger-schema`: both ledgers and the policy are well-formed. Whoever made it, a broken one is refused."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from ledgergate.actors.signals import parse_signal
from ledgergate.errors import LedgergateError
from ledgergate.freeze import horizon_problems
from ledgergate.ledger import Row, append_problem
from ledgergate.policy.model import POLICY_PATH
from ledgergate.rules import finding
from ledgergate.values import Finding
from ledgergate.vouch import Case, policy_of

CHECK = "ledger-schema"


def check(case: Case) -> Iterator[Finding]:
    """A finding for each thing that is wrong with head's ledgers, freeze ledger, policy or signers file."""
    yield from _policy_problems(case)
    yield from _missing(case)
    for path, problem in case.head.problems:
        yield finding(
            problem.rule,
            CHECK,
            problem.message,
            remedy=problem.remedy,
            path=path,
            line=problem.line,
            subject=problem.subject,
        )
    yield from _freeze_problems(case)
    for row in case.head.sound_rows:
        yield from _row_under_policy(case, row)


def _policy_problems(case: Case) -> Iterator[Finding]:
    try:
        policy = policy_of(case.change.head)
        for signal in policy.identity.agents if policy else ():
            parse_signal(signal)
    except ValueError as error:
        yield finding("policy-unreadable", CHECK, f"[identity] agents: {error}", path=POLICY_PATH)
    except LedgergateError as error:
        yield finding(error.rule, CHECK, error.message, remedy=error.remedy, path=error.path)
    signers = case.policy.vouch.signers
    entry = case.change.head.entry(signers)
    if case.change.head.is_folder(signers) or (entry is not None and not entry.is_file):
        yield finding("policy-unreadable", CHECK, "The signers file is no regular file.", path=signers)


def _missing(case: Case) -> Iterator[Finding]:
    for path in case.head.missing:
        if case.rules.authority == "default branch" and path in case.base.missing:
            # A branch cut before the ledgers came has none to lose; what it brings is judged when it is merged.
            continue
        yield finding("ledger-missing", CHECK, "The policy names this file, and it is not there.", path=path)


def _freeze_problems(case: Case) -> Iterator[Finding]:
    freeze = case.head.freeze
    if freeze is None:
        return
    beyond = horizon_problems(case.base.freeze, freeze, now=case.now, max_days=case.policy.freeze.max_days)
    for problem in (*freeze.problems, *beyond):
        yield finding(
            problem.rule, CHECK, problem.message, path=freeze.path, line=problem.line, subject=problem.subject
        )


def _row_under_policy(case: Case, row: Row) -> Iterator[Finding]:
    """What a row may not be under this policy, though it is well-formed in itself."""
    drafts, limit = case.policy.drafts, case.policy.quarantine.max_age_days
    if row.class_ == "draft":
        problem = append_problem(row) if row.id not in case.base.rows else None
        if problem is not None:
            yield _about(case, row, problem.message, problem.remedy)
        return
    if row.id.startswith(drafts) or any(path.startswith(drafts) for path in (*row.artifacts, row.seeds or "")):
        yield _about(
            case,
            row,
            f"A {row.class_} row names something below the drafts folder {drafts}, where no evidence comes from.",
            "A promotion moves the test and its files out of the drafts folder; let the row follow.",
        )
    if limit and row.class_ == "quarantine":
        opened = str(row.fields["opened"])
        age = (case.today - date.fromisoformat(opened)).days
        if age > limit:
            yield finding(
                "quarantine-stale",
                CHECK,
                f"Quarantined for {age} days, since {opened}; the policy's limit is {limit}.",
                path=case.head.ledger_of(row),
                line=row.line,
                subject=row.id,
            )


def _about(case: Case, row: Row, message: str, remedy: str | None) -> Finding:
    path = case.head.ledger_of(row)
    return finding("row-invalid", CHECK, message, remedy=remedy, path=path, line=row.line, subject=row.id)
