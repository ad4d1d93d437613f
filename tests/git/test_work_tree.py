"""What git would store of the working tree: as `git add` on a copy of the index would, and with nothing touched."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from ledgergate.errors import LedgergateError, UsageError
from ledgergate.git import Repository, Snapshot, index_snapshot
from ledgergate.git.work_tree import work_tree_files, work_tree_snapshot
from support.repo import Repo


@pytest.fixture(autouse=True)
def _stand_in_it(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repo.path)


def snapshot(*paths: str) -> Snapshot:
    return work_tree_snapshot(Repository(), paths)


def listed(found: Snapshot) -> list[str]:
    return [path for path, _ in found.files()]


def git_would_store(repo: Repo, *paths: str) -> str:
    """The tree that git itself makes after `git add`, in a throw-away index."""
    index = repo.path.parent / "index-of-git"
    if (repo.path / ".git/index").exists():
        shutil.copy2(repo.path / ".git/index", index)
    env = {"GIT_INDEX_FILE": str(index)}
    repo.git("add", "-f", "--", *paths, env=env)
    return repo.git("write-tree", env=env)


@pytest.mark.parametrize(
    ("attributes", "on_disk", "stored"),
    [
        ("", b"a\r\nb\n", b"a\r\nb\n"),
        ("* text=auto", b"a\r\nb\r\n", b"a\nb\n"),
        ("* -text", b"a\r\nb\r\n", b"a\r\nb\r\n"),
        ("* working-tree-encoding=UTF-16LE text", "é\r\n".encode("utf-16-le"), "é\n".encode()),
        ("* ident", b"$Id: 0123 $\n", b"$Id$\n"),
        ("* filter=shout", b"quiet\n", b"QUIET\n"),
    ],
)
def test_bytes_are_those_that_git_stores(repo: Repo, attributes: str, on_disk: bytes, stored: bytes) -> None:
    repo.git("config", "filter.shout.clean", "tr a-z A-Z")
    repo.write(".gitattributes", attributes + "\n")
    repo.write("golden", on_disk)
    assert snapshot("golden").read("golden") == stored
    assert git_would_store(repo, "golden") == snapshot("golden").id


def test_neither_index_nor_files_are_touched(repo: Repo) -> None:
    repo.commit({"a": "1", "b": "1", "f/x": "1"})
    repo.write("a", "2")
    repo.write("f/new", "2")
    (repo.path / "b").unlink()
    status, index = repo.git("status", "--porcelain"), (repo.path / ".git/index").read_bytes()
    found = snapshot("a", "b", "f/")
    assert (found.read("a"), listed(found)) == (b"2", ["a", "f/new", "f/x"])
    assert (repo.path / ".git/index").read_bytes() == index
    assert repo.git("status", "--porcelain") == status


def test_other_paths_are_as_they_are_staged(repo: Repo) -> None:
    repo.commit({"a": "1", "b": "1"})
    repo.stage({"b": "2"})
    repo.write("b", "3")
    repo.write("a", "2")
    found = snapshot("a")
    assert (found.read("a"), found.read("b")) == (b"2", b"2")


@pytest.mark.parametrize("path", ["a b", 'q"', "caf\udce9", "line\nbreak", "-x", ":(top)x", "*.txt", "é"])
def test_any_path(repo: Repo, path: str) -> None:
    repo.write(path, "1")
    repo.write("other.txt", "1")
    assert listed(snapshot(path)) == [path]


def test_what_is_not_there_is_nothing(repo: Repo) -> None:
    repo.commit({"gone": "1", "folder/gone": "1", "kept": "1"})
    (repo.path / "gone").unlink()
    (repo.path / "folder/gone").unlink()
    (repo.path / "folder").rmdir()
    assert listed(snapshot("gone", "folder/", "never", "never/there/", "kept")) == ["kept"]


def test_a_same_sized_edit_in_the_same_instant_is_seen(repo: Repo) -> None:
    for number in range(20):
        repo.stage({"a": f"{number:04}"})
        repo.write("a", f"{number + 1:04}")
        assert snapshot("a").read("a") == f"{number + 1:04}".encode()


class TestFolders:
    def test_ignored_files_are_left_out_unless_git_knows_them(self, repo: Repo) -> None:
        repo.write(".gitignore", "*.tmp\n")
        repo.commit({"f/known.tmp": "1", "f/a": "1"})
        repo.write("f/known.tmp", "2")
        repo.write("f/more.tmp", "1")
        repo.write("f/sub/b", "1")
        found = snapshot("f/")
        assert listed(found) == ["f/a", "f/known.tmp", "f/sub/b"]
        assert found.read("f/known.tmp") == b"2"
        assert found.id == git_would_store(repo, "f/a", "f/known.tmp", "f/sub/b")

    def test_an_ignored_file_that_is_named_is_taken(self, repo: Repo) -> None:
        repo.write(".gitignore", "*.tmp\n")
        repo.write("golden.tmp", "1")
        assert listed(snapshot("golden.tmp")) == ["golden.tmp"]

    def test_a_link_inside_is_a_link(self, repo: Repo) -> None:
        repo.commit({"f/a": "1"})
        (repo.path / "f/l").symlink_to("a")
        entry = snapshot("f/").entry("f/l")
        assert entry is not None
        assert entry.is_link

    def test_a_repository_inside_is_none_of_ours(self, repo: Repo) -> None:
        repo.commit({"f/a": "1"})
        inner = Repo(repo.path / "f/inner")
        inner.commit({"x": "1"})
        assert listed(snapshot("f/")) == ["f/a"]

    def test_hundreds_of_folders(self, repo: Repo) -> None:
        for number in range(450):
            repo.write(f"f{number}/a", str(number))
        assert len(listed(snapshot(*(f"f{number}/" for number in range(450))))) == 450


class TestWhatChangedItsKind:
    def test_file_to_link(self, repo: Repo) -> None:
        repo.commit({"a": "1", "b": "1"})
        (repo.path / "a").unlink()
        (repo.path / "a").symlink_to("b")
        entry = snapshot("a").entry("a")
        assert entry is not None
        assert entry.is_link

    def test_folder_above_became_a_link(self, repo: Repo) -> None:
        repo.commit({"f/a": "1", "elsewhere/a": "2"})
        (repo.path / "f/a").unlink()
        (repo.path / "f").rmdir()
        (repo.path / "f").symlink_to("elsewhere")
        found = snapshot("f/a")
        assert found.entry("f/a") is None
        assert listed(found) == ["elsewhere/a", "f"]

    def test_file_to_folder_and_back(self, repo: Repo) -> None:
        repo.commit({"a": "1", "f/x": "1"})
        (repo.path / "a").unlink()
        repo.write("a/inner", "2")
        (repo.path / "f/x").unlink()
        (repo.path / "f").rmdir()
        repo.write("f", "2")
        assert listed(snapshot("a", "f/")) == ["a/inner", "f"]

    def test_beyond_a_submodule_there_is_nothing(self, repo: Repo) -> None:
        repo.commit({"a": "1"})
        inner = Repo(repo.path / "sub")
        inner.commit({"x": "1"})
        repo.git("add", "sub")
        found = snapshot("sub/x")
        assert found.entry("sub/x") is None
        entry = found.entry("sub")
        assert entry is not None
        assert entry.is_submodule


class TestIndexes:
    def test_no_index_yet(self, repo: Repo) -> None:
        repo.write("a", "1")
        assert listed(snapshot("a")) == ["a"]

    @pytest.mark.parametrize(
        "prepare", [("update-index", "--split-index"), ("update-index", "--index-version", "4"), ("add", "-N", "later")]
    )
    def test_odd_indexes(self, repo: Repo, prepare: tuple[str, ...]) -> None:
        repo.commit({"a": "1"})
        repo.write("later", "1")
        repo.git(*prepare)
        repo.write("a", "2")
        before = sorted((repo.path / ".git").iterdir())
        found = snapshot("a")
        assert (found.read("a"), listed(found)) == (b"2", ["a"])
        assert sorted((repo.path / ".git").iterdir()) == before

    def test_what_a_sparse_checkout_hides_is_as_it_is_staged(self, repo: Repo) -> None:
        repo.commit({"in/a": "1", "out/b": "1", "out/f/c": "1"})
        repo.git("sparse-checkout", "set", "in")
        assert not (repo.path / "out").exists()
        repo.write("in/a", "2")
        found = snapshot("in/a", "out/b", "out/f/")
        assert listed(found) == ["in/a", "out/b", "out/f/c"]
        assert found.read("in/a") == b"2"

    def test_unmerged_paths_are_an_error(self, repo: Repo) -> None:
        repo.commit({"a": "1"})
        repo.git("checkout", "-q", "-b", "other")
        repo.commit({"a": "2"})
        repo.git("checkout", "-q", "main")
        repo.commit({"a": "3"})
        assert repo.run("git", "merge", "-q", "other").returncode != 0
        with pytest.raises(LedgergateError, match="git cannot make a tree"):
            snapshot("a")

    def test_a_filter_that_fails_is_an_error(self, repo: Repo) -> None:
        repo.git("config", "filter.broken.clean", "false")
        repo.git("config", "filter.broken.required", "true")
        repo.write(".gitattributes", "* filter=broken\n")
        repo.write("a", "1")
        with pytest.raises(LedgergateError, match="git cannot store what the working tree has"):
            snapshot("a")


def test_a_path_that_cannot_be_looked_at_is_an_error(repo: Repo) -> None:
    repo.commit({"a": "1"})
    with pytest.raises(LedgergateError, match="it cannot be looked at: File name too long"):
        snapshot("x" * 5000)


def test_a_linked_worktree_has_its_own_files(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit({"a": "1"})
    linked: Path = repo.path.parent / "linked"
    repo.git("worktree", "add", "-q", str(linked))
    (linked / "a").write_text("2")
    monkeypatch.chdir(linked)
    assert snapshot("a").read("a") == b"2"


def test_bare_repositories_have_no_working_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = Repo(tmp_path / "bare.git", bare=True)
    monkeypatch.chdir(bare.path)
    with pytest.raises(UsageError, match="bare"):
        snapshot("a")


def test_files_that_git_knows_or_would_add(repo: Repo) -> None:
    repo.write(".gitignore", "*.tmp\n")
    repo.commit({"f/a": "1", "g/b": "1"})
    repo.write("f/new", "1")
    repo.write("f/x.tmp", "1")
    assert work_tree_files(Repository(), "f/") == ["f/new", "f/a"]
    assert sorted(work_tree_files(Repository(), "")) == [".gitignore", "f/a", "f/new", "g/b"]
    assert index_snapshot(Repository()).entry("f/new") is None


def test_a_path_may_lead_through_more_folders_than_calls_may(repo: Repo) -> None:
    repo.commit({"a": "1"})
    assert listed(snapshot("d/" * (sys.getrecursionlimit() + 200) + "a", "a")) == ["a"]
