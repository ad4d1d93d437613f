"""Hook managers as their users meet them: installed in a repository, and called by git."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NamedTuple

from support.gate import SCRIPTS, Said, commit
from support.repo import Repo

MANAGERS = ("pre-commit", "prek")


class Adopted(NamedTuple):
    """A repository that `ledgergate init` set up and whose result is committed, and what init said."""

    path: Path
    said: str


def install_manager(repo: Repo, manager: str) -> None:
    """Let a hook manager install its hooks; `ledgergate` is on the path, as in an active virtual environment."""
    caches = repo.path.parent / "caches"
    repo.env |= {
        "PATH": f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}",
        "PRE_COMMIT_HOME": str(caches / "pre-commit"),
        "PREK_HOME": str(caches / "prek"),
    }
    done = repo.run(manager, "install")
    assert done.returncode == 0, done


def refusal(done: Said) -> set[str]:
    """The rules for which a commit was refused, as the user reads them; none where it was made."""
    rules = set(re.findall(r"^\s*(?:FAIL|UNSCORED) ([a-z-]+):", done.everything, re.MULTILINE))
    assert (done.status == 0) == (not rules), done
    return rules


def commit_all(repo: Repo, *arguments: str, env: dict[str, str] | None = None) -> set[str]:
    """Commit through the hooks; the rules for which that was refused."""
    return refusal(commit(repo, *arguments, env=env))


def append(repo: Repo, path: str, text: str) -> None:
    file: Path = repo.path / path
    file.write_text(file.read_text(encoding="utf-8") + text, encoding="utf-8")
