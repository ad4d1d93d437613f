"""Whether a check that had to hold for all values holds for one of them by now."""

from __future__ import annotations

import re

from ledgergate.guard.facts import Fact
from ledgergate.guard.verdict import Verdict

_ALL = re.compile(r"\ball\(|(?<!\w)each\[")
_ANY = re.compile(r"\bany\(")
_NEXT = re.compile(r"\bnext\(")


def one_is_enough(old: Fact, new: Fact) -> Verdict | None:
    """`all(...)`, or a loop, that became `any(...)` or `next(...)`; `not any(...)` that became `not all(...)`."""
    if old.kind == new.kind == "falsy":
        is_fewer = _holds(_ANY, old) and not _holds(_ANY, new) and _holds(_ALL, new) and not _holds(_ALL, old)
        return Verdict("assertion-weakened", "That it is not so for all of them is enough now") if is_fewer else None
    if "falsy" in (old.kind, new.kind) or not _holds(_ALL, old) or _holds(_ALL, new):
        return None
    if _holds(_ANY, new) and not _holds(_ANY, old):
        return Verdict("assertion-weakened", "One of them is enough now")
    if _holds(_NEXT, new) and not _holds(_NEXT, old):
        return Verdict("assertion-weakened", "Only one of them is looked at now")
    return None


def _holds(what: re.Pattern[str], fact: Fact) -> bool:
    return what.search(fact.whole) is not None
