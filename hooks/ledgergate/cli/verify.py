"""`ledgergate verify`: everything that the ledgers of a commit say, recomputed."""

from __future__ import annotations

from collections.abc import Iterable

import click

from ledgergate.checks.whole_tree import verify
from ledgergate.cli.options import all_findings, output_format
from ledgergate.cli.progress import progress_of
from ledgergate.cli.working import has_uncommitted_policy
from ledgergate.git import Repository
from ledgergate.hosts.moments import now
from ledgergate.hosts.output import show
from ledgergate.ledger import Row
from ledgergate.report import Format
from ledgergate.report.summary import counted
from ledgergate.values import Report


@click.command()
@click.option("--at", "revision", default="HEAD", show_default=True, metavar="REV", help="The commit to verify.")
@output_format
@all_findings
def command(revision: str, output_format: Format, all_findings: bool) -> int:
    """Recompute every digest, seed folder, test id and freeze signature of a commit."""
    return show(lambda: _report(revision), output_format, all_findings=all_findings)


def _report(revision: str) -> Report:
    repository = Repository()
    head = repository.snapshot(repository.commit_id(revision))
    is_uncommitted = has_uncommitted_policy(repository)
    return verify(repository.snapshot(None), head, now(), _counted, is_uncommitted=is_uncommitted)


def _counted(rows: tuple[Row, ...]) -> Iterable[Row]:
    """The rows, with a bar on a terminal; how many there were is said beside the report."""
    click.echo(f"verifying {counted(len(rows), 'row')}", err=True)
    return progress_of("verifying")(rows)
