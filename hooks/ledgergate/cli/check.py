"""`ledgergate check`: the hook checks on a change."""

from __future__ import annotations

import click

from ledgergate.checks import CHECKS
from ledgergate.cli.options import all_findings, known_of, of_a_job, output_format
from ledgergate.errors import UsageError
from ledgergate.hosts.moments import range_report, staged_report
from ledgergate.hosts.output import show
from ledgergate.report import Format


@click.command()
@click.option("--staged", is_flag=True, help="Judge what git would commit now (the default).")
@click.option("--from", "old", metavar="A", help="Judge a range: the tip of the target branch.")
@click.option("--to", "new", metavar="B", help="Judge a range: the tip that would be merged into A.")
@click.option("--exact", is_flag=True, help="With --from and --to: judge B itself, not A merged with B.")
@of_a_job
@click.option(
    "--only",
    type=click.Choice(list(CHECKS)),
    multiple=True,
    metavar="CHECK",
    help=f"One check, or several if given several times: {', '.join(CHECKS)}.",
)
@output_format
@all_findings
def command(
    staged: bool,
    old: str | None,
    new: str | None,
    exact: bool,
    target: str | None,
    facts: str | None,
    humans: tuple[str, ...],
    only: tuple[str, ...],
    output_format: Format,
    all_findings: bool,
) -> int:
    """Judge a change. The exit status is 0 for PASS alone."""
    if old is None and new is None:
        given = {"--exact": exact, "--target": target, "--facts": facts, "--humans": humans}
        if stray := [option for option, value in given.items() if value not in (None, False, ())]:
            raise UsageError(f"{stray[0]} goes with --from and --to")
        return show(lambda: staged_report(only=only), output_format, all_findings=all_findings)
    if staged:
        raise UsageError("--staged does not go with --from and --to")
    if not old or not new:
        raise UsageError("a range needs both --from A and --to B, and neither may be empty")
    known = known_of(target, facts, humans)
    return show(
        lambda: range_report(old, new, exact=exact, only=only, known=known), output_format, all_findings=all_findings
    )
