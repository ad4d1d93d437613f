"""Runs pytest on many small trees from one process, each in a fork of it.

As a program it reads a JSON list of trees (texts by paths) and writes the list of exit statuses.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

Tree = Mapping[str, str]


def exit_statuses(trees: Sequence[Tree]) -> list[int]:
    """How pytest ends on each tree, with no plugins but its own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "COV_", "COVERAGE"))}
    environment = {**kept, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, __file__], input=json.dumps(trees), capture_output=True, text=True, check=True, env=environment
    )
    found: list[int] = json.loads(done.stdout)
    return found


def _run(tree: Tree) -> int:
    with tempfile.TemporaryDirectory() as folder:
        for path, text in tree.items():
            place = Path(folder, path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
        process = os.fork()
        if process == 0:
            _become_pytest(folder)
        return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def _become_pytest(folder: str) -> None:
    import pytest

    os.chdir(folder)
    sys.path.insert(0, folder)
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    # Not `os._exit`: what a test registers to happen at exit has to.
    sys.exit(pytest.main(["-q", "-p", "no:cacheprovider"]))


def main() -> None:
    # Imported once, and not once in each fork.
    import unittest.mock

    import _pytest.python
    import _pytest.unittest

    assert unittest.mock and _pytest.python and _pytest.unittest
    sys.stdout.write(json.dumps([_run(tree) for tree in json.load(sys.stdin)]))


if __name__ == "__main__":
    main()
