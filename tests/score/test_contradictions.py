"""Lane reports whose fields say one thing and another."""

from __future__ import annotations

from typing import Any

import pytest

from ledgergate.policy import Policy
from ledgergate.score import LaneReport, Unreadable, score
from ledgergate.values import State
from support.lane_reports import CASE, NOW, RECEIPT, frozen, judge, lane, ledger, read

SKIPS = {"skipped_case_ids": [CASE], "receipts": [RECEIPT]}
CASES = [
    (lane(skipped=False, **SKIPS), f"says that nothing was skipped, and lists {CASE} as skipped"),
    (
        lane(skipped=False, skipped_case_ids=[CASE, "b", "c"], outside_evidence=["b", "c"], receipts=[RECEIPT]),
        f"says that nothing was skipped, and lists {CASE} and 2 more as skipped",
    ),
    (lane(executed=1, ran_case_ids=["a", "b"]), "says that 1 ran, and names 2 cases that did"),
    (lane(executed=0, ran_case_ids=["a"]), "says that nothing ran, and names a case that did"),
    (lane(ran_case_ids=["a", CASE], **SKIPS), f"lists {CASE} as run and as skipped"),
    (lane(skip_reasons={"b": "no network"}), "says why b was skipped, and does not list it as skipped"),
    (lane(reason="it was killed"), "says why the lane is not ok (it was killed), and its status is ok"),
    (
        lane(ran_case_ids=["a"], outside_evidence=["a"]),
        "lists this case as run, and as kept out of the run",
    ),
]
AGREEING = [
    lane(),
    lane(**SKIPS, skip_reasons={CASE: "frozen"}),
    lane(skipped_case_ids=["b"], outside_evidence=["b"], skip_reasons={"b": "kept out"}),
    lane(outside_evidence=["b"], skip_reasons={"b": "kept out"}),
    # Of a frozen function some cases ran, and others were skipped.
    lane(ran_case_ids=["a", f"{CASE}[1]"], skipped_case_ids=[f"{CASE}[2]"], receipts=[RECEIPT]),
    # A runner may give receipts, and list no case.
    lane(receipts=[RECEIPT]),
    lane(executed=100, ran_case_ids=["a"]),
    lane(reason=""),
]


@pytest.mark.parametrize(("report", "said"), CASES)
def test_a_report_that_contradicts_itself_is_no_pass(report: dict[str, Any], said: str) -> None:
    found = judge(ledger(frozen()), {"properties": report})
    assert found.required_fold is State.UNSCORED
    assert any(said in seen.message and seen.rule == "lane-incomplete" for seen in found.findings), found.findings


@pytest.mark.parametrize(("report", "said"), CASES)
def test_no_shard_hides_it(report: dict[str, Any], said: str) -> None:
    other = lane(ran_case_ids=["z"], shard=2, shards=2, skipped_case_ids=["y"], outside_evidence=["y"])
    found = judge(ledger(frozen()), {"properties": {**report, "shard": 1, "shards": 2}}, {"properties": other})
    assert found.required_fold is State.UNSCORED
    assert any(said in seen.message for seen in found.findings), found.findings


@pytest.mark.parametrize("report", AGREEING)
def test_fields_that_agree(report: dict[str, Any]) -> None:
    own = ledger(frozen()) if report["receipts"] else ledger()
    found = judge(own, {"properties": report})
    assert (found.required_fold, found.findings) == (State.PASS, ())


@pytest.mark.parametrize(
    ("source", "shown"),
    [("properties", "lane properties: the report says"), ("r.json", "lane properties: r.json: the report says")],
)
def test_the_name_of_a_lane_is_said_once(source: str, shown: str) -> None:
    found = score(ledger(), read({"properties": lane(reason="late")}, source), Policy(), NOW, lambda _: None)
    assert found.findings[0].message.startswith(shown)


def test_a_failure_beside_it_is_a_failure() -> None:
    found = judge(ledger(), {"properties": lane(reason="it was killed", violations=["1 is not 2"])})
    assert found.required_fold is State.FAIL


def test_texts_of_a_report_are_shown_in_one_line() -> None:
    (report,) = read({"properties": lane(reason="x\nPASS: all\x1b[2J")})
    assert not isinstance(report, Unreadable)
    assert isinstance(report, LaneReport)
    assert all(said.isprintable() for said in report.contradictions)
