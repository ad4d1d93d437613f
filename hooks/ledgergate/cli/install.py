"""`ledgergate install`: scripts that git calls, beside a hook manager."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import click

from ledgergate.adopt.push_script import install_push_script
from ledgergate.errors import ExitCode, UsageError
from ledgergate.git import Repository

_COMMAND = "ledgergate-pre-push"


@click.command()
@click.option("--pre-push", is_flag=True, help="git's own pre-push hook: it is told every ref of a push.")
def command(pre_push: bool) -> int:
    """Install what git itself calls. A hook that is there already is kept, and called as before."""
    if not pre_push:
        raise UsageError("say what to install: --pre-push")
    done = install_push_script(_hooks_folder(Repository()), _judge())
    click.echo(f"{'wrote' if done.is_new else 'it is there already:'} {done.path}")
    if done.kept is not None:
        click.echo(f"the hook that was there before is {done.kept}, and is called by it")
    return ExitCode.OK


def _judge() -> str:
    """Where this installation has its command for a push."""
    beside = Path(sys.executable).with_name(_COMMAND)
    found = str(beside) if beside.exists() else shutil.which(_COMMAND)
    if found is None:
        raise UsageError(f"{_COMMAND} is not installed beside this command; install ledgergate anew")
    return str(Path(found).absolute())


def _hooks_folder(repository: Repository) -> Path:
    """The folder whose hooks git runs here. One that other repositories may use as well is left alone."""
    folder = repository.hooks_folder()
    own = [repository.common_dir.resolve(), *(() if repository.is_bare else (repository.workdir.resolve(),))]
    if not any(folder.resolve().is_relative_to(one) for one in own):
        raise UsageError(
            f"git takes the hooks of this repository from {folder}, and others may take theirs from there, too: "
            f"call `{_COMMAND} --git` from the hook there, or give this repository hooks of its own (core.hooksPath)"
        )
    return folder
