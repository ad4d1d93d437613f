"""`ledgergate explain RULE`."""

from __future__ import annotations

import click

from ledgergate.errors import ExitCode
from ledgergate.report.explain import explain


@click.command()
@click.argument("rule")
def command(rule: str) -> int:
    """Say what a rule means, why it is there, and how to go on."""
    click.echo(explain(rule))
    return ExitCode.OK
