"""`ledgergate score --at` and `gate --at`: reports are data, and git has everything that they are judged by."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.gate import Said, gate
from support.lane_project import GOLDEN, GOLDEN_ID, LEDGER, LENGTH_ID, evidence, project, run
from support.project import sha256
from support.repo import Repo
from support.score_schema import score_document

pytestmark = pytest.mark.slow


class Judging:
    """A bare clone without a file on the disk, and the reports of a run of its branch `topic`."""

    def __init__(self, repo: Repo, folder: Path, edit: dict[str, str | bytes | None], **fakes: str) -> None:
        project(repo)
        repo.git("checkout", "-q", "-b", "topic")
        repo.commit(edit)
        run(repo, "--base", "main", **fakes)
        (kept,) = evidence(repo).values()
        self.reports = sorted((kept / "reports").iterdir())
        repo.git("clone", "-q", "--bare", ".", str(folder))
        self.bare = Repo(folder, init=False)

    def say(self, command: str, *options: str, at: str = "topic") -> Said:
        return gate(self.bare, command, *map(str, self.reports), "--at", at, "--base", "main", *options)

    def score(self, at: str = "topic") -> dict[str, object]:
        return score_document(self.say("score", at=at))


def test_reports_of_an_honest_branch(repo: Repo, tmp_path: Path) -> None:
    judging = Judging(repo, tmp_path / "bare", {"src/app.py": "x = 2\n"})
    found = judging.score()
    assert found["decision"] == "allow"
    inputs = found["inputs"]
    assert isinstance(inputs, dict)
    assert inputs["tree"] == repo.git("rev-parse", "topic^{tree}")
    assert inputs["base"] == repo.git("rev-parse", "main")
    assert len(inputs["reports"]) == 2
    said = judging.say("gate", "--format", "json")
    assert said.status == 0
    assert json.loads(said.out)["cases"]["admitted"] == 2


def test_reports_of_another_commit_are_stale(repo: Repo, tmp_path: Path) -> None:
    judging = Judging(repo, tmp_path / "bare", {"src/app.py": "x = 2\n"})
    assert judging.score(at="main")["decision"] == "block"
    assert "report-stale" in judging.say("gate", at="main").out


def test_the_rules_are_those_of_the_base(repo: Repo, tmp_path: Path) -> None:
    edit: dict[str, str | bytes | None] = {GOLDEN: "2", "tests/ledger.yaml": LEDGER.replace(sha256("1"), sha256("2"))}
    judging = Judging(repo, tmp_path / "bare", edit)
    assert judging.score()["decision"] == "block"
    assert judging.say("gate").status == 1
    # By its own rules it would pass.
    assert gate(judging.bare, "gate", *map(str, judging.reports), "--at", "topic", "--base", "topic").status == 0


def test_a_forged_report_of_an_unread_lane_is_no_pass(repo: Repo, tmp_path: Path) -> None:
    judging = Judging(repo, tmp_path / "bare", {"src/app.py": "x = 2\n"})
    for content in ("{}", "{", '{"schema": "ledgergate-score.v1", "decision": "allow", "lanes": {}}'):
        judging.reports[0].write_text(content)
        assert judging.score()["decision"] == "block", content
        assert judging.say("gate").status == 1


def test_a_failure_stays_one(repo: Repo, tmp_path: Path) -> None:
    lie = f"report(violations=[{{'case': '{LENGTH_ID}', 'message': 'no'}}])"
    judging = Judging(repo, tmp_path / "bare", {"src/app.py": "x = 2\n"}, properties=lie)
    assert judging.score()["decision"] == "block"
    assert LENGTH_ID in judging.say("gate").out
    assert GOLDEN_ID not in judging.say("gate").out


@pytest.mark.parametrize(
    "arguments",
    [
        ("score", "freeze.json"),
        ("gate", "ledger.yaml"),
        ("score", "freeze.json", "report.json", "--base", "main"),
        ("gate", "ledger.yaml", "report.json", "--base", "main"),
        ("gate", "report.json", "--at", "HEAD", "--freezes", "f.json"),
    ],
)
def test_what_does_not_go_together(repo: Repo, arguments: tuple[str, ...]) -> None:
    assert gate(repo, *arguments).status == 2
