"""What a push comes to on the server, ref by ref."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta

import pytest

from ledgergate.git import Repository
from ledgergate.hosts.judged import Judged
from ledgergate.hosts.received import Received
from ledgergate.hosts.refs import Malformed, RefUpdate
from ledgergate.hosts.server_config import ServerConfig
from ledgergate.values import Item, Report, State
from support.acks import KIM, LEE, SIGNERS_PATH, ack, files, signers
from support.project import (
    BASE,
    FREEZES,
    GOLDEN,
    LEDGER,
    LOCKED,
    OTHER_SIGNERS,
    PROPERTY,
    SIGNALLED,
    WITHOUT_ACKS,
    Edit,
    Project,
    edited,
    freezes,
    rows,
    rules,
    sha256,
)
from support.repo import Repo

pytestmark = pytest.mark.slow

MAIN, TOPIC, RELEASE = "refs/heads/main", "refs/heads/topic", "refs/heads/release/1"
RELOCKED = rows((LOCKED, edited(LOCKED, sha256("header"), sha256("new")))) | {GOLDEN: "new"}
TAMPERED: Edit = {GOLDEN: "new"}
REFS = '["refs/heads/main", "refs/tags/v*"]'
HONEST: Edit = {"src/app.py": "x = 2\n"}
PROTECTED = '["refs/heads/main", "refs/heads/release/**", "refs/tags/v*"]'
OPEN = ServerConfig(require=False)
KIMS = ServerConfig(signers=signers(KIM).encode())


class Pushed:
    """A server's repository, with what is pushed in it already; no ref has moved."""

    def __init__(self, repo: Repo, base: Edit | None = BASE) -> None:
        self.repo = repo
        Project(repo, base)
        repo.git("checkout", "-q", "--detach")

    def commit(self, edit: Edit, *, by_agent: bool = True, on: str | None = None) -> str:
        if on is not None:
            self.repo.git("checkout", "-q", on)
        return self.repo.commit(edit, "edit", trailers=[SIGNALLED] if by_agent else [])

    def judge(self, ref: str, old: str | None, new: str | None, config: ServerConfig = OPEN) -> Judged:
        ids = [None if rev is None else self.repo.git("rev-parse", rev) for rev in (old, new)]
        return Received(Repository(str(self.repo.path)), config).judge(RefUpdate(ref, *ids))

    def report(self, ref: str, old: str | None, new: str | None, config: ServerConfig = OPEN) -> Report:
        return self.judge(ref, old, new, config).report


@pytest.fixture
def pushes(repo: Repo) -> Pushed:
    return Pushed(repo)


def issued() -> datetime:
    return datetime.now(UTC) - timedelta(minutes=5)


def approval(items: tuple[Item, ...], *, signer: str = KIM, target: str = MAIN, repository: str = "") -> Edit:
    return files(ack(items, signer=signer, target=target, issued=issued(), repository=repository))


class TestOneRef:
    def test_an_honest_commit_passes_without_a_word(self, pushes: Pushed) -> None:
        pushes.commit(HONEST)
        assert pushes.judge(MAIN, "main", "HEAD").is_silent

    @pytest.mark.parametrize("by_agent", [True, False], ids=["agent", "human"])
    def test_a_contract_change_waits_for_proof(self, pushes: Pushed, by_agent: bool) -> None:
        pushes.commit(RELOCKED, by_agent=by_agent)
        report = pushes.report(MAIN, "main", "HEAD")
        assert report.state is (State.FAIL if by_agent else State.UNSCORED)
        assert rules(report.findings) == {"digest-changed"}

    def test_as_a_proposal_it_is_told_the_same_and_let_go(self, pushes: Pushed) -> None:
        pushes.commit(RELOCKED)
        report = pushes.report(TOPIC, None, "HEAD")
        assert (report.state, report.findings) == (State.PASS, ())
        assert "digest-changed" in rules(report.notes)

    def test_what_a_symbolic_ref_is_given_its_end_gets(self, pushes: Pushed) -> None:
        pushes.repo.git("symbolic-ref", "refs/heads/latest", MAIN)
        pushes.commit(TAMPERED)
        judged = pushes.judge("refs/heads/latest", "main", "HEAD")
        assert judged.report.state is State.FAIL
        assert judged.what.startswith(f"{MAIN}: ")

    def test_a_protected_name_that_leads_to_a_branch_of_nobody(self, pushes: Pushed) -> None:
        ref = "refs/heads/release/current"
        pushes.repo.git("update-ref", TOPIC, "main")
        pushes.repo.git("symbolic-ref", ref, TOPIC)
        pushes.commit(TAMPERED)
        assert pushes.report(ref, TOPIC, "HEAD").state is State.FAIL
        assert rules(pushes.report(ref, TOPIC, None).findings) == {"ref-deleted"}
        pushes.commit(HONEST, on="main")
        assert pushes.report(ref, TOPIC, "HEAD").state is State.PASS

    def test_the_default_branch_in_other_letters_is_protected(self, pushes: Pushed) -> None:
        pushes.repo.git("branch", "-m", "main", "trunk")
        pushes.repo.git("checkout", "-q", "-b", "other")
        pushes.commit(TAMPERED)
        pushes.repo.git("symbolic-ref", "HEAD", "refs/heads/trunk")
        assert pushes.report("refs/heads/Trunk", None, "other").state is State.FAIL

    def test_a_name_in_other_letters_is_protected(self, pushes: Pushed) -> None:
        pushes.commit(TAMPERED)
        assert pushes.report("refs/heads/MAIN", None, "HEAD").state is State.FAIL

    def test_names_of_any_bytes(self, pushes: Pushed) -> None:
        topic, release = (os.fsdecode(f"refs/heads/{name}".encode("latin-1")) for name in ("caf\xe9", "release/\xe9"))
        new = pushes.commit(TAMPERED)
        received = Received(Repository(str(pushes.repo.path)), OPEN)
        assert [received.is_proposal(RefUpdate(ref, None, new)) for ref in (topic, release)] == [True, False]
        for ref in topic, release:
            assert pushes.report(ref, None, "HEAD").state is (State.PASS if ref == topic else State.FAIL)
            pushes.repo.git("update-ref", ref, "HEAD")
            assert pushes.report(ref, "HEAD", None).state is (State.PASS if ref == topic else State.UNSCORED)
        pushes.repo.git("symbolic-ref", os.fsdecode(b"refs/heads/s\xef"), MAIN)
        assert pushes.report(os.fsdecode(b"refs/heads/s\xef"), "main", "HEAD").state is State.FAIL
        pushes.repo.git("symbolic-ref", "refs/heads/s", release)
        assert pushes.report("refs/heads/s", "main", "HEAD").state is State.FAIL
        pushes.commit(HONEST, on="main")
        assert pushes.report(release, "main", "HEAD").state is State.PASS

    @pytest.mark.parametrize("ref", [MAIN, TOPIC])
    def test_a_line_that_says_nothing_is_never_let_go(self, pushes: Pushed, ref: str) -> None:
        line = Malformed(f"x {ref}", "it has too few parts")
        report = Received(Repository(str(pushes.repo.path)), OPEN).judge(line).report
        assert (report.state, rules(report.findings)) == (State.UNSCORED, {"ref-malformed"})
        (told,) = report.findings
        assert ("install --server" in told.remedy, "--pre-push" in told.remedy) == (True, False)


class TestNewRefs:
    def test_it_starts_where_it_left_the_default_branch(self, pushes: Pushed) -> None:
        cut = pushes.repo.git("rev-parse", "main")
        pushes.commit({"tests/conftest.py": "import os\n"})
        pushes.repo.git("update-ref", MAIN, "HEAD")
        pushes.commit(HONEST, on=cut)
        assert pushes.report(RELEASE, None, "HEAD").state is State.PASS

    @pytest.mark.parametrize("ref", [RELEASE, "refs/tags/v1"])
    @pytest.mark.parametrize("hide", ["revert", "ours"])
    def test_a_commit_that_was_never_a_tip_is_no_start(self, pushes: Pushed, hide: str, ref: str) -> None:
        """What one commit does and another takes back lands with both; nobody has judged the first."""
        start = pushes.commit({"ledgergate.toml": f"version = 1\nprotected_refs = {PROTECTED}\n"}, on="main")
        pushes.repo.git("update-ref", MAIN, start)
        pushes.repo.git("checkout", "-q", "--detach", start)
        hidden = pushes.commit(TAMPERED)
        if hide == "revert":
            pushes.repo.git("revert", "--no-edit", "HEAD")
        else:
            pushes.commit(HONEST, on=start)
            pushes.repo.git("merge", "-q", "-s", "ours", "-m", "both", hidden)
        assert pushes.report(MAIN, MAIN, "HEAD").state is State.PASS
        pushes.repo.git("update-ref", MAIN, "HEAD")
        assert pushes.report(ref, None, hidden).state is State.FAIL
        assert pushes.report(ref, None, pushes.commit(HONEST, on=hidden)).state is State.FAIL
        # Twins: today's tip and an earlier one, with work of its own on top.
        assert pushes.report(ref, None, MAIN).state is State.PASS
        assert pushes.report(ref, None, pushes.commit({"src/b.py": "b = 1\n"}, on=start)).state is State.PASS

    def test_a_tip_of_another_protected_branch_is_one(self, pushes: Pushed) -> None:
        pushes.repo.git("update-ref", RELEASE, pushes.commit(RELOCKED))
        assert pushes.report("refs/heads/release/1.1", None, RELEASE).state is State.PASS
        assert pushes.report("refs/heads/release/1.1", None, pushes.commit(HONEST)).state is State.PASS
        pushes.repo.git("update-ref", TOPIC, pushes.commit({GOLDEN: "third"}))
        assert pushes.report("refs/heads/release/1.1", None, TOPIC).state is State.FAIL

    def test_the_tip_behind_a_symbolic_ref_is_none(self, pushes: Pushed) -> None:
        """A protected name that leads to a branch of nobody's does not make that one's commits somebody's."""
        pushes.repo.git("symbolic-ref", "refs/heads/release/s", TOPIC)
        pushes.repo.git("update-ref", TOPIC, pushes.commit({GOLDEN: "third"}))
        assert pushes.report("refs/heads/release/1.1", None, TOPIC).state is State.FAIL
        pushes.repo.git("update-ref", RELEASE, pushes.commit(RELOCKED))
        pushes.repo.git("symbolic-ref", "refs/heads/release/s", RELEASE)
        assert pushes.report("refs/heads/release/1.1", None, RELEASE).state is State.PASS

    def test_the_branch_that_head_names_is_protected_before_it_is_there(self, pushes: Pushed) -> None:
        """Rules and signers would come from it."""
        pushes.repo.git("symbolic-ref", "HEAD", "refs/heads/trunk")
        pushes.repo.git("update-ref", MAIN, "main")
        assert pushes.report("refs/heads/trunk", None, "main").state is State.PASS
        pushes.repo.git("update-ref", "refs/heads/own", "main")
        pushes.repo.git("checkout", "-q", "own")
        evil = pushes.commit({".ledgergate/allowed_signers": OTHER_SIGNERS})
        pushes.repo.git("symbolic-ref", "HEAD", "refs/heads/trunk")
        assert pushes.report("refs/heads/trunk", None, evil).state is State.FAIL

    def test_what_a_symbolic_ref_names_needs_not_be_there(self, pushes: Pushed) -> None:
        pushes.repo.git("symbolic-ref", "refs/heads/latest", "refs/heads/next")
        pushes.repo.git("symbolic-ref", "refs/heads/next", RELEASE)
        assert pushes.report("refs/heads/latest", None, pushes.commit(TAMPERED)).state is State.FAIL

    def test_but_the_rules_of_its_tip_hold(self, pushes: Pushed) -> None:
        cut = pushes.repo.git("rev-parse", "main")
        pushes.commit({"ledgergate.toml": 'version = 1\nprotected = ["/tools/**"]\n'})
        pushes.repo.git("update-ref", MAIN, "HEAD")
        pushes.commit({"tools/own.py": "x = 1\n"}, on=cut)
        assert rules(pushes.report(RELEASE, None, "HEAD").findings) == {"protected-path"}

    def test_a_branch_that_catches_up_with_the_default_branch(self, pushes: Pushed) -> None:
        """What that has is vouched for there; what it has lost is not."""
        pushes.repo.git("update-ref", RELEASE, "main")
        pushes.commit(RELOCKED)
        pushes.repo.git("update-ref", MAIN, pushes.commit(HONEST))
        assert pushes.report(RELEASE, RELEASE, "HEAD~").state is State.PASS
        assert pushes.report(RELEASE, RELEASE, MAIN).state is State.PASS
        pushes.repo.git("update-ref", MAIN, pushes.commit(rows((PROPERTY, "")), on=MAIN))
        assert pushes.report(RELEASE, RELEASE, MAIN).state is State.FAIL

    def test_an_orphan_is_compared_with_the_tip(self, pushes: Pushed) -> None:
        pushes.repo.git("checkout", "-q", "--orphan", "new")
        pushes.commit(HONEST)
        pushes.repo.git("checkout", "-q", "--detach")
        assert pushes.report(RELEASE, None, "HEAD").state is State.PASS
        pushes.repo.git("rm", "-q", "-r", "tests")
        pushes.commit({})
        assert pushes.report(RELEASE, None, "HEAD").state in (State.FAIL, State.UNSCORED)


class TestDeletions:
    @pytest.mark.parametrize(
        ("ref", "config", "state"),
        [
            (MAIN, OPEN, State.UNSCORED),
            (RELEASE, OPEN, State.UNSCORED),
            (TOPIC, OPEN, State.PASS),
            (RELEASE, OPEN._replace(deletable_refs=("refs/heads/release/*",)), State.PASS),
            (TOPIC, ServerConfig(require=(TOPIC,)), State.UNSCORED),
        ],
    )
    def test_a_protected_ref_stays(self, pushes: Pushed, ref: str, config: ServerConfig, state: State) -> None:
        report = pushes.report(ref, "main", None, config)
        assert report.state is state
        assert rules(report.findings) == ({"ref-deleted"} if state is State.UNSCORED else set())

    def test_what_it_has_may_be_no_commit(self, pushes: Pushed) -> None:
        assert pushes.report(RELEASE, f"main:{GOLDEN}", None).state is State.UNSCORED
        assert pushes.report("refs/tags/any", f"main:{GOLDEN}", None).state is State.PASS


class TestForced:
    def test_a_rewind_that_takes_a_contract_back(self, pushes: Pushed) -> None:
        pushes.commit({"tests/conftest.py": "import os\n"})
        assert rules(pushes.report(MAIN, "HEAD", "main").findings) == {"protected-path"}

    def test_a_rewind_that_takes_code_back(self, pushes: Pushed) -> None:
        pushes.commit(HONEST)
        assert pushes.report(MAIN, "HEAD", "main").state is State.PASS

    def test_another_history_is_compared_tip_with_tip(self, pushes: Pushed) -> None:
        pushes.commit(HONEST)
        one = pushes.repo.git("rev-parse", "HEAD")
        pushes.commit(TAMPERED, on="main")
        assert pushes.report(MAIN, one, "HEAD").state is State.FAIL

    @pytest.mark.parametrize(("ref", "state"), [(MAIN, State.UNSCORED), (TOPIC, State.PASS)])
    def test_an_old_tip_that_nobody_knows(self, pushes: Pushed, ref: str, state: State) -> None:
        received = Received(Repository(str(pushes.repo.path)), OPEN)
        report = received.judge(RefUpdate(ref, "12" * 20, pushes.commit(HONEST))).report
        assert report.state is state
        assert "git-unreadable" in rules((*report.findings, *report.notes))

    @pytest.mark.parametrize("author", ["nobody", "kim <kim@example.org>", "kim <kim@example.org> 1 +0000"])
    def test_a_commit_whose_author_cannot_be_read_is_said_to_be_one(self, pushes: Pushed, author: str) -> None:
        tree = pushes.repo.git("rev-parse", "main^{tree}")
        text = f"tree {tree}\nparent {pushes.repo.git('rev-parse', 'main')}\nauthor {author}\ncommitter {author}\n\nx\n"
        made = ("hash-object", "-t", "commit", "-w", "--literally", "--stdin")
        report = pushes.report(MAIN, "main", pushes.repo.git(*made, stdin=text.encode()))
        said = " ".join(seen.message for seen in report.findings)
        assert (report.state is State.UNSCORED, "is malformed" in said) == (author == "nobody",) * 2, said
        assert "no commit" not in said


class TestTags:
    @pytest.fixture
    def pushes(self, repo: Repo) -> Pushed:
        return Pushed(repo, {**BASE, "ledgergate.toml": f"version = 1\nprotected_refs = {REFS}\n"})

    @pytest.mark.parametrize("depth", [0, 1, 3])
    def test_a_protected_tag_is_judged_by_the_commit_that_it_leads_to(self, pushes: Pushed, depth: int) -> None:
        for edit, state in ((HONEST, State.PASS), (TAMPERED, State.FAIL)):
            tip = pushes.commit(edit)
            for number in range(depth):
                pushes.repo.git("tag", "-f", "-a", "-m", "t", f"t{number}", tip)
                tip = f"refs/tags/t{number}"
            assert pushes.report("refs/tags/v1", None, tip).state is state
            assert pushes.report("refs/tags/v1", tip, "main").state is state

    @pytest.mark.parametrize("what", ["HEAD^{tree}", f"HEAD:{GOLDEN}"], ids=["folder", "file"])
    @pytest.mark.parametrize("is_tagged", [False, True])
    def test_what_is_no_commit_can_be_judged_by_nobody(self, pushes: Pushed, what: str, is_tagged: bool) -> None:
        if is_tagged:
            pushes.repo.git("tag", "-a", "-m", "t", "t", what)
            what = "refs/tags/t"
        report = pushes.report("refs/tags/v1", None, what)
        assert (report.state, rules(report.findings)) == (State.UNSCORED, {"git-unreadable"})
        assert pushes.report("refs/tags/other", None, what).state is State.PASS


class TestWhoseWordCounts:
    def test_the_default_branchs_signers(self, repo: Repo) -> None:
        pushes = Pushed(repo, {**BASE, SIGNERS_PATH: signers(KIM)})
        pushes.commit(RELOCKED)
        items = pushes.report(MAIN, "main", "HEAD").items
        pushes.commit(approval(items))
        report = pushes.report(MAIN, "main", "HEAD")
        assert report.state is State.PASS, report.findings
        assert [who for _, who in report.vouched] == [KIM]
        assert pushes.report(RELEASE, "main", "HEAD").state is State.FAIL

    def test_or_the_servers_own_and_then_no_others(self, repo: Repo) -> None:
        pushes = Pushed(repo, {**BASE, SIGNERS_PATH: signers(LEE)})
        tampered = pushes.commit(RELOCKED)
        items = pushes.report(MAIN, "main", "HEAD").items
        pushes.commit(approval(items))
        assert pushes.report(MAIN, "main", "HEAD", KIMS).state is State.PASS
        pushes.commit(approval(items, signer=LEE), on=tampered)
        assert pushes.report(MAIN, "main", "HEAD", KIMS).state is State.FAIL
        assert pushes.report(MAIN, "main", "HEAD").state is State.PASS

    def test_a_policy_of_a_branch_cannot_take_it_out_of_the_default_branchs(self, pushes: Pushed) -> None:
        pushes.commit({"ledgergate.toml": "version = 1\nprotected_refs = []\n"})
        pushes.repo.git("update-ref", RELEASE, "HEAD")
        pushes.commit(TAMPERED)
        assert pushes.report(RELEASE, RELEASE, "HEAD").state is State.FAIL
        pushes.repo.git("update-ref", MAIN, RELEASE)
        assert pushes.report(RELEASE, RELEASE, "HEAD").state is State.PASS
        assert pushes.report(RELEASE, RELEASE, "HEAD", ServerConfig(require=(RELEASE,))).state is State.FAIL


FIRST: Edit = {**WITHOUT_ACKS, SIGNERS_PATH: signers(KIM)}


class TestBootstrap:
    @pytest.fixture
    def pushes(self, repo: Repo) -> Pushed:
        return Pushed(repo, {"README.md": "app\n"})

    @pytest.mark.parametrize(
        ("ref", "config", "state"),
        [
            (MAIN, OPEN, State.PASS),
            (MAIN, ServerConfig(), State.UNSCORED),
            (TOPIC, ServerConfig(), State.PASS),
            (TOPIC, ServerConfig(require=(TOPIC,)), State.UNSCORED),
            (MAIN, ServerConfig(require=(TOPIC,)), State.PASS),
        ],
    )
    def test_without_a_policy(self, pushes: Pushed, ref: str, config: ServerConfig, state: State) -> None:
        pushes.commit(HONEST)
        report = pushes.report(ref, "main", "HEAD", config)
        assert report.state is state
        assert rules((*report.findings, *report.notes)) == {"not-enforced"}

    @pytest.mark.parametrize("config", [OPEN, ServerConfig()], ids=["free", "require"])
    @pytest.mark.parametrize("old", [None, "main"])
    def test_a_tree_that_changes_nothing_needs_one_as_well(
        self, pushes: Pushed, old: str | None, config: ServerConfig
    ) -> None:
        if old is None:
            pushes.repo.git("rm", "-q", "-r", ".")
            pushes.repo.git("branch", "-m", "main", "x")
            pushes.repo.git("checkout", "-q", "--orphan", "nothing")
        pushes.commit({})
        pushes.repo.git("symbolic-ref", "HEAD", MAIN)
        tip = pushes.repo.git("rev-parse", "refs/heads/nothing" if old is None else "main")
        report = pushes.report(MAIN, old, tip, config)
        assert report.state is (State.PASS if config is OPEN else State.UNSCORED)
        assert rules(report.findings) == (set() if config is OPEN else {"not-enforced"}), report.findings

    def test_the_default_branch_needs_one_whatever_its_name(self, pushes: Pushed) -> None:
        pushes.repo.git("branch", "-m", "main", "trunk")
        pushes.repo.git("symbolic-ref", "HEAD", "refs/heads/trunk")
        pushes.repo.git("checkout", "-q", "-b", "other")
        pushes.commit(HONEST)
        pushes.repo.git("symbolic-ref", "HEAD", "refs/heads/trunk")
        assert pushes.report("refs/heads/trunk", "trunk", "other", ServerConfig()).state is State.UNSCORED
        assert pushes.report("refs/heads/trunk", "trunk", None, ServerConfig()).state is State.UNSCORED
        assert pushes.report("refs/heads/other", None, "other", ServerConfig()).state is State.PASS

    def test_a_first_policy_does_not_take_the_branch_out_on_which_it_comes(self, pushes: Pushed) -> None:
        pushes.repo.git("branch", "-m", "main", "trunk")
        pushes.repo.git("symbolic-ref", "HEAD", "refs/heads/trunk")
        pushes.repo.git("checkout", "-q", "-b", "other")
        pushes.commit({**FIRST, "ledgergate.toml": "version = 1\nprotected_refs = []\n"}, by_agent=False)
        pushes.repo.git("symbolic-ref", "HEAD", "refs/heads/trunk")
        assert pushes.report("refs/heads/trunk", "trunk", "other", ServerConfig()).state is State.UNSCORED
        assert pushes.report("refs/heads/trunk", None, "other", ServerConfig()).state is State.UNSCORED

    @pytest.mark.parametrize("config", [ServerConfig(), KIMS], ids=["no signers", "signers"])
    def test_the_first_policy_waits_for_the_servers_own_signers(self, pushes: Pushed, config: ServerConfig) -> None:
        first = pushes.commit(FIRST, by_agent=False)
        report = pushes.report(MAIN, "main", "HEAD", config)
        assert report.state is State.UNSCORED
        assert {item.kind for item in report.items} == {"file"}
        pushes.commit(approval(report.items))
        approved = pushes.report(MAIN, "main", "HEAD", config)
        assert approved.state is (State.PASS if config is KIMS else State.UNSCORED), approved.findings
        pushes.commit(approval(report.items, signer=LEE), on=first)
        assert pushes.report(MAIN, "main", "HEAD", config).state is State.UNSCORED

    def test_into_an_empty_repository(self, repo: Repo) -> None:
        pushes = Pushed(repo, FIRST)
        pushes.repo.git("branch", "-m", "main", "x")
        pushes.repo.git("symbolic-ref", "HEAD", MAIN)
        report = pushes.report(MAIN, None, "x", KIMS)
        assert report.state is State.UNSCORED
        pushes.repo.git("checkout", "-q", "x")
        pushes.commit(approval(report.items))
        pushes.repo.git("symbolic-ref", "HEAD", MAIN)
        assert pushes.report(MAIN, None, "x", KIMS).state is State.PASS
        assert pushes.report(MAIN, None, "x", ServerConfig()).state is State.UNSCORED

    def test_where_none_is_asked_for_the_first_one_is_free(self, pushes: Pushed) -> None:
        pushes.commit(FIRST)
        assert pushes.report(MAIN, "main", "HEAD").state is State.PASS

    def test_signers_that_lie_there_without_a_policy_are_nobodys(self, repo: Repo) -> None:
        pushes = Pushed(repo, {SIGNERS_PATH: signers(LEE)})
        first = {path: text for path, text in FIRST.items() if path != SIGNERS_PATH}
        pushes.commit(first, by_agent=False)
        items = pushes.report(MAIN, "main", "HEAD", ServerConfig()).items
        pushes.commit(approval(items, signer=LEE))
        assert pushes.report(MAIN, "main", "HEAD", ServerConfig()).state is State.UNSCORED

    def test_a_first_policy_that_says_signals_are_enough_is_not_enough(self, pushes: Pushed) -> None:
        pushes.commit({**FIRST, "ledgergate.toml": 'version = 1\n[vouch]\nmode = "signals"\n'}, by_agent=False)
        assert pushes.report(MAIN, "main", "HEAD", ServerConfig()).state is State.UNSCORED


POLICY = "version = 1\n"
BROKEN: dict[str, tuple[Edit, Edit]] = {
    "policy": ({"ledgergate.toml": "version = "}, {"ledgergate.toml": POLICY}),
    "ledger": ({LEDGER: "rows: [\n"}, {LEDGER: BASE[LEDGER]}),
    "freeze ledger": ({FREEZES: "{"}, {FREEZES: freezes()}),
    "no signers": ({SIGNERS_PATH: None}, {SIGNERS_PATH: signers(LEE)}),
    "empty signers": ({SIGNERS_PATH: "\n"}, {SIGNERS_PATH: signers(LEE)}),
}


@pytest.mark.parametrize(("broken", "mended"), BROKEN.values(), ids=BROKEN)
class TestMending:
    def test_a_signer_of_the_server_may_always(self, repo: Repo, broken: Edit, mended: Edit) -> None:
        pushes = Pushed(repo)
        pushes.commit(broken)
        pushes.repo.git("update-ref", MAIN, "HEAD")
        repaired = pushes.commit(mended, by_agent=False)
        assert pushes.report(MAIN, MAIN, "HEAD", KIMS).state is State.UNSCORED
        (path,) = mended
        old, new = (None if text is None else sha256(text) for text in (broken[path], mended[path]))
        items = (Item("file", path, old, new),)
        pushes.commit(approval(items))
        report = pushes.report(MAIN, MAIN, "HEAD", KIMS)
        assert report.state is State.PASS, report.findings
        assert report.items == items
        assert pushes.report(MAIN, MAIN, "HEAD").state is not State.PASS
        pushes.commit(approval(items, signer=LEE), on=repaired)
        assert pushes.report(MAIN, MAIN, "HEAD", KIMS).state is State.UNSCORED

    def test_and_nothing_else_comes_along(self, repo: Repo, broken: Edit, mended: Edit) -> None:
        pushes = Pushed(repo)
        pushes.commit(broken)
        pushes.repo.git("update-ref", MAIN, "HEAD")
        (path,) = mended
        pushes.commit({**mended, "tests/conftest.py": "collect_ignore = ['x']\n"}, by_agent=False)
        old, new = (None if text is None else sha256(text) for text in (broken[path], mended[path]))
        pushes.commit(approval((Item("file", path, old, new),)))
        assert pushes.report(MAIN, MAIN, "HEAD", KIMS).state is State.UNSCORED
