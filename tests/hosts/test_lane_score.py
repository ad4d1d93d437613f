"""Hook `lane-score`: what was kept for the tree that is pushed, through real hook managers."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ledgergate.hosts import moments
from ledgergate.hosts.lane_score import main
from support.gate import gate
from support.lane_project import SKIPS_LENGTH, evidence, frozen_length, project, run, tree
from support.managers import MANAGERS
from support.pushes import hook_config, install, push, pushed, run_by_hand
from support.repo import Repo

pytestmark = pytest.mark.slow


@pytest.fixture(params=MANAGERS)
def manager(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def folder(repo: Repo, manager: str) -> Repo:
    project(repo, {".pre-commit-config.yaml": hook_config("lane-score")})
    install(repo, manager)
    repo.commit({"src/app.py": "x = 2\n"})
    return repo


def test_without_evidence_nothing_is_pushed(folder: Repo) -> None:
    before = pushed(folder)
    done = push(folder)
    assert done.status != 0
    assert "lane-missing: No evidence is kept" in done.everything
    assert "`ledgergate run --clean`" in done.everything
    assert pushed(folder) == before


def test_with_evidence_it_is_pushed(folder: Repo, manager: str) -> None:
    assert run(folder).status == 0
    assert run_by_hand(folder, manager, "lane-score").status == 0
    assert push(folder).status == 0
    assert pushed(folder) == folder.git("rev-parse", "HEAD")


def test_evidence_of_a_failure_refuses(folder: Repo) -> None:
    assert run(folder, fixtures="report(violations=[{'case': cases[0], 'message': 'no'}])").status == 1
    done = push(folder)
    assert done.status != 0
    assert "FAIL lane-violation" in done.everything


def test_the_commit_before_had_evidence(folder: Repo) -> None:
    assert run(folder).status == 0
    folder.commit({"src/app.py": "x = 3\n"})
    assert push(folder).status != 0


def test_a_commit_that_changes_documents_alone_needs_no_other(folder: Repo) -> None:
    assert run(folder).status == 0
    folder.commit({"README.md": "better\n"})
    assert push(folder).status == 0


def test_the_pushed_tip_is_judged_and_not_what_is_checked_out(folder: Repo) -> None:
    assert run(folder).status == 0
    folder.git("checkout", "-q", "-b", "other")
    folder.commit({"src/app.py": "x = 9\n"})
    assert push(folder, "main").status == 0
    assert push(folder, "other").status != 0


class TestKeptEvidence:
    """What lies in the store is data, and judged like any other."""

    @pytest.fixture
    def folder(self, repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Repo:
        project(repo)
        assert run(repo).status == 0
        monkeypatch.chdir(repo.path)
        return repo

    def reports(self, repo: Repo) -> Path:
        return evidence(repo)[tree(repo)] / "reports"

    def edit(self, repo: Repo, change: Callable[[dict[str, object]], object]) -> None:
        path = self.reports(repo) / "fixtures.json"
        document = json.loads(path.read_text(encoding="utf-8"))
        change(document["fixtures"])
        path.write_text(json.dumps(document), encoding="utf-8")

    def test_it_passes_as_it_is(self, folder: Repo, capsys: pytest.CaptureFixture[str]) -> None:
        assert main([]) == 0
        assert capsys.readouterr().out.endswith("ledgergate: allow; required lanes PASS\n")

    @pytest.mark.parametrize(
        ("change", "rule"),
        [
            (lambda lane: lane.update(executed=0), "floor-missed"),
            (lambda lane: lane.update(tree="a" * 40), "report-stale"),
            (lambda lane: lane.pop("tree"), "report-stale"),
            (lambda lane: lane.update(status="timeout"), "lane-incomplete"),
            (lambda lane: lane.update(ran_case_ids=[]), "case-missing"),
        ],
    )
    def test_a_report_that_is_none(
        self, folder: Repo, capsys: pytest.CaptureFixture[str], change: Callable[[dict[str, object]], object], rule: str
    ) -> None:
        self.edit(folder, change)
        assert main([]) == 1
        assert f" {rule}:" in capsys.readouterr().out

    def test_a_lane_is_missing(self, folder: Repo, capsys: pytest.CaptureFixture[str]) -> None:
        (self.reports(folder) / "fixtures.json").unlink()
        assert main([]) == 1
        assert "lane-missing" in capsys.readouterr().out

    def test_a_report_is_cut(self, folder: Repo, capsys: pytest.CaptureFixture[str]) -> None:
        path = self.reports(folder) / "fixtures.json"
        path.write_bytes(path.read_bytes()[:-20])
        assert main([]) == 1
        assert "lane-incomplete" in capsys.readouterr().out

    def test_the_store_is_gone_or_no_folder(self, folder: Repo, capsys: pytest.CaptureFixture[str]) -> None:
        for file in self.reports(folder).iterdir():
            file.unlink()
        assert main([]) == 1
        self.reports(folder).rmdir()
        assert main([]) == 1
        self.reports(folder).write_text("")
        assert main([]) == 1
        assert capsys.readouterr().err.count("No evidence is kept") == 3

    def test_a_freeze_that_has_ended_since(
        self, repo: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        project(repo, frozen_length())
        monkeypatch.chdir(repo.path)
        assert run(repo, properties=SKIPS_LENGTH).status == 0
        assert main([]) == 0
        monkeypatch.setattr(moments, "now", lambda: datetime(2999, 1, 1, tzinfo=UTC))
        assert main([]) == 1
        assert "freeze-expired" in capsys.readouterr().out

    def test_options_are_none_of_its(self, folder: Repo) -> None:
        assert main(["--root", "."]) == 2

    def test_the_tip_that_a_manager_names(self, folder: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
        first = folder.git("rev-parse", "HEAD")
        folder.commit({"src/app.py": "x = 2\n"})
        assert main([]) == 1
        monkeypatch.setenv("PRE_COMMIT_TO_REF", first)
        assert main([]) == 0
        monkeypatch.setenv("PRE_COMMIT_TO_REF", "0" * 40)
        assert main([]) == 1


def test_where_there_is_no_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([]) == 2


def test_score_alone_says_the_same_of_the_kept_reports(repo: Repo) -> None:
    project(repo)
    run(repo)
    reports = [str(path) for path in (evidence(repo)[tree(repo)] / "reports").iterdir()]
    assert gate(repo, "score", "tests/freeze_ledger.json", *reports).status == 0
    repo.commit({"README.md": "better\n"})
    assert gate(repo, "score", "tests/freeze_ledger.json", *reports).status == 0
    repo.commit({"src/app.py": "x = 2\n"})
    said = gate(repo, "score", "tests/freeze_ledger.json", *reports)
    assert (said.status, "report-stale" in said.out) == (1, True)
