"""What becomes of a human's difference: refused, waiting, or noted."""

from __future__ import annotations

from ledgergate.values import State
from ledgergate.vouch.case import Case
from ledgergate.vouch.differences import TEST_EDITED, Difference, whole_files


def judge_difference(case: Case, difference: Difference) -> State:
    """The state of a difference.

    Where a client sees the first policy come, nothing is enforced yet (PASS). Staged: an agent is refused, a human is
    told what the difference will need (PASS: a note). On a range: PASS where somebody has vouched for all of it; else
    FAIL where a commit that made it carries an agent's signal, and UNSCORED otherwise, since nobody has proved that a
    human made it. A file of the tests waits, whoever edited it: where agents may edit any is not said here.
    """
    if case.is_first_and_free:
        return State.PASS
    if case.change.moment == "staged":
        return State.FAIL if case.actor.is_agent and difference.rule != TEST_EDITED else State.PASS
    if vouchers(case, difference):
        return State.PASS
    is_agents = difference.rule != TEST_EDITED and case.attribution.signals_on(difference)
    return State.FAIL if is_agents else State.UNSCORED


def vouchers(case: Case, difference: Difference) -> tuple[str, ...]:
    """Who vouched for the difference, each once; none where a part of it has nobody."""
    items = whole_files(case, {difference.path}) if case.is_mending else difference.items
    found = [case.vouching.of(item) for item in items]
    return tuple(dict.fromkeys(who for who in found if who is not None)) if None not in found else ()
