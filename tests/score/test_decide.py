"""The decision table, cell by cell."""

from __future__ import annotations

import pytest

from ledgergate.policy.model import Merge
from ledgergate.score.decide import Decision, decide, decide_row
from ledgergate.values import State

ALLOW, HOLD, BLOCK = Decision.ALLOW, Decision.HOLD, Decision.BLOCK
OPTIONAL = (None, State.PASS, State.SKIP, State.UNSCORED, State.FAIL)
STRICT = Merge()
HOLDING = Merge(unscored="hold", optional_fail="hold")
NON_GATING = Merge(optional_unscored="allow")
LENIENT = Merge(unscored="hold", optional_fail="hold", optional_unscored="allow")
# For each state of the required lanes and each policy: the decision for every state of an optional lane, in order.
TABLE = {
    (State.FAIL, STRICT): (BLOCK,) * 5,
    (State.FAIL, HOLDING): (BLOCK,) * 5,
    (State.FAIL, NON_GATING): (BLOCK,) * 5,
    (State.FAIL, LENIENT): (BLOCK,) * 5,
    (State.UNSCORED, STRICT): (BLOCK,) * 5,
    (State.UNSCORED, HOLDING): (HOLD,) * 5,
    (State.UNSCORED, NON_GATING): (BLOCK,) * 5,
    (State.UNSCORED, LENIENT): (HOLD,) * 5,
    (State.SKIP, STRICT): (BLOCK,) * 5,
    (State.SKIP, HOLDING): (BLOCK,) * 5,
    (State.SKIP, NON_GATING): (BLOCK,) * 5,
    (State.SKIP, LENIENT): (BLOCK,) * 5,
    (State.PASS, STRICT): (ALLOW, ALLOW, HOLD, HOLD, BLOCK),
    (State.PASS, HOLDING): (ALLOW, ALLOW, HOLD, HOLD, HOLD),
    (State.PASS, NON_GATING): (ALLOW, ALLOW, ALLOW, ALLOW, BLOCK),
    (State.PASS, LENIENT): (ALLOW, ALLOW, ALLOW, ALLOW, HOLD),
}
CELLS = [
    (required, optional, merge, decision)
    for (required, merge), decisions in TABLE.items()
    for optional, decision in zip(OPTIONAL, decisions, strict=True)
]


@pytest.mark.parametrize(("required", "optional", "merge", "decision"), CELLS)
def test_every_cell(required: State, optional: State | None, merge: Merge, decision: Decision) -> None:
    assert decide_row(required, optional, merge) is decision


def test_the_table_is_whole() -> None:
    assert {required for required, _ in TABLE} == set(State)
    assert len(CELLS) == len(State) * 4 * len(OPTIONAL)


@pytest.mark.parametrize(
    ("optional", "decision"),
    [
        ((), ALLOW),
        ((State.PASS, State.PASS), ALLOW),
        ((State.PASS, State.UNSCORED), HOLD),
        ((State.UNSCORED, State.FAIL, State.PASS), BLOCK),
    ],
)
def test_the_worst_optional_lane_decides(optional: tuple[State, ...], decision: Decision) -> None:
    assert decide(State.PASS, optional, STRICT) is decision
