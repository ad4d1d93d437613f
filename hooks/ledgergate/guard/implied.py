"""What could not fail without something else that a test asks failing as well."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from ledgergate.guard.facts import Fact, Strength, way
from ledgergate.guard.stricter import denies, is_asked_stricter
from ledgergate.guard.terms import outermost
from ledgergate.guard.well_known import SETTLING

_NO_VALUES = ("raises", "fails", "call")


class Asked:
    """What a test asks, by what it is asked of."""

    def __init__(self, facts: Sequence[Fact]) -> None:
        self._facts = facts
        self._by_subject: dict[str, list[Fact]] = {}
        self._exact: set[str] = set()
        valued: set[str] = set()
        self._strongest: dict[str, Strength] = {}
        for one in facts:
            self._by_subject.setdefault(one.subject, []).append(one)
            if way(one) == "no" and one.strength < Strength.NEAR:
                continue
            if one.strength >= Strength.NEAR and one.kind not in _NO_VALUES:
                valued.add(one.subject)
                if one.kind == "eq":
                    self._exact.add(one.subject)
            else:
                self._strongest[one.subject] = max(one.strength, self._strongest.get(one.subject, Strength.NOTHING))
        self._valued = sorted(valued)
        self._valued_set = valued

    def of(self, subject: str) -> Sequence[Fact]:
        """What is asked of a value."""
        return self._by_subject.get(subject, ())

    def implies(self, fact: Fact) -> bool:
        """Whether something of it could not hold without a fact."""
        if fact.kind == "call" and outermost(fact.subject) in SETTLING:
            return self._settles(fact)
        return self._is_held_by_others(fact) or is_asked_stricter(fact, self._by_subject)

    def _is_held_by_others(self, fact: Fact) -> bool:
        about = _counted(fact)
        if about != fact.subject and about in self._exact and self._is_denied(fact):
            return False
        if fact.kind in ("notnone", "truthy") and self._strongest.get(fact.subject, fact.strength) > fact.strength:
            return True
        if fact.strength <= Strength.LOOSE and not self._valued_set.isdisjoint((fact.subject, fact.expected)):
            return fact.kind not in ("raises", "warns", "call") and not self._is_denied(fact)
        if fact.kind in ("notnone", "truthy", "type") and any(map(self._is_inside, (f"{about}.", f"{about}["))):
            return True
        return about != fact.subject and about in self._exact

    def _is_denied(self, fact: Fact) -> bool:
        """Whether the value that is asked for is one with which the fact does not hold."""
        of = {fact.subject, *([fact.expected] if fact.kind in ("in", "notin") else []), _counted(fact)}
        values = (one for name in of for one in self._by_subject.get(name, ()) if one.kind in ("eq", "is"))
        return any(
            denies(one.subject, one.expected, fact) or (fact.kind in ("ne", "isnot") and one.expected == fact.expected)
            for one in values
        )

    def _is_inside(self, start: str) -> bool:
        """Whether a value is asked of something that begins so."""
        at = bisect_left(self._valued, start)
        return at < len(self._valued) and self._valued[at].startswith(start)

    def _settles(self, fact: Fact) -> bool:
        """Whether something else asks of the same object what `raise_for_status()` or its like asks."""
        name = outermost(fact.subject)
        owner = fact.subject.rpartition(f".{name}(")[0]
        states = [f"{owner}.{one}" for one in SETTLING[name]]
        return any(one.subject in states or fact.subject in one.whole for one in self._facts)


def _counted(fact: Fact) -> str:
    """What a fact is about: of a length, what is counted."""
    return fact.subject.removeprefix("len(").removesuffix(")") if fact.subject.startswith("len(") else fact.subject
