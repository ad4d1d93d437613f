"""The arrows between the packages point one way, as `pyproject.toml` tells import-linter."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from support.documents import ROOT


def test_every_contract_between_the_layers_is_kept() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 broken" in done.stdout
