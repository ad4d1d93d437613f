"""The files on a disk beside a tree, and fresh checkouts."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ledgergate.errors import LedgergateError
from ledgergate.git import Repository
from ledgergate.git.checked_out import check_out, differing_files
from support.repo import Repo

FILES: dict[str, str | bytes] = {"a.txt": "1\n", "sub/b.txt": "2\n", "run.sh": "#!/bin/sh\n", "caf\udce9/x": "3"}


@pytest.fixture
def folder(repo: Repo) -> Repo:
    repo.stage(FILES)
    (repo.path / "run.sh").chmod(0o755)
    (repo.path / "link").symlink_to("sub")
    repo.git("add", "-A")
    repo.commit()
    return repo


def differing(repo: Repo, *unseen: str, where: Path | None = None) -> list[str]:
    tree = repo.git("rev-parse", "HEAD^{tree}")
    return differing_files(Repository(str(repo.path)), tree, where or repo.path, unseen)


def test_a_clean_working_tree(folder: Repo) -> None:
    index = (folder.path / ".git/index").read_bytes()
    assert differing(folder) == []
    assert (folder.path / ".git/index").read_bytes() == index


@pytest.mark.parametrize("flag", [None, "--assume-unchanged", "--skip-worktree"])
def test_every_kind_of_difference(folder: Repo, flag: str | None) -> None:
    if flag:
        folder.git("update-index", flag, "a.txt", "sub/b.txt", "run.sh", "link")
    # Same size, and the time of before: only its bytes tell.
    times = (folder.path / "a.txt").stat()
    folder.write("a.txt", "9\n")
    os.utime(folder.path / "a.txt", ns=(times.st_atime_ns, times.st_mtime_ns))
    (folder.path / "sub/b.txt").unlink()
    (folder.path / "run.sh").chmod(0o644)
    (folder.path / "link").unlink()
    (folder.path / "link").symlink_to(".")
    folder.write("new/deep.txt", "")
    assert differing(folder) == ["a.txt", "link", "new/deep.txt", "run.sh", "sub/b.txt"]


def test_what_git_ignores_is_a_difference_unless_it_is_not_to_be_seen(folder: Repo) -> None:
    folder.commit({".gitignore": "*.log\nbuild/\n"})
    folder.write(".git/info/exclude", "secret\n")
    for path in ("x.log", "build/y", "secret", "sub/__pycache__/b.pyc"):
        folder.write(path, "")
    assert differing(folder, "**/__pycache__/*.pyc") == ["build/y", "secret", "x.log"]
    assert differing(folder, "/build/", "*.log", "__pycache__/") == ["secret"]


def test_a_folder_in_the_place_of_a_link_and_the_other_way_round(folder: Repo) -> None:
    (folder.path / "sub").rename(folder.path / "moved")
    (folder.path / "sub").symlink_to("moved")
    assert differing(folder) == ["moved/b.txt", "sub", "sub/b.txt"]


def test_a_repository_inside_is_one_difference(folder: Repo) -> None:
    Repo(folder.path / "inner").commit({"x": "1"})
    assert differing(folder) == ["inner/"]


@pytest.mark.parametrize(
    "setting", ["core.ignoreStat", "core.sparseCheckout", "core.splitIndex", "core.untrackedCache"]
)
def test_settings_hide_nothing(folder: Repo, setting: str) -> None:
    folder.git("config", setting, "true")
    folder.write(".git/info/sparse-checkout", "/run.sh\n")
    folder.write("sub/b.txt", "9\n")
    folder.write("new.txt", "")
    assert differing(folder) == ["new.txt", "sub/b.txt"]


def test_line_ends_are_those_of_the_checkout(repo: Repo) -> None:
    repo.commit({".gitattributes": "*.txt text eol=crlf\n", "a.txt": "1\n"})
    (repo.path / "a.txt").unlink()
    repo.git("checkout", "a.txt")
    assert (repo.path / "a.txt").read_bytes() == b"1\r\n"
    assert differing(repo) == []
    repo.write("a.txt", "2\r\n")
    assert differing(repo) == ["a.txt"]


def test_the_empty_tree(repo: Repo) -> None:
    repo.commit()
    assert differing(repo) == []
    repo.write("x", "")
    assert differing(repo) == ["x"]


def test_a_tree_that_is_not_there(folder: Repo) -> None:
    with pytest.raises(LedgergateError, match="read the tree"):
        differing_files(Repository(str(folder.path)), "1" * 40, folder.path)


class TestCheckout:
    def check_out(self, repo: Repo, revision: str = "HEAD") -> Path:
        folder = repo.path.parent / "fresh"
        folder.mkdir()
        check_out(Repository(str(repo.path)), repo.git("rev-parse", f"{revision}^{{tree}}"), folder)
        return folder

    def test_it_is_as_git_checks_out(self, folder: Repo) -> None:
        folder.write("a.txt", "edited\n")
        folder.write("new.txt", "")
        before = folder.git("status", "--porcelain")
        fresh = self.check_out(folder)
        assert differing(folder, where=fresh) == []
        assert (fresh / "a.txt").read_text() == "1\n"
        assert os.access(fresh / "run.sh", os.X_OK)
        assert (fresh / "link").is_symlink()
        assert not (fresh / ".git").exists()
        assert folder.git("status", "--porcelain") == before
        (fresh / "a.txt").write_text("9\n")
        assert differing(folder, where=fresh) == ["a.txt"]

    def test_filters_are_applied(self, repo: Repo) -> None:
        repo.git("config", "filter.shout.smudge", "tr a-z A-Z")
        repo.git("config", "filter.shout.clean", "tr A-Z a-z")
        repo.commit({".gitattributes": "*.txt filter=shout\n", "a.txt": "loud\n"})
        fresh = self.check_out(repo)
        assert (fresh / "a.txt").read_text() == "LOUD\n"
        assert differing(repo, where=fresh) == []

    def test_a_filter_that_fails(self, repo: Repo) -> None:
        repo.commit({".gitattributes": "*.txt filter=broken\n", "a.txt": "1\n"})
        repo.git("config", "filter.broken.smudge", "false")
        repo.git("config", "filter.broken.required", "true")
        with pytest.raises(LedgergateError, match="check the commit out"):
            self.check_out(repo)

    def test_from_a_bare_repository_and_a_sparse_one(self, folder: Repo) -> None:
        bare = Repo(folder.path.parent / "bare", init=False)
        folder.git("clone", "-q", "--bare", str(folder.path), str(bare.path))
        assert (self.check_out(bare) / "sub/b.txt").exists()
        folder.git("sparse-checkout", "set", "nothing")
        fresh = folder.path.parent / "second"
        fresh.mkdir()
        check_out(Repository(str(folder.path)), folder.git("rev-parse", "HEAD^{tree}"), fresh)
        assert (fresh / "sub/b.txt").exists()
        assert "sub/b.txt" in differing(folder)


class TestSubmodules:
    @pytest.fixture
    def outer(self, repo: Repo) -> Repo:
        inner = Repo(repo.path.parent / "inner")
        inner.commit({"x.txt": "1\n"})
        repo.commit({"a.txt": "1\n"})
        repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.path), "lib/inner")
        repo.commit()
        Repo(repo.path / "lib/inner", init=False).configure()
        return repo

    def test_clean_and_not_checked_out(self, outer: Repo) -> None:
        assert differing(outer) == []
        outer.git("submodule", "deinit", "-q", "-f", "lib/inner")
        assert differing(outer) == []

    def test_what_differs_in_it(self, outer: Repo) -> None:
        inner = Repo(outer.path / "lib/inner", init=False)
        inner.git("update-index", "--assume-unchanged", "x.txt")
        inner.write("x.txt", "2\n")
        inner.write("new.txt", "")
        assert differing(outer) == ["lib/inner/new.txt", "lib/inner/x.txt"]

    def test_another_commit(self, outer: Repo) -> None:
        Repo(outer.path / "lib/inner", init=False).commit({"x.txt": "2\n"})
        assert differing(outer) == ["lib/inner"]

    def test_a_fresh_checkout_has_it_at_its_commit(self, outer: Repo) -> None:
        inner = Repo(outer.path / "lib/inner", init=False)
        inner.commit({"x.txt": "2\n"})
        fresh = outer.path.parent / "fresh"
        fresh.mkdir()
        check_out(Repository(str(outer.path)), outer.git("rev-parse", "HEAD^{tree}"), fresh)
        assert (fresh / "lib/inner/x.txt").read_text() == "1\n"
        assert inner.git("status", "--porcelain") == ""
