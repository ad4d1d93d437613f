"""Which branch a revision names, and which one is the default."""

from __future__ import annotations

import pytest

from ledgergate.git import Repository, between
from support.repo import Repo


@pytest.fixture
def cloned(repo: Repo) -> Repo:
    """A clone whose remote has the branches main and release/1, and which has a branch of its own."""
    repo.commit({"a": "1"}, "base")
    repo.git("branch", "release/1")
    clone = Repo(repo.path.parent / "clone", init=False)
    repo.git("clone", "-q", str(repo.path), str(clone.path))
    clone.configure()
    clone.git("checkout", "-q", "-b", "topic")
    clone.git("tag", "v1")
    return clone


NAMES = {
    "main": "refs/heads/main",
    "refs/heads/main": "refs/heads/main",
    "origin/main": "refs/heads/main",
    "refs/remotes/origin/main": "refs/heads/main",
    "origin/release/1": "refs/heads/release/1",
    "topic": "refs/heads/topic",
    "release/1": None,
    "v1": None,
    "refs/tags/v1": None,
    "HEAD": None,
    "main~0": None,
    "": None,
    "no/such": None,
}


@pytest.mark.parametrize(("revision", "name"), NAMES.items(), ids=NAMES)
def test_the_branch_that_a_revision_names(cloned: Repo, revision: str, name: str | None) -> None:
    assert Repository(str(cloned.path)).branch_named(revision) == name


def test_a_commit_id_names_none(cloned: Repo) -> None:
    assert Repository(str(cloned.path)).branch_named(cloned.git("rev-parse", "main")) is None


def test_the_default_branch_by_the_name_that_it_has_at_the_remote(cloned: Repo) -> None:
    found = Repository(str(cloned.path)).default_ref()
    assert found is not None
    assert (found.name, found.as_pushed) == ("refs/remotes/origin/main", "refs/heads/main")


def test_without_a_remote_it_is_main_even_where_that_is_checked_out(repo: Repo) -> None:
    commit = repo.commit({"a": "1"})
    found = Repository(str(repo.path)).default_ref()
    assert found is not None
    assert (found.name, found.commit) == ("refs/heads/main", commit)


def test_its_tip_stands_for_itself_until_the_change_is_a_part_of_it(cloned: Repo) -> None:
    main = cloned.git("rev-parse", "main")
    new = cloned.commit({"a": "2"})
    repository = Repository(str(cloned.path))
    tip = between(repository, main, new).default
    assert tip is not None
    assert tip.id == repository.snapshot(main).id
    cloned.git("update-ref", "refs/remotes/origin/main", new)
    assert between(Repository(str(cloned.path)), main, new).default is None


def test_there_may_be_none(repo: Repo) -> None:
    repo.git("checkout", "-q", "-b", "trunk")
    one = repo.commit({"a": "1"})
    two = repo.commit({"a": "2"})
    repository = Repository(str(repo.path))
    assert (repository.default_ref(), between(repository, one, two).default) == (None, None)
