"""Opening a repository as git itself would in this place, or saying why it cannot be read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pygit2
from pygit2.enums import RepositoryOpenFlag

from ledgergate.errors import LedgergateError, UsageError
from ledgergate.git.borrowed import VARIABLE, borrowed_folders, is_quoted
from ledgergate.git.plumbing import run_git

# Where git looks for a repository and its parts.
_LOCATIONS = (
    *("GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE"),
    *("GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES"),
)


def open_repository(start: str) -> pygit2.Repository:
    """The repository that git would use in the folder `start`.

    Raises `UsageError` where there is none, and `LedgergateError` (`git-unreadable`) for one that cannot be read.
    """
    try:
        return _open(start)
    except (pygit2.GitError, KeyError, ValueError, OSError) as error:
        raise _explain_refusal(start, str(error)) from error


@contextmanager
def by_place(folder: str) -> Iterator[None]:
    """Meanwhile the repository that a folder lies in, if there is one, outweighs any that the environment names."""
    named = {name: os.environ.pop(name) for name in _LOCATIONS if name in os.environ} if _is_in_one(folder) else {}
    try:
        yield
    finally:
        os.environ.update(named)


def _is_in_one(folder: str) -> bool:
    """Whether a folder lies in a repository, whatever the environment says."""
    try:
        return pygit2.discover_repository(folder) is not None
    except (pygit2.GitError, KeyError, ValueError, OSError):
        # What cannot be read is the folder's own all the same.
        return True


def refuse_namespace() -> None:
    """`LedgergateError` where git's environment shows us another HEAD than it commits on."""
    if os.environ.get("GIT_NAMESPACE"):
        raise LedgergateError(
            "git-unreadable",
            "GIT_NAMESPACE is set, and would show another HEAD than the one that git commits on",
            remedy="Unset GIT_NAMESPACE.",
        )


def refuse_grafts(common_dir: Path) -> None:
    """`LedgergateError` where a file of this clone shows another history than the stored one."""
    if (common_dir / "info" / "grafts").exists():
        raise LedgergateError(
            "git-unreadable",
            "this repository has a grafts file, which shows another history than the one that is pushed",
            remedy=f"Remove {common_dir / 'info' / 'grafts'} (git replace --convert-graft-file keeps what it says).",
        )


def _open(start: str) -> pygit2.Repository:
    if not is_quoted(os.environ):
        return _open_plainly(start)
    folders, named = borrowed_folders(os.environ), os.environ.pop(VARIABLE)
    try:
        repository = _open_plainly(start)
    finally:
        os.environ[VARIABLE] = named
    for folder in folders:
        repository.odb.add_disk_alternate(folder)
    return repository


def _open_plainly(start: str) -> pygit2.Repository:
    named = os.environ.get("GIT_DIR")
    if not named:
        return pygit2.Repository(start, RepositoryOpenFlag.FROM_ENV)
    # Given a path, libgit2 takes all from the environment but this.
    exactly = RepositoryOpenFlag.NO_SEARCH | RepositoryOpenFlag.NO_DOTGIT
    return pygit2.Repository(named, RepositoryOpenFlag.FROM_ENV | exactly)


def _explain_refusal(start: str, detail: str) -> Exception:
    """Tell "there is no repository here" from "there is one that we cannot read"."""
    probe = run_git(["rev-parse", "--absolute-git-dir"], cwd=start)
    if "not a git repository" in probe.stderr:
        named = os.environ.get("GIT_DIR", "/")
        where = "" if named.startswith("/") else "; GIT_DIR is counted from the folder in which git starts a hook"
        return UsageError(f"no git repository here ({probe.stderr}{where})")
    if "dubious ownership" in probe.stderr or "not owned" in detail:
        return LedgergateError(
            "git-unreadable",
            f"this repository belongs to another user: {detail}",
            remedy=f"If you trust it: `git config --global --add safe.directory {_distrusted(probe.stderr)}`",
        )
    if probe.status != 0:
        detail = " ".join(probe.stderr.split())
    return LedgergateError(
        "git-unreadable",
        f"this repository's format cannot be read yet: {detail}",
        remedy="SHA-256 objects, reftable and partial clones are not supported; use an ordinary full clone.",
    )


def _distrusted(stderr: str) -> str:
    """The folder that git names in its own advice, quoted as it does."""
    _, advice, folder = stderr.rpartition("--add safe.directory ")
    return folder.splitlines()[0].strip() if advice and folder.strip() else "PATH"
