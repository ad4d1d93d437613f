"""A machine that has too little of something: disk, memory, files, streams, libraries. Nothing of it ends in a 0."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from support.project import BASE, GOLDEN, LEDGER
from support.repo import Repo, captured

pytestmark = pytest.mark.slow


def in_a_shell(repo: Repo, before: str = "", after: str = "", **env: str) -> subprocess.CompletedProcess[bytes]:
    """`ledgergate check` in a shell of its own, with something said before it, or behind it."""
    return repo.run("/bin/sh", "-c", f'{before}\n"$0" -m ledgergate check {after}', sys.executable, env=env)


def test_a_full_disk(project: Repo) -> None:
    # No file may hold a byte: what a full disk does to a copy of the index, and to the trace of a bug.
    done = in_a_shell(project, "ulimit -f 0")
    assert done.returncode == 1, done
    assert b"UNSCORED" in done.stdout + done.stderr
    assert b"`ulimit -f`" in done.stdout + done.stderr
    assert b"Traceback" not in done.stderr
    done = in_a_shell(project, after=">/dev/full")
    assert (done.returncode, b"No space left" in done.stderr) == (1, True)


def test_a_relock_on_a_full_disk_loses_nothing(project: Repo) -> None:
    project.stage({GOLDEN: "newer"})
    shown = project.run(sys.executable, "-m", "ledgergate", "relock", "--staged").stdout.decode()
    contract = shown.partition("--contract ")[2].split()[0]
    before = (project.path / LEDGER).read_bytes()
    line = f'"$0" -m ledgergate relock --staged --yes --contract {contract}'
    # The index still fits, the ledger does not.
    for blocks in (0, 1):
        done = project.run("/bin/sh", "-c", f"ulimit -f {blocks}; {line}", sys.executable)
        assert done.returncode == 1, done
        assert b"Traceback" not in done.stderr
        assert (project.path / LEDGER).read_bytes() == before
        assert sorted(path.name for path in (project.path / LEDGER).parent.iterdir() if path.is_file()) == sorted(
            Path(path).name for path in BASE if Path(path).parent.name == "tests"
        )
    assert project.run("/bin/sh", "-c", line, sys.executable).returncode == 0


@pytest.mark.parametrize("arguments", ["--pre-push", "--server .git"])
@pytest.mark.parametrize("there", ["", "pre-push", "pre-receive"])
# One block holds a configuration or a hook that is kept, and not the script after it.
@pytest.mark.parametrize("blocks", [0, 1])
def test_an_installation_on_a_full_disk_leaves_nothing(project: Repo, arguments: str, there: str, blocks: int) -> None:
    hooks = project.path / ".git/hooks"
    hooks.mkdir(exist_ok=True)
    if there:
        (hooks / there).write_text("#!/bin/sh\n")
        (hooks / there).chmod(0o755)
    before = captured(hooks)
    line = f'"$0" -m ledgergate install {arguments}'
    done = project.run("/bin/sh", "-c", f"ulimit -f {blocks}; {line}", sys.executable)
    assert done.returncode == 2, done
    assert b"could not be written" in done.stderr
    assert captured(hooks) == before
    assert project.run("/bin/sh", "-c", line, sys.executable).returncode == 0


@pytest.mark.parametrize("redirection", [">&-", ">&- 2>&-", ">&- <&-", "2>&- >/dev/full", "<&- >/dev/full 2>&-"])
def test_without_a_place_for_the_report(redirection: str, project: Repo) -> None:
    assert in_a_shell(project, after=redirection).returncode in (1, 2)


@pytest.mark.parametrize(
    "limit", [*(f"-v {size}000" for size in (20, 40, 60, 80, 100, 140)), *(f"-n {n}" for n in (3, 4, 5, 6, 7, 8, 10))]
)
def test_too_little_of_everything(limit: str, project: Repo) -> None:
    done = in_a_shell(project, f"ulimit {limit}", "--format json")
    assert done.returncode != 0 or json.loads(done.stdout)["state"] == "PASS"


# In a form that only the strict reader takes.
UNUSUAL_ROW = (
    "  - {id: tests/test_parse.py::test_a, class: quarantine, opened: 2026-01-01, reason: flaky, owner: kim}\n"
)


def test_without_libyaml(project: Repo) -> None:
    hidden = "import sys; sys.modules['yaml._yaml'] = None; from ledgergate.cli.main import main; sys.exit(main())"
    command = [sys.executable, "-c", hidden, "check"]
    # An ordinary ledger never needs it.
    assert project.run(*command).returncode == 0
    project.stage({LEDGER: (project.path / LEDGER).read_text() + UNUSUAL_ROW})
    done = project.run(*command)
    assert done.returncode == 1
    assert b"libyaml" in done.stdout
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("module", ["pygit2", "click", "tomllib", "yaml", "hashlib", "tempfile", "subprocess"])
def test_without_a_library(module: str, project: Repo) -> None:
    project.stage({LEDGER: (project.path / LEDGER).read_text() + UNUSUAL_ROW})
    hidden = f"import sys; sys.modules[{module!r}] = None; from ledgergate.cli.main import main; sys.exit(main())"
    assert project.run(sys.executable, "-c", hidden, "check").returncode not in (0, 2)
