"""A repository apart from its work tree, as people keep the files of their home folder: git says where it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.gate import SCRIPTS, accepted, gate_process, guarded, honest, relock, said
from support.project import FREEZES, LEDGER
from support.repo import Repo

pytestmark = pytest.mark.slow

A = "tests/goldens/a.txt"


class Apart(Repo):
    """A bare repository beside its work tree, with our hook."""

    def __init__(self, repo: Repo, hook: str) -> None:
        super().__init__(repo.path, init=False)
        self.store = repo.path.parent / "store.git"
        (repo.path / ".git").rename(self.store)
        self.git(f"--git-dir={self.store}", "config", "core.bare", "true")
        file = self.store / "hooks" / "pre-commit"
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"#!/bin/sh\n{hook}\n")
        file.chmod(0o755)


@pytest.fixture
def apart(repo: Repo) -> Apart:
    guarded(repo, {A: "as locked"}, files={"sub/b": "1"})
    return Apart(repo, f"exec '{SCRIPTS}/ledgergate' check --staged")


WAYS = pytest.mark.parametrize(
    ("options", "env"),
    [
        (("--git-dir=../store.git", "--work-tree=."), {}),
        (("--git-dir={store}", "--work-tree={work}"), {}),
        ((), {"GIT_DIR": "../store.git", "GIT_WORK_TREE": "."}),
        ((), {"GIT_DIR": "{store}", "GIT_WORK_TREE": "{work}"}),
        (("-C", "sub", "--git-dir=../../store.git", "--work-tree=.."), {}),
    ],
    ids=["options", "whole paths", "variables", "whole variables", "from a folder"],
)


@WAYS
def test_commits_are_judged(options: tuple[str, ...], env: dict[str, str], apart: Apart) -> None:
    names = {"store": str(apart.store), "work": str(apart.path)}
    git = ["git", *(option.format(**names) for option in options)]
    variables = {name: value.format(**names) for name, value in env.items()}
    for path, content, expected in (("src/app.py", "x = 2\n", 0), (A, "tampered", 1)):
        apart.write(path, content)
        done = honest(said(apart, [*git, "commit", "-q", "-a", "-m", "change"], variables))
        assert done.status == expected, done
        assert ("digest-mismatch" in done.everything) == bool(expected), done


def test_another_repository_around_the_hook_is_not_taken(apart: Apart) -> None:
    """The work tree may hold a repository of its own, which git passes by when it is told of another."""
    apart.git("init", "-q", ".")
    apart.write(A, "tampered")
    git = ["git", "--git-dir=../store.git", "--work-tree=.", "commit", "-q", "-a", "-m", "change"]
    assert not accepted(honest(said(apart, git)))


@pytest.mark.parametrize("git_dir", ["../store.git", "{store}"])
def test_a_hook_that_changes_folders(git_dir: str, repo: Repo) -> None:
    """With a whole path all is well; a relative one leads nowhere from there, and that refuses."""
    guarded(repo, {A: "as locked"}, files={"sub/b": "1"})
    apart = Apart(repo, f"cd sub && exec '{SCRIPTS}/ledgergate' check --staged")
    git = ["git", f"--git-dir={git_dir.format(store=apart.store)}", "--work-tree=.", "commit", "-q", "-a", "-m", "x"]
    apart.write("src/app.py", "x = 2\n")
    done = honest(said(apart, git))
    assert done.status == (0 if git_dir == "{store}" else 1), done
    assert ("GIT_DIR is counted from" in done.err) == (done.status != 0), done
    apart.write(A, "tampered")
    assert honest(said(apart, git)).status == 1


def test_relock_finds_the_files(apart: Apart, monkeypatch: pytest.MonkeyPatch) -> None:
    apart.write(A, "on purpose")
    monkeypatch.setenv("GIT_DIR", str(apart.store))
    monkeypatch.setenv("GIT_WORK_TREE", str(apart.path))
    apart.env.update(GIT_DIR=str(apart.store), GIT_WORK_TREE=str(apart.path))
    assert relock(apart, "--all").status == 0
    apart.git("add", LEDGER, A)
    assert gate_process(apart, "check", "--staged").status == 0


def test_a_git_dir_that_is_none_is_no_other(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    guarded(repo, {A: "as locked"})
    for name in (str(tmp_path / "none"), str(repo.path), FREEZES):
        done = gate_process(repo, "check", env={"GIT_DIR": name})
        assert done.status in (1, 2), done
