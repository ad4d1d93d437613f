"""What a server's hook runs in: an environment without what a pusher can set, and a child that is ended in time."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from ledgergate.errors import ExitCode, LedgergateError, UsageError, run

# What git and its hosts tell a receiving hook, and what programs need to run at all. Nothing else is anybody's to say.
_KEPT = (
    *("GIT_DIR", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH"),
    *("GIT_SHALLOW_FILE", "GIT_NAMESPACE", "GL_PROTOCOL", "HOME", "PATH", "TMPDIR"),
)
_USUAL_PATH = "/usr/local/bin:/usr/bin:/bin"
# The kernel ends a child that nobody is left to end.
_GRACE_S = 1.0
# The part of the time after which nothing is looked at any more that cannot be refused: the deadline itself is for
# what can.
_FOR_THE_REST = 0.9
_DONE = b"+"
# The field of /proc/self/stat that says when the process began, counted from the one after its name.
_BEGUN = 19


def only_what_git_says() -> None:
    """Forget every variable of the environment but those that git's own receiving side sets."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    os.environ.clear()
    os.environ.update({"PATH": _USUAL_PATH, **kept})


class _Marked:
    """A stream whose every line begins with a mark."""

    def __init__(self, stream: Any, mark: str) -> None:
        self._stream = stream
        self._mark = mark
        self._is_at_start = True

    def write(self, text: str) -> int:
        for line in text.splitlines(keepends=True):
            self._stream.write(f"{self._mark if self._is_at_start else ''}{line}")
            self._is_at_start = line.endswith("\n")
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def worded_for_the_web() -> None:
    """Where GitLab's web pages made the change, mark the lines that they are to show."""
    if os.environ.get("GL_PROTOCOL") == "web":
        sys.stdout, sys.stderr = (_Marked(stream, "GL-HOOK-ERR: ") for stream in (sys.stdout, sys.stderr))


# Called with the exit status that stands, whatever the rest of the work finds.
Settle = Callable[[int], None]


def within(seconds: float, work: Callable[[Settle], int]) -> int:
    """The exit status of `work`, done in a child process; `LedgergateError` where it is not done in time, or breaks.

    A child, since nothing else ends a library that reads for ever. The seconds count from when this process began, as
    they do for a host that waits for it. Work that has settled its status is ended a little earlier, with this status.
    """
    if not hasattr(os, "fork"):
        raise UsageError("a server's hooks need an operating system that can fork")
    reader, writer = os.pipe()
    folder = _new_folder()
    try:
        child = _forked()
        if child == 0:
            _be_child(writer, seconds, lambda settle: _in_folder(folder, lambda: work(settle)))
        os.close(writer)
        return _status(child, seconds, reader)
    finally:
        _remove(folder)
        os.close(reader)


def _forked() -> int:
    try:
        return os.fork()
    except OSError as error:
        raise LedgergateError("internal-error", f"no process could be started to judge the push: {error}") from error


def _new_folder() -> str | None:
    """An empty folder for temporary files, which nobody else can read; None where there can be none.

    Made without `tempfile`, whose import takes longer than most pushes need for all of their files.
    """
    path = Path(os.environ.get("TMPDIR") or "/tmp", f"ledgergate-{os.getpid()}-{os.urandom(8).hex()}")  # noqa: S108
    name = str(path.absolute())
    try:
        path.mkdir(0o700)
    except OSError:
        return None
    return name


def _remove(folder: str | None) -> None:
    """Remove what a child has left that was ended."""
    if folder is None:
        return
    try:
        Path(folder).rmdir()
    except OSError:
        import shutil

        shutil.rmtree(folder, ignore_errors=True)


def _in_folder(folder: str | None, work: Callable[[], int]) -> int:
    """Do the work with its temporary files in a folder; what is told of a bug is to outlive it."""
    usual = os.environ.get("TMPDIR")
    _use_for_temporary(folder or usual)
    try:
        return work()
    finally:
        _use_for_temporary(usual)


def _use_for_temporary(folder: str | None) -> None:
    os.environ.pop("TMPDIR", None)
    if folder is not None:
        os.environ["TMPDIR"] = folder
    if "tempfile" in sys.modules:
        import tempfile

        tempfile.tempdir = None


def _left_of(seconds: float) -> float:
    """What is left of the time for judging. At least half of it is, whatever a system tells that counts otherwise."""
    try:
        fields = Path("/proc/self/stat").read_bytes().rpartition(b")")[2].split()
        begun = int(fields[_BEGUN]) / os.sysconf("SC_CLK_TCK")
        spent = time.clock_gettime(time.CLOCK_BOOTTIME) - begun
    except (OSError, ValueError, IndexError, AttributeError):
        spent = 0.0
    return seconds - min(max(spent, 0.0), seconds / 2)


def _be_child(writer: int, seconds: float, work: Callable[[Settle], int]) -> None:
    def settle(status: int) -> None:
        # What was said so far is to arrive though this process may be ended.
        sys.stdout.flush()
        os.write(writer, bytes([ExitCode(status)]))

    status = int(ExitCode.BUG)
    try:
        os.setpgid(0, 0)
        signal.setitimer(signal.ITIMER_REAL, _left_of(seconds) + _GRACE_S)
        status = run(lambda: work(settle))
        if status == ExitCode.OK:
            os.write(writer, _DONE)
    finally:
        os._exit(status)


def _status(child: int, seconds: float, reader: int) -> int:
    with suppress(OSError):
        # Whoever of the two comes first: the group has to be there before it can be ended.
        os.setpgid(child, child)
    settled = said = _heard(reader, _left_of(seconds))
    if settled not in (None, _DONE, b""):
        said = _heard(reader, _left_of(seconds) - seconds * (1 - _FOR_THE_REST))
    if said is None:
        with suppress(OSError):
            os.killpg(child, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if said is None:
        return _cut(settled, seconds)
    if status < 0:
        raise LedgergateError("internal-error", f"what judged the push was ended by signal {-status}")
    if status == ExitCode.OK and said != _DONE:
        raise LedgergateError("internal-error", "what judged the push ended without saying that it was done")
    return status


def _heard(reader: int, seconds: float) -> bytes | None:
    """The next byte that the child writes, none where it ends; None where it does neither in time."""
    import select

    return os.read(reader, 1) if select.select([reader], [], [], max(seconds, 0.0))[0] else None


def _cut(settled: bytes | None, seconds: float) -> int:
    """The status of what was ended since it was late."""
    if settled:
        sys.stdout.write("ledgergate: no time was left to look at all of the refs that nobody protects\n")
        return int(ExitCode(settled[0]))
    from ledgergate.rules import RULES

    message = f"judging took longer than the {seconds:g} seconds that this server gives it, and was ended"
    raise LedgergateError("deadline", message, remedy=RULES["deadline"].remedy)
