"""The moves are refused, and their honest twins are not, by what an agent's commit goes through."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from cases.moves import CODE, GOLDEN, MOVES, RIGHT, WRONG, Files
from ledgergate.values import Report, State
from support.project import AGENT, FREEZES, LEDGER, Edit, Project, freezes, ledger, sha256
from support.repo import Repo

POLICY = 'version = 1\nagent_write_paths = ["tests/**"]\n'
# Whoever special-cases what its tests use is not told from one who means it.
NOT_SEEN = {"F01", "F02"}
WAITING_TWINS = {"A08", "A09", "A13"}


def judged(repo: Repo, code: str, before: Files, after: Files, *, only: str | None = None) -> Report:
    golden = before.get(GOLDEN)
    row = (
        f"  - id: tests/test_till.py::test_golden\n    class: locked_fixture\n    artifact: {GOLDEN}\n"
        f"    digest: {sha256(golden)}\n"
        if golden is not None
        else ""
    )
    own: Edit = {"ledgergate.toml": POLICY, LEDGER: ledger(*filter(None, [row])), FREEZES: freezes(), CODE: code}
    project = Project(repo, {**own, **before})
    return project.staged(after, AGENT, only=only)


@pytest.mark.parametrize("id_", [id_ for id_ in MOVES if id_ not in NOT_SEEN])
def test_a_move_is_refused(repo: Repo, id_: str) -> None:
    move = MOVES[id_]
    report = judged(repo, WRONG, move.before, move.after)
    assert report.state in (State.FAIL, State.UNSCORED)


@pytest.mark.parametrize("id_", [id_ for id_, move in MOVES.items() if move.twin_after is not None])
def test_its_twin_is_not(repo: Repo, id_: str) -> None:
    move = MOVES[id_]
    assert move.twin_after is not None
    report = judged(repo, RIGHT, move.twin_before, move.twin_after, only="test-guard")
    expected = State.UNSCORED if id_ in WAITING_TWINS else State.PASS
    assert (report.state, [found.message for found in report.findings if expected is State.PASS]) == (expected, [])


def test_there_are_enough_of_each_kind() -> None:
    kinds: Mapping[str, int] = {letter: sum(id_.startswith(letter) for id_ in MOVES) for letter in "ABCDEFG"}
    assert kinds == {"A": 14, "B": 7, "C": 9, "D": 8, "E": 5, "F": 6, "G": 2}
