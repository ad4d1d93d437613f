"""How to go on with goldens that no row names, as far as the change itself tells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ledgergate.ledger import Row, measure
from ledgergate.ledger.paths import PLACEHOLDER
from ledgergate.ledger.rows import Value
from ledgergate.rules.undo import UNDO
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
    digests = {path: digest for path, digest in measured.items() if digest is not None}
    if not digests:
        return None
    return "\n".join((*_for_an_agent(case, paths), *_for_a_human(case, digests)))


def _for_an_agent(case: Case, paths: Sequence[str]) -> Iterator[str]:
    drafts = case.policy.drafts
    if any(case.change.by_path[path].old is not None for path in paths):
        yield f"Agent: {UNDO}; a new golden is a draft."
        return
    yield (
        f"Agent: move it below the drafts folder (in the root: `mkdir -p {drafts} && git mv PATH {drafts}`), and "
        f"append to {case.policy.ledger[0]}, with the id of your test there (or let `ledgergate draft` do it):"
    )
    for path in paths:
        identity = {"id": f"{drafts[:-1]}{PLACEHOLDER}", "class": "draft", "source": "agent"}
        yield from _row({**identity, "proposed_class": "locked_fixture", "artifact": drafts + path.rpartition("/")[2]})


def _for_a_human(case: Case, digests: Mapping[str, str]) -> Iterator[str]:
    """A row for each golden; or, where their names tell that its test has one already, that row grown by it."""
    grown = dict(_grown_rows(case, digests))
    for path, row in grown.items():
        where = f"{case.head.ledgers.ledger_of(row)}:{row.line}"
        yield f"Human: {row.id} has a row already, {where}; if it reads {path}, let it say so, and stage the ledger:"
        lists = {"artifact": (*row.artifacts, path), "digest": (*row.digests, digests[path])}
        yield from _row({**row.fields, **lists})
    others = {path: digest for path, digest in digests.items() if path not in grown}
    if others:
        yield (
            "Human: where a new test reads it, `ledgergate collect --add` shows rows for both, and asks. Else append "
            f"to {case.policy.ledger[0]}, with the id of the test that reads it, and stage the ledger:"
        )
    for path, digest in others.items():
        identity = {"id": f"{_folder_of_tests(case)}{PLACEHOLDER}", "class": "locked_fixture"}
        yield from _row({**identity, "artifact": path, "digest": digest})


def _folder_of_tests(case: Case) -> str:
    """The folder that holds the one of drafts, which `init` puts beside the tests."""
    return case.policy.drafts.rstrip("/").rpartition("/")[0] or "tests"


def _grown_rows(case: Case, digests: Mapping[str, str]) -> Iterator[tuple[str, Row]]:
    from ledgergate.ledger.match import Matcher

    rows = {row.id: row for row in case.head.ledgers.sound_rows if row.class_ == "locked_fixture"}
    matcher = Matcher(rows, digests)
    for path in digests:
        ids = matcher.match(path).ids
        if len(ids) == 1 and len(rows[ids[0]].artifacts) == len(rows[ids[0]].digests):
            yield path, rows[ids[0]]


def _row(fields: Mapping[str, Value]) -> Iterator[str]:
    from ledgergate.ledger.row_text import row_lines

    yield from (f"  {line.rstrip()}" for line in row_lines(Row.of(fields)))


def _is_renamed(case: Case, path: str) -> bool:
    """Whether the bytes of a golden that a row still names elsewhere stand at this path now."""
    new = case.change.by_path[path].new
    return new is not None and any(
        change.new is None and change.old is not None and change.old.oid == new.oid
        for change in case.change.paths
        if case.head.ledgers.naming(change.path)
    )
