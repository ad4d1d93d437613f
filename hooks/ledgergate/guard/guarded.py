"""Checks that a test makes only under a condition now."""

from __future__ import annotations

from ledgergate.guard.conditions import is_harmless
from ledgergate.guard.facts import Fact, Strength
from ledgergate.guard.reading import Reading
from ledgergate.guard.verdict import Verdict

_WEAK_ENVIRONMENT = ("environ", "getenv", "random")


def behind_conditions(
    fact: Fact, old: Reading, new: Reading, modules: frozenset[str] = frozenset()
) -> tuple[Verdict, int] | None:
    """What became of a fact that both sides ask, where only the new one asks it under a condition; else None.

    `modules` are the names that imports of the file bind.
    """
    before, after = old.by_key[fact.key], new.by_key[fact.key]
    if any(one.guards for one in before) or any(not one.guards for one in after):
        return None
    subject = fact.subject if "(" in fact.subject or len(fact.subject) > 2 else f" {fact.subject} "
    for one in after:
        if any(subject in guard and guard != one.subject for guard in one.guards):
            message = "The check is only made where it holds, or where its subject says so"
            return Verdict("assertion-removed", message), one.line
        if any(word in guard for guard in one.guards for word in _WEAK_ENVIRONMENT):
            return Verdict("assertion-removed", "The check depends on the environment now", waits=True), one.line
    least = min(after, key=lambda one: len(one.guards))
    if any(_is_telling(guard, new, modules) for guard in least.guards):
        return Verdict("assertion-removed", "The check is only made under a condition now", waits=True), least.line
    return None


def _is_telling(guard: str, new: Reading, modules: frozenset[str]) -> bool:
    """Whether a condition keeps a check from being made, and nothing is asked in its place then."""
    if guard == "ImportError" or is_harmless(guard, modules):
        return False
    opposite = _opposite(guard)
    return not any(opposite in one.guards for one in new.facts if one.strength > Strength.SOMETHING)


def _opposite(guard: str) -> str:
    return guard[3:-1] if guard.startswith("[! ") else f"[! {guard}]"
