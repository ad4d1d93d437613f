"""A pull request on a forge: a bare repository as its origin, an API, and the jobs that it starts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from support.forge import TOKEN, Forge, zipped
from support.lane_project import files, policy
from support.repo import Repo
from support.workflows import EXAMPLES, Runner, document

AUTHOR, KIM, STRANGER, BOT = 10, 20, 30, 40
ACTION = EXAMPLES / "github" / "action"
_ACTION_SHELL = "bash --noprofile --norc -eo pipefail"
_NUMBER = 7

HUMANS = f"\n[vouch]\nhumans = ['github:{KIM}', 'github:{AUTHOR}']\n"

Edit = Mapping[str, str | bytes | None]


class PullRequest:
    """`edit` on a branch off main, whose policy says that `KIM` is human, and the reports of an honest run of it."""

    def __init__(
        self,
        repo: Repo,
        forge: Forge,
        edit: Edit,
        *,
        branch: str = "topic",
        title: str = "A title",
        base: Edit | None = None,
    ) -> None:
        """`base` is the whole target branch, in the place of a small project."""
        self.repo, self.forge = repo, forge
        self.branch, self.title = branch, title
        self.folder = repo.path.parent
        self.origin = self.folder / "origin/acme/app"
        Repo(self.origin, bare=True).git("config", "uploadpack.allowAnySHA1InWant", "true")
        self.base = repo.commit({**files(), "ledgergate.toml": policy() + HUMANS} if base is None else base, "base")
        repo.git("checkout", "-q", "-b", branch)
        self.head = repo.commit(edit, title)
        self.publish()

    def publish(self) -> None:
        self.repo.git("push", "-q", "-f", str(self.origin), "main", f"{self.branch}:refs/pull/{_NUMBER}/head")

    def add(self, edit: Edit) -> None:
        """One more commit on the branch."""
        self.head = self.repo.commit(edit, "more")
        self.publish()

    def event(self) -> dict[str, Any]:
        pull = {
            "number": _NUMBER,
            "title": self.title,
            "base": {"ref": "main", "sha": self.base},
            "head": {"ref": self.branch, "sha": self.head, "label": f"mallory:{self.branch}"},
        }
        return {"pull_request": pull, "repository": {"default_branch": "main"}}

    def runner(self, name: str, event: Mapping[str, Any], **inputs: str) -> Runner:
        """A machine on which a job for this event runs."""
        action = document("github/action/action.yml")
        defaults = {key: value["default"] for key, value in action["inputs"].items()}
        number = len(list(self.folder.glob("job-*")))
        runner = Runner(
            self.folder / f"job-{number}",
            {"github": {"event": event, "token": TOKEN}},
            {
                "GITHUB_EVENT_NAME": name,
                "GITHUB_SERVER_URL": f"file://{self.folder}/origin",
                "GITHUB_API_URL": self.forge.url,
                "GITHUB_REPOSITORY": "acme/app",
                "GITHUB_REF": "refs/heads/main",
                "GITHUB_ACTION_PATH": str(ACTION),
            },
        )
        values = {**defaults, "wait-minutes": "0", **{key.replace("_", "-"): value for key, value in inputs.items()}}
        runner.contexts["inputs"] = {key: runner.filled(value) for key, value in values.items()}
        return runner

    def check(self, name: str = "pull_request_target", event: Mapping[str, Any] | None = None, **inputs: str) -> Runner:
        """The trusted check, run to its end."""
        runner = self.runner(name, self.event() if event is None else event, **inputs)
        runner.run(document("github/action/action.yml")["runs"]["steps"], bash=_ACTION_SHELL)
        return runner

    def test(self, name: str = "pull_request", event: Mapping[str, Any] | None = None, **env: str) -> Runner:
        """The untrusted job; what it gathers is what the forge keeps for the check."""
        runner = self.runner(name, self.event() if event is None else event)
        runner.env.update(env)
        runner.run(document("github/workflows/ledgergate-evidence.yml")["jobs"]["evidence"]["steps"])
        reports = {path.name: path.read_bytes() for path in (runner.temp / "reports").glob("*.json")}
        self.uploaded(reports, "failure" if runner.failed else "success")
        return runner

    def uploaded(self, reports: Mapping[str, bytes] | bytes, conclusion: str = "success") -> None:
        """What the API says after the untrusted job."""
        data = reports if isinstance(reports, bytes) else zipped(reports)
        run = {"id": 5, "head_sha": self.head, "event": "pull_request", "status": "completed", "conclusion": conclusion}
        actions = "/repos/acme/app/actions"
        self.forge.answers |= {
            f"{actions}/workflows/ledgergate-evidence.yml/runs": {"workflow_runs": [run]},
            f"{actions}/runs/5/artifacts": {"artifacts": [{"id": 9, "name": "ledgergate-evidence", "expired": False}]},
            f"{actions}/artifacts/9/zip": data,
        }

    def facts(self, *reviews: Mapping[str, Any], author: int = AUTHOR) -> None:
        """What the API says of the pull request."""
        pull = {"number": _NUMBER, "title": self.title, "user": {"id": author}, "head": {"sha": self.head}}
        self.forge.answers |= {
            f"/repos/acme/app/pulls/{_NUMBER}": pull,
            f"/repos/acme/app/pulls/{_NUMBER}/reviews": [{**each, "id": at} for at, each in enumerate(reviews)],
            f"/repos/acme/app/issues/{_NUMBER}/comments": [],
        }


def review(account: int, commit: str, state: str = "APPROVED", kind: str = "User") -> dict[str, Any]:
    return {"user": {"id": account, "type": kind, "login": "x"}, "state": state, "commit_id": commit}


def comments(forge: Forge) -> Sequence[str]:
    return [json.dumps(asked.content) for asked in forge.wrote()]


def left_over(folder: Path) -> list[Path]:
    """What an injected command would have left."""
    return list(folder.rglob("pwned*"))
