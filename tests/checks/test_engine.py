"""Which rules judge, what a report holds, and that no error is lost on the way."""

from __future__ import annotations

from typing import ClassVar

import pytest

from ledgergate.checks import CHECKS
from ledgergate.errors import LedgergateError
from ledgergate.values import Actor, State
from support.project import (
    AGENT,
    BASE,
    DRAFT,
    FREEZES,
    GOLDEN,
    HUMAN,
    LEDGER,
    LOCKED,
    QUARANTINE,
    ROWS,
    WITHOUT_ACKS,
    Edit,
    Project,
    edited,
    ledger,
    rules,
    sha256,
    states,
)
from support.repo import Repo

WITHOUT_POLICY = {path: content for path, content in BASE.items() if path not in ("ledgergate.toml", LEDGER, FREEZES)}
ADOPTION = {path: BASE[path] for path in ("ledgergate.toml", LEDGER, FREEZES)}
RELOCKED = edited(LOCKED, sha256("header"), sha256("new"))
BROKEN_POLICY = {"ledgergate.toml": "version = oops\n"}


def test_nothing_is_enforced_without_a_policy(repo: Repo) -> None:
    report = Project(repo, WITHOUT_POLICY).staged({GOLDEN: "new"}, AGENT)
    assert report.state is State.PASS
    assert [note.rule for note in report.notes] == ["not-enforced"]
    assert report.checks == ()


class TestBootstrap:
    @pytest.mark.parametrize("actor", [AGENT, HUMAN], ids=["agent", "human"])
    def test_the_change_that_brings_the_policy_passes_at_the_client(self, repo: Repo, actor: Actor) -> None:
        report = Project(repo, WITHOUT_POLICY).staged(ADOPTION, actor)
        assert report.findings == ()
        assert "policy-edited" in rules(report.notes)

    def test_what_it_brings_must_hold(self, repo: Repo) -> None:
        report = Project(repo, WITHOUT_POLICY).staged({**ADOPTION, GOLDEN: "wrong"}, HUMAN)
        assert states(report, "digest-mismatch") == {State.FAIL}

    def test_and_be_well_formed(self, repo: Repo) -> None:
        assert Project(repo, WITHOUT_POLICY).staged(BROKEN_POLICY, HUMAN).state is State.UNSCORED

    def test_on_a_range_somebody_has_to_vouch_for_it(self, repo: Repo) -> None:
        report = Project(repo, WITHOUT_POLICY).ranged(ADOPTION)
        assert states(report, "policy-edited") == {State.UNSCORED}

    @pytest.mark.parametrize(("golden", "state"), [("header", State.PASS), ("wrong", State.FAIL)])
    def test_the_very_first_commit(self, repo: Repo, golden: str, state: State) -> None:
        repo.stage({**WITHOUT_ACKS, GOLDEN: golden})
        assert Project(repo, None).staged({}, HUMAN).state is state


class TestABranchCutBeforeAdoption:
    """The default branch's rules hold; what the branch never had is not missing."""

    @pytest.fixture
    def project(self, repo: Repo) -> Project:
        project = Project(repo, WITHOUT_POLICY)
        repo.git("branch", "stale")
        repo.commit(ADOPTION, "adopt")
        repo.git("checkout", "-q", "stale")
        return project

    def test_honest_work_passes(self, project: Project) -> None:
        assert project.staged({"src/app.py": "x = 9\n"}, AGENT).state is State.PASS

    def test_the_rules_of_the_default_branch_hold(self, project: Project) -> None:
        report = project.staged({"tests/test_parse.py": "x\n"}, AGENT)
        assert states(report, "write-path") == {State.FAIL}

    def test_an_own_policy_buys_nothing(self, project: Project) -> None:
        edit = {**ADOPTION, "ledgergate.toml": 'version = 1\ntests = ["none/**"]\n', "tests/test_parse.py": "x\n"}
        assert states(project.staged(edit, AGENT), "write-path") == {State.FAIL}


class TestABrokenBase:
    @pytest.fixture
    def project(self, repo: Repo) -> Project:
        return Project(repo, {**BASE, **BROKEN_POLICY})

    @pytest.mark.parametrize("actor", [AGENT, HUMAN], ids=["agent", "human"])
    def test_nothing_passes_under_it(self, project: Project, actor: Actor) -> None:
        report = project.staged({"src/app.py": "x = 2\n"}, actor)
        assert states(report, "policy-unreadable") == {State.UNSCORED}

    def test_a_human_mends_it(self, project: Project) -> None:
        assert project.staged({"ledgergate.toml": "version = 1\n"}, HUMAN).state is State.PASS

    def test_an_agent_does_not(self, project: Project) -> None:
        assert project.staged({"ledgergate.toml": "version = 1\n"}, AGENT).state is State.UNSCORED

    def test_nor_does_a_mend_that_is_broken_too(self, project: Project) -> None:
        assert project.staged({"ledgergate.toml": "version = ?\n"}, HUMAN).state is State.UNSCORED

    def test_on_a_range_nobody_does(self, project: Project) -> None:
        assert project.ranged({"ledgergate.toml": "version = 1\n"}).state is State.UNSCORED

    @pytest.mark.parametrize(("actor", "state"), [(AGENT, State.UNSCORED), (HUMAN, State.PASS)], ids=["agent", "human"])
    @pytest.mark.parametrize(
        ("broken", "rule"),
        [("rows: [", "ledger-unreadable"), (ledger(LOCKED, LOCKED), "row-duplicate")],
        ids=["no YAML", "doubled"],
    )
    def test_a_broken_ledger_is_mended_by_a_human(
        self, repo: Repo, broken: str, rule: str, actor: Actor, state: State
    ) -> None:
        project = Project(repo, {**BASE, LEDGER: broken})
        assert states(project.staged({LEDGER: BASE[LEDGER]}, actor), rule) == {state}


class TestTheReport:
    def test_what_a_pass_looks_like(self, repo: Repo) -> None:
        report = Project(repo).staged({"src/app.py": "x = 2\n"}, AGENT)
        assert dict(report.checks) == dict.fromkeys(CHECKS, State.PASS)
        assert report.base == repo.git("rev-parse", "HEAD^{tree}")
        assert report.head == repo.git("write-tree")
        assert (report.actor, report.contract, report.items) == (AGENT, None, ())

    def test_only_one_check(self, repo: Repo) -> None:
        report = Project(repo).staged({GOLDEN: "new", "src/app.py": "x = 2\n"}, AGENT, only="two-sided-diff")
        assert dict(report.checks) == {"two-sided-diff": State.FAIL}
        assert rules(report.findings) == {"two-sided"}

    def test_the_contract_names_old_and_new(self, repo: Repo) -> None:
        relocked = edited(LOCKED, sha256("header"), sha256("new"))
        report = Project(repo).staged({GOLDEN: "new", LEDGER: ledger(relocked, *ROWS[1:])}, HUMAN)
        (item,) = report.items
        assert (item.kind, item.subject) == ("row", "tests/test_parse.py::test_header")
        assert item.old
        assert item.new
        assert item.old != item.new

    @pytest.mark.parametrize("name", list(CHECKS))
    def test_an_error_in_a_check_is_its_unscored_finding(
        self, repo: Repo, name: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def broken(case: object) -> object:
            raise LedgergateError("git-unreadable", "object gone")
            yield

        monkeypatch.setitem(CHECKS, name, broken)  # type: ignore[arg-type]
        report = Project(repo).staged({}, HUMAN)
        assert dict(report.checks)[name] is State.UNSCORED
        assert states(report, "git-unreadable") == {State.UNSCORED}
        assert report.state is State.UNSCORED

    def test_a_bug_in_a_check_is_not_caught_here(self, repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
        def buggy(case: object) -> object:
            raise ZeroDivisionError
            yield

        monkeypatch.setitem(CHECKS, "ledger-edits", buggy)  # type: ignore[arg-type]
        with pytest.raises(ZeroDivisionError):
            Project(repo).staged({}, HUMAN)


class TestMergesInProgress:
    """What a merge takes over from its other parent was judged there; what it makes anew is its own."""

    @pytest.fixture
    def merging(self, repo: Repo) -> Project:
        project = Project(repo)
        relocked = edited(LOCKED, sha256("header"), sha256("theirs"))
        repo.git("checkout", "-q", "-b", "other")
        theirs = {GOLDEN: "theirs", LEDGER: ledger(relocked, *ROWS[1:]), "tests/test_parse.py": "x = 1\n"}
        repo.commit({**theirs, "src/app.py": "x = 'theirs'\n"}, "a human's")
        repo.git("checkout", "-q", "main")
        repo.commit({"src/app.py": "x = 'ours'\n"}, "ours")
        assert repo.run("git", "merge", "-q", "other").returncode == 1
        return project

    def test_an_agent_may_conclude_it(self, merging: Project) -> None:
        report = merging.staged({"src/app.py": "x = 'both'\n"}, AGENT)
        assert (report.findings, report.items) == ((), ())

    def test_a_golden_made_in_the_merge_is_its_own(self, merging: Project) -> None:
        report = merging.staged({"src/app.py": "x = 'both'\n", GOLDEN: "neither"}, AGENT)
        assert {"digest-mismatch", "two-sided"} <= rules(report.findings)

    def test_a_row_made_in_the_merge_is_its_own(self, merging: Project) -> None:
        report = merging.staged({"src/app.py": "x = 'both'\n", LEDGER: ledger(*ROWS[1:])}, AGENT)
        assert "row-removed" in rules(report.findings)

    @pytest.mark.parametrize("path", [LEDGER, "ledgergate.toml", "tests/conftest.py"])
    def test_undoing_what_humans_did_meanwhile_is_its_own(self, repo: Repo, path: str) -> None:
        """The other parent still has the state before the fork; taking that back is no merge of it."""
        project = Project(repo)
        repo.git("checkout", "-q", "-b", "other")
        repo.commit({"src/app.py": "x = 'theirs'\n"}, "an agent's")
        repo.git("checkout", "-q", "main")
        tightened = {
            LEDGER: ledger(*ROWS, edited(LOCKED, "test_header", "test_more")),
            "ledgergate.toml": 'version = 1\nname = "a"\n',
            "tests/conftest.py": "x = 1\n",
        }
        repo.commit(tightened, "humans")
        repo.git("merge", "-q", "--no-commit", "--no-ff", "other")
        assert project.staged({}, AGENT).findings == ()
        repo.git("checkout", "-q", "other", "--", path)
        assert project.staged({}, AGENT).state is State.FAIL

    LEFT_OUT: ClassVar[list[tuple[str, Edit, str]]] = [
        ("a digest", {GOLDEN: "new", LEDGER: ledger(RELOCKED, *ROWS[1:])}, "digest-changed"),
        (
            "a quarantine",
            {LEDGER: ledger(*ROWS, edited(QUARANTINE, "test_reload", "test_flaky"))},
            "quarantine-removed",
        ),
        ("a removal", {LEDGER: ledger(*ROWS[1:])}, "row-added-classified"),
        ("another id", {LEDGER: ledger(edited(LOCKED, "test_header", "test_more"), *ROWS[1:])}, "row-removed"),
    ]

    @pytest.mark.parametrize(("theirs", "rule"), [case[1:] for case in LEFT_OUT], ids=[case[0] for case in LEFT_OUT])
    def test_what_the_other_side_brought_is_not_left_out_unseen(self, repo: Repo, theirs: Edit, rule: str) -> None:
        project = Project(repo)
        repo.git("checkout", "-q", "-b", "other")
        repo.commit(theirs, "humans")
        repo.git("checkout", "-q", "main")
        repo.commit({"src/app.py": "x = 'ours'\n"}, "ours")
        repo.git("merge", "-q", "--no-commit", "--no-ff", "other")
        assert not any("leaves that out" in note.message for note in project.staged({}, AGENT).notes)
        repo.git("read-tree", "HEAD")
        report = project.staged({}, AGENT)
        assert (report.state, report.items) == (State.PASS, ())
        (note,) = [note for note in report.notes if "leaves that out" in note.message]
        assert (note.rule, note.state) == (rule, State.PASS)
        assert project.staged({}, HUMAN).state is State.PASS

    @pytest.mark.parametrize("name", ["CHERRY_PICK_HEAD", "REBASE_HEAD", "REVERT_HEAD"])
    def test_a_commit_that_an_agent_can_name_excuses_nothing(self, repo: Repo, name: str) -> None:
        project = Project(repo)
        repo.git("checkout", "-q", "-b", "other")
        relocked = {GOLDEN: "new", LEDGER: ledger(RELOCKED, *ROWS[1:])}
        repo.commit(relocked, "humans")
        repo.git("checkout", "-q", "main")
        repo.write(f".git/{name}", repo.git("rev-parse", "other") + "\n")
        assert states(project.staged(relocked, AGENT), "digest-changed") == {State.FAIL}
        assert project.staged({}, HUMAN).state is State.PASS

    def test_of_a_row_that_both_changed_one_is_chosen(self, repo: Repo) -> None:
        project = Project(repo)
        repo.git("checkout", "-q", "-b", "other")
        repo.commit({GOLDEN: "new", LEDGER: ledger(RELOCKED, *ROWS[1:], DRAFT.replace("strip", "x"))}, "humans")
        repo.git("checkout", "-q", "main")
        ours = edited(LOCKED, sha256("header"), sha256("ours"))
        repo.commit({GOLDEN: "ours", LEDGER: ledger(ours, *ROWS[1:])}, "ours")
        repo.run("git", "merge", "-q", "-s", "ours", "--no-commit", "other")
        assert project.staged({}, AGENT).notes == ()

    def test_our_row_with_their_golden_does_not_hold(self, merging: Project) -> None:
        report = merging.staged({"src/app.py": "x = 'both'\n", LEDGER: ledger(*ROWS)}, AGENT)
        assert "digest-mismatch" in rules(report.findings)
