"""`ledger-schema`: both ledgers and the policy are well-formed. Whoever made it, a broken one is refused."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from ledgergate.actors.signals import parse_signal
from ledgergate.checks.new_tests import may_hold_drafts
from ledgergate.checks.readable import missing_freeze_ledger, missing_ledger, undoubling_remedy, unreadable_policy
from ledgergate.checks.row_shadowed import shadowing_drafts
from ledgergate.errors import LedgergateError
from ledgergate.freeze import horizon_problems
from ledgergate.ledger import Row, append_problem, file_of
from ledgergate.policy.model import POLICY_PATH
from ledgergate.rules import finding
from ledgergate.values import Finding, State
from ledgergate.vouch import Case

CHECK = "ledger-schema"


def check(case: Case) -> Iterator[Finding]:
    """A finding for each thing that is wrong with head's ledgers, freeze ledger, policy or signers file."""
    yield from _policy_problems(case)
    yield from missing_ledger(case, CHECK)
    yield from missing_freeze_ledger(case, CHECK)
    for path, problem in case.head.ledgers.problems:
        yield finding(
            problem.rule,
            CHECK,
            problem.message,
            remedy=undoubling_remedy(case, path, problem),
            path=path,
            line=problem.line,
            subject=problem.subject,
        )
    yield from _freeze_problems(case)
    yield from _appended_drafts(case)
    yield from _rows_below_drafts(case)
    yield from _stale_quarantine(case)


def _policy_problems(case: Case) -> Iterator[Finding]:
    yield from unreadable_policy(case, CHECK)
    try:
        for signal in case.head_policy.identity.agents if case.head_policy else ():
            parse_signal(signal)
    except ValueError as error:
        yield finding("policy-unreadable", CHECK, f"[identity] agents: {error}", path=POLICY_PATH)
    yield from _signers_problems(case)


def _signers_problems(case: Case) -> Iterator[Finding]:
    head = case.change.head
    for path in {policy.vouch.signers for policy in (case.policy, case.head_policy) if policy is not None}:
        if head.entry(path) is None and not head.is_folder(path):
            continue
        from ledgergate.vouch.acks.signers_file import read_signers_at

        try:
            read_signers_at(head, path)
        except LedgergateError as error:
            yield finding(error.rule, CHECK, error.message, remedy=error.remedy, path=error.path)


def _freeze_problems(case: Case) -> Iterator[Finding]:
    freeze = case.head.freeze
    if freeze is None:
        return
    beyond = horizon_problems(case.base.freeze, freeze, now=case.now, max_days=case.policy.freeze.max_days)
    for problem in (*freeze.problems, *beyond):
        yield finding(
            problem.rule, CHECK, problem.message, path=freeze.path, line=problem.line, subject=problem.subject
        )


def _appended_drafts(case: Case) -> Iterator[Finding]:
    """A draft that is appended already names what it proposes, and its test lives below the drafts folder."""
    if case.head.ledgers is case.base.ledgers:
        return
    drafts = case.policy.drafts
    new = [
        row for row in case.head.ledgers.sound_rows if row.class_ == "draft" and row.id not in case.base.ledgers.rows
    ]
    misplaced = {row.id for row in new if _is_misplaced(case, row)}
    # A test that has its place is told as that, in the words of the check that looks for it.
    shadowing = {seen.subject: seen for seen in shadowing_drafts(case)} if misplaced else {}
    for row in new:
        problem = append_problem(row)
        if problem is not None:
            yield _about(case, row, problem.message, problem.remedy)
        if row.id in misplaced:
            message = f"A new draft's test lives below the drafts folder, {drafts}, until a human promotes it."
            if case.policy.agent_new_tests:
                message = f"A new draft's test lives below {drafts}, or in a new test file that holds drafts alone."
            remedy = f"Move the test to {drafts}, and let the row's id follow."
            yield shadowing.get(row.id) or _about(case, row, message, remedy)


def _is_misplaced(case: Case, row: Row) -> bool:
    file = file_of(row.id)
    is_free = row.id.startswith(case.policy.drafts) or may_hold_drafts(case, file)
    return file.rstrip().endswith(".py") and not is_free


def _rows_below_drafts(case: Case) -> Iterator[Finding]:
    drafts, ledgers = case.policy.drafts, case.head.ledgers
    named = [row for row in ledgers.sound_rows if row.id.startswith(drafts) and row.class_ != "draft"]
    pinning = [row for path, rows in ledgers.pinned.items() if path.startswith(drafts) for row in rows]
    pinning += [row for row in ledgers.sound_rows if row.class_ == "quarantine" and _lies_below(row, drafts)]
    for row in {row.id: row for row in (*named, *pinning)}.values():
        yield _about(
            case,
            row,
            f"A {row.class_} row names something below the drafts folder {drafts}, where no evidence comes from.",
            "A promotion moves the test and its files out of the drafts folder; let the row follow.",
        )


def _lies_below(row: Row, folder: str) -> bool:
    return any(path.startswith(folder) for path in row.artifacts)


def _stale_quarantine(case: Case) -> Iterator[Finding]:
    """A finding for each row that is older than policy allows; a note at a commit that leaves the row as it was.

    Time alone made it stale then, and whoever commits something else could not go on. Ranges and whole trees tell.
    """
    limit, base = case.policy.quarantine.max_age_days, case.base.ledgers.rows
    quarantined = [row for row in case.head.ledgers.sound_rows if limit and row.class_ == "quarantine"]
    for row in quarantined:
        opened = str(row.fields["opened"])
        age = (case.today - date.fromisoformat(opened)).days
        if age > limit:
            old = base.get(row.id)
            is_untouched = case.change.moment == "staged" and old is not None and old.fields == row.fields
            yield finding(
                "quarantine-stale",
                CHECK,
                f"Quarantined for {age} days, since {opened}; the policy's limit is {limit}.",
                state=State.PASS if is_untouched else None,
                path=case.head.ledgers.ledger_of(row),
                line=row.line,
                subject=row.id,
            )


def _about(case: Case, row: Row, message: str, remedy: str | None) -> Finding:
    path = case.head.ledgers.ledger_of(row)
    return finding("row-invalid", CHECK, message, remedy=remedy, path=path, line=row.line, subject=row.id)
