"""`ledgergate demo`: the story ends as told, wherever it is told; and it says so where it does not."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ledgergate.cli import demo
from ledgergate.cli.main import main
from support.repo import Repo, clean_environment

pytestmark = pytest.mark.slow

Capture = pytest.CaptureFixture[str]
STORY = [
    ("An agent rewrites a golden", "refused: digest-mismatch"),
    ("An agent rewrites a golden and its digest", "refused: digest-changed"),
    ("An agent deletes a quarantine row", "refused: quarantine-removed"),
    ("An agent appends a draft test", "accepted"),
    ("A human changes a golden and relocks", "accepted"),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the demonstration makes its folder, and shall leave nothing."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def table(said: str) -> list[tuple[str, ...]]:
    """The rows of the summary: what was done, what was expected, what was seen."""
    lines = said[said.rindex("expected  ") :].split("\n\n")[0].splitlines()[1:]
    return [tuple(re.split(r" {2,}", line)) for line in lines]


def test_the_story(folder: Path, capsys: Capture) -> None:
    assert main(["demo"]) == 0
    said = capsys.readouterr().out
    assert table(said) == [(title, outcome, outcome) for title, outcome in STORY]
    assert said.endswith("All as expected. In your own repository: ledgergate init\n")
    for shown in (
        "agent$ git commit -q -m 'Make the tests pass'\n      | FAIL digest-mismatch",
        "human$ ledgergate relock --staged --yes --contract sha256:",
        "      | Staged it.\n      | Next:\n",
        "Judged as an agent's change (env:CLAUDECODE).",
    ):
        assert shown in said
    assert list(folder.iterdir()) == []


def test_nothing_of_the_machine_or_of_an_agent_around_it_disturbs_it(
    folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    templates = folder.parent / "templates"
    (templates / "hooks").mkdir(parents=True)
    (templates / "hooks/post-commit").write_text("#!/bin/sh\necho a hook of elsewhere; exit 1\n")
    (templates / "hooks/post-commit").chmod(0o755)
    settings = folder.parent / "gitconfig"
    settings.write_text(
        f"[init]\ntemplateDir = {templates}\ndefaultBranch = x\n[commit]\ngpgSign = true\nverbose = true\n"
        "[core]\nhooksPath = /nowhere\nautocrlf = true\n[user]\nemail = noreply@anthropic.com\n"
    )
    around = Repo(folder.parent / "around")
    around.commit({"a": "1"})
    for name, value in {
        "GIT_CONFIG_GLOBAL": str(settings),
        "GIT_DIR": str(around.path / ".git"),
        "GIT_INDEX_FILE": str(around.path / ".git/index"),
        "GIT_WORK_TREE": str(around.path),
        "GIT_AUTHOR_EMAIL": "noreply@anthropic.com",
        "GIT_CONFIG_PARAMETERS": "'core.hooksPath=/nowhere'",
        "CLAUDECODE": "1",
        "CODEX_SANDBOX": "seatbelt",
        "AGENT": "amp",
        "AI_AGENT": "x",
    }.items():
        monkeypatch.setenv(name, value)
    index = (around.path / ".git/index").read_bytes()
    assert main(["demo"]) == 0, capsys.readouterr()
    said = capsys.readouterr().out
    assert [row[2] for row in table(said)] == [outcome for _, outcome in STORY]
    assert "a hook of elsewhere" not in said
    assert (around.path / ".git/index").read_bytes() == index


@pytest.mark.parametrize(
    ("expected", "seen"),
    [(None, "refused: digest-mismatch, not accepted"), ("artifact-missing", "not refused: artifact-missing")],
)
def test_another_outcome_is_told_and_is_no_success(
    folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch, expected: str | None, seen: str
) -> None:
    monkeypatch.setattr(demo, "STEPS", (demo.STEPS[0]._replace(expected=expected),))
    assert main(["demo"]) == 1
    said = capsys.readouterr().out
    assert "Not as expected: An agent rewrites a golden: refused: digest-mismatch" in said
    assert seen in said
    assert "All as expected" not in said


@pytest.mark.parametrize(
    ("status", "output", "moved", "seen"),
    [
        (0, "PASS", True, "accepted"),
        (0, "", False, "git commit ended with 0 and made no commit"),
        (1, "FAIL two-sided: x", True, "git commit ended with 1 and made a commit"),
        (1, "FAIL two-sided: x\nFAIL digest-changed: y", False, "refused: digest-changed"),
        (1, "FAIL digest-changed-too: x\nUNSCORED two-sided", False, "refused: digest-changed-too, two-sided"),
        (1, "python: not found", False, "refused: for no rule"),
    ],
)
def test_what_counts_as_seen(status: int, output: str, moved: bool, seen: str) -> None:
    assert demo._seen(status, output, "digest-changed", moved=moved) == seen


def test_a_hook_that_cannot_run_is_no_success(folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    assert main(["demo"]) == 1
    assert "/nowhere/python" in capsys.readouterr().err
    assert list(folder.iterdir()) == []


def test_without_a_place_it_says_so(folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(folder / "gone"))
    assert main(["demo"]) == 2
    assert "there is no place for a throw-away repository" in capsys.readouterr().err


def test_without_git_it_says_so(folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert main(["demo"]) == 1
    assert "the demonstration cannot run git" in capsys.readouterr().err
    assert list(folder.iterdir()) == []


def test_a_kept_project_is_a_real_one(folder: Path, capsys: Capture) -> None:
    assert main(["demo", "--keep"]) == 0
    (kept,) = folder.iterdir()
    assert f"The repository is kept: {kept}\n" in capsys.readouterr().out
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=kept,
        env=clean_environment(folder),
        capture_output=True,
        text=True,
        check=False,
    )
    assert "5 passed" in done.stdout, done.stdout
    for revision in ("HEAD", "HEAD~2"):
        verified = subprocess.run(
            [sys.executable, "-m", "ledgergate", "verify", "--at", revision], cwd=kept, capture_output=True, check=False
        )
        assert verified.returncode == 0, verified.stdout


def test_interrupted_it_cleans_up(tmp_path: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-m", "ledgergate", "demo"],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    assert child.stdout is not None
    with child.stdout as lines:
        assert any(line.startswith(b"2. ") for line in lines)
        assert list(tmp_path.iterdir()) != []
        os.killpg(child.pid, signal.SIGINT)
        lines.read()
    assert child.wait(30) == 130
    assert list(tmp_path.iterdir()) == []
