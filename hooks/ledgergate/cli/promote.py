"""`ledgergate promote`: drafts that become evidence."""

from __future__ import annotations

import shlex

import click

from ledgergate.amend import PromotionWish, Wish, plan_promotion
from ledgergate.cli.amending import carry_out, open_desk
from ledgergate.cli.confirm import Approval, approval_options, given_line
from ledgergate.cli.held_options import held_options
from ledgergate.errors import ExitCode


@click.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@click.option("--to", metavar="NEWID", help="The id outside the drafts folder; else the one beside that folder.")
@held_options
@click.option("--golden-to", metavar="PATH", help="Where the golden goes that lies below the drafts folder.")
@click.option("--seeds-to", metavar="FOLDER/", help="Where the seeds go that lie below the drafts folder.")
@approval_options
def command(
    ids: tuple[str, ...],
    to: str | None,
    class_: str | None,
    artifacts: tuple[str, ...],
    invariant: str | None,
    seeds: str | None,
    golden_to: str | None,
    seeds_to: str | None,
    yes: bool,
    contract: str | None,
) -> int:
    """Make evidence of drafts: move their test out of the drafts folder, and hold it to something.

    A property needs an invariant and seeds; a locked_fixture is held to its golden or its own source, which is shown.
    What the draft's row says is taken where no option says otherwise. A file moves where all its tests are promoted.
    """
    approval = Approval.of(yes, contract)
    desk = open_desk("promote")
    if desk is None:
        return ExitCode.JUDGED
    wish = PromotionWish(to, Wish(class_, artifacts, invariant, seeds), golden_to, seeds_to)
    amendment = plan_promotion(desk.view, ids, wish)
    new_ids = [change.new.id for change in amendment.changes if change.new is not None]
    first = [f"pytest {shlex.join(new_ids)}"] if all(".py::" in id_ for id_ in new_ids) else []
    return carry_out(desk, amendment, approval, given_line(), first=first)
