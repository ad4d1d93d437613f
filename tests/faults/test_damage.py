"""Real damage, in real repositories: to objects, to contents, to git. Nothing of it ends in a 0."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from ledgergate.cli.main import main
from ledgergate.hosts import commit_msg, single_checks
from support.project import FREEZES, GOLDEN, LEDGER
from support.repo import Repo

pytestmark = pytest.mark.slow

STAGED: dict[str, Callable[[], int]] = {
    "check": lambda: main(["check"]),
    "check --staged": lambda: main(["check", "--staged"]),
    "check --format json": lambda: main(["check", "--format", "json"]),
    "commit-msg": lambda: commit_msg.main(["message"]),
    "ledger-schema": lambda: single_checks.ledger_schema([]),
    "ledger-edits": lambda: single_checks.ledger_edits([]),
    "fixture-digests": lambda: single_checks.fixture_digests([]),
    "two-sided-diff": lambda: single_checks.two_sided_diff([]),
}
ENTRIES = pytest.mark.parametrize("entry", STAGED.values(), ids=STAGED)


def refused(entry: Callable[[], int], capfd: pytest.CaptureFixture[str]) -> str:
    """What a run said that was refused for a reason and left no trace of a bug."""
    status = entry()
    out, err = capfd.readouterr()
    assert status == 1, (status, out, err)
    assert "UNSCORED" in out + err or "FAIL" in out + err
    assert "internal-error" not in out + err
    return out + err


@ENTRIES
def test_undamaged_it_passes(entry: Callable[[], int], project: Repo, capfd: pytest.CaptureFixture[str]) -> None:
    assert entry() == 0, capfd.readouterr()


# Objects


def object_file(repo: Repo, name: str) -> Path:
    oid = repo.git("rev-parse", name)
    return repo.path / ".git" / "objects" / oid[:2] / oid[2:]


def _lies(_data: bytes) -> bytes:
    return zlib.compress(b"blob 15\0version = 1 # no")


DAMAGE: dict[str, Callable[[bytes], bytes] | None] = {
    "gone": None,
    "empty": lambda _data: b"",
    "cut": lambda data: data[:1],
    "garbage": lambda data: bytes(byte ^ 0x55 for byte in data),
    "another object": _lies,
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
@pytest.mark.parametrize(
    "name",
    ["HEAD", "HEAD^{tree}", "HEAD:tests", "HEAD:ledgergate.toml", f"HEAD:{LEDGER}", f":{LEDGER}", f":{GOLDEN}"],
)
def test_no_object_that_is_needed_can_be_missing(
    name: str, damage: Callable[[bytes], bytes] | None, project: Repo, capfd: pytest.CaptureFixture[str]
) -> None:
    file = object_file(project, name)
    data = file.read_bytes()
    file.unlink()
    if damage is not None:
        file.write_bytes(damage(data))
    said = refused(STAGED["check"], capfd)
    assert "git-unreadable" in said
    assert "digest-mismatch" not in said


CUT: dict[str, tuple[str, list[str]]] = {
    "the commit": ("HEAD", ["check"]),
    "its tree": ("HEAD^{tree}", ["check"]),
    "a folder": ("HEAD:tests", ["verify"]),
    "a file": ("HEAD:ledgergate.toml", ["check"]),
    "a golden": (f":{GOLDEN}", ["verify"]),
    "the target of a range": ("HEAD~", ["check", "--from", "HEAD~", "--to", "HEAD"]),
    "a side of a merge": ("HEAD", ["check", "--from", "topic", "--to", "HEAD"]),
}


@pytest.mark.parametrize(("name", "command"), CUT.values(), ids=CUT)
def test_half_an_object_ends_a_run(name: str, command: list[str], project: Repo) -> None:
    """libgit2 would read for ever, so that only another process can be waited for."""
    project.commit({GOLDEN: "other", LEDGER: project.git("show", f"HEAD:{LEDGER}") + "\n# more\n"})
    project.git("branch", "topic", "HEAD~")
    file = object_file(project, name)
    data = file.read_bytes()
    file.unlink()
    file.write_bytes(data[: len(data) // 2])
    done = subprocess.run(
        [sys.executable, "-m", "ledgergate", *command],
        cwd=project.path,
        env=project.env,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1, done
    assert b"git-unreadable" in done.stdout + done.stderr, done


@pytest.mark.parametrize("name", [GOLDEN, LEDGER, "tests/properties", "tests/test_parse.py", FREEZES])
def test_verify_needs_every_object(name: str, project: Repo, capfd: pytest.CaptureFixture[str]) -> None:
    object_file(project, f"HEAD:{name}").unlink()
    refused(lambda: main(["verify"]), capfd)


@ENTRIES
def test_an_object_of_the_policy_that_is_gone_is_not_mended_by_a_new_policy(
    entry: Callable[[], int], project: Repo, capfd: pytest.CaptureFixture[str]
) -> None:
    object_file(project, "HEAD:ledgergate.toml").unlink()
    project.stage({"ledgergate.toml": 'version = 1\nname = "mended"\n'})
    assert "git-unreadable" in refused(entry, capfd)


def test_a_malformed_policy_is_mended_by_a_human(project: Repo, capfd: pytest.CaptureFixture[str]) -> None:
    project.commit({"ledgergate.toml": "version = ["})
    refused(STAGED["check"], capfd)
    project.stage({"ledgergate.toml": "version = 1\n"})
    assert main(["check"]) == 0
    assert "policy-edited" in capfd.readouterr().out


def test_a_default_branch_whose_commit_is_gone_is_not_absent(project: Repo, capfd: pytest.CaptureFixture[str]) -> None:
    reference = project.write(".git/refs/remotes/origin/main", f"{'12' * 20}\n")
    assert "origin/main" in refused(STAGED["check"], capfd)
    reference.unlink()
    project.write(".git/refs/remotes/origin/HEAD", "ref: refs/remotes/origin/gone\n")
    assert main(["check"]) == 0


@pytest.mark.parametrize("content", ["", "garbage\n", f"{'12' * 20}\n", "ref: refs/heads/../../x\n", "ref:\n"])
def test_a_head_that_names_nothing(content: str, project: Repo, capfd: pytest.CaptureFixture[str]) -> None:
    project.write(".git/HEAD", content)
    assert main(["check"]) in (1, 2)
    assert main(["verify"]) in (1, 2)
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize("content", [b"", b"DIRC", b"\0" * 100, b"DIRC\0\0\0\x09\0\0\0\1" + b"x" * 100])
def test_an_index_that_is_none(content: bytes, project: Repo, capfd: pytest.CaptureFixture[str]) -> None:
    project.write(".git/index", content)
    refused(STAGED["check"], capfd)


# Contents

DEEP = 100_000
CONTENTS: dict[str, tuple[str, bytes]] = {
    "policy: bytes": ("ledgergate.toml", bytes(range(256)) * 8),
    "policy: empty": ("ledgergate.toml", b""),
    "policy: nested": ("ledgergate.toml", b"a = " + b"[" * DEEP),
    "policy: long": ("ledgergate.toml", b"a = 1\n" * DEEP),
    "ledger: bytes": (LEDGER, bytes(range(256)) * 8),
    "ledger: empty": (LEDGER, b""),
    "ledger: zeros": (LEDGER, b"\0" * 5_000_000),
    "ledger: lines": (LEDGER, b"version: 1\nrows:\n" + b"- x\ny\n" * DEEP),
    "ledger: nested lists": (LEDGER, b"version: 1\nrows: " + b"[" * DEEP),
    "ledger: nested values": (LEDGER, b"version: 1\nrows:\n  - id: " + b"[" * DEEP),
    "ledger: nested blocks": (LEDGER, b"version: 1\nrows:\n" + b"- " * DEEP + b"a"),
    "ledger: nested maps": (LEDGER, b"version: 1\nrows: " + b"{a: " * DEEP),
    "freezes: bytes": (FREEZES, bytes(range(256)) * 8),
    "freezes: empty": (FREEZES, b""),
    "freezes: nested": (FREEZES, b"[" * DEEP),
    "freezes: nested inside": (FREEZES, b'{"schema": "freeze-ledger.v1", "freezes": ' + b'[{"a":' * DEEP),
}


@pytest.mark.parametrize(("path", "content"), CONTENTS.values(), ids=CONTENTS)
def test_no_content_is_taken_for_none(
    path: str, content: bytes, project: Repo, capfd: pytest.CaptureFixture[str]
) -> None:
    project.stage_blob(path, content)
    project.write(path, content)
    for name, entry in STAGED.items():
        if path != FREEZES or name.startswith(("check", "commit-msg", "ledger-")):
            refused(entry, capfd)
    project.git("commit", "-q", "--no-verify", "-m", "damage")
    refused(lambda: main(["verify"]), capfd)
    refused(lambda: main(["check", "--from", "HEAD~", "--to", "HEAD"]), capfd)
    if path != FREEZES:
        refused(lambda: main(["relock", "--all"]), capfd)


@pytest.mark.slow
def test_a_ledger_of_50_megabytes(project: Repo, capfd: pytest.CaptureFixture[str]) -> None:
    for content in (b"\0" * 50_000_000, b"version: 1\nrows:\n  - id: " + b"x" * 50_000_000, b"x\n" * 25_000_000):
        project.stage_blob(LEDGER, content)
        refused(STAGED["check"], capfd)


def test_a_test_file_that_cannot_be_parsed_is_not_verified(project: Repo, capfd: pytest.CaptureFixture[str]) -> None:
    for source in ("def test_header(:\n", "x = " + "-" * DEEP + "1\n", "x = " + "(" * DEEP):
        project.commit({"tests/test_parse.py": source})
        assert "cannot be parsed" in refused(lambda: main(["verify"]), capfd)


# git

FAKES = {
    "garbage": "printf 'a\\377b\\0c\\n'",
    "nothing": ":",
    "zeros": "head -c 100 /dev/zero",
    "another object": "echo 4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "no tree": "exec 2>&1; echo 1234567890123456789012345678901234567890",
    "failure": "echo nothing >&2; exit 1",
    "refusal": "printf '\\377\\0' >&2; exit 128",
    "killed": "kill -9 $$",
    "terminated": "echo 1234567890123456789012345678901234567890; kill -15 $$",
}


def with_git(repo: Repo, script: str) -> dict[str, str]:
    """An environment in which git is this shell script."""
    fake = repo.path.parent / "bin" / "git"
    fake.parent.mkdir(exist_ok=True)
    fake.write_text(f"#!/bin/sh\n{script}\n")
    fake.chmod(0o755)
    return {"PATH": f"{fake.parent}:/usr/bin:/bin"}


@pytest.mark.parametrize("script", FAKES.values(), ids=FAKES)
def test_a_git_that_answers_wrongly(
    script: str, project: Repo, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    project.git("checkout", "-q", "-b", "topic")
    project.commit({"src/app.py": "x = 2\n"})
    project.git("checkout", "-q", "main")
    project.commit({"README.md": "diverged\n"})
    project.stage({"src/app.py": "x = 3\n"})
    for name, value in with_git(project, script).items():
        monkeypatch.setenv(name, value)
    for name in ("check", "fixture-digests"):
        refused(STAGED[name], capfd)
    refused(lambda: main(["check", "--from", "main", "--to", "topic"]), capfd)
    # It needs git for no more than to see that all is set up.
    assert main(["init"]) != 0 or "nothing was written" in capfd.readouterr().out
    assert main(["relock", "--all"]) != 0
    assert main(["demo"]) != 0


@pytest.mark.parametrize("path", ["", "/nonexistent", "."])
def test_without_git(path: str, project: Repo) -> None:
    for command in (["check"], ["demo"], ["init"], ["relock", "--staged"]):
        done = project.run(sys.executable, "-m", "ledgergate", *command, env={"PATH": path})
        assert done.returncode == 1, done
        assert b"Traceback" not in done.stderr


def test_an_interrupt_ends_as_one_and_leaves_nothing(project: Repo) -> None:
    temporary = project.path.parent / "tmp"
    temporary.mkdir()
    before = project.path.joinpath(".git/index").read_bytes()
    environment = {**project.env, **with_git(project, "echo > ../started; exec sleep 30"), "TMPDIR": str(temporary)}
    child = subprocess.Popen(
        [sys.executable, "-m", "ledgergate", "check"],
        cwd=project.path,
        env=environment,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    started = project.path.parent / "started"
    while not started.exists() and child.poll() is None:
        time.sleep(0.01)
    os.killpg(child.pid, signal.SIGINT)
    _, said = child.communicate(timeout=30)
    assert (child.returncode, said.strip()) == (130, b"ledgergate: interrupted; nothing was judged")
    assert not list(temporary.iterdir())
    assert project.path.joinpath(".git/index").read_bytes() == before
