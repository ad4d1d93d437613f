"""Hook `junit-evidence`: reports against the ledger of what is pushed, through real hook managers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ledgergate.hosts.junit_evidence import main
from support.lane_project import FLAKE_ID, GOLDEN, GOLDEN_ID, LEDGER, LENGTH_ID, project, tree
from support.lane_reports import lane
from support.managers import MANAGERS
from support.project import sha256
from support.pushes import hook_config, install, push, pushed, run_by_hand
from support.repo import Repo

pytestmark = pytest.mark.slow


@pytest.fixture(params=MANAGERS)
def manager(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def junit(tree_id: str | None, *, failed: bool = False) -> str:
    """What pytest writes with ledgergate's plugin."""
    properties = [("outside_evidence", FLAKE_ID), *([("tree", tree_id)] if tree_id else [])]
    inside = "".join(f'<property name="{name}" value="{value}"/>' for name, value in properties)
    cases = [
        f'<testcase classname="tests.test_a" name="{name}">{"<failure/>" if failed else ""}</testcase>'
        for name in ("test_golden", "test_length")
    ]
    return f'<testsuite name="pytest"><properties>{inside}</properties>{"".join(cases)}</testsuite>'


class TestThroughManagers:
    @pytest.fixture
    def folder(self, repo: Repo, manager: str) -> Repo:
        edit = {".pre-commit-config.yaml": hook_config("junit-evidence", "ignored/junit.xml")}
        project(repo, edit)
        install(repo, manager)
        repo.commit({"src/app.py": "x = 2\n"})
        return repo

    def test_fresh_evidence(self, folder: Repo, manager: str) -> None:
        folder.write("ignored/junit.xml", junit(tree(folder)))
        assert run_by_hand(folder, manager, "junit-evidence").status == 0
        assert push(folder).status == 0
        assert pushed(folder) == folder.git("rev-parse", "HEAD")

    def test_none_that_is_fresh(self, folder: Repo) -> None:
        before = pushed(folder)
        for report in (None, junit("a" * 40), junit(None), junit(tree(folder), failed=True)):
            if report is not None:
                folder.write("ignored/junit.xml", report)
            assert push(folder).status != 0
        assert pushed(folder) == before


class TestReports:
    @pytest.fixture
    def folder(self, repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Repo:
        monkeypatch.chdir(project(repo).path)
        return repo

    def judged(self, capsys: pytest.CaptureFixture[str], *paths: str) -> tuple[int, str]:
        status = main(paths)
        return status, capsys.readouterr().out

    def test_junit_and_lane_reports_together(self, folder: Repo, capsys: pytest.CaptureFixture[str]) -> None:
        folder.write("a.xml", junit(tree(folder)))
        folder.write("b.json", json.dumps({"fixtures": lane(ran_case_ids=[GOLDEN_ID], tree=tree(folder))}))
        status, out = self.judged(capsys, "a.xml", "b.json")
        assert (status, "2 rows admitted" in out) == (0, True)

    def test_a_lane_report_alone(self, folder: Repo, capsys: pytest.CaptureFixture[str]) -> None:
        whole = lane(ran_case_ids=[GOLDEN_ID, LENGTH_ID], outside_evidence=[FLAKE_ID], tree=tree(folder))
        folder.write("b.json", json.dumps({"fixtures": whole}))
        assert self.judged(capsys, "b.json")[0] == 0
        folder.write("b.json", json.dumps({"fixtures": {**whole, "tree": "a" * 40}}))
        status, out = self.judged(capsys, "b.json")
        assert (status, "UNSCORED report-stale" in out) == (1, True)

    def test_digests_are_those_of_the_commit(self, folder: Repo, capsys: pytest.CaptureFixture[str]) -> None:
        folder.write("a.xml", junit(tree(folder)))
        folder.write(GOLDEN, "edited since")
        assert self.judged(capsys, "a.xml")[0] == 0
        folder.commit({GOLDEN: "2"})
        folder.write("a.xml", junit(tree(folder)))
        status, out = self.judged(capsys, "a.xml", "--base", "HEAD~1")
        assert status == 2
        status, out = self.judged(capsys, "a.xml")
        assert (status, "FAIL digest-mismatch" in out) == (1, True)

    def test_rows_are_those_of_the_base(self, folder: Repo, capsys: pytest.CaptureFixture[str]) -> None:
        folder.git("checkout", "-q", "-b", "topic")
        folder.commit({GOLDEN: "2", "tests/ledger.yaml": LEDGER.replace(sha256("1"), sha256("2"))})
        folder.write("a.xml", junit(tree(folder)))
        status, out = self.judged(capsys, "a.xml")
        assert (status, "FAIL digest-mismatch" in out) == (1, True)

    def test_production_changed_and_nothing_is_admitted(self, folder: Repo, capsys: pytest.CaptureFixture[str]) -> None:
        folder.git("checkout", "-q", "-b", "topic")
        folder.commit({"src/app.py": "x = 2\n"})
        folder.write("a.xml", junit(tree(folder), failed=True))
        status, out = self.judged(capsys, "a.xml")
        assert (status, "UNSCORED no-evidence" in out) == (1, True)

    def test_no_report_is_named(self, folder: Repo, capsys: pytest.CaptureFixture[str]) -> None:
        status, out = self.judged(capsys)
        assert (status, "No report is named" in out) == (1, True)


def test_where_there_is_no_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["a.xml"]) == 2
