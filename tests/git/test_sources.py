"""Staged and range changes, against real repositories in every state that git leaves them in."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from ledgergate.errors import LedgergateError, UsageError
from ledgergate.git import Repository, between, staged
from ledgergate.git.loose import LooseObjects
from support.repo import Repo

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _stand_in_it(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repo.path)


def staged_paths() -> list[str]:
    return [change.path for change in staged(Repository()).paths]


def range_paths(old: str, new: str, *, exact: bool = False) -> list[str]:
    return [change.path for change in between(Repository(), old, new, exact=exact).paths]


def test_first_commit_is_judged_against_the_empty_tree(repo: Repo) -> None:
    repo.stage({"a": "1", "sub/b": "2"})
    change = staged(Repository())
    assert [c.path for c in change.paths] == ["a", "sub/b"]
    assert change.base.id == "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
    assert change.target is change.base


def test_no_index_and_no_commit_is_no_change() -> None:
    assert staged_paths() == []


def test_modified_added_removed_and_type_changed(repo: Repo) -> None:
    repo.commit({"kept": "1", "edited": "1", "gone": "1", "turned/inner": "1", "linked": "1"})
    repo.git("rm", "-q", "-r", "turned")
    repo.stage({"edited": "2", "gone": None, "added": "3", "turned": "now a file"})
    repo.stage_blob("linked", b"kept", mode="120000")
    change = staged(Repository())
    seen = {c.path: (c.old is not None, c.new is not None) for c in change.paths}
    assert seen == {
        "added": (False, True),
        "edited": (True, True),
        "gone": (True, False),
        "linked": (True, True),
        "turned": (False, True),
        "turned/inner": (True, False),
    }
    linked = change.by_path["linked"].new
    assert linked is not None
    assert linked.is_link


def test_mode_change_alone_is_a_change(repo: Repo) -> None:
    repo.commit({"run": "x"})
    repo.git("update-index", "--chmod=+x", "run")
    assert staged_paths() == ["run"]


def test_intent_to_add_is_not_staged_content(repo: Repo) -> None:
    repo.commit({"a": "1"})
    repo.write("later", "x")
    repo.git("add", "-N", "later")
    assert staged_paths() == []


@pytest.mark.parametrize(
    "prepare",
    [
        ("update-index", "--split-index"),
        ("update-index", "--index-version", "4"),
        ("update-index", "--untracked-cache", "--force-untracked-cache"),
        ("update-index", "--assume-unchanged", "kept"),
        ("update-index", "--skip-worktree", "kept"),
    ],
    ids=lambda prepare: prepare[1],
)
def test_every_kind_of_index_is_read(repo: Repo, prepare: tuple[str, ...]) -> None:
    repo.commit({"kept": "1", "edited": "1"})
    repo.git(*prepare)
    repo.write("kept", "tampered on disk only")
    repo.stage({"edited": "2"})
    assert staged_paths() == (["edited"] if "unchanged" in prepare[1] or "skip" in prepare[1] else staged_paths())
    assert "edited" in staged_paths()


def test_sparse_index_hides_nothing_and_deletes_nothing(repo: Repo) -> None:
    repo.commit({"src/a": "1", "tests/golden/x": "1", "tests/golden/y": "1"})
    repo.git("sparse-checkout", "set", "--cone", "--sparse-index", "src")
    assert not (repo.path / "tests").exists()
    repo.stage({"src/a": "2"})
    assert staged_paths() == ["src/a"]
    repo.git("rm", "-q", "--cached", "--sparse", "tests/golden/x")
    assert staged_paths() == ["src/a", "tests/golden/x"]


def test_zeroed_index_checksum_is_read_or_refused_but_never_empty(repo: Repo) -> None:
    repo.commit({"a": "1"})
    repo.stage({"a": "2"})
    index = repo.path / ".git/index"
    index.write_bytes(index.read_bytes()[:-20] + bytes(20))
    try:
        assert staged_paths() == ["a"]
    except LedgergateError as error:
        assert error.rule == "git-unreadable"


def test_garbage_index_is_unreadable(repo: Repo) -> None:
    repo.commit({"a": "1"})
    (repo.path / ".git/index").write_bytes(b"garbage")
    with pytest.raises(LedgergateError, match="index"):
        staged_paths()


def test_unmerged_paths_are_unreadable(repo: Repo) -> None:
    repo.commit({"a": "1"})
    repo.git("checkout", "-q", "-b", "other")
    repo.commit({"a": "2"})
    repo.git("checkout", "-q", "main")
    repo.commit({"a": "3"})
    assert repo.run("git", "merge", "-q", "other").returncode == 1
    with pytest.raises(LedgergateError, match="unmerged"):
        staged_paths()


def test_temporary_index_of_a_partial_commit_is_the_one_judged(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit({"a": "1", "b": "1"})
    shutil.copy(repo.path / ".git/index", repo.path / ".git/next-index-1.lock")
    repo.stage({"b": "staged, and not part of this commit"})
    repo.write("a", "2")
    repo.git("add", "a", env={"GIT_INDEX_FILE": ".git/next-index-1.lock"})
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/next-index-1.lock")
    assert staged_paths() == ["a"]


@pytest.mark.parametrize("work_tree", [".", None], ids=["relative work tree", "no work tree named"])
def test_a_relative_index_is_the_one_that_git_means(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, work_tree: str | None
) -> None:
    repo.commit({"a": "1"})
    decoy = repo.path / ".git/.git/index"
    decoy.parent.mkdir()
    shutil.copy(repo.path / ".git/index", decoy)
    repo.stage({"a": "2"})
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/index")
    if work_tree:
        monkeypatch.setenv("GIT_WORK_TREE", work_tree)
    assert staged_paths() == ["a"]


def test_an_index_that_is_not_there_is_no_empty_one(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit({"a": "1"})
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/nowhere")
    with pytest.raises(LedgergateError, match="index"):
        staged_paths()


def test_a_namespace_would_show_another_head(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit({"a": "1"})
    monkeypatch.setenv("GIT_NAMESPACE", "other")
    with pytest.raises(LedgergateError, match="GIT_NAMESPACE"):
        Repository()


def test_linked_worktree_has_its_own_index_and_head(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit({"a": "1"})
    repo.git("worktree", "add", "-q", "-b", "side", "../linked")
    linked = Repo(repo.path.parent / "linked", init=False)
    repo.stage({"main-only": "1"})
    linked.stage({"side-only": "1"})
    monkeypatch.chdir(linked.path)
    assert staged_paths() == ["side-only"]
    monkeypatch.setenv("GIT_DIR", str(repo.path / ".git/worktrees/linked"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(repo.path / ".git/worktrees/linked/index"))
    assert staged_paths() == ["side-only"]


def test_subfolder_sees_the_whole_repository(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit({"a": "1", "sub/b": "1"})
    repo.stage({"a": "2"})
    monkeypatch.chdir(repo.path / "sub")
    assert staged_paths() == ["a"]


def test_detached_head(repo: Repo) -> None:
    repo.commit({"a": "1"})
    repo.git("checkout", "-q", "--detach")
    repo.stage({"a": "2"})
    assert staged_paths() == ["a"]


def test_orphan_branch_is_judged_against_the_empty_tree(repo: Repo) -> None:
    repo.commit({"a": "1"})
    repo.git("checkout", "-q", "--orphan", "fresh")
    assert staged_paths() == ["a"]


def test_submodule_is_an_entry_of_its_own_kind(repo: Repo) -> None:
    head = repo.commit({"a": "1"})
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{head},module")
    change = staged(Repository())
    module = change.by_path["module"].new
    assert module is not None
    assert module.is_submodule
    assert not module.is_file


def test_replace_refs_are_ignored(repo: Repo) -> None:
    first = repo.commit({"a": "1"})
    second = repo.commit({"a": "2"})
    repo.git("replace", first, second)
    assert range_paths(first, second) == ["a"]


def test_a_grafts_file_is_refused(repo: Repo) -> None:
    first = repo.commit({"a": "1"})
    repo.write(".git/info/grafts", f"{first}\n")
    with pytest.raises(LedgergateError, match="grafts"):
        Repository()


def test_a_grafts_file_that_a_variable_names_is_ignored(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    first = repo.commit({"a": "1"})
    second = repo.commit({"b": "1"})
    third = repo.commit({"c": "1"})
    repo.write("grafts", f"{third} {first}\n")
    monkeypatch.setenv("GIT_GRAFT_FILE", str(repo.path / "grafts"))
    assert [commit.id for commit in between(Repository(), first, third).commits] == [third, second]


def test_a_shallow_file_that_a_variable_names_cuts_nothing_unseen(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    first = repo.commit({"a": "1"})
    second = repo.commit({"b": "1"})
    third = repo.commit({"c": "1"})
    repo.write("shallow", f"{second}\n")
    monkeypatch.setenv("GIT_SHALLOW_FILE", str(repo.path / "shallow"))
    with pytest.raises(LedgergateError, match="shallow"):
        between(Repository(), first, third)


def test_odd_path_bytes_survive(repo: Repo) -> None:
    names = ["caf\udce9", "café", "a b", 'a"b', "tab\t", "new\nline", "-x", ":(top)x", "d/x b/y", "back\\slash"]
    for name in names:
        repo.stage_blob(name, b"1")
    change = staged(Repository())
    assert sorted(c.path for c in change.paths) == sorted(names)
    assert {name: change.head.read(name) for name in names} == dict.fromkeys(names, b"1")
    assert sorted(path for path, _ in change.head.files()) == sorted(names)


def test_paths_do_not_go_through_the_locale(repo: Repo) -> None:
    repo.stage_blob("caf\udce9", b"1")
    repo.stage_blob("café", b"1")
    script = "from ledgergate.git import *; print(ascii([c.path for c in staged(Repository()).paths]))"
    import sys

    done = repo.run(sys.executable, "-c", script, env={"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"})
    assert done.stdout.decode().strip() == ascii(["café", "caf\udce9"]), done.stderr


class TestMergesInProgress:
    """What equals any parent of the merge is not the merge's own edit; a hand-made difference is."""

    @pytest.fixture
    def merging(self, repo: Repo) -> Repo:
        repo.commit({"ours": "1", "theirs": "1", "both": "1"})
        repo.git("checkout", "-q", "-b", "other")
        repo.commit({"theirs": "2", "both": "theirs"})
        repo.git("checkout", "-q", "main")
        repo.commit({"ours": "2", "both": "ours"})
        assert repo.run("git", "merge", "-q", "other").returncode == 1
        return repo

    @pytest.mark.parametrize(
        ("resolution", "edited"), [("theirs", []), ("ours", []), ("neither", ["both"])], ids=["theirs", "ours", "new"]
    )
    def test_resolved_by_hand(self, merging: Repo, resolution: str, edited: list[str]) -> None:
        merging.stage({"both": resolution})
        change = staged(Repository())
        assert [c.path for c in change.edits] == edited
        assert "theirs" in {c.path for c in change.paths}

    def test_parents_named_by_the_environment(self, merging: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
        merging.stage({"both": "theirs"})
        other = merging.git("rev-parse", "other")
        (merging.path / ".git/MERGE_HEAD").unlink()
        assert [c.path for c in staged(Repository()).edits] == ["both", "theirs"]
        monkeypatch.setenv(f"GITHEAD_{other}", "other")
        assert [c.path for c in staged(Repository()).edits] == []

    def test_an_older_state_that_a_parent_still_has_is_an_edit(self, repo: Repo) -> None:
        repo.commit({"a": "1", "b": "1"})
        repo.git("checkout", "-q", "-b", "other")
        repo.commit({"b": "2"})
        repo.git("checkout", "-q", "main")
        repo.commit({"a": "2"})
        repo.git("merge", "-q", "--no-commit", "--no-ff", "other")
        assert [c.path for c in staged(Repository()).edits] == []
        repo.git("checkout", "-q", "other", "--", "a")
        assert [c.path for c in staged(Repository()).edits] == ["a"]

    def test_a_parent_that_does_not_exist_is_unreadable(self, merging: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
        merging.stage({"both": "theirs"})
        monkeypatch.setenv("GITHEAD_" + "1" * 40, "ghost")
        with pytest.raises(LedgergateError):
            staged(Repository())

    def test_an_empty_rebase_folder_switches_nothing_off(self, repo: Repo) -> None:
        repo.commit({"a": "1"})
        (repo.path / ".git/rebase-merge").mkdir()
        repo.stage({"a": "2"})
        assert staged_paths() == ["a"]


class TestRanges:
    @pytest.fixture
    def diverged(self, repo: Repo) -> Repo:
        repo.commit({"a": "1", "b": "1"})
        repo.git("checkout", "-q", "-b", "topic")
        repo.commit({"b": "2"})
        repo.git("checkout", "-q", "main")
        repo.commit({"a": "2"})
        return repo

    def test_fast_forward(self, diverged: Repo) -> None:
        assert range_paths("main~1", "topic") == ["b"]

    def test_diverged_is_the_merge_not_the_tip(self, diverged: Repo) -> None:
        assert range_paths("main", "topic") == ["b"]
        assert range_paths("main", "topic", exact=True) == ["a", "b"]

    def test_already_merged_brings_nothing(self, diverged: Repo) -> None:
        assert range_paths("topic", "main~1") == []

    def test_commits_between(self, diverged: Repo) -> None:
        change = between(Repository(), "main", "topic")
        assert [commit.id for commit in change.commits] == [diverged.git("rev-parse", "topic")]
        assert change.commits[0].author.email == "kim@example.org"

    def test_old_git_falls_back_to_libgit2(
        self, diverged: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real = shutil.which("git")
        wrapper = tmp_path / "bin/git"
        wrapper.parent.mkdir()
        wrapper.write_text(f'#!/bin/sh\ncase "$*" in *merge-tree*) exit 129;; esac\nexec {real} "$@"\n')
        wrapper.chmod(0o755)
        monkeypatch.setenv("PATH", f"{wrapper.parent}:{os.environ['PATH']}")
        assert range_paths("main", "topic") == ["b"]
        diverged.commit({"b": "other"})
        with pytest.raises(LedgergateError, match="conflict"):
            range_paths("main", "topic")

    def test_conflict_is_unreadable_and_names_the_path(self, diverged: Repo) -> None:
        diverged.commit({"b": "other"})
        with pytest.raises(LedgergateError, match="conflict in b"):
            range_paths("main", "topic")

    def test_unrelated_histories(self, diverged: Repo) -> None:
        diverged.git("checkout", "-q", "--orphan", "fresh")
        diverged.commit({"c": "1"})
        with pytest.raises(LedgergateError, match="no common history"):
            range_paths("main", "fresh")

    @pytest.mark.parametrize("gap", ["main~1", "topic~1"])
    def test_a_missing_commit_is_no_lack_of_common_history(self, diverged: Repo, gap: str) -> None:
        diverged.git("checkout", "-q", "topic")
        diverged.commit({"d": "1"})
        diverged.git("checkout", "-q", "main")
        diverged.commit({"e": "1"})
        commit = diverged.git("rev-parse", gap)
        (diverged.path / ".git/objects" / commit[:2] / commit[2:]).unlink()
        with pytest.raises(LedgergateError, match=f"has a gap: commit {commit}") as caught:
            range_paths("main", "topic")
        assert "`git fetch --refetch origin`" in (caught.value.remedy or "")

    @pytest.mark.parametrize("revision", ["nope", "main~9", "1" * 40, "main:b", "--help", ""])
    def test_missing_revision_is_unreadable(self, diverged: Repo, revision: str) -> None:
        with pytest.raises(LedgergateError) as caught:
            range_paths(revision, "topic")
        assert caught.value.rule == "git-unreadable"
        assert caught.value.remedy is not None

    def test_the_branch_before_this_one(self, diverged: Repo) -> None:
        assert range_paths("main~1", "@{-1}") == ["b"]
        with pytest.raises(LedgergateError, match=r"no commit '@\{-9\}'") as caught:
            range_paths("main", "@{-9}")
        assert caught.value.remedy is not None
        assert "git fetch" not in caught.value.remedy
        assert "one commit id" in caught.value.remedy

    @pytest.mark.parametrize(
        ("revision", "shown", "remedy"),
        [
            ("nope", "'nope'", "git fetch origin nope"),
            ("feature/x-1.0", "'feature/x-1.0'", "git fetch origin feature/x-1.0"),
            ("1" * 40, "'1111", "git fetch origin 1111"),
            ("0" * 40, "'0000", "name the branch to compare with"),
            ("main..topic", "'main..topic'", "A revision is one branch"),
            ("HEAD:b", "'HEAD:b'", "A revision is one branch"),
            ("-x", "'-x'", "A revision is one branch"),
            ("ma in", "'ma in'", "A revision is one branch"),
            ("main~9", "'main~9'", "A revision is one branch"),
            ("f\udcff", '"f\\\\377"', "A revision is one branch"),
            ("a\nb", '"a\\\\nb"', "A revision is one branch"),
        ],
    )
    def test_only_what_can_be_fetched_is_said_to_be(
        self, diverged: Repo, revision: str, shown: str, remedy: str
    ) -> None:
        with pytest.raises(LedgergateError, match=f"no commit {shown}") as caught:
            range_paths(revision, "topic")
        assert remedy in (caught.value.remedy or "")
        assert ("git fetch" in (caught.value.remedy or "")) == ("git fetch" in remedy)

    def test_a_branch_whose_name_is_no_utf8(self, diverged: Repo) -> None:
        diverged.git("branch", b"f\xff", "topic")
        assert range_paths("main~1", "f\udcff") == ["b"]
        (diverged.path / ".git/packed-refs").write_bytes(b"x" * 40 + b" refs/tags/f\xff\n")
        with pytest.raises(LedgergateError):
            range_paths("main~1", "f\udcff")

    def test_head_before_the_first_commit(self, repo: Repo) -> None:
        with pytest.raises(LedgergateError, match="no commit 'HEAD'") as caught:
            Repository().commit_id("HEAD")
        assert "no commit yet" in (caught.value.remedy or "")

    def test_tags_are_peeled(self, diverged: Repo) -> None:
        diverged.git("tag", "-a", "v1", "-m", "v1", "topic")
        assert range_paths("main~1", "v1") == ["b"]

    @pytest.mark.parametrize("revision", ["main", "topic", "topic~0", "topic^{commit}"])
    def test_a_tag_named_like_a_branch_chooses_nothing(self, diverged: Repo, revision: str) -> None:
        diverged.git("tag", "main", "topic")
        diverged.git("tag", "topic", "main~1")
        with pytest.raises(LedgergateError, match=r"ambiguous: refs/tags/.* and refs/heads/"):
            range_paths(revision, "main~1")
        assert range_paths("refs/heads/main~1", "refs/heads/topic") == ["b"]

    def test_a_tag_named_like_a_remote_branch_neither(self, diverged: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
        diverged.git("clone", "-q", str(diverged.path), "../clone")
        clone = Repo(diverged.path.parent / "clone", init=False)
        clone.git("tag", "origin/main", "origin/topic")
        monkeypatch.chdir(clone.path)
        with pytest.raises(LedgergateError, match="ambiguous"):
            range_paths("origin/main", "origin/topic")
        assert range_paths("refs/remotes/origin/main", "origin/topic") == ["b"]

    def test_two_names_of_one_commit_are_not_ambiguous(self, diverged: Repo) -> None:
        diverged.git("tag", "topic", "topic")
        assert range_paths("main", "topic") == ["b"]

    @pytest.mark.parametrize("revision", ["main", "origin/main", "main~0", "main^{tree}"])
    @pytest.mark.parametrize("is_linked", [False, True])
    def test_a_file_of_git_named_like_a_branch_chooses_nothing(
        self, diverged: Repo, monkeypatch: pytest.MonkeyPatch, revision: str, is_linked: bool
    ) -> None:
        if is_linked:
            diverged.git("worktree", "add", "-q", "--detach", "../linked")
            monkeypatch.chdir(diverged.path.parent / "linked")
        stray = diverged.path / ".git" / re.split("[~^]", revision)[0]
        stray.parent.mkdir(exist_ok=True)
        stray.write_text(diverged.git("rev-parse", "refs/heads/topic") + "\n")
        with pytest.raises(LedgergateError, match="ambiguous: git would take the file"):
            range_paths(revision, "topic")
        assert range_paths("refs/heads/main", "topic") == ["b"]

    @pytest.mark.parametrize("name", ["config", "description", "index", "FETCH_HEAD"])
    def test_what_git_keeps_in_its_folder_is_no_branch(self, diverged: Repo, name: str) -> None:
        diverged.git("update-ref", f"refs/heads/{name}", "main")
        (diverged.path / ".git" / name).touch()
        assert range_paths(f"refs/heads/{name}", "topic") == ["b"]
        if name != "FETCH_HEAD":
            assert range_paths(name, "topic") == ["b"]

    @pytest.mark.parametrize("kind", ["tags", "heads"])
    def test_a_name_that_looks_like_a_short_id_chooses_nothing(self, diverged: Repo, kind: str) -> None:
        short = diverged.git("rev-parse", "--short", "main")
        assert range_paths(short, "topic") == ["b"]
        diverged.git("update-ref", f"refs/{kind}/{short}", "topic")
        with pytest.raises(LedgergateError, match="a commit id"):
            range_paths(short, "topic")

    def test_shallow_clone_says_how_to_go_on(self, diverged: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
        diverged.git("clone", "-q", "--depth", "1", "--no-single-branch", f"file://{diverged.path}", "../shallow")
        monkeypatch.chdir(diverged.path.parent / "shallow")
        with pytest.raises(LedgergateError, match="shallow") as caught:
            range_paths("origin/main", "origin/topic")
        assert "--unshallow" in (caught.value.remedy or "")

    @pytest.mark.parametrize("revision", ["origin/topic", "refs/remotes/origin/topic"])
    def test_one_branch_of_a_shallow_clone(
        self, diverged: Repo, monkeypatch: pytest.MonkeyPatch, revision: str
    ) -> None:
        diverged.git("clone", "-q", "--depth", "1", f"file://{diverged.path}", "../shallow")
        shallow = Repo(diverged.path.parent / "shallow", init=False)
        monkeypatch.chdir(shallow.path)
        with pytest.raises(LedgergateError, match="no commit") as caught:
            range_paths("origin/main", revision)
        command = (caught.value.remedy or "").partition("git ")[2]
        shallow.git(*command.split())
        assert range_paths("origin/main", revision) == ["b"]

    def test_a_boundary_below_the_fork_is_enough(self, diverged: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
        diverged.git("clone", "-q", "--depth", "2", "--no-single-branch", f"file://{diverged.path}", "../shallow")
        monkeypatch.chdir(diverged.path.parent / "shallow")
        assert range_paths("origin/main", "origin/topic") == ["b"]


class TestPartialClones:
    """What the remote has kept for itself is missing, never absent; nothing but git's own commands fetches it."""

    @pytest.fixture(params=["blob:none", "tree:0", "blob:limit=1"])
    def partial(self, repo: Repo, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Repo:
        repo.commit({"a": "one", "b": "one", "sub/c": "one"})
        repo.git("checkout", "-q", "-b", "topic")
        repo.commit({"sub/c": "two"})
        repo.git("checkout", "-q", "main")
        repo.commit({"a": "two"})
        repo.git("config", "uploadpack.allowFilter", "true")
        repo.git("config", "uploadpack.allowAnySHA1InWant", "true")
        repo.git("clone", "-q", "--no-checkout", f"--filter={request.param}", f"file://{repo.path}", "../partial")
        clone = Repo(repo.path.parent / "partial", init=False)
        monkeypatch.chdir(clone.path)
        return clone

    @staticmethod
    def read() -> list[bytes]:
        change = between(Repository(), "origin/main", "origin/topic")
        return [change.head.read_entry(one.new) for one in change.paths if one.new is not None]

    def test_the_way_out_brings_it(self, partial: Repo) -> None:
        packs = set((partial.path / ".git/objects/pack").iterdir())
        with pytest.raises(LedgergateError, match="this clone is partial") as caught:
            self.read()
        assert caught.value.rule == "git-unreadable"
        if len(set((partial.path / ".git/objects/pack").iterdir()) - packs):
            pytest.fail("it was fetched without a word")
        command = (caught.value.remedy or "").partition("`git ")[2].partition("`")[0]
        partial.git(*command.split())
        assert self.read() == [b"two"]

    def test_without_its_remote_it_stays_missing(self, partial: Repo) -> None:
        partial.git("remote", "set-url", "origin", "file:///nowhere")
        with pytest.raises(LedgergateError, match="partial"):
            self.read()

    def test_a_whole_clone_lacks_for_another_reason(self, repo: Repo) -> None:
        repo.commit({"a": "one"})
        oid = repo.git("rev-parse", "HEAD:a")
        (repo.path / ".git/objects" / oid[:2] / oid[2:]).unlink()
        with pytest.raises(LedgergateError, match=f"object {oid}") as caught:
            Repository().snapshot(Repository().head_commit()).read("a")
        assert "partial" not in caught.value.message


class TestWhatCannotBeOpened:
    def test_no_repository(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        with pytest.raises(UsageError, match="no git repository"):
            Repository()

    @pytest.mark.parametrize(
        "settings",
        [
            {"extensions.objectFormat": "sha256"},
            {"extensions.refStorage": "reftable"},
            {"extensions.unheardOf": "true"},
        ],
        ids=lambda settings: next(iter(settings)),
    )
    def test_formats_that_libgit2_refuses_are_unreadable(self, repo: Repo, settings: dict[str, str]) -> None:
        repo.commit({"a": "1"})
        for key, value in {"core.repositoryFormatVersion": "1", **settings}.items():
            repo.git("config", "--file", ".git/config", key, value)
        with pytest.raises((LedgergateError, UsageError)):
            staged(Repository())

    def test_sha256_says_why(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        other = Repo(tmp_path / "other", init=False)
        other.path.mkdir()
        other.git("init", "-q", "--object-format=sha256")
        monkeypatch.chdir(other.path)
        with pytest.raises(LedgergateError, match="sha256"):
            Repository()

    @pytest.mark.parametrize("missing", ["HEAD", "HEAD^{tree}", "HEAD:sub", "HEAD:sub/a"])
    def test_missing_objects_are_unreadable_not_absent(self, repo: Repo, missing: str) -> None:
        repo.commit({"sub/a": "1", "b": "1"})
        old = repo.git("rev-parse", "HEAD")
        oid = repo.git("rev-parse", missing)
        repo.commit({"sub/a": "2", "b": "2"})
        (repo.path / ".git/objects" / oid[:2] / oid[2:]).unlink()
        with pytest.raises(LedgergateError):
            change = between(Repository(), old, "HEAD", exact=True)
            change.base.read(change.by_path["sub/a"].path)

    def test_corrupt_blob_is_unreadable(self, repo: Repo) -> None:
        repo.commit({"a": "1"})
        oid = repo.git("rev-parse", "HEAD:a")
        stored = repo.path / ".git/objects" / oid[:2] / oid[2:]
        stored.chmod(0o644)
        stored.write_bytes(b"\x00" * 20)
        with pytest.raises(LedgergateError):
            staged(Repository()).base.read("a")


class TestDefaultBranch:
    def test_none_on_the_main_branch_itself(self, repo: Repo) -> None:
        repo.commit({"a": "1"})
        assert Repository().default_branch() is None

    def test_local_main_from_a_topic(self, repo: Repo) -> None:
        tip = repo.commit({"a": "1"})
        repo.git("checkout", "-q", "-b", "topic")
        assert Repository().default_branch() == tip

    def test_remote_default_branch_wins(self, repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
        tip = repo.commit({"a": "1"})
        repo.git("clone", "-q", str(repo.path), "../clone")
        clone = Repo(repo.path.parent / "clone", init=False)
        clone.configure()
        clone.commit({"a": "2"})
        monkeypatch.chdir(clone.path)
        assert Repository().default_branch() == tip


@pytest.mark.parametrize("kind", ["pipe", "folder"])
def test_what_is_no_file_of_gits_is_not_waited_for(repo: Repo, kind: str) -> None:
    repo.commit({"a": "1"})
    repo.stage({"a": "2"})
    place = repo.path / ".git/MERGE_HEAD"
    os.mkfifo(place) if kind == "pipe" else place.mkdir()
    with pytest.raises(LedgergateError, match=f"it is a {kind}"):
        staged(Repository())


def test_borrowed_objects_are_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "info").mkdir()
    os.mkfifo(tmp_path / "info/alternates")
    with pytest.raises(LedgergateError, match="it is a pipe"):
        LooseObjects(tmp_path).refuse_cut("0" * 40)


def test_an_index_by_hand_starts_where_git_works(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit({"a": "1", "sub/b": "1"})
    shutil.copy(repo.path / ".git/index", repo.path / ".git/other")
    repo.git("update-index", "--force-remove", "a", env={"GIT_INDEX_FILE": ".git/other"})
    monkeypatch.chdir(repo.path / "sub")
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/other")
    assert staged_paths() == ["a"]
    assert Repository().git("ls-files").stdout == b"sub/b\n"
