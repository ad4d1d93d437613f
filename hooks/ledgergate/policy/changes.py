"""What an edit of the policy changes, in words for a reviewer."""

from __future__ import annotations

from collections.abc import Iterator

from ledgergate.errors import LedgergateError
from ledgergate.policy.reader import read_policy

_MOST = 3


def policy_changes(old: bytes | None, new: bytes | None) -> str:
    """The keys whose values differ, old and new; of one that cannot be read, that."""
    if old is None or new is None:
        return "added" if old is None else "removed"
    try:
        before, after = read_policy(old), read_policy(new)
    except LedgergateError:
        return "it cannot be read"
    found = list(_changes("", before, after))
    more = f", and {len(found) - _MOST} more" if len(found) > _MOST else ""
    return ", ".join(found[:_MOST]) + more or "comments and layout only"


def _changes(prefix: str, old: tuple[object, ...], new: tuple[object, ...]) -> Iterator[str]:
    names: tuple[str, ...] = getattr(old, "_fields", ())
    for name, before, after in zip(names, old, new, strict=True):
        if before == after:
            continue
        if hasattr(before, "_fields") and isinstance(before, tuple) and isinstance(after, tuple):
            yield from _changes(f"{name}.", before, after)
        else:
            yield f"{prefix}{name}: {_value(before)} -> {_value(after)}"


def _value(value: object) -> str:
    import json

    return "(not set)" if value is None else json.dumps(value, ensure_ascii=False)
