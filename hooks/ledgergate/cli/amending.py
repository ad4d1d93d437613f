"""What the commands that change rows have in common: look, show, ask, write, stage."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date
from typing import NamedTuple

import click

from ledgergate.amend import Amendment, View, amendment_items, edited_ledgers, moved_files
from ledgergate.checks import judge
from ledgergate.checks.engine import Recognise
from ledgergate.cli.confirm import Approval, is_confirmed, is_refused
from ledgergate.cli.moves import moved
from ledgergate.cli.one_step import finish, voucher_of
from ledgergate.cli.staging import unchanged_since_staging
from ledgergate.cli.working import WorkingLedger, read_working_ledgers, read_working_policy, write_working_ledgers
from ledgergate.errors import ExitCode, LedgergateError
from ledgergate.git import Entry, Repository, Snapshot, staged
from ledgergate.git.overlay import overlaid
from ledgergate.git.work_tree import work_tree_snapshot
from ledgergate.hosts.moments import client_actor, now
from ledgergate.ledger import Row, measure
from ledgergate.policy.model import Identity, Policy
from ledgergate.report.alike import alike, show_groups
from ledgergate.report.amended import held_contents, row_difference
from ledgergate.report.remedy import filled_remedy
from ledgergate.report.summary import counted
from ledgergate.values import Finding, State, display_lines, display_path, shell_word
from ledgergate.vouch import contract_digest, contract_items, policy_of

_PLACE = re.compile(r" \(row at [^()\n]+:\d+\)")
ABOUT_ROWS = ("ledger-schema", "ledger-edits", "fixture-digests")


class Desk(NamedTuple):
    """The repository, and the policy and ledgers of its working tree. `identities` say who counts as an agent."""

    repository: Repository
    policy: Policy
    identities: tuple[Identity, ...]
    ledgers: tuple[WorkingLedger, ...]

    @property
    def view(self) -> View:
        ledgers = tuple(working.ledger for working in self.ledgers)
        return View(self.policy, ledgers, lambda paths: work_tree_snapshot(self.repository, paths))


def today() -> date:
    """The judging clock's date, in UTC."""
    return now().astimezone(UTC).date()


def open_desk(command: str, *, for_agents: bool = False) -> Desk | None:
    """What a command works on; None where it is not for whoever runs it, which is then said."""
    repository = Repository()
    policy = read_working_policy(repository)
    committed = policy_of(repository.snapshot(repository.head_commit()))
    identities = tuple(p.identity for p in (policy, committed) if p is not None)
    if not for_agents and is_refused(repository, identities, f"ledgergate {command}"):
        return None
    return Desk(repository, policy, identities, read_working_ledgers(repository, policy, today()))


def carry_out(
    desk: Desk,
    amendment: Amendment,
    approval: Approval | None,
    line: Sequence[str],
    *,
    first: Callable[[], Sequence[str]] = list,
) -> int:
    """Show what would change, ask, write it, and say what comes next. Without an `approval` nobody is asked.

    `line` is the command line that shows it; `first` gives, once it is written, the steps to take before the commit.
    """
    contents = edited_ledgers({working.ledger.path: working.data for working in desk.ledgers}, amendment.changes)
    refusals = _refusals(desk, amendment, contents)
    if refusals:
        say_refusals(refusals)
        return ExitCode.JUDGED
    _show(amendment)
    items, voucher = contract_items(amendment_items(amendment.changes)), None
    if approval is not None:
        contract = contract_digest(items) or ""
        click.echo(f"{counted(len(amendment.changes), 'row')} would change; the contract is {contract}")
        voucher = voucher_of(desk.repository, approval)
        if not is_confirmed("write this?", contract, approval, line):
            return ExitCode.JUDGED
    clean = unchanged_since_staging(desk.repository, list(contents))
    with moved(desk.repository, amendment.moves):
        _refuse_other_bytes(desk, amendment)
        written = write_working_ledgers(desk.repository, desk.ledgers, contents)
    click.echo(f"Wrote {', '.join(map(display_path, written))}.")
    return finish(desk.repository, written, clean, _files(amendment), voucher, items, first=first())


def run_of(amendment: Amendment) -> list[str]:
    """The command that runs the tests which are evidence from now on, where pytest is what runs them."""
    ids = [change.new.id for change in amendment.changes if change.new is not None]
    return [f"pytest {' '.join(map(shell_word, ids))}"] if ids and all(".py::" in id_ for id_ in ids) else []


def _files(amendment: Amendment) -> Iterator[str]:
    """The files that belong into the commit beside the ledgers."""
    yield from (move.target for move in amendment.moves)
    for _, new, *_ in amendment.changes:
        if new is not None and new.class_ != "quarantine":
            yield from (new.id.partition("::")[0], *new.artifacts, *filter(None, [new.seeds]))


def _refusals(desk: Desk, amendment: Amendment, contents: dict[str, bytes]) -> list[Finding]:
    """What the hooks would say of these rows, were all of it staged as it would then be on disk."""
    files = {**moved_files(amendment.tree, amendment.moves), **contents}
    found = judged_as_staged(desk.repository, amendment.tree, files, ABOUT_ROWS)
    rows = [row for change in amendment.changes for row in (change.old, change.new) if row is not None]
    own, paths = {row.id for row in rows}, {path for row in rows for path in _pinned(row)}
    return [problem for problem in found if problem.subject in own or problem.path in paths or is_general(problem)]


def judged_as_staged(
    repository: Repository,
    tree: Snapshot,
    files: Mapping[str, bytes | Entry | None],
    checks: Sequence[str],
    recognise: Recognise | None = None,
) -> tuple[Finding, ...]:
    """What these checks would refuse, were the tree staged with these files in it, by default of whoever is here."""
    change = replace(staged(repository), head=overlaid(repository, tree, files))
    return judge(change, recognise or client_actor(repository), now(), only=checks).findings


def is_general(found: Finding) -> bool:
    """Whether it keeps from judging anything: it is about no row, and no verdict."""
    return found.subject is None and found.state is State.UNSCORED


def _pinned(row: Row) -> tuple[str, ...]:
    return row.pinned_paths if row.class_ != "draft" else ()


def say_refusals(refusals: Sequence[Finding]) -> None:
    """Say why nothing is written."""
    for found in refusals:
        # The rows were judged as they would be: no file has their lines yet.
        first, *others = display_lines(_PLACE.sub("", found.message))
        click.echo(f"ledgergate: refused: {found.rule}: {first}", err=True)
        for line in others:
            click.echo(f"    {line}", err=True)
        for text in filled_remedy([found]).splitlines():
            click.echo(f"  > {text}", err=True)
    click.echo("Nothing was written.", err=True)


def _show(amendment: Amendment) -> None:
    for source, target in amendment.moves:
        click.echo(f"move {display_path(source)} -> {display_path(target)}")
    for text in show_groups(alike(held_contents(amendment.held, amendment.tree), whole=True), whole=True):
        click.echo(text)
    for old, new, old_ledger, new_ledger in amendment.changes:
        for text in row_difference(old, new, new_ledger or old_ledger or ""):
            click.echo(text)
        click.echo()


def _refuse_other_bytes(desk: Desk, amendment: Amendment) -> None:
    """Raises `LedgergateError` where git would store other bytes at a new place than those that were shown."""
    rows = [new for _, new, *_ in amendment.changes if new is not None and new.class_ == "locked_fixture"]
    tree = desk.view.look(path.partition("::")[0] for row in rows for path in row.artifacts)
    for row in rows:
        for artifact, digest in zip(row.artifacts, row.digests, strict=True):
            if measure(tree, artifact, lfs=row.lfs, allow_empty=row.allow_empty).digest != digest:
                message = "what is there is not what was shown; everything is as it was"
                remedy = "Move the file yourself (`git mv`), and run this again: git may store it otherwise there."
                raise LedgergateError("digest-mismatch", message, path=artifact, remedy=remedy)
