"""`ledgergate lock`: what a run takes as given, by its digests."""

from __future__ import annotations

import sys

import click

from ledgergate.errors import ExitCode
from ledgergate.git import Repository
from ledgergate.hosts.moments import now
from ledgergate.lanes.basis import Basis
from ledgergate.lanes.lock import render_lock
from ledgergate.lanes.stale import stale_before
from ledgergate.report.text import findings_lines


@click.command()
@click.option("--base", metavar="REF", help="The tip of the branch that the commit is meant for, whose rules hold.")
def command(base: str | None) -> int:
    """Print the lock of HEAD as JSON. The exit status is 0 where the working tree is what it says."""
    repository = Repository()
    basis = Basis(repository, now(), base=base)
    stale = stale_before(basis.differing(repository.workdir))
    if stale:
        click.echo("\n".join(findings_lines(stale, all_findings=False, colour=False)), err=True)
    sys.stdout.write(render_lock(basis).decode("ascii"))
    return ExitCode.JUDGED if stale else ExitCode.OK
