"""What is said of a row that pins the source of a test: what changed in it, and that it has to be able to fail."""

from __future__ import annotations

from collections.abc import Iterator

from ledgergate.git import Snapshot
from ledgergate.ledger import Row
from ledgergate.rules import finding
from ledgergate.values import Finding

_MOST_LINES = 8
TEST_REMEDY = (
    "Agent: put the test back as it was (`git diff HEAD -- :PATH` shows what you changed), and mend the code instead. "
    "If the test itself is wrong, tell your human why.\n"
    "Human: if the test is right as it is now, `git add :PATH` and `ledgergate relock --staged`: it shows what "
    "changed, asks, writes the digests and stages the ledger; then commit."
)
_LAYOUT_REMEDY = (
    "Agent, human: only the layout changed, Python reads the test as before. `git add :PATH` and `ledgergate relock "
    "--staged` lets the digest follow, for agents too, where nothing else is staged that a row pins; then commit."
)
_BRING_BACK = (
    "Agent: bring the test back as it was, with `git restore --staged --worktree :PATH` (your edits of that file go).\n"
)
_GONE = (
    "Human: if it moved, `ledgergate collect --add` lets its row follow. If it is gone for good, `ledgergate collect "
    "--prune` takes its row out. Both show what they would write, and ask; then commit."
)
_CHECK_REMEDY = (
    "Agent: leave the test as it was; a test that cannot fail is no evidence.\n"
    "Human: let the test ask what the value is (`assert f(x) == 3`, `with pytest.raises(...)`); where it calls a "
    "helper of another file, name that helper as a further artifact; or give the row another class."
)


def missing_remedy(message: str) -> str:
    """How to go on with a pinned test that cannot be measured, by what was said of it."""
    if "cannot read it" in message:
        return f"{_BRING_BACK}Human: mend the file, or pin the test again with a Python that can read it."
    if "only one of them can count" in message:
        return f"{_BRING_BACK}Human: take all of these definitions but one away."
    return _BRING_BACK + _GONE


def of_a_test(found: Finding, base: Snapshot | None, head: Snapshot, artifact: str, row: Row) -> Finding:
    """A mismatch with the covered lines that came and went since `base`, and how to go on with a test."""
    from ledgergate.ledger.inline import changed_lines

    lines = () if base is None else changed_lines(base, head, artifact, _MOST_LINES)
    remedy = _LAYOUT_REMEDY if base is not None and _is_layout_only(base, head, row) else TEST_REMEDY
    return found._replace(message="\n".join((found.message, *lines)), remedy=remedy)


def _is_layout_only(base: Snapshot, head: Snapshot, row: Row) -> bool:
    """Whether `relock` would let anyone write the row's new digests."""
    from ledgergate.ledger.inline import is_layout_only
    from ledgergate.ledger.relock import Relocked, relock

    return all(isinstance(one, Relocked) and is_layout_only(base, head, row, one.new) for one in relock([row], head))


def without_a_check(head: Snapshot, row: Row, check_name: str, where: str) -> Iterator[Finding]:
    """A finding where the tests that the row pins cannot fail; `where` is the place of the row."""
    from ledgergate.ledger.inline import missing_check

    missing = missing_check(head, row)
    if missing is not None:
        path, message = missing
        yield finding("row-invalid", check_name, f"{message}.{where}", remedy=_CHECK_REMEDY, path=path, subject=row.id)
