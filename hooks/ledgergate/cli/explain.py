"""`ledgergate explain RULE`."""

from __future__ import annotations

import click

from ledgergate.errors import ExitCode
from ledgergate.report.explain import explain
from ledgergate.rules import RULES


@click.command()
@click.argument("rule", required=False)
def command(rule: str | None) -> int:
    """Say what a rule means, why it is there, and how to go on; without RULE, list the rules."""
    click.echo(explain(rule) if rule else "\n".join(f"{entry.name}: {entry.title}" for entry in RULES.values()))
    return ExitCode.OK
