"""A draft row for a test that was written."""

from __future__ import annotations

from collections.abc import Sequence

from ledgergate.amend.records import Amendment, RowChange, View
from ledgergate.amend.tests import other_tests, refuse_undefined
from ledgergate.amend.wish import Wish
from ledgergate.errors import UsageError
from ledgergate.git import Snapshot
from ledgergate.ledger import Row
from ledgergate.ledger.own import own_draft
from ledgergate.ledger.rows import Value

_MOST_NAMED = 20


def plan_drafts(view: View, ids: Sequence[str], wish: Wish, source: str) -> Amendment:
    """The draft rows for these ids, each in the ledger nearest to it. `source` says who proposes them: agent or human.

    Where the wish does not say what the tests would be held to, that is their own source.

    Raises `UsageError` where an id has a row already, its test is not there, or the proposal says too little.
    """
    if len(ids) > 1 and wish != Wish(class_=wish.class_, inline=wish.inline):
        raise UsageError("--artifact, --invariant and --seeds speak of one test, and go with one id")
    tree = view.tree([*(id_.partition("::")[0] for id_ in ids), *wish.paths])
    return Amendment(tuple(_change(view, tree, id_, wish, source) for id_ in dict.fromkeys(ids)), tree)


def _change(view: View, tree: Snapshot, id_: str, wish: Wish, source: str) -> RowChange:
    found = view.find(id_)
    if found is not None:
        row, ledger = found
        raise UsageError(f"{id_} has a {row.class_} row already (line {row.line} of {ledger}); an id has one row")
    row = _row(id_, wish, source)
    _refuse_a_file(view, tree, id_)
    refuse_undefined(tree, id_)
    return RowChange(None, row, None, view.nearest_ledger(id_))


def _refuse_a_file(view: View, tree: Snapshot, id_: str) -> None:
    """Raises `UsageError` for the name of a Python file, saying which of its tests have no row."""
    if "::" in id_ or not id_.endswith(".py"):
        return
    tests = [f"{id_}::{name}" for name in other_tests(tree, id_, set()) or ()]
    waiting = [test for test in tests if view.find(test) is None]
    more = f" and {len(waiting) - _MOST_NAMED} more" if len(waiting) > _MOST_NAMED else ""
    named = f" Without a row in it: {' '.join(waiting[:_MOST_NAMED])}{more}" if waiting else ""
    raise UsageError(f"{id_} is a file, and a row is about one test: FILE::NAME.{named}")


def _row(id_: str, wish: Wish, source: str) -> Row:
    if wish.said_class == "property":
        if not wish.invariant:
            raise UsageError("a draft of a property names what always holds: --invariant NAME")
        fields: dict[str, Value] = {"proposed_class": "property", "invariant": wish.invariant}
        return Row.of(
            {"id": id_, "class": "draft", "source": source, **fields, **({"seeds": wish.seeds} if wish.seeds else {})}
        )
    row, artifacts = own_draft(id_, source), wish.held_of(id_, ())
    return Row.of({**row.fields, "artifact": artifacts[0] if len(artifacts) == 1 else artifacts})
