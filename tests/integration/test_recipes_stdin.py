"""What a hook is given to read, or is not: it judges the same, and never waits."""

from __future__ import annotations

import os
import pty
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO

import pytest

from support.gate import AS_AGENT, PATIENCE, SCRIPTS, Said, accepted, commit, guarded, honest, install_hooks
from support.managers import MANAGERS, install_manager, refusal
from support.repo import Repo

A = "tests/goldens/a.txt"
ZEROS = "0" * 40
REF_LINES = "".join(f"refs/heads/b{n} {'1' * 40} refs/heads/b{n} {ZEROS}\n" for n in range(5_000)).encode()
HOOKS = {
    "ledgergate": ("ledgergate", "check", "--staged"),
    "range": ("ledgergate", "check", "--from", "HEAD", "--to", "HEAD"),
    "verify": ("ledgergate", "verify"),
    "commit-msg": ("ledgergate-commit-msg", ".git/COMMIT_EDITMSG"),
    "ledger-schema": ("ledger-schema",),
    "ledger-edits": ("ledger-edits",),
    "fixture-digests": ("fixture-digests",),
    "two-sided-diff": ("two-sided-diff",),
    "test-guard": ("test-guard",),
}
# The hooks that are installed by default.
SHIPPED = ("ledgergate", "commit-msg")
# The hooks that look at what is staged and must refuse a golden that does not match.
REFUSING = ("ledgergate", "commit-msg", "fixture-digests")

Run = Callable[..., Said]


@contextmanager
def closed() -> Iterator[int | IO[bytes] | None]:
    yield None


@contextmanager
def null() -> Iterator[int | IO[bytes] | None]:
    yield subprocess.DEVNULL


@contextmanager
def terminal() -> Iterator[int | IO[bytes] | None]:
    ours, theirs = pty.openpty()
    try:
        yield theirs
    finally:
        os.close(ours)
        os.close(theirs)


@contextmanager
def pipe_never_closed() -> Iterator[int | IO[bytes] | None]:
    read, write = os.pipe()
    try:
        yield read
    finally:
        os.close(read)
        os.close(write)


INPUTS = {"closed": closed, "/dev/null": null, "terminal": terminal, "pipe never closed": pipe_never_closed}


def run_with(repo: Repo, name: str, command: tuple[str, ...]) -> Said:
    script, *arguments = command
    with INPUTS[name]() as stdin:
        done = subprocess.run(
            # Nothing in Python starts a child without a standard input; a shell does.
            ["sh", "-c", 'exec "$@" <&-' if stdin is None else 'exec "$@"', "sh", str(SCRIPTS / script), *arguments],
            cwd=repo.path,
            env=repo.env,
            stdin=stdin,
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
    return honest(Said(done.returncode, done.stdout.decode(), done.stderr.decode()))


@pytest.mark.slow
class TestStandardInput:
    """A hook manager may close, keep, or never end what a hook could read: no hook here depends on it."""

    @pytest.fixture
    def project(self, repo: Repo) -> Repo:
        guarded(repo, {A: "good"})
        repo.write(".git/COMMIT_EDITMSG", "change\n")
        return repo

    @pytest.mark.parametrize(
        ("hook", "name"),
        [(hook, name) for hook in HOOKS for name in INPUTS if hook in SHIPPED or name == "pipe never closed"],
    )
    def test_judged_all_the_same(self, project: Repo, hook: str, name: str) -> None:
        project.stage({A: "tampered"})
        done = run_with(project, name, HOOKS[hook])
        if hook in REFUSING:
            assert done.status == 1
            assert "digest-mismatch" in done.out
        else:
            assert "PASS" in done.out or "test-removed" in done.out

    @pytest.mark.parametrize("hook", SHIPPED)
    def test_what_nobody_reads_kills_nobody(self, project: Repo, hook: str) -> None:
        """A writer of more than a pipe holds ends well where a shell's `pipefail` would tell of it."""
        script, *arguments = HOOKS[hook]
        done = project.run(str(SCRIPTS / script), *arguments, stdin=REF_LINES)
        assert done.returncode == 0
        assert b"PASS" in done.stdout

    @pytest.mark.parametrize(
        ("name", "golden"), [*((name, "tampered") for name in INPUTS), ("pipe never closed", "good")]
    )
    def test_real_commits(self, project: Repo, name: str, golden: str) -> None:
        install_hooks(project, "pre-commit", "commit-msg")
        project.stage({A: golden, "src/app.py": "x = 2\n"})
        command = ["git", "commit", "-q", "-m", "change"]
        with INPUTS[name]() as stdin:
            done = subprocess.run(
                ["sh", "-c", 'exec "$@" <&-' if stdin is None else 'exec "$@"', "sh", *command],
                cwd=project.path,
                env=project.env,
                stdin=stdin,
                capture_output=True,
                timeout=PATIENCE,
                check=False,
            )
        assert (done.returncode == 0) == (golden == "good")

    @pytest.mark.parametrize("stream", ["1", "2"])
    def test_nowhere_to_print(self, project: Repo, stream: str) -> None:
        project.stage({A: "tampered"})
        done = project.run("sh", "-c", f"exec {SCRIPTS}/ledgergate check --staged {stream}>&-")
        assert done.returncode != 0
        assert b"Traceback" not in done.stdout + done.stderr


CONFIG = """\
repos:
  - repo: local
    hooks:
      - id: ledgergate
        name: ledgergate
        entry: ledgergate check --staged
        language: system
        stages: [pre-commit, pre-merge-commit]
        always_run: true
        pass_filenames: false
        require_serial: true
      - id: ledgergate-commit-msg
        name: ledgergate (commit message)
        entry: ledgergate-commit-msg
        language: system
        stages: [commit-msg]
        always_run: true
        require_serial: true
"""


@pytest.mark.slow
@pytest.mark.parametrize("manager", MANAGERS)
class TestUnderHookManagers:
    """The same, with a manager between git and the hook that has its own idea of standard input and of file names."""

    @pytest.fixture
    def managed(self, repo: Repo, manager: str) -> Repo:
        config = "default_install_hook_types: [pre-commit, pre-merge-commit, commit-msg]\n" + CONFIG
        guarded(repo, {A: "good", "tests/goldens/b.txt": "b"}, files={".pre-commit-config.yaml": config})
        install_manager(repo, manager)
        return repo

    def test_refused_and_accepted(self, managed: Repo) -> None:
        managed.stage({A: "tampered"})
        assert "digest-mismatch" in refusal(commit(managed))
        managed.stage({A: "good", "src/app.py": "x = 2\n"})
        assert accepted(commit(managed, env=AS_AGENT))

    def test_a_commit_that_only_deletes(self, managed: Repo) -> None:
        managed.git("rm", "-q", "--cached", A)
        assert "artifact-missing" in refusal(commit(managed))

    def test_a_commit_of_nothing(self, managed: Repo) -> None:
        assert accepted(commit(managed, "--allow-empty"))

    def test_a_trailer_seen_by_the_second_hook_alone(self, managed: Repo) -> None:
        managed.stage({"tests/test_x.py": "def test_x(): pass\n"})
        signed = "change\n\nCo-Authored-By: Claude <noreply@anthropic.com>"
        assert "write-path" in refusal(commit(managed, message=signed))
        assert accepted(commit(managed))

    @pytest.mark.parametrize("name", INPUTS)
    def test_any_standard_input(self, managed: Repo, name: str) -> None:
        managed.stage({A: "tampered"})
        with INPUTS[name]() as stdin:
            done = subprocess.run(
                ["sh", "-c", 'exec "$@" <&-' if stdin is None else 'exec "$@"', "sh", "git", "commit", "-m", "x"],
                cwd=managed.path,
                env=managed.env,
                stdin=stdin,
                capture_output=True,
                timeout=PATIENCE,
                check=False,
            )
        assert done.returncode != 0
        assert b"digest-mismatch" in done.stdout + done.stderr

    @pytest.mark.parametrize("config", [CONFIG, CONFIG.replace("pass_filenames: false", "pass_filenames: true")])
    def test_run_by_hand_on_all_files(self, managed: Repo, manager: str, config: str) -> None:
        """File names that a manager appends are no options, and no part of the judgement."""
        managed.stage({A: "tampered"})
        done = managed.run(manager, "run", "ledgergate", "--all-files")
        assert done.returncode == 1
        assert b"digest-mismatch" in done.stdout
