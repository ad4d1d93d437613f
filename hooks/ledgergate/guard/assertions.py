"""What the checks of a test lost: removed, weakened, made to hold always, or asking for something else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from typing import NamedTuple

from ledgergate.guard.conditions import is_harmless
from ledgergate.guard.facts import Fact, Strength
from ledgergate.guard.guarded import behind_conditions
from ledgergate.guard.raised import raised_verdict
from ledgergate.guard.reading import Doubt, Reading
from ledgergate.guard.terms import calls, is_literal, literals, names, shape
from ledgergate.guard.verdict import Verdict

Key = tuple[str, str, str]

# What says little about what a check is about, since it stands in checks of anything.
_COMMON = frozenset(
    {
        *("len", "str", "int", "float", "list", "dict", "set", "tuple", "sorted", "bool", "repr", "type", "isinstance"),
        *("any", "all", "get", "items", "keys", "values", "strip", "split", "join", "format", "encode", "decode"),
        *(
            "read",
            "read_text",
            "open",
            "getattr",
            "hasattr",
            "range",
            "max",
            "min",
            "sum",
            "abs",
            "round",
            "iter",
            "next",
        ),
    }
)
# What makes unequal things equal where it is put around both sides, or around the one that is tested.
_LOSSY = frozenset(
    {
        *("bool", "len", "type", "any", "all", "set", "frozenset", "keys", "lower", "upper", "casefold", "round"),
        *("strip", "lstrip", "rstrip", "int", "abs", "hash", "id", "isinstance", "callable", "count", "sorted"),
        *(
            "normalize",
            "normalise",
            "replace",
            "sub",
            "split",
            "title",
            "capitalize",
            "max",
            "min",
            "sum",
            "str",
            "repr",
        ),
    }
)
_LOSSY_ALONE = frozenset({"bool", "len", "type", "any", "all", "set", "frozenset", "keys", "isinstance", "callable"})
# What unequal things do not become equal by.
_KEEPING = frozenset({"list", "tuple", "dict", "bytes", "bytearray", "iter", "next", "vars", "str", "repr", "asdict"})
# An expected term of more characters is not equal to another one by chance.
_TELLING = 12
_ENCODINGS = frozenset({"'utf-8'", "'utf8'", "'UTF-8'", "'ascii'", "'r'", "'rt'"})
_TRIVIAL = frozenset({"0", "1", "-1", "2", "True", "False", "None", "''", "b''"})
_EMPTY = frozenset({"«False»", "«0»", "«''»", "«b''»", "«None»", "[]", "{}", "()", "set()", "dict()", "list()"})


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
    fresh = _fresh(old, new)
    fresh = _without_old_nothings(old, fresh)
    of_before = frozenset(name for fact in old.facts for name in names(fact.whole)) - _COMMON
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
    return is_same and is_telling and not (calls(fact.subject) - _COMMON).isdisjoint(calls(other.subject))


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
    fact: Fact, fresh: list[Fact], new: Reading, of_before: frozenset[str]
) -> tuple[Verdict | None, int | None]:
    lost = new.lost.get(f"{fact.kind} {fact.subject} {fact.expected}")
    if lost is not None:
        message = f"The check is still there, but {lost[0]}"
        return Verdict("assertion-removed", message, isinstance(lost[0], Doubt)), lost[1]
    partner = _partner(fact, fresh)
    if partner is None:
        stands_in = next((one for one in fresh if _stands_in(fact, one, of_before)), None)
        if stands_in is not None:
            if not _is_in_handler(fact):
                fresh.remove(stands_in)
            return Verdict("expectation-changed", "The check was written anew", waits=True), stands_in.line
        partner = next((one for one in fresh if one.strength is Strength.NOTHING), None)
    if partner is None:
        return _GONE, None
    return _compared(fact, partner), None if partner.is_elsewhere else partner.line


def _stands_in(fact: Fact, other: Fact, of_before: frozenset[str]) -> bool:
    """Whether a new check could be there for a lost one: it asks as much of what the test was about."""
    if _is_in_handler(fact):
        return other.kind == "raises"
    return other.strength >= fact.strength and not of_before.isdisjoint(names(other.whole))


def _is_in_handler(fact: Fact) -> bool:
    return any(guard.startswith("except ") for guard in fact.guards)


def _partner(fact: Fact, fresh: Sequence[Fact]) -> Fact | None:
    """The new fact that most likely stands where this one stood."""
    scored = [(score, -number, one) for number, one in enumerate(fresh) if (score := _likeness(fact, one)) > 0]
    return max(scored)[2] if scored else None


def _likeness(old: Fact, new: Fact) -> int:
    """How much speaks for it that one fact was made of the other; 0 where nothing does."""
    score = 0
    if old.kind == new.kind and shape(old.whole) == shape(new.whole):
        score += 100
    if old.subject == new.subject:
        score += 120
    elif old.subject in new.whole and "(" in old.subject:
        score += 40
    if old.kind == new.kind and len(old.expected) > _TELLING and old.expected == new.expected:
        score += 20
    if (old.kind, old.expected) == (new.kind, new.expected) and _tail(old.subject) == _tail(new.subject) != "":
        score += 10
    significant = calls(old.whole) - _COMMON
    score += 15 * len(significant & calls(new.whole))
    if not significant and not calls(new.whole) - _COMMON:
        score += 6 * len((names(old.subject) & names(new.whole)) - _COMMON)
    mine = set(literals(old.whole)) - _TRIVIAL
    score += 3 * len(mine.intersection(literals(new.whole)))
    return score + (1 if score and old.kind == new.kind else 0)


def _tail(term: str) -> str:
    """The attribute that a term ends with."""
    last = term.rpartition(".")[2]
    return last if "." in term and last.isidentifier() else ""


def _compared(old: Fact, new: Fact) -> Verdict | None:
    """What became of a fact that another one stands in for; None where nothing is lost."""
    if new.strength is Strength.NOTHING:
        return Verdict("assertion-tautology", "What is there now always holds")
    if old.kind == "raises":
        return raised_verdict(old, new)
    if _says_the_same(old, new):
        return None
    return (
        _same_shape(old, new)
        or _other_rows(old, new)
        or _other_input(old, new)
        or _normalised(old, new)
        or _weaker(old, new)
        or _other_value(old, new)
        or (None if _covers(old, new) else _rewritten(old, new))
    )


def _says_the_same(old: Fact, new: Fact) -> bool:
    """Other words for one thing: `x is True`, `x == True` and `x`; `x == []` and `not x`."""
    if old.kind not in ("eq", "is"):
        return False
    if new.kind in ("eq", "is") and (old.subject, old.expected) == (new.subject, new.expected):
        return True
    if old.expected == "«True»" and new.kind in ("truthy", "type") and old.subject in (new.subject, new.whole):
        return True
    if old.expected == "«True»" and new.strength > Strength.SOMETHING and old.subject in new.whole:
        return True
    if new.kind == "falsy" and old.expected in _EMPTY:
        return new.subject in (old.subject, old.subject.removeprefix("len(").removesuffix(")"))
    return _rounds(old, new)


def _rounds(old: Fact, new: Fact) -> bool:
    """Whether a number with a fraction became one within the usual tolerance around what it is rounded to."""
    if new.kind != "near" or old.subject != new.subject or " ~ " in new.expected:
        return False
    try:
        was, now = (float(one.strip("«»")) for one in (old.expected, new.expected))
    except ValueError:
        return False
    return not was.is_integer() and abs(was - now) <= 1e-6 * abs(was)


def _same_shape(old: Fact, new: Fact) -> Verdict | None:
    if old.kind != new.kind or shape(old.whole) != shape(new.whole):
        return None
    if old.kind == "near" and old.whole.partition(" ~ ")[0] == new.whole.partition(" ~ ")[0]:
        return Verdict("assertion-weakened", "Its tolerance changed", waits=True)
    is_expected = old.subject == new.subject
    what = "The expected value changed" if is_expected else "What the test is given changed"
    return Verdict("expectation-changed", what, waits=True)


def _other_input(old: Fact, new: Fact) -> Verdict | None:
    """Whether the same is expected of the same call, given something else."""
    if (old.kind, old.expected) != (new.kind, new.expected) or old.subject == new.subject or not calls(old.subject):
        return None
    if not calls(old.subject) - _COMMON <= calls(new.subject):
        return None
    was, now = (Counter(one for one in literals(fact.subject) if one not in _ENCODINGS) for fact in (old, new))
    return None if was == now else Verdict("expectation-changed", "What the test is given changed", waits=True)


def _other_value(old: Fact, new: Fact) -> Verdict | None:
    """Whether the same has to equal something else, or both sides went through the same thing."""
    if old.kind != new.kind or old.expected == new.expected or old.kind not in ("eq", "is", "near"):
        return None
    if old.subject == new.subject and is_literal(old.expected):
        return Verdict("expectation-changed", "The expected value changed", waits=True)
    is_around = old.subject in new.subject and old.expected in new.expected and old.subject != new.subject
    around = new.subject.replace(old.subject, "")
    is_plain = "(" not in around or (around[:1].islower() and around.removesuffix("()") not in _KEEPING)
    if is_around and is_plain and around == new.expected.replace(old.expected, ""):
        return Verdict(
            "assertion-weakened", "Both sides go through something now that may hide differences", waits=True
        )
    return None


def _other_rows(old: Fact, new: Fact) -> Verdict | None:
    """Whether rows that could be read became some that are chosen while the test runs."""
    if "each[" in new.whole and "each[" not in old.whole:
        return Verdict("assertion-weakened", "Nobody can say what its loop runs over now", waits=True)
    return None


def _normalised(old: Fact, new: Fact) -> Verdict | None:
    """Whether something was put around the sides that makes unequal things equal."""
    if new.strength < Strength.NEAR or old.strength < Strength.NEAR:
        return None
    if old.subject not in new.subject:
        return None
    around = (calls(new.subject) - calls(old.subject)) & _LOSSY
    both = around & calls(new.expected) - calls(old.expected)
    if both:
        return Verdict("assertion-weakened", f"`{min(both)}` was put around both sides, and hides differences")
    alone = around & _LOSSY_ALONE
    if alone and old.subject in new.subject and old.expected != new.expected:
        return Verdict("assertion-weakened", f"Only `{min(alone)}` of what the test looks at is asked for now")
    return None


def _weaker(old: Fact, new: Fact) -> Verdict | None:
    """Whether it asks for less of the same thing."""
    if new.strength >= old.strength or not _is_about_the_same(old, new):
        return _takes_more(old, new)
    if new.kind == "near":
        return Verdict("assertion-weakened", "It is compared within a tolerance now", waits=True)
    if new.kind == "type" and old.subject == f"type({new.subject})" and old.expected == new.expected:
        return Verdict("assertion-weakened", "Classes derived from its type are taken as well", waits=True)
    return Verdict("assertion-weakened", f"It asks for less: {_WORDS.get(new.kind, 'another kind of check')}")


def _takes_more(old: Fact, new: Fact) -> Verdict | None:
    """Whether one of some values is enough, and there are more of them now."""
    if (old.kind, new.kind) != ("in", "in") or old.subject != new.subject:
        return None
    if is_literal(old.expected) and set(literals(old.expected)) < set(literals(new.expected)):
        return Verdict("assertion-weakened", "It takes more values than before", waits=True)
    return None


def _is_about_the_same(old: Fact, new: Fact) -> bool:
    if shape(old.subject) in shape(new.whole):
        return True
    return not calls(old.whole) - _COMMON and len(names(old.subject) & names(new.whole)) * 2 > len(names(old.subject))


def _covers(old: Fact, new: Fact) -> bool:
    """Whether all that the old fact calls and compares with stands in the new one, which asks for as much."""
    if new.strength < old.strength or not calls(old.whole) - _COMMON <= calls(new.whole):
        return False
    if new.subject.startswith("[") and old.subject in new.subject and not old.subject.startswith("["):
        # Something is added to what is tested, or taken from it.
        return False
    if Counter(literals(old.whole)) - Counter(literals(new.whole)):
        return False
    if new.expected and Counter(literals(old.expected)) - Counter(literals(new.expected)):
        # The same numbers on other sides are another claim.
        return False
    return bool(calls(old.whole) or literals(old.whole)) or names(old.whole) <= names(new.whole)


def _rewritten(old: Fact, new: Fact) -> Verdict:
    if old.subject == new.subject and is_literal(old.expected) and not is_literal(new.expected):
        return Verdict("expectation-changed", "The expected value is computed now", waits=True)
    return Verdict("expectation-changed", "The check was written anew", waits=True)


def _is_implied(fact: Fact, facts: Sequence[Fact]) -> bool:
    """Whether something else that the test asks could not hold without it."""
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


_WORDS = {
    "truthy": "that it is true",
    "notnone": "that it is not None",
    "in": "that it is one of several",
    "type": "its type",
    "ne": "that it is not something",
    "or": "one of several things",
    **dict.fromkeys(("lt", "le", "gt", "ge"), "a bound"),
}
