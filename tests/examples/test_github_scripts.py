"""The scripts of the GitHub action, against an API on loopback."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.forge import TOKEN, Forge, serving, zipped
from support.repo import clean_environment
from support.workflows import EXAMPLES

pytestmark = pytest.mark.slow

ACTION = EXAMPLES / "github" / "action"
HEAD, OLDER = "a" * 40, "b" * 40
AUTHOR, KIM, LEE, BOT = 10, 20, 30, 41898282
MARK = "<!-- ledgergate merge note -->"
REVIEWS = "/repos/acme/app/pulls/7/reviews"
COMMENTS = "/repos/acme/app/issues/7/comments"
RUNS = "/repos/acme/app/actions/workflows/evidence.yml/runs"
ARTEFACTS, ARTEFACT = "/repos/acme/app/actions/runs/5/artifacts", "/repos/acme/app/actions/artifacts/9/zip"


@pytest.fixture
def forge() -> Iterator[Forge]:
    with serving() as found:
        yield found


def script(name: str, target: Path, forge: Forge, **env: str) -> subprocess.CompletedProcess[str]:
    variables = clean_environment(
        target.parent,
        GITHUB_API_URL=forge.url,
        GITHUB_REPOSITORY="acme/app",
        TOKEN=TOKEN,
        NUMBER="7",
        TO=HEAD,
        WORKFLOW="evidence.yml",
        WAIT_MINUTES="0",
    )
    done = subprocess.run(
        [sys.executable, "-Es", ACTION / name, target],
        env={**variables, **env},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert "Traceback" not in done.stderr, done.stderr
    assert TOKEN not in done.stdout + done.stderr
    return done


def user(account: int, kind: str = "User") -> dict[str, Any]:
    return {"id": account, "login": f"user-{account}", "type": kind}


def review(
    number: int, account: int, state: str = "APPROVED", commit: str = HEAD, kind: str = "User"
) -> dict[str, Any]:
    return {"id": number, "user": user(account, kind), "state": state, "commit_id": commit}


PULL = {"number": 7, "user": user(AUTHOR), "head": {"sha": HEAD}, "title": "$(touch pwned)"}


class TestFacts:
    @pytest.mark.parametrize(
        ("reviews", "approvals"),
        [
            pytest.param([], [], id="none"),
            pytest.param([review(1, KIM)], [(KIM, HEAD)], id="approved"),
            pytest.param([review(1, KIM, commit=OLDER)], [(KIM, OLDER)], id="an older commit"),
            pytest.param([review(1, KIM, commit=OLDER), review(2, KIM)], [(KIM, HEAD)], id="approved again"),
            pytest.param([review(2, KIM), review(1, KIM, commit=OLDER)], [(KIM, HEAD)], id="out of order"),
            pytest.param([review(1, KIM), review(2, KIM, "COMMENTED")], [(KIM, HEAD)], id="then a comment"),
            pytest.param([review(1, KIM), review(2, KIM, "PENDING")], [(KIM, HEAD)], id="then one not sent"),
            pytest.param([review(1, KIM), review(2, KIM, "CHANGES_REQUESTED")], [], id="then changes requested"),
            pytest.param([review(1, KIM, "DISMISSED")], [], id="dismissed"),
            pytest.param([review(1, KIM, commit=OLDER), review(2, KIM, "DISMISSED")], [], id="the later one dismissed"),
            pytest.param([review(1, KIM, "CHANGES_REQUESTED"), review(2, KIM)], [(KIM, HEAD)], id="at last approved"),
            pytest.param([review(1, BOT, kind="Bot")], [], id="a bot"),
            pytest.param([{**review(1, KIM), "user": None}], [], id="an account that is gone"),
            pytest.param([review(1, LEE), review(2, KIM)], [(KIM, HEAD), (LEE, HEAD)], id="two"),
            pytest.param(
                [review(n, 100 + n) for n in range(250)], [(100 + n, HEAD) for n in range(250)], id="three pages"
            ),
            pytest.param(
                [*(review(n, KIM) for n in range(100)), review(100, KIM, "DISMISSED")], [], id="the last on page two"
            ),
        ],
    )
    def test_which_approvals_stand(
        self, forge: Forge, tmp_path: Path, reviews: list[object], approvals: list[tuple[int, str]]
    ) -> None:
        forge.answers = {"/repos/acme/app/pulls/7": PULL, REVIEWS: reviews}
        done = script("facts.py", tmp_path / "facts.json", forge)
        assert done.returncode == 0, done
        assert json.loads((tmp_path / "facts.json").read_text()) == {
            "author": f"github:{AUTHOR}",
            "approvals": [{"account": f"github:{account}", "commit": commit} for account, commit in approvals],
        }
        assert all(asked.is_authorised for asked in forge.asked)

    @pytest.mark.parametrize(
        ("pull", "reviews"),
        [
            pytest.param(500, [], id="the API is down"),
            pytest.param(PULL, 502, id="half of it is down"),
            pytest.param(404, [], id="no such pull request"),
            pytest.param(b"<html>", [], id="no JSON"),
            pytest.param(b"", [], id="empty"),
            pytest.param(b"[" * 100_000, [], id="nested"),
            pytest.param(PULL, {"message": "no"}, id="no list"),
            pytest.param(PULL, [1], id="no objects"),
            pytest.param(PULL, [review(1, KIM, "BLESSED")], id="an unknown state"),
            pytest.param(PULL, [{**review(1, KIM), "commit_id": None}], id="approved nothing"),
            pytest.param(PULL, [{**review(1, KIM), "user": {"id": "20"}}], id="an id that is a text"),
            pytest.param(PULL, [{**review(1, KIM), "user": {"id": True}}], id="an id that is a truth"),
            pytest.param({**PULL, "user": None}, [], id="no author"),
            pytest.param({**PULL, "head": {"sha": OLDER}}, [], id="another head"),
            pytest.param(PULL, [review(n, n) for n in range(5100)], id="too many"),
            pytest.param(b"x" * (17 * 1024 * 1024), [], id="too large"),
        ],
    )
    def test_whatever_is_unexpected_leaves_no_facts(
        self, forge: Forge, tmp_path: Path, pull: object, reviews: object
    ) -> None:
        forge.answers = {"/repos/acme/app/pulls/7": pull, REVIEWS: reviews}
        (tmp_path / "facts.json").write_text("{}")
        done = script("facts.py", tmp_path / "facts.json", forge)
        assert done.returncode == 1
        assert done.stdout.startswith("::error title=ledgergate::the facts of the pull request are not known")
        assert len(done.stdout.splitlines()) == 1
        assert list(tmp_path.iterdir()) == []

    def test_nobody_answers(self, forge: Forge, tmp_path: Path) -> None:
        with serving() as gone:
            pass
        assert script("facts.py", tmp_path / "facts.json", forge, GITHUB_API_URL=gone.url).returncode == 1

    @pytest.mark.parametrize("name", ["GITHUB_API_URL", "GITHUB_REPOSITORY", "TOKEN", "NUMBER", "TO"])
    def test_a_variable_is_missing(self, forge: Forge, tmp_path: Path, name: str) -> None:
        forge.answers = {"/repos/acme/app/pulls/7": PULL, REVIEWS: []}
        assert script("facts.py", tmp_path / "facts.json", forge, **{name: ""}).returncode == 1
        assert not (tmp_path / "facts.json").exists()

    def test_an_address_of_a_file_is_none(self, forge: Forge, tmp_path: Path) -> None:
        assert script("facts.py", tmp_path / "facts.json", forge, GITHUB_API_URL=f"file://{tmp_path}").returncode == 1


def run(number: int = 5, conclusion: str = "success", status: str = "completed", **changed: Any) -> dict[str, Any]:
    return {
        "id": number,
        "head_sha": HEAD,
        "event": "pull_request",
        "status": status,
        "conclusion": conclusion,
        **changed,
    }


def runs(*found: dict[str, Any]) -> dict[str, Any]:
    return {"total_count": len(found), "workflow_runs": list(found)}


ONE = {"artifacts": [{"id": 9, "name": "ledgergate-evidence", "expired": False}]}


class TestEvidence:
    def bring(self, forge: Forge, tmp_path: Path, **env: str) -> tuple[int, dict[str, bytes]]:
        done = script("evidence.py", tmp_path / "reports", forge, **env)
        found = {path.name: path.read_bytes() for path in tmp_path.glob("reports/*")}
        assert {path.name for path in tmp_path.iterdir()} <= {"reports"}
        return done.returncode, found

    @pytest.mark.parametrize(
        "found",
        [
            runs(run()),
            runs(run(), run(4)),
            runs(run(), run(6, head_sha=OLDER)),
            runs(run(), run(6, "failure", event="push")),
            runs(*(run(n, head_sha=OLDER) for n in range(100, 350)), run()),
        ],
    )
    def test_the_newest_run_of_the_commit(self, forge: Forge, tmp_path: Path, found: object) -> None:
        elsewhere = forge.url.replace("127.0.0.1", "localhost") + "/blob"
        archive = zipped({"fixtures.json": b"{}", "a%2Fb.json": b"{"})
        forge.answers = {RUNS: found, ARTEFACTS: ONE, ARTEFACT: elsewhere, "/blob": archive}
        assert self.bring(forge, tmp_path) == (0, {"fixtures.json": b"{}", "a%2Fb.json": b"{"})
        assert [asked.path for asked in forge.asked if not asked.is_authorised] == ["/blob"]

    def test_it_waits_for_the_end(self, forge: Forge, tmp_path: Path) -> None:
        states = (runs(), runs(run(status="in_progress")), runs(run()))
        forge.answers = {RUNS: states, ARTEFACTS: ONE, ARTEFACT: zipped({"a.json": b"{}"})}
        assert self.bring(forge, tmp_path, WAIT_MINUTES="1", POLL_SECONDS="0.01") == (0, {"a.json": b"{}"})

    @pytest.mark.parametrize(
        "found", [runs(run(conclusion="failure")), runs(run(), run(4, "failure")), runs(run(), run(4, "cancelled"))]
    )
    def test_a_run_that_failed_is_no_success_whatever_its_reports_say(
        self, forge: Forge, tmp_path: Path, found: object
    ) -> None:
        forge.answers = {RUNS: found, ARTEFACTS: ONE, ARTEFACT: zipped({"a.json": b"{}"})}
        assert self.bring(forge, tmp_path) == (1, {"a.json": b"{}"})

    @pytest.mark.parametrize(
        "archive",
        [
            pytest.param(zipped({"../a.json": b"{}"}), id="a way up"),
            pytest.param(zipped({"/etc/a.json": b"{}"}), id="a path from the root"),
            pytest.param(zipped({"a/b.json": b"{}"}), id="a folder"),
            pytest.param(zipped({"a\\b.json": b"{}"}), id="a backslash"),
            pytest.param(zipped({".json": b"{}"}), id="no name"),
            pytest.param(zipped({"a.json\n::error::x": b"{}"}), id="a line break"),
            pytest.param(zipped({"a.json": b"{}", "run.sh": b"{}"}), id="another kind"),
            pytest.param(zipped({f"{n}.json": b"{}" for n in range(65)}), id="many"),
            pytest.param(zipped({}), id="nothing"),
            pytest.param(zipped({"a.json": b"0" * (33 * 1024 * 1024)}), id="a bomb"),
            pytest.param(b"0" * (33 * 1024 * 1024), id="huge"),
            pytest.param(b"PK\x05\x06", id="cut"),
            pytest.param(zipped({"a.json": b"{}" * 500})[:-30], id="cut later"),
            pytest.param(zipped({"a.json": bytes(range(256))}).replace(b"\x08\x00", b"\x63\x00"), id="odd method"),
            pytest.param(b"", id="empty"),
        ],
    )
    def test_a_hostile_artefact_is_none(self, forge: Forge, tmp_path: Path, archive: bytes) -> None:
        forge.answers = {RUNS: runs(run()), ARTEFACTS: ONE, ARTEFACT: archive}
        assert self.bring(forge, tmp_path) == (1, {})

    @pytest.mark.parametrize(
        "answers",
        [
            pytest.param({RUNS: runs()}, id="it has not run"),
            pytest.param({RUNS: runs(run(head_sha=OLDER))}, id="for another commit"),
            pytest.param({RUNS: runs(run(event="workflow_dispatch"))}, id="by hand"),
            pytest.param({RUNS: runs(run(status="queued"))}, id="not ended"),
            pytest.param({RUNS: runs(run(), run(4, status="queued"))}, id="one not ended"),
            pytest.param({RUNS: runs(run()), ARTEFACTS: {"artifacts": []}}, id="no artefact"),
            pytest.param({RUNS: runs(run()), ARTEFACTS: {"artifacts": [{"id": 9, "name": "x"}]}}, id="another name"),
            pytest.param(
                {RUNS: runs(run()), ARTEFACTS: {"artifacts": [{**ONE["artifacts"][0], "expired": True}]}}, id="expired"
            ),
            pytest.param({RUNS: 404}, id="no such workflow"),
            pytest.param({RUNS: []}, id="a list"),
            pytest.param({RUNS: runs(run()), ARTEFACTS: ONE, ARTEFACT: 410}, id="gone"),
        ],
    )
    def test_without_evidence(self, forge: Forge, tmp_path: Path, answers: dict[str, Any]) -> None:
        forge.answers = answers
        assert self.bring(forge, tmp_path) == (1, {})


class TestComment:
    def comment(self, forge: Forge, tmp_path: Path) -> int:
        (tmp_path / "note.md").write_text(f"{MARK}\nnew")
        return script("comment.py", tmp_path / "note.md", forge).returncode

    def test_the_first_one(self, forge: Forge, tmp_path: Path) -> None:
        forge.answers = {COMMENTS: []}
        assert self.comment(forge, tmp_path) == 0
        (wrote,) = forge.wrote()
        assert wrote[:3] == ("POST", COMMENTS, {"body": f"{MARK}\nnew"})

    def test_it_is_updated(self, forge: Forge, tmp_path: Path) -> None:
        own = {"id": 3, "user": {"login": "github-actions[bot]"}, "body": f"{MARK}\nold"}
        others = [{"id": n, "user": {"login": "mallory"}, "body": f"{MARK}\nallow"} for n in range(100, 230)]
        forge.answers = {COMMENTS: [*others, own], "/repos/acme/app/issues/comments/3": {}}
        assert self.comment(forge, tmp_path) == 0
        (wrote,) = forge.wrote()
        assert wrote[:3] == ("PATCH", "/repos/acme/app/issues/comments/3", {"body": f"{MARK}\nnew"})

    @pytest.mark.parametrize(("status", "ends"), [(403, 0), (404, 0), (500, 1), (422, 1)])
    def test_it_may_not(self, forge: Forge, tmp_path: Path, status: int, ends: int) -> None:
        forge.answers = {COMMENTS: status}
        assert self.comment(forge, tmp_path) == ends
