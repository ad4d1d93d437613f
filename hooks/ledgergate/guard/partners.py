"""Which of the new checks of a test most likely was a lost one before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ledgergate.guard.facts import Fact, Strength
from ledgergate.guard.replaced import COMMON
from ledgergate.guard.terms import calls, literals, names, shape

# An expected term of more characters is not equal to another one by chance.
TELLING = 12
# What is asked of any object, and still says what a check is about, if nothing else does.
_SHOWN = frozenset({"repr"})
_TRIVIAL = frozenset({"0", "1", "-1", "2", "True", "False", "None", "''", "b''"})
_SAME_SHAPE, _SAME_SUBJECT, _HOLDS_SUBJECT, _SAME_EXPECTED, _SAME_TAIL = 100, 120, 40, 20, 10
_CALL, _NAME, _LITERAL = 15, 6, 3


class _Told(NamedTuple):
    """What a fact is compared by."""

    number: int
    fact: Fact
    whole: str
    shape: str
    # What is called that says what it is about.
    calls: frozenset[str]
    names: frozenset[str]
    names_of_subject: frozenset[str]
    literals: frozenset[str]
    tail: str


def _told_by(fact: Fact, number: int = 0) -> _Told:
    whole, subject = fact.whole, fact.subject
    return _Told(
        number,
        fact,
        whole,
        shape(whole),
        calls(whole) - COMMON or calls(subject) & _SHOWN,
        names(whole) - COMMON,
        names(subject) - COMMON,
        frozenset(literals(whole)) - _TRIVIAL,
        _tail(subject),
    )


def _tail(term: str) -> str:
    """The attribute that a term ends with."""
    last = term.rpartition(".")[2]
    return last if "." in term and last.isidentifier() else ""


class Fresh:
    """What a test asks anew, in its order, and what `of_before` says that it was about before."""

    def __init__(self, facts: Sequence[Fact], of_before: frozenset[str]) -> None:
        everything = [_told_by(fact, number) for number, fact in enumerate(facts)]
        kinds: dict[tuple[str, str, str], list[_Told]] = {}
        for one in everything:
            kinds.setdefault((one.fact.kind, one.shape, one.tail), []).append(one)
        self._kinds = {key: _Kind(members) for key, members in kinds.items()}
        self._standing = {one.number: one for one in everything if not of_before.isdisjoint(one.names)}
        self._raising = next((one.fact for one in everything if one.fact.kind == "raises"), None)
        self.nothing = next((one.fact for one in everything if one.fact.strength is Strength.NOTHING), None)

    def partner(self, fact: Fact) -> Fact | None:
        """The new fact that most likely stands where this one stood."""
        told = _told_by(fact)
        best: tuple[int, int, Fact | None] = (0, 0, None)
        for kind in self._kinds.values():
            for score, number, found in kind.best(told, best[:2]):
                if score > 0 and (score, -number) > (best[0], -best[1]):
                    best = (score, number, found)
        return best[2]

    def stand_in(self, fact: Fact, *, is_in_handler: bool) -> Fact | None:
        """A new fact that could be there for a lost one: it asks as much of what the test was about.

        It stands in for one alone, unless that was asked in a handler.
        """
        if is_in_handler:
            return self._raising
        found = next((one for one in self._standing.values() if one.fact.strength >= fact.strength), None)
        if found is None:
            return None
        del self._standing[found.number]
        self._kinds[found.fact.kind, found.shape, found.tail].remove(found)
        return found.fact


class _Kind:
    """New facts that differ in their literals alone, or nearly so: one look tells how much any of them may be like."""

    def __init__(self, members: Sequence[_Told]) -> None:
        self._members = {one.number: one for one in members}
        self._by_subject: dict[str, dict[int, _Told]] = {}
        for one in members:
            self._by_subject.setdefault(one.fact.subject, {})[one.number] = one
        self._first = members[0]
        self._literals = frozenset[str]().union(*(one.literals for one in members))
        self._expected = frozenset(one.fact.expected for one in members)
        self._text = "\0".join(one.whole for one in members)

    def remove(self, one: _Told) -> None:
        del self._members[one.number]
        del self._by_subject[one.fact.subject][one.number]

    def best(self, old: _Told, known: tuple[int, int]) -> Iterator[tuple[int, int, Fact]]:
        """(likeness, number, fact) of those that may be the likest; `known` are the first two of the best so far."""
        is_same_kind = old.fact.kind == self._first.fact.kind
        base = self._base(old, is_same_kind=is_same_kind)
        most = base + _LITERAL * len(old.literals & self._literals) + 1
        if is_same_kind and old.fact.expected in self._expected:
            most += _of_expected(old, self._first)
        same = self._by_subject.get(old.fact.subject)
        if same:
            found = _likest(old, base + _SAME_SUBJECT, same.values(), most + _SAME_SUBJECT)
            yield found
            known = max(known, found[:2], key=lambda one: (one[0], -one[1]))
        if "(" in old.fact.subject and old.fact.subject in self._text:
            most += _HOLDS_SUBJECT
        first = next(iter(self._members), None)
        if first is not None and (most > known[0] or (most == known[0] and first < known[1])):
            yield _likest(old, base, self._members.values(), most)

    def _base(self, old: _Told, *, is_same_kind: bool) -> int:
        """How alike all of them are."""
        score = _SAME_SHAPE if is_same_kind and old.shape == self._first.shape else 0
        score += _CALL * len(old.calls & self._first.calls)
        if not old.calls and not self._first.calls:
            score += _NAME * len(old.names_of_subject & self._first.names)
        return score


def _likest(old: _Told, base: int, members: Iterable[_Told], most: int) -> tuple[int, int, Fact]:
    """The first of the likest; `base` is how alike all of them are, and `most` what none is more than."""
    best: tuple[int, int, Fact] = (-1, 0, old.fact)
    subject, expected, kind = old.fact.subject, old.fact.expected, old.fact.kind
    may_hold = "(" in subject and base + _HOLDS_SUBJECT <= most
    for one in members:
        fact = one.fact
        score = base + _LITERAL * len(old.literals & one.literals)
        if may_hold and subject != fact.subject and subject in one.whole:
            score += _HOLDS_SUBJECT
        if fact.kind == kind:
            if fact.expected == expected:
                score += _of_expected(old, one)
            score += 1 if score else 0
        if score > best[0]:
            best = (score, one.number, fact)
            if score >= most:
                break
    return best


def _of_expected(old: _Told, other: _Told) -> int:
    """How much it counts that the same is expected by facts of one kind."""
    score = _SAME_EXPECTED if len(old.fact.expected) > TELLING else 0
    return score + (_SAME_TAIL if old.tail == other.tail != "" else 0)
