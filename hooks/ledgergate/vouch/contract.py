"""The contract of a change: the sorted list of what an approval of it has to name, and that list's digest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable

from ledgergate.ledger.rows import Row
from ledgergate.values import Item


def contract_items(items: Iterable[Item]) -> tuple[Item, ...]:
    """The items sorted, each once."""
    unique = set(items)
    return tuple(
        sorted(unique, key=lambda item: (item.kind, percent_encode(item.subject), item.old or "", item.new or ""))
    )


def row_items(old: Row | None, new: Row | None) -> tuple[Item, ...]:
    """What an approval of a changed row names: one item, or one for each id of a row that gets another."""
    if old is not None and new is not None and old.id == new.id:
        return (Item("row", old.id, old.fingerprint, new.fingerprint),)
    gone = () if old is None else (Item("row", old.id, old.fingerprint, None),)
    return gone if new is None else (*gone, Item("row", new.id, None, new.fingerprint))


def contract_digest(items: tuple[Item, ...]) -> str | None:
    """`sha256:<hex>` of the items' canonical JSON; None where there are none."""
    if not items:
        return None
    document = [item_object(item) for item in items]
    canonical = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{hashlib.sha256(canonical.encode('utf-8')).hexdigest()}"


def item_object(item: Item) -> dict[str, str | None]:
    """An item as it stands in canonical JSON."""
    return {"kind": item.kind, "subject": percent_encode(item.subject), "old": item.old, "new": item.new}


def percent_encode(subject: str) -> str:
    """The subject with each byte that is not UTF-8 as `%XX`; other text stands as it is."""
    return "".join(f"%{ord(c) - 0xDC00:02X}" if "\udc80" <= c <= "\udcff" else c for c in subject)
