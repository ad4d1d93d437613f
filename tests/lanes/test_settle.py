"""What a command wrote and how it ended: the worse counts."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledgergate.lanes.child import Ended
from ledgergate.lanes.settle import settle
from ledgergate.policy.model import Lane
from ledgergate.score import LaneReport, read_lane_reports
from support.lane_reports import lane

LANE = Lane("properties", "pytest", 60)
TREE = "a" * 40
HALF_A_PAIR = b'{"properties": {"ran_case_ids": ["a[\\udc80]"]}}'
DONE = Ended(0, False, 1.5, b"")
FAILED = [{"case": "a", "message": "no"}]


def settled(written: object, ended: Ended = DONE) -> dict[str, Any]:
    data = written if written is None or isinstance(written, bytes) else json.dumps(written).encode()
    found: dict[str, Any] = json.loads(settle(LANE, data, ended, TREE))
    return found


def ended(status: int | None = 0, **more: Any) -> Ended:
    return DONE._replace(status=status, **more)


GOOD = {"properties": lane()}


@pytest.mark.parametrize(
    ("written", "end", "status"),
    [
        (GOOD, ended(0), "ok"),
        (GOOD, ended(1), "crash"),
        (GOOD, ended(2), "crash"),
        (GOOD, ended(3), "crash"),
        (GOOD, ended(4), "crash"),
        (GOOD, ended(5), "empty"),
        (GOOD, ended(139), "crash"),
        (GOOD, ended(137), "crash"),
        (GOOD, ended(-9), "crash"),
        (GOOD, ended(-15, is_late=True), "timeout"),
        (GOOD, ended(0, is_late=True), "timeout"),
        (GOOD, ended(None, problem="no such file"), "crash"),
        ({"properties": lane(violations=FAILED)}, ended(1), "ok"),
        ({"properties": lane(violations=FAILED)}, ended(0), "ok"),
        ({"properties": lane(violations=FAILED)}, ended(2), "crash"),
        ({"properties": lane(status="crash")}, ended(0), "crash"),
        ({"properties": lane(status="crash")}, ended(5), "crash"),
        ({"properties": lane(status="empty")}, ended(1), "crash"),
        ({"properties": lane(status="timeout")}, ended(1), "timeout"),
        ({"properties": lane(status="passed")}, ended(0), "passed"),
        (None, ended(0), "empty"),
        (None, ended(5), "empty"),
        (None, ended(1), "crash"),
        (None, ended(-11), "crash"),
        (b"", ended(0), "parse_error"),
        (b"{", ended(0), "parse_error"),
        (b"[]", ended(0), "parse_error"),
        (b'{"properties": 1, "properties": 2}', ended(0), "parse_error"),
        (b"{", ended(1), "crash"),
        ({"properties": [1]}, ended(0), "parse_error"),
        ({}, ended(0), "empty"),
        ({"fixtures": lane()}, ended(0), "empty"),
    ],
)
def test_the_worse_of_both(written: object, end: Ended, status: str) -> None:
    found = settled(written, end)["properties"]
    assert found["status"] == status
    assert ("reason" in found) == (status not in ("ok", "passed") and not _says_itself(written, status))


def _says_itself(written: object, status: str) -> bool:
    own = written.get("properties") if isinstance(written, dict) else None
    return isinstance(own, dict) and own.get("status") == status


def test_violations_of_a_lane_that_came_to_no_end_stay() -> None:
    found = settled({"properties": lane(violations=FAILED)}, ended(-15, is_late=True))["properties"]
    assert (found["status"], found["violations"]) == ("timeout", FAILED)
    assert found["reason"] == "it was ended after 60 seconds"


def test_what_the_runner_knows_is_added_and_nothing_replaced() -> None:
    found = settled(GOOD)["properties"]
    assert (found["tree"], found["random_seed"], found["duration_s"]) == (TREE, 0, 1.5)
    own = {"tree": "b" * 40, "random_seed": 7, "unknown": [1.5, {"x": None}]}
    assert settled({"properties": lane(**own)})["properties"].items() >= own.items()


def test_other_lanes_of_the_report_stay() -> None:
    assert settled({**GOOD, "fixtures": lane(executed=9)})["fixtures"]["executed"] == 9


@given(st.binary(max_size=60) | st.none(), st.integers(-64, 255), st.booleans())
def test_whatever_is_written_is_a_report_and_no_pass(written: bytes | None, status: int, is_late: bool) -> None:
    data = settle(LANE, written, ended(status, is_late=is_late), TREE)
    found = next(one for one in read_lane_reports("x", data) if one.lane == "properties")
    assert isinstance(found, LaneReport)
    assert found.status != "ok"


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (b"[]", "its report is no JSON object"),
        (b"{", "its report is no JSON object: it is not valid JSON: "),
        (HALF_A_PAIR, "its report is no JSON object: a text in it holds half of a surrogate pair"),
    ],
)
def test_it_says_why_a_report_does_not_count(written: bytes, said: str) -> None:
    assert settled(written)["properties"]["reason"].startswith(said)
