"""`test-guard`: does an edit make the tests prove less?

For an agent each loss refuses, or waits for a human; for a human it is a note. On a range only paths that a commit with
an agent's signal changed are judged.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from ledgergate.checks.vanished import left_drafts, vanished_with_rows
from ledgergate.checks.write_path import written
from ledgergate.git import PathChange
from ledgergate.values import Finding, Item, State
from ledgergate.vouch import Case, file_item, whole_files

CHECK = "test-guard"
_NOT_ITS_OWN = (
    "It is compared with the last commit: an agent may correct what it did on a branch only where each of its commits "
    "that changed the file carries an agent's signal, and where none of them lost anything."
)


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
        found = list(losses(case, edits, CHECK))
        if case.change.moment == "staged" and not all(loss.is_note for loss in found):
            found = _with_own_corrections(case, found, elsewhere)
        for loss in found:
            if (loss.path, loss.subject) not in told:
                yield _answered(case, loss)


def _with_own_corrections(case: Case, found: list[Finding], elsewhere: Collection[str | None]) -> list[Finding]:
    """The findings, where test files that only agents have changed on this branch are compared with where it began.

    What such a comparison finds beside what is edited now was lost by an earlier commit: then HEAD is what counts.
    """
    from ledgergate.checks.losses import losses
    from ledgergate.checks.unlanded import unlanded

    refused = {loss.path for loss in found if not loss.is_note}
    since = unlanded(case)
    if since.case is not None and refused & since.free:
        edits = [change for change in since.case.change.edits if change.path not in elsewhere and _could_lose(change)]
        again = list(losses(since.case, edits, CHECK))
        if {loss.path for loss in again} <= {change.path for change in case.change.edits}:
            told = {(loss.path, loss.rule, loss.line) for loss in again}
            kept = (one for one in found if one.path not in since.free and (one.path, one.rule, one.line) not in told)
            return [*kept, *again]
    return [_since_head(one) if one.path in since.touched and not one.is_note else one for one in found]


def _since_head(found: Finding) -> Finding:
    """The finding, saying why it is about the last commit."""
    return found._replace(message=f"{found.message} {_NOT_ITS_OWN}")


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
