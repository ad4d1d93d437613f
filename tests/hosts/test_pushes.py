"""What a push comes to, ref by ref, against a real remote."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from ledgergate.git import Repository
from ledgergate.hosts.judged import Judged
from ledgergate.hosts.pushes import Push
from ledgergate.hosts.refs import Malformed, RefUpdate
from ledgergate.values import State
from support import acks
from support.project import BASE, GOLDEN, LOCKED, SIGNALLED, SOUND, Edit, Project, edited, rows, rules, sha256
from support.repo import Repo

pytestmark = pytest.mark.slow

MAIN, TOPIC = "refs/heads/main", "refs/heads/topic"
CI = 'version = 1\n[push]\nevidence = "ci"\n'
RELOCKED = rows((LOCKED, edited(LOCKED, sha256("header"), sha256("new")))) | {GOLDEN: "new"}
TAMPERED: Edit = {GOLDEN: "new"}
HONEST: Edit = {"src/app.py": "x = 2\n"}


class Clone:
    """A clone whose remote has main, and pushes from it."""

    def __init__(self, repo: Repo) -> None:
        self.repo = repo
        self.remote = Repo(repo.path.parent / "remote.git", bare=True)
        repo.git("remote", "add", "origin", f"file://{self.remote.path}")
        repo.git("push", "-q", "origin", "main")
        repo.git("remote", "set-head", "origin", "main")

    def judge(self, ref: str, old: str | None, new: str | None, remote: str = "origin") -> Judged:
        ids = [None if rev is None else self.repo.git("rev-parse", rev) for rev in (old, new)]
        return Push(Repository(str(self.repo.path)), remote).judge(RefUpdate(ref, *ids))

    def commit(self, edit: Edit, *, by_agent: bool = False) -> str:
        return self.repo.commit(edit, "edit", trailers=[SIGNALLED] if by_agent else [])


@pytest.fixture
def clone(repo: Repo) -> Clone:
    Project(repo, {**SOUND, "ledgergate.toml": CI})
    return Clone(repo)


def test_an_honest_commit(clone: Clone) -> None:
    clone.commit(HONEST, by_agent=True)
    found = clone.judge(MAIN, "main~1", "main")
    assert (found.report.state, found.score) == (State.PASS, None)
    assert found.what.startswith(f"{MAIN}: ")


@pytest.mark.parametrize("by_agent", [True, False], ids=["agent", "human"])
def test_a_contract_change_waits_for_proof(clone: Clone, by_agent: bool) -> None:
    clone.commit(RELOCKED, by_agent=by_agent)
    found = clone.judge(MAIN, "main~1", "main").report
    assert found.state is (State.FAIL if by_agent else State.UNSCORED)
    assert "digest-changed" in rules(found.findings)


@pytest.mark.parametrize(("target", "state"), [(MAIN, State.PASS), (TOPIC, State.FAIL)])
def test_a_signed_approval_vouches_for_the_ref_that_it_names(repo: Repo, target: str, state: State) -> None:
    Project(repo, {**SOUND, "ledgergate.toml": CI, acks.SIGNERS_PATH: acks.signers(acks.KIM)})
    clone = Clone(repo)
    clone.commit(RELOCKED, by_agent=True)
    items = clone.judge(MAIN, "main~1", "main").report.items
    issued = datetime.now(UTC) - timedelta(hours=1)
    clone.commit(acks.files(acks.ack(items, target=target, issued=issued)))
    found = clone.judge(MAIN, "main~2", "main").report
    assert found.state is state, found.findings
    assert bool(found.vouched) == (target == MAIN)


def test_a_proposal_is_told_the_same_and_let_go(clone: Clone) -> None:
    clone.repo.git("checkout", "-q", "-b", "topic")
    clone.commit(RELOCKED, by_agent=True)
    found = clone.judge(TOPIC, None, "topic").report
    assert (found.state, found.findings) == (State.PASS, ())
    assert "digest-changed" in rules(found.notes)
    assert found.aside is not None


def test_a_new_ref_starts_where_it_left_the_default_branch(clone: Clone) -> None:
    """What main has got since is none of its doing."""
    clone.repo.git("checkout", "-q", "-b", "release/1", "main")
    clone.commit(HONEST)
    clone.repo.git("checkout", "-q", "main")
    clone.commit({"src/other.py": "y = 1\n", "tests/conftest.py": "import os\n"})
    clone.repo.git("push", "-q", "--no-verify", "origin", "main")
    found = clone.judge("refs/heads/release/1", None, "release/1").report
    assert found.state is State.PASS, found.findings


def test_but_the_rules_of_its_tip_hold(clone: Clone) -> None:
    clone.repo.git("checkout", "-q", "-b", "release/1", "main")
    clone.commit({"tools/own.py": "x = 1\n"})
    clone.repo.git("checkout", "-q", "main")
    clone.commit({"ledgergate.toml": f'protected = ["/tools/**"]\n{CI}'})
    clone.repo.git("push", "-q", "--no-verify", "origin", "main")
    found = clone.judge("refs/heads/release/1", None, "release/1").report
    assert rules(found.findings) == {"protected-path"}


def test_a_branch_that_was_cut_before_the_policy_came(repo: Repo) -> None:
    repo.commit({"README.md": "app\n"})
    repo.git("branch", "old")
    repo.commit({**SOUND, "ledgergate.toml": CI})
    clone = Clone(repo)
    repo.git("checkout", "-q", "old")
    clone.commit(HONEST)
    assert clone.judge("refs/heads/release/old", None, "old").report.state is State.PASS
    clone.commit({"tests/conftest.py": "import os\n"})
    assert rules(clone.judge("refs/heads/release/old", None, "old").report.findings) == {"protected-path"}


def test_unrelated_history_is_compared_with_the_default_branch(clone: Clone) -> None:
    clone.repo.git("checkout", "-q", "--orphan", "fresh")
    clone.repo.git("rm", "-q", "-r", "-f", ".")
    clone.commit({"src/app.py": "x = 1\n"})
    found = clone.judge("refs/heads/release/fresh", None, "fresh").report
    assert found.state is State.UNSCORED
    assert rules(found.findings) >= {"policy-edited", "row-removed"}
    clone.commit({**SOUND, "tests/conftest.py": "import os\n", "ledgergate.toml": CI})
    found = clone.judge("refs/heads/release/fresh", None, "fresh").report
    assert rules(found.findings) == {"protected-path"}


class TestForcePushes:
    """Judged old tip to new tip, whatever lies between."""

    def test_that_drops_what_a_human_added(self, clone: Clone) -> None:
        clone.commit({"tests/conftest.py": "import os\n"})
        old = clone.repo.git("rev-parse", "HEAD")
        clone.repo.git("reset", "-q", "--hard", "HEAD~1")
        assert rules(clone.judge(MAIN, old, "main").report.findings) == {"protected-path"}

    def test_that_rewrites_what_anybody_may(self, clone: Clone) -> None:
        clone.commit({"src/app.py": "x = 5\n"})
        old = clone.repo.git("rev-parse", "HEAD")
        clone.repo.git("reset", "-q", "--hard", "HEAD~1")
        clone.commit(HONEST)
        assert clone.judge(MAIN, old, "main").report.state is State.PASS


class TestTags:
    def tag(self, clone: Clone, name: str, *what: str) -> str:
        clone.repo.git("tag", "-a", "-m", name, name, *what)
        return f"refs/tags/{name}"

    def test_of_what_the_remote_has(self, clone: Clone) -> None:
        ref = self.tag(clone, "v1", "main")
        assert clone.judge(ref, None, "v1").report == clone.judge(ref, None, self.tag(clone, "v2", "v1")).report
        assert clone.judge(ref, None, "v1").report.state is State.PASS

    def test_protected_ones_are_judged_like_branches(self, clone: Clone) -> None:
        clone.commit({"ledgergate.toml": f'protected_refs = ["refs/tags/v*"]\n{CI}'})
        clone.repo.git("push", "-q", "--no-verify", "origin", "main")
        clone.commit(TAMPERED)
        for name, what in (("v1", "main"), ("v2", "v1")):
            assert "digest-mismatch" in rules(clone.judge(self.tag(clone, name, what), None, name).report.findings)
        assert clone.judge(self.tag(clone, "w1", "main"), None, "w1").report.state is State.PASS

    @pytest.mark.parametrize(("name", "state"), [("v1", State.UNSCORED), ("w1", State.PASS)])
    def test_of_a_file(self, clone: Clone, name: str, state: State) -> None:
        clone.commit({"ledgergate.toml": f'protected_refs = ["refs/tags/v*"]\n{CI}'})
        clone.repo.git("push", "-q", "--no-verify", "origin", "main")
        found = clone.judge(self.tag(clone, name, "main:src/app.py"), None, name).report
        assert found.state is state
        assert "is no commit" in (*found.findings, *found.notes)[0].message


class TestDeletions:
    @pytest.mark.parametrize(("ref", "state"), [(MAIN, State.UNSCORED), (TOPIC, State.PASS)])
    def test_of_refs(self, clone: Clone, ref: str, state: State) -> None:
        found = clone.judge(ref, "main", None).report
        assert found.state is state
        assert rules(found.findings) == ({"ref-deleted"} if state is not State.PASS else set())

    def test_of_one_whose_commit_nobody_has_here(self, clone: Clone) -> None:
        push = Push(Repository(str(clone.repo.path)), "origin")
        assert push.judge(RefUpdate(MAIN, "1" * 40, None)).report.state is State.UNSCORED
        assert push.judge(RefUpdate(TOPIC, "1" * 40, None)).report.state is State.PASS

    def test_where_nothing_is_enforced(self, repo: Repo) -> None:
        repo.commit({"README.md": "app\n"})
        assert Clone(repo).judge(MAIN, "main", None).report.state is State.PASS


@pytest.mark.parametrize(("ref", "state"), [(MAIN, State.UNSCORED), (TOPIC, State.PASS)])
def test_a_tip_that_this_clone_has_not(clone: Clone, ref: str, state: State) -> None:
    push = Push(Repository(str(clone.repo.path)), "origin")
    found = push.judge(RefUpdate(ref, "1" * 40, clone.repo.git("rev-parse", "main"))).report
    assert found.state is state
    (seen,) = (*found.findings, *found.notes)
    assert seen.rule == "git-unreadable"
    assert "`git fetch origin`" in seen.remedy


def test_a_malformed_line(clone: Clone) -> None:
    found = Push(Repository(str(clone.repo.path)), "origin").judge(Malformed("x", "it has too few parts")).report
    assert (found.state, rules(found.findings)) == (State.UNSCORED, {"ref-malformed"})


class TestFirstPushes:
    """The first policy may come from anybody, as far as a client sees."""

    @pytest.mark.parametrize("by_agent", [True, False], ids=["agent", "human"])
    def test_to_an_empty_remote(self, repo: Repo, by_agent: bool) -> None:
        files = {path: content for path, content in SOUND.items() if not path.startswith(".ledgergate/acks/")}
        repo.commit(files, "all", trailers=[SIGNALLED] if by_agent else [])
        Repo(repo.path.parent / "remote.git", bare=True)
        repo.git("remote", "add", "origin", f"file://{repo.path.parent}/remote.git")
        push = Push(Repository(str(repo.path)), "origin")
        found = push.judge(RefUpdate(MAIN, None, repo.git("rev-parse", "main")))
        assert found.report.state is State.PASS, found.report.findings
        assert found.score is None

    def test_but_it_has_to_hold(self, repo: Repo) -> None:
        repo.commit({**BASE, **TAMPERED})
        found = Push(Repository(str(repo.path)), "origin").judge(RefUpdate(MAIN, None, repo.git("rev-parse", "main")))
        assert "digest-mismatch" in rules(found.report.findings)

    def test_to_an_address(self, clone: Clone) -> None:
        clone.commit(RELOCKED)
        found = clone.judge(MAIN, None, "main", f"file://{clone.remote.path}").report
        assert "digest-changed" in rules(found.findings)


@pytest.mark.parametrize("odd", ["refs/heads/caf\udce9", "refs/heads/-x", "refs/heads/a\u202eb"])
def test_odd_names(clone: Clone, odd: str) -> None:
    clone.commit(RELOCKED)
    found: Any = clone.judge(odd, None, "main")
    assert found.report.state is State.PASS
    assert found.what.isprintable()
