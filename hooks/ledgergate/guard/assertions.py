"""What the checks of a test lost: removed, weakened, made to hold always, or asking for something else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from typing import NamedTuple

from ledgergate.guard.conditions import is_harmless
from ledgergate.guard.facts import Fact, Strength
from ledgergate.guard.guarded import behind_conditions
from ledgergate.guard.reading import Doubt, Reading
from ledgergate.guard.replaced import COMMON, compared
from ledgergate.guard.terms import calls, literals, names, outermost, shape
from ledgergate.guard.verdict import Verdict
from ledgergate.guard.well_known import SETTLING

Key = tuple[str, str, str]

# An expected term of more characters is not equal to another one by chance.
_TELLING = 12
_TRIVIAL = frozenset({"0", "1", "-1", "2", "True", "False", "None", "''", "b''"})


_GONE = Verdict("assertion-removed", "The check is gone")


class LostFact(NamedTuple):
    """A fact that a test no longer asks, and what became of it; `line` is one of the new file."""

    fact: Fact
    verdict: Verdict
    line: int | None


def lost_facts(
    old: Reading,
    new: Reading,
    elsewhere: Container[Key],
    vanished: Container[str] = (),
    added: Callable[[], Iterable[Fact]] = tuple,
    modules: frozenset[str] = frozenset(),
) -> Iterator[LostFact]:
    """Each fact of `old` that `new` does not ask any more, unless another test of the change does (`elsewhere`).

    `vanished` are names that went out of production in the same change, `added` what its new tests ask, and `modules`
    the names that imports of the file bind.
    """
    fresh = [_told_by(fact) for fact in _without_old_nothings(old, _fresh(old, new))]
    of_before = frozenset(name for fact in old.facts for name in names(fact.whole)) - COMMON
    told: set[Key] = set()
    for fact in old.facts:
        if fact.strength is Strength.NOTHING or fact.key in told:
            continue
        told.add(fact.key)
        if fact.key in new.keys:
            behind = behind_conditions(fact, old, new, modules)
            if behind is not None:
                yield LostFact(fact, *behind)
        elif fact.key not in elsewhere and not _is_implied(fact, new.facts):
            verdict, line = _verdict(fact, fresh, new, of_before)
            if verdict is not None:
                if verdict.rule == "assertion-removed":
                    is_excused = any(name in vanished for name in names(fact.whole)) or _is_of_some_machines(fact)
                    verdict = verdict._replace(waits=verdict.waits or is_excused)
                if verdict == _GONE and any(_is_like(fact, one) for one in added()):
                    message = "A check like it stands in another test now"
                    verdict = Verdict("expectation-changed", message, waits=True)
                yield LostFact(fact, verdict, line)


def _without_old_nothings(old: Reading, fresh: list[Fact]) -> list[Fact]:
    """What is new, but for as many checks that always hold as there were before."""
    spared = sum(fact.strength is Strength.NOTHING for fact in old.facts)
    kept = []
    for fact in fresh:
        if fact.strength is Strength.NOTHING and spared:
            spared -= 1
        else:
            kept.append(fact)
    return kept


def _is_of_some_machines(fact: Fact) -> bool:
    """Whether it was only asked on some platforms or versions, which may not be served any more."""
    return any(is_harmless(guard) for guard in fact.guards)


def _is_like(fact: Fact, other: Fact) -> bool:
    """Whether the same is expected of the same function, given something else."""
    expected = [one.expected.partition(" ~ ")[0] if one.kind == "raises" else one.expected for one in (fact, other)]
    is_same = fact.kind == other.kind and expected[0] == expected[1]
    is_telling = fact.kind == "raises" or len(fact.expected) > _TELLING
    return is_same and is_telling and not (calls(fact.subject) - COMMON).isdisjoint(calls(other.subject))


def _fresh(old: Reading, new: Reading) -> list[Fact]:
    """What is asked that was not, or that is asked more often."""
    counts = Counter(fact.key for fact in old.facts)
    found = []
    for fact in new.facts:
        counts[fact.key] -= 1
        if counts[fact.key] < 0:
            found.append(fact)
    return found


def _verdict(
    fact: Fact, fresh: list[_Told], new: Reading, of_before: frozenset[str]
) -> tuple[Verdict | None, int | None]:
    lost = new.lost.get(f"{fact.kind} {fact.subject} {fact.expected}")
    if lost is not None:
        message = f"The check is still there, but {lost[0]}"
        return Verdict("assertion-removed", message, isinstance(lost[0], Doubt)), lost[1]
    partner = _partner(fact, fresh)
    if partner is None:
        number = next((at for at, one in enumerate(fresh) if _stands_in(fact, one.fact, of_before)), None)
        if number is not None:
            line = fresh[number].fact.line
            if not _is_in_handler(fact):
                del fresh[number]
            return Verdict("expectation-changed", "The check was written anew", waits=True), line
        partner = next((one.fact for one in fresh if one.fact.strength is Strength.NOTHING), None)
    if partner is None:
        return _GONE, None
    return compared(fact, partner), None if partner.is_elsewhere else partner.line


def _stands_in(fact: Fact, other: Fact, of_before: frozenset[str]) -> bool:
    """Whether a new check could be there for a lost one: it asks as much of what the test was about."""
    if _is_in_handler(fact):
        return other.kind == "raises"
    return other.strength >= fact.strength and not of_before.isdisjoint(names(other.whole))


def _is_in_handler(fact: Fact) -> bool:
    return any(guard.startswith("except ") for guard in fact.guards)


def _partner(fact: Fact, fresh: Sequence[_Told]) -> Fact | None:
    """The new fact that most likely stands where this one stood."""
    told = _told_by(fact)
    score, number = max(((_likeness(told, one), -number) for number, one in enumerate(fresh)), default=(0, 0))
    return fresh[-number].fact if score > 0 else None


class _Told(NamedTuple):
    """What a fact is compared by."""

    fact: Fact
    whole: str
    shape: str
    # What is called that says what it is about.
    calls: frozenset[str]
    names: frozenset[str]
    names_of_subject: frozenset[str]
    literals: frozenset[str]
    tail: str


def _told_by(fact: Fact) -> _Told:
    whole, subject = fact.whole, fact.subject
    return _Told(
        fact,
        whole,
        shape(whole),
        calls(whole) - COMMON,
        names(whole) - COMMON,
        names(subject) - COMMON,
        frozenset(literals(whole)) - _TRIVIAL,
        _tail(subject),
    )


def _likeness(one: _Told, other: _Told) -> int:
    """How much speaks for it that one fact was made of the other; 0 where nothing does."""
    old, new = one.fact, other.fact
    is_same_kind = old.kind == new.kind
    score = 0
    if is_same_kind and one.shape == other.shape:
        score += 100
    if old.subject == new.subject:
        score += 120
    elif old.subject in other.whole and "(" in old.subject:
        score += 40
    if is_same_kind and old.expected == new.expected:
        score += 20 if len(old.expected) > _TELLING else 0
        score += 10 if one.tail == other.tail != "" else 0
    score += 15 * len(one.calls & other.calls)
    if not one.calls and not other.calls:
        score += 6 * len(one.names_of_subject & other.names)
    score += 3 * len(one.literals & other.literals)
    return score + (1 if score and is_same_kind else 0)


def _tail(term: str) -> str:
    """The attribute that a term ends with."""
    last = term.rpartition(".")[2]
    return last if "." in term and last.isidentifier() else ""


def _is_implied(fact: Fact, facts: Sequence[Fact]) -> bool:
    """Whether something else that the test asks could not hold without it."""
    if fact.kind == "call" and outermost(fact.subject) in SETTLING:
        return _is_settled(fact, facts)
    about = fact.subject.removeprefix("len(").removesuffix(")") if fact.subject.startswith("len(") else fact.subject
    for one in facts:
        if one.strength < Strength.NEAR or one.kind in ("raises", "fails", "call"):
            if fact.kind in ("notnone", "truthy") and one.strength > fact.strength and one.subject == fact.subject:
                return True
            continue
        if fact.strength <= Strength.LOOSE and one.subject in (fact.subject, fact.expected):
            return fact.kind not in ("raises", "warns", "call")
        if fact.kind in ("notnone", "truthy", "type") and one.subject.startswith((f"{about}.", f"{about}[")):
            return True
        if about != fact.subject and one.subject == about and one.kind == "eq":
            return True
    return False


def _is_settled(fact: Fact, facts: Sequence[Fact]) -> bool:
    """Whether something else asks of the same object what `raise_for_status()` or its like asks."""
    name = outermost(fact.subject)
    owner = fact.subject.rpartition(f".{name}(")[0]
    states = [f"{owner}.{one}" for one in SETTLING[name]]
    return any(one.subject in states or fact.subject in one.whole for one in facts)
