"""A project without a policy, `ledgergate init` in it, and what that wrote."""

from __future__ import annotations

import os
import pty
import select
import sys
from collections.abc import Mapping
from pathlib import Path

import yaml

from ledgergate.policy import Policy, read_policy
from support.gate import SCRIPTS, Said, gate
from support.repo import Repo

COLLECTING = ("init", "--python", sys.executable)
READS_GOLDENS = "import pytest\n@pytest.mark.parametrize('case', ['one.txt', 'two.txt'])\ndef test_case(case): pass\n"
PROJECT = {
    "src/app.py": "x = 1\n",
    "tests/test_app.py": READS_GOLDENS,
    "tests/goldens/one.txt": "1\n",
    "tests/goldens/two.txt": "2\n",
    "tests/goldens/three.txt": "3\n",
}
WRITTEN = {"ledgergate.toml", "tests/ledger.yaml", "tests/freeze_ledger.json", ".pre-commit-config.yaml"}


def init(
    repo: Repo, files: Mapping[str, str | bytes], *options: str, command: tuple[str, ...] = ("init", "--no-collect")
) -> Said:
    repo.stage(files)
    return gate(repo, *command, *options)


def rows(repo: Repo, ledger: str = "tests/ledger.yaml") -> dict[str, dict[str, object]]:
    document = yaml.safe_load((repo.path / ledger).read_bytes())
    return {row["id"]: row for row in document["rows"]}


def policy(repo: Repo) -> Policy:
    return read_policy((repo.path / "ledgergate.toml").read_bytes())


def untracked(repo: Repo) -> set[str]:
    return set(repo.git("ls-files", "--others", "--exclude-standard").splitlines())


def lay_out(folder: Path, files: Mapping[str, str]) -> frozenset[str]:
    """Write the files below a folder; their paths."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return frozenset(files)


def answer(repo: Repo, answers: str, *command: str) -> tuple[int, str]:
    """Run init on a terminal and type the answers; its status and all that the terminal showed."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(repo.path)
        os.execve(SCRIPTS / "ledgergate", ["ledgergate", *(command or ("init", "--no-collect"))], repo.env)  # noqa: S606
    os.write(terminal, answers.encode())
    shown = b""
    while select.select([terminal], [], [], 30)[0]:
        try:
            data = os.read(terminal, 65536)
        except OSError:
            break
        if not data:
            break
        shown += data
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), shown.decode()


def without_lanes(policy: str) -> str:
    """A policy that `init` wrote, but for the lanes at its end."""
    before, found, _ = policy.partition("# `ledgergate run` runs these")
    assert found, policy
    return before
