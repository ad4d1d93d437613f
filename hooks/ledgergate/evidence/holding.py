"""Whether a row that passed still holds: its digests and its seeds, over the files that were tested."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ledgergate.errors import LedgergateError
from ledgergate.evidence.gate import CHECK
from ledgergate.ledger import Measured, Row, measure, seed_files, split_id
from ledgergate.ledger.digests import source_file
from ledgergate.ledger.inline import missing_check
from ledgergate.rules import finding
from ledgergate.values import Finding, State, display_path

if TYPE_CHECKING:
    from ledgergate.git.files import Files


def measured_problems(tree: Files, row: Row) -> tuple[Finding, ...]:
    """What does not hold of one row; that it cannot be measured is UNSCORED."""
    try:
        return tuple(row_problems(tree, row))
    except LedgergateError as error:
        return (finding(error.rule, CHECK, error.message, state=State.UNSCORED, path=error.path, subject=row.id),)


def row_problems(tree: Files, row: Row) -> Iterator[Finding]:
    """What does not hold of one row; none where its pass is evidence."""
    for artifact, digest in zip(row.artifacts, row.digests, strict=False):
        measured = _measure(tree, row, artifact)
        if measured.rule is not None:
            yield finding(measured.rule, CHECK, f"{measured.message}.", path=artifact, subject=row.id)
        elif measured.digest != digest:
            message = measured.message or f"{display_path(artifact)} does not hash to the digest in its row."
            old, new = digest, measured.digest
            yield finding("digest-mismatch", CHECK, message, path=artifact, subject=row.id, old=old, new=new)
    if row.is_inline and (missing := missing_check(tree, row)) is not None:
        yield finding("row-invalid", CHECK, missing[1], path=missing[0], subject=row.id)
    if row.seeds is not None and not seed_files(tree, row.seeds):
        message = f"The seed folder {row.seeds} holds no file that counts (not empty, no dotfile)."
        yield finding("seeds-empty", CHECK, message, path=row.seeds, subject=row.id)
    if _is_expected_to_fail(tree, row):
        message = "A mark expects it to fail, so that its pass is no pass; only a strict mark says so in the report."
        yield finding("case-missing", CHECK, message, path=split_id(row.id)[0], subject=row.id)


def _is_expected_to_fail(tree: Files, row: Row) -> bool:
    """Whether the test has a mark that holds under every condition, as far as the file's text tells."""
    path, names = split_id(row.id)
    entry = tree.entry(path) if path.endswith(".py") else None
    data = source_file(tree, entry) if entry is not None and entry.is_file else b""
    if b"xfail" not in data:
        return False
    from ledgergate.source.strength import Strength, check_strength

    return check_strength(data, names) is Strength.SKIPPED


def _measure(tree: Files, row: Row, artifact: str) -> Measured:
    """On the disk stand the real bytes of a file under Git LFS, where they were fetched; else its pointer."""
    measured = measure(tree, artifact, lfs=row.lfs, allow_empty=row.allow_empty)
    if row.lfs and measured.rule == "lfs-pointer-invalid":
        return measure(tree, artifact, allow_empty=row.allow_empty)
    return measured
