"""What the commands that change the freeze ledger have in common: look, show, ask, write, stage."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

import click

from ledgergate.amend import FreezeAmendment
from ledgergate.amend.floors import LANE, LaneFloor, fixtures_floor
from ledgergate.cli.amending import Desk, is_general, judged_as_staged, say_refusals, today
from ledgergate.cli.confirm import Approval, is_confirmed
from ledgergate.cli.one_step import finish, voucher_of
from ledgergate.cli.staging import unchanged_since_staging
from ledgergate.cli.working import file_at, read_regular, read_working_ledgers, write_files
from ledgergate.errors import ExitCode, LedgergateError
from ledgergate.freeze import FreezeLedger, fingerprint_of, read_freeze_ledger
from ledgergate.freeze.edit import set_floor
from ledgergate.git import Repository
from ledgergate.hosts.moments import now
from ledgergate.policy import Policy
from ledgergate.report.amended import freeze_difference
from ledgergate.report.summary import counted
from ledgergate.values import Finding, Item, display_path
from ledgergate.vouch import contract_digest, contract_items

_RULE = "freeze-unreadable"
_ABOUT_FREEZES = ("ledger-schema", "ledger-edits")


class Place(Protocol):
    """Where a command works: a repository, under a policy."""

    @property
    def repository(self) -> Repository: ...

    @property
    def policy(self) -> Policy: ...


def read_working_freezes(desk: Place) -> tuple[FreezeLedger, bytes]:
    """The freeze ledger of the working tree and its bytes; `LedgergateError` where it says nothing."""
    path = desk.policy.freeze_ledger
    data = read_regular(desk.repository, path, _RULE)
    ledger = parsed(desk, data)
    if ledger.settings is None:
        raise LedgergateError(_RULE, "; ".join(problem.message for problem in ledger.problems), path=path)
    return ledger, data


def carry_out(
    desk: Desk,
    amendment: FreezeAmendment,
    before: bytes,
    approval: Approval,
    line: Sequence[str],
    *,
    others: Iterable[str] = (),
) -> int:
    """Show what would change, ask, write it, and say what comes next. `others` belong into the commit as well."""
    refusals = _refusals(desk, amendment)
    if refusals:
        say_refusals(refusals)
        return ExitCode.JUDGED
    for text in freeze_difference(amendment.old, amendment.fields, amendment.path):
        click.echo(text)
    new = fingerprint_of(parsed(desk, amendment.content), "freeze", amendment.id)
    item = Item("freeze", amendment.id, amendment.old.fingerprint if amendment.old else None, new)
    return _confirmed(desk, before, amendment.content, item, "1 freeze", approval, line, others)


def carry_out_floor(
    desk: Desk, found: LaneFloor, frozen: FreezeLedger, before: bytes, approval: Approval, line: Sequence[str]
) -> int:
    """Show the floor that fits the rows and freezes, ask, and write it."""
    click.echo(f"floor of lane {LANE} in {display_path(frozen.path)}: {found.floor} -> {found.in_reach}")
    click.echo(f"    ({_counted(found)})")
    content = set_floor(before, LANE, found.in_reach)
    old, new = (fingerprint_of(ledger, "settings", frozen.path) for ledger in (frozen, parsed(desk, content)))
    item = Item("settings", frozen.path, old, new)
    return _confirmed(desk, before, content, item, "1 floor", approval, line)


def frozen_ids(desk: Desk) -> Callable[[str], bool]:
    """Whether a freeze in force names a test; without a freeze ledger none does."""
    if not os.path.lexists(file_at(desk.repository, desk.policy.freeze_ledger)):
        return lambda _: False
    moment = now()
    frozen = [one for one in read_working_freezes(desk)[0].freezes if not one.is_expired(moment)]
    return lambda id_: any(one.names(id_) for one in frozen)


def floor_steps(desk: Place) -> list[str]:
    """The step that lets the floor follow, where rows and freezes as they now are leave fewer cases than it asks for.

    Why is said at once.
    """
    if not os.path.lexists(file_at(desk.repository, desk.policy.freeze_ledger)):
        return []
    frozen, _ = read_working_freezes(desk)
    ledgers = read_working_ledgers(desk.repository, desk.policy, today())
    found = fixtures_floor((row for working in ledgers for row in working.ledger.rows), frozen, now())
    if found is None or found.floor <= found.in_reach:
        return []
    click.echo(
        f"ledgergate: lane {LANE} can no longer reach its floor of {found.floor}: {_counted(found)}.\n"
        "  > The floor has to follow in the same commit.",
        err=True,
    )
    return ["ledgergate collect --floors"]


def _counted(found: LaneFloor) -> str:
    frozen = f", and {found.frozen} of them may be skipped for a freeze" if found.frozen else ""
    return f"rows hold {counted(found.wanted, 'case')}{frozen}"


def _confirmed(
    desk: Desk,
    before: bytes,
    content: bytes,
    item: Item,
    what: str,
    approval: Approval,
    line: Sequence[str],
    others: Iterable[str] = (),
) -> ExitCode:
    """Ask, write the freeze ledger, stage it and say what comes next; JUDGED where it is not approved."""
    path = desk.policy.freeze_ledger
    contract = contract_digest(contract_items([item])) or ""
    click.echo(f"\n{what} would change; the contract is {contract}")
    voucher = voucher_of(desk.repository, approval)
    if not is_confirmed("write this?", contract, approval, line):
        return ExitCode.JUDGED
    clean = unchanged_since_staging(desk.repository, [path])
    written = write_files(desk.repository, {path: before}, {path: content}, _RULE)
    click.echo(f"Wrote {display_path(path)}.")
    return finish(desk.repository, written, clean, others, voucher, [item], first=floor_steps(desk))


def parsed(desk: Place, data: bytes) -> FreezeLedger:
    """The freeze ledger that these bytes are."""
    return read_freeze_ledger(desk.policy.freeze_ledger, data, remote_lanes=desk.policy.remote_lanes)


def _refusals(desk: Desk, amendment: FreezeAmendment) -> list[Finding]:
    """What the hooks would say of the freeze ledger, were it staged."""
    tree = desk.view.look([amendment.path])
    found = judged_as_staged(desk.repository, tree, {amendment.path: amendment.content}, _ABOUT_FREEZES)
    return [problem for problem in found if problem.path == amendment.path or is_general(problem)]
