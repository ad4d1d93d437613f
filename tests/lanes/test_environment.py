"""What lanes find in their environment."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledgergate.lanes.environment import lane_environment

STEERING = (
    *(
        "GIT_DIR",
        "GIT_INDEX_FILE",
        "GIT_CONFIG_COUNT",
        "PYTEST_ADDOPTS",
        "PYTEST_PLUGINS",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD",
    ),
    *(
        "PYTHONPATH",
        "PYTHONOPTIMIZE",
        "PYTHONSTARTUP",
        "PYTHONWARNINGS",
        "PYTHONUSERBASE",
        "PYTHONHOME",
        "PYTHONBREAKPOINT",
    ),
    *("HYPOTHESIS_STORAGE_DIRECTORY", "COVERAGE_PROCESS_START", "COV_CORE_SOURCE", "INLINE_SNAPSHOT_DEFAULT_FLAGS"),
    *("INSTA_FORCE_PASS", "UPDATE_GOLDENS", "SNAPSHOT_UPDATE", "LD_PRELOAD", "NODE_OPTIONS", "RUBYOPT", "BASH_ENV"),
    *("LEDGERGATE_LANE", "LEDGERGATE_REPORT"),
)


@pytest.mark.parametrize("name", STEERING)
def test_what_could_steer_a_runner_is_left_out(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "anything")
    assert lane_environment(Path("r"), "t", Path("b")).get(name) in (None, "r")


@pytest.mark.parametrize("name", ["PATH", "HOME", "LANG", "VIRTUAL_ENV", "LD_LIBRARY_PATH", "CI", "DATABASE_URL"])
def test_what_a_suite_may_need_stays(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "anything")
    assert lane_environment(Path("r"), "t", Path("b"))[name] == "anything"


def test_what_the_run_says() -> None:
    found = lane_environment(Path("/r.json"), "abc", Path("/b"))
    assert {name: value for name, value in found.items() if name.startswith(("LEDGERGATE_", "PYTHON"))} == {
        "LEDGERGATE_REPORT": "/r.json",
        "LEDGERGATE_TREE": "abc",
        "LEDGERGATE_SEED": "0",
        "PYTHONHASHSEED": "0",
        "PYTHONPYCACHEPREFIX": "/b",
    }
