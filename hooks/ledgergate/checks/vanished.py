"""Rows whose tests are not there."""

from __future__ import annotations

from collections.abc import Iterator

from ledgergate.git import Snapshot
from ledgergate.ledger import file_of, split_id
from ledgergate.ledger.digests import source_file
from ledgergate.rules import finding
from ledgergate.values import Finding, State
from ledgergate.vouch import Case

_TAKE_OUT = "Agent, human: take the row out as well, or bring the file back; `ledgergate verify` would refuse it."


def what_is_missing(head: Snapshot, case_id: str) -> tuple[str, State] | None:
    """(message, state) for an id that its file does not define; a note where the text alone cannot tell."""
    file, names = split_id(case_id)
    # Without a name it is no function: a collector of data files takes the file itself for the test.
    if not file.endswith(".py") or names == ("",):
        return None
    entry = head.entry(file)
    if entry is None or not entry.is_file:
        return f"There is no file {file}, and the row of its test is still here.", State.FAIL
    from ledgergate.source.names import Defined, defines

    defined = defines(source_file(head, entry), names)
    if defined is Defined.NO:
        return f"{file} does not define {'::'.join(names)}, and its row is still here.", State.FAIL
    if defined is Defined.UNPARSED:
        return f"{file} cannot be parsed, so that nobody can say whether it defines {'::'.join(names)}.", State.UNSCORED
    if defined is Defined.UNKNOWN:
        return f"{file} may make {'::'.join(names)} while it runs; its text alone does not say.", State.PASS
    return None


def left_drafts(case: Case, check: str) -> Iterator[Finding]:
    """A note for each draft row that stays without the file of its test."""
    gone = {change.path for change in case.change.edits if change.new is None}
    if not gone or case.change.moment != "staged":
        return
    for row in case.head.ledgers.sound_rows:
        file = file_of(row.id)
        if row.class_ == "draft" and file in gone:
            message = f"{file} goes, and the draft row of this test stays."
            where = {"path": case.head.ledgers.ledger_of(row), "line": row.line, "subject": row.id}
            yield finding("test-removed", check, message, state=State.PASS, remedy=_TAKE_OUT, **where)  # type: ignore[arg-type]


def vanished_with_rows(case: Case, check: str) -> Iterator[Finding]:
    """A finding for each classified row that is still there while the change takes its test away, whoever made it."""
    edited = {change.path for change in case.change.edits if change.path.endswith(".py") and change.old is not None}
    if not edited:
        return
    for row in case.head.ledgers.sound_rows:
        file = file_of(row.id)
        if file not in edited or row.class_ == "draft":
            continue
        missing = what_is_missing(case.change.head, row.id)
        # What was not there before was not taken away by this change; `verify` tells of it.
        if missing is None or missing[1] is State.PASS or what_is_missing(case.change.base, row.id) is not None:
            continue
        message, state = missing
        where = {"path": file, "subject": row.id, "old": row.id}
        yield finding("test-removed", check, message, state=state, **where)  # type: ignore[arg-type]
