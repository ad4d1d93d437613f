"""`ledgergate demo`: a throw-away repository in which an agent is refused and a human accepted."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import click

from ledgergate.cli import demo_project as project
from ledgergate.cli.demo_shell import Shell, Who, lines_between
from ledgergate.errors import ExitCode, UsageError

_CONTRACT = re.compile(r"--contract (sha256:[0-9a-f]{64})")


class Step(NamedTuple):
    """One move of the story. `expected` is the rule that refuses it, or None where it is accepted."""

    who: Who
    title: str
    move: Callable[[Shell], None]
    message: str
    expected: str | None


class Outcome(NamedTuple):
    step: Step
    seen: str
    is_expected: bool


@click.command()
@click.option("--keep", is_flag=True, help="Leave the repository where it is, and say where.")
def command(keep: bool) -> int:
    """Show, in a throw-away repository, an agent refused and a human accepted."""
    with _folder(keep=keep) as root:
        shell = Shell(root)
        shell.build(project.FILES)
        click.echo("A small project: a till that prints receipts. Its tests are pinned by a ledger, tests/ledger.yaml:")
        click.echo("".join(f"    {line}\n" for line in project.FILES[project.LEDGER].splitlines()))
        click.echo("Native git hooks (pre-commit, commit-msg) call ledgergate. The agent's shell has CLAUDECODE=1 set,")
        click.echo("as Claude Code sets it; the human's has no such variable.\n")
        outcomes = [_play(shell, number, step) for number, step in enumerate(STEPS, 1)]
        return _sum_up(outcomes)


@contextmanager
def _folder(*, keep: bool) -> Iterator[Path]:
    try:
        root = Path(tempfile.mkdtemp(prefix="ledgergate-demo-"))
    except OSError as error:
        raise UsageError(f"there is no place for a throw-away repository: {error}") from error
    try:
        yield root
    finally:
        if keep:
            click.echo(f"The repository is kept: {root}")
        else:
            shutil.rmtree(root, ignore_errors=True)


def _play(shell: Shell, number: int, step: Step) -> Outcome:
    click.echo(f"{number}. {step.title}")
    before = shell.tip()
    step.move(shell)
    ended = shell.run(step.who, "git", "commit", "-q", "-m", step.message)
    moved = shell.tip() != before
    seen = _seen(ended.status, ended.output, step.expected, moved=moved)
    shell.clean_up()
    click.echo(f"  => {seen}\n")
    return Outcome(step, seen, seen == _wanted(step))


def _wanted(step: Step) -> str:
    return "accepted" if step.expected is None else f"refused: {step.expected}"


def _seen(status: int, output: str, rule: str | None, *, moved: bool) -> str:
    """What happened. A refusal counts as the expected one only where the hook named its rule."""
    if status == 0 and moved:
        return "accepted"
    if status == 0 or moved:
        return f"git commit ended with {status} and {'made a' if moved else 'made no'} commit"
    named = re.findall(r"^(?:FAIL|UNSCORED) ([a-z-]+)", output, re.MULTILINE)
    return f"refused: {rule if rule in named else ', '.join(named) or 'for no rule'}"


def _sum_up(outcomes: list[Outcome]) -> int:
    titles = [f"{outcome.step.title}" for outcome in outcomes]
    width, middle = max(map(len, titles)), max(len(_wanted(outcome.step)) for outcome in outcomes)
    click.echo(f"{'':<{width}}  {'expected':<{middle}}  seen")
    for title, outcome in zip(titles, outcomes, strict=True):
        click.echo(f"{title:<{width}}  {_wanted(outcome.step):<{middle}}  {outcome.seen}")
    wrong = [outcome for outcome in outcomes if not outcome.is_expected]
    if not wrong:
        click.echo("\nAll as expected. In your own repository: ledgergate init")
        return ExitCode.OK
    for outcome in wrong:
        click.echo(f"\nNot as expected: {outcome.step.title}: {outcome.seen}, not {_wanted(outcome.step)}")
    return ExitCode.JUDGED


def _edit(shell: Shell, path: str, new: str) -> None:
    """Write a file, and show what of it becomes another."""
    file = shell.root / path
    old = shell.read(path) if file.exists() else ""
    click.echo(f"  edits {path}:")
    for line in lines_between(old, new):
        click.echo(f"      {line}")
    shell.write(path, new)


def _edit_golden(shell: Shell) -> None:
    _edit(shell, project.RECEIPT, project.WRONG_RECEIPT)
    shell.run("agent", "git", "add", project.RECEIPT)


def _edit_golden_and_digest(shell: Shell) -> None:
    _edit(shell, project.RECEIPT, project.WRONG_RECEIPT)
    old, new = project.digest(project.OLD_RECEIPT), project.digest(project.WRONG_RECEIPT)
    _edit(shell, project.LEDGER, shell.read(project.LEDGER).replace(old, new))
    shell.run("agent", "git", "add", project.RECEIPT, project.LEDGER)


def _delete_quarantine_row(shell: Shell) -> None:
    _edit(shell, project.LEDGER, shell.read(project.LEDGER).replace(project.QUARANTINE_ROW, ""))
    shell.run("agent", "git", "add", project.LEDGER)


def _append_draft(shell: Shell) -> None:
    _edit(shell, project.DRAFT_TEST, project.DRAFT_TEST_TEXT)
    _edit(shell, project.LEDGER, shell.read(project.LEDGER) + project.DRAFT_ROW)
    shell.run("agent", "git", "add", project.DRAFT_TEST, project.LEDGER)


def _change_and_relock(shell: Shell) -> None:
    _edit(shell, project.PRINTER, project.NEW_PRINTER)
    _edit(shell, project.RECEIPT, project.NEW_RECEIPT)
    shell.run("human", "git", "add", project.PRINTER, project.RECEIPT)
    shown = shell.run("human", "ledgergate", "relock", "--staged")
    contract = _CONTRACT.search(shown.output)
    click.echo("  On a terminal relock would simply ask; here the human approves exactly what was shown:")
    if contract is not None:
        shell.run("human", "ledgergate", "relock", "--staged", "--yes", "--contract", contract[1])


STEPS = (
    Step("agent", "An agent rewrites a golden", _edit_golden, "Make the tests pass", "digest-mismatch"),
    Step(
        "agent",
        "An agent rewrites a golden and its digest",
        _edit_golden_and_digest,
        "Update the golden",
        "digest-changed",
    ),
    Step(
        "agent",
        "An agent deletes a quarantine row",
        _delete_quarantine_row,
        "Tidy the ledger",
        "quarantine-removed",
    ),
    Step("agent", "An agent appends a draft test", _append_draft, "Propose a test of the width", None),
    Step("human", "A human changes a golden and relocks", _change_and_relock, "Print how many items", None),
)
