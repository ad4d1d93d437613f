"""`ledgergate status`: the board."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

import click

from ledgergate.checks.whole_tree import readable, whole_tree
from ledgergate.cli.working import has_uncommitted_policy
from ledgergate.errors import ExitCode, UsageError
from ledgergate.git import Repository
from ledgergate.hosts.moments import now
from ledgergate.hosts.output import may_colour
from ledgergate.report.board import Board, count_rows, frozen, goldens_of, quarantined, unclassified
from ledgergate.report.board_text import print_board_tables, render_board_json, render_board_text


@click.command()
@click.option("--at", "revision", default="HEAD", show_default=True, metavar="REV", help="The commit to look at.")
@click.option("--collected", metavar="FILE", help="What `pytest --collect-only -q` printed: which tests have no row?")
@click.option("--format", "output", type=click.Choice(("text", "json")), default="text", show_default=True)
def command(revision: str, collected: str | None, output: Literal["text", "json"]) -> int:
    """Show rows by class, goldens, quarantine by age and freezes by expiry. The status is 0 if all could be read."""
    board = _board(revision, None if collected is None else _ids(collected))
    if output == "json":
        sys.stdout.write(render_board_json(board))
    elif may_colour():
        print_board_tables(board, sys.stdout)
    else:
        sys.stdout.write(render_board_text(board))
    return ExitCode.JUDGED if board.findings else ExitCode.OK


def _board(revision: str, ids: list[str] | None) -> Board:
    repository, moment = Repository(), now()
    commit = repository.commit_id(revision)
    head = repository.snapshot(commit)
    is_uncommitted = has_uncommitted_policy(repository)
    case = whole_tree(repository.snapshot(None), head, moment, is_uncommitted=is_uncommitted)
    findings = readable(case).findings
    ledgers, policy = case.head.ledgers, case.policy
    goldens, unnamed = goldens_of(policy, case.head.snapshot, ledgers)
    return Board(
        commit=commit,
        tree=case.head.snapshot.id or "",
        name=policy.name,
        rows=count_rows(ledgers.rows.values()),
        goldens=goldens,
        unclassified_goldens=unnamed,
        quarantine=quarantined(ledgers.sound_rows, case.today, policy.quarantine.max_age_days),
        freezes=frozen(case.head.freeze, moment),
        unclassified_tests=None if ids is None else unclassified(ids, ledgers.rows.values()),
        findings=findings,
    )


def _ids(path: str) -> list[str]:
    """The ids in a list that a runner printed, one a line up to its first empty one; `UsageError` where it has none."""
    try:
        text = Path(path).read_bytes().decode("utf-8", "surrogateescape")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}") from error
    ids = [line for line in text.split("\n\n", 1)[0].splitlines() if "::" in line]
    if not ids:
        raise UsageError(f"{path} holds no test id; `pytest --collect-only -q` prints them")
    return ids
