"""What `ledgergate collect` would write into the ledgers: shown, asked for once, written and staged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import click

from ledgergate.adopt.added import Addition, Additions, Removal
from ledgergate.adopt.collect import Collection
from ledgergate.adopt.found import reader_of
from ledgergate.adopt.leaning import leaning_lines
from ledgergate.cli.confirm import Approval, given_line, is_confirmed
from ledgergate.cli.freezing import floor_steps
from ledgergate.cli.one_step import finish, voucher_of
from ledgergate.cli.staging import unchanged_since_staging
from ledgergate.cli.working import WorkingLedger, write_working_ledgers
from ledgergate.errors import ExitCode
from ledgergate.git import Repository, Snapshot
from ledgergate.policy import Policy
from ledgergate.report.summary import counted
from ledgergate.values import Item, display_path, display_text
from ledgergate.vouch import contract_digest, contract_items, row_items


class Suite(NamedTuple):
    """What the command works on: policy, ledgers and files of the working tree, and the tests as they are there."""

    repository: Repository
    policy: Policy
    ledgers: tuple[WorkingLedger, ...]
    paths: tuple[str, ...]
    now: Snapshot

    def data(self, path: str) -> bytes:
        """What the ledger at a path was read from."""
        return next(working.data for working in self.ledgers if working.ledger.path == path)


def write_rows(
    desk: Suite,
    collection: Collection,
    found: Additions,
    removals: Sequence[Removal],
    approval: Approval,
    first: Sequence[str] = (),
) -> int:
    """Show what would be written, ask, and write it. A suite that was not collected whole loses no row.

    `first` are the steps that are left before a commit.
    """
    _say_unplaced(collection, found)
    if collection.problem and removals and not _is_about_drafts(desk, collection):
        click.echo("No row is taken out: a test that could not be collected looks as if it were gone.", err=True)
        removals = ()
    ending = ExitCode.JUDGED if collection.problem or found.unplaced else ExitCode.OK
    if not (found.additions or removals):
        click.echo("Nothing to write: there is no row to propose, and none to take out.")
        return ending
    for addition in found.additions:
        click.echo(_described(addition))
    for removal in removals:
        click.echo(f"- {display_text(removal.row.id)}\n    class: {removal.row.class_}\n    ({removal.why})")
    for line in leaning_lines((addition.new for addition in found.additions), reader_of(desk.now)):
        click.echo(line)
    items = contract_items(_items(found.additions, removals))
    contract = contract_digest(items) or ""
    changes = counted(len(found.additions) + len(removals), "row")
    click.echo(f"{changes} would be written or taken out; the contract is {contract}")
    voucher = voucher_of(desk.repository, approval)
    if not is_confirmed("write this?", contract, approval, given_line()):
        return ExitCode.JUDGED
    contents = _contents(desk, found.additions, removals)
    clean = unchanged_since_staging(desk.repository, list(contents))
    written = write_working_ledgers(desk.repository, desk.ledgers, contents)
    click.echo(f"Wrote {', '.join(map(display_path, written))}.")
    files = {path for one in found.additions for path in (one.new.id.partition("::")[0], *one.new.artifacts)}
    others = sorted(path for path in files if path in desk.paths)
    steps = [*floor_steps(desk), *first]
    done = finish(desk.repository, written, clean, others, voucher, items, first=steps)
    return ExitCode.JUDGED if collection.problem else done


def _is_about_drafts(desk: Suite, collection: Collection) -> bool:
    """Whether all that was not collected are drafts that cannot be imported; their files are still there."""
    return bool(collection.broken) and all(path.startswith(desk.policy.drafts) for path in collection.broken)


def _items(additions: Sequence[Addition], removals: Sequence[Removal]) -> Iterator[Item]:
    for old, new, *_ in additions:
        yield from row_items(old, new)
    for removal in removals:
        yield from row_items(removal.row, None)


def _say_unplaced(collection: Collection, found: Additions) -> None:
    if collection.problem:
        click.echo(f"Not everything could be collected: {collection.problem}", err=True)
    by_reason: dict[str, list[str]] = {}
    for function, why in found.unplaced.items():
        by_reason.setdefault(why, []).append(function)
    for why, functions in by_reason.items():
        click.echo(f"{counted(len(functions), 'test')} without a proposal: {why}", err=True)
        for function in functions[:3]:
            click.echo(f"  {display_text(function)}", err=True)


def _described(addition: Addition) -> str:
    old, new, _, why = addition
    lines = [f"+ {display_text(new.id)}"] if old is None else [f"- {display_text(old.id)}", f"+ {display_text(new.id)}"]
    before = {} if old is None else dict(old.fields)
    for field, value in new.fields.items():
        if field != "id" and before.get(field) != value:
            values = (value,) if isinstance(value, str) else value
            lines += [f"    {field}: {display_text(text)}" for text in values]
    return "\n".join([*lines, f"    ({why})"])


def _contents(desk: Suite, additions: Sequence[Addition], removals: Sequence[Removal]) -> dict[str, bytes]:
    from ledgergate.ledger.edit import insert_rows, remove_rows, replace_row

    contents: dict[str, bytes] = {}
    for addition in additions:
        data = contents.get(addition.ledger) or desk.data(addition.ledger)
        if addition.old is not None:
            contents[addition.ledger] = replace_row(data, addition.old.id, addition.new)
    for path in dict.fromkeys(removal.ledger for removal in removals):
        gone = [removal.row.id for removal in removals if removal.ledger == path]
        contents[path] = remove_rows(contents.get(path) or desk.data(path), gone)
    for path in dict.fromkeys(addition.ledger for addition in additions):
        new = [addition.new for addition in additions if addition.ledger == path and addition.old is None]
        if new:
            contents[path] = insert_rows(contents.get(path) or desk.data(path), new)
    return contents
