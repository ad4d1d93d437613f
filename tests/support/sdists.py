"""Source distributions of real projects, each downloaded once into the build folder."""

from __future__ import annotations

import fcntl
import hashlib
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import NamedTuple

import pytest

BUILD = Path(__file__).parents[2] / "build"
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")


class Sdist(NamedTuple):
    """One release of a project, and the sha256 of its archive."""

    name: str
    version: str
    sha256: str

    @property
    def requirement(self) -> str:
        return f"{self.name}=={self.version}"


PYGMENTS = Sdist("pygments", "2.19.2", "636cb2477cec7f8952536970bc533bc43743542f70392ae026374600add5b887")


def archive(sdist: Sdist) -> Path:
    """The archive in the build folder; processes that ask at once wait for one download."""
    BUILD.mkdir(exist_ok=True)
    file = BUILD / f"{sdist.name}-{sdist.version}.tar.gz"
    with (BUILD / f"{sdist.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not file.exists() or _digest(file) != sdist.sha256:
            _download(sdist, file)
    return file


def unpack(sdist: Sdist, folder: Path) -> Path:
    """Unpack the archive below a folder; the folder that it holds."""
    with tarfile.open(archive(sdist)) as opened:
        # Pythons before 3.11.4 have no filters; the archive is known by its digest there, too.
        opened.extraction_filter = getattr(tarfile, "data_filter", None)
        opened.extractall(folder)  # noqa: S202 - what is in it is known
    (found,) = folder.glob("*/")
    return found


def _download(sdist: Sdist, file: Path) -> None:
    with tempfile.TemporaryDirectory(dir=BUILD) as folder:
        # `:all:` would build what builds it from source as well, and what builds that: many minutes.
        command = [*PIP, "download", "--quiet", "--no-deps", "--no-binary", sdist.name, "--dest", folder]
        done = subprocess.run([*command, sdist.requirement], capture_output=True, text=True, check=False)
        found = list(Path(folder).glob("*.tar.gz"))
        if done.returncode != 0 or len(found) != 1:
            pytest.fail(
                f"The source distribution of {sdist.requirement} could not be downloaded. With a network and a package "
                f"index, `python -m pip download --no-deps --no-binary {sdist.name} {sdist.requirement}` must work; "
                f"or put the archive at {file} by hand. pip says:\n{done.stderr[-2000:]}",
                pytrace=False,
            )
        digest = _digest(found[0])
        if digest != sdist.sha256:
            pytest.fail(f"{sdist.requirement} has the sha256 {digest}, and {sdist.sha256} is expected.", pytrace=False)
        found[0].replace(file)


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
