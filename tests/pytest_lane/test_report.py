"""What a lane report says of the cases of a run."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from ledgergate.pytest_lane.cases import Cases, Note
from ledgergate.pytest_lane.report import TOOL, Facts, Run, lane_report, status_of
from ledgergate.score import LaneReport, read_lane_reports

FACTS = Facts(outside=("q",), plugins=("pytest-xdist",), tree="abc", seed=7, duration_s=1.23456)
PASSED = ("passed", "passed", "passed")


class SubtestReport(SimpleNamespace):
    """As pytest calls its own."""


def phase(when: str, outcome: str, **more: object) -> SimpleNamespace:
    return SimpleNamespace(when=when, outcome=outcome, longrepr=f"{when} broke", **more)


def run_of(exit_status: int = 0, broken: bool = False, **outcomes: tuple[str, ...]) -> Run:
    """A run of cases with the outcomes of their phases; of the last one given the teardown closes the case."""
    cases = Cases()
    for id_, phases in outcomes.items():
        for when, outcome in zip(("setup", "call", "teardown"), phases, strict=False):
            if outcome:
                cases.case(id_).add(phase(when, outcome))
        if len(phases) == 3:
            cases.case(id_).close(Note(id_))
    return Run(exit_status, list(outcomes), broken, cases)


@pytest.mark.parametrize(
    ("run", "status"),
    [
        (run_of(a=PASSED), "ok"),
        (run_of(1, a=("passed", "failed", "passed")), "ok"),
        (run_of(a=PASSED, b=("skipped", "", "passed")), "ok"),
        (run_of(a=PASSED, b=()), "crash"),
        (run_of(a=PASSED, b=("passed", "passed")), "crash"),
        (run_of(a=("passed", "", "passed")), "empty"),
        (run_of(), "empty"),
        (run_of(5), "empty"),
        (run_of(2, a=PASSED), "crash"),
        (run_of(3, a=PASSED), "crash"),
        (run_of(4, a=PASSED), "crash"),
        (run_of(-9, a=PASSED), "crash"),
        (run_of(0, broken=True, a=PASSED), "crash"),
        (run_of(0, broken=True), "crash"),
        (run_of(0, a=PASSED)._replace(planned=None), "crash"),
    ],
)
def test_only_a_run_that_brought_every_case_to_its_end_is_ok(run: Run, status: str) -> None:
    assert status_of(run)[0] == status
    assert (status_of(run)[1] is None) is (status == "ok")


@pytest.mark.parametrize(
    ("phases", "outcome"),
    [
        (PASSED, "passed"),
        (("passed", "failed", "passed"), "failed"),
        (("failed", "", "passed"), "failed"),
        (("passed", "passed", "failed"), "failed"),
        (("skipped", "", "passed"), "skipped"),
        (("passed", "skipped", "passed"), "skipped"),
        (("passed", "passed", "skipped"), "skipped"),
        (("passed", "passed"), "unfinished"),
        (("passed", "", "passed"), "unfinished"),
    ],
)
def test_the_worst_phase_of_a_case_counts(phases: tuple[str, ...], outcome: str) -> None:
    assert run_of(a=phases).cases.by_id["a"].outcome == outcome


def test_an_unexpected_pass_is_none() -> None:
    cases = Cases()
    cases.case("a").add(phase("call", "passed", wasxfail="reason"))
    cases.case("a").close(Note("a"))
    assert cases.by_id["a"].outcome == "skipped"


@pytest.mark.parametrize(("part", "outcome"), [("passed", "passed"), ("failed", "failed"), ("skipped", "skipped")])
def test_what_becomes_of_a_subtest_becomes_of_its_case(part: str, outcome: str) -> None:
    cases = Cases()
    cases.case("a").add(SubtestReport(when="call", outcome=part, longrepr="broke"))
    assert not cases.by_id["a"].ran
    cases.case("a").add(phase("call", "passed"))
    cases.case("a").close(Note("a"))
    assert cases.by_id["a"].outcome == outcome


def test_a_report_is_one_that_the_score_can_read() -> None:
    run = run_of(1, a=PASSED, b=("passed", "failed", "passed"), c=("skipped", "", "passed"), d=PASSED)
    run.cases.case("a").close(Note("a", examples=100, differs=(("g", "differs"),)))
    run.cases.case("c").freeze = "fx-1"
    lane = lane_report(run, FACTS._replace(late_differs=[("d", "h", "written"), ("a", "g", "again")]), {"fx-1": "s"})
    assert lane == {
        "status": "ok",
        "executed": 102,
        "violations": [{"case": "b", "message": "call broke"}],
        "skipped": True,
        "ran_case_ids": ["a", "b", "d"],
        "receipts": [{"id": "fx-1", "signature": "s"}],
        "skipped_case_ids": ["c"],
        "skip_reasons": {"c": "setup broke"},
        "outside_evidence": ["q"],
        "flaky_case_ids": ["a"],
        "differing_artifacts": [
            {"case": "a", "path": "g", "message": "differs"},
            {"case": "d", "path": "h", "message": "written"},
        ],
        "plugins": ["pytest-xdist"],
        "tree": "abc",
        "random_seed": 7,
        "duration_s": 1.235,
        "tool": TOOL,
    }
    import json

    (read,) = read_lane_reports("r", json.dumps({"fixtures": lane}).encode())
    assert isinstance(read, LaneReport)
    assert read.executed == 102


def test_a_status_of_failure_without_a_failed_case_is_a_violation() -> None:
    lane = lane_report(run_of(1, a=PASSED), FACTS._replace(tree=None, seed=None), {})
    assert lane["violations"] == [{"message": "pytest ended with status 1, and no case failed"}]
    assert "tree" not in lane
    assert "random_seed" not in lane


def test_a_rerun_makes_a_case_flaky() -> None:
    cases = Cases()
    for outcome in ("rerun", "passed"):
        cases.case("a").add(phase("call", outcome))
    cases.case("a").close(Note("a"))
    assert (cases.by_id["a"].outcome, cases.by_id["a"].repeated) == ("passed", True)


def test_the_example_that_broke_a_property_is_kept() -> None:
    longrepr = "    def test_p(x):\nE   assert 1 < 0\nE   Falsifying example: test_p(\nE       x=1,\nE   )\nE   more"
    cases = Cases()
    cases.case("a").add(SimpleNamespace(when="call", outcome="failed", longrepr=longrepr))
    assert cases.by_id["a"].counterexample == "Falsifying example: test_p(\n    x=1,\n)"
