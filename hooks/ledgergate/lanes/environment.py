"""What a lane's command finds in its environment: ours, less what could steer its runner."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

# The seed of every run: the same tree is tested alike wherever and whenever it is tested.
SEED = 0
# Repositories of a hook; options, plugins, paths and warnings of Python and of pytest; examples; coverage that starts
# by itself; what makes a run write what it expects.
_PREFIXES = (
    *("GIT_", "PYTHON", "PYTEST_", "HYPOTHESIS_", "COVERAGE_", "COV_CORE_", "LEDGERGATE_"),
    *("INLINE_SNAPSHOT_", "INSTA_", "UPDATE_", "SNAPSHOT_"),
)
# Code that other interpreters, shells and the loader run unasked.
_NAMES = frozenset(
    {
        *("LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "BASH_ENV", "ENV"),
        *("NODE_OPTIONS", "NODE_PATH", "RUBYOPT", "RUBYLIB", "PERL5OPT", "PERL5LIB"),
        *("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"),
    }
)


def lane_environment(report: Path, tree: str, bytecode: Path) -> dict[str, str]:
    """The variables of a lane that writes its report there. `bytecode` is an empty folder for compiled modules.

    With a folder of its own for them Python reads no `__pycache__` of the tested files, where anything may lie.
    """
    own = {
        "LEDGERGATE_REPORT": str(report),
        "LEDGERGATE_TREE": tree,
        "LEDGERGATE_SEED": str(SEED),
        "PYTHONHASHSEED": str(SEED),
        "PYTHONPYCACHEPREFIX": str(bytecode),
    }
    return {**_without_steering(os.environ), **own}


def _without_steering(environment: Mapping[str, str]) -> dict[str, str]:
    return {
        name: value
        for name, value in environment.items()
        if not name.upper().startswith(_PREFIXES) and name.upper() not in _NAMES
    }
