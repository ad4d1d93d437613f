"""Servers as child processes: started, waited for, and ended with all that they have started."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from support.servers.programs import program

_PATIENCE = 20.0
# Ends its whole process group with itself: not every server ends the children that it has.
_LEADER = 'trap "trap - TERM; kill -TERM 0" TERM; "$@" & wait "$!"'


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def answers(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


@contextmanager
def running(
    command: Sequence[str],
    log: Path,
    is_ready: Callable[[], bool],
    env: Mapping[str, str] | None = None,
    privileges: Sequence[str] = (),
) -> Iterator[subprocess.Popen[bytes]]:
    """A server in a process group of its own, from when it answers until the block ends.

    It ends as well where this process dies and can say nothing more. `privileges` are options of setpriv.
    """
    with log.open("wb") as out:
        server = subprocess.Popen(
            [program("setpriv"), "--pdeathsig", "TERM", *privileges, "sh", "-c", _LEADER, "sh", *command],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            env=env,
            start_new_session=True,
        )
    try:
        _wait_for(server, log, is_ready)
        yield server
    finally:
        _end(server)


def _wait_for(server: subprocess.Popen[bytes], log: Path, is_ready: Callable[[], bool]) -> None:
    until = time.monotonic() + _PATIENCE
    while not is_ready():
        assert server.poll() is None, (server.args, log.read_text(errors="replace"))
        assert time.monotonic() < until, (server.args, log.read_text(errors="replace"))
        time.sleep(0.02)


def _end(server: subprocess.Popen[bytes]) -> None:
    for sign in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(server.pid, sign)
        with suppress(subprocess.TimeoutExpired):
            server.wait(timeout=5)


def working_in(folder: Path) -> dict[int, str]:
    """The processes whose current folder a repository is, and their command lines."""
    found = {}
    for process in Path("/proc").iterdir():
        try:
            if process.name.isdigit() and (process / "cwd").resolve() == folder:
                found[int(process.name)] = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
    return found
