"""Child processes of a hook: a suite that works in repositories of its own must not touch the user's."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from support.gate import SCRIPTS, commit
from support.repo import Repo

pytestmark = pytest.mark.slow

# What test suites of git tools do while they are collected: a repository of their own, and commits in it.
CONFTEST = """\
import pathlib, subprocess, tempfile
folder = tempfile.mkdtemp()
def git(*arguments):
    subprocess.run(["git", *arguments], cwd=folder, check=True)
git("init", "-q", "-b", "own")
git("config", "user.name", "Somebody Else")
git("config", "user.email", "else@example.org")
git("commit", "-q", "--no-verify", "--allow-empty", "-m", "own")
git("config", "core.bare", "true")
pathlib.Path(OUTSIDE, "collected").touch()
"""
FILES = {"tests/test_a.py": "def test_a(): pass\n", "tests/goldens/a.txt": "1\n", "src/app.py": "x = 1\n"}


@pytest.fixture
def worktree(repo: Repo) -> Repo:
    """A linked worktree, where git gives its hooks an absolute GIT_DIR, with a hook that collects the suite."""
    outside = repo.path.parent
    repo.commit({**FILES, "tests/conftest.py": f"OUTSIDE = {str(outside)!r}\n{CONFTEST}"})
    collecting = f"'{SCRIPTS}/ledgergate' init --dry-run --python '{sys.executable}'"
    hook = repo.write(".git/hooks/pre-commit", f"#!/bin/sh\nenv > '{outside}/environment'\nexec {collecting}\n")
    hook.chmod(0o755)
    folder = outside / "linked"
    repo.git("worktree", "add", "-q", "-b", "linked", str(folder))
    linked = Repo(folder, init=False)
    linked.stage({"src/app.py": "x = 2\n", "tests/goldens/b.txt": "2\n"})
    return linked


@pytest.mark.parametrize("below", ["", "src"])
def test_a_hooks_repository_is_not_that_of_its_children(repo: Repo, worktree: Repo, below: str) -> None:
    outside = repo.path.parent
    config = (repo.path / ".git/config").read_bytes()
    refs = repo.git("for-each-ref", "refs/heads/main")
    old = worktree.git("rev-parse", "HEAD")
    done = commit(Repo(worktree.path / below, init=False), message="linked")
    assert done.status == 0, done
    assert (outside / "collected").exists()
    environment = (outside / "environment").read_text(encoding="utf-8")
    assert f"GIT_DIR={repo.path}/.git/worktrees/linked" in environment
    assert (f"GIT_PREFIX={below}/" in environment) == bool(below)
    # What the hook found is the worktree's own index.
    assert "2 goldens in 2 rows" in done.everything
    assert "tests/goldens/b.txt::golden" in done.everything
    assert (repo.path / ".git/config").read_bytes() == config
    assert repo.git("for-each-ref", "refs/heads/main") == refs
    assert worktree.git("log", "--format=%s %an", f"{old}..HEAD") == "linked Kim Human"
    assert worktree.git("status", "--porcelain") == ""
    assert not (Path(repo.path) / "ledgergate.toml").exists()
