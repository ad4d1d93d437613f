"""The Pygments source distribution, downloaded once, and a repository of it under guard."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import pytest

from support.gate import SCRIPTS
from support.managers import MANAGERS, Adopted, install_manager
from support.repo import Repo

VERSION = "2.19.2"
SHA256 = "636cb2477cec7f8952536970bc533bc43743542f70392ae026374600add5b887"
BUILD = Path(__file__).parents[2] / "build"
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")


@pytest.fixture(params=MANAGERS)
def manager(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="session")
def pygments_archive() -> Path:
    """The archive in the build folder; workers that ask at once wait for one download."""
    BUILD.mkdir(exist_ok=True)
    archive = BUILD / f"pygments-{VERSION}.tar.gz"
    with (BUILD / "pygments.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not archive.exists() or digest(archive) != SHA256:
            download(archive)
    return archive


def download(archive: Path) -> None:
    requirement = f"pygments=={VERSION}"
    with tempfile.TemporaryDirectory(dir=BUILD) as folder:
        command = [*PIP, "download", "--quiet", "--no-deps", "--no-binary", ":all:", "--dest", folder, requirement]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        found = list(Path(folder).glob("*.tar.gz"))
        if done.returncode != 0 or len(found) != 1:
            pytest.fail(
                f"The source distribution of {requirement} could not be downloaded. With a network and a package index "
                f"that pip reaches, `python -m pip download --no-deps --no-binary :all: {requirement}` must work; or "
                f"put the archive at {archive} by hand. "
                f"pip says:\n{done.stderr[-2000:]}",
                pytrace=False,
            )
        if digest(found[0]) != SHA256:
            pytest.fail(f"{requirement} has the sha256 {digest(found[0])}, and {SHA256} is expected.", pytrace=False)
        found[0].replace(archive)


def digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


@pytest.fixture(scope="session")
def adopted_pygments(pygments_archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Adopted:
    """Pygments as a repository of its own, set up by `ledgergate init` and a human's commit of what that wrote."""
    folder = tmp_path_factory.mktemp("pygments")
    with tarfile.open(pygments_archive) as archive:
        archive.extractall(folder, filter="data")
    repo = Repo(folder / f"pygments-{VERSION}")
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
