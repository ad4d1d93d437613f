"""A folder on the disk, read as a snapshot of git is."""

from __future__ import annotations

import inspect
import sys
from pathlib import Path

import pytest

from ledgergate.errors import LedgergateError
from ledgergate.evidence import DiskTree, row_problems
from ledgergate.git import Repository
from ledgergate.ledger import Row, measure, seed_files
from support.project import sha256
from support.repo import Repo

MARKED = """\
import pytest


@pytest.mark.xfail
def test_expected_to_fail(): assert f() == 1


@pytest.mark.xfail(WINDOWS, reason="there")
def test_expected_to_fail_elsewhere(): assert f() == 1


def test_sound(): assert f() == 1
"""
FILES = {
    "a/one.txt": "1\n",
    "a/deep/two.bin": b"\0\xff",
    "a/deep/.hidden": "x",
    "a/empty": "",
    "a/ü \udcff.txt": "odd",
    "top.txt": "top",
}
POINTER = f"version https://git-lfs.github.com/spec/v1\noid {sha256('real').replace('sha256:', 'sha256:')}\nsize 4\n"


@pytest.fixture
def repo(repo: Repo) -> Repo:
    repo.commit(FILES)
    return repo


def test_it_reads_as_git_stores(repo: Repo) -> None:
    disk, stored = DiskTree(repo.path), Repository(str(repo.path)).snapshot(repo.git("rev-parse", "HEAD"))
    assert list(disk.files("a")) == list(stored.files("a"))
    assert disk.names("a") == stored.names("a")
    assert seed_files(disk, "a/") == seed_files(stored, "a/")
    for artifact in ("a/", "top.txt", "a/one.txt", "missing", "a/empty", "a"):
        assert measure(disk, artifact) == measure(stored, artifact)


def test_nothing_lies_beyond_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "x").write_text("1")
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "file").symlink_to("real/x")
    tree = DiskTree(tmp_path)
    assert tree.entry("link/x") is None
    assert not tree.is_folder("link")
    assert measure(tree, "file").rule == measure(tree, "link/x").rule == "artifact-missing"


def test_what_cannot_be_read_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x").write_text("1")

    def fail(_self: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", fail)
    with pytest.raises(LedgergateError, match="Permission denied"):
        measure(DiskTree(tmp_path), "x")


def row(artifact: str, digest: str, **fields: str) -> Row:
    return Row.of({"id": "t", "class": "locked_fixture", "artifact": artifact, "digest": digest, **fields})


@pytest.mark.parametrize("content", ["real", POINTER], ids=["fetched", "pointer"])
def test_a_file_under_lfs_may_be_fetched_or_not(tmp_path: Path, content: str) -> None:
    (tmp_path / "x.bin").write_text(content)
    assert list(row_problems(DiskTree(tmp_path), row("x.bin", sha256("real"), lfs="true"))) == []


@pytest.mark.parametrize(
    ("artifact", "content", "rule"),
    [("x", "other", "digest-mismatch"), ("x", None, "artifact-missing"), ("x", "", "artifact-empty")],
)
def test_what_does_not_hold(tmp_path: Path, artifact: str, content: str | None, rule: str) -> None:
    if content is not None:
        (tmp_path / artifact).write_text(content)
    assert [seen.rule for seen in row_problems(DiskTree(tmp_path), row(artifact, sha256("1")))] == [rule]


def test_seeds(tmp_path: Path) -> None:
    property_row = Row.of({"id": "t", "class": "property", "invariant": "i", "seeds": "seeds/"})
    assert [seen.rule for seen in row_problems(DiskTree(tmp_path), property_row)] == ["seeds-empty"]
    (tmp_path / "seeds").mkdir()
    (tmp_path / "seeds" / "1").write_text("x")
    assert list(row_problems(DiskTree(tmp_path), property_row)) == []


@pytest.mark.parametrize(
    ("id_", "rules"),
    [
        ("tests/test_m.py::test_expected_to_fail", ["case-missing"]),
        ("tests/test_m.py::test_expected_to_fail[1]", ["case-missing"]),
        ("tests/test_m.py::test_expected_to_fail_elsewhere", []),
        ("tests/test_m.py::test_sound", []),
        ("tests/test_m.py::test_made_while_it_runs", []),
        ("tests/test_none.py::test_x", []),
        ("a.test.js::adds", []),
    ],
)
def test_the_pass_of_a_test_that_is_expected_to_fail(repo: Repo, id_: str, rules: list[str]) -> None:
    repo.write("tests/test_m.py", MARKED)
    row = Row.of({"id": id_, "class": "locked_fixture", "artifact": "top.txt", "digest": sha256("top")})
    assert [seen.rule for seen in row_problems(DiskTree(repo.path), row)] == rules


def test_folders_may_lie_deeper_in_each_other_than_calls_may(tmp_path: Path) -> None:
    deep = "d/" * 400
    for length in range(2, len(deep) + 1, 2):
        (tmp_path / deep[:length]).mkdir()
    (tmp_path / deep / "a").write_text("1")
    usual, disk = sys.getrecursionlimit(), DiskTree(tmp_path)
    try:
        sys.setrecursionlimit(len(inspect.stack(0)) + 200)
        assert [path for path, _ in disk.files()] == [f"{deep}a"]
    finally:
        sys.setrecursionlimit(usual)
