"""A child process of the suite's own interpreter."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ledgergate.git.plumbing import repository_local_variables


def default_python() -> str:
    """The interpreter of the virtual environment that is active in the shell; without one, our own."""
    folder = os.environ.get("VIRTUAL_ENV")
    if folder:
        for name in ("bin/python", "Scripts/python.exe"):
            if (Path(folder) / name).exists():
                return str(Path(folder) / name)
    return sys.executable


def run_child(
    command: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    stdout: Path,
    stderr: Path,
    time_limit_s: float,
    meanwhile: Callable[[], None],
) -> int | None:
    """The exit status; None where the time was up. The child writes to files: a pipe could outlive it.

    `meanwhile` is called once it runs. Raises `OSError` where it cannot be started.
    """
    import signal
    import subprocess

    with stdout.open("wb") as out, stderr.open("wb") as err:
        child = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
        try:
            meanwhile()
            return child.wait(time_limit_s)
        except subprocess.TimeoutExpired:
            return None
        finally:
            if child.returncode is None:
                # With whatever it started: it leads a group of its own.
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()


def child_environment(plugins: Path, variables: Mapping[str, str]) -> dict[str, str]:
    """Our own variables less those that steer git or pytest, with a folder to import plugins from, and these."""
    # A suite that works in repositories of its own must not act on this one.
    dropped = {*repository_local_variables(), "PYTEST_ADDOPTS", "PYTEST_PLUGINS"}
    kept = {name: value for name, value in os.environ.items() if name not in dropped}
    path = os.pathsep.join(filter(None, (str(plugins), kept.get("PYTHONPATH"))))
    return {**kept, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONIOENCODING": "utf-8", "PYTHONPATH": path, **variables}
