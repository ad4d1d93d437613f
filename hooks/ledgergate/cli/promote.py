"""`ledgergate promote`: drafts that become evidence."""

from __future__ import annotations

import click

from ledgergate.amend import Amendment, PromotionWish, Wish, plan_promotion
from ledgergate.amend.mentions import Mention, golden_mentions
from ledgergate.cli.amending import carry_out, open_desk, run_of
from ledgergate.cli.confirm import Approval, approval_options, given_line
from ledgergate.cli.held_options import held_options
from ledgergate.cli.staging import typed
from ledgergate.errors import ExitCode
from ledgergate.values import display_path


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
    wish: Wish,
    golden_to: str | None,
    seeds_to: str | None,
    approval: Approval,
) -> int:
    """Make evidence of drafts: move their test out of the drafts folder, and hold it to something.

    A property needs an invariant and seeds; a locked_fixture is held to its golden or its own source, which is shown.
    What the draft's row says is taken where no option says otherwise. A file moves where all its tests are promoted.
    """
    desk = open_desk("promote")
    if desk is None:
        return ExitCode.JUDGED
    amendment = plan_promotion(desk.view, ids, PromotionWish(to, wish, golden_to, seeds_to))
    mentions = list(golden_mentions(amendment))
    first = [*dict.fromkeys(map(_edit, mentions))]
    edited = {mention.file for mention in mentions}
    pinned = {new.id.partition("::")[0] for _, new, *_ in amendment.changes if new is not None and new.is_inline}
    if edited & pinned:
        names = typed(desk.repository, sorted(edited & pinned))
        first.append(f"git add -- {names} && ledgergate relock --staged")
    first += run_of(amendment)
    for line in _leaning(amendment):
        click.echo(line)
    return carry_out(desk, amendment, approval, given_line(), first=lambda: first)


def _leaning(amendment: Amendment) -> list[str]:
    from ledgergate.adopt.found import reader_of
    from ledgergate.adopt.leaning import leaning_lines

    read, sources = reader_of(amendment.tree), {move.target: move.source for move in amendment.moves}
    rows = [change.new for change in amendment.changes if change.new is not None]
    return leaning_lines(rows, lambda path: read(sources.get(path, path)))


def _edit(mention: Mention) -> str:
    """What a human has to do about a test that reads a golden where it no longer lies."""
    source, target = map(display_path, mention.golden)
    if mention.line is None:
        return f"see that {display_path(mention.file)} reads {target}, and no longer {source}"
    return f"edit {display_path(mention.file)}:{mention.line}: what it reads as {source} is {target} now"
