"""Object files that end too early are told from all others."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from ledgergate.errors import LedgergateError
from ledgergate.git import Repository
from ledgergate.git.loose import LooseObjects
from support.repo import Repo

CONTENT = b"".join(b"%d\n" % number for number in range(3000))
WHOLE = zlib.compress(b"blob %d\0" % len(CONTENT) + CONTENT)
OID = "ab" + "12" * 19


def write_object(folder: Path, data: bytes) -> LooseObjects:
    file = folder / OID[:2] / OID[2:]
    file.parent.mkdir(parents=True)
    file.write_bytes(data)
    return LooseObjects(folder)


@pytest.mark.parametrize("kept", [0, 1, 2, 9, 20, 200, len(WHOLE) // 2, len(WHOLE) - 1])
def test_a_part_of_a_file_is_refused(kept: int, tmp_path: Path) -> None:
    loose = write_object(tmp_path, WHOLE[:kept])
    for ask in (lambda: loose.refuse_cut(OID), loose.refuse_any_cut):
        with pytest.raises(LedgergateError, match=OID) as caught:
            ask()
        assert caught.value.rule == "git-unreadable"
        assert str(tmp_path / OID[:2] / OID[2:]) in caught.value.message


@pytest.mark.parametrize(
    "data", [WHOLE, WHOLE + b"more", b"no stream", zlib.compress(b""), zlib.compress(b"\0" * 5_000_000)]
)
def test_any_other_file_is_left_to_libgit2(data: bytes, tmp_path: Path) -> None:
    loose = write_object(tmp_path, data)
    loose.refuse_cut(OID)
    loose.refuse_any_cut()


def test_no_file_is_no_fault(tmp_path: Path) -> None:
    LooseObjects(tmp_path).refuse_cut(OID)
    LooseObjects(tmp_path / "gone").refuse_any_cut()


def test_objects_that_are_borrowed_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own, near, far = (tmp_path / name for name in ("own", "near", "far"))
    for folder, alternates in ((own, "# where from\n../near\n"), (near, f"{far}\n../own\n")):
        (folder / "info").mkdir(parents=True)
        (folder / "info" / "alternates").write_text(alternates)
    write_object(far, WHOLE[:99])
    with pytest.raises(LedgergateError, match="far"):
        LooseObjects(own).refuse_cut(OID)
    LooseObjects(tmp_path / "else").refuse_cut(OID)
    monkeypatch.setenv("GIT_ALTERNATE_OBJECT_DIRECTORIES", f"{tmp_path / 'none'}:{near}")
    with pytest.raises(LedgergateError, match="far"):
        LooseObjects(tmp_path / "else").refuse_cut(OID)


@pytest.mark.parametrize("line", ["{}\n", '"{}"\n'], ids=["plain", "quoted"])
def test_what_a_file_says_where_to_borrow_from_is_read_as_git_reads_it(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    repo.commit({"a": CONTENT})
    fork, middle = tmp_path / "fork", tmp_path / "middle"
    for folder in (fork, middle):
        repo.git("init", "-q", "--bare", str(folder))
    (middle / "objects/info/alternates").write_text(f"{repo.path}/.git/objects\n")
    (fork / "objects/info/alternates").write_text(line.format(f"{middle}/objects"))
    repo.git("--git-dir", str(fork), "update-ref", "refs/heads/main", repo.git("rev-parse", "HEAD"))
    monkeypatch.chdir(fork)
    repository = Repository()
    assert repository.snapshot(repository.commit_id("main")).read("a") == CONTENT


def test_gits_own_objects_are_whole(repo: Repo) -> None:
    repo.commit({"a": CONTENT, "sub/b": "", "c": "x" * 1_000_000})
    LooseObjects(repo.path / ".git" / "objects").refuse_any_cut()
