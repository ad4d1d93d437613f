"""Why a lane's command left no report where it should."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from ledgergate.policy.model import Lane

# Tools that start their children with an environment of their own.
_TOOLS = frozenset({"tox", "nox", "hatch", "bazel", "docker", "podman", "sudo", "env", "ssh"})
_HAND_ON = "`LEDGERGATE_*` has to reach it (tox: `pass_env = LEDGERGATE_*`)"


def none_written(lane: Lane, command: Sequence[str], folder: Path, since_ns: int) -> str:
    """What to say where a lane wrote no report: whether its variables seem not to have reached it.

    A report that is not older than `since_ns` (nanoseconds of the file system's clock) may lie where the pytest plugin
    writes it without them.
    """
    if lane.junit:
        return f"it wrote no report at {', '.join(lane.junit)}"
    place = f".ledgergate/reports/{lane.name}.json"
    if _is_new(folder / place, since_ns):
        return f"it wrote its report to {place}, as without the variables of the run: {_HAND_ON}"
    tools = sorted(_TOOLS.intersection(word for part in command for word in re.split(r"[^\w-]+", part)))
    return f"it wrote no report; where {tools[0]} starts the tests, {_HAND_ON}" if tools else "it wrote no report"


def _is_new(file: Path, since_ns: int) -> bool:
    try:
        return file.lstat().st_mtime_ns >= since_ns
    except (OSError, ValueError):
        return False
