"""`ledgergate install --server`: the hook, where a host looks for it, and the configuration beside it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from ledgergate.hosts.server_config import read_server_config
from support.acks import KIM, signers
from support.gate import Said, gate
from support.repo import Repo

pytestmark = pytest.mark.slow


@pytest.fixture
def bare(tmp_path: Path) -> Repo:
    return Repo(tmp_path / "it's.git", bare=True)


def install(repo: Repo, *arguments: str) -> Said:
    return gate(repo, "install", "--server", str(repo.path), *arguments)


@pytest.mark.parametrize(
    ("arguments", "script"),
    [
        ((), "hooks/pre-receive"),
        (("--hook", "update"), "hooks/update"),
        (("--host", "gitea"), "hooks/pre-receive.d/ledgergate"),
        (("--host", "gitea", "--hook", "update"), "hooks/update.d/ledgergate"),
        (("--host", "gitlab"), "custom_hooks/pre-receive.d/ledgergate"),
    ],
)
def test_where_each_host_looks(bare: Repo, arguments: tuple[str, ...], script: str) -> None:
    done = install(bare, *arguments)
    assert done.status == 0, done
    hook = bare.path / script
    assert os.access(hook, os.X_OK)
    config = hook.with_name("ledgergate-server.toml")
    assert not os.access(config, os.X_OK)
    assert read_server_config(config).require is True
    assert f"wrote {hook}\nwrote {config}\n" in done.out
    ran = subprocess.run([hook], cwd=bare.path, input=b"garbage\n", capture_output=True, check=False)
    assert (ran.returncode, b"ref-malformed" in ran.stdout) == (1, True) if "update" not in script else True


def test_what_is_named_is_written_down(bare: Repo, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text(signers(KIM))
    install(bare, "--signers", str(tmp_path / "mine"), "--require", "refs/heads/**", "--require", "refs/tags/v*")
    found = read_server_config(bare.path / "hooks" / "ledgergate-server.toml")
    assert (found.signers, found.require) == (signers(KIM).encode(), ("refs/heads/**", "refs/tags/v*"))


@pytest.mark.parametrize(
    ("there", "arguments", "missing"),
    [
        ("", ("--signers", "mine"), 'write signers = "ledgergate-signers" into it'),
        ("", ("--require", "refs/heads/**"), 'write require = ["refs/heads/**"] into it'),
        ('signers = "ledgergate-signers"\n', ("--signers", "mine"), None),
        ('require = ["refs/heads/**"]\n', ("--require", "refs/heads/**"), None),
    ],
)
def test_what_a_configuration_that_was_there_does_not_say_is_told(
    bare: Repo, tmp_path: Path, there: str, arguments: tuple[str, ...], missing: str | None
) -> None:
    (tmp_path / "mine").write_text(signers(KIM))
    install(bare)
    (bare.path / "hooks" / "ledgergate-server.toml").write_text(f"version = 1\n{there}")
    done = install(bare, *(str(tmp_path / one) if one == "mine" else one for one in arguments))
    assert (done.status, missing is None or missing in done.err) == (0 if missing is None else 2, True), done


def test_the_server_remembers_what_its_branches_had(bare: Repo) -> None:
    install(bare)
    assert bare.git("config", "core.logAllRefUpdates") == "true"
    bare.git("config", "core.logAllRefUpdates", "always")
    install(bare)
    assert bare.git("config", "core.logAllRefUpdates") == "always"


@pytest.mark.parametrize("is_kept", [False, True], ids=["alone", "before another"])
def test_a_copy_is_judged_by_its_own_configuration_and_its_own_other_hook(
    bare: Repo, tmp_path: Path, is_kept: bool
) -> None:
    hook = bare.path / "hooks" / "pre-receive"
    if is_kept:
        hook.parent.mkdir(exist_ok=True)
        hook.write_text('#!/bin/sh\necho "asked in $(pwd -P)"\n')
        hook.chmod(0o755)
    install(bare)
    copy = tmp_path / "the copy"
    shutil.copytree(bare.path, copy)
    nothing = f"{'0' * 40} {'1' * 40} refs/heads/topic\n".encode()
    for called in (copy / "hooks" / "pre-receive", Path("hooks/pre-receive")):
        ran = subprocess.run([called], cwd=copy, input=nothing, capture_output=True, check=False)
        assert ran.returncode == 0, ran
        assert (f"asked in {copy.resolve()}" in ran.stdout.decode()) is is_kept
    (copy / "hooks" / "ledgergate-server.toml").write_text("version = 1\nmine = 1\n")
    ran = subprocess.run(["sh", "pre-receive"], cwd=copy / "hooks", input=nothing, capture_output=True, check=False)
    assert (ran.returncode, b"mine: unknown key" in ran.stderr) == (1, True), ran
    bare.path.rename(tmp_path / "moved")
    ran = subprocess.run(
        [tmp_path / "moved" / "hooks" / "pre-receive"], cwd=tmp_path / "moved", input=nothing, check=False
    )
    assert ran.returncode == 0


def test_again_it_leaves_the_configuration_alone(bare: Repo) -> None:
    install(bare)
    config = bare.path / "hooks" / "ledgergate-server.toml"
    config.write_text("version = 1\ndeadline_s = 2\n")
    done = install(bare)
    assert "kept as it was" in done.out
    assert read_server_config(config).deadline_s == 2
    assert sorted(path.name for path in (bare.path / "hooks").iterdir()) == ["ledgergate-server.toml", "pre-receive"]


@pytest.mark.parametrize("status", [0, 1])
def test_a_hook_that_was_there_is_asked_second(bare: Repo, status: int) -> None:
    hook = bare.path / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\necho before: $(cat)\nexit {status}\n")
    hook.chmod(0o755)
    assert "pre-receive.before-ledgergate, and is called by it" in install(bare).out
    install(bare)
    blob = bare.git("hash-object", "-w", "--stdin", stdin=b"x")
    line = f"{blob} {'0' * 40} refs/heads/topic\n".encode()
    ran = subprocess.run([hook], cwd=bare.path, input=line, capture_output=True, check=False)
    assert (ran.returncode, ran.stdout.decode()) == (status, f"before: {line.decode()}")
    refused = subprocess.run([hook], cwd=bare.path, input=b"garbage\n", capture_output=True, check=False)
    assert (refused.returncode, b"before" in refused.stdout) == (1, False)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("install",), "say what to install"),
        (("install", "--pre-push", "--server", "."), "say what to install"),
        (("install", "--pre-push", "--require", "refs/heads/main"), "go with --server"),
        (("install", "--server", ".", "--require", "main"), "must begin with refs/"),
        (("install", "--server", ".", "--signers", "nowhere"), "No such file"),
        (("install", "--server", "nowhere"), "no folder"),
        (("install", "--server", "/"), "no git repository"),
    ],
)
def test_calls_that_are_none(bare: Repo, arguments: tuple[str, ...], said: str) -> None:
    done = gate(bare, *arguments)
    assert done.status == 2, done
    assert said in done.err


def test_hooks_that_git_looks_for_elsewhere(bare: Repo, tmp_path: Path) -> None:
    bare.git("config", "core.hooksPath", str(tmp_path / "others"))
    done = install(bare)
    assert (done.status, "core.hooksPath" in done.err) == (2, True)
    assert install(bare, "--host", "gitea").status == 0
