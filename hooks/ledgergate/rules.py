"""The rule catalogue: what each rule is called, how it ends, what it means, why it exists and how to go on."""

from __future__ import annotations

from dataclasses import dataclass

from ledgergate.values import Finding, State


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. `state` is None where it depends on who made the change (see docs on a human's differences)."""

    name: str
    state: State | None
    title: str
    why: str
    remedy: str


def finding(
    rule: str,
    check: str,
    message: str,
    *,
    state: State | None = None,
    remedy: str | None = None,
    path: str | None = None,
    line: int | None = None,
    subject: str | None = None,
    old: str | None = None,
    new: str | None = None,
) -> Finding:
    """A finding of `rule`, with the catalogue's state and remedy where the caller has no better one.

    Raises `KeyError` for a rule that the catalogue lacks, and `ValueError` where neither side gives a state.
    """
    entry = RULES[rule]
    judged = state or entry.state
    if judged is None:
        raise ValueError(f"{rule}: its state depends on the change, and none was given")
    return Finding(rule, judged, check, message, remedy or entry.remedy, path, line, subject, old, new)


_CATALOGUE: tuple[Rule, ...] = ()

RULES = {rule.name: rule for rule in _CATALOGUE}
