"""What `freeze` and `thaw` have in common: look, show, ask, write, stage."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import click

from ledgergate.amend import FreezeAmendment
from ledgergate.cli.amending import Desk, is_general, judged_as_staged, say_refusals
from ledgergate.cli.confirm import Approval, is_confirmed
from ledgergate.cli.staging import say_what_to_stage, stage, unchanged_since_staging
from ledgergate.cli.working import read_regular, write_files
from ledgergate.errors import ExitCode, LedgergateError
from ledgergate.freeze import FreezeLedger, fingerprint_of, read_freeze_ledger
from ledgergate.report.amended import freeze_difference
from ledgergate.values import Finding, Item, display_path
from ledgergate.vouch import contract_digest, contract_items

_RULE = "freeze-unreadable"
_ABOUT_FREEZES = ("ledger-schema", "ledger-edits")


def read_working_freezes(desk: Desk) -> tuple[FreezeLedger, bytes]:
    """The freeze ledger of the working tree and its bytes; `LedgergateError` where it says nothing."""
    path = desk.policy.freeze_ledger
    data = read_regular(desk.repository, path, _RULE)
    ledger = _parsed(desk, path, data)
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
    new = fingerprint_of(_parsed(desk, amendment.path, amendment.content), "freeze", amendment.id)
    item = Item("freeze", amendment.id, amendment.old.fingerprint if amendment.old else None, new)
    contract = contract_digest(contract_items([item])) or ""
    click.echo(f"\n1 freeze would change; the contract is {contract}")
    if not is_confirmed("write this?", contract, approval, line):
        return ExitCode.JUDGED
    clean = unchanged_since_staging(desk.repository, [amendment.path])
    written = write_files(desk.repository, {amendment.path: before}, {amendment.path: amendment.content}, _RULE)
    click.echo(f"Wrote {display_path(amendment.path)}.")
    if stage(desk.repository, written, clean):
        click.echo("Staged it.")
    say_what_to_stage(desk.repository, written, others)
    return ExitCode.OK


def _parsed(desk: Desk, path: str, data: bytes) -> FreezeLedger:
    return read_freeze_ledger(path, data, remote_lanes=desk.policy.remote_lanes)


def _refusals(desk: Desk, amendment: FreezeAmendment) -> list[Finding]:
    """What the hooks would say of the freeze ledger, were it staged."""
    tree = desk.view.look([amendment.path])
    found = judged_as_staged(desk.repository, tree, {amendment.path: amendment.content}, _ABOUT_FREEZES)
    return [problem for problem in found if problem.path == amendment.path or is_general(problem)]
