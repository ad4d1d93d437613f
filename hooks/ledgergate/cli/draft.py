"""`ledgergate draft`: a row for a test that waits for a human."""

from __future__ import annotations

import click

from ledgergate.amend import Wish, plan_draft
from ledgergate.cli.amending import carry_out, open_desk
from ledgergate.cli.held_options import held_options
from ledgergate.errors import ExitCode
from ledgergate.hosts.moments import client_actor


@click.command()
@click.argument("id_", metavar="ID")
@held_options
def command(
    id_: str, class_: str | None, artifacts: tuple[str, ...], invariant: str | None, seeds: str | None, inline: bool
) -> int:
    """Append a draft row for a new test, for agents and humans.

    ID is the exact id, as `pytest --collect-only -q` prints it. The test would be held to its own source, or to
    what --artifact PATH or --invariant NAME says. A draft is no evidence until a human promotes it.
    """
    desk = open_desk("draft", for_agents=True)
    if desk is None:
        return ExitCode.JUDGED
    recognise = client_actor(desk.repository)
    source = "agent" if any(recognise(identity).is_agent for identity in desk.identities) else "human"
    amendment = plan_draft(desk.view, id_, Wish(class_, artifacts, invariant, seeds, inline), source)
    status = carry_out(desk, amendment, None, ())
    if status == ExitCode.OK:
        click.echo(f"A human makes evidence of it with `ledgergate promote {id_}`.")
    return status
