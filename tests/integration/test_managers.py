"""Small guarded projects under pre-commit and prek: fixers, many files, unfinished merges, several worktrees."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from ledgergate.adopt.hook_config import add_hooks, hooks_block
from support.gate import AS_AGENT, SCRIPTS, commit, guarded, locked, said
from support.managers import commit_all, install_manager, refusal
from support.project import LEDGER, ledger
from support.repo import Repo

pytestmark = pytest.mark.slow

CONFIG = ".pre-commit-config.yaml"
GOLDEN = "tests/goldens/a.txt"
OTHER = "tests/goldens/b.txt"
HOOKS = hooks_block(None, None)

# What the end-of-file fixers of the common collections do, without the network.
FIXER = """\
import pathlib, sys
changed = False
for name in sys.argv[1:]:
    data = pathlib.Path(name).read_bytes()
    if data and not data.endswith(b'\\n'):
        pathlib.Path(name).write_bytes(data + b'\\n')
        changed = True
sys.exit(changed)
"""
FIXER_HOOK = f"""\
-   repo: local
    hooks:
    -   id: end-of-file-fixer
        name: end-of-file-fixer
        entry: {sys.executable} fixer.py
        language: system
"""


def config(*entries: str) -> str:
    types = "default_install_hook_types: [pre-commit, pre-merge-commit, commit-msg]\n"
    return types + "repos:\n" + "".join(entries)


def project(repo: Repo, manager: str, goldens: dict[str, str], *entries: str) -> None:
    """A guarded project with these hooks, ours last unless they say otherwise."""
    guarded(repo, goldens, files={CONFIG: config(*(entries or (HOOKS,))), "fixer.py": FIXER})
    install_manager(repo, manager)


class TestFixers:
    """A fixer rewrites on disk: what is judged is what is staged, and the next commit meets the rewritten golden."""

    @pytest.mark.parametrize("entries", [(FIXER_HOOK, HOOKS), (HOOKS, FIXER_HOOK)], ids=["before", "after"])
    def test_a_golden_that_a_fixer_rewrote_is_refused(self, repo: Repo, manager: str, entries: tuple[str, ...]) -> None:
        project(repo, manager, {}, *entries)
        unfinished = {"tests/goldens/a.txt": "no line end"}
        repo.stage({**unfinished, LEDGER: ledger(locked(unfinished))})
        first = commit(repo)
        assert first.status == 1
        assert "end-of-file-fixer" in first.everything
        assert "digest-mismatch" not in first.everything
        assert (repo.path / GOLDEN).read_bytes() == b"no line end\n"
        repo.git("add", GOLDEN)
        assert commit_all(repo) == {"digest-mismatch"}

    def test_staged_good_and_worse_on_disk(self, repo: Repo, manager: str) -> None:
        project(repo, manager, {GOLDEN: "1\n"})
        repo.stage({"src/app.py": "x = 2\n"})
        repo.write(GOLDEN, "tampered\n")
        latin = "caf\xe9\r\n".encode("latin-1")
        repo.write("src/latin.txt", latin)
        assert commit_all(repo, env=AS_AGENT) == set()
        assert (repo.path / GOLDEN).read_bytes() == b"tampered\n"
        assert (repo.path / "src/latin.txt").read_bytes() == latin

    def test_staged_bad_and_better_on_disk(self, repo: Repo, manager: str) -> None:
        latin = "caf\xe9\r\n".encode("latin-1")
        project(repo, manager, {GOLDEN: "1\n"})
        repo.commit({"src/latin.txt": latin})
        repo.stage({GOLDEN: "tampered\n"})
        repo.write(GOLDEN, "1\n")
        repo.write("src/latin.txt", latin + latin)
        assert commit_all(repo) == {"digest-mismatch"}
        assert (repo.path / GOLDEN).read_bytes() == b"1\n"
        assert (repo.path / "src/latin.txt").read_bytes() == latin + latin
        assert repo.git("show", f":{GOLDEN}") == "tampered"


class TestManyFiles:
    """More file names than one command line takes."""

    NAMES = tuple(f"tests/goldens/{number:04}_{'long' * 40}.txt" for number in range(1500))

    def counted(self, repo: Repo, entry: str, *, pass_filenames: bool) -> str:
        """A hook that leaves a line in `starts` each time it is started."""
        repo.write("count.sh", f"#!/bin/sh\necho start >> '{repo.path.parent}/starts'\nexec '{SCRIPTS}'/{entry}\n")
        (repo.path / "count.sh").chmod(0o755)
        hook = {
            "id": "counted",
            "name": "counted",
            "entry": f"{repo.path}/count.sh",
            "language": "system",
            "stages": ["pre-commit"],
            "always_run": True,
            "pass_filenames": pass_filenames,
            "require_serial": True,
        }
        return yaml.safe_dump([{"repo": "local", "hooks": [hook]}])

    def starts(self, repo: Repo) -> int:
        return len((repo.path.parent / "starts").read_text(encoding="utf-8").splitlines())

    @pytest.mark.parametrize("bad", [False, True], ids=["honest", "tampered"])
    def test_one_process_and_one_verdict(self, repo: Repo, manager: str, bad: bool) -> None:
        project(repo, manager, {}, self.counted(repo, "ledgergate check --staged", pass_filenames=False))
        goldens = dict.fromkeys(self.NAMES, "1\n")
        repo.stage({**goldens, LEDGER: ledger(locked(goldens))})
        if bad:
            repo.stage({self.NAMES[700]: "tampered\n"})
        done = commit(repo)
        assert refusal(done) == ({"digest-mismatch"} if bad else set())
        assert self.starts(repo) == 1
        assert done.everything.count("checks ran on tree") == int(bad)

    @pytest.mark.parametrize("bad", [False, True], ids=["honest", "tampered"])
    def test_file_names_that_are_passed_all_the_same_change_nothing(self, repo: Repo, manager: str, bad: bool) -> None:
        project(repo, manager, {}, self.counted(repo, 'fixture-digests "$@"', pass_filenames=True))
        goldens = dict.fromkeys(self.NAMES, "1\n")
        repo.stage({**goldens, LEDGER: ledger(locked(goldens))})
        if bad:
            repo.stage({self.NAMES[700]: "tampered\n"})
        assert commit_all(repo) == ({"digest-mismatch"} if bad else set())
        # Managers split the names at limits of their own; pre-commit's is the lower one.
        assert self.starts(repo) > (manager == "pre-commit")

    def test_two_that_start_at_once_say_the_same(self, repo: Repo) -> None:
        guarded(repo, {GOLDEN: "1\n"})
        repo.stage({GOLDEN: "tampered\n"})
        command = [str(SCRIPTS / "ledgergate"), "check", "--staged"]
        running = [
            subprocess.Popen(command, cwd=repo.path, env=repo.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            for _ in range(4)
        ]
        outcomes = {(*process.communicate(timeout=60), process.returncode) for process in running}
        assert len(outcomes) == 1
        ((out, _, status),) = outcomes
        assert status == 1
        assert b"digest-mismatch" in out


def relocked(repo: Repo, contents: str) -> None:
    """A commit in which a human gave a golden new bytes and its row their digest."""
    repo.commit({GOLDEN: contents, LEDGER: ledger(locked({GOLDEN: contents}))})


class TestUnfinishedMerges:
    """A conflict in a golden that is resolved by hand is judged like any other commit, whatever git is doing."""

    @pytest.fixture(
        params=[
            ("merge", "theirs"),
            ("rebase", "theirs"),
            ("cherry-pick", "theirs"),
            ("revert", "--no-edit", "HEAD~1"),
        ],
        ids=lambda command: command[0],
    )
    def conflicted(self, request: pytest.FixtureRequest, repo: Repo, manager: str) -> Repo:
        project(repo, manager, {GOLDEN: "1\n"})
        repo.git("checkout", "-q", "-b", "theirs")
        relocked(repo, "theirs\n")
        repo.git("checkout", "-q", "main")
        relocked(repo, "ours\n")
        relocked(repo, "ours again\n")
        done = repo.run("git", *request.param)
        assert done.returncode != 0
        assert GOLDEN in repo.git("diff", "--name-only", "--diff-filter=U")
        return repo

    def test_unmerged_paths_are_no_commit(self, conflicted: Repo) -> None:
        assert said(conflicted, ["git", "commit", "-q", "--no-edit"]).status != 0
        alone = said(conflicted, [str(SCRIPTS / "ledgergate"), "check", "--staged"])
        assert alone.status == 1
        assert "UNSCORED git-unreadable" in alone.out

    def test_a_wrong_resolution_is_refused_and_a_right_one_made(self, conflicted: Repo) -> None:
        resolved = ledger(locked({GOLDEN: "resolved\n"}))
        conflicted.stage({GOLDEN: "tampered\n", LEDGER: resolved})
        assert commit_all(conflicted) == {"digest-mismatch"}
        conflicted.stage({GOLDEN: "resolved\n"})
        assert commit_all(conflicted) == set()

    def test_an_agent_cannot_resolve_with_a_digest_of_its_own(self, conflicted: Repo) -> None:
        conflicted.stage({GOLDEN: "mine\n", LEDGER: ledger(locked({GOLDEN: "mine\n"}))})
        assert commit_all(conflicted, env=AS_AGENT) == {"digest-changed"}


@pytest.mark.parametrize("folder", ["rebase-merge", "rebase-apply", "sequencer"])
def test_a_leftover_folder_of_a_rebase_switches_nothing_off(repo: Repo, manager: str, folder: str) -> None:
    project(repo, manager, {GOLDEN: "1\n"})
    (repo.path / ".git" / folder).mkdir()
    repo.stage({GOLDEN: "tampered\n"})
    assert commit_all(repo) == {"digest-mismatch"}


def test_an_amended_commit_is_judged_against_its_own_head(repo: Repo, manager: str) -> None:
    project(repo, manager, {GOLDEN: "1\n"})
    repo.commit({"src/app.py": "x = 2\n"})
    repo.stage({GOLDEN: "tampered\n"})
    assert commit_all(repo, "--amend") == {"digest-mismatch"}


class TestWorktrees:
    """Each worktree is judged by what it has itself, wherever the hook's file stands."""

    @pytest.fixture(params=["shared hooks", "absolute hooksPath", "linked folder of hooks"])
    def second(self, request: pytest.FixtureRequest, repo: Repo, manager: str) -> Repo:
        project(repo, manager, {GOLDEN: "first\n"})
        hooks = repo.path / ".git" / "hooks"
        if request.param == "absolute hooksPath":
            repo.git("config", "core.hooksPath", str(hooks))
        elif request.param == "linked folder of hooks":
            hooks.rename(repo.path.parent / "hooks")
            hooks.symlink_to(repo.path.parent / "hooks")
        folder = repo.path.parent / "second"
        repo.git("worktree", "add", "-q", "-b", "other", str(folder))
        second = Repo(folder, init=False)
        second.env = repo.env
        second.commit({GOLDEN: "second\n", LEDGER: ledger(locked({GOLDEN: "second\n"}))})
        return second

    def test_the_ledger_is_that_of_the_worktree(self, second: Repo, repo: Repo) -> None:
        second.stage({GOLDEN: "first\n"})
        assert commit_all(second) == {"digest-mismatch"}
        second.stage({GOLDEN: "second\n", "src/app.py": "x = 2\n"})
        assert commit_all(second, env=AS_AGENT) == set()
        repo.stage({GOLDEN: "second\n"})
        assert commit_all(repo) == {"digest-mismatch"}
        assert repo.git("rev-parse", "main") != second.git("rev-parse", "other")

    def test_a_commit_from_a_folder_below(self, second: Repo) -> None:
        second.stage({GOLDEN: "first\n"})
        below = Repo(second.path / "src", init=False)
        below.env = second.env
        assert commit_all(below) == {"digest-mismatch"}


def test_a_submodule_is_judged_by_its_own_ledger(repo: Repo, manager: str, tmp_path: Path) -> None:
    source = Repo(tmp_path / "source")
    guarded(source, {GOLDEN: "inner\n"}, files={CONFIG: config(HOOKS)})
    guarded(repo, {GOLDEN: "outer\n"})
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(source.path), "inner")
    repo.commit()
    inner = Repo(repo.path / "inner", init=False)
    inner.configure()
    install_manager(inner, manager)
    inner.stage({GOLDEN: "outer\n"})
    assert commit_all(inner) == {"digest-mismatch"}
    inner.stage({GOLDEN: "inner\n", "src/app.py": "x = 2\n"})
    assert commit_all(inner, env=AS_AGENT) == set()


def test_the_configuration_that_init_edits_is_one_for_both(repo: Repo, manager: str) -> None:
    edited = add_hooks(config(FIXER_HOOK).encode(), HOOKS).data
    assert edited is not None
    guarded(repo, {GOLDEN: "1\n"}, files={CONFIG: edited, "fixer.py": FIXER})
    install_manager(repo, manager)
    repo.stage({GOLDEN: "tampered\n"})
    assert commit_all(repo) == {"digest-mismatch"}
