"""`ledgergate verify`: everything that the ledgers of a commit say, recomputed."""

from __future__ import annotations

import sys
from collections.abc import Iterable

import click

from ledgergate.checks.whole_tree import verify
from ledgergate.cli.options import all_findings, output_format
from ledgergate.git import Repository
from ledgergate.hosts.moments import now
from ledgergate.hosts.output import show
from ledgergate.ledger import Row
from ledgergate.report import Format


@click.command()
@click.option("--at", "revision", default="HEAD", show_default=True, metavar="REV", help="The commit to verify.")
@output_format
@all_findings
def command(revision: str, output_format: Format, all_findings: bool) -> int:
    """Recompute every digest, seed folder and test id of a commit."""
    repository = Repository()
    head = repository.snapshot(repository.commit_id(revision))
    report = verify(repository.snapshot(None), head, now(), _with_progress)
    return show(report, output_format, all_findings=all_findings)


def _with_progress(rows: tuple[Row, ...]) -> Iterable[Row]:
    """The rows, with a bar on a terminal's standard error."""
    if not sys.stderr.isatty():
        return rows
    from rich.console import Console
    from rich.progress import track

    return track(rows, description="verifying", console=Console(stderr=True), transient=True)
