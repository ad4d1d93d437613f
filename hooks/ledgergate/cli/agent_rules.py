"""`ledgergate agent-rules`: what an agent may do here, as text for AGENTS.md or its like."""

from __future__ import annotations

import os
from pathlib import Path

import click

from ledgergate.adopt.agent_rules import render, spliced
from ledgergate.adopt.files import replace_file
from ledgergate.cli.working import file_at, read_working_policy
from ledgergate.errors import ExitCode, UsageError
from ledgergate.git import Repository
from ledgergate.policy import POLICY_PATH


@click.command()
@click.option("--write", "file", metavar="FILE", help="Put them into FILE, in place of those that it holds.")
def command(file: str | None) -> int:
    """Print what an agent may and may not do in this repository, to stand in AGENTS.md or CLAUDE.md."""
    repository = Repository()
    if not os.path.lexists(file_at(repository, POLICY_PATH)):
        raise UsageError(f"there is no {POLICY_PATH} here, so there are no rules yet; a human runs `ledgergate init`")
    block = render(read_working_policy(repository))
    if file is None:
        click.echo(block, nl=False)
        return ExitCode.OK
    path = Path(file)
    _refuse_elsewhere(repository, path)
    try:
        before = path.read_bytes() if os.path.lexists(path) else b""
        after = spliced(before, block)
        if after != before:
            replace_file(path, after)
    except UsageError as error:
        raise UsageError(f"{file} is left alone: {error}") from error
    except OSError as error:
        raise UsageError(f"{file} is left alone: {error.strerror or error}") from error
    click.echo(f"{file} says so already." if after == before else f"Wrote the rules for agents into {file}.")
    return ExitCode.OK


def _refuse_elsewhere(repository: Repository, path: Path) -> None:
    """Raises `UsageError` where the path is a link, or leads out of the working tree or into git's own folder."""
    if path.is_symlink():
        raise UsageError(f"{path} is a link to {path.readlink()}, and left alone: name the file itself")
    root, real = repository.workdir.resolve(), path.resolve()
    if not real.is_relative_to(root) or ".git" in map(str.casefold, real.relative_to(root).parts):
        raise UsageError(f"{path} is left alone: it is no file of this repository")
