"""One command in a process group of its own, which ends as a whole: by itself, at its cap, or when we are stopped."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import subprocess

# How long a group has to end itself once it was asked to.
GRACE_S = 5.0
_LOOK_S = 0.1
_CHUNK = 1 << 16
_KEPT = 1 << 16


class Ended(NamedTuple):
    """How a command ended.

    `status` is its exit status, negative for a signal; None where it never started. `is_late`: the cap ended it.
    `output` are the last of the bytes that it printed, `problem` says why it could not be started.
    """

    status: int | None
    is_late: bool
    seconds: float
    output: bytes
    problem: str | None = None


def run_capped(
    command: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    cap_s: float,
    meanwhile: Callable[[float], None] = lambda _: None,
) -> Ended:
    """Run a command to its end, or to its cap by the wall clock; nothing of its process group outlives the call.

    `meanwhile` is called with the seconds so far, again and again. What the command prints is read as it comes, and
    only its end is kept. At the cap, and on any exception, the group is asked to end (TERM), and then made to (KILL).
    """
    import subprocess

    started = time.monotonic()
    try:
        child = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            bufsize=0,
        )
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        return Ended(None, False, 0.0, b"", f"{command[0]} cannot be started: {reason}")
    with child:
        try:
            output = _Output(child)
            is_late = _watch(child, output, started + cap_s, lambda: meanwhile(time.monotonic() - started))
        finally:
            # Whoever is left: what the command started and did not wait for, what does not listen.
            _signal_group(child, signal.SIGKILL)
        child.wait()
        output.read_rest()
    return Ended(child.returncode, is_late, time.monotonic() - started, output.last)


def _watch(child: subprocess.Popen[bytes], output: _Output, end: float, meanwhile: Callable[[], None]) -> bool:
    """Wait until the command has ended, or until `end` by the monotonic clock: whether that was reached."""
    is_late = False
    try:
        while child.poll() is None and not is_late:
            left = end - time.monotonic()
            is_late = left <= 0
            output.read_for(min(_LOOK_S, max(0.0, left)))
            meanwhile()
    finally:
        _ask_to_end(child, output)
    return is_late


def _ask_to_end(child: subprocess.Popen[bytes], output: _Output) -> None:
    if child.poll() is None:
        _signal_group(child, signal.SIGTERM)
        deadline = time.monotonic() + GRACE_S
        while child.poll() is None and time.monotonic() < deadline:
            output.read_for(_LOOK_S)


def _signal_group(child: subprocess.Popen[bytes], number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, number)


class _Output:
    """What a child prints. A child that floods cannot fill anything, and one that never closes it keeps nobody."""

    def __init__(self, child: subprocess.Popen[bytes]) -> None:
        self._child = child
        self._open = child.stdout is not None
        self.last = b""

    def read_for(self, seconds: float) -> None:
        """Wait for output, at most so long, and read some of what there is."""
        import select

        stream = self._child.stdout
        if not self._open or stream is None:
            time.sleep(seconds)
        elif select.select([stream], [], [], seconds)[0]:
            self._read(stream.fileno())

    def read_rest(self) -> None:
        """Read what a child that has ended left, and no more."""
        for _ in range(_KEPT // _CHUNK + 1):
            self.read_for(0)

    def _read(self, number: int) -> None:
        """Read from this file descriptor, which has something, or its end."""
        try:
            data = os.read(number, _CHUNK)
        except OSError:
            data = b""
        self._open = bool(data)
        self.last = (self.last + data)[-_KEPT:]
