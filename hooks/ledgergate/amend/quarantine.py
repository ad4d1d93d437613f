"""Rows that go into quarantine, and come out of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from ledgergate.amend.records import Amendment, RowChange, View
from ledgergate.amend.tests import refuse_caseless, refuse_skipped, refuse_undefined
from ledgergate.amend.wish import Wish, kept_fields, locked_row, property_row
from ledgergate.errors import UsageError
from ledgergate.ledger import Row
from ledgergate.ledger.rows import Value


def plan_quarantine(view: View, ids: Sequence[str], reason: str, owner: str, today: date) -> Amendment:
    """A quarantine row, opened today, in place of the row that each test has, or beside the others where it has none.

    Raises `UsageError` where a test is not there, is a draft, or is in quarantine already.
    """
    for name, text in (("--reason", reason), ("--owner", owner)):
        if not text.strip():
            raise UsageError(f"{name} is empty")
    ids = tuple(dict.fromkeys(ids))
    for id_ in ids:
        _refuse_to_quarantine(view, id_)
    tree = view.tree(id_.partition("::")[0] for id_ in ids)
    changes: list[RowChange] = []
    for id_ in ids:
        refuse_undefined(tree, id_)
        refuse_caseless(tree, id_)
        old, ledger = view.find(id_) or (None, None)
        fields: dict[str, Value] = {"opened": today.isoformat(), "reason": reason, "owner": owner}
        goldens = old.named_paths if old is not None and old.class_ == "locked_fixture" else ()
        if goldens:
            # They would otherwise be goldens that no row names.
            fields["artifact"] = goldens[0] if len(goldens) == 1 else goldens
        row = Row.of({"id": id_, "class": "quarantine", **fields, **kept_fields(old)})
        changes.append(RowChange(old, row, ledger, ledger or view.nearest_ledger(id_)))
    return Amendment(tuple(changes), tree)


def _refuse_to_quarantine(view: View, id_: str) -> None:
    old, _ = view.find(id_) or (None, None)
    if old is not None and old.class_ == "quarantine":
        since = f"since {old.fields.get('opened')}; {old.fields.get('owner')} looks after it"
        raise UsageError(f"{id_} is in quarantine already, {since}. Another reason or owner is an edit of its row")
    if id_.startswith(view.policy.drafts) or (old is not None and old.class_ == "draft"):
        raise UsageError(f"{id_} is a draft, and no evidence as it is; only `ledgergate promote` changes that")


def plan_release(view: View, ids: Sequence[str], wish: Wish) -> Amendment:
    """The quarantined tests as a `locked_fixture` or a `property` again, held to what the wish says.

    Without a word that is the golden which the row still names, or else the test's own source.

    Raises `UsageError` where one is in no quarantine, or the wish says too little, or speaks of one of several.
    """
    if len(ids) > 1 and wish != Wish(inline=wish.inline):
        raise UsageError("options that speak of one test (--artifact, --invariant, ...) go with one id")
    is_property = wish.said_class == "property"
    found = [_quarantined(view, id_) for id_ in dict.fromkeys(ids)]
    held = {row.id: () if is_property else wish.held_of(row.id, row.artifacts) for row, _ in found}
    artifacts = tuple(artifact for one in held.values() for artifact in one)
    tree = view.tree([*(id_.partition("::")[0] for id_ in held), *wish._replace(artifacts=artifacts).paths])
    changes: list[RowChange] = []
    for old, ledger in found:
        refuse_undefined(tree, old.id)
        refuse_skipped(tree, old.id)
        if is_property:
            seeds = (wish.seeds, wish.seeds) if wish.seeds else None
            new = property_row(old.id, wish.invariant, seeds, tree, kept_fields(old))
        else:
            new = locked_row(old.id, [(path, path) for path in held[old.id]], tree, kept_fields(old))
        changes.append(RowChange(old, new, ledger, ledger))
    return Amendment(tuple(changes), tree, held=tuple((path, path) for path in dict.fromkeys(artifacts)))


def plan_removal(view: View, ids: Sequence[str]) -> Amendment:
    """The quarantine rows away, with nothing in their place. Raises `UsageError` where there is none."""
    found = [_quarantined(view, id_) for id_ in dict.fromkeys(ids)]
    return Amendment(tuple(RowChange(old, None, ledger, None) for old, ledger in found), view.look([]))


def _quarantined(view: View, id_: str) -> tuple[Row, str]:
    old, ledger = view.must_find(id_)
    if old.class_ != "quarantine":
        raise UsageError(f"{id_} is a {old.class_} row, and only a quarantined one can be released")
    return old, ledger
