"""`ledgergate draft`: a row for a test that waits for a human."""

from __future__ import annotations

from collections.abc import Iterator

import click

from ledgergate.amend import Amendment, Wish, plan_drafts, promotion_command
from ledgergate.cli.amending import carry_out, open_desk
from ledgergate.cli.held_options import held_options
from ledgergate.errors import ExitCode
from ledgergate.hosts.moments import client_actor
from ledgergate.values import display_text


@click.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@held_options
def command(
    ids: tuple[str, ...],
    wish: Wish,
) -> int:
    """Append draft rows for new tests, for agents and humans.

    ID is the exact id, as `pytest --collect-only -q` prints it. The test would be held to its own source, or to
    what --artifact PATH or --invariant NAME says. A draft is no evidence until a human promotes it.
    """
    desk = open_desk("draft", for_agents=True)
    if desk is None:
        return ExitCode.JUDGED
    recognise = client_actor(desk.repository)
    source = "agent" if any(recognise(identity).is_agent for identity in desk.identities) else "human"
    amendment = plan_drafts(desk.view, ids, wish, source)
    status = carry_out(desk, amendment, None, ())
    if status == ExitCode.OK:
        drafts = [change.new for change in amendment.changes if change.new is not None]
        what = "it" if len(drafts) == 1 else "them"
        click.echo(f"A human makes evidence of {what} with `{promotion_command(desk.view, drafts)}`.")
        for note in _notes(amendment):
            click.echo(note)
    return status


def _notes(amendment: Amendment) -> Iterator[str]:
    """What `promote` would say of the checks of these tests, told while there is time to mend them."""
    from ledgergate.ledger.inline import missing_check

    for change in amendment.changes:
        lack = missing_check(amendment.tree, change.new) if change.new is not None else None
        if lack is not None:
            yield f"Note: `ledgergate promote` would refuse it as it is: {display_text(lack[1])}"
