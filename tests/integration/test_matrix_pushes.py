"""A cell of each kind from the matrix, by a real push to a real server: what is told there is what the table says."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from ledgergate.values import Item, State
from support import matrix
from support.acks import MAIN, ack, ranged
from support.matrix import HOW, RELEASE, WHAT, WHO, How, What, Who, arrive, landing, right_answer
from support.repo import Repo
from support.server import Server

pytestmark = pytest.mark.slow

_WHAT = {what.name: what for what in WHAT}
_WHO = {who.name: who for who in WHO}
# One of each kind. The clock of the hook is the machine's, so nothing that ends some day is among them.
CELLS = (
    ("production", "agent with a signal"),
    ("golden and digest", "agent with a signal"),
    ("golden and digest", "agent, and a human's ack"),
    ("conftest", "unsigned human"),
    ("golden alone", "human with ack"),
    ("test edited", "agent with a signal"),
)


@pytest.mark.parametrize("how", HOW, ids=lambda how: how.name)
def test_a_push_ends_as_the_table_says(repo: Repo, how: How, monkeypatch: pytest.MonkeyPatch) -> None:
    issued = datetime.now(UTC) - timedelta(hours=1)
    monkeypatch.setattr(matrix, "ack", partial(ack, issued=issued))
    server = Server(repo)
    server.install()
    wrong = []
    for what_name, who_name in CELLS:
        what, who = _WHAT[what_name], _WHO[who_name]
        ended = pushed(server, who, what, how)
        expected = right_answer(who, what, how)
        if ended is not None and ended is not expected:
            wrong.append((what.name, who.name, ended.value, expected.value))
    assert not wrong


def pushed(server: Server, who: Who, what: What, how: How) -> State | None:
    """How a push ends: that of a cell to a server that has what the cell's branches had; None where there is none."""
    repo, items = server.clone, contract(server.clone, who, what, how)
    arrived = arrive(repo, who, what, how, items)
    new = landing(repo, arrived)
    if new is None:
        return None
    has = [f"+{ref}:{ref}" for ref in (MAIN, RELEASE) if repo.run("git", "rev-parse", "-q", "--verify", ref).stdout]
    # Fetched, so that no hook sees it, and nothing of what is new is there already.
    server.repo.git("fetch", "-q", "--no-tags", str(repo.path), *has)
    done = server.push("--force", f"{new}:{arrived.target}")
    is_there = server.tip(arrived.target) == new
    assert is_there == (done.status == 0), done
    told = "FAIL" if "ledgergate: FAIL" in done.err else "UNSCORED" if "ledgergate: UNSCORED" in done.err else "PASS"
    assert is_there == (told == "PASS"), done
    return State[told]


def contract(repo: Repo, who: Who, what: What, how: How) -> tuple[Item, ...]:
    """What would have to be approved, as the same change shows it without an approval."""
    if who.acks is None:
        return ()
    arrived = arrive(repo, who._replace(acks=None), what, how, ())
    new = landing(repo, arrived)
    return () if new is None else ranged(repo, arrived.old, new, exact=True).items
