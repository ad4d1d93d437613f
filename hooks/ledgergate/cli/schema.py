"""`ledgergate schema NAME`: a JSON Schema, for editors and for whoever reads what ledgergate writes."""

from __future__ import annotations

from importlib.resources import files

import click

from ledgergate.errors import ExitCode

# Each by the package that ships it.
SCHEMAS = {
    **{name: name for name in ("ledger", "freeze", "policy")},
    **dict.fromkeys(("report", "score", "status"), "report"),
    **dict.fromkeys(("ack", "facts"), "vouch"),
    "doctor": "doctor",
    "server": "hosts",
}


@click.command()
@click.argument("name", type=click.Choice(list(SCHEMAS)), metavar="NAME")
def command(name: str) -> int:
    """Print a JSON Schema: ledger, freeze, policy or server for people; ack, facts or an output for programs."""
    schema = files(f"ledgergate.{SCHEMAS[name]}").joinpath(f"{name}.schema.json")
    click.echo(schema.read_text(encoding="utf-8"), nl=False)
    return ExitCode.OK
