"""`ledgergate explain RULE`."""

from __future__ import annotations

import click

from ledgergate.errors import ExitCode
from ledgergate.report.explain import explain
from ledgergate.rules import RULES
from ledgergate.rules.terms import TERMS


@click.command()
@click.argument("rule", required=False)
def command(rule: str | None) -> int:
    """Say what a rule means, why it is there, and how to go on; without RULE, list the rules and words."""
    click.echo(explain(rule) if rule else _list())
    return ExitCode.OK


def _list() -> str:
    titles = {entry.name: entry.title for entry in RULES.values()} | {word: title for word, (title, _) in TERMS.items()}
    return "\n".join(f"{name}: {title}" for name, title in titles.items())
