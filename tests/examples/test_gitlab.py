"""The GitLab template: its jobs are run, on real repositories and an API on loopback."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from support.forge import Forge, serving
from support.lane_project import GOLDEN, LEDGER, LENGTH_ID
from support.merge_requests import EARLIER, LATER, PUSHED, TEMPLATE, MergeRequest, job_of, note_of
from support.project import sha256
from support.pull_requests import AUTHOR, KIM, STRANGER, left_over
from support.repo import Repo

pytestmark = pytest.mark.slow

HONEST = {"src/app.py": "x = 2\n"}
TAMPERED = {GOLDEN: "2"}
RELOCKED = {GOLDEN: "2", "tests/ledger.yaml": LEDGER.replace(sha256("1"), sha256("2"))}
HOSTILE = "$(touch${IFS}pwned);`touch${IFS}pwned2`'\"&&touch${IFS}pwned3;#"
OTHER = "b" * 40
# What a check of a change whose contract nobody has vouched for says.
WAITS = "UNSCORED digest-changed"


@pytest.fixture
def forge() -> Iterator[Forge]:
    with serving() as found:
        yield found


def ready(repo: Repo, forge: Forge, edit: Any, **named: str) -> MergeRequest:
    """A merge request that was tested, and which nobody has approved."""
    request = MergeRequest(repo, forge, edit, **named)
    request.facts()
    request.run("ledgergate-evidence")
    return request


def test_an_honest_one_passes(repo: Repo, forge: Forge) -> None:
    job = ready(repo, forge, HONEST).run("ledgergate")
    assert job.failed == []
    assert "### ledgergate: **allow**" in note_of(job)
    assert all(asked.is_authorised for asked in forge.asked)


def test_tampering_is_refused(repo: Repo, forge: Forge) -> None:
    job = ready(repo, forge, TAMPERED).run("ledgergate")
    assert job.failed == ["ledgergate"]
    assert "FAIL digest-mismatch" in job.said("ledgergate")
    assert "digest-mismatch" in note_of(job)


@pytest.mark.parametrize(
    ("facts", "is_vouched"),
    [
        pytest.param({"approvals": []}, False, id="nobody"),
        pytest.param({"approvals": [(KIM, LATER)]}, True, id="a human of the policy"),
        pytest.param({"approvals": [(KIM, PUSHED)]}, True, id="at once"),
        pytest.param({"approvals": [(KIM, EARLIER)]}, False, id="before this commit came"),
        pytest.param({"approvals": [(AUTHOR, LATER)]}, False, id="the author"),
        pytest.param({"approvals": [(STRANGER, LATER)]}, False, id="a stranger"),
        pytest.param({"approvals": [(KIM, LATER)], "resets": False}, False, id="approvals outlive pushes"),
        pytest.param({"approvals": [(STRANGER, LATER), (KIM, LATER)]}, True, id="two"),
    ],
)
def test_a_contract_change_needs_an_approval(repo: Repo, forge: Forge, facts: dict[str, Any], is_vouched: bool) -> None:
    request = ready(repo, forge, RELOCKED)
    request.facts(*facts["approvals"], resets=facts.get("resets", True))
    job = request.run("ledgergate")
    assert job.failed == ([] if is_vouched else ["ledgergate"])
    assert (WAITS in job.said("ledgergate")) is not is_vouched
    assert ("### ledgergate: **allow**" in note_of(job)) is is_vouched


@pytest.mark.parametrize(
    "answers",
    [
        {"request": 500},
        {"versions": 403},
        {"approvals": 404},
        {"project": 404},
        {"request": b"<html>"},
        {"request": {"sha": OTHER, "author": {"id": 1}}},
        {"versions": []},
        {"versions": [{"head_commit_sha": OTHER, "created_at": PUSHED}]},
        {"project": {}},
        {"project": {"reset_approvals_on_push": "true"}},
        {"approvals": {"approved_by": [{"user": {"id": KIM}}]}},
        {"approvals": {"approved_by": [{"user": {"id": str(KIM)}, "approved_at": LATER}]}},
        {"approvals": {"approved_by": [{"user": {"id": KIM}, "approved_at": "yesterday"}]}},
        {"approvals": {"approved_by": [{"user": {"id": KIM}, "approved_at": "2026-12-01T12:00:00"}]}},
        {"approvals": []},
    ],
    ids=str,
)
def test_the_api_is_of_no_help(repo: Repo, forge: Forge, answers: dict[str, Any]) -> None:
    request = MergeRequest(repo, forge, HONEST)
    request.facts(**answers)
    job = request.run("ledgergate")
    assert job.failed == ["ledgergate"]
    assert "ledgergate: the facts of the merge request are not known" in job.said("ledgergate")
    assert not list(job.folder.rglob("facts.json"))
    assert "**allow**" not in note_of(job)


def test_nobody_answers(repo: Repo, forge: Forge) -> None:
    with serving() as gone:
        pass
    assert ready(repo, forge, HONEST).run("ledgergate", CI_API_V4_URL=gone.url).failed == ["ledgergate"]


def test_names_do_not_reach_a_shell(repo: Repo, forge: Forge) -> None:
    assert ready(repo, forge, HONEST, branch=HOSTILE).run("ledgergate").failed == []
    assert left_over(repo.path.parent) == []


def test_a_fork_s_own_pipeline_is_none(repo: Repo, forge: Forge) -> None:
    assert ready(repo, forge, HONEST).run("ledgergate", CI_PROJECT_ID="4").failed == ["ledgergate"]


def test_it_has_moved_on(repo: Repo, forge: Forge) -> None:
    request = ready(repo, forge, HONEST)
    old = request.head
    request.add({"src/app.py": "x = 3\n"})
    job = request.run("ledgergate", CI_COMMIT_SHA=old)
    assert job.failed == ["ledgergate"]
    assert "there are newer commits" in job.said("ledgergate")


def test_a_merged_result_is_judged_by_its_tip(repo: Repo, forge: Forge) -> None:
    request = ready(repo, forge, HONEST)
    job = request.run("ledgergate", CI_COMMIT_SHA=OTHER, CI_MERGE_REQUEST_SOURCE_BRANCH_SHA=request.head)
    assert job.failed == []


def test_nothing_is_checked_out(repo: Repo, forge: Forge) -> None:
    job = ready(repo, forge, {**HONEST, "conftest.py": "marker = 1\n"}).run("ledgergate")
    assert not {path.name for path in job.folder.rglob("*")} & {"app.py", "conftest.py", "ledgergate.toml"}


def test_a_run_that_fails_is_gathered(repo: Repo, forge: Forge) -> None:
    request = MergeRequest(repo, forge, HONEST)
    request.facts()
    lie = f"report(violations=[{{'case': '{LENGTH_ID}', 'message': 'no'}}])"
    assert request.run("ledgergate-evidence", FAKE_properties=lie).failed == ["ledgergate-evidence"]
    job = request.run("ledgergate")
    assert job.failed == ["ledgergate"]
    assert "### ledgergate: **block**" in note_of(job)


@pytest.mark.parametrize(
    "reports",
    [
        {},
        {"fixtures.json": "not JSON"},
        {"score.json": '{"schema": "ledgergate-score.v1", "decision": "allow"}'},
        {"-x.json": "{}", "run.sh": "touch pwned\n"},
    ],
    ids=str,
)
def test_what_a_hostile_job_leaves_is_no_evidence(repo: Repo, forge: Forge, reports: dict[str, str]) -> None:
    request = MergeRequest(repo, forge, HONEST)
    request.facts()
    request.reports.mkdir()
    for name, content in reports.items():
        (request.reports / name).write_text(content)
    job = request.run("ledgergate")
    assert job.failed == ["ledgergate"]
    assert "### ledgergate: **block**" in note_of(job)
    assert left_over(repo.path.parent) == []


def test_a_link_is_no_report(repo: Repo, forge: Forge) -> None:
    request = ready(repo, forge, HONEST)
    secret = repo.path.parent / "secret.json"
    secret.write_text(json.dumps({"secret": "of the machine"}))
    (request.reports / "link.json").symlink_to(secret)
    job = request.run("ledgergate")
    assert job.failed == []
    assert "secret" not in job.said("ledgergate") + note_of(job)


class TestAfterAPush:
    def pushed(self, repo: Repo, forge: Forge, edit: Any, before: str | None = None) -> list[str]:
        request = MergeRequest(repo, forge, edit)
        repo.git("push", "-q", "-f", str(request.origin), f"{request.branch}:refs/heads/release/1")
        job = request.run(
            "ledgergate-pushed", CI_COMMIT_BEFORE_SHA=before or request.base, CI_COMMIT_BRANCH="release/1"
        )
        return job.failed

    @pytest.mark.parametrize(("edit", "is_green"), [(HONEST, True), (TAMPERED, False), (RELOCKED, False)])
    def test_it_is_judged_from_what_was_there(self, repo: Repo, forge: Forge, edit: Any, is_green: bool) -> None:
        assert self.pushed(repo, forge, edit) == ([] if is_green else ["ledgergate-pushed"])

    def test_a_new_branch_is_judged_from_where_it_left(self, repo: Repo, forge: Forge) -> None:
        assert self.pushed(repo, forge, TAMPERED, "0" * 40) == ["ledgergate-pushed"]


def test_the_check_takes_from_the_evidence_job_its_files_alone() -> None:
    assert job_of("ledgergate")["needs"] == ["ledgergate-evidence"]
    assert all("reports" not in job_of(name).get("artifacts", {}) for name in TEMPLATE)
    assert TEMPLATE[".ledgergate"]["variables"]["GIT_STRATEGY"] == "none"
    assert "checkout" not in "\n".join(job_of("ledgergate")["script"])


def test_the_token_is_named_nowhere_but_in_the_script() -> None:
    assert "LEDGERGATE_TOKEN" not in json.dumps(TEMPLATE)
