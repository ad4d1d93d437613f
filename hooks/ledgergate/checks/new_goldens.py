"""How to go on with goldens that no row names, as far as the change itself tells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ledgergate.ledger import Row, measure
from ledgergate.vouch import Case

_MOST_ROWS = 5


def how_to_classify(case: Case, paths: Sequence[str]) -> str | None:
    """The remedy for goldens without a row, the same for all of them; None where the catalogue's says enough."""
    if len(paths) > _MOST_ROWS:
        return None
    renamed = [path for path in paths if _is_renamed(case, path)]
    if len(renamed) == len(paths):
        return "Agent, human: a golden was renamed; its row's `artifact` has to follow."
    measured = {path: measure(case.head.snapshot, path, allow_empty=True).digest for path in paths}
    rows = [row for path, digest in measured.items() if digest for row in _row(path, digest)]
    if not rows:
        return None
    human = f"Human: append to {case.policy.ledger[0]}, with the id of the test that reads it, and stage the ledger:"
    return "\n".join((_for_an_agent(case, paths), human, *rows))


def _for_an_agent(case: Case, paths: Sequence[str]) -> str:
    drafts = case.policy.drafts
    if any(case.change.by_path[path].old is not None for path in paths):
        return "Agent: put an edited golden back with `git restore --staged --worktree :PATH`; a new one is a draft."
    return (
        f"Agent: move it below the drafts folder (at the top: `mkdir -p {drafts} && git mv PATH {drafts}`), and append "
        "a `draft` row that names it there."
    )


def _row(path: str, digest: str) -> Iterator[str]:
    from ledgergate.ledger.row_text import row_lines

    row = Row.of({"id": "tests/FILE.py::NAME", "class": "locked_fixture", "artifact": path, "digest": digest})
    yield from (f"  {line.rstrip()}" for line in row_lines(row))


def _is_renamed(case: Case, path: str) -> bool:
    """Whether the bytes of a golden that a row still names elsewhere stand at this path now."""
    new = case.change.by_path[path].new
    return new is not None and any(
        change.new is None and change.old is not None and change.old.oid == new.oid
        for change in case.change.paths
        if case.head.ledgers.pinning(change.path)
    )
