"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import click

from ledgergate.errors import UsageError
from ledgergate.hosts.moments import Known
from ledgergate.policy.fields import account, ref
from ledgergate.report import FORMATS

output_format = click.option(
    "--format", "output_format", type=click.Choice(FORMATS), default="text", show_default=True, help="How to print."
)
all_findings = click.option("--all", "all_findings", is_flag=True, help="List every finding and note, however many.")


def of_a_job(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--target`, `--facts` and `--humans`: what a job of CI tells of a range."""
    for option in (_HUMANS, _FACTS, _TARGET):
        command = option(command)
    return command


_TARGET = click.option(
    "--target", metavar="REF", help="The ref that the range is for; one that is not protected refuses nothing."
)
_FACTS = click.option(
    "--facts", metavar="FILE", help="What a trusted job has read from its forge: author and approvals."
)
_HUMANS = click.option(
    "--humans",
    metavar="ACCOUNT",
    multiple=True,
    help="With --facts: an account (github:1234) that may bring the first policy, or approve mending a broken one. "
    "May stand several times.",
)


def known_of(target: str | None, facts: str | None, humans: tuple[str, ...]) -> Known:
    """What a job tells; `UsageError` where that is nothing that it could mean."""
    if humans and facts is None:
        raise UsageError("--humans goes with --facts: nobody else says whose accounts are at work")
    for option, kind, values in (("--target", ref, (target,)), ("--humans", account, humans)):
        try:
            for value in values:
                if value is not None:
                    kind(value)
        except ValueError as error:
            raise UsageError(f"{option} {error}") from error
    return Known(target, facts, humans)


class At(NamedTuple):
    """The commit that reports are about, the tip of its target branch, and what a job tells of it."""

    revision: str
    base: str | None
    known: Known


def at_of(
    revision: str | None, base: str | None, target: str | None, facts: str | None, humans: tuple[str, ...]
) -> At | None:
    """What `--at` and its companions say; None without it. `UsageError` where they do not go together."""
    known = known_of(target, facts, humans)
    if revision is not None:
        return At(revision, base, known)
    given = {"--base": base, "--target": target, "--facts": facts}
    if stray := next((option for option, value in given.items() if value is not None), None):
        raise UsageError(f"{stray} goes with --at")
    return None


def at_commit(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--at` and its companions: reports of a commit's tests are judged by what git has, not by files on the disk."""
    for option in (_HUMANS, _FACTS, _TARGET, _BASE, _AT):
        command = option(command)
    return command


_BASE = click.option("--base", metavar="REF", help="With --at: the tip of its target branch, whose rules hold.")
_AT = click.option("--at", "revision", metavar="REV", help="The tested commit of the repository here.")
