"""One error root, the exit statuses, and the boundary where every run ends."""

from __future__ import annotations

import os
import sys
import tempfile
import traceback
from collections.abc import Callable
from enum import IntEnum
from pathlib import Path


class ExitCode(IntEnum):
    """The exit statuses of every command. Hooks refuse on all but `OK`."""

    OK = 0
    JUDGED = 1
    USAGE = 2
    BUG = 3
    INTERRUPTED = 130


class LedgergateError(Exception):
    """Something that keeps a judgement from being made; it becomes an UNSCORED finding of the rule it names."""

    def __init__(self, rule: str, message: str, *, remedy: str | None = None, path: str | None = None) -> None:
        super().__init__(message)
        self.rule = rule
        self.message = message
        self.remedy = remedy
        self.path = path


class UsageError(Exception):
    """The command was called wrongly, or cannot work here at all."""


def run(command: Callable[[], int]) -> int:
    """Run a command and turn every way in which it can end into an exit status that tells the truth.

    Standard output is flushed inside: a report that could not be written whole is never a 0.
    """
    try:
        status = command()
        sys.stdout.flush()
    except UsageError as error:
        return _say(f"ledgergate: {error}", ExitCode.USAGE)
    except LedgergateError as error:
        remedy = f"\n  {error.remedy}" if error.remedy else ""
        return _say(f"ledgergate: {error.rule}: {error.message}{remedy}", ExitCode.JUDGED)
    except KeyboardInterrupt:
        return _say("ledgergate: interrupted; nothing was judged", ExitCode.INTERRUPTED)
    except Exception as error:  # noqa: BLE001 - the boundary: whatever comes here is a bug, and is said to be one
        return _say(_describe_bug(error), ExitCode.BUG)
    return status


def _say(message: str, status: ExitCode) -> int:
    try:
        sys.stderr.write(message.encode("utf-8", "backslashreplace").decode() + "\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        # Nobody is listening; the status still tells.
        pass
    _abandon_broken_stdout()
    return int(status)


def _abandon_broken_stdout() -> None:
    """Keep the interpreter's last flush of a full or closed stdout from replacing our exit status by its own."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except (OSError, ValueError):
            pass


def _describe_bug(error: Exception) -> str:
    text = f"ledgergate: internal-error: {type(error).__name__}: {error}"
    trace = "".join(traceback.format_exception(error))
    try:
        handle, name = tempfile.mkstemp(prefix="ledgergate-", suffix=".trace")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(trace)
    except OSError:
        return f"{text}\n{trace}"
    return f"{text}\n  This is a bug in ledgergate; nothing was judged. The trace is in {Path(name)}"
