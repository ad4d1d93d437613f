"""The reports of one lane put together."""

from __future__ import annotations

from typing import Any

import pytest

from ledgergate.values import State
from support.lane_reports import CASE, RECEIPT, frozen, judge, lane, ledger


def shard(number: int, total: int = 2, **fields: Any) -> dict[str, Any]:
    return {"properties": lane(shard=number, shards=total, **fields)}


def state_of(*reports: dict[str, Any], **settings: Any) -> State:
    return dict(judge(ledger(**settings), *reports).lanes)["properties"]


def test_shards_count_together() -> None:
    found = judge(ledger(cardinality_floor={"properties": 6}), shard(2), shard(1))
    assert found.required_fold is State.PASS
    assert dict(found.floors)["properties"].executed == 6


@pytest.mark.parametrize(
    ("ran", "executed"),
    [
        pytest.param((["a", "b", "c"], ["d", "e", "f"]), 6, id="each its own"),
        pytest.param((["a", "b", "c"], ["a", "b", "c"]), 3, id="the same ones twice"),
        pytest.param((["a", "b", "c"], ["c", "d", "e"]), 5, id="one of them twice"),
        pytest.param((["a"], ["a"]), 6, id="examples, of a function in both"),
    ],
)
def test_a_case_in_two_shards_counts_once(ran: tuple[list[str], list[str]], executed: int) -> None:
    own = ledger(cardinality_floor={"properties": 6})
    found = judge(own, *(shard(number, ran_case_ids=ids) for number, ids in enumerate(ran, 1)))
    assert dict(found.floors)["properties"].executed == executed
    assert (found.required_fold is State.PASS) == (executed == 6)


@pytest.mark.parametrize(
    "reports",
    [
        pytest.param((shard(1),), id="the last one is missing"),
        pytest.param((shard(1), shard(1)), id="one is doubled, the other missing"),
        pytest.param((shard(1), shard(2), shard(2)), id="one is doubled"),
        pytest.param((shard(1), shard(2, 3)), id="they disagree about the number"),
        pytest.param((shard(1), {"properties": lane()}), id="one is no shard"),
        pytest.param(({"properties": lane()}, {"properties": lane()}), id="none is a shard"),
        pytest.param((shard(3),), id="beyond the number"),
        pytest.param((shard(0), shard(1)), id="they count from zero"),
        pytest.param((shard(1, tree="a" * 40), shard(2, tree="b" * 40)), id="they tested different trees"),
        pytest.param((shard(1), shard(2, status="crash")), id="one crashed"),
        pytest.param((shard(1), {"properties": "nothing"}), id="one is no object"),
        pytest.param((shard(1), {"properties": lane(shard=2)}), id="one does not know how many there are"),
    ],
)
def test_what_is_not_one_whole_run(reports: tuple[dict[str, Any], ...]) -> None:
    assert state_of(*reports) is State.UNSCORED


def test_missing_shards_are_named_as_far_as_they_can_be_read() -> None:
    (found,) = (seen for seen in judge(ledger(), shard(1, 10**15)).findings if seen.rule == "lane-incomplete")
    assert "2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 999999999999989 more" in found.message


def test_a_violation_in_any_shard_counts() -> None:
    assert state_of(shard(1), shard(2, violations=["no"])) is State.FAIL


def test_a_violation_counts_though_a_shard_is_missing() -> None:
    assert state_of(shard(1, violations=["no"])) is State.FAIL


def test_a_frozen_function_may_lie_in_several_shards() -> None:
    parts = [shard(number, receipts=[RECEIPT], skipped_case_ids=[f"{CASE}[{number}]"]) for number in (1, 2)]
    assert judge(ledger(frozen()), *parts).required_fold is State.PASS


def test_a_shard_that_does_not_list_its_skips_spoils_the_lane() -> None:
    assert state_of(shard(1, skipped=True), shard(2)) is State.UNSCORED
