"""The GitHub workflows and the action: their shell steps are run, on real repositories and an API on loopback."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

import ledgergate
from support import acks
from support.forge import Forge, serving, zipped
from support.lane_project import GOLDEN, GOLDEN_ID, LEDGER, LENGTH_ID, files, freezes, policy
from support.project import sha256
from support.pull_requests import AUTHOR, BOT, HUMANS, KIM, STRANGER, PullRequest, comments, left_over, review
from support.repo import Repo
from support.workflows import ALWAYS, Runner, document

pytestmark = pytest.mark.slow

HONEST = {"src/app.py": "x = 2\n"}
TAMPERED = {GOLDEN: "2"}
RELOCKED = {GOLDEN: "2", "tests/ledger.yaml": LEDGER.replace(sha256("1"), sha256("2"))}
# Names that a shell would act upon, as far as git allows them.
HOSTILE = "$(touch${IFS}pwned);`touch${IFS}pwned2`'\"&&touch${IFS}pwned3;#"
OLDER = "b" * 40
PLUGINS = ("hypothesis", "platformdirs", "pytest-xdist")
# Before any test pins it.
MACHINE = dict(os.environ)


@pytest.fixture
def forge() -> Iterator[Forge]:
    with serving() as found:
        yield found


def ready(repo: Repo, forge: Forge, edit: Any, **named: str) -> PullRequest:
    """A pull request that was tested, and which nobody has reviewed."""
    pull = PullRequest(repo, forge, edit, **named)
    pull.facts()
    pull.test()
    return pull


class TestCheck:
    def test_an_honest_one_passes(self, repo: Repo, forge: Forge) -> None:
        job = ready(repo, forge, HONEST).check()
        assert job.failed == []
        assert "### ledgergate: **allow**" in job.summary
        (comment,) = comments(forge)
        assert json.loads(comment)["body"] == job.summary
        assert (job.temp / "installed").read_text().splitlines()[:2] == ["install", "--quiet"]

    def test_tampering_is_refused(self, repo: Repo, forge: Forge) -> None:
        job = ready(repo, forge, TAMPERED).check()
        assert {"Check", "Score the evidence"} <= set(job.failed)
        assert "::error file=tests/goldens/a.txt,title=digest-mismatch (FAIL)" in job.said("Check")
        assert "digest-mismatch" in job.summary
        assert len(comments(forge)) == 1

    @pytest.mark.parametrize(
        ("reviews", "is_green"),
        [
            pytest.param([], False, id="nobody"),
            pytest.param([(KIM, None, "APPROVED", "User")], True, id="a human of the policy"),
            pytest.param([(KIM, OLDER, "APPROVED", "User")], False, id="an older commit"),
            pytest.param(
                [(KIM, None, "APPROVED", "User"), (KIM, None, "COMMENTED", "User")], True, id="then a comment"
            ),
            pytest.param([(KIM, None, "APPROVED", "User"), (KIM, None, "DISMISSED", "User")], False, id="dismissed"),
            pytest.param([(AUTHOR, None, "APPROVED", "User")], False, id="the author"),
            pytest.param([(STRANGER, None, "APPROVED", "User")], False, id="a stranger"),
            pytest.param([(BOT, None, "APPROVED", "Bot")], False, id="a bot"),
        ],
    )
    def test_a_contract_change_needs_an_approval_of_exactly_this_commit(
        self, repo: Repo, forge: Forge, reviews: list[tuple[int, str | None, str, str]], is_green: bool
    ) -> None:
        pull = ready(repo, forge, RELOCKED)
        pull.facts(*(review(account, commit or pull.head, state, kind) for account, commit, state, kind in reviews))
        job = pull.check()
        assert job.failed == ([] if is_green else ["Check", "Score the evidence"])
        assert ("### ledgergate: **allow**" in job.summary) is is_green

    def test_a_commit_after_the_approval(self, repo: Repo, forge: Forge) -> None:
        pull = PullRequest(repo, forge, RELOCKED)
        approved = pull.head
        pull.add(HONEST)
        pull.facts(review(KIM, approved))
        assert pull.check(evidence="").failed == ["Check"]

    @pytest.mark.parametrize("answer", [500, b"<html>", {"message": "Bad credentials"}])
    def test_the_api_is_of_no_help(self, repo: Repo, forge: Forge, answer: object) -> None:
        pull = ready(repo, forge, HONEST)
        forge.answers["/repos/acme/app/pulls/7/reviews"] = answer
        job = pull.check()
        assert "Read the facts" in job.failed
        assert "Check" not in [step.name for step in job.steps]
        assert "### ledgergate: **UNSCORED**, and what the tests proved is not known" in job.summary

    def test_names_do_not_reach_a_shell(self, repo: Repo, forge: Forge) -> None:
        pull = ready(repo, forge, {"src/app.py": "x = 3\n"}, branch=HOSTILE, title=HOSTILE)
        assert pull.check().failed == []
        assert left_over(repo.path.parent) == []

    def test_a_fork_has_no_other_way_in(self, repo: Repo, forge: Forge) -> None:
        pull = ready(repo, forge, HONEST)
        event = pull.event()
        event["pull_request"]["head"]["repo"] = {
            "full_name": "mallory/app",
            "clone_url": "file:///nowhere",
            "fork": True,
        }
        assert pull.check(event=event).failed == []

    def test_a_fork_s_tampering_is_refused(self, repo: Repo, forge: Forge) -> None:
        workflow = {".github/workflows/ledgergate.yml": "on: pull_request_target\njobs: {}\n"}
        pull = ready(repo, forge, workflow)
        pull.facts(author=STRANGER)
        job = pull.check()
        assert "Check" in job.failed
        assert "protected-path" in job.summary

    @pytest.mark.parametrize(
        ("humans", "author", "failed"),
        [
            (f"github:{AUTHOR}", AUTHOR, []),
            (f"github:{KIM} github:{AUTHOR}", AUTHOR, []),
            ("", AUTHOR, ["Check", "Score the evidence"]),
            (f"github:{AUTHOR}", STRANGER, ["Check", "Score the evidence"]),
        ],
    )
    def test_the_first_policy(self, repo: Repo, forge: Forge, humans: str, author: int, failed: list[str]) -> None:
        pull = PullRequest(repo, forge, {**files(), "ledgergate.toml": policy()}, base={"README.md": "app\n"})
        pull.facts(author=author)
        pull.test()
        assert pull.check(humans=humans).failed == failed

    def test_it_has_moved_on(self, repo: Repo, forge: Forge) -> None:
        pull = ready(repo, forge, HONEST)
        event = pull.event()
        pull.add({"src/app.py": "x = 3\n"})
        job = pull.check(event=event)
        assert "Fetch the change" in job.failed
        assert "there are newer commits" in job.said("Fetch the change")

    def test_nothing_is_checked_out(self, repo: Repo, forge: Forge) -> None:
        job = ready(repo, forge, {"src/app.py": "x = 2\n", "conftest.py": "marker = 1\n"}).check()
        names = {path.name for path in job.folder.rglob("*")}
        assert not names & {"app.py", "conftest.py", "ledgergate.toml"}

    def test_the_rules_of_a_change_do_not_judge_it(self, repo: Repo, forge: Forge) -> None:
        policy = repo.path / "ledgergate.toml"
        pull = PullRequest(repo, forge, {"README.md": "app!\n"})
        pull.add({"ledgergate.toml": policy.read_text() + "mode = 'signals'\n[push]\nevidence = 'off'\n", **RELOCKED})
        pull.facts(review(STRANGER, pull.head))
        assert pull.check(evidence="").failed == ["Check"]


class TestEvidence:
    def test_it_is_the_tree_of_the_tip(self, repo: Repo, forge: Forge) -> None:
        pull = PullRequest(repo, forge, HONEST)
        job = pull.test()
        assert job.failed == []
        (report, _) = sorted((job.temp / "reports").iterdir())
        assert json.loads(report.read_text())["fixtures"]["tree"] == repo.git("rev-parse", f"{pull.head}^{{tree}}")

    def test_a_run_that_fails_is_gathered_and_no_success(self, repo: Repo, forge: Forge) -> None:
        pull = PullRequest(repo, forge, HONEST)
        pull.facts()
        lie = f"report(violations=[{{'case': '{LENGTH_ID}', 'message': 'no'}}])"
        assert pull.test(FAKE_properties=lie).failed == ["Run the lanes"]
        job = pull.check()
        assert {"Bring the evidence", "Score the evidence"} <= set(job.failed)
        assert "### ledgergate: **block**" in job.summary

    def test_a_runner_that_lies_about_its_end_is_scored_anew(self, repo: Repo, forge: Forge) -> None:
        pull = ready(repo, forge, HONEST)
        report = {"fixtures": {"status": "ok", "executed": 0, "violations": [], "skipped": False, "ran_case_ids": []}}
        pull.uploaded({"fixtures.json": json.dumps(report).encode(), "properties.json": b"{}"})
        job = pull.check()
        assert "Score the evidence" in job.failed
        assert "### ledgergate: **block**" in job.summary

    @pytest.mark.parametrize(
        "reports",
        [
            pytest.param({"fixtures.json": b"not JSON"}, id="not JSON"),
            pytest.param(
                {"score.json": b'{"schema": "ledgergate-score.v1", "decision": "allow", "required_fold": "PASS"}'},
                id="a score of its own",
            ),
            pytest.param({"../../said/score.json": b"{}"}, id="a path"),
            pytest.param({"a.json": b"0" * (33 * 1024 * 1024)}, id="huge"),
            pytest.param({"x" * 90 + ".json": b"{}"}, id="a long name"),
            pytest.param(b"no archive", id="no archive"),
        ],
    )
    def test_what_a_hostile_job_uploads_is_no_evidence(self, repo: Repo, forge: Forge, reports: Any) -> None:
        pull = PullRequest(repo, forge, HONEST)
        pull.facts()
        pull.uploaded(reports if isinstance(reports, bytes) else zipped(reports))
        job = pull.check()
        assert "Score the evidence" in job.failed
        assert "Check" not in job.failed
        assert "**allow**" not in job.summary

    def test_another_commits_reports_are_stale(self, repo: Repo, forge: Forge) -> None:
        pull = ready(repo, forge, HONEST)
        archive = forge.answers["/repos/acme/app/actions/artifacts/9/zip"]
        pull.add({"src/app.py": "x = 3\n"})
        pull.facts()
        pull.uploaded(archive)
        job = pull.check()
        assert job.failed == ["Score the evidence"]
        assert "report-stale" in job.summary

    def test_a_new_digest_counts_once_it_is_approved(self, repo: Repo, forge: Forge) -> None:
        job = ready(repo, forge, RELOCKED).check()
        assert GOLDEN_ID in job.summary


TEST = 'def test_golden():\n    assert open("tests/goldens/a.txt").read() == "{}"\n'
ROW = """\
version: 1
rows:
  - id: tests/test_a.py::test_golden
    class: locked_fixture
    artifact: tests/goldens/a.txt
    digest: {}
"""


class TestWithPytest:
    """Lanes of a real pytest, whose plugin looks at goldens on the disk."""

    def pull(self, repo: Repo, forge: Forge, edit: Any) -> PullRequest:
        command = f"{sys.executable} -m pytest -q -p no:cacheprovider --ledgergate-lane=fixtures tests"
        lane = f"[run]\nplugins = {json.dumps(PLUGINS)}\n[lanes.fixtures]\ncommand = {json.dumps(command)}\n"
        base = {
            "ledgergate.toml": f"version = 1\n{HUMANS}{lane}",
            "tests/freeze_ledger.json": freezes(required_lanes=["fixtures"], optional_lanes=[], cardinality_floor={}),
            "tests/ledger.yaml": ROW.format(sha256("1")),
            "tests/test_a.py": TEST.format("1"),
            GOLDEN: "1",
            "src/app.py": "x = 1\n",
        }
        return PullRequest(repo, forge, edit, base=base)

    @pytest.mark.parametrize("is_approved", [True, False])
    def test_a_relocked_golden(self, repo: Repo, forge: Forge, is_approved: bool) -> None:
        edit = {GOLDEN: "2", "tests/test_a.py": TEST.format("2"), "tests/ledger.yaml": ROW.format(sha256("2"))}
        pull = self.pull(repo, forge, edit)
        pull.facts(*([review(KIM, pull.head)] if is_approved else []))
        assert pull.test().failed == []
        job = pull.check()
        assert job.failed == ([] if is_approved else ["Check", "Score the evidence"])
        assert ("### ledgergate: **allow**" in job.summary) is is_approved

    def test_a_golden_that_was_only_edited(self, repo: Repo, forge: Forge) -> None:
        pull = self.pull(repo, forge, {GOLDEN: "2", "tests/test_a.py": TEST.format("2")})
        pull.facts(review(KIM, pull.head))
        pull.test()
        assert {"Check", "Score the evidence"} <= set(pull.check().failed)


def test_the_action_installs_the_ledgergate_that_it_lies_beside(repo: Repo, forge: Forge) -> None:
    pull = PullRequest(repo, forge, HONEST)
    job = pull.runner("pull_request_target", pull.event())
    (job.folder / "bin/python3").unlink()
    # Where packages come from is a setting of the machine.
    job.env |= {name: value for name, value in MACHINE.items() if name.startswith("PIP_") or "proxy" in name.lower()}
    job.env["HOME"] = MACHINE["HOME"]
    assert job.run(ACTION["runs"]["steps"][:1]), job.steps
    done = subprocess.run(
        [job.temp / "ledgergate/env/bin/ledgergate", "--version"],
        env=job.env,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"ledgergate {ledgergate.__version__}\n"


class TestOtherMoments:
    def merged(self, pull: PullRequest) -> str:
        pull.repo.git("checkout", "-q", "main")
        pull.repo.git("merge", "-q", "--no-ff", "-m", "merge", pull.branch)
        pull.repo.git("push", "-q", str(pull.origin), "main")
        return pull.repo.git("rev-parse", "main")

    @pytest.mark.parametrize(("edit", "failed"), [(HONEST, []), (TAMPERED, ["Check"]), (RELOCKED, ["Check"])])
    def test_after_the_merge(self, repo: Repo, forge: Forge, edit: Any, failed: list[str]) -> None:
        pull = PullRequest(repo, forge, edit)
        event = {"before": pull.base, "after": self.merged(pull), "repository": {"default_branch": "main"}}
        job = pull.check("push", event)
        assert job.failed == failed
        assert comments(forge) == []

    def test_a_new_branch_is_judged_from_where_it_left(self, repo: Repo, forge: Forge) -> None:
        pull = PullRequest(repo, forge, TAMPERED)
        repo.git("push", "-q", str(pull.origin), f"{pull.branch}:refs/heads/release/1")
        event = {"before": "0" * 40, "after": pull.head, "repository": {"default_branch": "main"}}
        assert pull.check("push", event).failed == ["Check"]

    def test_a_force_push_is_judged_from_what_it_replaces(self, repo: Repo, forge: Forge) -> None:
        pull = PullRequest(repo, forge, TAMPERED)
        repo.git("push", "-q", "-f", str(pull.origin), f"{pull.branch}:refs/heads/main")
        event = {"before": pull.base, "after": pull.head, "repository": {"default_branch": "main"}}
        job = pull.check("push", event)
        assert job.failed == ["Check"]
        assert "digest-mismatch" in job.said("Check")

    def queued(self, pull: PullRequest) -> Runner:
        """The check of what a merge queue has made of the pull request."""
        pull.head = self.merged(pull)
        # That is not on the branch yet.
        pull.repo.git("push", "-q", "-f", str(pull.origin), f"{pull.base}:refs/heads/main", "main:refs/queue/1")
        queue = {"base_ref": "refs/heads/main", "base_sha": pull.base, "head_sha": pull.head}
        event = {"merge_group": queue, "repository": {"default_branch": "main"}}
        assert pull.test("merge_group", event).failed == []
        return pull.check("merge_group", event)

    @pytest.mark.parametrize(("edit", "failed"), [(HONEST, []), (RELOCKED, ["Check", "Score the evidence"])])
    def test_a_merge_queue(self, repo: Repo, forge: Forge, edit: Any, failed: list[str]) -> None:
        assert self.queued(PullRequest(repo, forge, edit)).failed == failed

    def test_a_signed_approval_counts_wherever_the_change_goes(self, repo: Repo, forge: Forge) -> None:
        base = {**files(), acks.SIGNERS_PATH: acks.signers(acks.KIM)}
        pull = PullRequest(repo, forge, RELOCKED, base=base)
        approval = acks.ack(acks.contract(repo), repository="acme/app", issued=datetime.now(UTC))
        pull.add(acks.files(approval))
        pull.facts()
        pull.test()
        assert pull.check().failed == []
        queued = self.queued(pull)
        assert queued.failed == []
        event = {"before": pull.base, "after": pull.head, "repository": {"default_branch": "main"}}
        pull.repo.git("push", "-q", "-f", str(pull.origin), "main")
        assert pull.check("push", event).failed == []

    def test_any_other_event_is_refused(self, repo: Repo, forge: Forge) -> None:
        pull = ready(repo, forge, HONEST)
        assert "Fetch the change" in pull.check("pull_request").failed


# -- their shape -------------------------------------------------------------------------------------------------------

CHECK = document("github/workflows/ledgergate.yml")
EVIDENCE = document("github/workflows/ledgergate-evidence.yml")
ACTION = document("github/action/action.yml")
STEPS = [
    *ACTION["runs"]["steps"],
    *(step for job in (*CHECK["jobs"].values(), *EVIDENCE["jobs"].values()) for step in job["steps"]),
]


def test_the_check_comes_from_the_target_and_has_few_rights() -> None:
    assert set(CHECK["on"]) == {"pull_request_target", "merge_group", "push"}
    assert CHECK["permissions"] == {}
    (job,) = CHECK["jobs"].values()
    assert job["permissions"] == {"actions": "read", "contents": "read", "pull-requests": "write"}
    assert {"timeout-minutes", "runs-on"} <= set(job)


def test_the_check_runs_one_action_and_no_checkout() -> None:
    (job,) = CHECK["jobs"].values()
    (step,) = job["steps"]
    assert re.fullmatch(r"OWNER/ledgergate/examples/github/action@[0-9a-f]{40}", step["uses"])
    text = json.dumps(ACTION)
    assert "checkout" not in text
    assert "uses" not in {key for step in ACTION["runs"]["steps"] for key in step}
    assert "secrets" not in text


def test_the_evidence_job_has_no_rights_to_write() -> None:
    assert set(EVIDENCE["on"]) == {"pull_request", "merge_group"}
    assert EVIDENCE["permissions"] == {"contents": "read"}
    assert all("permissions" not in job for job in EVIDENCE["jobs"].values())
    assert "secrets" not in json.dumps(EVIDENCE)


@pytest.mark.parametrize("step", STEPS, ids=[step.get("name") or step["uses"] for step in STEPS])
def test_no_expression_stands_in_a_shell_and_foreign_actions_are_pinned(step: dict[str, Any]) -> None:
    assert "${{" not in step.get("run", "")
    assert step.get("if") in (None, ALWAYS)
    assert "uses" not in step or re.search(r"@[0-9a-f]{40}$", step["uses"])
    assert step.get("env", {}).get("TOKEN") in (None, "${{ inputs.token }}", "${{ github.token }}")


def test_only_steps_that_ask_the_forge_have_the_token() -> None:
    named = {step["name"] for step in STEPS if "TOKEN" in step.get("env", {})}
    assert named == {"Fetch the change", "Read the facts", "Bring the evidence", "Comment", "Check out the tip"}
