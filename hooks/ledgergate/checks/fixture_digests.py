"""`fixture-digests`: what the rows pin is there, and is what they say."""

from __future__ import annotations

from collections.abc import Iterator

from ledgergate.checks.collisions import colliding_artifacts
from ledgergate.checks.lfs_sizes import contradicted_sizes
from ledgergate.checks.new_goldens import how_to_classify
from ledgergate.checks.pinned_tests import TEST_REMEDY, missing_remedy, of_a_test, without_a_check
from ledgergate.git import PathChange, Snapshot
from ledgergate.ledger import Row, measure, seed_files, split_artifact
from ledgergate.policy.paths import PathClass, classify
from ledgergate.rules import finding
from ledgergate.values import Finding
from ledgergate.vouch import Case, Side

CHECK = "fixture-digests"
_NEVER_STAGED = (
    "Agent, human: write the file, and stage it with `git add :PATH` (`git add -N` only announces it); or correct "
    "`artifact` in its row."
)
_STILL_EMPTY = (
    "Agent, human: write its content, and stage it with `git add :PATH`.\n"
    "Human: or write `allow_empty: true` in the row."
)
_CONTRACT_RULES = frozenset({"digest-changed", "artifact-changed", "invariant-changed", "seeds-changed"})


def check(case: Case) -> Iterator[Finding]:
    """Recompute what the change can have affected, no more; and list which contracts changed."""
    for row in affected_rows(case):
        for problem in row_problems(case.head, row, CHECK, base=case.change.base):
            yield _as_the_change_made_it(case, problem)
    yield from contradicted_sizes(case, CHECK)
    yield from colliding_artifacts(case, CHECK)
    yield from unclassified_goldens(case)
    yield from _contract_changes(case)
    yield from _grown_seeds(case)


def _as_the_change_made_it(case: Case, problem: Finding) -> Finding:
    """The finding with a remedy that mends: restoring the golden does not where only its row changed, or it is new."""
    path, rule = problem.path or "", problem.rule
    if rule == "artifact-missing" and not _is_in(case.base, path):
        return problem._replace(remedy=_NEVER_STAGED)
    if rule == "artifact-empty" and not _is_in(case.base, path):
        return problem._replace(remedy=_STILL_EMPTY)
    if rule not in ("digest-mismatch", "lfs-pointer-invalid") or path in case.change.by_path:
        return problem
    agent, _, rest = problem.remedy.partition("\n")
    if not agent.startswith("Agent: "):
        return problem
    what = "test" if problem.remedy == TEST_REMEDY else "golden"
    agent = f"Agent: the {what} is as it was, its row is not: put the row back as it was."
    return problem._replace(remedy=f"{agent}\n{rest}")


def _is_in(side: Side, path: str) -> bool:
    return side.snapshot.entry(path) is not None or side.snapshot.is_folder(path.rstrip("/"))


def affected_rows(case: Case) -> tuple[Row, ...]:
    """The rows of head that are new or edited, or that pin something that changed; drafts pin nothing."""
    affected: dict[str, Row] = {}
    head = case.head.ledgers
    if head is not case.base.ledgers:
        base = case.base.ledgers.rows
        for row in head.sound_rows:
            old = base.get(row.id)
            if old is not row and row.class_ != "draft" and (old is None or old.fields != row.fields):
                affected[row.id] = row
    for change in case.change.paths:
        affected.update((row.id, row) for row in case.head.ledgers.pinning(change.path))
    return tuple(affected.values())


def row_problems(side: Side, row: Row, check_name: str, *, base: Snapshot | None = None) -> Iterator[Finding]:
    """What does not hold of one row: its artifacts against its digests, the checks of its tests, its seed folder.

    With `base`, what changed in a test is shown.
    """
    for artifact, digest in zip(row.artifacts, row.digests, strict=False):
        measured = measure(side.snapshot, artifact, lfs=row.lfs, allow_empty=row.allow_empty)
        path, names = split_artifact(artifact)
        if measured.rule is not None:
            found = _about(side, row, check_name, measured.rule, measured.message or "", path)
            is_test = names and measured.rule == "artifact-missing"
            yield found._replace(remedy=missing_remedy(found.message)) if is_test else found
        elif measured.digest != digest:
            message = measured.message or f"{artifact} does not hash to the digest in its row."
            found = _about(side, row, check_name, "digest-mismatch", message, path, old=digest, new=measured.digest)
            yield of_a_test(found, base, side.snapshot, artifact, row) if names else found
    if row.is_inline:
        yield from without_a_check(side.snapshot, row, check_name, _where(side, row))
    if row.seeds is not None and not seed_files(side.snapshot, row.seeds):
        message = f"The seed folder {row.seeds} holds no file that counts (not empty, no dotfile)."
        yield _about(side, row, check_name, "seeds-empty", message, row.seeds)


def _about(
    side: Side,
    row: Row,
    check_name: str,
    rule: str,
    message: str,
    path: str,
    *,
    old: str | None = None,
    new: str | None = None,
) -> Finding:
    return finding(rule, check_name, message + _where(side, row), path=path, subject=row.id, old=old, new=new)


def _where(side: Side, row: Row) -> str:
    return f" (row at {side.ledgers.ledger_of(row)}:{row.line})"


def unclassified_goldens(case: Case) -> Iterator[Finding]:
    """A finding for each golden that changed, is new or lost its row, and that no classified row names."""
    changed = [change.path for change in case.change.edits if _is_unclassified(case, change)]
    orphaned = [path for path in _unpinned(case) if path not in case.change.by_path]
    for path in (*changed, *orphaned):
        yield finding(
            "golden-unclassified",
            CHECK,
            "It lies under the policy's golden paths, and no classified row of the ledger in git names it.",
            remedy=how_to_classify(case, changed) if path in changed else None,
            path=path,
            subject=path,
        )


def _unpinned(case: Case) -> Iterator[str]:
    """The goldens whose rows the change took away while the files stayed; without a policy nothing is a golden."""
    if case.takes_policy_away:
        return
    base, head = case.base.ledgers, case.head.ledgers
    for pinned, rows in () if base is head else base.pinned.items():
        # Of most paths the change left the rows as they were.
        if head.pinned.get(pinned) == rows or head.is_named(pinned) or not base.is_named(pinned):
            continue
        within = case.change.head.files(pinned) if pinned.endswith("/") else ((pinned, case.change.head.entry(pinned)),)
        for path, entry in within:
            if entry is not None and _is_golden(case, path) and not head.is_classified(path):
                yield path


def _is_unclassified(case: Case, change: PathChange) -> bool:
    if change.new is None or _is_same_file(change) or not _is_golden(case, change.path):
        return False
    return not case.head.ledgers.is_classified(change.path)


def _is_same_file(change: PathChange) -> bool:
    old, new = change.old, change.new
    return old is not None and new is not None and old.is_file and new.is_file and old.oid == new.oid


def _is_golden(case: Case, path: str) -> bool:
    policies = (case.policy, case.head_policy) if case.head_policy else (case.policy,)
    return any(classify(policy, path) is PathClass.GOLDEN for policy in policies)


def _contract_changes(case: Case) -> Iterator[Finding]:
    for difference in case.differences:
        if difference.rule in _CONTRACT_RULES:
            yield finding(
                "contract-change",
                CHECK,
                "For review: what this test is held to changed.",
                path=difference.path,
                line=difference.line,
                subject=difference.subject,
                old=difference.old,
                new=difference.new,
            )


def _grown_seeds(case: Case) -> Iterator[Finding]:
    grown: dict[str, int] = {}
    for change in case.change.edits:
        if change.old is None:
            folders = {row.seeds for row in case.head.ledgers.pinning(change.path) if row.seeds}
            for folder in folders:
                grown[folder] = grown.get(folder, 0) + 1
    for folder, count in grown.items():
        plural = "file" if count == 1 else "files"
        yield finding(
            "contract-change", CHECK, f"The seed folder grew by {count} {plural}.", path=folder, subject=folder
        )
