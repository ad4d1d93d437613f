"""Classes that a test defines for itself, and that only got another name."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from copy import copy

from ledgergate.guard.facts import Fact
from ledgergate.guard.reading import Reading
from ledgergate.guard.suite import Test
from ledgergate.source.syntax import walk


def under_old_names(was: Test, now: Test, after: Reading) -> Reading:
    """What a test asks now, with the names that its own classes had before, where only these changed."""
    before, behind = _classes(was), _classes(now)
    names = {
        name: before[body]
        for body, name in behind.items()
        if body in before and name not in before.values() and before[body] not in behind.values()
    }
    if not names:
        return after
    found = copy(after)
    for kept in ("by_key", "keys"):
        found.__dict__.pop(kept, None)
    found.facts = [_renamed(fact, names) for fact in after.facts]
    found.surely = {fact.key for old, fact in zip(after.facts, found.facts, strict=True) if old.key in after.surely}
    return found


def _classes(test: Test) -> dict[str, str]:
    """The names of the classes within a test, by what stands in them."""
    found = (one for one in walk(test.node) if isinstance(one, ast.ClassDef))
    return {
        "\n".join(map(ast.dump, (*one.decorator_list, *one.bases, *one.keywords, *one.body))): one.name for one in found
    }


def _renamed(fact: Fact, names: Mapping[str, str]) -> Fact:
    pattern = rf"\b({'|'.join(map(re.escape, names))})\b(?=[^»]*(?:«|$))"
    subject, expected = (re.sub(pattern, lambda one: names[one[1]], term) for term in (fact.subject, fact.expected))
    return fact._replace(subject=subject, expected=expected)
