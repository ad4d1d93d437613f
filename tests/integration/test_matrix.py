"""The matrix of who changes what and how, cell by cell, as `check` judges a range."""

from __future__ import annotations

import pytest

from ledgergate.checks.engine import unscored_report
from ledgergate.errors import LedgergateError
from ledgergate.values import Item, Report
from ledgergate.vouch import Trust
from support.acks import MAIN, ranged
from support.matrix import HOW, WHAT, WHO, Arrived, How, What, arrive, right_answer
from support.project import HUMAN
from support.repo import Repo

pytestmark = pytest.mark.slow


def judged(repo: Repo, arrived: Arrived) -> Report:
    trust = Trust(arrived.target, default_branch=MAIN)
    try:
        return ranged(repo, arrived.old, arrived.new, trust=trust, exact=arrived.is_exact)
    except LedgergateError as error:
        return unscored_report(None, HUMAN, error)


@pytest.mark.parametrize("what", WHAT, ids=lambda what: what.name)
@pytest.mark.parametrize("how", HOW, ids=lambda how: how.name)
def test_each_cell_has_its_right_answer(repo: Repo, what: What, how: How) -> None:
    wrong = []
    # What would have to be approved depends on whether an agent's signal is seen, and not on who approves it.
    contracts: dict[bool, tuple[Item, ...]] = {}
    for who in WHO:
        report = judged(repo, arrive(repo, who, what, how, contracts.get(who.has_signal, ()) if who.acks else ()))
        contracts.setdefault(who.has_signal, report.items)
        if report.state is not right_answer(who, what, how):
            found = sorted({(seen.rule, seen.state.value, seen.message) for seen in (*report.findings, *report.notes)})
            wrong.append((who.name, report.state.value, right_answer(who, what, how).value, found))
    assert not wrong
