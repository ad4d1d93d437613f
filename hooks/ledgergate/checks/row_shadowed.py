"""`row-shadowed`: a draft row may not stand for a test that is somebody's contract already."""

from __future__ import annotations

from collections.abc import Iterator

from ledgergate.checks.new_tests import is_new_test_file
from ledgergate.git import Snapshot
from ledgergate.ledger import Row, split_id
from ledgergate.rules import finding
from ledgergate.values import Finding
from ledgergate.vouch import Case

# `ledger-schema` says it, too, in place of what it would say of such a row.
CHECK = "ledger-edits"


def shadowing_drafts(case: Case) -> Iterator[Finding]:
    """A finding for each draft row that covers what another row covers, or names a test function of base.

    The second is asked of new and changed rows only: once the function of an older draft has landed, its row is old.
    """
    rows = case.head.ledgers.rows.values()
    drafts = [row for row in rows if row.class_ == "draft"]
    if not drafts:
        return
    # Ids of one function are alike up to a bracket; of the thousands of rows few are as any draft is.
    starts = {row.id.partition("[")[0] for row in drafts}
    likely = [row for row in rows if row.class_ != "draft" and row.id.partition("[")[0] in starts]
    classified = {_function(row.id): row for row in likely}
    for row in drafts:
        other = classified.get(_function(row.id))
        if other is not None:
            yield _shadowed(case, row, f"it covers what the {other.class_} row of {other.id} covers")
        elif _is_new(case, row) and _exists_in_base(case, row):
            yield _shadowed(case, row, "the test exists already, outside the drafts folder")


def _function(test_id: str) -> str:
    """The id without parameters."""
    file, names = split_id(test_id)
    return "::".join((file, *names))


def _is_new(case: Case, row: Row) -> bool:
    old = case.base.ledgers.rows.get(row.id)
    return old is None or (old is not row and old.fields != row.fields)


def _exists_in_base(case: Case, row: Row) -> bool:
    file, names = split_id(row.id)
    if file.startswith(case.policy.drafts) or is_new_test_file(case, file):
        return False
    entry = case.change.base.entry(file)
    if entry is None or not entry.is_file:
        return False
    return _may_define(case.change.base, file, names)


def _may_define(base: Snapshot, file: str, names: tuple[str, ...]) -> bool:
    source = base.read(file)
    if file.endswith(".py"):
        from ledgergate.source.names import Defined, defines

        return defines(source, names) is not Defined.NO
    return names[-1].encode("utf-8", "surrogateescape") in source


def _shadowed(case: Case, row: Row, reason: str) -> Finding:
    return finding(
        "row-shadowed",
        CHECK,
        f"A draft row may not stand for a test that has its place: {reason}.",
        path=case.head.ledgers.ledger_of(row),
        line=row.line,
        subject=row.id,
    )
