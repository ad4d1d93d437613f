"""Acks in a real repository, made with real keys: what vouches, what vouches for nothing, and what is no ack."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

import pytest

from ledgergate.values import Item, Report, State
from ledgergate.vouch import Trust
from ledgergate.vouch.acks.document import Ack
from support.acks import (
    ACKS,
    EVE,
    GUARDED,
    KIM,
    LEE,
    MAIN,
    SIGNERS_PATH,
    TO_MAIN,
    ack,
    contract,
    files,
    key_of,
    public_of,
    ranged,
    signers,
)
from support.project import (
    DRAFT,
    FREEZE,
    FREEZES,
    GOLDEN,
    HUMAN,
    LEDGER,
    LOCKED,
    NOW,
    QUARANTINE,
    SEED,
    SIGNALLED,
    Edit,
    Project,
    edited,
    freezes,
    rows,
    rules,
    sha256,
    states,
)
from support.repo import Repo

pytestmark = pytest.mark.slow

NEW_GOLDEN: Edit = {GOLDEN: "new", **rows((LOCKED, edited(LOCKED, sha256("header"), sha256("new"))))}
OTHER_NEW: Edit = {GOLDEN: "newer", **rows((LOCKED, edited(LOCKED, sha256("header"), sha256("newer"))))}
EDITS: dict[str, Edit] = {
    "a digest": NEW_GOLDEN,
    "a renamed row": rows((LOCKED, edited(LOCKED, "test_header", "test_heading"))),
    "a class": rows((QUARANTINE, edited(LOCKED, "test_header", "test_reload"))),
    "rows gone": rows((QUARANTINE, ""), (DRAFT, "")),
    "a freeze": {FREEZES: freezes(FREEZE, {**FREEZE, "id": "fx-2"})},
    "a floor and a freeze": {FREEZES: freezes({**FREEZE, "reason": "slow"}, floor=0)},
    "a protected file": {"tests/conftest.py": "x = 1\n"},
    "a protected file gone": {"tests/conftest.py": None},
    "a seed rewritten": {SEED: "2"},
    "the policy": {"ledgergate.toml": 'version = 1\nprotected = ["/src/app.py"]\n'},
    "the signers": {SIGNERS_PATH: signers(KIM, LEE, EVE)},
    "a live ack": {f"{ACKS}/live.json": None},
    "bytes that are no text in a path": {"caf\udce9/conftest.py": "x = 1\n"},
    "much at once": {**NEW_GOLDEN, "tests/conftest.py": "x = 1\n", FREEZES: freezes()},
}
every_edit = pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)


@pytest.fixture
def project(repo: Repo) -> Project:
    return Project(repo, GUARDED)


def branch(project: Project, edit: Edit, *, trailers: tuple[str, ...] = ()) -> tuple[Item, ...]:
    """A branch with one commit, and its contract."""
    project.repo.git("checkout", "-q", "-b", "topic")
    project.repo.commit(edit, "edit", trailers=trailers)
    return contract(project.repo)


def approve(project: Project, *acks: Ack) -> Report:
    project.repo.commit(files(*acks), "approve")
    return ranged(project.repo)


ITEMS = (Item("row", "x", None, sha256("x")),)


def notes(report: Report) -> str:
    return "\n".join(note.message for note in report.notes if note.rule == "ack-invalid")


def remedies(report: Report) -> str:
    return "\n".join(seen.remedy for seen in (*report.findings, *report.notes))


# -- what vouches ------------------------------------------------------------------------------------------------------


@every_edit
def test_what_a_signer_approved_passes(project: Project, edit: Edit) -> None:
    items = branch(project, edit)
    assert ranged(project.repo).state is not State.PASS
    report = approve(project, ack(items))
    assert (report.state, report.findings) == (State.PASS, ())
    assert dict(report.vouched) == dict.fromkeys(items, KIM)
    assert any(KIM in note.remedy for note in report.notes)


@every_edit
def test_who_made_it_does_not_matter(project: Project, edit: Edit) -> None:
    items = branch(project, edit, trailers=(SIGNALLED,))
    assert ranged(project.repo).state is State.FAIL
    assert approve(project, ack(items)).state is State.PASS


@every_edit
def test_an_agent_may_add_the_file(project: Project, edit: Edit) -> None:
    items = branch(project, edit)
    project.repo.commit(files(ack(items)), trailers=(SIGNALLED,))
    assert ranged(project.repo).state is State.PASS


def test_two_may_approve_a_half_each(project: Project) -> None:
    one, *others = branch(project, EDITS["much at once"])
    report = approve(project, ack([one]), ack(others, signer=LEE))
    assert report.state is State.PASS
    assert dict(report.vouched)[one] == KIM
    assert {dict(report.vouched)[item] for item in others} == {LEE}


def test_more_than_what_is_approved_does_not_pass(project: Project) -> None:
    one, *others = branch(project, EDITS["much at once"])
    report = approve(project, ack(others))
    assert report.state is State.UNSCORED
    assert one not in dict(report.vouched)


def test_a_rename_takes_both_ids(project: Project) -> None:
    one, two = branch(project, EDITS["a renamed row"])
    assert approve(project, ack([two])).state is State.UNSCORED
    assert approve(project, ack([one], signer=LEE)).state is State.PASS


def test_steps_lead_on(project: Project) -> None:
    first = branch(project, NEW_GOLDEN)
    approve(project, ack(first, issued=NOW - timedelta(hours=3)))
    project.repo.commit(OTHER_NEW, "once more")
    (item,), (whole,) = first, contract(project.repo)
    assert ranged(project.repo).state is State.UNSCORED
    report = approve(project, ack([item._replace(old=item.new, new=whole.new)], signer=LEE))
    assert report.state is State.PASS
    assert dict(report.vouched) == {whole: f"{KIM} and {LEE}"}


@pytest.mark.parametrize("kind", ["rsa", "ecdsa"])
def test_with_keys_of_other_types(repo: Repo, kind: str) -> None:
    line = f'{KIM} namespaces="ledgergate-ack" {public_of(KIM, kind)}\n'
    project = Project(repo, {**GUARDED, SIGNERS_PATH: signers(LEE) + line})
    items = branch(project, NEW_GOLDEN)
    assert approve(project, ack(items, key=key_of(KIM, kind))).state is State.PASS


# How the commits reach the branch that is judged; each leaves `topic` checked out.
MOVES: dict[str, Callable[[Repo], object]] = {
    "squash": lambda repo: (
        repo.git("checkout", "-q", "-b", "squashed", "main"),
        repo.git("merge", "-q", "--squash", "topic"),
        repo.git("commit", "-q", "-m", "one"),
        repo.git("branch", "-q", "-f", "topic"),
    ),
    "rebase": lambda repo: repo.git("rebase", "-q", "main"),
    "merge of main": lambda repo: repo.git("merge", "-q", "--no-edit", "main"),
    "amend": lambda repo: repo.git("commit", "-q", "--amend", "-m", "reworded"),
    "cherry-picks in another order": lambda repo: (
        repo.git("checkout", "-q", "-b", "picked", "main"),
        repo.git("cherry-pick", "topic"),
        repo.git("cherry-pick", "topic~1"),
        repo.git("branch", "-q", "-f", "topic"),
    ),
    "merge queue": lambda repo: (
        repo.git("checkout", "-q", "-b", "queue", "main"),
        repo.git("merge", "-q", "--no-ff", "--no-edit", "topic"),
        repo.git("branch", "-q", "-f", "topic"),
    ),
}


@pytest.mark.parametrize("move", MOVES.values(), ids=MOVES)
def test_an_ack_lives_through_what_moves_commits(project: Project, move: Callable[[Repo], object]) -> None:
    repo = project.repo
    approve(project, ack(branch(project, NEW_GOLDEN)))
    repo.git("checkout", "-q", "main")
    repo.commit({"src/app.py": "x = 3\n"}, "main moved on")
    repo.git("checkout", "-q", "topic")
    move(repo)
    assert ranged(repo).state is State.PASS


# -- what vouches for nothing ------------------------------------------------------------------------------------------

Made = Callable[[tuple[Item, ...]], Ack]
VOID: dict[str, tuple[Made, str]] = {
    "a stranger's": (lambda items: ack(items, signer=EVE), "none of the signers"),
    "a stranger's under a signer's name": (lambda items: ack(items, key=key_of(EVE)), f"none of {KIM}'s"),
    "a signer's under another's name": (lambda items: ack(items, signer=LEE, key=key_of(KIM)), f"none of {LEE}'s"),
    "expired": (lambda items: ack(items, issued=NOW - timedelta(days=7)), "expired"),
    "expired long ago": (lambda items: ack(items, issued=NOW - timedelta(days=90)), "expired"),
    "of the future": (lambda items: ack(items, issued=NOW + timedelta(seconds=1)), "in the future"),
    "for another repository": (lambda items: ack(items, repository="acme/app"), "for the repository acme/app"),
    "for another branch": (lambda items: ack(items, target="refs/heads/release/1"), "refs/heads/release/1"),
    "for a tag of that name": (lambda items: ack(items, target="refs/tags/main"), "refs/tags/main"),
    "of another value": (lambda items: ack([one._replace(new=sha256("x")) for one in items]), "what was approved"),
    "of another beginning": (lambda items: ack([one._replace(old=sha256("x")) for one in items]), ""),
    "of another row": (lambda items: ack([one._replace(subject="x") for one in items]), "what was approved"),
    "of another kind": (lambda items: ack([one._replace(kind="file") for one in items]), "what was approved"),
    "of more than what stands": (
        lambda items: ack([*items, Item("row", "x", None, sha256("x"))]),
        "half of an approval is none",
    ),
}


@pytest.mark.parametrize(("made", "why"), VOID.values(), ids=VOID)
def test_an_ack_that_vouches_for_nothing(project: Project, made: Made, why: str) -> None:
    report = approve(project, made(branch(project, NEW_GOLDEN)))
    assert (report.state, rules(report.findings)) == (State.UNSCORED, {"digest-changed"})
    assert report.vouched == ()
    assert why in notes(report)


@pytest.mark.parametrize(("made", "why"), VOID.values(), ids=VOID)
def test_nobody_is_told_to_take_it_out(project: Project, made: Made, why: str) -> None:
    """It may be a good one elsewhere; and where it is none, a further one beside it is what counts."""
    items = branch(project, NEW_GOLDEN)
    report = approve(project, made(items))
    assert "ake it out" not in remedies(report)
    assert "`ledgergate ack --from main --to topic --target refs/heads/main`" in remedies(report)
    assert approve(project, ack(items, issued=NOW - timedelta(minutes=1))).state is State.PASS


def test_a_push_of_a_branch_that_nobody_protects_hears_nothing_of_its_acks(project: Project) -> None:
    approve(project, ack(branch(project, NEW_GOLDEN)))
    report = ranged(project.repo, trust=Trust("refs/heads/topic", default_branch=MAIN))
    assert (report.state, notes(report), report.aside) == (State.PASS, "", None)


def test_one_for_another_branch_is_a_line_without_a_remedy(project: Project) -> None:
    items = branch(project, NEW_GOLDEN)
    report = approve(project, ack(items, target="refs/heads/release/1"), ack(items))
    assert (report.state, "where it is judged" in notes(report)) == (State.PASS, True)
    assert [note.remedy for note in report.notes if note.rule == "ack-invalid"] == [""]


@pytest.mark.parametrize("made", [lambda items: ack(items, signer=EVE), lambda items: ack(items, days=0.01)])
@pytest.mark.parametrize("is_approved", [True, False])
def test_where_nothing_waits_nobody_is_sent_to_approve_it(project: Project, made: Made, is_approved: bool) -> None:
    items = branch(project, NEW_GOLDEN if is_approved else {"src/app.py": "x = 3\n"})
    report = approve(project, made(items or ITEMS), *([ack(items, signer=LEE)] if is_approved else []))
    assert (report.state, "vouches for nothing" in notes(report)) == (State.PASS, True)
    assert "ledgergate ack" not in remedies(report)


def test_nor_by_one_that_a_later_one_says_otherwise_than(project: Project) -> None:
    (item,) = branch(project, NEW_GOLDEN)
    slip = ack([item._replace(new=sha256("x"))], issued=NOW - timedelta(hours=2))
    report = approve(project, slip, ack([item]))
    assert (report.state, "vouches for nothing" in notes(report)) == (State.PASS, True)
    assert "ledgergate ack" not in remedies(report)


def test_what_was_taken_back_stays_where_a_newer_one_counts(project: Project) -> None:
    items = branch(project, NEW_GOLDEN)
    old = ack(items, issued=NOW - timedelta(hours=2))
    back = ack(revokes=old.name, issued=NOW - timedelta(hours=1))
    report = approve(project, old, back, ack(items, issued=NOW - timedelta(minutes=5)))
    assert (report.state, "revoked" in notes(report)) == (State.PASS, True)
    assert [note.remedy for note in report.notes if note.rule == "ack-invalid"] == [""]


def test_a_merge_says_nothing_of_acks_that_the_other_side_brings(project: Project) -> None:
    repo = project.repo
    repo.git("branch", "aside")
    approve(project, ack(branch(project, NEW_GOLDEN)))
    repo.commit({GOLDEN: "newest"}, "and on")
    repo.git("checkout", "-q", "aside")
    repo.commit({"src/app.py": "x = 3\n"}, "moved on")
    repo.git("merge", "-q", "--no-commit", "--no-ff", "topic")
    assert notes(project.staged({}, HUMAN)) == ""


def test_it_counts_until_the_second_in_which_it_expires(project: Project) -> None:
    issued = NOW - timedelta(days=7)
    approve(project, ack(branch(project, NEW_GOLDEN), issued=issued + timedelta(seconds=1)))
    assert ranged(project.repo).state is State.PASS
    assert ranged(project.repo, now=NOW + timedelta(seconds=1)).state is State.UNSCORED


def test_for_a_branch_that_nobody_names_none_counts(project: Project) -> None:
    approve(project, ack(branch(project, NEW_GOLDEN)))
    report = ranged(project.repo, trust=Trust())
    assert report.state is State.UNSCORED
    assert "`--target refs/heads/main`" in remedies(report)
    assert "ledgergate ack" not in remedies(report)


def test_a_policys_name_is_compared(repo: Repo) -> None:
    project = Project(repo, {**GUARDED, "ledgergate.toml": 'version = 1\nname = "acme/app"\n'})
    items = branch(project, NEW_GOLDEN)
    assert approve(project, ack(items)).state is State.UNSCORED
    assert approve(project, ack(items, repository="acme/app")).state is State.PASS


def test_a_name_in_head_is_not(project: Project) -> None:
    policy = {"ledgergate.toml": 'version = 1\nname = "acme/app"\n'}
    items = branch(project, {**NEW_GOLDEN, **policy})
    assert approve(project, ack(items, repository="acme/app")).state is State.UNSCORED
    assert approve(project, ack(items)).state is State.PASS


LINE = 'namespaces="ledgergate-ack"'


@pytest.mark.parametrize(
    ("options", "state"),
    [
        (f'{LINE},valid-before="20261202"', State.PASS),
        (f'{LINE},valid-before="20261201"', State.UNSCORED),
        (f'{LINE},valid-after="20261201"', State.PASS),
        # It was signed before the day, and is judged before it, too.
        (f'{LINE},valid-after="20261202"', State.UNSCORED),
        ('namespaces="git"', State.UNSCORED),
    ],
)
def test_a_key_counts_at_the_time_of_the_judging(repo: Repo, options: str, state: State) -> None:
    project = Project(repo, {**GUARDED, SIGNERS_PATH: signers(KIM, options=options) + signers(LEE)})
    assert approve(project, ack(branch(project, NEW_GOLDEN))).state is state


def test_a_key_of_several_lines_counts_where_one_does(repo: Repo) -> None:
    lines = signers(KIM, options=f'{LINE},valid-before="20200101"') + signers(KIM)
    project = Project(repo, {**GUARDED, SIGNERS_PATH: lines})
    assert approve(project, ack(branch(project, NEW_GOLDEN))).state is State.PASS


class TestSigners:
    """They stand in the default branch, and never in the change."""

    def test_a_change_that_adds_its_own_signer(self, project: Project) -> None:
        items = branch(project, {**NEW_GOLDEN, SIGNERS_PATH: signers(KIM, LEE, EVE)})
        report = approve(project, ack(items, signer=EVE))
        assert (report.state, report.vouched) == (State.UNSCORED, ())

    def test_where_there_is_no_list_nobody_vouches(self, repo: Repo) -> None:
        project = Project(repo, {path: content for path, content in GUARDED.items() if path != SIGNERS_PATH})
        assert approve(project, ack(branch(project, NEW_GOLDEN))).state is State.UNSCORED

    def test_a_removed_key_is_no_key_any_more(self, project: Project) -> None:
        approve(project, ack(branch(project, NEW_GOLDEN)))
        project.repo.git("checkout", "-q", "main")
        project.repo.commit({SIGNERS_PATH: signers(LEE)}, "Kim has left")
        assert ranged(project.repo).state is State.UNSCORED

    @pytest.mark.parametrize("line", ["kim", f"* {LINE} KEY", "eve KEY"])
    def test_with_a_broken_line_nobody_vouches(self, repo: Repo, line: str) -> None:
        project = Project(repo, {**GUARDED, SIGNERS_PATH: signers(KIM) + line.replace("KEY", public_of(EVE))})
        report = approve(project, ack(branch(project, NEW_GOLDEN)))
        assert report.state is State.UNSCORED
        assert "line 2" in " ".join(seen.message for seen in report.findings)

    def test_a_broken_one_in_head_is_excused_by_no_ack(self, project: Project) -> None:
        items = branch(project, {SIGNERS_PATH: "kim\n"})
        report = approve(project, ack(items))
        assert states(report, "policy-unreadable") == {State.UNSCORED}

    def test_the_servers_own_list_outweighs(self, project: Project) -> None:
        approve(project, ack(branch(project, NEW_GOLDEN), signer=EVE))
        assert ranged(project.repo, trust=TO_MAIN._replace(signers=signers(EVE).encode())).state is State.PASS
        assert ranged(project.repo, trust=TO_MAIN._replace(signers=b"")).state is State.UNSCORED

    @pytest.mark.parametrize(("main", "state"), [((KIM,), State.PASS), ((LEE,), State.UNSCORED)])
    def test_of_another_branch_are_those_of_the_default_branch(
        self, project: Project, main: tuple[str, ...], state: State
    ) -> None:
        repo = project.repo
        repo.git("branch", "release")
        repo.commit({SIGNERS_PATH: signers(*main)})
        repo.git("checkout", "-q", "-b", "topic", "release")
        repo.commit(NEW_GOLDEN)
        target = "refs/heads/release/1"
        repo.commit(files(ack(contract(repo, "release"), target=target)))
        assert ranged(repo, "release", trust=Trust(target, default_branch=MAIN)).state is state

    def test_after_a_push_base_stands_for_the_default_branch(self, project: Project) -> None:
        """The default branch's tip is the change itself then."""
        repo = project.repo
        before = repo.git("rev-parse", "HEAD")
        repo.commit({**NEW_GOLDEN, SIGNERS_PATH: signers(KIM, LEE, EVE)})
        repo.commit(files(ack(contract(repo, before, "main"), signer=EVE)))
        for trust in (TO_MAIN, Trust("refs/heads/release/2", default_branch=MAIN)):
            assert ranged(repo, before, "main", exact=True, trust=trust).state is State.UNSCORED


# -- what is no ack ----------------------------------------------------------------------------------------------------


def _turned(one: Ack, old: bytes, new: bytes) -> Edit:
    assert old in one.file_bytes
    return {f"{ACKS}/{one.name}": one.file_bytes.replace(old, new)}


def _renamed(one: Ack, name: str) -> Edit:
    return {f"{ACKS}/{name}": one.file_bytes}


NO_ACK: dict[str, Callable[[Ack], Edit]] = {
    "empty": lambda one: {f"{ACKS}/{one.name}": ""},
    "no JSON": lambda one: {f"{ACKS}/{one.name}": "{"},
    "a key twice": lambda one: _turned(one, b'"signer":', b'"signer":"eve@example.org","signer":'),
    "a name of its own": lambda one: _renamed(one, "mine.json"),
    "the name of another": lambda one: _renamed(one, f"{'a' * 64}.json"),
    "its name in capitals": lambda one: _renamed(one, one.name.upper()),
    "another ending": lambda one: _renamed(one, one.name.removesuffix(".json")),
    "in a folder": lambda one: _renamed(one, f"2026/{one.name}"),
    "another target under the old name": lambda one: _turned(one, b"refs/heads/main", b"refs/heads/mean"),
    "another target": lambda one: files(one._replace(target="refs/heads/other")),
    "a later end": lambda one: files(one._replace(expires=one.expires + timedelta(days=1))),
    "another signer": lambda one: files(one._replace(signer=LEE)),
    "another value": lambda one: files(one._replace(changes=(one.changes[0]._replace(new=sha256("x")),))),
    "the signature of another": lambda one: files(one._replace(signature=ack(revokes=f"{'b' * 64}.json").signature)),
    "no signature": lambda one: files(one._replace(signature="")),
    "a note": lambda _: {f"{ACKS}/README.md": "our acks\n"},
    "a conftest": lambda _: {f"{ACKS}/conftest.py": "x = 1\n"},
    "attributes": lambda _: {f"{ACKS}/.gitattributes": "* text\n"},
}  # fmt: skip


@pytest.mark.parametrize("made", NO_ACK.values(), ids=NO_ACK)
@pytest.mark.parametrize("moment", ["staged", "range"])
def test_what_is_no_ack_is_refused_whoever_added_it(project: Project, made: Callable[[Ack], Edit], moment: str) -> None:
    one = ack(branch(project, NEW_GOLDEN))
    edit = made(one)
    if moment == "staged":
        report = project.staged(edit, HUMAN)
    else:
        project.repo.commit(edit)
        report = ranged(project.repo)
        assert report.vouched == ()
    assert State.FAIL in states(report, "ack-invalid")
    assert report.state is State.FAIL
    (remedy,) = {seen.remedy for seen in report.findings if seen.rule == "ack-invalid" and seen.state is State.FAIL}
    assert ("`ledgergate ack --staged`" if moment == "staged" else "`ledgergate ack --from main --to ") in remedy


@pytest.mark.parametrize("mode", ["100755", "120000", "160000"], ids=["program", "link", "submodule"])
def test_nor_is_what_is_no_plain_file(project: Project, mode: str) -> None:
    one = ack(branch(project, NEW_GOLDEN))
    path = f"{ACKS}/{one.name}"
    if mode == "160000":
        project.repo.git(
            "update-index", "--add", "--cacheinfo", f"{mode},{project.repo.git('rev-parse', 'HEAD')},{path}"
        )
    else:
        project.repo.stage_blob(path, one.file_bytes, mode)
    project.repo.git("commit", "-q", "-m", "x")
    report = ranged(project.repo)
    assert (State.FAIL in states(report, "ack-invalid"), report.vouched) == (True, ())


def test_what_lies_beside_the_folder_is_no_ack_at_all(project: Project) -> None:
    one = ack(branch(project, NEW_GOLDEN))
    for folder in (".ledgergate/ACKS", ".Ledgergate/acks", ".ledgergate"):
        project.repo.stage_blob(f"{folder}/{one.name}", one.file_bytes)
    project.repo.git("commit", "-q", "-m", "x")
    assert ranged(project.repo).vouched == ()


def test_a_link_for_the_folder_holds_none(project: Project) -> None:
    one = ack(branch(project, NEW_GOLDEN))
    project.repo.git("rm", "-r", "-q", ACKS)
    project.repo.stage_blob(ACKS, b"../elsewhere", "120000")
    project.repo.stage_blob(f"elsewhere/{one.name}", one.file_bytes)
    project.repo.git("commit", "-q", "-m", "x")
    assert ranged(project.repo).vouched == ()


@pytest.mark.parametrize(("most", "state"), [(2, State.PASS), (1, State.UNSCORED)])
def test_of_too_many_none_is_looked_at(
    project: Project, monkeypatch: pytest.MonkeyPatch, most: int, state: State
) -> None:
    items = branch(project, NEW_GOLDEN)
    approve(project, ack(items), ack(items, signer=LEE))
    monkeypatch.setattr("ledgergate.vouch.acks.added.MOST", most)
    report = ranged(project.repo)
    assert report.state is state
    if state is State.UNSCORED:
        assert states(report, "ack-invalid") == {State.UNSCORED}
        assert report.vouched == ()


def test_without_ssh_keygen_nothing_is_judged(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    approve(project, ack(branch(project, NEW_GOLDEN)))
    monkeypatch.setattr("ledgergate.vouch.acks.keygen._SIGNER", "nobody")
    monkeypatch.setattr("ledgergate.vouch.acks.keygen._GOOD", "what it does not say")
    report = ranged(project.repo)
    assert states(report, "ack-invalid") == {State.UNSCORED}
    assert report.vouched == ()


def test_a_link_is_vouched_for_by_no_bytes(project: Project) -> None:
    """The bytes of a link are those of a file that holds its target."""
    project.repo.git("checkout", "-q", "-b", "topic")
    project.repo.stage_blob("tests/conftest.py", b"../evil.py", "120000")
    project.repo.git("commit", "-q", "-m", "x")
    assert approve(project, ack(contract(project.repo))).state is State.UNSCORED


def test_the_mode_of_a_protected_file_can_be_approved(project: Project) -> None:
    project.repo.git("checkout", "-q", "-b", "topic")
    project.repo.git("update-index", "--chmod=+x", "tests/conftest.py")
    project.repo.git("commit", "-q", "-m", "x")
    assert ranged(project.repo).state is State.UNSCORED
    assert approve(project, ack(contract(project.repo))).state is State.PASS


# -- at the client -----------------------------------------------------------------------------------------------------


def test_at_the_client_a_human_is_told_who_approved(project: Project) -> None:
    items = branch(project, NEW_GOLDEN)
    project.repo.git("checkout", "-q", "main")
    report = project.staged({**NEW_GOLDEN, **files(ack(items))}, HUMAN)
    assert report.state is State.PASS
    assert dict(report.vouched) == dict.fromkeys(items, KIM)


def test_and_an_agent_is_refused_all_the_same(project: Project) -> None:
    items = branch(project, NEW_GOLDEN)
    project.repo.git("checkout", "-q", "main")
    assert project.staged({**NEW_GOLDEN, **files(ack(items))}).state is State.FAIL


def test_an_agent_may_stage_an_ack_alone(project: Project) -> None:
    one = ack(branch(project, NEW_GOLDEN))
    assert project.staged(files(one)).state is State.PASS


# -- removal -----------------------------------------------------------------------------------------------------------

LANDED: Mapping[str, tuple[datetime, int, State]] = {
    "alive": (NOW - timedelta(days=6), 7, State.FAIL),
    "expired": (NOW - timedelta(days=7), 7, State.FAIL),
    "as old as any that is alive": (NOW - timedelta(days=30) + timedelta(seconds=1), 7, State.FAIL),
    "older": (NOW - timedelta(days=30), 7, State.PASS),
}


@pytest.mark.parametrize(("issued", "days", "state"), LANDED.values(), ids=LANDED)
def test_only_a_human_removes_one_beside_which_an_older_may_be_alive(
    repo: Repo, issued: datetime, days: int, state: State
) -> None:
    one = ack([Item("row", "x", None, sha256("x"))], issued=issued, days=days)
    project = Project(repo, {**GUARDED, **files(one)})
    gone: Edit = dict.fromkeys(files(one))
    assert project.staged(gone).state is state
    assert project.staged({}, HUMAN).state is State.PASS


# By whom and what for: whoever is no signer has said nothing.
WORDS: dict[str, tuple[Callable[[], Ack], State]] = {
    "a stranger's": (lambda: ack(ITEMS, signer=EVE), State.PASS),
    "a stranger's under a signer's name": (lambda: ack(ITEMS, key=key_of(EVE)), State.PASS),
    "a stranger's revocation": (lambda: ack(revokes=f"{'a' * 64}.json", signer=EVE), State.PASS),
    "a signer's": (lambda: ack(ITEMS), State.FAIL),
    "a signer's revocation": (lambda: ack(revokes=f"{'a' * 64}.json"), State.FAIL),
    "a signer's for another branch": (lambda: ack(ITEMS, target="refs/heads/release/1"), State.FAIL),
    "a signer's that expired": (lambda: ack(ITEMS, issued=NOW - timedelta(days=8)), State.FAIL),
    "a signer's with a signature that is none": (lambda: ack(ITEMS)._replace(signature=NO_SIGNATURE), State.FAIL),
}
NO_SIGNATURE = "-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----"


@pytest.mark.parametrize(("made", "state"), WORDS.values(), ids=WORDS)
def test_only_a_human_removes_a_signers_word(repo: Repo, made: Callable[[], Ack], state: State) -> None:
    project = Project(repo, {**GUARDED, **files(made())})
    assert project.staged(dict.fromkeys(files(made()))).state is state


def test_nor_one_that_a_signer_took_back(repo: Repo) -> None:
    one = ack(ITEMS)
    project = Project(repo, {**GUARDED, **files(one, ack(revokes=one.name))})
    assert project.staged(dict.fromkeys(files(one))).state is State.FAIL


@pytest.mark.parametrize("lines", ["", "kim\n"], ids=["no signers", "signers that cannot be read"])
def test_where_nobody_knows_the_signers_it_may_be_anybodys(repo: Repo, lines: str) -> None:
    one = ack(ITEMS, signer=EVE)
    project = Project(repo, {**GUARDED, SIGNERS_PATH: lines, **files(one)})
    assert "ack-removed" in rules(project.staged(dict.fromkeys(files(one))).findings)


def test_a_strangers_edited_is_as_good_as_another_added(repo: Repo) -> None:
    one = ack(ITEMS, signer=EVE)
    project = Project(repo, {**GUARDED, **files(one)})
    assert project.staged(dict.fromkeys(files(one), "{}")).state is State.FAIL


@pytest.mark.parametrize("signer", [EVE, KIM])
def test_on_a_range_too(repo: Repo, signer: str) -> None:
    one = ack(ITEMS, signer=signer)
    project = Project(repo, {**GUARDED, **files(one)})
    assert (branch(project, dict.fromkeys(files(one))) == ()) is (signer == EVE)
    assert ranged(repo).state is (State.PASS if signer == EVE else State.UNSCORED)


@pytest.mark.parametrize("ago", [1, 40])
def test_nor_edits_one_alive_or_not(repo: Repo, ago: int) -> None:
    one = ack([Item("row", "x", None, sha256("x"))], issued=NOW - timedelta(days=ago))
    project = Project(repo, {**GUARDED, **files(one)})
    report = project.staged({path: content + b" " for path, content in files(one).items()})  # type: ignore[operator]
    assert states(report, "ack-removed") == {State.FAIL}


def test_a_revocation_stays_until_nothing_that_it_takes_back_can_live(repo: Repo) -> None:
    one = ack(revokes=f"{'a' * 64}.json", issued=NOW - timedelta(days=20), days=7)
    project = Project(repo, {**GUARDED, **files(one)})
    assert project.staged(dict.fromkeys(files(one))).state is State.FAIL


# -- four eyes, presence -----------------------------------------------------------------------------------------------


def four_eyes(repo: Repo, lines: str = "") -> Project:
    policy = "version = 1\n[vouch]\nfour_eyes = true\n"
    return Project(repo, {**GUARDED, "ledgergate.toml": policy, SIGNERS_PATH: lines or signers(KIM, LEE)})


def by(person: str, role: str = "AUTHOR") -> dict[str, str]:
    return {f"GIT_{role}_EMAIL": person}


class TestFourEyes:
    """The commits of these tests are Kim's, unless they say otherwise."""

    def test_another_signer_counts(self, repo: Repo) -> None:
        project = four_eyes(repo)
        assert approve(project, ack(branch(project, NEW_GOLDEN), signer=LEE)).state is State.PASS

    def test_who_made_it_does_not(self, repo: Repo) -> None:
        project = four_eyes(repo)
        report = approve(project, ack(branch(project, NEW_GOLDEN)))
        assert report.state is State.UNSCORED
        assert "four eyes" in notes(report)

    @pytest.mark.parametrize(("role", "who"), [("AUTHOR", "Lee@Example.org"), ("COMMITTER", LEE)])
    def test_nor_who_wrote_or_committed_it(self, repo: Repo, role: str, who: str) -> None:
        project = four_eyes(repo)
        repo.git("checkout", "-q", "-b", "topic")
        repo.commit(NEW_GOLDEN, env=by(who, role))
        assert approve(project, ack(contract(repo), signer=LEE)).state is State.UNSCORED

    @pytest.mark.parametrize(
        ("trailer", "state"),
        [
            (f"Co-authored-by: lee <{LEE}>", State.UNSCORED),
            (f"co-authored-by: Lee <{LEE.upper()}>, Eve <eve@example.org>", State.UNSCORED),
            ("Co-authored-by: eve <eve@example.org>", State.PASS),
            (f"Reviewed-by: lee <{LEE}>", State.PASS),
        ],
    )
    def test_nor_who_is_a_co_author(self, repo: Repo, trailer: str, state: State) -> None:
        project = four_eyes(repo)
        repo.git("checkout", "-q", "-b", "topic")
        repo.commit(NEW_GOLDEN, trailers=(trailer,))
        assert approve(project, ack(contract(repo), signer=LEE)).state is state

    def test_nor_who_made_one_step_of_it(self, repo: Repo) -> None:
        project = four_eyes(repo)
        repo.git("checkout", "-q", "-b", "topic")
        repo.commit(OTHER_NEW, env=by(LEE))
        repo.commit(NEW_GOLDEN)
        assert approve(project, ack(contract(repo), signer=LEE)).state is State.UNSCORED

    def test_nor_who_broke_the_ledger_that_was_written_anew(self, repo: Repo) -> None:
        project = four_eyes(repo)
        repo.git("checkout", "-q", "-b", "topic")
        repo.commit({LEDGER: f"{GUARDED[LEDGER]}\t- broken\n"}, env=by(LEE))
        repo.commit(NEW_GOLDEN)
        assert approve(project, ack(contract(repo), signer=LEE)).state is State.UNSCORED

    def test_who_made_something_else_does(self, repo: Repo) -> None:
        project = four_eyes(repo)
        items = branch(project, NEW_GOLDEN)
        repo.commit({"src/app.py": "x = 4\n"}, env=by(LEE))
        assert approve(project, ack(items, signer=LEE)).state is State.PASS

    @pytest.mark.parametrize("edit", [EDITS["a protected file"], EDITS["a freeze"], EDITS["a renamed row"]])
    def test_of_whatever_kind(self, repo: Repo, edit: Edit) -> None:
        project = four_eyes(repo)
        items = branch(project, edit)
        assert approve(project, ack(items)).state is State.UNSCORED
        assert approve(project, ack(items, signer=LEE)).state is State.PASS

    def test_one_key_is_one_person(self, repo: Repo) -> None:
        boss = signers(KIM).replace(KIM, "boss@example.org")
        project = four_eyes(repo, signers(KIM) + boss)
        items = branch(project, NEW_GOLDEN)
        assert approve(project, ack(items, signer="boss@example.org", key=key_of(KIM))).state is State.UNSCORED

    def test_and_so_is_one_name_with_two_keys(self, repo: Repo) -> None:
        both = signers(KIM) + signers(LEE).replace(LEE, f"{KIM},boss@example.org")
        project = four_eyes(repo, both)
        items = branch(project, NEW_GOLDEN)
        assert approve(project, ack(items, signer="boss@example.org", key=key_of(LEE))).state is State.UNSCORED


def test_with_presence_a_key_that_nobody_touches_does_not_count(repo: Repo) -> None:
    project = Project(repo, {**GUARDED, "ledgergate.toml": "version = 1\n[vouch]\nrequire_presence = true\n"})
    report = approve(project, ack(branch(project, NEW_GOLDEN)))
    assert report.state is State.UNSCORED
    assert "presence" in notes(report)


def test_head_cannot_switch_four_eyes_or_presence_off(repo: Repo) -> None:
    project = four_eyes(repo)
    items = branch(project, {**NEW_GOLDEN, "ledgergate.toml": "version = 1\n"})
    assert approve(project, ack(items)).state is State.UNSCORED
