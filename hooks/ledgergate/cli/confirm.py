"""What the commands of a human have in common: no agent runs them, and nothing is approved unseen."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, NamedTuple

import click

from ledgergate.errors import UsageError
from ledgergate.git import Repository
from ledgergate.hosts.moments import client_actor
from ledgergate.policy.fields import ref
from ledgergate.policy.model import Identity
from ledgergate.values import display_text, shell_word


class Approval(NamedTuple):
    """What the command line already approves: nothing, or exactly one contract; and the key and the ref it names."""

    contract: str | None = None
    key: str | None = None
    target: str | None = None

    @classmethod
    def of(cls, yes: bool, contract: str | None, key: str | None = None, target: str | None = None) -> Approval:
        """Raises `UsageError` where `--yes` and `--contract` do not come together, or the target is no ref."""
        if yes and contract is None:
            raise UsageError("--yes needs --contract DIGEST; the command without both shows the changes and prints it")
        if contract is not None and not yes:
            raise UsageError("--contract goes with --yes")
        try:
            return cls(contract, key, None if target is None else ref(target))
        except ValueError as error:
            raise UsageError(f"--target {error}") from error

    @property
    def options(self) -> str:
        """The options that a further command needs for the same approval, with a blank before each."""
        given = (("--key", self.key), ("--target", self.target))
        return "".join(f" {name} {shell_word(text)}" for name, text in given if text)


def approval_options(command: Callable[..., int]) -> Callable[..., int]:
    """Adds `--key FILE`, `--target REF`, `--yes` and `--contract DIGEST`: the argument `approval`."""

    @click.option("--key", metavar="FILE", help="The SSH key that signs the approval, else git's user.signingkey.")
    @click.option("--target", metavar="REF", help="The branch that the approval is for, as in refs/heads/main.")
    @click.option("--yes", is_flag=True, help="Do not ask; write what --contract names.")
    @click.option("--contract", metavar="DIGEST", help="With --yes: the digest that the showing printed.")
    @wraps(command)
    def with_approval(*, key: str | None, target: str | None, yes: bool, contract: str | None, **others: Any) -> int:
        return command(approval=Approval.of(yes, contract, key, target), **others)

    return with_approval


def given_line() -> list[str]:
    """The command line that is being run, without what approves."""
    given: list[str] = []
    arguments = iter(click.get_current_context().find_root().obj)
    for argument in arguments:
        if argument == "--contract":
            next(arguments, None)
        elif argument != "--yes" and not argument.startswith("--contract="):
            given.append(argument)
    return ["ledgergate", *given]


def is_refused(repository: Repository, identities: Sequence[Identity], command: str) -> bool:
    """Whether the command is not for whoever runs it, since a signal shows an agent; then it has said so.

    `identities` are the `[identity]` tables of every policy that has a say; each can only add signals.
    """
    signals = agent_signals(repository, identities)
    if signals:
        refuse(signals, command)
    return bool(signals)


def agent_signals(repository: Repository, identities: Sequence[Identity]) -> list[str]:
    """The signals that show an agent in this shell, sorted; each identity can only add some."""
    recognise = client_actor(repository)
    return sorted({signal for identity in identities for signal in recognise(identity).signals})


def refuse(signals: Sequence[str], command: str) -> None:
    """Say that the command is not for an agent."""
    shown = ", ".join(map(display_text, signals))
    click.echo(
        f"ledgergate: refused: `{command}` is for humans, and this shell shows an agent ({shown}).\n"
        "  > Agent: leave the goldens and their rows as they are, and tell your human what should change and why.\n"
        f"  > Human: run `{command}` from a shell that no agent started.",
        err=True,
    )


def is_confirmed(question: str, contract: str, approval: Approval, command: Sequence[str]) -> bool:
    """Whether a human approves what was just shown: by its digest on the command line, or by answering yes.

    Whatever else happens is said. `command` is the command line that showed it. Raises `KeyboardInterrupt`.
    """
    line = display_text(shlex.join(command))
    if approval.contract is not None:
        return _is_approved(contract, approval.contract, line)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        click.echo("Nothing was written: there is no terminal to ask on. If all of this is right:")
        click.echo(f"  {_approving(line, contract)}")
        return False
    if answer(f"{question} [y/N] ") in ("y", "yes"):
        return True
    click.echo("Nothing was written.")
    return False


def _is_approved(contract: str, approved: str, line: str) -> bool:
    if contract == approved:
        return True
    click.echo(
        f"ledgergate: refused: what would be written now is not what was approved.\n"
        f"  approved: {display_text(approved)}\n  now:      {contract}\n"
        f"  > Nothing was written. If what is shown above is right: {_approving(line, contract)}",
        err=True,
    )
    return False


def _approving(line: str, contract: str) -> str:
    return f"{line} --yes --contract {contract}"


def answer(prompt: str) -> str:
    """What is typed behind the prompt, in small letters; empty at the end of the input."""
    sys.stdout.flush()
    try:
        return input(prompt).strip().casefold()
    except EOFError:
        click.echo()
        return ""


def relative(repository: Repository, path: str) -> str:
    """A git path as it is typed in the folder that we stand in, quoted for a shell."""
    full = os.path.relpath(repository.workdir / os.fsdecode(path.encode("utf-8", "surrogateescape")))
    return shell_word(full)
