"""`ledgergate pre-receive`: git's hook on a server."""

from __future__ import annotations

import click

from ledgergate.hosts.receive import pre_receive


@click.command()
@click.option("--config", metavar="FILE", help="The server's configuration [default: hooks/ledgergate-server.toml].")
def command(config: str | None) -> int:
    """Judge all that a push brings: git's own pre-receive hook, which reads the list of refs from standard input."""
    return pre_receive(config)
