"""The repository that most of these tests damage."""

from __future__ import annotations

import pytest

from support.project import GOLDEN, LEDGER, LOCKED, ROWS, SOUND, Project, edited, ledger, sha256
from support.repo import Repo


@pytest.fixture
def project(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """A human's relocked golden, staged, in the folder that we stand in: undamaged, every entry point passes."""
    Project(repo, SOUND)
    repo.write("message", "Relock\n")
    repo.stage({GOLDEN: "new", LEDGER: ledger(edited(LOCKED, sha256("header"), sha256("new")), *ROWS[1:])})
    monkeypatch.chdir(repo.path)
    return repo
