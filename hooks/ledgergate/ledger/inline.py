"""Rows that pin a test's own source: whether such a test can fail, and what changed in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ledgergate.ledger.digests import measure, source_file
from ledgergate.ledger.paths import has_reader, split_artifact
from ledgergate.ledger.rows import Row
from ledgergate.values import display_path

if TYPE_CHECKING:
    from ledgergate.git import Snapshot
    from ledgergate.git.files import Files


def source_of(snapshot: Files, artifact: str) -> bytes | None:
    """The covered source of an inline artifact, as its digest sees it; None where the snapshot has none.

    Where there is no reader for the language that is the whole file.
    """
    from ledgergate.source.inline import covered_text
    from ledgergate.source.text import Unreadable

    path, names = split_artifact(artifact)
    entry = snapshot.entry(path)
    if entry is None or not entry.is_file:
        return None
    data = source_file(snapshot, entry)
    if not has_reader(artifact):
        return data
    text = covered_text(data, names)
    return None if isinstance(text, Unreadable) else f"{text}\n".encode("utf-8", "surrogatepass")


def missing_check(snapshot: Files, row: Row) -> tuple[str, str] | None:
    """(path, message) where no test that the row pins holds a check that can fail; None where one does.

    Tests that cannot be read or found are no matter of this; for languages without a reader nobody can tell.
    """
    from ledgergate.source.strength import Strength, strength_without_marks

    found: dict[Strength, str] = {}
    for artifact in row.artifacts:
        path, names = split_artifact(artifact)
        if not names:
            continue
        entry = snapshot.entry(path)
        if not has_reader(artifact) or entry is None or not entry.is_file:
            return None
        found.setdefault(strength_without_marks(source_file(snapshot, entry), names), artifact)
    if Strength.CAN_FAIL in found or Strength.UNKNOWN in found or not found:
        return None
    if Strength.WEAK in found:
        artifact = found[Strength.WEAK]
        lack = "only asks that there is something (not None, true): let it say what, by `is True` or `== VALUE`"
    else:
        artifact = found[Strength.NONE]
        lack = "holds no check that can fail: no assert but those that always hold, no `raises`, no assert_... call"
    return split_artifact(artifact)[0], f"{display_path(artifact)} {lack}"


def is_layout_only(base: Snapshot, head: Snapshot, old: Row, new: Row) -> bool:
    """Whether a row took new digests, and nothing else, for tests of which only the layout became another.

    Both rows hold in their snapshots, and the covered sources have equal syntax trees: comments, blank lines, line
    breaks, quoting and brackets that mean nothing.
    """
    if {**old.fields, "digest": ""} != {**new.fields, "digest": ""} or len(old.digests) != len(new.digests):
        return False
    pairs = zip(old.artifacts, old.digests, new.digests, strict=False)
    changed = [pair for pair in pairs if pair[1] != pair[2]]
    return bool(changed) and all(
        measure(base, artifact).digest == before
        and measure(head, artifact).digest == after
        and _has_equal_trees(base, head, artifact)
        for artifact, before, after in changed
    )


def _has_equal_trees(base: Snapshot, head: Snapshot, artifact: str) -> bool:
    if not has_reader(artifact):
        return False
    from ledgergate.source.inline import differ_in_layout_only

    path, names = split_artifact(artifact)
    return differ_in_layout_only(base.read(path), head.read(path), names)


def changed_lines(base: Snapshot, head: Snapshot, artifact: str, longest: int) -> Iterator[str]:
    """The covered lines that came and went, each behind `+` or `-`: at most `longest`, and one that counts the rest."""
    from ledgergate.git.patch import text_patch

    old, new = source_of(base, artifact), source_of(head, artifact)
    if old is None or new is None:
        return
    lines = [line.decode("utf-8", "replace") for line in text_patch(old, new) if line[:1] in (b"-", b"+")]
    yield from lines[:longest]
    if len(lines) > longest:
        yield f"... and {len(lines) - longest} more"
