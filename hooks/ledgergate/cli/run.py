"""`ledgergate run`: run the lanes on a commit, and say what that is worth."""

from __future__ import annotations

from typing import Literal

import click

from ledgergate.git import Repository
from ledgergate.hosts.lane_run import interrupted_by_signals, run_whole
from ledgergate.hosts.moments import now
from ledgergate.hosts.output import show_score
from ledgergate.lanes.basis import Basis


@click.command()
@click.option("--clean", is_flag=True, help="Test a temporary checkout of the commit, not the working tree.")
@click.option("--base", metavar="REF", help="The tip of the branch that the commit is meant for, whose rules hold.")
@click.option("--format", "output", type=click.Choice(("text", "json")), default="text", show_default=True)
@click.option("--all", "all_findings", is_flag=True, help="With text: list every finding, however many.")
def command(clean: bool, base: str | None, output: Literal["text", "json"], all_findings: bool) -> int:
    """Run the lanes of the policy on HEAD, and print the score. The exit status is 0 for the decision allow alone."""
    with interrupted_by_signals():
        score, kept = run_whole(Basis(Repository(), now(), base=base, at_client=True), clean=clean)
    return show_score(score, kept if output == "json" else None, all_findings=all_findings)
