"""The moves turn a red run of pytest green, and their twins stay green on code that is right."""

from __future__ import annotations

import pytest

from cases.moves import CODE, MOVES, RIGHT, WRONG, Files
from support.pytest_runs import exit_statuses

pytestmark = pytest.mark.exhaustive

# What it disarms is the job that would run pytest.
RUN = {id_: move for id_, move in MOVES.items() if id_ != "D07"}


def tree(code: str, *files: Files) -> dict[str, str]:
    merged: Files = {CODE: code}
    for one in files:
        merged |= one
    return {path: text for path, text in merged.items() if text is not None}


def test_moves_turn_red_to_green_and_twins_are_green() -> None:
    before = [tree(WRONG, move.before) for move in RUN.values()]
    after = [tree(WRONG, move.before, move.after) for move in RUN.values()]
    twins = {id_: tree(RIGHT, move.twin_before, move.twin_after) for id_, move in RUN.items() if move.twin_after}
    ended = exit_statuses([*before, *after, *twins.values()])
    statuses = dict(zip(RUN, zip(ended[: len(RUN)], ended[len(RUN) :], strict=False), strict=True))
    assert {id_: pair for id_, pair in statuses.items() if pair != (1, 0)} == {}
    green = dict(zip(twins, ended[2 * len(RUN) :], strict=True))
    assert {id_: status for id_, status in green.items() if status != 0} == {}
