"""What became of a check that something raises."""

from __future__ import annotations

import builtins

from ledgergate.guard.facts import Fact, Strength
from ledgergate.guard.stricter import matches_more
from ledgergate.guard.terms import literals, shape
from ledgergate.guard.verdict import Verdict

_ANYTHING = frozenset({"Exception", "BaseException"})
_MATCHES_ALL = frozenset({"", "«''»", "«'.*'»", "«'.'»", "«'.+'»", "«'(?s).*'»"})


def raised_verdict(old: Fact, new: Fact) -> Verdict | None:
    """What became of `raises`, given the check that stands in for it; None where nothing is lost."""
    if new.kind not in ("raises", "warns") and new.strength >= Strength.EXACT:
        message = "A value is checked where something had to be raised"
        return Verdict("expectation-changed", message, waits=True)
    if new.kind != "raises":
        return Verdict("assertion-removed", "Nothing has to be raised any more")
    (was, matched), (now, matches) = _parts(old), _parts(new)
    loses_match = matched not in _MATCHES_ALL and matches in _MATCHES_ALL
    if loses_match:
        return Verdict("assertion-weakened", "The text of what is raised is not asked for any more")
    if was != now:
        return _other_class(_classes(was), _classes(now), keeps_match=bool(matched) and matched == matches)
    if matched != matches and matched and not matches_more(matched, matches):
        return Verdict("expectation-changed", "Another text is to be raised", waits=True)
    if shape(old.subject) == shape(new.subject) and literals(old.subject) != literals(new.subject):
        return Verdict("expectation-changed", "What the test is given changed", waits=True)
    return None


def _other_class(was: frozenset[str], now: frozenset[str], *, keeps_match: bool) -> Verdict | None:
    if now & _ANYTHING and not was & _ANYTHING:
        return Verdict("assertion-weakened", "Anything may be raised now")
    if now < was:
        return None
    if was < now:
        return Verdict("assertion-weakened", "More may be raised than before")
    if keeps_match:
        return Verdict("assertion-weakened", "Another class, which may be wider, is to be raised", waits=True)
    if any(_is_base(base, one) for base in now for one in was):
        return Verdict("assertion-weakened", "A wider class may be raised than before")
    if all(_is_base(base, one) for base in was for one in now):
        return None
    return Verdict("expectation-changed", "Another class is to be raised", waits=True)


def _is_base(base: str, name: str) -> bool:
    """Whether a built-in exception is a base of another one."""
    found = [getattr(builtins, one, None) for one in (base, name)]
    return all(isinstance(one, type) for one in found) and base != name and issubclass(found[1], found[0])  # type: ignore[arg-type]


def _parts(fact: Fact) -> tuple[str, str]:
    classes, _, match = fact.expected.partition(" ~ ")
    return classes, match


def _classes(term: str) -> frozenset[str]:
    return frozenset(one.strip().rpartition(".")[2] for one in term.strip("()").split(",") if one.strip())
