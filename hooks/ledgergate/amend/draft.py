"""A draft row for a test that was written."""

from __future__ import annotations

from ledgergate.amend.records import Amendment, RowChange, View
from ledgergate.amend.tests import refuse_undefined
from ledgergate.amend.wish import Wish
from ledgergate.errors import UsageError
from ledgergate.ledger import Row
from ledgergate.ledger.rows import Value


def plan_draft(view: View, id_: str, wish: Wish, source: str) -> Amendment:
    """The draft row for this id, in the ledger nearest to it. `source` says who proposes it: agent or human.

    Raises `UsageError` where the id has a row already, its test is not there, or the proposal says too little.
    """
    found = view.find(id_)
    if found is not None:
        row, ledger = found
        raise UsageError(f"{id_} has a {row.class_} row already (line {row.line} of {ledger}); an id has one row")
    class_ = wish.said_class
    fields: dict[str, Value]
    if class_ == "property":
        if not wish.invariant:
            raise UsageError("a draft of a property names what always holds: --invariant NAME")
        fields = {"invariant": wish.invariant, **({"seeds": wish.seeds} if wish.seeds else {})}
    elif class_ == "locked_fixture":
        if not wish.artifacts:
            raise UsageError("a draft of a locked_fixture names the golden that it would have: --artifact PATH")
        fields = {"artifact": wish.artifacts[0] if len(wish.artifacts) == 1 else wish.artifacts}
    else:
        raise UsageError("say what the test would be held to: --invariant NAME, or --artifact PATH")
    row = Row.of({"id": id_, "class": "draft", "source": source, "proposed_class": class_, **fields})
    tree = view.tree([id_.partition("::")[0], *wish.paths])
    refuse_undefined(tree, id_)
    return Amendment((RowChange(None, row, None, view.nearest_ledger(id_)),), tree)
