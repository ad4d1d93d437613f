"""`test-guard`: does an edit make the tests prove less?

For an agent each loss refuses, or waits for a human; for a human it is a note. On a range only paths that a commit with
an agent's signal changed are judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ledgergate.checks.vanished import left_drafts, vanished_with_rows
from ledgergate.checks.write_path import written
from ledgergate.git import PathChange
from ledgergate.values import Finding, Item, State
from ledgergate.vouch import Case, file_item, whole_files

CHECK = "test-guard"


def check(case: Case) -> Iterator[Finding]:
    """Findings about where tests are edited and, where that is allowed, about what an edit takes away from them."""
    yield from left_drafts(case, CHECK)
    write_paths = [_answered(case, found) for found in written(case, CHECK)]
    yield from write_paths
    refused = {found.path for found in write_paths if not found.is_note}
    vanished = [found for found in vanished_with_rows(case, CHECK) if found.path not in refused]
    yield from vanished
    elsewhere = {found.path for found in write_paths}
    edits = [change for change in case.change.edits if change.path not in elsewhere and _could_lose(change)]
    if edits:
        from ledgergate.checks.losses import losses

        told = {(found.path, found.subject) for found in vanished}
        for loss in losses(case, edits, CHECK):
            if (loss.path, loss.subject) not in told:
                yield _answered(case, loss)


def waiting_items(case: Case, found: Iterable[Finding]) -> Iterator[Item]:
    """The files of a range whose edits by an agent somebody may approve, or has approved, as items of the contract."""
    if case.change.moment == "staged":
        return
    paths = {seen.path for seen in found if seen.path is not None}
    yield from whole_files(case, {path for path in paths if case.attribution.signals_on_path(path)})


def _answered(case: Case, found: Finding) -> Finding:
    """The finding; a note where, on a range, somebody has vouched for the file as it is now."""
    change = case.change.by_path.get(found.path or "")
    if case.change.moment == "staged" or found.is_note or change is None:
        return found
    who = case.vouching.of(file_item(case, change))
    if who is None:
        return found
    return found._replace(state=State.PASS, message=f"{found.message} Vouched for by {who}.", remedy="")


def _could_lose(change: PathChange) -> bool:
    return any(entry is not None and entry.is_file for entry in (change.old, change.new))
