"""`two-sided-diff`: no golden changes together with the code that it checks, unless its row says so."""

from __future__ import annotations

from collections.abc import Iterator

from ledgergate.git import PathChange
from ledgergate.ledger import Row
from ledgergate.policy.paths import PathClass, classify
from ledgergate.rules import finding
from ledgergate.values import Finding, display_path
from ledgergate.vouch import Case, Side

CHECK = "two-sided-diff"


def check(case: Case) -> Iterator[Finding]:
    """A finding for each golden that changed beside production code while its row's digest stood still."""
    goldens = [change.path for change in case.change.edits if _is_golden(case, change)]
    if not goldens:
        return
    production = next((change.path for change in case.change.edits if _is_production(case, change.path)), None)
    if production is None:
        return
    for path in goldens:
        if not _is_relocked(case, path):
            yield finding(
                "two-sided",
                CHECK,
                f"It changed together with production code ({display_path(production)}), and no row took a new digest.",
                path=path,
                subject=path,
            )


def _is_golden(case: Case, change: PathChange) -> bool:
    if change.old is not None and change.new is not None and change.old.oid == change.new.oid:
        return change.old.is_file != change.new.is_file
    return classify(case.policy, change.path) is PathClass.GOLDEN or any(
        _artifact_rows(side, change.path) for side in (case.base, case.head)
    )


def _is_production(case: Case, path: str) -> bool:
    pinned = case.base.ledgers.naming(path) or case.head.ledgers.naming(path)
    return not pinned and classify(case.policy, path) is PathClass.PRODUCTION


def _artifact_rows(side: Side, path: str) -> dict[str, Row]:
    """The rows by id that have the path as an artifact, or in a folder that is one; seeds are none."""
    return {
        row.id: row
        for row in side.ledgers.pinning(path)
        if any(path == artifact or (artifact.endswith("/") and path.startswith(artifact)) for artifact in row.artifacts)
    }


def _is_relocked(case: Case, path: str) -> bool:
    """Whether every row that pins the path came, went, or took other digests or artifacts with the change.

    In a merge the row must be another than each parent's: what one of them brought was meant for that parent's bytes.
    """
    old, new = _artifact_rows(case.base, path), _artifact_rows(case.head, path)
    rows = old.keys() | new.keys()
    return bool(rows) and all(
        _contract(case.head, row) != _contract(side, row)
        for row in rows
        for side in (case.base, *(tip for tip, _ in case.others))
    )


def _contract(side: Side, row_id: str) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    row = side.ledgers.rows.get(row_id)
    return None if row is None else (row.artifacts, row.digests)
