"""What `ledgergate collect` prints: for a human, as JSON, and as a list of ids."""

from __future__ import annotations

from collections.abc import Iterator

from ledgergate.adopt.collect import Collection
from ledgergate.adopt.drift import Drift
from ledgergate.values import display_path, display_text

SCHEMA = "ledgergate-collect.v1"
_MOST_LISTED = 20


def drift_json(collection: Collection, drift: Drift) -> str:
    """One JSON object, whole."""
    import json

    document = {
        "schema": SCHEMA,
        "problem": collection.problem,
        "cases": len(collection.items),
        "deselected": list(collection.deselected),
        "unclassified": [{"id": item.id, "function": item.function} for item in drift.unclassified],
        "stale": [{"id": row.id, "ledger": path, "line": row.line, "why": why} for row, path, why, _ in drift.stale],
        "moved": [
            {"id": row.id, "ledger": path, "line": row.line, "new_id": new_id} for row, path, new_id in drift.moved
        ],
        "placeholders": [row.id for row in drift.placeholders],
        "params": [
            {"id": row.id, "ledger": path, "line": row.line, "params": row.params, "cases": cases}
            for row, path, cases in drift.counts
        ],
        "unheld": [row.id for row in drift.unheld],
    }
    return json.dumps(document, indent=1) + "\n"


def drift_text(collection: Collection, drift: Drift, *, whole: bool) -> str:
    """The text; lists of more than twenty entries are cut, unless `whole`."""
    return "".join(f"{line}\n" for line in _lines(collection, drift, whole))


def _lines(collection: Collection, drift: Drift, whole: bool) -> Iterator[str]:
    functions: dict[str, int] = {}
    for item in drift.unclassified:
        functions[item.function] = functions.get(item.function, 0) + 1
    covered = len(collection.items) - len(drift.unclassified)
    yield f"{_number(len(collection.items), 'case')} collected; {covered:,} with a row"
    if collection.problem:
        yield f"Not everything could be collected: {collection.problem}"
        if collection.may_be_the_interpreter:
            yield "  (--python PATH names the interpreter of the suite)"
    tests = [
        display_text(function) + (f" ({count:,} cases)" if count > 1 else "") for function, count in functions.items()
    ]
    yield from _section("without a row", "test", tests, whole)
    stale = [f"{display_text(row.id)} ({display_path(path)}:{row.line}): {why}" for row, path, why, _ in drift.stale]
    yield from _section("without a test", "row", stale, whole)
    moved = [f"{display_text(row.id)}\n    -> {display_text(new_id)}" for row, _, new_id in drift.moved]
    yield from _section("whose test has moved", "row", moved, whole)
    if drift.placeholders:
        yield f"{_number(len(drift.placeholders), 'row')} under a placeholder id: the test of the golden is not known."
    counts = [f"{display_text(row.id)}: params {row.params}, {_cases(cases)}" for row, _, cases in drift.counts]
    yield from _section("whose params is another number than that of its cases", "row", counts, whole)
    if drift.counts:
        yield "`ledgergate collect --params` shows what it would be, and asks."
    unheld = [display_text(row.id) for row in drift.unheld]
    yield from _section("whose digest no longer holds", "row", unheld, whole)
    if drift.unheld:
        yield "`ledgergate relock --all` shows what changed, and asks."
    if drift.unclassified or drift.moved:
        yield "Next: `ledgergate collect --add` shows rows for them, and asks."
    if drift.stale:
        yield "A row without a test is missing evidence: bring the test back, or correct the row;"
        yield "`ledgergate collect --prune` takes out the rows whose test is gone."


def _cases(cases: int | None) -> str:
    return "and the test has no parameters" if cases is None else f"{_number(cases, 'case')} that would run"


def _section(what: str, noun: str, entries: list[str], whole: bool) -> Iterator[str]:
    if not entries:
        return
    yield f"{_number(len(entries), noun)} {what}:"
    shown = entries if whole or len(entries) <= _MOST_LISTED + 1 else entries[:_MOST_LISTED]
    yield from (f"  {entry}" for entry in shown)
    if len(shown) < len(entries):
        yield f"  and {len(entries) - len(shown):,} more (--all lists them)"


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
