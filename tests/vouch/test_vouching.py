"""Who vouches for what: without keys, whatever shows no agent."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from ledgergate.checks import judge
from ledgergate.git import Change, Repository, between
from ledgergate.policy.model import Policy
from ledgergate.report.json import render_json
from ledgergate.values import Report, State
from ledgergate.vouch import Approval, Facts, Trust, rules_for
from ledgergate.vouch.comparison import policy_of
from support.project import (
    BASE,
    FREEZES,
    GOLDEN,
    HUMAN,
    LEDGER,
    LOCKED,
    NOW,
    PROPERTY,
    QUARANTINE,
    ROWS,
    SEED,
    SIGNALLED,
    Edit,
    Project,
    edited,
    freezes,
    ledger,
    rows,
    rules,
    sha256,
)
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


RELOCKED = edited(LOCKED, sha256("header"), sha256("new"))
MORE_DRAFT = edited(
    LOCKED,
    LOCKED.partition("class:")[2],
    """ draft
    source: agent
    proposed_class: property
    invariant: holds
""",
)
MOVED: Edit = {"ledgergate.toml": "version = 1\nledger = ['other/ledger.yaml']\n", LEDGER: None}
OTHER_FREEZES: Edit = {"ledgergate.toml": "version = 1\nfreeze_ledger = 'other/freezes.json'\n"}


TO_RELEASE = Trust("refs/heads/release/1", default_branch="refs/heads/main")


def to_release(repo: Repo, tip: str) -> Change:
    """What a branch would bring to `release`, where main is the default branch."""
    repository = Repository(str(repo.path))
    main = repository.snapshot(repository.commit_id("main"))
    return replace(between(repository, "release", tip), find_default=lambda: main)


class TestBackports:
    """What the default branch has vouches for the same on another one, where rules of its own kept it there."""

    def judged(self, repo: Repo, on_main: Edit, on_release: Edit) -> Report:
        Project(repo)
        repo.git("branch", "release")
        repo.commit(on_main)
        repo.git("checkout", "-q", "-B", "topic", "release")
        repo.commit(on_release)
        return judge(to_release(repo, "topic"), lambda _: HUMAN, NOW, trust=TO_RELEASE)

    @pytest.mark.parametrize(
        ("on_main", "on_release"),
        [
            ({GOLDEN: "new", **rows((LOCKED, RELOCKED))}, {GOLDEN: "new", **rows((LOCKED, RELOCKED))}),
            (
                {**MOVED, GOLDEN: "new", "other/ledger.yaml": ledger(RELOCKED)},
                {GOLDEN: "new", **rows((LOCKED, RELOCKED))},
            ),
            ({SEED: "2"}, {SEED: "2"}),
            ({FREEZES: freezes()}, {}),
        ],
        ids=["a row", "a row of a ledger that has moved", "a seed", "nothing"],
    )
    def test_it_has_it_so(self, repo: Repo, on_main: Edit, on_release: Edit) -> None:
        assert self.judged(repo, on_main, on_release).state is State.PASS

    @pytest.mark.parametrize(
        ("on_main", "on_release"),
        [
            (
                {**MOVED, "other/ledger.yaml": ledger(*ROWS), LEDGER: ledger(RELOCKED)},
                {GOLDEN: "new", **rows((LOCKED, RELOCKED))},
            ),
            (rows((LOCKED, MORE_DRAFT)), rows((LOCKED, MORE_DRAFT))),
            ({**rows((PROPERTY, "")), SEED: "2"}, {SEED: "2"}),
            (
                {**OTHER_FREEZES, FREEZES: freezes({"id": "fx-2"}), "other/freezes.json": BASE[FREEZES]},
                {FREEZES: freezes({"id": "fx-2"})},
            ),
            (
                {"ledgergate.toml": None, GOLDEN: "new", **rows((LOCKED, RELOCKED))},
                {GOLDEN: "new", **rows((LOCKED, RELOCKED))},
            ),
        ],
        ids=["a ledger of the past", "a draft", "a seed of no row", "freezes of the past", "no policy"],
    )
    def test_what_anybody_could_put_there_vouches_for_nothing(
        self, repo: Repo, on_main: Edit, on_release: Edit
    ) -> None:
        assert self.judged(repo, on_main, on_release).state in (State.UNSCORED, State.FAIL)


def vouch(**values: object) -> Edit:
    text = "".join(f"{key} = {json.dumps(value)}\n" for key, value in values.items())
    return {"ledgergate.toml": f"version = 1\n[vouch]\n{text}"}


@pytest.mark.parametrize(
    ("own", "default", "counts"),
    [
        ({"mode": "signals"}, {"mode": "ack"}, {}),
        ({"mode": "ack"}, {"mode": "signals"}, {}),
        ({"mode": "signals"}, {"mode": "signals"}, {"mode": "signals"}),
        ({}, {"four_eyes": True}, {"four_eyes": True}),
        ({"require_presence": True}, {}, {"require_presence": True}),
        ({}, {"tests": True, "require_presence": True}, {"tests": True, "require_presence": True}),
        ({"humans": ["github:1", "github:2"]}, {"humans": ["github:2"]}, {"humans": ("github:2",)}),
        ({"signers": "keys"}, {}, {"signers": "keys"}),
    ],
)
def test_on_another_branch_an_approval_counts_for_no_more_than_on_the_default_one(
    repo: Repo, own: dict[str, object], default: dict[str, object], counts: dict[str, object]
) -> None:
    Project(repo, {**BASE, **vouch(**default)})
    repo.git("checkout", "-q", "-b", "release")
    repo.commit(vouch(**own))
    change = to_release(repo, "release")
    for trust, expected in (
        (TO_RELEASE, Policy().vouch._replace(**counts)),  # type: ignore[arg-type]
        (Trust("refs/heads/main", default_branch="refs/heads/main"), policy_of(change.base).vouch),  # type: ignore[union-attr]
    ):
        rules = rules_for(change, HUMAN, trust)
        assert rules is not None
        assert rules.policy.vouch == expected


def test_a_default_branch_whose_policy_cannot_be_read_says_so_for_others(repo: Repo) -> None:
    Project(repo)
    repo.git("branch", "release")
    repo.commit({"ledgergate.toml": "version = 2\n"})
    report = judge(to_release(repo, "release"), lambda _: HUMAN, NOW, trust=TO_RELEASE)
    (seen,) = report.findings
    assert (report.state, seen.rule) == (State.UNSCORED, "policy-unreadable")
    assert "refs/heads/main" in seen.message


BACKPORTED: Edit = {GOLDEN: "new", **rows((LOCKED, RELOCKED))}


@pytest.mark.parametrize(
    ("own", "default", "counts"),
    [
        ({}, {}, True),
        ({}, {"four_eyes": True, "require_presence": True}, True),
        ({"mode": "ack"}, {"mode": "signals"}, False),
        ({"four_eyes": True}, {}, False),
        ({"require_presence": True}, {}, False),
    ],
    ids=["alike", "stricter there", "signals there", "one pair of eyes there", "any key there"],
)
def test_what_landed_by_weaker_rules_vouches_for_nothing(
    repo: Repo, own: dict[str, object], default: dict[str, object], counts: bool
) -> None:
    Project(repo, {**BASE, **vouch(**own)})
    repo.git("branch", "release")
    repo.commit({**vouch(**default), **BACKPORTED})
    repo.git("checkout", "-q", "-B", "topic", "release")
    repo.commit(BACKPORTED)
    report = judge(to_release(repo, "topic"), lambda _: HUMAN, NOW, trust=TO_RELEASE)
    assert (report.state is State.PASS) is counts


@pytest.mark.parametrize(
    ("target", "state"), [("refs/heads/main", State.PASS), ("refs/heads/release/1", State.UNSCORED)]
)
def test_by_signals_another_branch_has_to_know_the_default_one(repo: Repo, target: str, state: State) -> None:
    Project(repo, SIGNALS).ranged(rows((QUARANTINE, "")))
    report = judged(repo, Trust(target))
    assert report.state is state
    assert state is State.PASS or any("does not know which" in seen.message for seen in report.findings)
