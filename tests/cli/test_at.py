"""`ledgergate score --at` and `gate --at`: reports are data, and git has everything that they are judged by."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import ClassVar

import pytest

from support.acks import KIM, SIGNERS_PATH, ack, contract, files, signers
from support.gate import Said, gate
from support.lane_project import GOLDEN, GOLDEN_ID, LEDGER, LENGTH_ID, evidence, policy, project, run
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


class TestApproved:
    """A relocked golden that somebody has approved on the forge."""

    POLICY = policy(more="[vouch]\nhumans = ['github:20']\n")
    RELOCKED: ClassVar[dict[str, str | bytes | None]] = {
        GOLDEN: "2",
        "tests/ledger.yaml": LEDGER.replace(sha256("1"), sha256("2")),
    }

    def judging(
        self, repo: Repo, tmp_path: Path, later: dict[str, str | bytes | None] | None = None
    ) -> tuple[Repo, str]:
        """A bare clone, and the reports; `later` has come to main since the branch was cut."""
        project(repo, {"ledgergate.toml": self.POLICY})
        repo.git("checkout", "-q", "-b", "topic")
        repo.commit(self.RELOCKED)
        assert run(repo, "--base", "HEAD").status == 0
        repo.git("checkout", "-q", "main")
        repo.commit(later or {})
        repo.git("clone", "-q", "--bare", ".", str(tmp_path / "bare"))
        (kept,) = evidence(repo).values()
        return Repo(tmp_path / "bare", init=False), str(kept / "reports")

    def status(self, bare: Repo, folder: str, command: str, account: str | None = "github:20") -> int:
        tip = bare.git("rev-parse", "topic")
        approvals = [] if account is None else [{"account": account, "commit": tip}]
        bare.write("facts.json", json.dumps({"author": "github:10", "approvals": approvals}))
        reports = [str(path) for path in sorted(Path(folder).iterdir())]
        known = ("--target", "refs/heads/main", "--facts", "facts.json")
        return gate(bare, command, *reports, "--at", "topic", "--base", "main", *known).status

    @pytest.mark.parametrize(("account", "ends"), [("github:20", 0), (None, 1), ("github:10", 1), ("github:30", 1)])
    def test_its_row_counts(self, repo: Repo, tmp_path: Path, account: str | None, ends: int) -> None:
        bare, reports = self.judging(repo, tmp_path)
        assert [self.status(bare, reports, command, account) for command in ("score", "gate")] == [ends, ends]

    def test_so_it_does_where_the_base_has_gone_on_with_its_code(self, repo: Repo, tmp_path: Path) -> None:
        bare, reports = self.judging(repo, tmp_path, {"README.md": "later\n"})
        assert self.status(bare, reports, "score") == 0

    def test_an_approval_does_not_go_back_behind_the_contracts_of_the_base(self, repo: Repo, tmp_path: Path) -> None:
        row = (
            LEDGER.split("rows:\n")[1].split("  - id")[1].replace("test_golden", "test_newer").replace("a.txt", "b.txt")
        )
        later: dict[str, str | bytes | None] = {
            "tests/goldens/b.txt": "1",
            "tests/ledger.yaml": f"{LEDGER}  - id{row}",
        }
        bare, reports = self.judging(repo, tmp_path, later)
        assert self.status(bare, reports, "score") == 1

    @pytest.mark.parametrize(
        "arguments",
        [
            ("score", "freeze.json", "report.json", "--facts", "f.json"),
            ("gate", "ledger.yaml", "report.json", "--target", "refs/heads/main"),
            ("gate", "report.json", "--at", "HEAD", "--humans", "github:1"),
            ("score", "report.json", "--at", "HEAD", "--target", "main"),
        ],
    )
    def test_what_does_not_go_together(self, repo: Repo, arguments: tuple[str, ...]) -> None:
        assert gate(repo, *arguments).status == 2

    def test_facts_that_are_none_are_unscored(self, repo: Repo, tmp_path: Path) -> None:
        bare, reports = self.judging(repo, tmp_path)
        report = str(next(Path(reports).iterdir()))
        for command in ("score", "gate"):
            said = gate(bare, command, report, "--at", "topic", "--base", "main", "--facts", "gone.json")
            assert said.status == 1
            assert "facts-unreadable" in said.everything


@pytest.mark.parametrize(
    ("acked", "target", "ends"),
    [
        ("refs/heads/main", "refs/heads/main", 0),
        ("refs/heads/main", "refs/heads/release/1", 1),
        ("refs/heads/release/1", "refs/heads/main", 1),
        (None, "refs/heads/main", 1),
    ],
)
def test_a_row_that_a_signed_approval_vouches_for(
    repo: Repo, tmp_path: Path, acked: str | None, target: str, ends: int
) -> None:
    project(repo, {SIGNERS_PATH: signers(KIM)})
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit(TestApproved.RELOCKED)
    if acked is not None:
        now = datetime.now(UTC)
        repo.commit(files(ack(contract(repo), repository="acme/app", target=acked, issued=now)))
    assert run(repo, "--base", "HEAD").status == 0
    repo.git("clone", "-q", "--bare", ".", str(tmp_path / "bare"))
    bare = Repo(tmp_path / "bare", init=False)
    (kept,) = evidence(repo).values()
    reports = [str(path) for path in sorted((kept / "reports").iterdir())]
    # A commit's id tells of no branch.
    at = ("--at", "topic", "--base", bare.git("rev-parse", "main"), "--target", target)
    assert [gate(bare, command, *reports, *at).status for command in ("score", "gate")] == [ends, ends]
