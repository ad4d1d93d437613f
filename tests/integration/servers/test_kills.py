"""What breaks a hook, or ends it half-way: the push is refused, and nothing of it stays."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support.gate import Said
from support.servers import Host
from support.servers.commits import Commits
from support.servers.guarded import MAIN, PATIENT, Guarded
from support.servers.processes import working_in

from .conftest import Made

pytestmark = pytest.mark.slow
_PATIENCE = 20.0


@pytest.fixture
def guarded(made: Made, ssh_host: Host) -> Guarded:
    return made(ssh_host)


def config(guarded: Guarded) -> Path:
    return guarded.path / "hooks/ledgergate-server.toml"


def hook(guarded: Guarded) -> Path:
    return guarded.path / "hooks/pre-receive"


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def soon(wanted: Callable[[], object]) -> bool:
    until = time.monotonic() + _PATIENCE
    while not wanted() and time.monotonic() < until:
        time.sleep(0.02)
    return bool(wanted())


def alone(guarded: Guarded) -> bool:
    """Whether no process is at work in the repository any more."""
    return soon(lambda: not working_in(guarded.path))


class Pushing:
    """A push under way, in a thread of its own."""

    def __init__(self, push: Callable[[], Said]) -> None:
        self._done: list[Said] = []
        self._thread = threading.Thread(target=lambda: self._done.append(push()))
        self._thread.start()

    def wait(self) -> Said:
        self._thread.join()
        return self._done[0]


@pytest.fixture
def asleep(guarded: Guarded) -> Iterator[Path]:
    """A list of signers that nobody writes: the hook waits for it."""
    fifo = guarded.path / "hooks/ledgergate-signers"
    os.mkfifo(fifo)
    edit(config(guarded), "# signers", "signers")
    yield fifo


def judging(guarded: Guarded) -> list[int]:
    return [pid for pid, line in working_in(guarded.path).items() if "ledgergate pre-receive" in line]


def test_killed(guarded: Guarded, commits: Commits, asleep: Path) -> None:
    pushing = Pushing(lambda: guarded.to_main(commits.honest))
    assert soon(lambda: judging(guarded))
    for pid in judging(guarded):
        os.kill(pid, signal.SIGKILL)
    guarded.refuses(pushing.wait())
    assert alone(guarded)


def instead_of_ssh_keygen(guarded: Guarded, script: str) -> None:
    """Let the hook find another program where it looks for the one that verifies signatures."""
    edit(hook(guarded), "#!/bin/sh\n", f"#!/bin/sh\nPATH={guarded.path}/bin:$PATH\n")
    (guarded.path / "bin").mkdir()
    fake = guarded.path / "bin/ssh-keygen"
    fake.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    fake.chmod(0o755)


def test_what_it_calls_hangs(made: Made, http_host: Host, commits: Commits) -> None:
    """The time is over, and the program that does not answer is ended as well."""
    guarded = made(http_host)
    edit(config(guarded), PATIENT, "deadline_s = 2\n")
    instead_of_ssh_keygen(guarded, "exec sleep 60")
    guarded.refuses(guarded.to_main(commits.signed), "UNSCORED: deadline", "2 seconds")
    assert alone(guarded)


def test_what_judges_is_killed(guarded: Guarded, commits: Commits) -> None:
    """The hook itself goes on, without its child that reads the repository."""
    instead_of_ssh_keygen(guarded, "kill -9 $PPID")
    done = guarded.to_main(commits.signed)
    assert done.status == 1
    assert "UNSCORED: internal-error: what judged the push was ended by signal 9" in done.err
    assert (guarded.tip(), guarded.left_over()) == (commits.tip, [])
    assert alone(guarded)
    guarded.accepts(guarded.to_main(commits.honest), commits.honest)


def test_the_pusher_is_gone(guarded: Guarded, commits: Commits, asleep: Path) -> None:
    """The refs stay as they were. (What git had received already it may leave in its quarantine.)"""
    command = ["git", "push", guarded.host.address(guarded.name), f"{commits.tampered}:{MAIN}"]
    repo = commits.repo
    pusher = subprocess.Popen(command, cwd=repo.path, env={**repo.env, **guarded.host.env}, stderr=subprocess.DEVNULL)
    assert soon(lambda: judging(guarded))
    pusher.kill()
    pusher.wait()
    asleep.write_bytes(b"")
    assert alone(guarded)
    assert guarded.tip() == commits.tip


def test_the_disk_is_full(guarded: Guarded, commits: Commits) -> None:
    """Not a byte can be written where a signature is to be verified."""
    edit(hook(guarded), "#!/bin/sh\n", "#!/bin/sh\nulimit -f 0\n")
    guarded.refuses(guarded.to_main(commits.signed), "UNSCORED")
    guarded.refuses(guarded.to_main(commits.tampered), "FAIL digest-changed")
    guarded.accepts(guarded.to_main(commits.honest), commits.honest)


CONFIGURATIONS = {
    "gone": None,
    "empty": b"",
    "no toml": b"version = 1\nrequire = \n",
    "no text": b"version = 1 # \xff\n",
    "an unknown key": b"version = 1\nrequired = true\n",
    "a newer version": b"version = 2\n",
    "no time": b"version = 1\ndeadline_s = 0\n",
    "signers that are not there": b'version = 1\nsigners = "nobody"\n',
    "signers that say nothing": b'version = 1\nsigners = "pre-receive"\n',
}


@pytest.mark.parametrize("text", CONFIGURATIONS.values(), ids=CONFIGURATIONS.keys())
def test_an_unreadable_configuration(made: Made, file_host: Host, commits: Commits, text: bytes | None) -> None:
    guarded = made(file_host)
    if text is None:
        config(guarded).unlink()
    else:
        config(guarded).write_bytes(text)
    guarded.refuses(guarded.to_main(commits.honest), "UNSCORED: policy-unreadable", "Whoever looks after the server:")


def test_a_broken_installation(made: Made, file_host: Host, commits: Commits) -> None:
    guarded = made(file_host)
    edit(hook(guarded), sys.executable, "/nowhere/python")
    guarded.refuses(guarded.to_main(commits.honest), "interpreter of its installation is gone")
    edit(hook(guarded), "/nowhere/python", f"{sys.base_prefix}/bin/python3")
    guarded.refuses(guarded.to_main(commits.honest), "No module named ledgergate")
    edit(hook(guarded), f"{sys.base_prefix}/bin/python3", "/bin/false")
    guarded.refuses(guarded.to_main(commits.honest))
