"""`ledgergate relock`: new digests for goldens that a human changed on purpose."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC
from typing import NamedTuple

import click

from ledgergate.cli.confirm import Approval, agent_signals, approval_options, given_line, is_confirmed, refuse
from ledgergate.cli.one_step import finish, voucher_of
from ledgergate.cli.progress import progress_of
from ledgergate.cli.staging import typed, unchanged_since_staging
from ledgergate.cli.working import WorkingLedger, read_working_ledgers, read_working_policy, write_working_ledgers
from ledgergate.errors import ExitCode, UsageError
from ledgergate.git import Repository, Snapshot, index_snapshot
from ledgergate.git.work_tree import work_tree_snapshot
from ledgergate.hosts.moments import now
from ledgergate.ledger import Row
from ledgergate.ledger.inline import is_layout_only
from ledgergate.ledger.relock import Relocked, Unlockable, relock, select_locked
from ledgergate.report.alike import alike, show_groups
from ledgergate.report.relocked import content_changes
from ledgergate.report.summary import counted
from ledgergate.values import display_path, display_text
from ledgergate.vouch import contract_digest, contract_items, policy_of, row_items
from ledgergate.vouch.sides import SideReader

# For so many rows the history is searched for bytes that HEAD does not have.
_MOST_SEARCHED = 50
_MOST_NAMED = 5


class _Desk(NamedTuple):
    """What the command works on: the ledgers on disk, and the snapshot whose artifacts are right."""

    repository: Repository
    ledgers: tuple[WorkingLedger, ...]
    head: Snapshot
    right: Snapshot
    staged: bool
    signals: Sequence[str]


@click.command()
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--staged", is_flag=True, help="Every row whose golden is staged with other bytes; takes them as staged.")
@click.option("--all", "every_row", is_flag=True, help="Every locked row; takes its golden as it is on disk.")
@approval_options
def command(ids: tuple[str, ...], staged: bool, every_row: bool, approval: Approval) -> int:
    """Write new digests for goldens and pinned tests that a human changed on purpose.

    Shows old and new, alike changes together, and asks once. An agent may relock pinned tests whose layout alone
    changed, in files that it may edit.
    """
    if [bool(ids), staged, every_row].count(True) != 1:
        raise UsageError("relock takes IDs of rows, or --staged, or --all: exactly one of the three")
    repository = Repository()
    policy = read_working_policy(repository)
    head = repository.snapshot(repository.head_commit())
    committed = policy_of(head)
    signals = agent_signals(repository, [p.identity for p in (policy, committed) if p is not None])
    ledgers = read_working_ledgers(repository, policy, now().astimezone(UTC).date())
    rows = select_locked([working.ledger for working in ledgers], ids)
    paths = {path for row in rows for path in row.pinned_paths}
    right = index_snapshot(repository) if staged else work_tree_snapshot(repository, paths)
    return _relock(_Desk(repository, ledgers, head, right, staged, signals), rows, approval)


def _relock(desk: _Desk, rows: Sequence[Row], approval: Approval) -> int:
    found = list(relock(progress_of("measuring")(rows), desk.right))
    if desk.signals and not _is_layout_only(desk, found):
        refuse(desk.signals, "ledgergate relock")
        return ExitCode.JUDGED
    relocked = [row for row in found if isinstance(row, Relocked) and row.digests]
    unlockable = [row for row in found if isinstance(row, Unlockable)]
    _show_unlockable(desk, unlockable)
    ending = ExitCode.JUDGED if unlockable else ExitCode.OK
    if not relocked:
        if not unlockable:
            click.echo(f"Nothing to do: {_what_holds(rows, staged=desk.staged)}.")
            _say_unstaged(desk, rows)
        return ending
    _show(desk, relocked)
    items = contract_items(item for row in relocked for item in row_items(row.old, row.new))
    contract = contract_digest(items) or ""
    click.echo(f"{counted(len(relocked), 'row')} would take new digests; their contract is {contract}")
    voucher = None if desk.signals else voucher_of(desk.repository, approval)
    digests = sum(len(row.digests) for row in relocked)
    question = "write this digest?" if digests == 1 else f"write these {digests} digests?"
    if not is_confirmed(question, contract, approval, given_line()):
        return ExitCode.JUDGED
    contents = _new_contents(desk, relocked)
    clean = unchanged_since_staging(desk.repository, list(contents))
    written = write_working_ledgers(desk.repository, desk.ledgers, contents)
    click.echo(f"Wrote {counted(digests, 'digest')} to {', '.join(map(display_path, written))}.")
    # What was taken as staged stays so, whatever the working tree has.
    artifacts = () if desk.staged else (digest.artifact for row in relocked for digest in row.digests)
    done = finish(desk.repository, written, clean, artifacts, voucher, items)
    return ending or done


def _new_contents(desk: _Desk, relocked: Sequence[Relocked]) -> dict[str, bytes]:
    """The ledgers that change, by their paths."""
    from ledgergate.ledger.edit import set_fields

    contents: dict[str, bytes] = {}
    for ledger, data in desk.ledgers:
        own = {row.old.id: {"digest": row.new.fields["digest"]} for row in relocked if row.old.id in ledger.by_id}
        if own:
            contents[ledger.path] = set_fields(data, own)
    return contents


def _is_layout_only(desk: _Desk, found: Sequence[Relocked | Unlockable]) -> bool:
    """Whether there is something to lock, and all of it tests that HEAD pins, in another layout: free to an agent."""
    policy = policy_of(desk.head)
    if policy is None:
        return False
    pinned = SideReader([policy], now().astimezone(UTC).date()).read(desk.head).ledgers.rows
    changed = [row for row in found if not isinstance(row, Relocked) or row.digests]
    return bool(changed) and all(
        isinstance(row, Relocked)
        and row.old.id in pinned
        and is_layout_only(desk.head, desk.right, pinned[row.old.id], row.new)
        for row in changed
    )


def _show_unlockable(desk: _Desk, found: Sequence[Unlockable]) -> None:
    for row, reasons in found:
        click.echo(f"ledgergate: cannot lock {display_text(row.id)}: {display_text('; '.join(reasons))}", err=True)
    if found and not _say_unstaged(desk, [row for row, _ in found]):
        click.echo(
            f"  > {counted(len(found), 'row')} left as it is: bring the golden back, or correct the row.", err=True
        )


def _say_unstaged(desk: _Desk, rows: Sequence[Row]) -> bool:
    """With `--staged`: name the files of the rows that the working tree has otherwise; whether there are any."""
    paths = list(dict.fromkeys(path for row in rows for path in row.pinned_paths))
    clean = unchanged_since_staging(desk.repository, paths) if desk.staged else frozenset(paths)
    unstaged = [path for path in paths if path not in clean]
    if unstaged:
        names = typed(desk.repository, unstaged[:_MOST_NAMED])
        more = "" if len(unstaged) <= _MOST_NAMED else f" and {len(unstaged) - _MOST_NAMED} more"
        click.echo(f"Changed on disk and not staged: {names}{more}", err=True)
        add = f"git add -- {names}" if not more else "git add"
        click.echo(f"  > If that is what is right: `{add}`, then `ledgergate relock --staged` again.", err=True)
    return bool(unstaged)


def _what_holds(rows: Sequence[Row], *, staged: bool) -> str:
    if not rows:
        return "the ledgers have no locked rows"
    holds = "the digest holds" if len(rows) == 1 else f"the digests of all {len(rows)} rows hold"
    return f"{holds} for what is staged" if staged else f"{holds} for the working tree"


def _show(desk: _Desk, relocked: Sequence[Relocked]) -> None:
    """Show what changed in the rows' contents; of tests in another layout, which they are and no more."""
    layout = [row for row in relocked if is_layout_only(desk.head, desk.right, row.old, row.new)]
    if layout:
        named = ", ".join(display_text(row.old.id) for row in layout[:_MOST_NAMED])
        more = f" and {len(layout) - _MOST_NAMED} more" if len(layout) > _MOST_NAMED else ""
        click.echo(f"{counted(len(layout), 'test')}, layout only (Python reads them as before): {named}{more}\n")
    same = {row.old.id for row in layout}
    relocked = [row for row in relocked if row.old.id not in same]
    few = len(relocked) <= _MOST_SEARCHED
    earlier = desk.repository.earlier_snapshots if few else lambda _: ()
    for text in show_groups(alike(content_changes(relocked, desk.head, desk.right, earlier))):
        click.echo(text)
