"""A test that is held to its own source: its artifact, and the draft row that proposes it."""

from __future__ import annotations

from ledgergate.ledger.paths import split_id
from ledgergate.ledger.rows import Row


def own_source(id_: str) -> str:
    """The inline artifact of a test: itself, without parameters."""
    file, names = split_id(id_)
    return "::".join((file, *names))


def own_draft(id_: str, source: str = "agent") -> Row:
    """The draft row that `ledgergate draft ID` appends. `source` says who proposes it: agent or human."""
    proposed = {"proposed_class": "locked_fixture", "artifact": own_source(id_)}
    return Row.of({"id": id_, "class": "draft", "source": source, **proposed})
