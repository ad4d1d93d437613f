"""Whose signal a difference of a range carries: by how it came into the range."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ledgergate.values import State
from support.project import (
    BASE,
    GOLDEN,
    LEDGER,
    LOCKED,
    OTHER_LOCKED,
    SIGNALLED,
    TEST_FILE,
    Edit,
    Project,
    edited,
    rows,
    sha256,
)
from support.repo import Repo

pytestmark = pytest.mark.slow

CONFTEST = "tests/conftest.py"
EDITS: dict[str, Edit] = {
    "row": rows((LOCKED, edited(LOCKED, sha256("header"), sha256("new")))) | {GOLDEN: "new"},
    "file": {CONFTEST: "import os\n"},
    "policy": {"ledgergate.toml": 'version = 1\nname = "a"\n'},
    "test": {"tests/test_parse.py": f"{TEST_FILE}\ndef test_further(): pass\n"},
}
AGENTS = (SIGNALLED,)


@pytest.fixture
def topic(repo: Repo) -> Repo:
    Project(repo)
    repo.git("checkout", "-q", "-b", "topic")
    return repo


def edit(repo: Repo, change: Edit, *, by_agent: bool = False) -> str:
    return repo.commit(change, "edit", trailers=AGENTS if by_agent else ())


def plain(repo: Repo, change: Edit, *, by_agent: bool) -> None:
    edit(repo, change, by_agent=by_agent)


def beside_others_work(repo: Repo, change: Edit, *, by_agent: bool) -> None:
    edit(repo, {"src/app.py": "x = 2\n"}, by_agent=not by_agent)
    edit(repo, change, by_agent=by_agent)
    edit(repo, {"src/app.py": "x = 3\n"}, by_agent=not by_agent)


def on_a_side_branch(repo: Repo, change: Edit, *, by_agent: bool) -> None:
    repo.git("checkout", "-q", "-b", "side")
    edit(repo, change, by_agent=by_agent)
    repo.git("checkout", "-q", "topic")
    edit(repo, {"src/app.py": "x = 2\n"})
    message = f"merge\n\n{SIGNALLED}" if not by_agent else "merge"
    repo.git("merge", "-q", "--no-ff", "-m", message, "side")


def in_the_merge_itself(repo: Repo, change: Edit, *, by_agent: bool) -> None:
    repo.git("checkout", "-q", "-b", "side")
    edit(repo, {"src/app.py": "x = 2\n"}, by_agent=not by_agent)
    repo.git("checkout", "-q", "topic")
    repo.git("merge", "-q", "--no-ff", "--no-commit", "side")
    edit(repo, change, by_agent=by_agent)


def squashed(repo: Repo, change: Edit, *, by_agent: bool) -> None:
    repo.git("checkout", "-q", "-b", "side")
    edit(repo, change, by_agent=False)
    repo.git("checkout", "-q", "topic")
    repo.git("merge", "-q", "--squash", "side")
    edit(repo, {}, by_agent=by_agent)


def rebased(repo: Repo, change: Edit, *, by_agent: bool) -> None:
    edit(repo, change, by_agent=by_agent)
    repo.git("checkout", "-q", "main")
    edit(repo, {"src/app.py": "x = 2\n"}, by_agent=not by_agent)
    repo.git("rebase", "-q", "main", "topic")


def cherry_picked(repo: Repo, change: Edit, *, by_agent: bool) -> None:
    repo.git("checkout", "-q", "-b", "side", "main")
    picked = edit(repo, change, by_agent=by_agent)
    repo.git("checkout", "-q", "topic")
    repo.git("cherry-pick", "-x", picked)


def reverted(repo: Repo, change: Edit, *, by_agent: bool) -> None:
    """What main has by a human, the branch takes back."""
    repo.git("checkout", "-q", "main")
    edit(repo, change)
    repo.git("checkout", "-q", "topic")
    repo.git("reset", "-q", "--hard", "main")
    repo.git("revert", "--no-commit", "HEAD")
    edit(repo, {}, by_agent=by_agent)


def ours(repo: Repo, change: Edit, *, by_agent: bool) -> None:
    """A merge takes main in, and none of what it has."""
    edit(repo, {"src/app.py": "x = 2\n"}, by_agent=not by_agent)
    repo.git("checkout", "-q", "main")
    edit(repo, change)
    repo.git("checkout", "-q", "topic")
    message = f"merge\n\n{SIGNALLED}" if by_agent else "merge"
    repo.git("merge", "-q", "--no-ff", "-s", "ours", "-m", message, "main")


def amended(repo: Repo, change: Edit, *, by_agent: bool) -> None:
    edit(repo, {"src/app.py": "x = 2\n"}, by_agent=by_agent)
    repo.stage(change)
    repo.git("commit", "-q", "--amend", "--no-edit", "--no-verify")


WAYS = (
    plain,
    beside_others_work,
    on_a_side_branch,
    in_the_merge_itself,
    squashed,
    rebased,
    cherry_picked,
    reverted,
    ours,
    amended,
)


@pytest.mark.parametrize("what", ["row", "file", "policy"])
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_of_an_agent_it_fails_and_of_nobody_it_waits(
    topic: Repo, way: Callable[..., None], what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = topic.git("rev-parse", "main")
    for by_agent, state in ((True, State.FAIL), (False, State.UNSCORED)):
        topic.git("checkout", "-q", "-f", "-B", "main", before)
        topic.git("checkout", "-q", "-f", "-B", "topic", before)
        topic.run("git", "branch", "-q", "-D", "side")
        way(topic, EDITS[what], by_agent=by_agent)
        report = Project(topic, None).between("main", "topic", only="ledger-edits")
        assert {seen.state for seen in report.findings} == {state}, (way, report.findings)
        assert report.actor.is_agent == by_agent


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_tests_are_judged_for_agents_alone(topic: Repo, way: Callable[..., None]) -> None:
    before = topic.git("rev-parse", "main")
    for by_agent in (True, False):
        topic.git("checkout", "-q", "-f", "-B", "main", before)
        topic.git("checkout", "-q", "-f", "-B", "topic", before)
        topic.run("git", "branch", "-q", "-D", "side")
        way(topic, EDITS["test"], by_agent=by_agent)
        report = Project(topic, None).between("main", "topic", only="test-guard")
        assert bool(report.findings) == by_agent, (way, report.findings)


def test_a_row_that_an_agent_only_moved_is_not_its_work(topic: Repo) -> None:
    edit(topic, EDITS["row"])
    ledger = (topic.path / LEDGER).read_text()
    head, first, *others = ledger.split("  - id: ")
    edit(topic, {LEDGER: "  - id: ".join([head, *others, first])}, by_agent=True)
    edit(topic, {LEDGER: (topic.path / LEDGER).read_text().replace("class: draft", "class:   draft")}, by_agent=True)
    report = Project(topic, None).between("main", "topic", only="ledger-edits")
    assert {(seen.rule, seen.state) for seen in report.findings} == {("digest-changed", State.UNSCORED)}


@pytest.mark.parametrize("most", [16, 0])
def test_another_row_of_the_same_ledger_is_no_signal(topic: Repo, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither where rows are looked up in the text, nor where ledgers are read, of which few stay at hand."""
    monkeypatch.setattr("ledgergate.vouch.attribution._MOST_GLANCES", most)
    monkeypatch.setattr("ledgergate.vouch.sides._VERSIONS_KEPT", max(most, 1))
    edit(topic, EDITS["row"])
    changed = edited(OTHER_LOCKED, sha256("other"), sha256("more"))
    both = rows((LOCKED, edited(LOCKED, sha256("header"), sha256("new"))), (OTHER_LOCKED, changed))
    edit(topic, both, by_agent=True)
    report = Project(topic, None).between("main", "topic", only="ledger-edits")
    states = {seen.subject: seen.state for seen in report.findings}
    assert states == {"tests/test_parse.py::test_header": State.UNSCORED, "tests/test_parse.py::test_other": State.FAIL}


def _with_a_tab(repo: Repo) -> Edit:
    return {LEDGER: (repo.path / LEDGER).read_text() + "\t- broken\n"}


def _with_a_comment(repo: Repo) -> Edit:
    return {LEDGER: (repo.path / LEDGER).read_text() + "# another\n"}


@pytest.mark.parametrize(
    ("by_agent", "between", "state"),
    [
        (_with_a_tab, {}, State.FAIL),
        (_with_a_tab, {"src/app.py": "x = 2\n"}, State.FAIL),
        (_with_a_tab, {LEDGER: BASE[LEDGER]}, State.UNSCORED),
        (_with_a_comment, {}, State.UNSCORED),
    ],
    ids=["at once", "later", "mended before", "never broken"],
)
def test_who_broke_a_ledger_counts_for_what_was_written_over_it(
    topic: Repo, by_agent: Callable[[Repo], Edit], between: Edit, state: State
) -> None:
    """The agent leaves the row's lines as they are, and a human writes the ledger anew, with another digest."""
    edit(topic, by_agent(topic), by_agent=True)
    if between:
        edit(topic, between)
    edit(topic, EDITS["row"])
    report = Project(topic, None).between("main", "topic", only="ledger-edits")
    assert {(seen.rule, seen.state) for seen in report.findings} == {("digest-changed", state)}


def test_ledgers_found_by_a_glob_are_looked_at_wherever_they_stood(repo: Repo) -> None:
    """An agent writes the row's new digest in one ledger, and a human moves the row to another."""
    Project(repo, {**BASE, "ledgergate.toml": 'version = 1\nledger = ["tests/**/*ledger.yaml"]\n'})
    repo.git("checkout", "-q", "-b", "topic")
    new = edited(LOCKED, sha256("header"), sha256("new"))
    edit(repo, {**rows((LOCKED, "")), "tests/a/ledger.yaml": f"version: 1\nrows:\n{new}", GOLDEN: "new"}, by_agent=True)
    edit(repo, {**rows((LOCKED, new)), "tests/a/ledger.yaml": None})
    report = Project(repo, None).between("main", "topic", only="ledger-edits")
    assert {(seen.rule, seen.state) for seen in report.findings} == {("digest-changed", State.FAIL)}


def test_without_a_difference_no_commit_is_opened(topic: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    from ledgergate.git import Repository

    edit(topic, {"src/app.py": "x = 2\n"}, by_agent=True)

    def refuse(*_: object) -> None:
        raise AssertionError("a commit was listed")

    monkeypatch.setattr(Repository, "links", refuse)
    assert Project(topic, None).between("main", "topic").state is State.PASS
