"""A tree with some files put in place of others is the one that git would make of them."""

from __future__ import annotations

import pytest

from ledgergate.errors import LedgergateError
from ledgergate.git import Entry, Repository, Snapshot
from ledgergate.git.overlay import overlaid
from support.repo import Repo


def tree(repo: Repo) -> tuple[Repository, Snapshot]:
    repository = Repository(str(repo.path))
    return repository, repository.snapshot(repository.head_commit())


def test_contents_entries_and_absences(repo: Repo) -> None:
    repo.commit({"a": "1", "b/c": "2", "b/d": "3", ".gitattributes": "*.txt text\n"})
    (repo.path / "a").chmod(0o755)
    repo.commit({"a": "1"})
    repository, before = tree(repo)
    files = {"a": b"new", "b/c": None, "b/d": None, "x/y.txt": b"1\r\n2\r\n", "x/\udce9": before.entry("b/d")}
    found = dict(overlaid(repository, before, files).files())
    assert list(found) == [".gitattributes", "a", "x/y.txt", "x/\udce9"]
    after = overlaid(repository, before, files)
    assert [after.read(path) for path in ("a", "x/y.txt", "x/\udce9")] == [b"new", b"1\n2\n", b"3"]
    assert found["a"].mode == 0o100755
    assert repo.git("status", "--short") == ""


def test_onto_nothing(repo: Repo) -> None:
    repository, empty = tree(repo)
    assert not empty.root
    assert [path for path, _ in overlaid(repository, empty, {"a/b": b""}).files()] == ["a/b"]


def test_what_git_cannot_store(repo: Repo) -> None:
    repo.commit({"a": "1"})
    with pytest.raises(LedgergateError, match="does not store a file of this name"):
        overlaid(*tree(repo), {"../x": Entry(0o100644, repo.git("rev-parse", "HEAD:a"))})
    with pytest.raises(LedgergateError, match="git cannot make the tree"):
        overlaid(*tree(repo), {"b": Entry(0o100644, "0" * 40)})
