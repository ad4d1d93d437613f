"""Lanes as a real pytest runs them: what their reports say."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from ledgergate.evidence import read_junit
from ledgergate.evidence.junit import Outcome
from ledgergate.score import LaneReport, Unreadable, read_lane_reports
from ledgergate.score.shards import lanes_of
from support.suite import FINE, GOLDEN, LOCKED, LOUD, READS, A, Suite, draft, ids, quarantine

slow = pytest.mark.slow


# -- inert -------------------------------------------------------------------------------------------------------------


@slow
def test_it_is_inert_unless_asked(tmp_path: Path) -> None:
    conftest = """\
import sys
def pytest_sessionfinish(session):
    ours = [name for name in sys.modules if name.startswith("ledgergate")]
    heavy = [name for name in ("pygit2", "yaml", "pathspec", "click") if name in sys.modules]
    hooks = [plugin for plugin in session.config.pluginmanager.get_plugins() if "ledgergate" in str(plugin)]
    print("FOUND", ours, heavy, len(hooks))
"""
    suite = Suite(tmp_path, {A: FINE, "conftest.py": conftest}, quarantine(f"{A}::test_one"))
    status, output = suite.run("-s")
    assert status == 0
    assert "FOUND ['ledgergate', 'ledgergate.pytest_plugin'] [] 1" in output
    assert not (tmp_path / ".ledgergate").exists()


# -- what a report says ------------------------------------------------------------------------------------------------

ALL_KINDS = """\
import pytest

@pytest.fixture
def broken(): raise RuntimeError("no set-up")

@pytest.fixture
def left_open():
    yield
    raise RuntimeError("no tear-down")

def test_passed(record_property): record_property("nodeid", "tests/test_b.py::test_other")
def test_failed(): assert [1, 2] == [1, 3]
def test_set_up(broken): pass
def test_torn_down(left_open): pass
def test_skipped(): pytest.skip("not today")
@pytest.mark.xfail
def test_expected(): assert False
@pytest.mark.xfail
def test_unexpected(): pass
@pytest.mark.xfail(strict=True)
def test_strict(): pass
def test_flake(): assert False
@pytest.mark.parametrize("x", ["a::b", "a/b.py::c", "a]b", "é"])
def test_each(x): pass
"""
CASES = ("test_each[a::b]", "test_each[a/b.py::c]", "test_each[a]b]", r"test_each[\xe9]")


@slow
def test_every_kind_of_end_is_told_apart(tmp_path: Path) -> None:
    suite = Suite(
        tmp_path,
        {A: ALL_KINDS, "tests/agent_drafts/test_d.py": "raise SystemExit('imported')\n"},
        quarantine(f"{A}::test_flake"),
        draft("tests/agent_drafts/test_d.py::test_d"),
    )
    variables = {"LEDGERGATE_TREE": "abc", "LEDGERGATE_SEED": "7"}
    done = suite.lane("--junitxml=junit.xml", **variables)
    lane = done.whole
    assert done.status == 1
    assert lane["status"] == "ok"
    assert lane["executed"] == 8
    assert [violation["case"] for violation in lane["violations"]] == ids(
        "test_failed", "test_set_up", "test_torn_down", "test_strict"
    )
    assert lane["violations"][0]["message"].startswith("assert [1, 2] == [1, 3]")
    assert lane["violations"][1]["message"] == "in setup: RuntimeError: no set-up"
    assert lane["violations"][2]["message"] == "in teardown: RuntimeError: no tear-down"
    assert lane["ran_case_ids"] == ids("test_passed", "test_failed", "test_torn_down", "test_strict", *CASES)
    assert lane["skipped_case_ids"] == ids("test_skipped", "test_expected", "test_unexpected")
    assert list(lane["skip_reasons"].items()) == [
        (f"{A}::test_skipped", "not today"),
        (f"{A}::test_expected", "expected to fail, and failed"),
        (f"{A}::test_unexpected", "expected to fail, and passed"),
    ]
    assert lane["outside_evidence"] == ["tests/agent_drafts/test_d.py::test_d", f"{A}::test_flake"]
    assert (lane["tree"], lane["random_seed"], lane["receipts"]) == ("abc", 7, [])
    assert "pytest-xdist" in lane["plugins"]
    assert not any("ledgergate" in name for name in lane["plugins"])
    assert lane["tool"].startswith("ledgergate ")
    (read,) = read_lane_reports("r", json.dumps({"fixtures": lane}).encode())
    assert isinstance(read, LaneReport)
    check_junit(tmp_path / "junit.xml", {*lane["ran_case_ids"], *ids("test_set_up"), *lane["skipped_case_ids"]})
    assert (tmp_path / ".ledgergate/reports/.gitignore").read_text() == "*\n"


def check_junit(path: Path, expected: set[str]) -> None:
    """Each case has its exact id once, whatever the test says; the suite says what was kept out and what was tested."""
    with path.open("rb") as stream:
        report = read_junit("junit.xml", stream)
    assert report.problem is None
    assert {name.nodeid for name in report.cases} == expected
    assert {name.name for name, result in report.cases.items() if result.outcome is Outcome.SKIPPED} == {
        *("test_skipped", "test_expected", "test_unexpected"),
    }
    assert report.outside_evidence == ("tests/agent_drafts/test_d.py::test_d", f"{A}::test_flake")
    assert report.tree == "abc"
    for case in ET.parse(path).iter("testcase"):  # noqa: S314 - our own
        assert [found.get("name") for found in case.iter("property")].count("nodeid") == 1


SUBTESTS = """\
import pytest
def test_all(subtests):
    for number in range(3):
        with subtests.test(number=number): assert number < 5
def test_one_fails(subtests):
    with subtests.test("good"): pass
    with subtests.test("bad"): assert False
def test_one_is_skipped(subtests):
    with subtests.test("skipped"): pytest.skip("hidden")
"""


@slow
@pytest.mark.skipif(pytest.version_tuple < (9,), reason="subtests are part of pytest 9")
def test_subtests_count_for_their_test(tmp_path: Path) -> None:
    lane = Suite(tmp_path, {A: SUBTESTS}).lane().whole
    assert lane["ran_case_ids"] == ids("test_all", "test_one_fails")
    assert [violation["case"] for violation in lane["violations"]] == ids("test_one_fails")
    assert lane["skipped_case_ids"] == ids("test_one_is_skipped")
    assert (lane["executed"], lane["flaky_case_ids"]) == (2, [])


PROPERTIES = """\
import unittest
from hypothesis import assume, example, given, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

@settings(max_examples=30)
@example(1000)
@given(st.integers())
def test_explicit(x): pass

@settings(max_examples=20)
@given(st.integers(min_value=0, max_value=10**9))
def test_assumes(x): assume(x % 2 == 0)

class TestMethods:
    @settings(max_examples=10)
    @given(x=st.integers())
    def test_method(self, x): pass

class TestCase(unittest.TestCase):
    @settings(max_examples=10)
    @given(st.integers())
    def test_unit(self, x): self.assertEqual(x, x)

class Machine(RuleBasedStateMachine):
    @rule()
    def step(self): pass

TestMachine = Machine.TestCase
TestMachine.settings = settings(max_examples=5, stateful_step_count=2)

def test_plain(): pass
"""


@slow
def test_examples_of_properties_count_as_cases(tmp_path: Path) -> None:
    lane = Suite(tmp_path, {A: PROPERTIES}).lane().whole
    assert len(lane["ran_case_ids"]) == 6
    assert lane["executed"] == 31 + 20 + 10 + 10 + 5 + 1


@slow
def test_a_property_that_fails_says_with_what(tmp_path: Path) -> None:
    source = "from hypothesis import given, strategies as st\n@given(st.integers())\ndef test_p(x): assert x < 100\n"
    lane = Suite(tmp_path, {A: source}).lane(LEDGERGATE_SEED="5").whole
    (violation,) = lane["violations"]
    assert violation["case"] == f"{A}::test_p"
    assert "x=100" in violation["counterexample"]


SEEDED = """\
import random
def test_one(): assert random.random() == random.Random(42).random()
def test_two(): assert random.random() == random.Random(42).random()
"""


@slow
def test_the_seed_holds_for_each_test(tmp_path: Path) -> None:
    suite = Suite(tmp_path, {A: SEEDED})
    assert suite.lane(LEDGERGATE_SEED="42").whole["violations"] == []
    wrong = suite.lane(LEDGERGATE_SEED="4x")
    assert (wrong.status, wrong.lane) == (4, None)


RERUN = """\
from _pytest.runner import runtestprotocol

# As the plugins that repeat do it.
def pytest_runtest_protocol(item, nextitem):
    for number in range(3):
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        failed = any(report.failed for report in reports)
        for report in reports:
            if report.failed and number < 2:
                report.outcome = "rerun"
            item.ihook.pytest_runtest_logreport(report=report)
        if not failed:
            break
    return True
"""
FLAKY = """\
seen = []
def test_flaky():
    seen.append(1)
    assert len(seen) > 1
def test_steady(): pass
def test_broken(): assert False
"""


@slow
def test_what_passes_only_when_it_is_repeated_is_flaky(tmp_path: Path) -> None:
    lane = Suite(tmp_path, {A: FLAKY, "conftest.py": RERUN}).lane().whole
    assert lane["flaky_case_ids"] == ids("test_flaky", "test_broken")
    assert [violation["case"] for violation in lane["violations"]] == ids("test_broken")
    assert lane["executed"] == 3


# -- one class alone ---------------------------------------------------------------------------------------------------


@slow
def test_quarantined_tests_run_alone_and_their_outcomes_are_kept(tmp_path: Path) -> None:
    source = f"{FINE}def test_bad(): assert False\ndef test_good(): pass\n"
    files = {A: source, "tests/agent_drafts/test_d.py": LOUD}
    suite = Suite(tmp_path, files, quarantine(f"{A}::test_bad"), quarantine(f"{A}::test_good"))
    for number in (1, 2):
        status, output = suite.run("--ledgergate-only=quarantine")
        assert status == 1
        kept = json.loads(suite.read(".ledgergate/reports/only-quarantine.json"))
        assert kept == {
            "schema": "ledgergate-outcomes.v1",
            "only": "quarantine",
            "cases": {
                f"{A}::test_bad": {"outcome": "failed", "passes_in_a_row": 0, "runs": number},
                f"{A}::test_good": {"outcome": "passed", "passes_in_a_row": number, "runs": number},
            },
        }
        assert f"passed: {A}::test_good ({number} passes in a row, {number} runs)" in output
    # Nothing of it can be taken for a lane.
    read = read_lane_reports("r", json.dumps(kept).encode())
    assert not any(isinstance(lane, LaneReport) for lane in read)


@slow
def test_drafts_run_alone_with_or_without_a_row(tmp_path: Path) -> None:
    files = {A: LOUD.replace("SystemExit", "OSError"), "tests/agent_drafts/test_d.py": FINE + "def test_two(): pass\n"}
    suite = Suite(tmp_path, files, draft("tests/agent_drafts/test_d.py::test_one"))
    status, _ = suite.run("--ledgergate-only=draft", "tests/agent_drafts", "--ledgergate-report=out.json")
    assert status == 0
    assert len(json.loads(suite.read("out.json"))["cases"]) == 2


# -- pytest-xdist ------------------------------------------------------------------------------------------------------


@slow
def test_workers_tell_what_they_saw(tmp_path: Path) -> None:
    source = f"""\
{ALL_KINDS}
{PROPERTIES.split("class TestMethods")[0]}
@pytest.mark.xdist_group("g")
def test_grouped(): pass
"""
    files = {A: source, "tests/test_g.py": READS, GOLDEN: "golden\r\n", "tests/agent_drafts/test_d.py": LOUD}
    rows = (
        quarantine(f"{A}::test_flake"),
        draft("tests/agent_drafts/test_d.py::test_d"),
        LOCKED.replace(A, "tests/test_g.py"),
    )
    suite = Suite(tmp_path, files, *rows)
    lane = suite.lane("-n2", "--dist=loadgroup", "--junitxml=junit.xml", LEDGERGATE_TREE="abc").whole
    alone = suite.lane("-n0", LEDGERGATE_TREE="abc").whole
    varying = ("duration_s", "flaky_case_ids")
    assert {key: value for key, value in lane.items() if key not in varying} == {
        key: value for key, value in alone.items() if key not in varying
    }
    assert lane["executed"] == 8 + 31 + 20 + 2
    assert [found["path"] for found in lane["differing_artifacts"]] == [GOLDEN]
    check_junit(tmp_path / "junit.xml", {*lane["ran_case_ids"], *ids("test_set_up"), *lane["skipped_case_ids"]})


@slow
def test_a_worker_that_dies_takes_the_lane_with_it(tmp_path: Path) -> None:
    source = f"import os\n{FINE}def test_dies(): os._exit(0)\n"
    lane = Suite(tmp_path, {A: source}).lane("-n2").whole
    assert lane["status"] == "crash"
    assert [violation["case"] for violation in lane["violations"]] == ids("test_dies")


@slow
def test_shards_of_a_lane_are_put_together(tmp_path: Path) -> None:
    suite = Suite(tmp_path, {A: FINE, "tests/test_b.py": FINE})
    for number, file in enumerate((A, "tests/test_b.py"), start=1):
        assert suite.run("--ledgergate-lane=fixtures", f"--ledgergate-shard={number}/2", file)[0] == 0
    reports = sorted((tmp_path / ".ledgergate/reports").glob("*.json"))
    assert [report.name for report in reports] == ["fixtures.1-of-2.json", "fixtures.2-of-2.json"]
    read = [lane for report in reports for lane in read_lane_reports(report.name, report.read_bytes())]
    whole = lanes_of(read)["fixtures"]
    assert isinstance(whole, LaneReport)
    assert (whole.executed, whole.ran_cases) == (2, (f"{A}::test_one", "tests/test_b.py::test_one"))
    assert isinstance(lanes_of(read[:1])["fixtures"], Unreadable)


HALVES = """\
import pytest
def test_fails(): pytest.fail("half \\ud800")
def test_skips(): pytest.skip("half \\ud800")
"""


@slow
def test_a_message_of_no_sound_text_hides_no_failure(tmp_path: Path) -> None:
    lane = Suite(tmp_path, {A: HALVES}).lane().whole
    (read,) = read_lane_reports("r", json.dumps({"fixtures": lane}).encode())
    assert isinstance(read, LaneReport)
    assert [(violation.case, violation.message) for violation in read.violations] == [
        (f"{A}::test_fails", "Failed: half \\ud800")
    ]
    assert read.skip_reasons == ((f"{A}::test_skips", "half \\ud800"),)
