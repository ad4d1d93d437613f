"""The exact ids of a suite, as its own pytest collects them."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Container, Iterator
from pathlib import Path
from typing import NamedTuple

from ledgergate.git.plumbing import repository_local_variables
from ledgergate.values import display_text

TIME_LIMIT_S = 300
# The level that `-q` means, whatever the project's own options add to it.
_ARGUMENTS = ("-m", "pytest", "--collect-only", "--verbosity=-1", "--color=no")
_NOTHING_COLLECTED = 5
# How pytest marks the lines of an error, and one of them that names it.
_MARKED = re.compile(r"(?:E  |INTERNALERROR>) +(.*)")
_EXCEPTION = re.compile(r"[\w.]+(?:Error|Exception|Warning)\b")
_LONGEST = 160


class Collection(NamedTuple):
    """What was collected. `problem` says in one line why not everything was; None where all is well."""

    ids: tuple[str, ...]
    problem: str | None = None


def default_python() -> str:
    """The interpreter of the virtual environment that is active in the shell; without one, our own."""
    folder = os.environ.get("VIRTUAL_ENV")
    if folder:
        for name in ("bin/python", "Scripts/python.exe"):
            if (Path(folder) / name).exists():
                return str(Path(folder) / name)
    return sys.executable


def collect(python: str, folder: Path, tracked: Container[str], *, time_limit_s: float = TIME_LIMIT_S) -> Collection:
    """Collect the suite in a folder with an interpreter that has pytest, in a child process.

    Of what the child prints only ids of files in `tracked` count. Whatever goes wrong is the collection's `problem`.
    """
    import tempfile

    with tempfile.TemporaryDirectory(prefix="ledgergate-") as scratch:
        stdout, stderr = Path(scratch) / "stdout", Path(scratch) / "stderr"
        command = [python, *_ARGUMENTS, "-o", f"cache_dir={scratch}/cache"]
        try:
            status = _run(command, folder, stdout, stderr, time_limit_s)
        except OSError as error:
            return Collection((), f"{python} cannot be run: {error.strerror or error}")
        printed, complained = _read(stdout), _read(stderr)
    if status is None:
        return Collection((), f"pytest did not finish collecting within {time_limit_s:g} seconds")
    ids = tuple(dict.fromkeys(_ids(printed, tracked)))
    problem = _problem(python, status, printed, complained)
    return Collection(ids, problem if ids or problem else "pytest printed no test ids")


def _run(command: list[str], folder: Path, stdout: Path, stderr: Path, time_limit_s: float) -> int | None:
    """The exit status; None where the time was up. The child writes to files: a pipe could outlive it."""
    import signal
    import subprocess

    with stdout.open("wb") as out, stderr.open("wb") as err:
        child = subprocess.Popen(
            command,
            cwd=folder,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
        try:
            return child.wait(time_limit_s)
        except subprocess.TimeoutExpired:
            return None
        finally:
            if child.returncode is None:
                # With whatever it started: it leads a group of its own.
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()


def _environment() -> dict[str, str]:
    # A suite that works in repositories of its own must not act on this one.
    dropped = {*repository_local_variables(), "PYTEST_ADDOPTS", "PYTEST_PLUGINS"}
    kept = {name: value for name, value in os.environ.items() if name not in dropped}
    return {**kept, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONIOENCODING": "utf-8"}


def _read(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "surrogateescape")


def _ids(printed: str, tracked: Container[str]) -> Iterator[str]:
    """The ids stand one a line, before the first empty line that follows them."""
    started = False
    for line in printed.splitlines():
        if "::" in line and line.partition("::")[0] in tracked:
            started = True
            yield line
        elif started and not line.strip():
            return


def _problem(python: str, status: int, printed: str, complained: str) -> str | None:
    if status == 0:
        return None
    if status == _NOTHING_COLLECTED:
        return "pytest collects no tests here"
    if "No module named pytest" in complained:
        return f"{python} has no pytest"
    broken = [line for line in printed.splitlines() if line.startswith("ERROR ")]
    marked = [found[1] for line in (*printed.splitlines(), *complained.splitlines()) if (found := _MARKED.match(line))]
    reason = next(filter(_EXCEPTION.match, marked), marked[0] if broken and marked else "")
    if broken:
        modules = "1 module" if len(broken) == 1 else f"{len(broken)} modules"
        return _short(f"pytest could not import {modules}: {reason or broken[0]}")
    lines = [line for line in (*printed.splitlines(), *complained.splitlines()) if line.strip()]
    return _short(f"pytest ended with status {status}: {reason or (lines[-1].strip() if lines else 'no output')}")


def _short(text: str) -> str:
    shown = display_text(text)
    return shown if len(shown) <= _LONGEST else f"{shown[: _LONGEST - 1]}…"
