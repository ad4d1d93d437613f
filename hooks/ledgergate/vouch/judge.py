"""What becomes of a human's difference: refused, waiting, or noted."""

from __future__ import annotations

from ledgergate.values import State
from ledgergate.vouch.case import Case
from ledgergate.vouch.differences import Difference


def judge_difference(case: Case, difference: Difference) -> State:
    """The state of a difference that nobody has vouched for.

    Staged: an agent is refused, a human is told what the difference will need (PASS: a note). On a range: FAIL where a
    commit that made it carries an agent's signal, UNSCORED otherwise, since nobody has proved that a human made it.
    """
    if case.change.moment == "staged":
        introduces = case.rules.authority == "bootstrap"
        return State.FAIL if case.actor.is_agent and not introduces else State.PASS
    return State.FAIL if case.attribution.signals_on(difference) else State.UNSCORED
