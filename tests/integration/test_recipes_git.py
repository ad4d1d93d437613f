"""Where git begins and what it reads: commits without a parent, foreign formats, foreign owners."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from support.gate import (
    AS_AGENT,
    accepted,
    commit,
    gate,
    gate_process,
    guarded,
    install_hooks,
    locked_row,
    verdict,
)
from support.project import FREEZES, LEDGER, SIGNALLED, freezes, ledger, sha256
from support.repo import Repo

pytestmark = pytest.mark.slow

A, B = "tests/goldens/a.txt", "tests/goldens/b.txt"
LINES = "".join(f"line {number}\n" for number in range(30))
EDITED = LINES.replace("line 7\n", "line seven\n")


def beginnings(digest: str) -> dict[str, str]:
    """The files of a project that has no commit yet; its golden is locked on `digest`."""
    return {
        "ledgergate.toml": "version = 1\n",
        LEDGER: ledger(locked_row(A, digest), locked_row("tests/goldens/deep/er/b.txt", sha256("fine"))),
        FREEZES: freezes(),
        A: LINES,
        "tests/goldens/deep/er/b.txt": "fine",
        "src/app.py": "x = 1\n",
    }


class TestCommitsWithoutAParent:
    """A history has beginnings, and there is nothing before them to compare with: all that they hold is new."""

    def test_first_commit_with_a_wrong_digest(self, repo: Repo) -> None:
        install_hooks(repo, "commit-msg")
        repo.stage(beginnings(sha256("something else")))
        done = commit(repo)
        assert not accepted(done)
        assert "digest-mismatch" in done.everything
        assert A in done.everything
        assert "deep/er" not in done.everything

    def test_first_commit_with_the_right_digest(self, repo: Repo) -> None:
        install_hooks(repo, "pre-commit", "commit-msg")
        repo.stage(beginnings(sha256(LINES)))
        assert accepted(commit(repo))

    def test_first_commit_that_leaves_out_a_golden(self, repo: Repo) -> None:
        repo.stage({**beginnings(sha256(LINES)), "tests/goldens/deep/er/b.txt": "tampered"})
        assert verdict(repo).paths("digest-mismatch") == {"tests/goldens/deep/er/b.txt"}
        repo.git("rm", "-q", "--cached", A)
        assert verdict(repo).paths("artifact-missing") == {A}

    def test_first_commit_with_a_golden_and_no_row(self, repo: Repo) -> None:
        repo.stage({**beginnings(sha256(LINES)), B: "new"})
        assert verdict(repo).paths("golden-unclassified") == {B}

    @pytest.mark.parametrize("files", [{}, {"README": "hello"}], ids=["nothing", "no policy"])
    def test_first_commit_before_anything_is_enforced(self, repo: Repo, files: dict[str, str]) -> None:
        install_hooks(repo)
        repo.stage(files)
        assert verdict(repo).seen("not-enforced")
        assert accepted(commit(repo, "--allow-empty"))

    @pytest.mark.parametrize("golden", [LINES, EDITED], ids=["as locked", "tampered"])
    def test_orphan_branch(self, repo: Repo, golden: str) -> None:
        guarded(repo, {A: LINES})
        install_hooks(repo)
        repo.git("checkout", "-q", "--orphan", "fresh")
        repo.stage({A: golden})
        assert accepted(commit(repo)) == (golden == LINES)

    def test_orphan_branch_that_drops_the_rules(self, repo: Repo) -> None:
        """Without a policy of its own it is judged by that of the branch that it would have to join."""
        guarded(repo, {A: LINES})
        install_hooks(repo)
        repo.git("checkout", "-q", "--orphan", "fresh")
        repo.git("rm", "-q", "--cached", "ledgergate.toml")
        repo.stage({A: EDITED})
        assert not accepted(commit(repo, env=AS_AGENT))

    @pytest.mark.parametrize("golden", [LINES, EDITED], ids=["as locked", "tampered"])
    def test_detached_head(self, repo: Repo, golden: str) -> None:
        guarded(repo, {A: LINES})
        install_hooks(repo)
        repo.git("checkout", "-q", "--detach")
        repo.stage({A: golden, "src/app.py": "x = 2\n"})
        assert accepted(commit(repo, env=AS_AGENT)) == (golden == LINES)

    @pytest.mark.parametrize("row", ["", locked_row(B, sha256("new"))], ids=["without row", "with its row"])
    def test_a_root_commit_within_a_range_brings_all_its_files(self, repo: Repo, row: str) -> None:
        guarded(repo, {A: LINES})
        repo.git("checkout", "-q", "--orphan", "elsewhere")
        repo.git("rm", "-q", "-r", "--cached", ".")
        repo.commit({B: "new"}, "a root", trailers=(SIGNALLED,))
        repo.git("checkout", "-q", "-f", "-b", "topic", "main")
        repo.git("merge", "-q", "--allow-unrelated-histories", "-m", "joined", "elsewhere")
        if row:
            repo.commit({LEDGER: (repo.path / LEDGER).read_text() + row}, "its row")
        seen = verdict(repo, "check", "--from", "main", "--to", "topic")
        assert seen.paths("golden-unclassified") == (set() if row else {B})
        assert seen.state == ("UNSCORED" if row else "FAIL")

    def test_histories_without_a_common_beginning(self, repo: Repo) -> None:
        guarded(repo, {A: LINES})
        repo.git("checkout", "-q", "--orphan", "elsewhere")
        repo.commit({"README": "x"})
        seen = verdict(repo, "check", "--from", "main", "--to", "elsewhere")
        assert seen.state == "UNSCORED"
        assert "no common history" in seen.message("git-unreadable")


def set_format(repo: Repo, *settings: str) -> None:
    """Declare extensions of the repository's format, past the git that would refuse to read them."""
    path = repo.path / ".git/config"
    text = path.read_text()
    assert "repositoryformatversion = 0" in text
    extensions = "".join(f"\t{setting}\n" for setting in settings)
    text = text.replace("repositoryformatversion = 0", "repositoryformatversion = 1")
    path.write_text(f"{text}[extensions]\n{extensions}")


def zero_checksum(repo: Repo) -> None:
    index = repo.path / ".git/index"
    index.write_bytes(index.read_bytes()[:-20] + bytes(20))


class TestFormats:
    """Git reads repositories that a library may not. What cannot be read is said to be so, with a way out."""

    @pytest.mark.parametrize(
        ("settings", "named"),
        [
            (("refStorage = reftable",), "reftable"),
            (("compatObjectFormat = sha256",), "compatobjectformat"),
            (("objectFormat = sha256",), "sha256"),
            (("partialClone = origin",), "partialclone"),
            (("unheardOf = true",), "unheardof"),
            (("noop = true", "unheardOf = true"), "unheardof"),
        ],
        ids=lambda value: value[0] if isinstance(value, tuple) else "",
    )
    def test_refused(self, repo: Repo, settings: tuple[str, ...], named: str) -> None:
        guarded(repo, {A: LINES})
        repo.stage({"src/app.py": "x = 2\n"})
        set_format(repo, *settings)
        for command in (["check", "--staged"], ["check", "--from", "HEAD", "--to", "HEAD"], ["verify"]):
            seen = verdict(repo, *command)
            assert seen.state == "UNSCORED"
            assert named in seen.message("git-unreadable").casefold()
            assert "ordinary full clone" in seen.message("git-unreadable")

    def test_sha256_objects(self, tmp_path: Path) -> None:
        repo = Repo(tmp_path / "long", init=False)
        repo.path.mkdir()
        repo.git("init", "-q", "-b", "main", "--object-format=sha256")
        repo.configure()
        install_hooks(repo)
        repo.stage(beginnings(sha256(LINES)))
        done = commit(repo)
        assert not accepted(done)
        assert "sha256" in done.everything
        assert "ordinary" in done.everything

    @pytest.mark.parametrize("golden", [LINES, EDITED], ids=["as locked", "tampered"])
    def test_partial_clone_whose_remote_answers(self, partial: Repo, golden: str) -> None:
        """Git fetches what it needs to make the tree; whatever we then cannot find is no pass."""
        partial.git("read-tree", "HEAD")
        partial.stage_blob(A, golden.encode())
        done = gate(partial, "check", "--staged")
        assert done.status == 1 if golden == EDITED else done.status in (0, 1)
        assert "PASS" in done.out if done.status == 0 else "refused" in done.out

    def test_partial_clone_whose_remote_is_gone(self, repo: Repo, partial: Repo) -> None:
        repo.path.rename(repo.path.parent / "moved")
        partial.git("read-tree", "HEAD")
        for command in (["check", "--staged"], ["check", "--from", "HEAD", "--to", "HEAD"], ["verify"]):
            done = gate(partial, *command)
            assert done.status == 1, done
            assert "UNSCORED" in done.out
        partial.stage_blob("src/app.py", b"x = 2\n")
        assert partial.run("git", "commit", "-q", "-m", "change").returncode != 0

    @pytest.fixture
    def partial(self, repo: Repo) -> Repo:
        guarded(repo, {A: LINES})
        repo.git("config", "uploadpack.allowFilter", "true")
        clone = Repo(repo.path.parent / "clone", init=False)
        repo.git("clone", "-q", "--filter=blob:none", "--no-checkout", f"file://{repo.path}", str(clone.path))
        clone.configure()
        install_hooks(clone)
        return clone

    @pytest.mark.parametrize(
        "prepare",
        [
            lambda repo: repo.git("update-index", "--split-index"),
            lambda repo: repo.git("update-index", "--index-version", "4"),
            lambda repo: repo.git("update-index", "--force-untracked-cache"),
            zero_checksum,
            lambda repo: repo.git("config", "index.skipHash", "true"),
            lambda repo: set_format(repo, "worktreeConfig = true"),
            lambda repo: set_format(repo, "preciousObjects = true"),
            lambda repo: set_format(repo, "noop = true"),
            lambda repo: repo.git("config", "feature.manyFiles", "true"),
            lambda repo: repo.git("pack-refs", "--all"),
            lambda repo: repo.git("gc", "-q"),
        ],
        ids=[
            "split index",
            "index v4",
            "untracked cache",
            "zeroed checksum",
            "skipHash",
            "worktreeConfig",
            "preciousObjects",
            "noop",
            "manyFiles",
            "packed refs",
            "packed objects",
        ],
    )
    def test_read_like_any_other(self, repo: Repo, prepare: Callable[[Repo], object]) -> None:
        guarded(repo, {A: LINES})
        repo.stage({"src/app.py": "x = 2\n"})
        prepare(repo)
        assert verdict(repo, env=AS_AGENT).state == "PASS"
        if prepare is not zero_checksum:
            repo.stage({A: EDITED})
            assert verdict(repo, env=AS_AGENT).paths("digest-mismatch") == {A}

    def test_a_zeroed_checksum_hides_no_edit(self, repo: Repo) -> None:
        guarded(repo, {A: LINES})
        repo.stage({A: EDITED})
        zero_checksum(repo)
        assert verdict(repo).paths("digest-mismatch") == {A}


class TestMalformedTrees:
    """Plumbing can store a folder that no index could hold: a lookup by name then finds one file, a walk another."""

    @pytest.mark.parametrize("order", [("good", "bad"), ("bad", "good")], ids=["good first", "bad first"])
    def test_a_name_that_stands_twice(self, repo: Repo, order: tuple[str, str]) -> None:
        guarded(repo, {A: LINES})
        trees = {"good": repo.git("rev-parse", "HEAD:tests/goldens")}
        blob = repo.git("hash-object", "-w", "--stdin", stdin=EDITED.encode())
        trees["bad"] = repo.git("mktree", stdin=f"100644 blob {blob}\ta.txt\n".encode())
        self.land(repo, [("40000", "goldens", trees[name]) for name in order])
        assert verdict(repo, "check", "--from", "main", "--to", "topic").refusals == {"git-unreadable"}
        assert verdict(repo, "check", "--from", "main", "--to", "topic", "--exact").state != "PASS"

    def test_names_out_of_order(self, repo: Repo) -> None:
        guarded(repo, {A: LINES})
        goldens = repo.git("rev-parse", "HEAD:tests/goldens")
        blob = repo.git("hash-object", "-w", "--stdin", stdin=b"")
        self.land(repo, [("100644", "z", blob), ("40000", "goldens", goldens)], is_sorted=False)
        assert verdict(repo, "check", "--from", "main", "--to", "topic").refusals >= {"git-unreadable"}

    def land(self, repo: Repo, entries: list[tuple[str, str, str]], *, is_sorted: bool = True) -> None:
        """A commit on topic in whose tests folder these entries, as they are, stand in the place of the goldens."""
        listed = [line.split(None, 3) for line in repo.git("ls-tree", "HEAD:tests").splitlines()]
        kept = [(mode.lstrip("0"), name, oid) for mode, _, oid, name in listed if name != "goldens"]
        order = sorted((*kept, *entries), key=lambda entry: entry[1]) if is_sorted else (*entries, *kept)
        raw = b"".join(f"{mode} {name}\0".encode() + bytes.fromhex(oid) for mode, name, oid in order)
        tests = repo.git("hash-object", "-t", "tree", "-w", "--literally", "--stdin", stdin=raw)
        top = repo.git("ls-tree", "HEAD").replace(repo.git("rev-parse", "HEAD:tests"), tests)
        tree = repo.git("mktree", stdin=f"{top}\n".encode())
        commit = repo.git("commit-tree", "-p", "HEAD", "-m", "x", tree)
        repo.git("branch", "topic", commit)


NOBODY = 65534


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give files away")
class TestForeignOwner:
    """Git reads another user's repository only where it is told that it is safe; so do we, and say how."""

    @pytest.fixture
    def foreign(self, repo: Repo) -> Repo:
        guarded(repo, {A: LINES})
        repo.stage({"src/app.py": "x = 2\n"})
        give(repo.path, NOBODY)
        return repo

    def test_refused(self, foreign: Repo) -> None:
        done = gate_process(foreign, "check", "--staged")
        assert done.status == 1
        assert "another user" in done.out
        assert f"`git config --global --add safe.directory {foreign.path}`" in done.out

    @pytest.mark.parametrize("value", ["*", "PATH"])
    def test_trusted(self, foreign: Repo, value: str) -> None:
        settings = foreign.path.parent / "gitconfig"
        settings.write_text(f"[safe]\n\tdirectory = {value.replace('PATH', str(foreign.path))}\n")
        trusting = {"GIT_CONFIG_GLOBAL": str(settings)}
        assert verdict(foreign, env=trusting, run=gate_process).state == "PASS"
        foreign.env |= trusting
        foreign.stage({A: EDITED})
        assert verdict(foreign, run=gate_process).paths("digest-mismatch") == {A}

    def test_trust_in_another_folder_is_none(self, foreign: Repo) -> None:
        settings = foreign.path.parent / "gitconfig"
        settings.write_text("[safe]\n\tdirectory = /somewhere/else\n")
        assert gate_process(foreign, "check", "--staged", env={"GIT_CONFIG_GLOBAL": str(settings)}).status == 1


def give(folder: Path, owner: int) -> None:
    os.chown(folder, owner, owner)
    for path in folder.rglob("*"):
        os.chown(path, owner, owner, follow_symlinks=False)
