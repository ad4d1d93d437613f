"""Rows that go into quarantine, and come out of it."""

from __future__ import annotations

from datetime import date

from ledgergate.amend.records import Amendment, RowChange, View
from ledgergate.amend.tests import refuse_undefined
from ledgergate.amend.wish import Wish, kept_fields, locked_row, property_row
from ledgergate.errors import UsageError
from ledgergate.ledger import Row
from ledgergate.ledger.own import own_source
from ledgergate.ledger.rows import Value


def plan_quarantine(view: View, id_: str, reason: str, owner: str, today: date) -> Amendment:
    """A quarantine row, opened today, in place of the row that the test has, or beside the others where it has none.

    Raises `UsageError` where the test is not there, is a draft, or is in quarantine already.
    """
    for name, text in (("--reason", reason), ("--owner", owner)):
        if not text.strip():
            raise UsageError(f"{name} is empty")
    found = view.find(id_)
    old, ledger = found if found is not None else (None, None)
    if old is not None and old.class_ == "quarantine":
        since = f"since {old.fields.get('opened')}; {old.fields.get('owner')} looks after it"
        raise UsageError(f"{id_} is in quarantine already, {since}. Another reason or owner is an edit of its row")
    if id_.startswith(view.policy.drafts) or (old is not None and old.class_ == "draft"):
        raise UsageError(f"{id_} is a draft, and no evidence as it is; only `ledgergate promote` changes that")
    tree = view.tree([id_.partition("::")[0]])
    refuse_undefined(tree, id_)
    fields: dict[str, Value] = {"opened": today.isoformat(), "reason": reason, "owner": owner}
    if old is not None and old.named_paths and not old.is_inline and old.class_ == "locked_fixture":
        # Its golden would otherwise be one that no row names.
        fields["artifact"] = old.fields["artifact"]
    row = Row.of({"id": id_, "class": "quarantine", **fields, **kept_fields(old)})
    return Amendment((RowChange(old, row, ledger, ledger or view.nearest_ledger(id_)),), tree)


def plan_release(view: View, id_: str, wish: Wish) -> Amendment:
    """The quarantined test as a `locked_fixture` or a `property` again, held to what the wish says.

    Without a word that is the golden which its row still names, or else the test's own source.

    Raises `UsageError` where it is in no quarantine, or the wish says too little.
    """
    old, ledger = _quarantined(view, id_)
    is_property = wish.said_class == "property"
    artifacts = () if is_property else wish.artifacts or old.artifacts or (own_source(id_),)
    tree = view.tree([id_.partition("::")[0], *wish._replace(artifacts=artifacts).paths])
    refuse_undefined(tree, id_)
    held = tuple((artifact, artifact) for artifact in artifacts)
    if is_property:
        seeds = (wish.seeds, wish.seeds) if wish.seeds else None
        new = property_row(id_, wish.invariant, seeds, tree, kept_fields(old))
    else:
        new = locked_row(id_, held, tree, kept_fields(old))
    return Amendment((RowChange(old, new, ledger, ledger),), tree, held=held)


def plan_removal(view: View, id_: str) -> Amendment:
    """The quarantine row away, with nothing in its place. Raises `UsageError` where there is none."""
    old, ledger = _quarantined(view, id_)
    return Amendment((RowChange(old, None, ledger, None),), view.look([]))


def _quarantined(view: View, id_: str) -> tuple[Row, str]:
    old, ledger = view.must_find(id_)
    if old.class_ != "quarantine":
        raise UsageError(f"{id_} is a {old.class_} row, and only a quarantined one can be released")
    return old, ledger
