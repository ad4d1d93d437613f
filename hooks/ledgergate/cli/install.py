"""`ledgergate install`: scripts that git calls, beside a hook manager, and on a server."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import click

from ledgergate.adopt.push_script import install_push_script
from ledgergate.adopt.server_hook import HOOKS, LAYOUTS, OWN_SIGNERS, Server, install_server, required
from ledgergate.cli.signing import read_own_signers
from ledgergate.errors import ExitCode, UsageError
from ledgergate.git import Repository, by_place
from ledgergate.hosts.server_config import read_server_config
from ledgergate.policy.fields import ref_pattern

_COMMAND = "ledgergate-pre-push"


@click.command()
@click.option("--pre-push", is_flag=True, help="git's own pre-push hook: it is told every ref of a push.")
@click.option("--server", metavar="PATH.git", help="A repository's hook on a server: it judges what is pushed there.")
@click.option(
    "--host",
    type=click.Choice(list(LAYOUTS)),
    default="git",
    show_default=True,
    help="With --server: whose hooks it lies among; gitea is Forgejo, too.",
)
@click.option("--hook", type=click.Choice(HOOKS), default=HOOKS[0], show_default=True, help="With --server: which.")
@click.option("--signers", metavar="FILE", help="With --server: the people whose word counts there; it is copied.")
@click.option(
    "--require",
    metavar="REF",
    multiple=True,
    help="With --server: a pattern of refs that are protected and need a policy, whatever it says. Several times. "
    "Without it the default branch, main, master and release/** need one.",
)
def command(
    pre_push: bool, server: str | None, host: str, hook: str, signers: str | None, require: tuple[str, ...]
) -> int:
    """Install what git itself calls. A hook that is there already is kept, and called as before."""
    if pre_push == (server is not None):
        raise UsageError("say what to install: --pre-push, or --server PATH.git")
    if server is not None:
        return _on_server(
            Path(server), host, hook, None if signers is None else read_own_signers(signers), _refs(require)
        )
    if signers is not None or require:
        raise UsageError("--signers and --require go with --server")
    done = install_push_script(_hooks_folder(Repository()), _judge())
    click.echo(f"{'wrote' if done.is_new else 'it is there already:'} {done.path}")
    if done.kept is not None:
        click.echo(f"the hook that was there before is {done.kept}, and is called by it")
    return ExitCode.OK


def _on_server(path: Path, host: str, hook: str, signers: bytes | None, require: tuple[str, ...]) -> int:
    if not path.is_dir():
        raise UsageError(f"--server {path}: there is no folder of that name")
    with by_place(str(path)):
        repository = Repository(str(path))
        if host == "git":
            _refuse_other_hooks(repository)
        done = install_server(repository.common_dir.absolute(), host, hook, signers, require)
        is_remembered = repository.remember_tips()
    click.echo(f"wrote {done.script}")
    click.echo(f"{'wrote' if done.is_new else 'kept as it was:'} {done.config}")
    _refuse_without_effect(done, signers, require)
    if done.kept is not None:
        click.echo(f"the hook that was there before is {done.kept}, and is called by it")
    if not is_remembered:
        click.echo(
            "git cannot be told to remember the tips of branches (core.logAllRefUpdates): a new protected branch that "
            "starts below the tip of the default branch has to be approved"
        )
    if done.is_new and signers is None:
        click.echo("No signers of the server's own: nobody can push the first policy. --signers FILE names some.")
    return ExitCode.OK


def _refuse_without_effect(done: Server, signers: bytes | None, require: tuple[str, ...]) -> None:
    """Say of a configuration that was there before what it does not say yet."""
    if done.is_new:
        return
    config = read_server_config(done.config)
    left = [OWN_SIGNERS] if signers is not None and config.signers != signers else []
    if require and config.require != require:
        left.append(required(require))
    if left:
        raise UsageError(f"{done.config} is not changed by this command: write {' and '.join(left)} into it")


def _refs(patterns: tuple[str, ...]) -> tuple[str, ...]:
    for pattern in patterns:
        try:
            ref_pattern(pattern)
        except ValueError as error:
            raise UsageError(f"--require {pattern}: {error}") from error
    return patterns


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


def _refuse_other_hooks(repository: Repository) -> None:
    """`UsageError` where git would not run what lies in the repository's own folder of hooks."""
    folder, own = repository.hooks_folder(), repository.common_dir / "hooks"
    if folder.resolve() != own.resolve():
        raise UsageError(
            f"git takes the hooks of this repository from {folder}: call `ledgergate pre-receive --config FILE` from "
            "the hook there, or give this repository hooks of its own (core.hooksPath)"
        )
