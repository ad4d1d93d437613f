"""Ways to a green tick without a proof: words that stand for a run, empty runs, clocks, and the run list."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from ledgergate.score import Decision
from ledgergate.score.score import Score
from ledgergate.values import State
from support.evidence import case, held, judged, judged_files, suite, written
from support.gate import AS_AGENT, gate, locked_row, verdict
from support.lane_reports import CASE, RECEIPT, frozen, judge, lane, ledger
from support.project import GOLDEN, LEDGER, SOUND, Project, sha256
from support.repo import Repo

ID = "tests/t.py::test_a"


def states(score: Score) -> dict[str, State]:
    return dict(score.lanes)


class TestSkippedCancelledMasked:
    """Only a word that is known to say "completed", and what was counted with it, can pass."""

    @pytest.mark.parametrize(
        "word",
        [
            "skipped",
            "cancelled",
            "neutral",
            "timed_out",
            "unknown",
            "success",
            "passed",
            "OK",
            "Ok",
            "ok ",
            "",
            "оk",
            "ＯＫ",
        ],
    )
    def test_no_other_word_passes(self, word: str) -> None:
        score = judge(ledger(), {"properties": lane(status=word)})
        assert (states(score)["properties"], score.decision) == (State.UNSCORED, Decision.BLOCK)

    @pytest.mark.parametrize("word", [None, True, 1, ["ok"], {"ok": True}])
    def test_no_other_type_passes(self, word: object) -> None:
        report = {**lane(), "status": word}
        assert states(judge(ledger(), {"properties": report}))["properties"] is State.UNSCORED

    @pytest.mark.parametrize("executed", ["10", True, -1, 1.5, 10.0, 1e3, None, [10], {}, float("nan"), 10**30])
    def test_a_count_is_a_whole_number(self, executed: object) -> None:
        report = {**lane(), "executed": executed}
        assert states(judge(ledger(), {"properties": report}))["properties"] is State.UNSCORED

    def test_failures_that_are_counted_and_not_listed(self) -> None:
        """A key that is not ours counts for nothing, and the floor says how many have to have run."""
        report = lane(executed=7, failed=3)
        own = ledger(cardinality_floor={"properties": 10})
        assert states(judge(own, {"properties": report}))["properties"] is State.UNSCORED

    @pytest.mark.parametrize(
        ("settings", "reports"),
        [
            pytest.param(
                {"required_lanes": ["properties", "fixtures"]}, {"properties": lane()}, id="one lane is missing"
            ),
            pytest.param({"required_lanes": []}, {"properties": lane()}, id="none is required"),
            pytest.param({}, {"Properties": lane()}, id="another case"),
            pytest.param({}, {"propertıes": lane()}, id="a letter that looks alike"),
            pytest.param({}, {}, id="nothing"),
        ],
    )
    def test_a_required_lane_is_there(self, settings: dict[str, Any], reports: dict[str, Any]) -> None:
        assert judge(ledger(**settings), reports).decision is Decision.BLOCK

    def test_a_masked_status_hides_no_failure(self) -> None:
        score = judge(ledger(), {"properties": lane(violations=["1 is not 2"])})
        assert states(score)["properties"] is State.FAIL


class TestNothingCollected:
    def test_a_report_of_no_tests(self, repo: Repo) -> None:
        empty = suite().replace(
            "<testsuite>", '<testsuite name="pytest" errors="0" failures="0" skipped="0" tests="0">'
        )
        assert judged(repo, held(ID), empty).rules == {"report-empty", "case-missing"}

    def test_all_are_skipped(self, repo: Repo) -> None:
        assert judged(repo, held(ID), suite(case("test_a", "<skipped/>"))).rules == {"case-missing"}

    def test_a_ledger_without_rows(self, repo: Repo) -> None:
        repo.write("ledger.yaml", "version: 1\nrows: []\n")
        repo.write("empty.xml", suite())
        repo.write("full.xml", suite(case("test_a")))
        assert judged_files(repo, "empty.xml").rules == {"report-empty"}
        assert judged_files(repo, "full.xml").rules == {"unclassified"}

    def test_a_path_with_a_typo(self, repo: Repo) -> None:
        written(repo, held(ID), suite(case("test_a")))
        assert judged_files(repo, "report-O").rules == {"report-unreadable", "case-missing"}
        said = gate(repo, "score", "freeze.json", "lanes.json")
        assert (said.status, "ledger-missing" in said.err) == (1, True)

    @pytest.mark.parametrize(
        ("report", "floor", "state"),
        [
            (lane(executed=0, ran_case_ids=[]), 1, State.UNSCORED),
            (lane(executed=0, ran_case_ids=[]), 0, State.UNSCORED),
            (lane(status="empty", executed=0, ran_case_ids=[]), 0, State.UNSCORED),
            (lane(executed=9), 10, State.UNSCORED),
            (lane(executed=0, ran_case_ids=[], skipped=True, skipped_case_ids=["a", "b"]), 0, State.UNSCORED),
            (lane(executed=0, ran_case_ids=[], skipped=True, skipped_case_ids=[]), 0, State.UNSCORED),
            (lane(executed=3, skipped=True, skipped_case_ids=[]), 0, State.UNSCORED),
        ],
    )
    def test_a_lane_that_ran_too_little(self, report: dict[str, Any], floor: int, state: State) -> None:
        score = judge(ledger(cardinality_floor={"properties": floor}), {"properties": report})
        assert (states(score)["properties"], score.decision) == (state, Decision.BLOCK)

    def test_a_lane_whose_every_case_is_frozen(self) -> None:
        report = lane(executed=0, ran_case_ids=[], skipped=True, skipped_case_ids=[CASE], receipts=[RECEIPT])
        score = judge(ledger(frozen(), cardinality_floor={"properties": 0}), {"properties": report})
        assert (states(score)["properties"], score.decision) == (State.SKIP, Decision.BLOCK)

    def test_every_verdict_says_how_many_it_looked_at(self, repo: Repo) -> None:
        (report,) = written(repo, held(ID), suite(case("test_a")))
        assert "1 case reported; 1 row admitted" in gate(repo, "gate", "ledger.yaml", report).out
        own = {"schema": "freeze-ledger.v1", "required_lanes": ["a"], "cardinality_floor": {"a": 2}, "freezes": []}
        repo.write("freeze.json", json.dumps(own))
        repo.write("lanes.json", json.dumps({"a": lane(executed=3)}))
        assert (
            "a (required, 3 ran, floor 2)" in gate(repo, "score", "freeze.json", "lanes.json", "--format", "text").out
        )


@pytest.fixture(params=["Pacific/Kiritimati", "Pacific/Niue", "UTC"])
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A place whose day is another one than that of UTC for most of the day."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield request.param
    monkeypatch.undo()
    time.tzset()


END = datetime(2026, 12, 1, 23, 30, tzinfo=UTC)


SKIPPED = {"properties": lane(receipts=[RECEIPT], skipped_case_ids=[CASE])}


class TestTime:
    """One clock, in UTC: a freeze is over at its end, whatever the place and the spelling."""

    def scored(self, expires: str, now: datetime) -> State:
        return states(judge(ledger(frozen(expires_utc=expires)), SKIPPED, now=now))["properties"]

    @pytest.mark.usefixtures("zone")
    @pytest.mark.parametrize(
        "expires",
        [
            "2026-12-01T23:30:00Z",
            "2026-12-01T23:30:00+00:00",
            "2026-12-01T23:30:00-00:00",
            "2026-12-01T23:30:00.0Z",
            "2026-12-01T23:30:00.000000000Z",
            "2026-12-01t23:30:00z",
            "2026-12-02T13:30:00+14:00",
            "2026-12-01T12:30:00-11:00",
        ],
    )
    def test_the_end_is_a_moment(self, expires: str) -> None:
        places = (UTC, timezone(timedelta(hours=14)), timezone(timedelta(hours=-11)))
        for place in places:
            assert self.scored(expires, (END - timedelta(seconds=1)).astimezone(place)) is State.PASS
            assert self.scored(expires, END.astimezone(place)) is State.UNSCORED
            assert self.scored(expires, (END + timedelta(days=400)).astimezone(place)) is State.UNSCORED

    def test_the_far_end_of_the_calendar(self) -> None:
        assert self.scored("9999-12-31T23:59:59Z", END) is State.PASS
        assert self.scored("9999-12-31T23:59:59-14:00", END) is State.PASS
        assert self.scored("0001-01-01T00:00:00+14:00", END) is State.UNSCORED

    @pytest.mark.parametrize(
        "expires",
        [
            "2026-12-24",
            "2026-12-24T10:00:00",
            "2026-12-24T23:59:60Z",
            "2026-12-24T24:00:00Z",
            "2026-02-30T00:00:00Z",
            "20261224T000000Z",
            "tomorrow",
            "never",
            "",
            " ",
            "2026-12-24T00:00:00Z ",
            "２０２６-12-24T00:00:00Z",
            "10000-01-01T00:00:00Z",
        ],
    )
    def test_what_nobody_can_read_never_holds(self, expires: str) -> None:
        score = judge(ledger(frozen(expires_utc=expires)), SKIPPED)
        assert score.decision is Decision.BLOCK
        assert "freeze-invalid" in {seen.rule for seen in score.findings}

    def test_no_variable_sets_the_clock(self, repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
        own = {
            "schema": "freeze-ledger.v1",
            "required_lanes": ["properties"],
            "freezes": [frozen(expires_utc="2020-01-01T00:00:00Z")],
        }
        repo.write("freeze.json", json.dumps(own))
        repo.write("lanes.json", json.dumps(SKIPPED))
        for name in ("SOURCE_DATE_EPOCH", "FAKETIME", "LEDGERGATE_NOW", "GIT_COMMITTER_DATE"):
            monkeypatch.setenv(name, "1577000000")
        assert "freeze-expired" in gate(repo, "score", "freeze.json", "lanes.json").out


class TestWorkersThatCrash:
    """The same test failed and passed, or is gone: the worse of the two holds."""

    @pytest.mark.parametrize("order", [1, -1])
    def test_failed_and_passed_in_one_report(self, repo: Repo, order: int) -> None:
        cases = [
            case("test_a").replace("<testcase", '<testcase file="tests/t.py"'),
            case("test_a", '<error message="failed on setup: worker crashed"/>').replace(
                "<testcase", '<testcase file="x"'
            ),
        ][::order]
        assert judged(repo, held(ID), suite(*cases)).verdicts == {ID: "case-failed"}

    @pytest.mark.parametrize("order", [1, -1])
    def test_failed_and_passed_in_two_reports(self, repo: Repo, order: int) -> None:
        reports = [suite(case("test_a")), suite(case("test_a", "<failure/>"))][::order]
        assert judged(repo, held(ID), *reports).verdicts == {ID: "case-failed"}

    def test_a_case_both_ran_and_failed_in_a_lane(self) -> None:
        report = lane(violations=[{"case": "a", "message": "worker crashed"}], ran_case_ids=["a"])
        assert states(judge(ledger(), {"properties": report}))["properties"] is State.FAIL

    def test_fewer_than_were_collected(self, repo: Repo) -> None:
        repo.write("collected", f"{ID}\ntests/t.py::test_b\n\n2 tests collected\n")
        rows = held(ID, "tests/t.py::test_b")
        found = judged(repo, rows, suite(case("test_a")), options=("--collected", "collected"))
        assert found.verdicts == {ID: "admitted", "tests/t.py::test_b": "case-missing"}


class TestSnapshotsOfTheRun:
    """A golden that the run itself wrote proves nothing."""

    def test_a_golden_that_the_runner_made_anew(self, repo: Repo) -> None:
        row = locked_row("tests/goldens/a.snap", sha256("as it was"), test=ID)
        repo.write("tests/goldens/a.snap", "as it was")
        (report,) = written(repo, row, suite(case("test_a")))
        assert judged_files(repo, report).state == "PASS"
        (repo.path / "tests/goldens/a.snap").unlink()
        assert judged_files(repo, report).rules == {"artifact-missing"}
        repo.write("tests/goldens/a.snap", "as the run has it")
        assert judged_files(repo, report).rules == {"digest-mismatch"}

    def test_a_golden_without_a_row_and_a_row_without_a_use(self, repo: Repo) -> None:
        project = Project(repo, {**SOUND, ".gitignore": "*.snap\n", "tests/goldens/orphan.txt": "1"})
        assert verdict(repo, "verify").paths("golden-unclassified") == {"tests/goldens/orphan.txt"}
        project.repo.commit({"tests/goldens/orphan.txt": None, "tests/test_parse.py": "def test_header(): pass\n"})
        assert len(verdict(repo, "verify").seen("test-removed")) == 3

    def test_a_golden_that_git_ignores(self, repo: Repo) -> None:
        """It is judged as it is stored, whatever lies in the working tree."""
        Project(repo, {**SOUND, ".gitignore": "/tests/goldens/\n"})
        repo.write(GOLDEN, "other")
        assert verdict(repo, "verify").state == "PASS"
        repo.git("add", "-f", GOLDEN)
        assert verdict(repo, env=AS_AGENT).refusals >= {"digest-mismatch"}


LEDGERED = {LEDGER: str(SOUND[LEDGER]).replace(sha256("header"), sha256("better")), GOLDEN: "better"}
ROW = str(SOUND[LEDGER])[str(SOUND[LEDGER]).index("  - id: tests/test_parse.py::test_length") :].partition(
    "  - id: tests/test_parse.py::test_reload"
)[0]
ON_THE_TEST_SIDE = {
    "golden and its digest": (LEDGERED, "digest-changed"),
    "golden, digest, and a blank line of the code": ({**LEDGERED, "src/app.py": "x = 1\n\n"}, "digest-changed"),
    "golden, digest, and the README": ({**LEDGERED, "README.md": "app \n"}, "digest-changed"),
    "golden and a blank line of the code": ({GOLDEN: "better", "src/app.py": "x = 1\n\n"}, "two-sided"),
    "golden alone": ({GOLDEN: "better"}, "digest-mismatch"),
    "golden and the README": ({GOLDEN: "better", "README.md": "app \n"}, "digest-mismatch"),
    "a test and its row": (
        {LEDGER: str(SOUND[LEDGER]).replace(ROW, ""), "tests/test_parse.py": "def test_header(): pass\n"},
        "row-removed",
    ),
    "narrower test paths": ({"pytest.ini": "[pytest]\ntestpaths = tests/unit\n"}, "protected-path"),
    "fewer tests in the options": (
        {"pyproject.toml": "[tool.pytest.ini_options]\naddopts = \"-k 'not x'\"\n"},
        "protected-path",
    ),
    "fewer tests in the pipeline": ({".github/workflows/ci.yml": "run: pytest -k 'not x'\n"}, "protected-path"),
}


@pytest.mark.parametrize(("edit", "rule"), ON_THE_TEST_SIDE.values(), ids=list(ON_THE_TEST_SIDE))
def test_green_by_the_test_side_alone(repo: Repo, edit: dict[str, str], rule: str) -> None:
    """An agent is refused; a human of whom nobody knows is not taken for one on a range."""
    Project(repo, SOUND)
    repo.stage(edit)
    assert rule in verdict(repo, env=AS_AGENT).refusals
    repo.git("commit", "-q", "-m", "base")
    ranged = verdict(repo, "check", "--from", "HEAD~1", "--to", "HEAD")
    assert (ranged.state == "PASS", rule in ranged.refusals) == (False, True)


def test_a_run_that_leaves_a_test_out(repo: Repo) -> None:
    found = judged(repo, held(ID, "tests/t.py::test_x"), suite(case("test_a")))
    assert (found.state, found.verdicts["tests/t.py::test_x"]) == ("UNSCORED", "case-missing")
