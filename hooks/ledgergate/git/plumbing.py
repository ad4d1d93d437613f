"""Child processes of git, for what libgit2 cannot do."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from ledgergate.errors import LedgergateError

if TYPE_CHECKING:
    from subprocess import Popen

_PINNED_ENV = {
    # Replace refs and grafts would show us other objects than those that travel. Nothing can be below a device.
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_GRAFT_FILE": f"{os.devnull}/none",
    # A background refresh would write the user's index.
    "GIT_OPTIONAL_LOCKS": "0",
    "LC_ALL": "C",
    "GIT_TERMINAL_PROMPT": "0",
}
# What a person has set for their own eyes would change what is parsed here, or which files are written.
_PINNED_CONFIG = tuple(
    part
    for setting in (
        "i18n.logOutputEncoding=UTF-8",
        "log.showSignature=false",
        "log.follow=false",
        "submodule.recurse=false",
    )
    for part in ("-c", setting)
)


class Finished(NamedTuple):
    """What a child left behind. `stderr` is decoded for messages."""

    status: int
    stdout: bytes
    stderr: str


class Started(Protocol):
    """A child of git that runs: the call gives it its input and waits for its end."""

    def __call__(self, stdin: bytes = b"") -> Finished: ...


def run_git(
    arguments: Sequence[str], *, cwd: str, env: Mapping[str, str] | None = None, stdin: bytes = b""
) -> Finished:
    """Run git to its end, with the caller's environment (a hook's `GIT_*` included) and `env` laid over it.

    Raises `LedgergateError` (`git-unreadable`) where git cannot be started; its exit status is the caller's to judge.
    """
    return start_git(arguments, cwd=cwd, env=env)(stdin)


def start_git(arguments: Sequence[str], *, cwd: str, env: Mapping[str, str] | None = None) -> Started:
    """Begin to run git as `run_git` does. What is returned has to be called."""
    import subprocess

    try:
        child = subprocess.Popen(
            [_program(), *_PINNED_CONFIG, *arguments],
            cwd=cwd,
            env={**os.environ, **_PINNED_ENV, **(env or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    except OSError as error:
        raise _not_run(error) from error

    def finish(stdin: bytes = b"") -> Finished:
        try:
            with child:
                stdout, stderr = _communicated(child, stdin)
        except OSError as error:
            raise _not_run(error) from error
        return Finished(child.returncode, stdout, stderr.decode("utf-8", "backslashreplace").strip())

    return finish


def _not_run(error: OSError) -> LedgergateError:
    remedy = "Agent, human: install git, or put its folder on PATH." if isinstance(error, FileNotFoundError) else None
    return LedgergateError("git-unreadable", f"cannot run git: {error}", remedy=remedy)


def _communicated(child: Popen[bytes], stdin: bytes) -> tuple[bytes, bytes]:
    try:
        return child.communicate(stdin)
    except BaseException:
        child.kill()
        raise


@cache
def _program() -> str:
    return find_git(os.get_exec_path()) if os.name == "nt" else "git"


def find_git(folders: Iterable[str]) -> str:
    """The git.exe of the first of these folders that has one. Raises `LedgergateError` (`git-unreadable`).

    Windows itself would look into the current folder first, which is the repository's to fill.
    """
    for folder in map(Path, folders):
        if folder.is_absolute() and (folder / "git.exe").is_file():
            return str(folder / "git.exe")
    raise LedgergateError("git-unreadable", "there is no git.exe in the folders of PATH")


def repository_local_variables() -> tuple[str, ...]:
    """The variables that tie a process to one repository, as `git rev-parse --local-env-vars` lists them.

    A child that works elsewhere must not inherit them: it would act on the hook's repository.
    """
    return (
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_COMMON_DIR",
        "GIT_CONFIG",
        "GIT_CONFIG_COUNT",
        "GIT_CONFIG_PARAMETERS",
        "GIT_DIR",
        "GIT_GRAFT_FILE",
        "GIT_IMPLICIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_INTERNAL_SUPER_PREFIX",
        "GIT_NO_REPLACE_OBJECTS",
        "GIT_OBJECT_DIRECTORY",
        "GIT_PREFIX",
        "GIT_QUARANTINE_PATH",
        "GIT_REPLACE_REF_BASE",
        "GIT_SHALLOW_FILE",
        "GIT_WORK_TREE",
    )
