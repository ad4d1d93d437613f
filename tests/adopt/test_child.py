from __future__ import annotations

import sys
from pathlib import Path

import pytest

from ledgergate.adopt.child import default_python


def test_the_interpreter_of_the_active_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VIRTUAL_ENV", str(tmp_path))
    assert default_python() == sys.executable
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.touch()
    assert default_python() == str(python)
    monkeypatch.delenv("VIRTUAL_ENV")
    assert default_python() == sys.executable
