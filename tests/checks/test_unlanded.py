"""What an agent added on a branch is its own to correct until it lands; what was there, or a human made, is not."""

from __future__ import annotations

import pytest

from ledgergate.values import Report, State
from support.project import AGENT, BASE, SIGNALLED, Edit, Project
from support.repo import Repo

T, OTHER = "tests/unit/test_due.py", "tests/unit/test_more.py"
MAIN = "from till import due\n\n\ndef test_due():\n    assert due(1) == 2\n"
OWN = "\n\ndef test_own():\n    assert due(2) == 5\n"
RIGHT = OWN.replace("== 5", "== 4")
WEAK = OWN.replace(" == 5", "")
BY_AGENT, BY_HUMAN = (SIGNALLED,), ()
POLICY = 'version = 1\nagent_write_paths = ["tests/unit/**"]\n'

# What was committed on the branch and by whom, and what is staged then.
Steps = list[tuple[Edit, tuple[str, ...]]]
FREE: dict[str, tuple[Steps, Edit]] = {
    "its own test": ([({T: MAIN + OWN}, BY_AGENT)], {T: MAIN + RIGHT}),
    "its own test in a new file": ([({OTHER: MAIN + OWN}, BY_AGENT)], {OTHER: MAIN + RIGHT}),
    "its own test, taken out": ([({T: MAIN + OWN}, BY_AGENT)], {T: MAIN}),
    "its own test, in several steps": ([({T: MAIN + OWN}, BY_AGENT), ({T: MAIN + WEAK}, BY_AGENT)], {T: MAIN + RIGHT}),
    "beside a human's file": ([({OTHER: MAIN + OWN}, BY_HUMAN), ({T: MAIN + OWN}, BY_AGENT)], {T: MAIN + RIGHT}),
    "back to what main has": ([({T: MAIN.replace("2", "3")}, BY_AGENT)], {T: MAIN}),
}
KEPT: dict[str, tuple[Steps, Edit]] = {
    "a human's test": ([({T: MAIN + OWN}, BY_HUMAN)], {T: MAIN + WEAK}),
    "a human's edit of its test": (
        [({T: MAIN + OWN}, BY_AGENT), ({T: MAIN + RIGHT}, BY_HUMAN)],
        {T: MAIN + RIGHT.replace(" == 4", "")},
    ),
    "a human's test that it moved": (
        [({OTHER: MAIN + OWN}, BY_HUMAN), ({OTHER: None, T: MAIN + OWN}, BY_AGENT)],
        {T: MAIN + WEAK},
    ),
    "a test of main that it moved": ([({T: "", OTHER: MAIN}, BY_AGENT)], {OTHER: MAIN.replace(" == 2", "")}),
    "no signal": ([({T: MAIN + OWN}, BY_HUMAN)], {T: MAIN + RIGHT}),
    "a human's merge of both": ([({T: MAIN + OWN}, BY_AGENT), ({T: MAIN + OWN + "\n"}, BY_HUMAN)], {T: MAIN + RIGHT}),
}
LOST: dict[str, tuple[Steps, Edit]] = {
    "a test of main": ([({T: MAIN + OWN}, BY_AGENT)], {T: MAIN.replace(" == 2", "") + OWN}),
    "a test of main, weakened one commit before": (
        [({T: MAIN.replace(" == 2", "") + OWN}, BY_AGENT)],
        {T: MAIN.replace(" == 2", "") + RIGHT},
    ),
}


def after(repo: Repo, steps: Steps, edit: Edit) -> Report:
    project = Project(repo, {**BASE, "ledgergate.toml": POLICY, T: MAIN})
    repo.git("checkout", "-q", "-b", "topic")
    for files, trailers in steps:
        repo.commit(files, "step", trailers=trailers)
    return project.staged(edit, AGENT, only="test-guard")


@pytest.mark.parametrize("name", FREE)
def test_what_it_added_an_agent_may_correct(repo: Repo, name: str) -> None:
    assert after(repo, *FREE[name]).findings == ()


@pytest.mark.parametrize("name", KEPT)
def test_all_else_is_compared_with_the_last_commit(repo: Repo, name: str) -> None:
    report = after(repo, *KEPT[name])
    assert report.state in (State.FAIL, State.UNSCORED)
    assert all("It is compared with the last commit" in one.message for one in report.findings if one.path == T)


@pytest.mark.parametrize("name", LOST)
def test_a_test_that_was_there_is_compared_with_how_it_was(repo: Repo, name: str) -> None:
    (found,) = after(repo, *LOST[name]).findings
    assert (found.rule, found.subject) == ("assertion-weakened", f"{T}::test_due")


def test_on_the_default_branch_itself_nothing_is_free(repo: Repo) -> None:
    project = Project(repo, {**BASE, "ledgergate.toml": POLICY, T: MAIN})
    repo.commit({T: MAIN + OWN}, "step", trailers=BY_AGENT)
    assert project.staged({T: MAIN + RIGHT}, AGENT, only="test-guard").findings


def test_a_row_is_not_freed_with_its_file(repo: Repo) -> None:
    row = f"  - id: {T}::test_own\n    class: quarantine\n    opened: 2026-09-10\n    reason: x\n    owner: y\n"
    project = Project(repo, {**BASE, "ledgergate.toml": POLICY, T: MAIN})
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit({T: MAIN + OWN}, "step", trailers=BY_AGENT)
    repo.commit({"tests/ledger.yaml": f"{BASE['tests/ledger.yaml']!s}{row}"}, "row")
    report = project.staged({T: MAIN}, AGENT, only="test-guard")
    assert {one.rule for one in report.findings} == {"test-removed"}


@pytest.mark.parametrize("gone", ["HEAD^1", "HEAD^1^{tree}"])
def test_what_cannot_be_read_frees_nothing(repo: Repo, gone: str) -> None:
    project = Project(repo, {**BASE, "ledgergate.toml": POLICY, T: MAIN})
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit({T: MAIN + OWN}, "step", trailers=BY_AGENT)
    repo.commit({"src/app.py": "x = 2\n"}, "step", trailers=BY_AGENT)
    oid = repo.git("rev-parse", gone).strip()
    (repo.path / ".git/objects" / oid[:2] / oid[2:]).unlink()
    assert project.staged({T: MAIN + RIGHT}, AGENT, only="test-guard").findings
