"""Checks in other words that could not pass where an old one fails."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ledgergate.guard.facts import Fact
from ledgergate.guard.terms import is_literal
from ledgergate.guard.well_known import EMPTY_VALUES

_BARE = {ord("«"): None, ord("»"): None}
_SPECIAL = frozenset("\\^$*+?{}[]|()")
_ITEM = re.compile(r"(.+)\[«([^»]*)»\]", re.DOTALL)
_ENDS = re.compile(r"(.+)\.(startswith|endswith)\((«[^»]*»)\)", re.DOTALL)
_MATCH = re.compile(r"(?:match|search)\(«([^»]*)», (.+)\)", re.DOTALL)
_CALLED_ONCE = re.compile(r"(.+)\.assert_called_once_with(\(.*\))", re.DOTALL)
# A call with one value, as a term.
_CALLED = re.compile(r"([\w.]+)\((.+)\)", re.DOTALL)
_TOLERANCE = re.compile(r"(rel|abs|rtol|atol|rel_tol|abs_tol|delta|places|decimal)=«([\d.]+(?:e-?\d+)?)»")
_PLACES = ("places", "decimal")
_CATEGORY = re.compile(r"issubclass\(catch_warnings\(.*\)\[«0»\]\.category, (\w+)\)")


BySubject = Mapping[str, Sequence[Fact]]


def is_asked_stricter(fact: Fact, facts: BySubject) -> bool:
    """Whether one of the facts, which stands behind no other condition, asks all that `fact` asks, and more."""
    way = _WAYS.get(fact.kind)
    return way is not None and any(set(one.guards) <= set(fact.guards) for one in way(fact, facts))


def text_of_raised(classes: str, match: str, facts: Sequence[Fact]) -> bool:
    """Whether the text that `match=` asked for is asked of the exception itself, of the only one of its class."""
    plain = _value(match)
    if not isinstance(plain, str) or not plain or not _SPECIAL.isdisjoint(plain):
        return False
    of = f"str(raises({classes}).value)"
    if sum(one.kind == "raises" and one.expected.partition(" ~ ")[0] == classes for one in facts) != 1:
        return False
    return any(
        not one.guards
        and isinstance(text := _value(one.expected if one.kind == "eq" else one.subject), str)
        and plain in text
        for one in facts
        if (one.kind, one.subject) == ("eq", of) or (one.kind, one.expected) == ("in", of)
    )


def is_tighter(old: Fact, new: Fact) -> bool:
    """Whether the same is compared within the same kinds of tolerance, none of them wider."""
    (was, _, given), (now, _, other) = old.expected.partition(" ~ "), new.expected.partition(" ~ ")
    if (old.kind, new.kind) != ("near", "near") or (old.subject, was) != (new.subject, now):
        return False
    before, after = (dict(_TOLERANCE.findall(text)) for text in (given, other))
    if (
        not before
        or before.keys() != after.keys()
        or any(_TOLERANCE.sub("", one).strip(", ") for one in (given, other))
    ):
        return False
    numbers = [(name, float(before[name]), float(after[name])) for name in before]
    return all(0 <= to <= of if name not in _PLACES else of <= to for name, of, to in numbers)


def matches_more(old: str, new: str) -> bool:
    """Whether the new `match=` finds only texts in which the old one finds something: it is there, and nothing open."""
    was, now = _value(old), _value(new)
    if not isinstance(was, str) or not isinstance(now, str) or not _SPECIAL.isdisjoint(was):
        return False
    core = now.removeprefix("^").removesuffix("$")
    plain = re.sub(r"\\(\W)", r"\1", core)
    return plain.count(was) > 0 and core in (re.escape(plain), plain) and (core != plain or _SPECIAL.isdisjoint(plain))


def denies(subject: str, term: str, fact: Fact) -> bool:
    """Whether a fact does not hold where its subject, or what it counts or looks into, comes to a term of literals."""
    known = EMPTY_VALUES.get(term, _value(term))
    compare, other = _COMPARED.get(fact.kind), fact.expected
    if compare is None or (known is None and term != "«None»"):
        return False
    if fact.kind in ("in", "notin") and subject == fact.expected:
        compare, other = _HOLDING[fact.kind], fact.subject
    expected = _TYPES.get(other) if fact.kind == "type" else EMPTY_VALUES.get(other, _value(other))
    if expected is None and other not in ("", "«None»"):
        return False
    try:
        return not compare(len(known) if fact.subject == f"len({subject})" else known, expected)  # type: ignore[arg-type]
    except TypeError:
        return True


_TYPES: Mapping[str, type] = {one.__name__: one for one in (int, str, float, bytes, bool, list, tuple, dict, set)}
_HOLDING: Mapping[str, Callable[[Any, Any], bool]] = {
    "in": lambda value, element: element in value,
    "notin": lambda value, element: element not in value,
}
_COMPARED: Mapping[str, Callable[[Any, Any], bool]] = {
    "truthy": lambda value, _: bool(value),
    "falsy": lambda value, _: not value,
    "notnone": lambda value, _: value is not None,
    "ne": operator.ne,
    "isnot": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
    "in": lambda value, values: value in values,
    "notin": lambda value, values: value not in values,
    "type": isinstance,
    "eq": operator.eq,
}


def _value(term: str) -> object:
    """What a term of literals alone comes to; None for any other."""
    if not is_literal(term):
        return None
    try:
        return ast.literal_eval(term.translate(_BARE))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None


def _all(facts: BySubject) -> Iterator[Fact]:
    return (one for some in facts.values() for one in some)


def _equal_to(subject: str, facts: BySubject) -> Iterator[tuple[Fact, object]]:
    for one in facts.get(subject, ()):
        if one.kind == "eq":
            value = _value(one.expected)
            if value is not None:
                yield one, value


def _items(fact: Fact, facts: BySubject) -> Iterator[Fact]:
    """`x[0] == 1`, where all of `x` is asked for."""
    found = _ITEM.fullmatch(fact.subject)
    expected = _value(fact.expected)
    if found is None or expected is None:
        return
    key = _value(f"«{found[2]}»")
    for one, whole in _equal_to(found[1], facts):
        if isinstance(whole, (list, tuple, dict)):
            try:
                item = whole[key]  # type: ignore[call-overload]
            except (LookupError, TypeError):
                continue
            if (type(item), item) == (type(expected), expected):
                yield one


def _equals(fact: Fact, facts: BySubject) -> Iterator[Fact]:
    """`x[0] == 1`, where all of `x` is asked for; `Path(x) == Path(y)`, where `x` and `y` have to be equal."""
    yield from _items(fact, facts)
    if fact.guards:
        yield from (one for one in facts.get(fact.subject, ()) if _chooses(one, fact.guards[-1], fact.expected))
    through, other = _CALLED.fullmatch(fact.subject), _CALLED.fullmatch(fact.expected)
    if through is not None and other is not None and through[1] == other[1]:
        sides = {through[2], other[2]}
        yield from (one for side in sides for one in facts.get(side, ()) if _is_equality_of(one, sides))


def _chooses(fact: Fact, guard: str, expected: str) -> bool:
    """Whether a value is expected that a condition chooses, and it is this one behind this guard."""
    condition = guard.removeprefix("[! ")[:-1] if guard.startswith("[! ") else guard
    start, end = f"<IfExp {condition} ", f" {expected}>" if condition != guard else ""
    if fact.kind != "eq" or not fact.expected.startswith(start):
        return False
    return fact.expected.endswith(end) if end else fact.expected.startswith(f"{start}{expected} ")


def _is_equality_of(fact: Fact, sides: set[str]) -> bool:
    return fact.kind == "eq" and {fact.subject, fact.expected} == sides


def _truths(fact: Fact, facts: BySubject) -> Iterator[Fact]:
    """`x.startswith("a")` where `x` has to equal `"ab"`, a match where the whole has to match, a class of a warning."""
    ends, match, category = (one.fullmatch(fact.subject) for one in (_ENDS, _MATCH, _CATEGORY))
    if ends is not None:
        part = _value(ends[3])
        for one, whole in _equal_to(ends[1], facts):
            if type(whole) is type(part) and isinstance(whole, (str, bytes)) and getattr(whole, ends[2])(part):
                yield one
    elif match is not None:
        pattern = _whole(f"«{match[1]}»")
        for one in _all(facts):
            if one.kind == "eq" and one.expected == match[2] and pattern is not None and pattern == _whole(one.subject):
                yield one
    elif category is not None:
        yield from (
            one for one in _all(facts) if one.kind == "warns" and one.expected.partition(" ~ ")[0] == category[1]
        )


def _whole(term: str) -> str | None:
    """A pattern without the anchors at its ends."""
    value = _value(term)
    if not isinstance(value, str) or "|" in value or value.endswith("\\$"):
        return None
    return value.removeprefix("^").removesuffix("$")


def _filled(fact: Fact, facts: BySubject) -> Iterator[Fact]:
    """`len(x) > 0`, where `x` has to be true."""
    subject = fact.subject.removeprefix("len(").removesuffix(")")
    if f"len({subject})" == fact.subject and (fact.kind, fact.expected) in _NOT_EMPTY:
        yield from (one for one in facts.get(subject, ()) if one.kind == "truthy")


def _calls(fact: Fact, facts: BySubject) -> Iterator[Fact]:
    """`mock.assert_called_once_with(1)`, where all its calls have to be that one."""
    found = _CALLED_ONCE.fullmatch(fact.subject)
    if found is not None:
        sides = {f"{found[1]}.call_args_list", f"[call{found[2]}]"}
        yield from (one for side in sides for one in facts.get(side, ()) if _is_equality_of(one, sides))


_NOT_EMPTY = frozenset({("gt", "«0»"), ("ge", "«1»"), ("ne", "«0»")})
_Way = Callable[[Fact, BySubject], Iterator[Fact]]
_WAYS: Mapping[str, _Way] = {
    "eq": _equals,
    "truthy": _truths,
    "gt": _filled,
    "ge": _filled,
    "ne": _filled,
    "call": _calls,
}
