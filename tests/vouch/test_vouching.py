"""Who vouches for what: without keys, whatever shows no agent."""

from __future__ import annotations

import json

import pytest

from ledgergate.checks import judge
from ledgergate.git import Repository, between
from ledgergate.report.json import render_json
from ledgergate.values import Report, State
from ledgergate.vouch import Approval, Facts, Trust
from support.project import BASE, HUMAN, LEDGER, LOCKED, NOW, QUARANTINE, SIGNALLED, Edit, Project, edited, rows, rules
from support.repo import Repo

SIGNALS: Edit = {**BASE, "ledgergate.toml": 'version = 1\n[vouch]\nmode = "signals"\nhumans = ["github:1"]\n'}
EDITS: dict[str, tuple[str, Edit]] = {
    "a row": ("quarantine-removed", rows((QUARANTINE, ""))),
    "a renamed row": ("row-removed", rows((LOCKED, edited(LOCKED, "test_header", "test_header2")))),
    "a freeze": ("freeze-edited", {"tests/freeze_ledger.json": BASE["tests/freeze_ledger.json"].replace("slow", "s")}),  # type: ignore[union-attr, arg-type]
    "a floor": (
        "freeze-edited",
        {"tests/freeze_ledger.json": BASE["tests/freeze_ledger.json"].replace('": 1', '": 2')},  # type: ignore[union-attr, arg-type]
    ),
    "a protected file": ("protected-path", {"tests/conftest.py": "x = 1\n"}),
}
every_edit = pytest.mark.parametrize(("rule", "edit"), EDITS.values(), ids=EDITS)


def judged(repo: Repo, trust: Trust) -> Report:
    return judge(between(Repository(str(repo.path)), "main", "topic"), lambda _: HUMAN, NOW, trust=trust)


@every_edit
def test_without_keys_what_shows_no_agent_is_vouched_for_and_called_advice(repo: Repo, rule: str, edit: Edit) -> None:
    report = Project(repo, SIGNALS).ranged(edit)
    assert report.state is State.PASS
    (note,) = (note for note in report.notes if note.rule == rule)
    assert "(advice)" in note.remedy
    items = json.loads(render_json(report))["items"]
    assert items
    assert all("advice" in item["vouched_by"] for item in items)


@every_edit
def test_a_commit_with_a_signal_is_not(repo: Repo, rule: str, edit: Edit) -> None:
    report = Project(repo, SIGNALS).ranged(edit, trailers=(SIGNALLED,))
    assert (report.state, rule in rules(report.findings)) == (State.FAIL, True)
    assert report.vouched == ()


def test_a_signal_on_something_else_takes_nothing_back(repo: Repo) -> None:
    project = Project(repo, SIGNALS)
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit({"src/app.py": "x = 2\n"}, trailers=(SIGNALLED,))
    repo.commit(rows((QUARANTINE, "")))
    assert project.between("main", "topic").state is State.PASS


@pytest.mark.parametrize(("author", "state"), [("github:1", State.PASS), ("github:2", State.FAIL)])
def test_with_facts_an_author_who_is_no_human_counts_as_an_agent(repo: Repo, author: str, state: State) -> None:
    Project(repo, SIGNALS).ranged(rows((QUARANTINE, "")))
    facts = Facts(author, (Approval("github:3", "0" * 40),), "0" * 40)
    assert judged(repo, Trust(facts=facts)).state is state


def test_where_keys_are_asked_for_nobody_vouches_by_showing_nothing(repo: Repo) -> None:
    report = Project(repo).ranged(rows((QUARANTINE, "")))
    assert (report.state, report.vouched) == (State.UNSCORED, ())
    assert LEDGER in {seen.path for seen in report.findings}


def test_no_change_turns_the_rules_round_for_itself(repo: Repo) -> None:
    report = Project(repo).ranged({**rows((QUARANTINE, "")), "ledgergate.toml": SIGNALS["ledgergate.toml"]})
    assert (report.state, report.vouched) == (State.UNSCORED, ())
