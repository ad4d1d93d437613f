"""One hook of our manifest in a real hook manager, and pushes through it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from support.gate import SCRIPTS, Said, honest, said
from support.managers import install_manager
from support.repo import Repo

_MANIFEST = Path(__file__).parents[2] / ".pre-commit-hooks.yaml"


def hook_config(name: str, *args: str) -> str:
    """A configuration with the manifest's hook of that id, run from this environment."""
    (hook,) = (hook for hook in yaml.safe_load(_MANIFEST.read_text(encoding="utf-8")) if hook["id"] == name)
    own: dict[str, Any] = {**hook, "language": "system", "entry": str(SCRIPTS / hook["entry"]), "args": list(args)}
    document = {"default_install_hook_types": ["pre-push"], "repos": [{"repo": "local", "hooks": [own]}]}
    return yaml.safe_dump(document)


def install(repo: Repo, manager: str) -> None:
    """Let the manager install its pre-push hook, and give the repository a remote that has main."""
    remote = Repo(repo.path.parent / "remote.git", bare=True)
    repo.git("remote", "add", "origin", str(remote.path))
    repo.git("push", "-q", "--no-verify", "-u", "origin", "main")
    install_manager(repo, manager)


def push(repo: Repo, *arguments: str) -> Said:
    return honest(said(repo, ["git", "push", "-q", "origin", *(arguments or ("HEAD",))]))


def pushed(repo: Repo, ref: str = "refs/heads/main") -> str:
    """What the remote has at a ref; empty for nothing."""
    return repo.git("ls-remote", "origin", ref).partition("\t")[0]


def run_by_hand(repo: Repo, manager: str, name: str) -> Said:
    """The hook in the stage `manual`."""
    return honest(said(repo, [manager, "run", "--hook-stage", "manual", "--all-files", name]))
