"""The rule catalogue: what each rule is called, how it ends, what it means, why it exists and how to go on.

The texts stand in the modules beside this one, as plain tuples: `changes` (who may change a contract), `fixtures`
(whether a contract holds), `lanes` (what a run is worth), `tests` (whether an edit makes a suite prove less) and
`reading` (whether it could be read, and the rest).
"""

from __future__ import annotations

from typing import NamedTuple

from ledgergate.rules.changes import CHANGES
from ledgergate.rules.evidence import EVIDENCE
from ledgergate.rules.fixtures import FIXTURES
from ledgergate.rules.lanes import LANES
from ledgergate.rules.reading import READING
from ledgergate.rules.tests import TESTS
from ledgergate.values import Finding, State


class Rule(NamedTuple):
    """One rule.

    `state` is what a finding of it means, or None where that depends on who made the change. `why` says what it
    protects against and what it leaves alone. `remedy` is one line a reader, each opening with who is spoken to.
    """

    name: str
    state: State | None
    title: str
    why: str
    remedy: str


RULES = {entry[0]: Rule(*entry) for entry in (*CHANGES, *FIXTURES, *EVIDENCE, *LANES, *TESTS, *READING)}


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
    """A finding of `rule`, with the catalogue's state and remedy where the caller has no better one; "" is no remedy.

    Raises `KeyError` for a rule that the catalogue lacks, and `ValueError` where neither side gives a state.
    """
    entry = RULES[rule]
    judged, way_on = state or entry.state, entry.remedy if remedy is None else remedy
    if judged is None:
        raise ValueError(f"{rule}: its state depends on the change, and none was given")
    return Finding(rule, judged, check, message, way_on, path, line, subject, old, new)
