"""What became of a fact that another one stands in for: the same in other words, less of it, or something else."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from ledgergate.guard.facts import Fact, Strength, way
from ledgergate.guard.quantified import one_is_enough
from ledgergate.guard.raised import raised_verdict
from ledgergate.guard.stricter import denies, is_tighter
from ledgergate.guard.terms import calls, is_literal, literals, names, outermost, shape, told_apart, without_literals
from ledgergate.guard.verdict import Verdict
from ledgergate.guard.well_known import EMPTY

# What says little about what a check is about, since it stands in checks of anything.
COMMON = frozenset(
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
        "Counter",
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
_LOSSY_ALONE = frozenset(
    {"bool", "len", "type", "any", "all", "set", "frozenset", "keys", "isinstance", "callable", "Counter"}
)
# What unequal things do not become equal by.
_KEEPING = frozenset({"list", "tuple", "dict", "bytes", "bytearray", "iter", "next", "vars", "str", "repr", "asdict"})
# What holds something only if what it is given does.
_TAKING_ALL = ("list", "tuple", "set")
_LOOSER = frozenset({("gt", "ge"), ("lt", "le")})
_TRUTHS = frozenset({"«True»", "«False»", "«None»"})
# Of these `quantified` tells what is lost.
_QUANTIFIERS = frozenset({"any", "all"})
# What takes something from its values, or puts them in another order.
_CHOOSING = _LOSSY | {"reversed", "filter", "map", "filterfalse", "takewhile", "dropwhile", "islice", "compress"}
# What rewrites tables and other values, so that some that differ are equal behind it.
_REWRITING = frozenset(
    {
        *("sort_values", "sort_index", "reset_index", "dropna", "fillna", "drop_duplicates", "drop", "head", "tail"),
        *("nan_to_num", "ravel", "flatten", "squeeze", "astype", "sort", "loads", "dumps", "Decimal", "UUID"),
    }
)
# Of a set, order and repetition do not count; and nobody can say what a table holds that the test may have changed.
_LOOSENING = ("<SetComp", "}[")
_OPENED = r"(\w+)\($"
_BRACKETS = re.compile(r"(\w*)\(|(\))")
_ENCODINGS = frozenset({"'utf-8'", "'utf8'", "'UTF-8'", "'ascii'", "'r'", "'rt'"})
_EMPTY = EMPTY | {"«False»", "«0»", "«''»", "«b''»", "«None»"}
# What gives True or False, and nothing else.
_TRUE_OR_FALSE = frozenset(
    {
        *("isinstance", "issubclass", "hasattr", "callable", "bool", "any", "all", "startswith", "endswith"),
        *("exists", "is_file", "is_dir", "is_symlink", "is_absolute", "isfile", "isdir", "isdigit", "isalpha"),
    }
)


def compared(old: Fact, new: Fact) -> Verdict | None:
    """What became of a fact that another one stands in for; None where nothing is lost."""
    if new.strength is Strength.NOTHING:
        return Verdict("assertion-tautology", "What is there now always holds")
    if old.kind == "raises":
        return raised_verdict(old, new)
    fewer = one_is_enough(old, new)
    if fewer is not None:
        return fewer
    new = _turned_like(old, new)
    if _is_opposite(old, new):
        return Verdict("expectation-changed", "The opposite is asked for now", waits=True)
    if says_the_same(old, new) or is_tighter(old, new):
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


def _is_opposite(old: Fact, new: Fact) -> bool:
    """Whether the same value has to be less in the place of more, or not so in the place of so."""
    of = (old.subject, old.expected) if old.kind in ("in", "notin") else (old.subject, old.subject[4:-1])
    if (old.kind, old.expected, new.kind) == ("is", "«None»", "notnone") and old.subject == new.subject:
        return True
    is_other_value = (new.kind, new.subject) == (old.kind, old.subject)
    if new.kind in ("eq", "is") and not is_other_value and new.subject in of and denies(new.subject, new.expected, old):
        return True
    if {new.subject, new.whole}.isdisjoint((old.subject, old.whole)) and old.subject != new.whole:
        return False
    ways = {way(old), way(new)}
    if ways == {"less", "more"} or (old.kind, new.kind) in _LOOSER:
        return old.expected == new.expected
    if ways != {"yes", "no"} or old.strength > Strength.LOOSE or _is_empty_either_way(old, new):
        return False
    return new.kind not in ("eq", "is", "near") or new.expected in _TRUTHS


def _ask_otherwise(old: Fact, new: Fact) -> bool:
    """Whether one asks that something is so, and the other that it is not; `not any()` and `all()` are of one kind."""
    ways, quantifier = {way(old), way(new)}, outermost(new.subject)
    is_other_denial = "no" in ways and new.strength < Strength.NEAR and old.kind != new.kind
    is_of_all = quantifier in _QUANTIFIERS and quantifier != outermost(old.subject)
    return (ways in ({"yes", "no"}, {"less", "more"}) or is_other_denial) and not is_of_all


def _is_empty_either_way(old: Fact, new: Fact) -> bool:
    """`not x` and `x == []`."""
    return old.kind == "falsy" and new.kind in ("eq", "is") and new.expected in _EMPTY


def _turned_like(old: Fact, new: Fact) -> Fact:
    """The new fact with its sides changed where what was tested stands on the other one: equality has no order."""
    is_tested = "(" in old.subject and old.subject in new.expected and old.subject not in new.subject
    if new.kind != "eq" or not is_tested:
        return new
    return new._replace(subject=new.expected, expected=new.subject)


def says_the_same(old: Fact, new: Fact) -> bool:
    """Other words for one thing: `x is True`, `x == True` and `x`; `x == []` and `not x`."""
    if old.kind == new.kind == "truthy":
        return new.subject in [f"{taking}({old.subject})" for taking in _TAKING_ALL]
    if old.kind not in ("eq", "is"):
        return False
    if new.kind in ("eq", "is") and (old.subject, old.expected) == (new.subject, new.expected):
        return True
    if old.expected == "«True»" and new.kind == "truthy" and old.subject == new.subject:
        return True
    if old.expected == "«True»" and new.kind == "type" and old.subject == f"isinstance({new.subject}, {new.expected})":
        return True
    if new.kind == "falsy" and old.expected in _EMPTY and not _is_exactly(old):
        return new.subject in (old.subject, old.subject.removeprefix("len(").removesuffix(")"))
    return _rounds(old, new)


def _is_exactly(fact: Fact) -> bool:
    """`x is None` and `x is False`, where x may be something else that is false as well."""
    is_either = fact.expected == "«None»" or (fact.kind == "is" and fact.expected == "«False»")
    return is_either and outermost(fact.subject) not in _TRUE_OR_FALSE


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
    if not calls(old.subject) - COMMON <= calls(new.subject):
        return None
    was, now = (Counter(one for one in literals(fact.subject) if one not in _ENCODINGS) for fact in (old, new))
    return None if was == now else Verdict("expectation-changed", "What the test is given changed", waits=True)


def _other_value(old: Fact, new: Fact) -> Verdict | None:
    """Whether the same has to equal something else, or both sides went through the same thing."""
    if old.kind != new.kind or old.expected == new.expected or old.kind not in ("eq", "is", "near", "type"):
        return None
    if old.kind == "type" and names(new.expected) < names(old.expected):
        return None
    if old.subject == new.subject and (is_literal(old.expected) or old.expected in _EMPTY or old.kind == "type"):
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
    if _innermost(new.subject.partition(old.subject)[0]) == "sorted":
        return Verdict("assertion-weakened", "It is sorted before it is compared now: its order may be any", waits=True)
    alone = around & _LOSSY_ALONE & _standing_around(*new.subject.split(old.subject, 1))
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
    now = shape(new.whole)
    if shape(old.subject) in now or any(shape(one) in now for one in _kept_in(old.subject)):
        return True
    return not calls(old.whole) - COMMON and len(names(old.subject) & names(new.whole)) * 2 > len(names(old.subject))


def _asks_of_fewer(old: Fact, new: Fact) -> bool:
    """Whether something was asked of all, or of any, and is not by any such word now."""
    of_before = calls(old.whole) & _QUANTIFIERS
    return bool(of_before) and new.strength < Strength.NEAR and _QUANTIFIERS.isdisjoint(calls(new.whole))


def _is_in_another_order(old: Fact, new: Fact) -> bool:
    was, now = literals(old.expected), literals(new.expected)
    return was != now and sorted(was) == sorted(now)


def _kept_in(subject: str) -> Iterator[str]:
    """`x` of `list(x)` and its like, which hold what `x` does."""
    name, opened, inner = subject.partition("(")
    if opened and name in _KEEPING and outermost(subject) == name and "(" in inner:
        yield inner[:-1]


def _covers(old: Fact, new: Fact) -> bool:
    """Whether all that the old fact calls and compares with stands in the new one, which asks for as much."""
    if new.strength < old.strength or _ask_otherwise(old, new) or not calls(old.whole) - COMMON <= calls(new.whole):
        return False
    if new.subject.startswith("[") and old.subject in new.subject and not old.subject.startswith("["):
        # Something is added to what is tested, or taken from it.
        return False
    if not told_apart(old.whole) <= told_apart(new.whole) or _calls_another(old, new):
        return False
    if _asks_of_fewer(old, new) or _is_in_another_order(old, new):
        return False
    if _goes_through_more(old, new) or _is_given_other(old, new):
        return False
    if any(sign in new.whole and sign not in old.whole for sign in _LOOSENING):
        return False
    if not (calls(new.expected) - calls(old.whole)).isdisjoint(_CHOOSING | _REWRITING):
        return False
    if Counter(literals(old.whole)) - Counter(literals(new.whole)):
        return False
    if new.expected and Counter(literals(old.expected)) - Counter(literals(new.expected)):
        # The same numbers on other sides are another claim.
        return False
    return bool(calls(old.whole) or literals(old.whole)) or names(old.whole) <= names(new.whole)


def _calls_another(old: Fact, new: Fact) -> bool:
    """Whether it calls one function of those that stand anywhere in the place of another: `min`, where `max` was."""
    was, now = (calls(fact.whole) & COMMON - _QUANTIFIERS for fact in (old, new))
    return bool(was - now) and bool(now - was)


def _goes_through_more(old: Fact, new: Fact) -> bool:
    """Whether something stands around what is tested now that may change its value; an attribute of it does not."""
    if "(" not in old.subject:
        return False
    before, found, after = new.subject.partition(old.subject)
    if not found:
        return False
    through = _LOSSY | _REWRITING
    return "<" in before or _innermost(before) in _CHOOSING | _REWRITING or not calls(after).isdisjoint(through)


def _is_given_other(old: Fact, new: Fact) -> bool:
    """Whether what the tested function is given is sorted, filtered or rewritten now."""
    (was, found, given), (now, _, other) = old.subject.partition("("), new.subject.partition("(")
    return bool(found) and was == now and not (calls(other) - calls(given)).isdisjoint(_CHOOSING)


def _standing_around(before: str, after: str) -> set[str]:
    """The functions and methods that are given what stands between two parts of a term, or something it is in."""
    opened: list[str] = []
    for name, closing in _BRACKETS.findall(without_literals(before)):
        if not closing:
            opened.append(name)
        elif opened:
            opened.pop()
    return {*opened, *without_literals(after).partition("(")[0].split(".")}


def _innermost(before: str) -> str:
    """The function whose call begins at the end of a term."""
    found = re.search(_OPENED, before)
    return "" if found is None else found[1]


def _rewritten(old: Fact, new: Fact) -> Verdict:
    if old.subject == new.subject and is_literal(old.expected) and not is_literal(new.expected):
        return Verdict("expectation-changed", "The expected value is computed now", waits=True)
    return Verdict("expectation-changed", "The check was written anew", waits=True)


_WORDS = {
    "falsy": "that it is false, or holds nothing",
    "truthy": "that it is true",
    "notnone": "that it is not None",
    "in": "that it is one of several",
    "type": "its type",
    "ne": "that it is not something",
    "or": "one of several things",
    **dict.fromkeys(("lt", "le", "gt", "ge"), "a bound"),
}
