"""One error root, the exit statuses, and the boundary where every run ends."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from enum import IntEnum
from functools import partial
from typing import TextIO

from ledgergate.values import display_lines, display_path


class ExitCode(IntEnum):
    """The exit statuses of every command. Hooks refuse on all but `OK`."""

    OK = 0
    JUDGED = 1
    USAGE = 2
    BUG = 3
    INTERRUPTED = 130


_DISK = "Make room on that disk, or have its owner raise your quota, and run it again."
_FILES = "Let more files be open at once (`ulimit -n`), and run it again."
# What a disk, a pipe or a limit does to any program, and what helps.
_NO_BUGS = {
    errno.ENOSPC: _DISK,
    errno.EDQUOT: _DISK,
    errno.EFBIG: "A limit on the size of files is in force here: raise it (`ulimit -f unlimited`), and run it again.",
    errno.EIO: "The disk, or what is behind it, fails: look at it, and run it again.",
    errno.EROFS: "That file system may only be read: work where you may write, and run it again.",
    errno.EPIPE: "What was to read it ended too early: run it again without that.",
    errno.EMFILE: _FILES,
    errno.ENFILE: _FILES,
    errno.ENOMEM: "Give it more memory (`ulimit -v`), and run it again.",
}


class LedgergateError(Exception):
    """Something that keeps a judgement from being made; it becomes an UNSCORED finding of the rule it names."""

    def __init__(self, rule: str, message: str, *, remedy: str | None = None, path: str | None = None) -> None:
        super().__init__(message)
        self.rule = rule
        self.message = message
        self.remedy = remedy
        self.path = path

    def __reduce__(self) -> tuple[Callable[..., LedgergateError], tuple[str, str]]:
        # It may come from a process of our own.
        return partial(type(self), remedy=self.remedy, path=self.path), (self.rule, self.message)


class UsageError(Exception):
    """The command was called wrongly, or cannot work here at all."""


def run(command: Callable[[], int]) -> int:
    """Run a command and turn every way in which it can end into an exit status that tells the truth.

    The command returns a status of `ExitCode`; any other value is a bug, and so is a `SystemExit`, since either could
    end in a 0 that nobody meant. Standard output is flushed inside: a report that could not be written whole is never
    a 0.
    """
    try:
        return _run(command)
    except BaseException as error:  # noqa: BLE001 - even saying what went wrong went wrong, or was interrupted
        return _last_word(error)


def _run(command: Callable[[], int]) -> int:
    try:
        _prepare(sys.stdout)
        status = _checked(command())
        sys.stdout.flush()
    except UsageError as error:
        return _end(f"ledgergate: {error}", ExitCode.USAGE)
    except LedgergateError as error:
        return _end(_describe(error), ExitCode.JUDGED)
    except ImportError as error:
        return _end(_describe_broken(error), ExitCode.BUG)
    except KeyboardInterrupt:
        return _end("ledgergate: interrupted; nothing was judged", ExitCode.INTERRUPTED)
    except BaseException as error:  # noqa: BLE001 - the boundary: whatever comes here is a bug, and is said to be one
        if isinstance(error, BrokenPipeError) and _has_no_reader(sys.stdout):
            return _end("", ExitCode.JUDGED)
        if isinstance(error, OSError) and (help_ := _NO_BUGS.get(error.errno or 0)):
            what = f"ledgergate: UNSCORED: the work or its report could not be completed: {error}"
            return _end(f"{what}\n  > {help_}", ExitCode.JUDGED)
        return _end(_describe_bug(error), ExitCode.BUG)
    _abandon_if_broken(sys.stderr)
    return status


def _checked(status: object) -> int:
    # False, 0.0 and whatever else is equal to 0 would be an `ExitCode` too.
    if not isinstance(status, int) or isinstance(status, bool):
        raise TypeError(f"a command ended with {status!r}, which is no exit status")
    return int(ExitCode(status))


def _prepare(stdout: TextIO | None) -> None:
    if stdout is None:
        raise UsageError("standard output is closed; there is nowhere to write the report")
    # A terminal's narrow encoding shall not turn a report with a foreign letter in it into a crash.
    if reconfigure := getattr(stdout, "reconfigure", None):
        reconfigure(errors="backslashreplace")


def _end(message: str, status: ExitCode) -> int:
    text = "\n".join(display_lines(message)) + "\n"
    try:
        if message:
            sys.stderr.write(text)
        sys.stderr.flush()
    except (OSError, ValueError, AttributeError):
        # Nobody is listening; the status still tells.
        pass
    _abandon_if_broken(sys.stdout)
    _abandon_if_broken(sys.stderr)
    return int(status)


def _last_word(error: BaseException) -> int:
    """Speak past everything that may be broken."""
    with suppress(Exception):
        os.write(2, b"ledgergate: UNSCORED: internal-error: what went wrong could not be reported\n")
    return int(ExitCode.INTERRUPTED if isinstance(error, KeyboardInterrupt) else ExitCode.BUG)


def _has_no_reader(stream: TextIO) -> bool:
    """Whether the stream is a pipe whose reader went away (`| head`): it knows what it wanted to know."""
    import select

    try:
        pipe = select.poll()
        pipe.register(stream.fileno(), select.POLLOUT)
        return any(event & (select.POLLERR | select.POLLHUP) for _, event in pipe.poll(0))
    except (OSError, ValueError, AttributeError):
        return False


def _abandon_if_broken(stream: TextIO | None) -> None:
    """Keep the interpreter's last flush of a full or closed stream from replacing our exit status by its own."""
    if stream is None:
        return
    try:
        stream.flush()
    except (OSError, ValueError):
        _redirect_to_nothing(stream)


def _redirect_to_nothing(stream: TextIO) -> None:
    try:
        sink = os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, stream.fileno())
        os.close(sink)
    except (OSError, ValueError):
        # The interpreter will have the last word then, and it is no 0.
        pass


def _describe(error: LedgergateError) -> str:
    where = f" ({display_path(error.path)})" if error.path is not None else ""
    first, *others = display_lines(error.message)
    lines = [f"ledgergate: UNSCORED: {error.rule}: {first}{where}", *(f"    {line.strip()}" for line in others)]
    if error.remedy:
        lines += (f"  > {line}" for line in error.remedy.split("\n"))
    return "\n".join(lines)


def _describe_broken(error: ImportError) -> str:
    return (
        f"ledgergate: UNSCORED: its installation is broken, and nothing was judged: {error}\n"
        "  > Install it and what it needs anew: `pip install --force-reinstall` with what it was installed from."
    )


def _describe_bug(error: BaseException) -> str:
    import traceback

    what = traceback.format_exception_only(error)[-1].strip()
    trace = "".join(traceback.format_exception(error))
    text = f"ledgergate: UNSCORED: internal-error: {what}"
    where = _keep(trace, _place(error))
    if where is None:
        return f"{text}\n{trace}"
    return f"{text}\n  This is a bug in ledgergate; nothing was judged. The trace is in {where}"


def _place(error: BaseException) -> str:
    """A name for where in the program an error came up: the same whatever was read then."""
    import hashlib
    import traceback

    frames = traceback.walk_tb(error.__traceback__)
    calls = dict.fromkeys((frame.f_code.co_filename, line) for frame, line in frames)
    return hashlib.sha256(repr((type(error).__name__, *calls)).encode("utf-8", "backslashreplace")).hexdigest()[:16]


def _keep(trace: str, place: str) -> str | None:
    """The file that holds the trace, or the first one of this place: they shall not fill a disk. None without one."""
    import tempfile

    owner = os.getuid() if hasattr(os, "getuid") else 0
    try:
        path = os.path.join(tempfile.gettempdir(), f"ledgergate-{owner}-{place}.trace")  # noqa: PTH118 - as it is told
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            return path if os.lstat(path).st_uid == owner else None
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(trace)
    except Exception:  # noqa: BLE001 - whatever kept it from being written, the trace is then shown instead
        return None
    return path
