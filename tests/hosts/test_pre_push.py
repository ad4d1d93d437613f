"""Hook `ledgergate-pre-push` as git, a hook manager or a person calls it: what it takes for a push."""

from __future__ import annotations

import io
import pty
import subprocess
import sys

import pytest

from ledgergate.hosts import pre_push, single_checks
from support.project import SOUND, Project
from support.repo import Repo

pytestmark = pytest.mark.slow

CI = 'version = 1\n[push]\nevidence = "ci"\n'
TAMPERED = {"tests/conftest.py": "import os\n"}


@pytest.fixture
def here(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Repo:
    Project(repo, {**SOUND, "ledgergate.toml": CI})
    repo.commit(TAMPERED)
    repo.git("update-ref", "refs/remotes/origin/main", "HEAD~1")
    monkeypatch.chdir(repo.path)
    return repo


def stdin(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode("utf-8", "surrogateescape"))))


def line(repo: Repo, ref: str = "refs/heads/main") -> str:
    return f"refs/heads/main {repo.git('rev-parse', 'HEAD')} {ref} {repo.git('rev-parse', 'HEAD~1')}\n"


@pytest.mark.parametrize("arguments", [["--git", "origin", "url"], ["origin", "url"]], ids=["git", "a manager"])
def test_lines_are_read_to_the_end(
    here: Repo, arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stdin(monkeypatch, line(here, "refs/heads/topic") * 3 + line(here))
    assert pre_push.main(arguments) == 1
    out = capsys.readouterr().out
    assert out.count("refs/heads/topic is not protected") == 3
    assert out.count("UNSCORED protected-path") == 1


def test_a_malformed_line_refuses_the_push(here: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    for text in (
        "garbage\n",
        line(here, "refs/heads/topic") + "\n",
        line(here, "refs/heads/topic").replace("\n", "\r\n"),
    ):
        stdin(monkeypatch, text)
        assert pre_push.main(["--git", "origin", "url"]) == 1


def test_many_refs_are_not_all_listed(
    here: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tip = here.git("rev-parse", "HEAD~1")
    tags = "".join(f"refs/tags/t{number} {tip} refs/tags/t{number} {'0' * 40}\n" for number in range(30))
    stdin(monkeypatch, tags)
    assert pre_push.main(["--git", "origin", "url"]) == 0
    out = capsys.readouterr().out
    assert (out.count("\n"), "30 refs looked at" in out) == (1, True)
    stdin(monkeypatch, tags + line(here) + tags)
    assert pre_push.main(["--git", "origin", "url"]) == 1
    out = capsys.readouterr().out
    assert "UNSCORED protected-path" in out
    assert "refs/tags" not in out


def test_nothing_is_pushed_where_git_says_so(here: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    stdin(monkeypatch, "")
    assert pre_push.main(["--git", "origin", "url"]) == 0


def test_an_input_that_somebody_has_eaten_is_unknown(
    here: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stdin(monkeypatch, "")
    assert pre_push.main(["origin", "url"]) == 1
    assert "ref-malformed: Standard input is empty" in capsys.readouterr().err


def test_standard_input_that_is_closed_or_a_terminal(here: Repo) -> None:
    command = [sys.executable, "-c", "from ledgergate.hosts.pre_push import main; raise SystemExit(main())"]
    leader, follower = pty.openpty()
    with open(leader, "rb"), open(follower, "rb") as terminal:  # noqa: PTH123 - descriptors
        done = subprocess.run(
            [*command, "--git", "o", "u"], stdin=terminal, capture_output=True, check=False, timeout=60
        )
    assert (done.returncode, b"ref-malformed" in done.stderr) == (1, True)
    closed = subprocess.run(
        ["sh", "-c", '"$@" <&-', "sh", *command, "--git", "o", "u"], capture_output=True, check=False, timeout=60
    )
    assert (closed.returncode, b"ref-malformed" in closed.stderr) == (1, True)


@pytest.mark.parametrize(
    "arguments", [["--git"], ["--git", "origin"], ["--all"], ["a", "b", "c"], ["--git", "-x", "y"]]
)
def test_other_arguments_are_none_of_its(here: Repo, arguments: list[str]) -> None:
    assert pre_push.main(arguments) == 2


class TestByManagers:
    """Of a push a hook manager tells its first ref, in variables."""

    @staticmethod
    def told(repo: Repo, monkeypatch: pytest.MonkeyPatch, **names: str | None) -> None:
        told: dict[str, str | None] = {
            "FROM_REF": repo.git("rev-parse", "HEAD~1"),
            "TO_REF": repo.git("rev-parse", "HEAD"),
            "LOCAL_BRANCH": "refs/heads/main",
            "REMOTE_BRANCH": "refs/heads/main",
            "REMOTE_NAME": "origin",
            **names,
        }
        for name, value in told.items():
            if value is None:
                monkeypatch.delenv(f"PRE_COMMIT_{name}", raising=False)
            else:
                monkeypatch.setenv(f"PRE_COMMIT_{name}", value)

    @pytest.mark.parametrize(
        ("names", "status"),
        [
            ({}, 1),
            ({"REMOTE_BRANCH": "refs/heads/topic"}, 0),
            ({"REMOTE_BRANCH": None}, 1),
            ({"REMOTE_BRANCH": "main"}, 1),
            ({"FROM_REF": None}, 1),
            ({"FROM_REF": None, "TO_REF": None}, 1),
            ({"FROM_REF": "0" * 40}, 1),
            ({"FROM_REF": "1" * 40}, 1),
            ({"TO_REF": "HEAD~1"}, 0),
            ({"TO_REF": None, "LOCAL_BRANCH": None}, 1),
            ({"TO_REF": "0" * 40, "LOCAL_BRANCH": None}, 1),
            ({"TO_REF": "--all"}, 1),
        ],
        ids=lambda value: " ".join(f"{k}={str(v)[:12]}" for k, v in value.items()) if isinstance(value, dict) else "",
    )
    def test_what_they_tell(
        self, here: Repo, monkeypatch: pytest.MonkeyPatch, names: dict[str, str | None], status: int
    ) -> None:
        self.told(here, monkeypatch, **names)
        assert pre_push.main([]) == status

    def test_a_new_branch_is_judged_by_the_rules_of_the_default_one(
        self, here: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        here.git("checkout", "-q", "-b", "rules", "HEAD~1")
        here.commit({"ledgergate.toml": f'protected = ["/tools/**"]\n{CI}'})
        here.git("update-ref", "refs/remotes/origin/main", "HEAD")
        here.git("checkout", "-q", "-b", "old", "HEAD~1")
        here.commit({"tools/own.py": "x = 1\n"})
        self.told(here, monkeypatch, REMOTE_BRANCH="refs/heads/release/old")
        assert pre_push.main([]) == 1
        assert "tools/own.py" in capsys.readouterr().out
        here.git("update-ref", "refs/remotes/origin/release/old", "HEAD~1")
        assert pre_push.main([]) == 0

    def test_the_others_are_not_claimed_to_be_judged(
        self, here: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self.told(here, monkeypatch)
        pre_push.main([])
        out = capsys.readouterr().out
        assert "named refs/heads/main, and no other ref of this push was looked at" in out
        assert "`ledgergate install --pre-push`" in out

    def test_nobody_tells_anything(self, here: Repo, capsys: pytest.CaptureFixture[str]) -> None:
        assert pre_push.main([]) == 1
        assert "ref-malformed" in capsys.readouterr().err

    def test_two_sided_diff_judges_what_is_staged_without_them(
        self, here: Repo, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert single_checks.two_sided_diff([]) == 0
        here.stage({"tests/goldens/header.bin": "new", "src/app.py": "x = 2\n"})
        monkeypatch.setenv("CLAUDECODE", "1")
        assert single_checks.two_sided_diff([]) == 1
        self.told(here, monkeypatch)
        assert single_checks.two_sided_diff([]) == 0


def test_where_there_is_no_repository(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(str(tmp_path))
    stdin(monkeypatch, "")
    assert pre_push.main(["--git", "origin", "url"]) == 2
