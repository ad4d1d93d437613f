"""A throw-away repository for the demonstration, and the two who work in it."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import click

import ledgergate
from ledgergate.actors.signals import built_in
from ledgergate.errors import LedgergateError
from ledgergate.values import display_text

Who = Literal["agent", "human"]

# Whatever the machine's own configuration says, its templates, hooks, signatures and line ends stay out.
_SETTINGS = {
    "user.name": "Kim",
    "user.email": "kim@example.org",
    "commit.gpgsign": "false",
    "core.hooksPath": ".git/hooks",
    "core.autocrlf": "false",
    "core.attributesFile": os.devnull,
    "core.excludesFile": os.devnull,
    "core.fsmonitor": "false",
    "commit.verbose": "false",
    "gc.auto": "0",
}
_LIMIT_S = 60


class Ended(NamedTuple):
    """How a command ended, and what it printed on both streams, in order."""

    status: int
    output: str


class Shell:
    """Runs commands in the repository, tells what it runs, and shows what they said."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._environments: dict[Who, dict[str, str]] = {
            "human": _environment(os.environ),
            "agent": {**_environment(os.environ), "CLAUDECODE": "1"},
        }

    def build(self, files: Mapping[str, str]) -> None:
        """Make the repository, with these files in its first commit and native hooks that call this ledgergate."""
        self._must("git", "init", "-q", "--template=")
        for name, value in _SETTINGS.items():
            self._must("git", "config", name, value)
        for path, text in files.items():
            self.write(path, text)
        hooks = self.root / ".git" / "hooks"
        hooks.mkdir(exist_ok=True)
        python = shlex.join([sys.executable, "-P"])
        commit_msg = shlex.quote("from ledgergate.hosts.commit_msg import main; raise SystemExit(main())")
        self._install(hooks / "pre-commit", f"exec {python} -m ledgergate check --staged")
        self._install(hooks / "commit-msg", f'exec {python} -c {commit_msg} "$1"')
        self._must("git", "add", "-A")
        self._must("git", "commit", "-q", "-m", "A till, its tests and their ledgers")

    def write(self, path: str, text: str) -> None:
        """Write a file of the working tree."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="")

    def read(self, path: str) -> str:
        return (self.root / path).read_text(encoding="utf-8")

    def run(self, who: Who, *command: str) -> Ended:
        """Run a command as one of the two; it and what it printed are shown."""
        click.echo(f"  {who}$ {shlex.join(command)}")
        ended = self.run_quietly(who, *command)
        for line in ended.output.splitlines():
            click.echo(f"      | {display_text(line)}".rstrip())
        return ended

    def run_quietly(self, who: Who, *command: str) -> Ended:
        """Run a command as one of the two. `ledgergate` is this very one."""
        real = [sys.executable, "-P", "-m", "ledgergate", *command[1:]] if command[0] == "ledgergate" else command
        try:
            done = subprocess.run(
                real,
                cwd=self.root,
                env=self._environments[who],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=_LIMIT_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise LedgergateError("git-unreadable", f"the demonstration cannot run {command[0]}: {error}") from error
        return Ended(done.returncode, done.stdout.decode("utf-8", "replace"))

    def tip(self) -> str:
        """The commit that HEAD names."""
        return self._must("git", "rev-parse", "HEAD").strip()

    def clean_up(self) -> None:
        """Drop whatever is not committed."""
        self._must("git", "reset", "-q", "--hard")
        self._must("git", "clean", "-q", "-f", "-d")

    def _must(self, *command: str) -> str:
        ended = self.run_quietly("human", *command)
        if ended.status != 0:
            raise LedgergateError("git-unreadable", f"`{shlex.join(command)}` failed: {ended.output.strip()}")
        return ended.output

    @staticmethod
    def _install(file: Path, line: str) -> None:
        file.write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
        file.chmod(0o755)


def _environment(env: Mapping[str, str]) -> dict[str, str]:
    """The environment of a human's shell: no built-in signal of an agent, no git of elsewhere."""
    known = built_in()
    signals = {*known.env, *known.env_naming_an_agent}
    for together in known.env_together:
        if all(env.get(name) == value for name, value in together.items()):
            signals |= together.keys()
    kept = {name: value for name, value in env.items() if name not in signals and not _is_gits(name)}
    # Wherever this ledgergate was imported from, the children find it there.
    path = os.pathsep.join(filter(None, [str(Path(ledgergate.__file__).parents[1]), env.get("PYTHONPATH")]))
    quiet = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_EDITOR": "true", "LC_ALL": "C.UTF-8"}
    return {**kept, **quiet, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1"}


def _is_gits(name: str) -> bool:
    return name.startswith("GIT_") and name != "GIT_EXEC_PATH"


def lines_between(old: str, new: str) -> Sequence[str]:
    """The lines that go and come between two texts."""
    import difflib

    compared = difflib.ndiff(old.splitlines(), new.splitlines())
    return [line for line in compared if line[:1] in "+-"]
