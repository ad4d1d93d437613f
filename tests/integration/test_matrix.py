"""The matrix of who changes what and how, cell by cell, as `check` judges a range and a server's hook a push."""

from __future__ import annotations

import pytest

from ledgergate.checks.engine import unscored_report
from ledgergate.errors import LedgergateError
from ledgergate.git import Repository
from ledgergate.hosts import moments
from ledgergate.hosts.received import Received
from ledgergate.hosts.refs import read_received
from ledgergate.hosts.server_config import ServerConfig
from ledgergate.values import Item, Report
from ledgergate.vouch import Trust
from support.acks import MAIN, ranged
from support.matrix import HOW, WHAT, WHO, Arrived, How, What, arrive, landing, right_answer
from support.project import HUMAN, NOW
from support.repo import Repo

pytestmark = pytest.mark.slow


def in_ci(repo: Repo, arrived: Arrived) -> Report:
    trust = Trust(arrived.target, default_branch=MAIN)
    try:
        return ranged(repo, arrived.old, arrived.new, trust=trust, exact=arrived.is_exact)
    except LedgergateError as error:
        return unscored_report(None, HUMAN, error)


def on_a_server(repo: Repo, arrived: Arrived) -> Report | None:
    """What comes of the line that git gives to the hook; None where nobody could push what arrives."""
    new = landing(repo, arrived)
    if new is None:
        return None
    (update,) = read_received(f"{arrived.old} {new} {arrived.target}\n".encode())
    return Received(Repository(str(repo.path)), ServerConfig()).judge(update).report


@pytest.mark.parametrize("what", WHAT, ids=lambda what: what.name)
@pytest.mark.parametrize("how", HOW, ids=lambda how: how.name)
def test_each_cell_has_its_right_answer(repo: Repo, what: What, how: How, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moments, "now", lambda: NOW)
    wrong = []
    # What would have to be approved depends on whether an agent's signal is seen, and not on who approves it.
    contracts: dict[bool, tuple[Item, ...]] = {}
    for who in WHO:
        arrived = arrive(repo, who, what, how, contracts.get(who.has_signal, ()) if who.acks else ())
        report, served = in_ci(repo, arrived), on_a_server(repo, arrived)
        contracts.setdefault(who.has_signal, report.items)
        if report.state is not right_answer(who, what, how):
            found = sorted({(seen.rule, seen.state.value, seen.message) for seen in (*report.findings, *report.notes)})
            wrong.append((who.name, report.state.value, right_answer(who, what, how).value, found))
        if served is not None and (served.state, served.items, served.vouched) != (
            report.state,
            report.items,
            report.vouched,
        ):
            wrong.append((who.name, "on a server", served.state.value, sorted(map(str, served.findings))))
    assert not wrong
