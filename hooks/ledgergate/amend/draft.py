"""A draft row for a test that was written."""

from __future__ import annotations

from ledgergate.amend.records import Amendment, RowChange, View
from ledgergate.amend.tests import refuse_undefined
from ledgergate.amend.wish import Wish
from ledgergate.errors import UsageError
from ledgergate.ledger import Row
from ledgergate.ledger.own import own_draft
from ledgergate.ledger.rows import Value


def plan_draft(view: View, id_: str, wish: Wish, source: str) -> Amendment:
    """The draft row for this id, in the ledger nearest to it. `source` says who proposes it: agent or human.

    Where the wish does not say what the test would be held to, that is its own source.

    Raises `UsageError` where the id has a row already, its test is not there, or the proposal says too little.
    """
    found = view.find(id_)
    if found is not None:
        row, ledger = found
        raise UsageError(f"{id_} has a {row.class_} row already (line {row.line} of {ledger}); an id has one row")
    row = _row(id_, wish, source)
    tree = view.tree([id_.partition("::")[0], *wish.paths])
    refuse_undefined(tree, id_)
    return Amendment((RowChange(None, row, None, view.nearest_ledger(id_)),), tree)


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
