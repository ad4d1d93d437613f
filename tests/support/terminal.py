"""A child process on a terminal of its own, as a person at a keyboard has it."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time

from support.repo import Repo

_PATIENCE_S = 30


def type_to_ledgergate(repo: Repo, *arguments: str, prompt: str, keys: bytes, kind: str = "dumb") -> tuple[int, str]:
    """Run `ledgergate ARGUMENTS` on a terminal and type the keys once it prompts; (status, what the screen showed)."""
    own, its = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-m", "ledgergate", *arguments],
        cwd=repo.path,
        env={**repo.env, "TERM": kind},
        stdin=its,
        stdout=its,
        stderr=its,
        start_new_session=True,
        preexec_fn=_take_terminal,
    )
    os.close(its)
    screen = b""
    end = time.monotonic() + _PATIENCE_S
    try:
        while time.monotonic() < end:
            ready, _, _ = select.select([own], [], [], 0.1)
            try:
                piece = os.read(own, 65536) if ready else None
            except OSError:
                break
            if piece == b"":
                break
            screen += piece or b""
            # Not at once: a signal that comes between a prompt and the read behind it wakes nobody.
            if keys and not ready and prompt.encode() in screen:
                os.write(own, keys)
                keys = b""
        return child.wait(_PATIENCE_S), screen.decode()
    finally:
        child.kill()
        child.wait()
        os.close(own)


def _take_terminal() -> None:
    """Make the terminal the session's own, so that its control keys send signals."""
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
