"""Whether a change may merge: the decision table."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import assert_never

from ledgergate.policy.model import Merge
from ledgergate.values import State


class Decision(Enum):
    """Members stand in folding order: a later one outweighs an earlier. Only `ALLOW` is green."""

    ALLOW = "allow"
    HOLD = "hold"
    BLOCK = "block"


_WEIGHT = {decision: weight for weight, decision in enumerate(Decision)}


def decide(required: State, optional: Iterable[State], merge: Merge) -> Decision:
    """The decision for the fold of the required lanes and the state of each optional lane that ran.

    Each optional lane is decided by itself, and the worst decision stands.
    """
    rows = [decide_row(required, state, merge) for state in optional]
    return max((decide_row(required, None, merge), *rows), key=_WEIGHT.__getitem__)


def decide_row(required: State, optional: State | None, merge: Merge) -> Decision:
    """One row of the table. `optional` is None for no optional lane, or one that did not run."""
    match required:
        case State.FAIL | State.SKIP:
            return Decision.BLOCK
        case State.UNSCORED:
            return Decision.HOLD if merge.unscored == "hold" else Decision.BLOCK
        case State.PASS:
            return _decide_optional(optional, merge)
        case _:
            assert_never(required)


def _decide_optional(optional: State | None, merge: Merge) -> Decision:
    match optional:
        case None | State.PASS:
            return Decision.ALLOW
        case State.FAIL:
            return Decision.HOLD if merge.optional_fail == "hold" else Decision.BLOCK
        case State.SKIP | State.UNSCORED:
            return Decision.ALLOW if merge.optional_unscored == "allow" else Decision.HOLD
        case _:
            assert_never(optional)
