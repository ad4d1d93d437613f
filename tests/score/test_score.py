"""Lanes folded into a score: what counts beside them, and that nothing worse ever makes it better."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledgergate.policy import Policy
from ledgergate.policy.model import Merge
from ledgergate.rules import finding
from ledgergate.score import Decision, read_lane_reports, score
from ledgergate.values import State
from support.lane_reports import BEFORE, CASE, NOW, OTHER, RECEIPT, frozen, judge, lane, ledger, read

GREENNESS = (Decision.BLOCK, Decision.HOLD, Decision.ALLOW)
GOOD = {"properties": lane()}


class TestBesideTheLanes:
    def test_all_is_well(self) -> None:
        found = judge(ledger(), GOOD)
        assert (found.decision, found.required_fold, found.findings) == (Decision.ALLOW, State.PASS, ())

    @pytest.mark.parametrize("data", [b"", b"{}", b"[]", b"null", b"{", b'{"a": 1, "a": 2}', b"\xff", b'{"a": NaN}'])
    def test_a_report_that_says_nothing_spoils_the_run(self, data: bytes) -> None:
        reports = (*read_lane_reports("good.json", json.dumps(GOOD).encode()), *read_lane_reports("bad.json", data))
        found = score(ledger(), reports, Policy(), NOW, lambda _: None)
        assert found.decision is Decision.BLOCK
        assert found.required_fold is State.UNSCORED

    def test_a_lane_in_neither_list(self) -> None:
        found = judge(ledger(), {**GOOD, "extra": lane()})
        assert dict(found.lanes)["extra"] is State.UNSCORED
        assert found.required_fold is State.UNSCORED

    def test_every_required_lane_is_wanted(self) -> None:
        found = judge(ledger(required_lanes=["properties", "fixtures"]), GOOD)
        assert dict(found.lanes) == {"properties": State.PASS, "fixtures": State.UNSCORED}
        assert {problem.rule for problem in found.findings} == {"lane-missing"}

    @pytest.mark.parametrize(
        "settings", [{"required_lanes": []}, {"required_lanes": ["remote_review"]}, {"schema": "v0"}]
    )
    def test_a_freeze_ledger_with_a_problem_allows_nothing(self, settings: dict[str, Any]) -> None:
        assert judge(ledger(**settings), GOOD, {"remote_review": lane()}).decision is Decision.BLOCK

    def test_a_lane_is_fully_frozen(self) -> None:
        own = ledger(frozen(), cardinality_floor={"properties": 0})
        report = lane(executed=0, ran_case_ids=[], skipped=True, skipped_case_ids=[CASE], receipts=[RECEIPT])
        found = judge(own, {"properties": report})
        assert (found.required_fold, found.decision) == (State.SKIP, Decision.BLOCK)


class TestOptionalLanes:
    @pytest.mark.parametrize(
        ("report", "state", "decision"),
        [
            (None, None, Decision.ALLOW),
            (lane(), State.PASS, Decision.ALLOW),
            (lane(status="timeout"), State.UNSCORED, Decision.HOLD),
            (lane(violations=["no"]), State.FAIL, Decision.BLOCK),
        ],
    )
    def test_what_it_can_do(self, report: dict[str, Any] | None, state: State | None, decision: Decision) -> None:
        reports = GOOD if report is None else {**GOOD, "remote_review": report}
        found = judge(ledger(optional_lanes=["remote_review"]), reports)
        assert (dict(found.optional)["remote_review"], found.decision) == (state, decision)
        assert found.required_fold is State.PASS

    def test_it_never_makes_up_for_a_required_lane(self) -> None:
        found = judge(ledger(optional_lanes=["remote_review"]), {"remote_review": lane()})
        assert found.decision is Decision.BLOCK


class TestFreezesWithoutALane:
    def test_the_lane_that_names_the_receipt_has_it(self) -> None:
        own = ledger(frozen(lane=None), required_lanes=["fixtures", "properties"])
        found = judge(own, {"fixtures": lane(), "properties": lane(receipts=[RECEIPT])})
        assert found.required_fold is State.PASS

    def test_no_lane_claims_it(self) -> None:
        found = judge(ledger(frozen(lane=None)), GOOD)
        assert (found.required_fold, {problem.rule for problem in found.findings}) == (
            State.UNSCORED,
            {"receipt-missing"},
        )

    def test_a_lane_that_cannot_be_read_may_claim_it(self) -> None:
        own = ledger(frozen(lane=None), optional_lanes=["extra"])
        reports = {"properties": lane(receipts=[RECEIPT])}
        assert judge(own, reports).required_fold is State.PASS
        assert judge(own, {**reports, "extra": "nothing"}).required_fold is State.UNSCORED

    def test_two_lanes_claim_it(self) -> None:
        own = ledger(frozen(lane=None), required_lanes=["fixtures", "properties"])
        both = lane(receipts=[RECEIPT])
        assert judge(own, {"fixtures": both, "properties": both}).required_fold is State.UNSCORED


WORSE: tuple[dict[str, Any], ...] = (
    {"status": "timeout"},
    {"status": None},
    {"executed": 0, "ran_case_ids": []},
    {"executed": "3"},
    {"violations": ["no"]},
    {"receipts": [{"id": "fx-9", "signature": "x"}]},
    {"skipped_case_ids": ["other"]},
    {"skipped": True},
    {"shard": 1, "shards": 2},
)
LANES = st.fixed_dictionaries(
    {
        "status": st.sampled_from(["ok", "timeout", "empty"]),
        "executed": st.integers(0, 5),
        "violations": st.lists(st.just("no"), max_size=1),
        "skipped": st.booleans(),
        "ran_case_ids": st.lists(st.sampled_from(["a", CASE]), max_size=2, unique=True),
        "receipts": st.lists(st.just(RECEIPT), max_size=2),
    },
    optional={"skipped_case_ids": st.lists(st.sampled_from(["a", CASE]), max_size=2, unique=True)},
)
POLICIES = st.builds(
    lambda unscored, fail, optional: Policy(merge=Merge(unscored, fail, optional)),
    st.sampled_from(["block", "hold"]),
    st.sampled_from(["block", "hold"]),
    st.sampled_from(["hold", "allow"]),
)
FREEZES = st.sampled_from([(), (frozen(),), (frozen(expires_utc=BEFORE),), (frozen(lane=None),), (frozen(owner=None),)])
SETTINGS = {"required_lanes": ["properties", "fixtures"], "optional_lanes": ["extra"]}


@given(
    st.dictionaries(st.sampled_from(["properties", "fixtures", "extra"]), LANES),
    POLICIES,
    FREEZES,
    st.sampled_from(WORSE),
    st.data(),
)
def test_making_a_lane_worse_never_makes_the_decision_better(
    lanes: dict[str, Any],
    policy: Policy,
    freezes: tuple[dict[str, Any], ...],
    worse: dict[str, Any],
    data: st.DataObject,
) -> None:
    own = ledger(*freezes, **SETTINGS)
    before = judge(own, lanes, policy=policy) if lanes else judge(own, policy=policy)
    # Two lanes that claim one freeze leave open whose it is, and one of them may stop claiming it.
    named = [name for name in lanes if name != "extra" or all("lane" in freeze for freeze in freezes)]
    if named:
        name = data.draw(st.sampled_from(named))
        spoilt = {key: value for key, value in {**lanes[name], **worse}.items() if value is not None}
        after = judge(own, {**lanes, name: spoilt}, policy=policy)
        assert GREENNESS.index(after.decision) <= GREENNESS.index(before.decision)


@given(st.dictionaries(st.sampled_from(["properties", "fixtures", "extra"]), LANES), FREEZES, st.randoms())
def test_the_order_of_lanes_and_reports_does_not_matter(
    lanes: dict[str, Any], freezes: tuple[dict[str, Any], ...], random: Any
) -> None:
    own = ledger(*freezes, **SETTINGS)
    parts = [{name: fields} for name, fields in lanes.items()]
    mixed = random.sample(parts, len(parts))
    one, two = judge(own, *parts), judge(own, *mixed)
    assert (one.lanes, one.optional, one.decision, one.required_fold) == (
        two.lanes,
        two.optional,
        two.decision,
        two.required_fold,
    )


@given(
    st.dictionaries(st.sampled_from(["properties", "fixtures", "extra"]), LANES, min_size=1),
    POLICIES,
    st.sampled_from([{"expires_utc": BEFORE}, {"owner": None}, {"signature": OTHER}, {"id": ""}]),
    st.booleans(),
)
def test_making_a_freeze_worse_never_makes_the_decision_better(
    lanes: dict[str, Any], policy: Policy, worse: dict[str, Any], is_broken: bool
) -> None:
    before = judge(ledger(frozen(), **SETTINGS), lanes, policy=policy)
    after = judge(ledger(frozen(**worse), **SETTINGS), lanes, policy=policy, broken=["fx-1"] if is_broken else [])
    assert GREENNESS.index(after.decision) <= GREENNESS.index(before.decision)


@given(st.dictionaries(st.sampled_from(["properties", "fixtures"]), LANES, min_size=1), st.randoms())
def test_the_order_of_the_freezes_does_not_matter(lanes: dict[str, Any], random: Any) -> None:
    freezes = [frozen(), frozen(id="fx-2", case_id="a", lane=None), frozen(id="fx-3", expires_utc=BEFORE)]
    one = judge(ledger(*freezes, **SETTINGS), lanes)
    two = judge(ledger(*random.sample(freezes, 3), **SETTINGS), lanes)
    assert (one.lanes, one.decision, one.required_fold) == (two.lanes, two.decision, two.required_fold)
    assert sorted(map(repr, one.findings)) == sorted(map(repr, two.findings))


@pytest.mark.parametrize(
    ("rule", "subject", "said_twice"),
    [
        ("case-missing", CASE, False),
        ("quarantine-skipped", CASE, False),
        ("case-missing", "other", True),
        ("case-failed", CASE, True),
    ],
)
def test_a_skip_that_the_ledger_has_refused_is_not_said_twice(rule: str, subject: str, said_twice: bool) -> None:
    reports = read({"properties": lane(skipped_case_ids=[CASE])})
    beside = [finding(rule, "junit-evidence", "It was skipped.", subject=subject)]
    found = score(ledger(), reports, Policy(), NOW, lambda _: None, checks=beside)
    assert [seen.rule for seen in found.findings] == [rule, *["receipt-missing"][: int(said_twice)]]
    assert dict(found.lanes) == {"properties": State.UNSCORED}
    assert found.decision is Decision.BLOCK


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*lane(), "x"]), inner, max_size=6),
    max_leaves=12,
)


@given(JSON)
def test_no_malformed_lane_is_allowed_by_accident(fields: Any) -> None:
    found = judge(ledger(), {"properties": fields})
    is_good = isinstance(fields, dict) and set(lane()) <= set(fields) and fields["status"] == "ok"
    assert is_good or found.decision is Decision.BLOCK


@given(st.binary(max_size=200))
def test_no_bytes_are_allowed_by_accident(data: bytes) -> None:
    found = score(ledger(), read_lane_reports("x.json", data), Policy(), NOW, lambda _: None)
    assert found.decision is Decision.BLOCK
