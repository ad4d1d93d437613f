"""Ledgers and policy that git has and the working tree lacks: where they are is said, with what brings them."""

from __future__ import annotations

import re

import pytest

from ledgergate.policy import POLICY_PATH as POLICY
from support.gate import gate
from support.project import BASE, FREEZES, LEDGER, Project, ledger
from support.repo import Repo

pytestmark = pytest.mark.slow


@pytest.fixture
def project(repo: Repo) -> Repo:
    Project(repo)
    # Of a file whose times it does not know git says that it may have been edited, and leaves it.
    repo.git("update-index", "-q", "--refresh")
    return repo


SPARSE = ("sparse-checkout", "set", "--cone", "src")
BY_PATTERN = ("sparse-checkout", "set", "--no-cone", "/src/", "/tests/")
LACKING = {
    "outside of a sparse checkout": ([SPARSE], LEDGER, "git sparse-checkout add tests"),
    "by pattern": ([BY_PATTERN], POLICY, f"git sparse-checkout add /{POLICY}"),
    "marked by hand": ([("update-index", "--skip-worktree", LEDGER)], LEDGER, "git update-index --no-skip-worktree"),
    "deleted": ([], LEDGER, f"git restore -- {LEDGER}"),
    "a policy that is deleted": ([], POLICY, f"git restore -- {POLICY}"),
    "removed, and staged": ([("rm", "-q", LEDGER)], LEDGER, f"git restore --staged --worktree -- {LEDGER}"),
}


@pytest.mark.parametrize(("steps", "path", "command"), LACKING.values(), ids=LACKING.keys())
def test_what_brings_it_back(project: Repo, steps: list[tuple[str, ...]], path: str, command: str) -> None:
    for step in steps:
        project.git(*step)
    (project.path / path).unlink(missing_ok=True)
    for line in (["relock", "--all"], ["collect"], ["draft", "src/test_x.py::t"]):
        said = gate(project, *line)
        assert (said.status, "ledger-missing" in said.err) == (1, True), said
        assert command in said.err
        assert "init" not in said.err
    (printed,) = re.findall("`(git .*)`", said.err)
    assert project.run("sh", "-c", printed).returncode == 0
    assert "ledger-missing" not in gate(project, "relock", "--all").err


def test_a_second_ledger_that_is_hidden(repo: Repo) -> None:
    """A test that has a row there would be taken for one without."""
    policy = f'version = 1\nledger = ["{LEDGER}", "services/*/ledger.yaml"]\n'
    Project(repo, {**BASE, POLICY: policy, "services/a/ledger.yaml": ledger()})
    repo.git("sparse-checkout", "set", "--cone", "tests")
    assert "git sparse-checkout add services/a" in gate(repo, "relock", "--all").err


def test_freezes_that_are_deleted(project: Repo) -> None:
    (project.path / FREEZES).unlink()
    said = gate(project, "freeze", "tests/test_parse.py::test_header", "--reason", "a", "--owner", "b")
    assert f"git restore -- {FREEZES}" in said.err


@pytest.mark.parametrize("left", [{}, {POLICY: "version = 1\n"}])
def test_what_never_was_there(repo: Repo, left: dict[str, str]) -> None:
    repo.commit({"a": "1", **left})
    said = gate(repo, "relock", "--all")
    assert "A human runs `ledgergate init`" in said.err
    assert "git restore" not in said.err
