"""A project set up by `ledgergate init`, and the week in it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from support.gate import SCRIPTS
from support.managers import install_manager
from support.repo import Repo
from support.sdists import BUILD, PIP, unpack
from weeks.attrs import ATTRS
from weeks.play import Move, Play
from weeks.project import Project
from weeks.pygments import PYGMENTS
from weeks.syrupy import SYRUPY
from weeks.week import play_week

PROJECTS = (PYGMENTS, SYRUPY, ATTRS)


def adopt(project: Project, folder: Path, manager: str) -> Repo:
    """The project's release as a repository that `init` alone set up, with a hook manager's hooks."""
    repo = Repo(unpack(project.sdist, folder))
    # The hooks that the project has itself would have to be fetched from elsewhere.
    (repo.path / ".pre-commit-config.yaml").unlink(missing_ok=True)
    repo.git("add", "-A", "-f")
    repo.commit(message=f"{project.sdist.name} {project.sdist.version} as released")
    repo.env["PYTHONPATH"] = ":".join([str(repo.path / project.source_root), *_installed(project)])
    done = repo.run(str(SCRIPTS / "ledgergate"), "init", "--python", sys.executable, *project.init)
    assert done.returncode == 0, done
    repo.git("add", "-A")
    repo.commit(message="Guard the tests with ledgergate")
    install_manager(repo, manager)
    return repo


def play(
    project: Project,
    folder: Path,
    *,
    mindful: bool,
    seen: Callable[[Move], None],
    course: Callable[[Play, Project], None] = play_week,
) -> None:
    """The whole week, with pre-commit where people are mindful and with prek where not; `seen` is told of each move."""
    repo = adopt(project, folder, "pre-commit" if mindful else "prek")
    repo.env["PATH"] = f"{Path(sys.executable).parent}:{repo.env['PATH']}"
    course(Play(repo, mindful=mindful, seen=seen), project)


def _installed(project: Project) -> list[str]:
    """A folder with the packages that the suite needs beside those that this project's own tests need."""
    if not project.packages:
        return []
    folder = BUILD / f"site-{project.sdist.name}"
    if not folder.exists():
        command = [*PIP, "install", "--quiet", "--target", str(folder), *project.packages]
        subprocess.run(command, check=True, capture_output=True)
    return [str(folder)]
