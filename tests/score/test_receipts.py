"""Which cases a freeze's receipt excuses."""

from __future__ import annotations

from typing import Any

import pytest

from ledgergate.freeze import Freeze
from ledgergate.score import covered_by_receipts
from support.lane_reports import BEFORE, CASE, NOW, OTHER, PATH, RECEIPT, frozen, lane, ledger, read

SKIPPED = {"properties": lane(receipts=[RECEIPT], skipped_case_ids=[CASE])}


def covers(case: str, freezes: tuple[dict[str, Any], ...], *reports: dict[str, Any], broken: str = "") -> bool:
    parsed = [one for number, lanes in enumerate(reports) for one in read(lanes, f"{number}.json")]

    def why(freeze: Freeze) -> str | None:
        return "edited" if freeze.id == broken else None

    own = ledger(*freezes, required_lanes=["properties", "fixtures"])
    return covered_by_receipts(own.freezes, parsed, NOW, why)(case)


@pytest.mark.parametrize(
    ("case", "freeze"),
    [
        (CASE, frozen()),
        (f"{CASE}[1]", frozen()),
        (CASE, frozen(case_id=CASE)),
        (CASE, frozen(case_id="test_budget")),
        (CASE, frozen(lane=None)),
    ],
)
def test_the_right_receipt_excuses_its_case(case: str, freeze: dict[str, Any]) -> None:
    assert covers(case, (freeze,), SKIPPED)


def test_shards_of_a_frozen_function_give_one_receipt_each() -> None:
    shards = [{"properties": lane(receipts=[RECEIPT], shard=number, shards=2)} for number in (1, 2)]
    assert covers(CASE, (frozen(),), *shards)
    assert not covers(CASE, (frozen(),), shards[0])


@pytest.mark.parametrize(
    "freezes",
    [
        pytest.param((), id="no freeze"),
        pytest.param((frozen(id="fx-2"),), id="of another id"),
        pytest.param((frozen(expires_utc=BEFORE),), id="expired"),
        pytest.param((frozen(expires_utc=NOW.isoformat()),), id="expiring now"),
        pytest.param((frozen(expires_utc="soon"),), id="expiring nobody knows when"),
        pytest.param((frozen(owner=None),), id="without an owner"),
        pytest.param((frozen(signature=OTHER),), id="with another signature"),
        pytest.param((frozen(lane="fixtures"),), id="of another lane"),
        pytest.param((frozen(case_id="other"),), id="of another case"),
        pytest.param((frozen(case_id=f"{CASE}[1]"),), id="of one parameter"),
        pytest.param((frozen(), frozen()), id="doubled"),
    ],
)
def test_any_other_freeze_excuses_nothing(freezes: tuple[dict[str, Any], ...]) -> None:
    assert not covers(CASE, freezes, SKIPPED)


@pytest.mark.parametrize(
    "report",
    [
        lane(),
        lane(receipts=[RECEIPT, RECEIPT]),
        lane(receipts=[RECEIPT, {**RECEIPT, "signature": OTHER}]),
        lane(receipts=[{**RECEIPT, "signature": OTHER}]),
        lane(receipts=[RECEIPT], status="timeout"),
        lane(receipts=[RECEIPT], executed="3"),
        lane(receipts=[RECEIPT], shard=1, shards=2),
    ],
)
def test_any_other_report_excuses_nothing(report: dict[str, Any]) -> None:
    assert not covers(CASE, (frozen(),), {"properties": report})


def test_an_edited_check_excuses_nothing() -> None:
    assert not covers(CASE, (frozen(),), SKIPPED, broken="fx-1")


@pytest.mark.parametrize("case", ["tests/other.py::test_budget", f"{PATH}::test_budget_more", f"{PATH}::budget_x", ""])
def test_no_other_case_is_excused(case: str) -> None:
    assert not covers(case, (frozen(),), SKIPPED)


def test_two_freezes_of_one_case_leave_open_which_is_meant() -> None:
    both = (frozen(), frozen(id="fx-2", case_id=CASE))
    receipts = lane(receipts=[RECEIPT, {**RECEIPT, "id": "fx-2"}], skipped_case_ids=[CASE])
    assert not covers(CASE, both, {"properties": receipts})


def test_two_lanes_that_claim_it_leave_open_whose_it_is() -> None:
    assert not covers(CASE, (frozen(lane=None),), {**SKIPPED, "fixtures": SKIPPED["properties"]})


@pytest.mark.parametrize("other", [lane(status="timeout", ran_case_ids=[CASE]), {}, "nothing", lane(executed=True)])
def test_a_lane_that_did_not_complete_may_claim_it_as_well(other: object) -> None:
    assert not covers(CASE, (frozen(lane=None),), {**SKIPPED, "fixtures": other})
    assert covers(CASE, (frozen(),), {**SKIPPED, "fixtures": other})
    assert not covers(CASE, (frozen(lane=None),), {**SKIPPED, "": other})
