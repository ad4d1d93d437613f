"""A repository of the Pygments source distribution under guard."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from support.gate import SCRIPTS
from support.managers import MANAGERS, Adopted, install_manager
from support.repo import Repo
from support.sdists import PYGMENTS, unpack


@pytest.fixture(params=MANAGERS)
def manager(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="session")
def adopted_pygments(tmp_path_factory: pytest.TempPathFactory) -> Adopted:
    """Pygments as a repository of its own, set up by `ledgergate init` and a human's commit of what that wrote."""
    repo = Repo(unpack(PYGMENTS, tmp_path_factory.mktemp("pygments")))
    repo.git("add", "-A")
    repo.commit(message="Pygments as released")
    init = repo.run(str(SCRIPTS / "ledgergate"), "init", "--python", sys.executable)
    assert init.returncode == 0, init
    repo.git("add", "-A")
    repo.commit(message="Guard the goldens")
    return Adopted(repo.path, init.stdout.decode())


@pytest.fixture
def pygments(adopted_pygments: Adopted, tmp_path: Path, manager: str) -> Repo:
    """A copy of the guarded repository with the hooks of one manager."""
    copy = tmp_path / "pygments"
    shutil.copytree(adopted_pygments.path, copy, symlinks=True)
    repo = Repo(copy, init=False)
    install_manager(repo, manager)
    return repo


@pytest.fixture(scope="session")
def pip_settings() -> dict[str, str]:
    """Where pip finds packages on this machine, for children that must build an environment."""
    names = ("HOME", "XDG_CONFIG_HOME", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE")
    return {
        name: value
        for name, value in os.environ.items()
        if name in names or name.startswith("PIP_") or name.lower().endswith("_proxy")
    }
