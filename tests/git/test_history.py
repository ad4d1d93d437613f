"""Which commits of a range touched a path: by histories of every shape, against a walk over whole trees."""

from __future__ import annotations

import sys
from collections.abc import Iterable

import pytest

from ledgergate.errors import LedgergateError
from ledgergate.git import Commit, Repository
from ledgergate.git.commits import parse_commit
from support.repo import Captured, Repo, captured, restore

PATHS = ("a", "sub/b", "sub/deep/c", "turned", "turned/inner", "caf\udce9", "nowhere", "sub/", "")


# What `history` makes, once it has: thirty calls of git.
_HISTORY: Captured = {}


@pytest.fixture
def history(repo: Repo) -> Repo:
    """A root, additions, a file that becomes a folder, a merge, `-s ours`, an evil merge, and an octopus."""
    if _HISTORY:
        restore(repo.path, _HISTORY)
        return repo
    repo.commit({"a": "1", "sub/b": "1", "turned": "file", "kept": "1"})
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit({"sub/deep/c": "1"})
    repo.git("rm", "-q", "turned")
    repo.commit({"turned/inner": "1"})
    repo.stage_blob("caf\udce9", b"1")
    repo.git("commit", "-q", "-m", "bytes")
    side(repo, "side-1", {"a": "2"})
    repo.git("merge", "-q", "--no-ff", "side-1", "-m", "merge")
    side(repo, "side-2", {"sub/b": "2"})
    repo.git("merge", "-q", "--no-ff", "-s", "ours", "side-2", "-m", "ours")
    side(repo, "side-3", {"kept": "2"})
    repo.git("merge", "-q", "--no-ff", "--no-commit", "side-3")
    repo.commit({"a": "evil"}, "evil")
    side(repo, "side-4", {"four": "1"})
    side(repo, "side-5", {"sub/five": "1"})
    repo.git("merge", "-q", "side-4", "side-5", "-m", "octopus")
    repo.commit({"a": None})
    _HISTORY.update(captured(repo.path))
    return repo


def side(repo: Repo, name: str, files: dict[str, str | bytes | None]) -> None:
    repo.git("checkout", "-q", "-b", name)
    repo.commit(files, name)
    repo.git("checkout", "-q", "topic")


def in_full(repository: Repository, commits: Iterable[Commit], path: str) -> list[str]:
    """The commits that touched a path, by their whole trees."""

    def look(commit: str | None) -> object:
        tree = repository.snapshot(commit)
        return dict(tree.files(path)) if path.endswith("/") or not path else tree.entry(path)

    return [one.id for one in commits if any(look(one.id) != look(parent) for parent in one.parents or (None,))]


@pytest.mark.parametrize("asked", [PATHS, *((path,) for path in PATHS)], ids=lambda asked: ascii(" ".join(asked)))
@pytest.mark.parametrize("old", ["main", "topic~3"])
def test_it_is_what_a_walk_over_whole_trees_says(history: Repo, asked: tuple[str, ...], old: str) -> None:
    repository = Repository(str(history.path))
    found = repository.history(repository.commit_id(old), repository.commit_id("topic"))
    touching = found.touching(asked)
    assert set(touching) == set(asked)
    for path in asked:
        assert [commit.id for commit in touching[path]] == in_full(repository, found.commits, path), path


def test_every_kind_of_commit_is_told(history: Repo) -> None:
    repository = Repository(str(history.path))
    found = repository.history(repository.commit_id("main"), repository.commit_id("topic"))
    told = {path: len(commits) for path, commits in found.touching(PATHS).items()}
    assert told == {
        "a": 4,
        "sub/b": 2,
        "sub/deep/c": 1,
        "turned": 1,
        "turned/inner": 1,
        "caf\udce9": 1,
        "nowhere": 0,
        "sub/": 5,
        "": 13,
    }


def test_a_root_commit_touches_what_it_brings(repo: Repo) -> None:
    first = repo.commit({"a": "1"})
    repo.git("checkout", "-q", "--orphan", "fresh")
    second = repo.commit({"a": "1", "b": "1"})
    touching = Repository(str(repo.path)).history(first, second).touching(["a", "b", "c"])
    assert {path: len(commits) for path, commits in touching.items()} == {"a": 1, "b": 1, "c": 0}


def test_a_folder_that_is_missing_is_unreadable(history: Repo) -> None:
    tree = history.git("rev-parse", "topic~8:sub")
    (history.path / ".git/objects" / tree[:2] / tree[2:]).unlink()
    repository = Repository(str(history.path))
    found = repository.history(repository.commit_id("main"), repository.commit_id("topic"))
    assert found.touching(["a"])["a"]
    with pytest.raises(LedgergateError, match="folder sub"):
        found.touching(["sub/b"])


def test_folders_may_lie_deeper_in_each_other_than_calls_may(repo: Repo) -> None:
    base = repo.commit({"a": "1"})
    deep = "d/" * (2 * sys.getrecursionlimit())
    repo.stage_blob(f"{deep}a", b"1")
    repo.git("commit", "-q", "-m", "deep")
    repository = Repository(str(repo.path))
    head = repository.commit_id("HEAD")
    touching = repository.history(base, head).touching(["a", f"{deep}a", f"{deep}b", "d/"])
    assert {path: [commit.id for commit in commits] for path, commits in touching.items()} == {
        "a": [],
        f"{deep}a": [head],
        f"{deep}b": [],
        "d/": [head],
    }


HEADER = b"tree " + b"a" * 40 + b"\nparent " + b"b" * 40 + b"\nauthor Kim <k@x> 1 +0000\ncommitter Lee <l@x> 2 +0000\n"


class TestCommits:
    def test_its_parts(self) -> None:
        found = parse_commit("c" * 40, HEADER + b"\nSubject\n\nBody \xe9\n")
        assert (found.tree, found.parents) == ("a" * 40, ("b" * 40,))
        assert (found.author, found.committer) == (("Kim", "k@x"), ("Lee", "l@x"))
        assert found.message == "Subject\n\nBody \udce9\n"

    @pytest.mark.parametrize(
        "further",
        [
            b"encoding ISO-8859-1\n",
            b"gpgsig -----BEGIN SSH SIGNATURE-----\n author Claude <noreply@anthropic.com> 1 +0000\n \n parent x\n",
            b"mergetag object " + b"d" * 40 + b"\n type commit\n tagger T <t@x> 1 +0000\n \n message\n",
            b"HG:rename-source hg\n",
        ],
        ids=["encoding", "signature", "merged tag", "foreign"],
    )
    def test_further_headers_are_none_of_them(self, further: bytes) -> None:
        plain, more = parse_commit("c" * 40, HEADER + b"\nm"), parse_commit("c" * 40, HEADER + further + b"\nm")
        assert plain == more

    @pytest.mark.parametrize("message", [b"", b"\n", b"\nauthor Eve <e@x> 1 +0000\n", b"nul\0byte"])
    def test_a_message_may_be_anything(self, message: bytes) -> None:
        found = parse_commit("c" * 40, HEADER + b"\n" + message)
        assert (found.author.name, found.message) == ("Kim", message.decode())

    @pytest.mark.parametrize(
        "data",
        [
            b"",
            HEADER.replace(b"tree ", b"three "),
            HEADER + b"author Eve <e@x> 1 +0000\n\nm",
            HEADER.replace(b"<k@x>", b"k@x"),
            HEADER.replace(b"committer", b"commuter"),
        ],
        ids=["empty", "no tree", "two authors", "no brackets", "no committer"],
    )
    def test_what_git_would_not_write(self, data: bytes) -> None:
        with pytest.raises(ValueError, match=r"it has no tree|no address"):
            parse_commit("c" * 40, data)

    def test_a_malformed_one_in_a_range_is_unreadable(self, repo: Repo) -> None:
        first = repo.commit({"a": "1"})
        tree = repo.git("rev-parse", "HEAD^{tree}")
        data = f"tree {tree}\nparent {first}\nauthor nobody\ncommitter nobody\n\nm\n".encode()
        bad = repo.git("hash-object", "-t", "commit", "-w", "--stdin", "--literally", stdin=data)
        with pytest.raises(LedgergateError, match="no address"):
            assert Repository(str(repo.path)).history(first, bad).commits
