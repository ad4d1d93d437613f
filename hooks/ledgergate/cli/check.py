"""`ledgergate check`: the hook checks on a change."""

from __future__ import annotations

import click

from ledgergate.checks import CHECKS
from ledgergate.cli.options import all_findings, output_format
from ledgergate.errors import UsageError
from ledgergate.hosts.moments import Known, range_report, staged_report
from ledgergate.hosts.output import show
from ledgergate.policy.fields import account, ref
from ledgergate.report import Format


@click.command()
@click.option("--staged", is_flag=True, help="Judge what git would commit now (the default).")
@click.option("--from", "old", metavar="A", help="Judge a range: the tip of the target branch.")
@click.option("--to", "new", metavar="B", help="Judge a range: the tip that would be merged into A.")
@click.option("--exact", is_flag=True, help="With --from and --to: judge B itself, not A merged with B.")
@click.option(
    "--target", metavar="REF", help="The ref that the range is for; one that is not protected refuses nothing."
)
@click.option("--facts", metavar="FILE", help="What a trusted job has read from its forge: author and approvals.")
@click.option(
    "--humans",
    metavar="ACCOUNT",
    multiple=True,
    help="With --facts: an account (github:1234) that may bring the first policy, or approve mending a broken one. "
    "May stand several times.",
)
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
        raise UsageError("a range needs both --from A and --to B")
    known = _known(target, facts, humans)
    return show(
        lambda: range_report(old, new, exact=exact, only=only, known=known), output_format, all_findings=all_findings
    )


def _known(target: str | None, facts: str | None, humans: tuple[str, ...]) -> Known:
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
