"""A merge request on GitLab: a bare repository as its origin, an API, and the jobs of its pipelines."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from support.documents import ROOT
from support.forge import TOKEN, Forge
from support.lane_project import files, policy
from support.pull_requests import AUTHOR, KIM, Edit
from support.repo import Repo
from support.workflows import Runner, document

_IID = 7
EARLIER, PUSHED, LATER = "2026-12-01T10:00:00.000Z", "2026-12-01T11:00:00.000Z", "2026-12-01T12:00:00.000+00:00"
TEMPLATE = document("gitlab/ledgergate.gitlab-ci.yml")


def job_of(name: str) -> dict[str, Any]:
    """A job of the template with what it extends."""
    job: dict[str, Any] = TEMPLATE[name]
    return {**TEMPLATE[job["extends"]], **job} if "extends" in job else job


class MergeRequest:
    """`edit` on a branch off main, whose policy says that `KIM` is human."""

    def __init__(self, repo: Repo, forge: Forge, edit: Edit, *, branch: str = "topic") -> None:
        self.repo, self.forge, self.branch = repo, forge, branch
        self.folder = repo.path.parent
        self.origin = self.folder / "origin.git"
        Repo(self.origin, bare=True).git("config", "uploadpack.allowAnySHA1InWant", "true")
        self.base = repo.commit(
            {**files(), "ledgergate.toml": policy() + f"\n[vouch]\nhumans = ['gitlab:{KIM}', 'gitlab:{AUTHOR}']\n"}
        )
        repo.git("checkout", "-q", "-b", branch)
        self.head = repo.commit(edit, "$(touch pwned)")
        self.publish()
        self.tool = Repo(self.folder / "tool")
        script = ROOT / "examples/gitlab/facts.py"
        self.tool_commit = self.tool.commit({"examples/gitlab/facts.py": script.read_bytes()})
        self.reports = self.folder / "kept"

    def publish(self) -> None:
        self.repo.git("push", "-q", "-f", str(self.origin), "main", f"{self.branch}:refs/merge-requests/{_IID}/head")

    def add(self, edit: Edit) -> None:
        """One more commit on the branch."""
        self.head = self.repo.commit(edit, "more")
        self.publish()

    def run(self, name: str, **env: str) -> Runner:
        """A job of the template, run to its end in a folder that holds what earlier jobs have left."""
        job = job_of(name)
        variables = {
            **{key: str(value) for key, value in job["variables"].items()},
            "LEDGERGATE_URL": str(self.tool.path),
            "LEDGERGATE_COMMIT": self.tool_commit,
            "LEDGERGATE_TOKEN": TOKEN,
            "CI_API_V4_URL": self.forge.url,
            "CI_REPOSITORY_URL": f"file://{self.origin}",
            "CI_DEFAULT_BRANCH": "main",
            "CI_PROJECT_ID": "3",
            "CI_MERGE_REQUEST_PROJECT_ID": "3",
            "CI_MERGE_REQUEST_IID": str(_IID),
            "CI_MERGE_REQUEST_TITLE": "$(touch pwned)",
            "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main",
            "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME": self.branch,
            "CI_COMMIT_SHA": self.head,
            "CI_COMMIT_BRANCH": "main",
            **env,
        }
        runner = Runner(self.folder / f"job-{len(list(self.folder.glob('job-*')))}", {}, variables)
        runner.env |= {"CI_PROJECT_DIR": str(runner.work), "TMPDIR": str(runner.temp)}
        if self.reports.exists() and "needs" in job:
            shutil.copytree(self.reports, runner.work / "ledgergate-reports", symlinks=True)
        script = "\n".join([*job["before_script"], *job["script"]])
        runner.run([{"name": name, "run": script}], bash="bash -eo pipefail")
        kept = runner.work / "ledgergate-reports"
        if "needs" not in job and kept.exists():
            shutil.copytree(kept, self.reports, dirs_exist_ok=True)
        return runner

    def facts(self, *approvals: tuple[int, str], resets: object = True, author: int = AUTHOR, **answers: Any) -> None:
        """What the API says: approvals are accounts with the times at which they were given."""
        project = "/projects/3"
        request = f"{project}/merge_requests/{_IID}"
        approved = [{"user": {"id": account, "username": "x"}, "approved_at": given} for account, given in approvals]
        said: Mapping[str, Any] = {
            "request": {"iid": _IID, "sha": self.head, "author": {"id": author}, "title": "$(touch pwned)"},
            "versions": [{"head_commit_sha": self.head, "created_at": PUSHED}],
            "approvals": {"approved_by": approved},
            "project": {"reset_approvals_on_push": resets},
            **answers,
        }
        self.forge.answers |= {
            request: said["request"],
            f"{request}/versions": said["versions"],
            f"{request}/approvals": said["approvals"],
            f"{project}/approvals": said["project"],
        }


def note_of(runner: Runner) -> str:
    """The merge note that a job left."""
    file: Path = runner.work / "ledgergate-note.md"
    return file.read_text(encoding="utf-8") if file.is_file() else ""
