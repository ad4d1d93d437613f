"""The oldest pytest that the plugin works with."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.suite import FINE, GOLDEN, LOCKED, LOUD, READS, A, Suite, ids, quarantine

pytestmark = pytest.mark.slow

OLDEST = "7.4.4"
# Before any test pins it: pip finds the package index by the settings of whoever runs the tests.
_MACHINE = dict(os.environ)


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds it, to come before what is installed."""
    folder = tmp_path_factory.mktemp("oldest")
    command = [sys.executable, "-m", "pip", "install", "-q", f"--target={folder}", f"pytest=={OLDEST}"]
    done = subprocess.run(command, env=_MACHINE, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.parametrize("workers", [0, 2])
def test_a_lane_is_what_it_is_with_a_new_one(tmp_path: Path, packages: Path, workers: int) -> None:
    source = (
        f"{READS}import pytest\n{FINE}def test_skip(): pytest.skip('x')\ndef test_bad(): assert 0\ndef test_q(): pass\n"
    )
    files = {A: source, GOLDEN: "golden\r\n", "tests/agent_drafts/test_d.py": LOUD}
    suite = Suite(tmp_path, files, LOCKED, quarantine(f"{A}::test_q"))
    lane = suite.lane(f"-n{workers}", PYTHONPATH=str(packages)).whole
    assert lane["tool"].endswith(f"pytest {OLDEST}")
    assert (lane["status"], lane["executed"], lane["outside_evidence"]) == ("ok", 3, ids("test_q"))
    assert lane["ran_case_ids"] == ids("test_golden", "test_one", "test_bad")
    assert (lane["skipped_case_ids"], [found["path"] for found in lane["differing_artifacts"]]) == (
        ids("test_skip"),
        [GOLDEN],
    )
    assert suite.lane("tests/agent_drafts", PYTHONPATH=str(packages)).status == 4
