"""`ledgergate update`: git's hook on a server, for one ref."""

from __future__ import annotations

import click

from ledgergate.hosts.receive import update


@click.command()
@click.option("--config", metavar="FILE", help="The server's configuration [default: hooks/ledgergate-server.toml].")
@click.argument("ref")
@click.argument("old")
@click.argument("new")
def command(config: str | None, ref: str, old: str, new: str) -> int:
    """Judge what a push brings to one ref: git's own update hook, for hosts that leave pre-receive to nobody."""
    return update(config, ref, old, new)
