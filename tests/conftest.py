"""Fixtures for all tests: real git, pinned identity, nothing of the machine's own settings."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

from support.repo import Repo, clean_environment

# A busy machine is no failure. `--hypothesis-profile thorough` looks further than the run between two edits does.
settings.register_profile("quick", deadline=None, max_examples=10)
settings.register_profile("thorough", deadline=None, max_examples=50)
settings.load_profile("quick")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("exhaustive"):
            item.add_marker("slow")


@pytest.fixture(autouse=True)
def _pinned_environment(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path_factory.getbasetemp()
    wanted = clean_environment(home)
    for name in set(os.environ) - set(wanted) - {"PYTEST_CURRENT_TEST", "PYTEST_XDIST_WORKER"}:
        monkeypatch.delenv(name)
    for name, value in wanted.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path / "repo")
