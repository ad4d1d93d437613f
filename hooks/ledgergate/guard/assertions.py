"""What the checks of a test lost: removed, weakened, made to hold always, or asking for something else."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator
from typing import NamedTuple

from ledgergate.guard.conditions import is_harmless
from ledgergate.guard.facts import Fact, Strength
from ledgergate.guard.guarded import behind_conditions
from ledgergate.guard.implied import Asked
from ledgergate.guard.partners import TELLING, Fresh
from ledgergate.guard.reading import Doubt, Reading
from ledgergate.guard.replaced import COMMON, compared, says_the_same
from ledgergate.guard.stricter import text_of_raised
from ledgergate.guard.terms import calls, names
from ledgergate.guard.verdict import Verdict
from ledgergate.guard.well_known import EMPTY

Key = tuple[str, str, str]

_CAUGHT = r"\bcatch_\w*warnings\(|\b(?:recwarn|caplog)\b"
_NOTHING = EMPTY | {"«0»"}
_NOT_WARNED = Verdict(
    "expectation-changed", "Something else is asked where a warning or a line of the log had to come", waits=True
)
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
    of_before = frozenset(name for fact in old.facts for name in names(fact.whole)) - COMMON
    fresh = Fresh(_without_old_nothings(old, _fresh(old, new)), of_before)
    asked = Asked(new.facts)
    asked_before = {fact.key: fact for fact in reversed(old.facts) if fact.strength is not Strength.NOTHING}
    # What most likely was a lost check before is known before other new checks stand in for any.
    partners = {
        key: fresh.partner(fact)
        for key, fact in asked_before.items()
        if not (key in new.keys or key in elsewhere or asked.implies(fact) or _is_in_other_words(fact, asked))
    }
    for fact in reversed(asked_before.values()):
        if fact.key in new.keys:
            behind = behind_conditions(fact, old, new, modules)
            if behind is not None:
                yield LostFact(fact, *behind)
        elif fact.key in partners:
            verdict, line = _verdict(fact, partners[fact.key], fresh, new)
            if verdict is not None:
                if verdict.rule == "assertion-removed":
                    is_excused = any(name in vanished for name in names(fact.whole)) or _is_of_some_machines(fact)
                    verdict = verdict._replace(waits=verdict.waits or is_excused)
                if verdict == _GONE and _is_of_warnings(fact) and _warns_anew(old, new):
                    verdict = Verdict(
                        "expectation-changed", "Warnings or log lines are asked for in another way now", waits=True
                    )
                elif verdict == _GONE and any(_is_like(fact, one) for one in added()):
                    message = "A check like it stands in another test now"
                    verdict = Verdict("expectation-changed", message, waits=True)
                yield LostFact(fact, verdict, line)


def _is_in_other_words(fact: Fact, asked: Asked) -> bool:
    return any(one.guards == fact.guards and says_the_same(fact, one) for one in asked.of(fact.subject))


def _warns_anew(old: Reading, new: Reading) -> bool:
    """Whether the new test asks for warnings or log lines, in words that were not there."""
    return any(
        one.strength >= Strength.LOOSE
        and one.key not in old.keys
        and _is_of_warnings(one)
        and not _asks_for_nothing(one)
        for one in new.facts
    )


def _asks_for_nothing(fact: Fact) -> bool:
    return fact.kind == "falsy" or not _NOTHING.isdisjoint((fact.subject, fact.expected))


def _is_of_warnings(fact: Fact) -> bool:
    return fact.kind == "warns" or re.search(_CAUGHT, fact.whole) is not None


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
    is_telling = fact.kind == "raises" or len(fact.expected) > TELLING
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


def _verdict(fact: Fact, partner: Fact | None, fresh: Fresh, new: Reading) -> tuple[Verdict | None, int | None]:
    lost = new.lost.get(f"{fact.kind} {fact.subject} {fact.expected}")
    if lost is not None:
        message = f"The check is still there, but {lost[0]}"
        return Verdict("assertion-removed", message, isinstance(lost[0], Doubt)), lost[1]
    if partner is None:
        is_in_handler = _is_in_handler(fact)
        other = fresh.stand_in(fact, is_in_handler=is_in_handler) or (
            _raised_instead(fact, new) if is_in_handler else None
        )
        if other is not None:
            return Verdict("expectation-changed", "The check was written anew", waits=True), other.line
        partner = fresh.nothing
    if partner is None:
        return _GONE, None
    if fact.kind == partner.kind == "raises" and _asks_text_of_value(fact, partner, new):
        return None, None
    if fact.kind == "warns" and partner.kind != "raises" and partner.strength and not _is_of_warnings(partner):
        return _NOT_WARNED, partner.line
    return compared(fact, partner), None if partner.is_elsewhere else partner.line


def _asks_text_of_value(old: Fact, now: Fact, new: Reading) -> bool:
    """`match="no"` in other words: the same has to be raised, and its text is asked of what was raised."""
    classes, _, match = old.expected.partition(" ~ ")
    is_same = now.subject == old.subject and now.expected == f"{classes} ~ "
    return is_same and text_of_raised(classes, match, new.facts)


def _raised_instead(fact: Fact, new: Reading) -> Fact | None:
    """What has to be raised where a handler stood that is gone, with what it asked."""
    caught = {name for guard in fact.guards if guard.startswith("except ") for name in guard.split()[1:]}
    if any(not caught.isdisjoint(one.classes) for one in new.handlers):
        return None
    return next((one for one in new.facts if one.kind == "raises" and not caught.isdisjoint(names(one.expected))), None)


def _is_in_handler(fact: Fact) -> bool:
    return any(guard.startswith("except ") for guard in fact.guards)
