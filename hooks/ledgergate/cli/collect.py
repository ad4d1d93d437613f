"""`ledgergate collect`: the exact ids of the suite, what the ledgers lack, and rows for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC
from typing import NamedTuple

import click

from ledgergate.adopt.added import Addition, Additions, Removal, find_additions, find_removals
from ledgergate.adopt.child import default_python
from ledgergate.adopt.collect import Collection, collect
from ledgergate.adopt.drift import Drift, find_drift
from ledgergate.adopt.drift_text import drift_json, drift_text
from ledgergate.adopt.found import reader_of
from ledgergate.adopt.moves import Movers
from ledgergate.adopt.propose import Wish
from ledgergate.adopt.suites import find_suites
from ledgergate.cli.confirm import Approval, approval_options, given_line, is_confirmed, is_refused
from ledgergate.cli.staging import say_what_to_stage
from ledgergate.cli.working import (
    WorkingLedger,
    file_at,
    read_working_ledgers,
    read_working_policy,
    write_working_ledgers,
)
from ledgergate.errors import ExitCode, UsageError
from ledgergate.git import Repository, Snapshot
from ledgergate.git.work_tree import work_tree_files, work_tree_snapshot
from ledgergate.hosts.moments import now
from ledgergate.policy import PathClass, Policy, classify
from ledgergate.report.summary import counted
from ledgergate.values import Item, display_path, display_text
from ledgergate.vouch import contract_digest, contract_items, policy_of

_OF_TESTS = (PathClass.TEST, PathClass.GOLDEN, PathClass.DRAFT, PathClass.PROTECTED)


class _Desk(NamedTuple):
    """What the command works on: policy, ledgers and files of the working tree, and the tests as they are there."""

    repository: Repository
    policy: Policy
    ledgers: tuple[WorkingLedger, ...]
    paths: tuple[str, ...]
    now: Snapshot

    def data(self, path: str) -> bytes:
        """What the ledger at a path was read from."""
        return next(working.data for working in self.ledgers if working.ledger.path == path)


@click.command()
@click.option("--add", is_flag=True, help="Show rows for all tests without one, and ask once.")
@click.option("--prune", is_flag=True, help="Show the rows whose test is gone, and ask once whether they go too.")
@click.option("--owner", metavar="NAME", help="With --add: who owns what cannot be evidence today.")
@click.option("--no-inline", is_flag=True, help="With --add: hold no test to its own source.")
@click.option("--python", metavar="PATH", help="The interpreter that has pytest and what the suite needs.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "pytest"]),
    default="text",
    help="pytest: the exact ids, one a line, as `pytest --collect-only -q` and `pytest @FILE` have them.",
)
@click.option("--unclassified", is_flag=True, help="With --format pytest: only the ids that no row covers.")
@click.option("--all", "whole", is_flag=True, help="List everything.")
@approval_options
def command(
    add: bool,
    prune: bool,
    owner: str | None,
    no_inline: bool,
    python: str | None,
    form: str,
    unclassified: bool,
    whole: bool,
    yes: bool,
    contract: str | None,
) -> int:
    """Say which tests have no row, which rows have no test, and which tests have moved."""
    approval = Approval.of(yes, contract)
    _refuse_odd_options(add, prune, owner, no_inline, form, unclassified, approval)
    repository = Repository()
    policy = read_working_policy(repository)
    head = repository.snapshot(repository.head_commit())
    if add or prune:
        committed = policy_of(head)
        identities = [p.identity for p in (policy, committed) if p is not None]
        if is_refused(repository, identities, f"ledgergate collect {'--add' if add else '--prune'}"):
            return ExitCode.JUDGED
    ledgers = read_working_ledgers(repository, policy, now().astimezone(UTC).date())
    paths = tuple(path for path in work_tree_files(repository, "") if file_at(repository, path).is_file())
    wanted = [path for path in paths if classify(policy, path) in _OF_TESTS]
    desk = _Desk(repository, policy, ledgers, paths, work_tree_snapshot(repository, wanted))
    collection = _collect(desk, python or default_python())
    movers = Movers(reader_of(head), reader_of(desk.now))
    known = frozenset(paths)
    drift = find_drift(collection, [working.ledger for working in ledgers], known.__contains__, movers.is_same)
    if add or prune:
        wish = Wish(not no_inline, owner or _usual_owner(desk), now().astimezone(UTC).date())
        found = _additions(desk, drift, movers, wish) if add else Additions((), {})
        return _write(desk, collection, found, find_removals(drift) if prune else (), approval)
    return _show(collection, drift, form, unclassified=unclassified, whole=whole)


def _refuse_odd_options(
    add: bool, prune: bool, owner: str | None, no_inline: bool, form: str, unclassified: bool, approval: Approval
) -> None:
    if not add and (owner is not None or no_inline):
        raise UsageError("--owner and --no-inline go with --add")
    if not (add or prune) and approval.contract is not None:
        raise UsageError("--yes and --contract go with --add and --prune")
    if (add or prune) and form != "text":
        raise UsageError("--add and --prune show rows as text; --format goes without them")
    if unclassified and form != "pytest":
        raise UsageError("--unclassified goes with --format pytest")
    if owner is not None and not owner.strip():
        raise UsageError("--owner is empty")


def _collect(desk: _Desk, python: str) -> Collection:
    click.echo("Collecting the tests ...", err=True)
    suites = find_suites(desk.paths, "", reader_of(desk.now))
    starts = [(suite.start, suite.arguments) for suite in suites]
    return collect(python, desk.repository.workdir, frozenset(desk.paths), suites=starts)


def _show(collection: Collection, drift: Drift, form: str, *, unclassified: bool, whole: bool) -> int:
    if form == "pytest":
        items = drift.unclassified if unclassified else collection.items
        click.echo("".join(f"{item.id}\n" for item in items), nl=False)
        if collection.problem:
            click.echo(f"ledgergate: not everything could be collected: {collection.problem}", err=True)
        return ExitCode.JUDGED if collection.problem else ExitCode.OK
    text = drift_json(collection, drift) if form == "json" else drift_text(collection, drift, whole=whole)
    click.echo(text, nl=False)
    return ExitCode.OK if drift.is_none and collection.problem is None else ExitCode.JUDGED


def _additions(desk: _Desk, drift: Drift, movers: Movers, wish: Wish) -> Additions:
    ledgers = [working.ledger for working in desk.ledgers]
    return find_additions(drift, ledgers, desk.policy, desk.paths, desk.now, movers, wish)


def _write(
    desk: _Desk, collection: Collection, found: Additions, removals: Sequence[Removal], approval: Approval
) -> int:
    """Show what would be written, ask, and write it. A suite that was not collected whole loses no row."""
    _say_unplaced(collection, found)
    if collection.problem and removals:
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
    contract = contract_digest(contract_items(_items(found.additions, removals))) or ""
    changes = counted(len(found.additions) + len(removals), "row")
    click.echo(f"{changes} would be written or taken out; the contract is {contract}")
    if not is_confirmed("write this?", contract, approval, given_line()):
        return ExitCode.JUDGED
    written = write_working_ledgers(desk.repository, desk.ledgers, _contents(desk, found.additions, removals))
    click.echo(f"Wrote {', '.join(map(display_path, written))}.")
    files = {path for one in found.additions for path in (one.new.id.partition("::")[0], *one.new.artifacts)}
    say_what_to_stage(desk.repository, written, sorted(path for path in files if path in desk.paths))
    return ExitCode.JUDGED if collection.problem else ExitCode.OK


def _items(additions: Sequence[Addition], removals: Sequence[Removal]) -> Iterator[Item]:
    for old, new, *_ in additions:
        yield Item("row", new.id, old.fingerprint if old else None, new.fingerprint)
    for removal in removals:
        yield Item("row", removal.row.id, removal.row.fingerprint, None)


def _usual_owner(desk: _Desk) -> str | None:
    """The owner of all quarantine rows that there are, where that is one."""
    rows = [row for working in desk.ledgers for row in working.ledger.rows if row.class_ == "quarantine"]
    owners = {row.fields.get("owner") for row in rows}
    owner = owners.pop() if len(owners) == 1 else None
    return owner if isinstance(owner, str) else None


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


def _contents(desk: _Desk, additions: Sequence[Addition], removals: Sequence[Removal]) -> dict[str, bytes]:
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
