"""The commands of a human sign what was confirmed, in one step with the change: that, and nothing else."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from ledgergate.cli import approving
from ledgergate.vouch.acks.document import Ack, read_ack
from support.acks import ACKS, EVE, GUARDED, KIM, LEE, SIGNERS_PATH, key_of, signers
from support.adoption import COLLECTING, init
from support.gate import Said, approved, gate, verdict
from support.project import (
    FREEZE,
    FREEZES,
    GOLDEN,
    LEDGER,
    LOCKED,
    OTHER_GOLDEN,
    OTHER_LOCKED,
    Edit,
    Project,
    edited,
    freezes,
    sha256,
)
from support.repo import Captured, Repo, captured, restore

pytestmark = pytest.mark.slow

HEADER, OTHER, LENGTH, RELOAD = (f"tests/test_parse.py::test_{one}" for one in ("header", "other", "length", "reload"))
DRAFT = "tests/agent_drafts/test_prefix.py::test_strip"
CHECK = ("check", "--from", "main", "--to", "topic")
FILES: Edit = {
    **{path: content for path, content in GUARDED.items() if not path.startswith(ACKS)},
    FREEZES: freezes({**FREEZE, "signature": sha256("pass")}),
}
_KNOWN: Captured = {}


@pytest.fixture
def topic(repo: Repo) -> Repo:
    """A branch off a guarded project, by somebody whose commits git signs with Kim's key."""
    if _KNOWN:
        restore(repo.path, _KNOWN)
    else:
        Project(repo, FILES)
        repo.git("checkout", "-q", "-b", "topic")
        _KNOWN.update(captured(repo.path))
    signs_with(repo, str(key_of(KIM)))
    return repo


def signs_with(repo: Repo, key: str) -> None:
    repo.git("config", "gpg.format", "ssh")
    repo.git("config", "user.signingkey", key)


def acks(repo: Repo) -> list[Ack]:
    """What is staged or committed below the folder of acks, oldest first."""
    paths = repo.git("ls-files", ACKS).split()
    return sorted((read_ack((repo.path / path).read_bytes()) for path in paths), key=lambda ack: ack.issued)


def subjects(repo: Repo) -> list[list[str]]:
    return [[item.subject for item in ack.changes] for ack in acks(repo)]


def commit(repo: Repo) -> None:
    repo.git("add", "-A")
    repo.commit()


def relocked(repo: Repo, content: str, *arguments: str, golden: str = GOLDEN) -> Said:
    repo.write(golden, content)
    done = approved(repo, "relock", *(arguments or ("--all",)))
    assert done.status == 0, done
    return done


COMMANDS: dict[str, tuple[tuple[str, ...], set[str]]] = {
    "relock": (("relock", HEADER), {HEADER}),
    "promote": (
        ("promote", DRAFT, "--seeds", "tests/properties/seeds/length/"),
        {DRAFT, "tests/test_prefix.py::test_strip"},
    ),
    "quarantine": (("quarantine", LENGTH, "--reason", "slow disk", "--owner", "qa"), {LENGTH}),
    "release": (("release", RELOAD, "--remove"), {RELOAD}),
    "freeze": (
        ("freeze", LENGTH, "--assertion", "pass", "--reason", "slow", "--owner", "qa", "--days", "3"),
        {"fx-2"},
    ),
    "thaw": (("thaw", "fx-1"), {"fx-1"}),
    "floors": (("collect", "--floors"), {FREEZES}),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_one_step_is_enough(topic: Repo, name: str) -> None:
    arguments, wanted = COMMANDS[name]
    if name == "relock":
        topic.write(GOLDEN, "new")
    done = approved(topic, *arguments)
    assert done.status == 0, done
    assert f"signed as {KIM}, for refs/heads/main, for 7 days" in done.out
    assert f"Approved it as {KIM}: {ACKS}/" in done.out
    (ack,) = acks(topic)
    found = {item.subject for item in ack.changes}
    assert found == wanted or (name == "freeze" and len(found) == 1), found
    commit(topic)
    seen = verdict(topic, *CHECK)
    assert seen.state == "PASS", seen.document["findings"]
    assert all(KIM in item["vouched_by"] for item in seen.document["items"])
    assert seen.document["items"]


T, MOVED = "tests/test_app.py", "tests/test_moved.py"
SUITE = """\
import pathlib, pytest

HERE = pathlib.Path(__file__).parent

def test_golden(): assert (HERE / "goldens/a.json").read_text() == "{}"
@pytest.mark.parametrize("x", [1, 2])
def test_many(x): assert x < 3
def test_sum(): assert sum([1, 1]) == 2
def test_smoke(): HERE.exists()
"""
NEW = "def test_new(): assert sum([1, 2]) == 3\n"
_ADOPTED: Captured = {}
ADD = ("collect", "--add", "--owner", "qa", "--python", sys.executable)
PRUNE = ("collect", "--prune", "--python", sys.executable)
QUARANTINE = ("quarantine", "--owner", "qa", "--reason", "slow disk")
EDITS: dict[str, tuple[Edit, tuple[str, ...]]] = {
    "a renamed test": ({T: SUITE.replace("test_many", "test_few")}, ADD),
    "a renamed file": ({T: None, MOVED: SUITE}, ADD),
    "a renamed file, and a test that went": (
        {T: None, MOVED: SUITE.replace("def test_sum", "def sum_")},
        (*ADD, "--prune"),
    ),
    "a new test": ({T: SUITE + NEW}, ADD),
    "a test that proves nothing": ({T: SUITE + NEW.replace(" == 3", "")}, ADD),
    "a test that went": ({T: SUITE.replace("def test_sum", "def sum_")}, PRUNE),
    "another literal": ({T: SUITE.replace("sum([1, 1]) == 2", "sum([1, 2]) == 3")}, ("relock", "--staged")),
    "a flake": ({}, (*QUARANTINE, f"{T}::test_sum")),
    "a flake that is renamed": ({T: SUITE.replace("test_smoke", "test_fire")}, ADD),
    "a new test that is a flake": ({T: SUITE + NEW}, (*QUARANTINE, f"{T}::test_new")),
    "a flake that is mended": (
        {T: SUITE.replace("HERE.exists()", "assert str(HERE) != ''")},
        ("release", f"{T}::test_smoke"),
    ),
    "a flake that went": (
        {T: SUITE.replace("def test_smoke", "def smoke")},
        ("release", f"{T}::test_smoke", "--remove"),
    ),
}


@pytest.fixture
def adopted(repo: Repo) -> Repo:
    """A branch off a project that was set up with `init`, which names signers; git signs with the key of one."""
    if _ADOPTED:
        restore(repo.path, _ADOPTED)
    else:
        files = {"src/app.py": "x = 1\n", T: SUITE, "tests/goldens/a.json": "{}", SIGNERS_PATH: signers(KIM)}
        assert init(repo, files, "--inline", "--owner", "qa", command=COLLECTING).status == 0
        commit(repo)
        repo.git("checkout", "-q", "-b", "topic")
        _ADOPTED.update(captured(repo.path))
    signs_with(repo, str(key_of(KIM)))
    return repo


@pytest.mark.parametrize("name", EDITS)
def test_what_a_command_signs_is_all_that_its_edit_needs(adopted: Repo, name: str) -> None:
    files, arguments = EDITS[name]
    for path, content in files.items():
        if content is None:
            (adopted.path / path).unlink()
        else:
            adopted.write(path, content)
    adopted.git("add", "-A")
    done = approved(adopted, *arguments)
    assert (done.status, "Not shown here" in done.out) == (0, False), done
    assert len(acks(adopted)) == 1
    assert gate(adopted, "check", "--staged").status == 0
    commit(adopted)
    seen = verdict(adopted, *CHECK)
    assert seen.state == "PASS", seen.document["findings"]
    assert {KIM} == {item["vouched_by"] for item in seen.document["items"]}


@pytest.mark.slow
def test_rows_for_new_tests(topic: Repo) -> None:
    topic.git("checkout", "-q", "main")
    topic.commit({"pyproject.toml": None})
    topic.git("checkout", "-q", "-B", "topic")
    done = approved(topic, "collect", "--add", "--owner", "qa", "--python", sys.executable)
    assert f"Approved it as {KIM}" in done.out, done
    (ack,) = acks(topic)
    commit(topic)
    items = verdict(topic, *CHECK).document["items"]
    assert (len(items), {KIM}) == (len(ack.changes), {item["vouched_by"] for item in items})


def test_the_key_that_the_command_line_names(topic: Repo) -> None:
    signs_with(topic, str(key_of(EVE)))
    topic.write(GOLDEN, "new")
    done = approved(topic, "relock", "--all", "--key", str(key_of(LEE)))
    assert (done.status, [ack.signer for ack in acks(topic)]) == (0, [LEE]), done
    shown = gate(topic, "thaw", "fx-1", "--key", str(key_of(LEE)))
    assert f"thaw fx-1 --key {key_of(LEE)} --yes --contract sha256:" in shown.out


@pytest.mark.slow
def test_off_a_release_branch_of_another_remote_it_is_for_that(topic: Repo) -> None:
    topic.git("remote", "add", "srv", ".")
    topic.git("config", "remote.srv.fetch", "+refs/heads/*:refs/remotes/srv/*")
    topic.git("update-ref", "refs/remotes/srv/release/1", "main")
    topic.git("branch", "-q", "--set-upstream-to", "srv/release/1")
    assert "for refs/heads/release/1, for 7 days" in relocked(topic, "new").out
    commit(topic)
    assert verdict(topic, "check", "--from", "srv/release/1", "--to", "topic").state == "PASS"


@pytest.mark.slow
def test_after_a_conflict_of_digests_what_it_prints_approves_the_merge(topic: Repo) -> None:
    relocked(topic, "mine")
    commit(topic)
    topic.git("checkout", "-q", "main")
    relocked(topic, "theirs")
    commit(topic)
    topic.git("checkout", "-q", "topic")
    topic.run("git", "merge", "main")
    topic.git("checkout", "--ours", "--", LEDGER)
    topic.write(GOLDEN, "both")
    topic.git("add", "-A")
    said = approved(topic, "relock", "--staged").out
    commit(topic)
    (printed,) = re.findall(r"^  ledgergate (ack .*)$", said, re.MULTILINE)
    approved(topic, *printed.split())
    commit(topic)
    assert verdict(topic, *CHECK).state == "PASS"


class TestNobodySigns:
    """The change is made as ever, and nothing is said where nothing was to be expected."""

    @pytest.mark.parametrize("unset", ["user.signingkey", "gpg.format"])
    def test_without_a_key_it_says_what_a_signer_does(self, topic: Repo, unset: str) -> None:
        topic.git("config", "--unset", unset)
        said = relocked(topic, "new").out
        assert acks(topic) == []
        commit(topic)
        (printed,) = re.findall(r"^  ledgergate (ack .*)$", said, re.MULTILINE)
        assert approved(topic, *printed.split(), "--key", str(key_of(KIM))).status == 0
        commit(topic)
        assert verdict(topic, *CHECK).state == "PASS"

    @pytest.mark.parametrize("why", ["no signers", "a first list", "signals", "no policy yet"])
    def test_in_silence(self, topic: Repo, why: str) -> None:
        topic.git("checkout", "-q", "main")
        if why == "no signers":
            topic.commit({SIGNERS_PATH: "# none\n"})
        elif why == "a first list":
            topic.commit({SIGNERS_PATH: None})
            topic.stage({SIGNERS_PATH: signers(KIM)})
        elif why == "signals":
            topic.commit({"ledgergate.toml": 'version = 1\n[vouch]\nmode = "signals"\n'})
        else:
            topic.git("rm", "-q", "--cached", "ledgergate.toml")
            topic.commit()
        topic.git("checkout", "-q", "-B", "topic")
        done = relocked(topic, "new")
        assert "approve" not in done.everything.casefold()
        assert acks(topic) == []

    @pytest.mark.parametrize(
        ("why", "said"),
        [
            ("a stranger's key", "no line of the signers"),
            ("no such key", "no key that can sign"),
            ("four eyes", "four"),
            ("no branch", "which branch"),
        ],
    )
    def test_with_a_word(self, topic: Repo, why: str, said: str) -> None:
        topic.git("checkout", "-q", "main")
        if why == "four eyes":
            topic.commit({"ledgergate.toml": "version = 1\n[vouch]\nfour_eyes = true\n"})
        elif why != "no branch":
            signs_with(topic, str(key_of(EVE)) if why == "a stranger's key" else "/nowhere/key")
        topic.git("checkout", "-q", "-B", "topic")
        if why == "no branch":
            topic.git("branch", "-q", "-D", "main")
        done = relocked(topic, "new")
        assert "will not be approved with your key" in done.err
        assert said in done.err
        assert acks(topic) == []
        key = topic.git("config", "user.signingkey")
        topic.write(GOLDEN, "newer")
        before = (topic.path / LEDGER).read_bytes()
        named = gate(topic, "relock", "--all", "--key", key)
        assert (named.status != 0, said in named.err) == (True, True), named
        assert (topic.path / LEDGER).read_bytes() == before

    def test_a_key_that_fails_leaves_the_change(self, topic: Repo, tmp_path: Path) -> None:
        broken = tmp_path / "key"
        broken.write_text("no private key\n")
        Path(f"{broken}.pub").write_text(Path(f"{key_of(KIM)}.pub").read_text())
        signs_with(topic, str(broken))
        topic.write(GOLDEN, "new")
        done = approved(topic, "relock", "--all")
        assert done.status == 1
        assert "the change is written, and its approval is not: ssh-keygen did not sign" in done.err
        assert "Next:\n" in done.out
        assert "  ledgergate ack\n  git commit\n" in done.out
        assert topic.git("diff", "--cached", "--name-only") == LEDGER
        again = approved(topic, "ack", "--key", str(key_of(KIM)))
        assert (again.status, subjects(topic)) == (0, [[HEADER]])

    def test_an_agent_that_may_relock_layout(self, topic: Repo) -> None:
        done = gate(topic, "thaw", "fx-1", env={"CLAUDECODE": "1"})
        assert (done.status, acks(topic)) == (1, [])

    def test_what_is_not_staged(self, topic: Repo) -> None:
        topic.write(LEDGER, (topic.path / LEDGER).read_text() + "# mine\n")
        done = relocked(topic, "new")
        assert "what is staged is not what was confirmed" in done.out
        assert "  ledgergate ack\n  git commit\n" in done.out
        assert acks(topic) == []


TAMPERED: dict[str, Edit] = {
    "another row": {LEDGER: str(FILES[LEDGER]).replace("reason: order-dependent", "reason: whatever")},
    "a row that vanishes": {LEDGER: str(FILES[LEDGER]).replace(OTHER_LOCKED, "")},
    "another golden, relocked": {
        OTHER_GOLDEN: "wrong",
        LEDGER: str(FILES[LEDGER]).replace(sha256("other"), sha256("wrong")),
    },
    "the policy": {"ledgergate.toml": "version = 1\ngoldens = []\n"},
    "the signers": {SIGNERS_PATH: signers(KIM, LEE, EVE)},
    "a conftest": {"tests/conftest.py": "import os\n"},
    "the freezes": {FREEZES: freezes()},
    "the same row, before": {LEDGER: str(FILES[LEDGER]).replace(LOCKED, f"{LOCKED}    allow_empty: true\n")},
}


SAME_ROW = "the same row, before"
PREPARED = [
    *((name, "staged") for name in TAMPERED),
    *(("the policy", where) for where in ("on disk", "committed")),
    *(("another row", where) for where in ("on disk", "committed")),
    (SAME_ROW, "committed"),
]


@pytest.mark.parametrize(("name", "where"), PREPARED)
def test_what_lies_beside_is_not_approved(topic: Repo, name: str, where: str) -> None:
    """An agent has prepared more than the human is shown: the signature says nothing of that."""
    if where == "on disk":
        for path, content in TAMPERED[name].items():
            topic.write(path, str(content))
    elif where == "staged":
        topic.stage(TAMPERED[name])
    else:
        topic.commit(TAMPERED[name], trailers=("Co-Authored-By: Claude <noreply@anthropic.com>",))
    topic.write(GOLDEN, "new")
    done = approved(topic, "relock", HEADER)
    assert done.status == 0, done
    assert {subject for found in subjects(topic) for subject in found} <= {HEADER}
    if where == "staged":
        assert "Not shown here, and not approved: 1 other staged change (" in done.out
        assert "`ledgergate ack` shows what changed, and asks.\n" in done.out
        assert "  ledgergate ack\n  git commit\n" in done.out
    commit(topic)
    seen = verdict(topic, *CHECK)
    assert seen.state != "PASS", seen.document
    waiting = {item["subject"] for item in seen.document["items"] if item["vouched_by"] is None}
    # A ledger with other changes on disk is not staged, so that nothing of it is signed.
    is_unsigned = name == SAME_ROW or (where == "on disk" and LEDGER in TAMPERED[name])
    assert (len(waiting - {HEADER}), HEADER in waiting) == (name != SAME_ROW, is_unsigned), waiting


class TestChains:
    """Every path that a human may take over a row on one branch ends at its last value, and nowhere else."""

    def passes(self, repo: Repo) -> None:
        commit(repo)
        seen = verdict(repo, *CHECK)
        assert seen.state == "PASS", (seen.document["findings"], seen.document["notes"])

    @pytest.mark.parametrize("committed", [True, False])
    def test_twice(self, topic: Repo, committed: bool) -> None:
        relocked(topic, "one")
        if committed:
            commit(topic)
        said = relocked(topic, "two").out
        assert len(acks(topic)) == 2
        first, second = acks(topic)
        assert (first.changes[0].new, first.issued < second.issued) == (second.changes[0].old, True)
        assert "Earlier" not in said
        self.passes(topic)

    def test_two_branches_and_their_merge(self, topic: Repo) -> None:
        """The merge is a third value; what others have brought to main was not looked at in it."""
        relocked(topic, "mine")
        commit(topic)
        topic.git("checkout", "-q", "-b", "other", "main")
        relocked(topic, "theirs")
        commit(topic)
        topic.git("checkout", "-q", "main")
        topic.git("merge", "-q", "--ff-only", "other")
        topic.git("checkout", "-q", "topic")
        assert topic.run("git", "merge", "-q", "main").returncode == 1
        topic.git("checkout", "--ours", LEDGER, GOLDEN)
        topic.git("add", "-A")
        said = relocked(topic, "both").out
        assert "Earlier changes of 1 of these have no approval yet." in said
        commit(topic)
        assert verdict(topic, *CHECK).state == "UNSCORED"
        assert approved(topic, "ack", "--from", "main", "--to", "topic").status == 0
        self.passes(topic)

    @pytest.mark.parametrize("committed", [True, False])
    def test_back_to_what_it_was(self, topic: Repo, committed: bool) -> None:
        """The first approval names another row, too, and counts whole only where the second leads on."""
        topic.write(OTHER_GOLDEN, "else")
        relocked(topic, "one")
        if committed:
            commit(topic)
        relocked(topic, "header")
        assert subjects(topic) == [[HEADER, OTHER], [HEADER]]
        self.passes(topic)

    def test_after_the_first_was_taken_back_by_git(self, topic: Repo) -> None:
        relocked(topic, "one")
        topic.git("restore", "--staged", "--worktree", LEDGER, GOLDEN)
        relocked(topic, "two")
        self.passes(topic)

    def test_a_row_that_goes_and_returns(self, topic: Repo) -> None:
        assert approved(topic, "quarantine", HEADER, "--reason", "flaky", "--owner", "qa").status == 0
        commit(topic)
        assert approved(topic, "release", HEADER, "--artifact", GOLDEN).status == 0
        relocked(topic, "new")
        assert len(acks(topic)) == 3
        self.passes(topic)

    def test_what_others_changed_and_ack_approved(self, topic: Repo) -> None:
        row = edited(LOCKED, sha256("header"), sha256("one"))
        topic.commit({GOLDEN: "one", LEDGER: str(FILES[LEDGER]).replace(LOCKED, row)})
        assert approved(topic, "ack", "--from", "main", "--to", "topic").status == 0
        topic.commit()
        relocked(topic, "two")
        self.passes(topic)

    def test_an_edit_by_hand_between_two(self, topic: Repo) -> None:
        relocked(topic, "one")
        commit(topic)
        text = (topic.path / LEDGER).read_text().replace(sha256("one"), sha256("two"))
        topic.commit({LEDGER: text, GOLDEN: "two"})
        said = relocked(topic, "three").out
        assert (
            "Earlier changes of 1 of these have no approval yet. After the commit:\n  ledgergate ack --from main"
            in said
        )
        commit(topic)
        assert verdict(topic, *CHECK).state == "UNSCORED"
        assert approved(topic, "ack", "--from", "main", "--to", "topic").status == 0
        self.passes(topic)

    def test_a_second_is_waited_for(self, topic: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
        waited: list[float] = []
        real = approving.time.sleep
        monkeypatch.setattr(approving.time, "sleep", lambda seconds: (waited.append(seconds), real(seconds)))
        relocked(topic, "one")
        relocked(topic, "two", HEADER)
        one, two = acks(topic)
        assert one.issued < two.issued
        assert all(0 < seconds <= 1 for seconds in waited)


class TestNamedTarget:
    """A topic that was cut from a release branch and pushed under its own name says nowhere what it is for."""

    RELEASE = "refs/heads/release/1"

    @pytest.fixture
    def pushed(self, topic: Repo) -> Repo:
        topic.git("remote", "add", "srv", ".")
        topic.git("config", "remote.srv.fetch", "+refs/heads/*:refs/remotes/srv/*")
        for name in ("release/1", "topic"):
            topic.git("update-ref", f"refs/remotes/srv/{name}", "main")
        topic.git("branch", "-q", "--set-upstream-to", "srv/topic")
        return topic

    @pytest.mark.parametrize("name", ["relock", "thaw", "quarantine"])
    def test_the_approval_is_for_it(self, pushed: Repo, name: str) -> None:
        if name == "relock":
            pushed.write(GOLDEN, "new")
        done = approved(pushed, *COMMANDS[name][0], "--target", self.RELEASE)
        assert f"signed as {KIM}, for {self.RELEASE}, for 7 days" in done.out, done
        assert [ack.target for ack in acks(pushed)] == [self.RELEASE]
        commit(pushed)
        assert verdict(pushed, "check", "--from", "srv/release/1", "--to", "topic").state == "PASS"

    def test_no_ref_is_a_usage_error(self, pushed: Repo) -> None:
        done = gate(pushed, "relock", "--all", "--target", "release/1")
        assert (done.status, "--target must begin with refs/" in done.err) == (2, True), done

    def test_what_was_changed_before_is_told_of_it(self, pushed: Repo) -> None:
        row = edited(LOCKED, sha256("header"), sha256("one"))
        pushed.commit({GOLDEN: "one", LEDGER: str(FILES[LEDGER]).replace(LOCKED, row)})
        said = relocked(pushed, "two", "--all", "--target", self.RELEASE).out
        assert "Earlier changes of 1 of these have no approval yet." in said
        commit(pushed)
        (printed,) = re.findall(r"^  ledgergate (ack .*)$", said, re.MULTILINE)
        assert printed == "ack --from srv/release/1 --to HEAD"
        assert approved(pushed, *printed.split()).status == 0
        commit(pushed)
        assert verdict(pushed, "check", "--from", "srv/release/1", "--to", "topic").state == "PASS"

    def test_what_is_left_is_approved_for_it(self, pushed: Repo) -> None:
        pushed.stage(TAMPERED["another row"])
        said = relocked(pushed, "new", HEADER, "--target", self.RELEASE).out
        assert f"  ledgergate ack --target {self.RELEASE}\n  git commit\n" in said

    def test_a_branch_that_the_clone_has_not_seen_is_fetched_first(self, pushed: Repo) -> None:
        pushed.git("config", "--unset", "user.signingkey")
        said = relocked(pushed, "new", "--all", "--target", "refs/heads/release/2").out
        assert (
            "  git fetch srv refs/heads/release/2 && "
            "ledgergate ack --from FETCH_HEAD --to HEAD --target refs/heads/release/2\n" in said
        )
