"""Tries to use an approval a second time, or for something else: none of them vouches."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from ledgergate.values import Item, State
from ledgergate.vouch import Trust
from support.acks import ACKS, GUARDED, KIM, LEE, MAIN, SIGNERS_PATH, ack, contract, files, ranged, signers
from support.project import (
    BASE,
    GOLDEN,
    LEDGER,
    LOCKED,
    NOW,
    OTHER_GOLDEN,
    OTHER_LOCKED,
    Edit,
    Project,
    edited,
    rows,
    sha256,
)
from support.repo import Repo

pytestmark = pytest.mark.slow

HOURS = timedelta(hours=1)


def golden(content: str, old: str = "header") -> Edit:
    return {GOLDEN: content, **rows((LOCKED, edited(LOCKED, sha256(old), sha256(content))))}


BACK: Edit = {GOLDEN: BASE[GOLDEN], LEDGER: BASE[LEDGER]}


class History:
    """A repository in which approved changes land, one after another; the clock of acks goes on by an hour each."""

    def __init__(self, repo: Repo) -> None:
        self.repo = repo
        self.hour = -24
        Project(repo, GUARDED)

    def branch(self, *edits: Edit, start: str = "main") -> tuple[Item, ...]:
        self.repo.git("checkout", "-q", "-B", "topic", start)
        for edit in edits:
            self.repo.commit(edit)
        return contract(self.repo)

    def approved(self, *edits: Edit, **options: object) -> Edit:
        """A branch whose contract is approved; the ack's file."""
        items = self.branch(*edits)
        self.hour += 1
        made = files(ack(items, issued=NOW + self.hour * HOURS, **options))  # type: ignore[arg-type]
        self.repo.commit(made)
        assert options or ranged(self.repo).state is State.PASS
        return made

    def landed(self, *edits: Edit) -> Edit:
        made = self.approved(*edits)
        self.repo.git("checkout", "-q", "main")
        self.repo.git("merge", "-q", "--no-ff", "--no-edit", "topic")
        return made

    def try_(self, *edits: Edit) -> State:
        """What becomes of these edits, each in a commit of its own on main's tip."""
        self.branch(*edits)
        return ranged(self.repo).state


def again(history: History) -> State:
    """The change is taken back with an approval, and made once more with its first one, whose file is there."""
    history.landed(golden("new"))
    history.landed(BACK)
    return history.try_(golden("new"))


def again_with_the_file_taken_away_between(history: History) -> State:
    """In one branch: base has the file, whatever happened on the way."""
    made = history.landed(golden("new"))
    history.landed(BACK)
    return history.try_(dict.fromkeys(made), {**golden("new"), **made})


def reverted_by_git(history: History) -> State:
    """A revert of the revert brings back the golden, its row and nothing that vouches."""
    history.landed(golden("new"))
    history.landed(BACK)
    history.repo.git("checkout", "-q", "-B", "topic", "main")
    history.repo.git("revert", "--no-edit", "-m", "1", "HEAD")
    return ranged(history.repo).state


def reverted_without_an_approval(history: History) -> State:
    """The revert needs an approval of its own: the first one does not lead backwards."""
    history.landed(golden("new"))
    return history.try_(BACK)


def never_landed_and_superseded(history: History) -> State:
    """An approval that was left lying on a branch; since then the row went elsewhere and came back."""
    old = history.approved(golden("new"))
    history.landed(golden("other"))
    history.landed(BACK)
    return history.try_({**golden("new"), **old})


def an_older_one_on_the_same_branch(history: History) -> State:
    """Two proposals were approved, the later one is meant."""
    first = history.approved(golden("new"))
    second = history.approved(golden("newer"))
    return history.try_({**golden("new"), **first, **second})


def for_another_branch(history: History) -> State:
    made = history.approved(golden("new"), target="refs/heads/release/1")
    return history.try_({**golden("new"), **made})


def of_another_repository(history: History) -> State:
    made = history.approved(golden("new"), repository="acme/other")
    return history.try_({**golden("new"), **made})


def of_another_row(history: History) -> State:
    """The same digests, in the row of another test."""
    made = history.approved(golden("new"))
    row = edited(OTHER_LOCKED, sha256("other"), sha256("new"))
    return history.try_({OTHER_GOLDEN: "new", **rows((OTHER_LOCKED, row)), **made})


def of_another_value(history: History) -> State:
    made = history.approved(golden("new"))
    return history.try_({**golden("newest"), **made})


def of_another_beginning(history: History) -> State:
    """Main has moved on; the approval was of a step from what it was."""
    made = history.approved(golden("new"))
    history.landed(golden("other"))
    return history.try_({**golden("new", "header"), **made})


def with_more(history: History) -> State:
    made = history.approved(golden("new"))
    return history.try_({**golden("new"), **made, "tests/conftest.py": "x = 1\n"})


def a_half(history: History) -> State:
    made = history.approved({**golden("new"), "tests/conftest.py": "x = 1\n"})
    return history.try_({**golden("new"), **made})


def an_edit_after_it(history: History) -> State:
    history.approved(golden("new"))
    history.repo.commit(golden("newer"))
    return ranged(history.repo).state


def expired(history: History) -> State:
    history.hour = -24 * 8
    made = history.approved(golden("new"), days=7)
    return history.try_({**golden("new"), **made})


def revoked_before(history: History) -> State:
    (path,) = made = history.approved(golden("new"))
    taken_back = ack(revokes=path.rpartition("/")[2], signer=LEE, issued=NOW - HOURS, days=30)
    history.repo.git("checkout", "-q", "main")
    history.repo.commit(files(taken_back))
    return history.try_({**golden("new"), **made})


def revoked_in_the_same_change(history: History) -> State:
    (path,) = made = history.approved(golden("new"))
    taken_back = ack(revokes=path.rpartition("/")[2], signer=LEE, issued=NOW - HOURS, days=30)
    return history.try_({**golden("new"), **made, **files(taken_back)})


def revoked_and_the_revocation_removed(history: History) -> State:
    (path,) = made = history.approved(golden("new"))
    taken_back = files(ack(revokes=path.rpartition("/")[2], issued=NOW - HOURS, days=1))
    history.repo.git("checkout", "-q", "main")
    history.repo.commit(taken_back)
    return history.try_({**golden("new"), **made, **dict.fromkeys(taken_back)})


def in_the_name_of_a_signer_who_has_left(history: History) -> State:
    made = history.approved(golden("new"))
    history.repo.git("checkout", "-q", "main")
    history.repo.commit({SIGNERS_PATH: signers(LEE)})
    return history.try_({**golden("new"), **made})


def taken_out_alive_and_added_again(history: History) -> State:
    """Humans have approved that its file goes; what it says is older than what was said since."""
    made = history.landed(golden("new"))
    history.landed({**BACK, **dict.fromkeys(made)})
    return history.try_({**golden("new"), **made})


def of_another_kind(history: History) -> State:
    """The same name and values, said of a file."""
    items = history.branch(golden("new"))
    return history.try_({**golden("new"), **files(ack(one._replace(kind="file") for one in items))})


def backwards(history: History) -> State:
    """The same two values, the other way round."""
    items = history.branch(golden("new"))
    turned = (one._replace(old=one.new, new=one.old) for one in items)
    return history.try_({**golden("new"), **files(ack(turned))})


def as_a_copy_with_another_name(history: History) -> State:
    made = history.landed(golden("new"))
    history.landed(BACK)
    (content,) = made.values()
    return history.try_({**golden("new"), f"{ACKS}/{'b' * 64}.json": content})


def as_a_copy_that_is_written_otherwise(history: History) -> State:
    """White space is no part of what is signed; the name still is taken, and base has it."""
    made = history.landed(golden("new"))
    history.landed(BACK)
    return history.try_({**golden("new"), **{path: b" " + bytes(data) for path, data in made.items()}})  # type: ignore[arg-type]


TRIES: tuple[Callable[[History], State], ...] = (
    again,
    again_with_the_file_taken_away_between,
    reverted_by_git,
    reverted_without_an_approval,
    never_landed_and_superseded,
    an_older_one_on_the_same_branch,
    for_another_branch,
    of_another_repository,
    of_another_row,
    of_another_value,
    of_another_beginning,
    with_more,
    a_half,
    an_edit_after_it,
    expired,
    revoked_before,
    revoked_in_the_same_change,
    revoked_and_the_revocation_removed,
    in_the_name_of_a_signer_who_has_left,
    taken_out_alive_and_added_again,
    of_another_kind,
    backwards,
    as_a_copy_with_another_name,
    as_a_copy_that_is_written_otherwise,
)


@pytest.mark.parametrize("attempt", TRIES, ids=lambda attempt: attempt.__name__)
def test_no_try_vouches(repo: Repo, attempt: Callable[[History], State]) -> None:
    assert attempt(History(repo)) in (State.UNSCORED, State.FAIL)


class TestHonestTwins:
    def test_a_change_lands_is_taken_back_and_made_again_each_with_an_approval(self, repo: Repo) -> None:
        history = History(repo)
        for edit in (golden("new"), BACK, golden("new")):
            history.landed(edit)

    def test_a_revocation_by_a_stranger_takes_nothing_back(self, repo: Repo) -> None:
        history = History(repo)
        (path,) = made = history.approved(golden("new"))
        theirs = files(ack(revokes=path.rpartition("/")[2], signer="eve@example.org"))
        assert history.try_({**golden("new"), **made, **theirs}) is State.PASS

    def test_a_revocation_of_another_takes_nothing_back(self, repo: Repo) -> None:
        history = History(repo)
        made = history.approved(golden("new"))
        other = files(ack(revokes=f"{'c' * 64}.json"))
        assert history.try_({**golden("new"), **made, **other}) is State.PASS

    def test_what_a_stranger_said_since_supersedes_nothing(self, repo: Repo) -> None:
        history = History(repo)
        items = history.branch(golden("new"))
        later = ack([one._replace(new=sha256("x")) for one in items], signer="eve@example.org", issued=NOW)
        history.repo.git("checkout", "-q", "main")
        history.repo.commit(files(later))
        assert history.try_({**golden("new"), **files(ack(items))}) is State.PASS

    def test_nor_does_what_a_signer_said_of_another_branch(self, repo: Repo) -> None:
        history = History(repo)
        items = history.branch(golden("new"))
        elsewhere = [one._replace(new=sha256("x")) for one in items]
        later = ack(elsewhere, signer=LEE, issued=NOW - timedelta(minutes=1), target="refs/heads/release/1")
        history.repo.git("checkout", "-q", "main")
        history.repo.commit(files(later))
        assert history.try_({**golden("new"), **files(ack(items))}) is State.PASS

    def test_nor_what_was_revoked(self, repo: Repo) -> None:
        history = History(repo)
        items = history.branch(golden("new"))
        slip = ack([one._replace(new=sha256("x")) for one in items], signer=LEE, issued=NOW - timedelta(minutes=1))
        history.repo.git("checkout", "-q", "main")
        history.repo.commit(files(slip))
        assert history.try_({**golden("new"), **files(ack(items))}) is State.UNSCORED
        history.repo.git("checkout", "-q", "main")
        history.repo.commit(files(ack(revokes=slip.name, signer=LEE)))
        assert history.try_({**golden("new"), **files(ack(items))}) is State.PASS

    def test_a_backport_has_an_approval_of_its_own(self, repo: Repo) -> None:
        history = History(repo)
        repo.git("branch", "release")
        history.landed(golden("new"))
        repo.git("checkout", "-q", "-B", "topic", "release")
        repo.commit(edit := {"tests/conftest.py": "x = 1\n"})
        target = "refs/heads/release/1"
        assert edit
        repo.commit(files(ack(contract(repo, "release"), target=target, signer=KIM)))
        assert ranged(repo, "release", trust=Trust(target, default_branch=MAIN)).state is State.PASS
