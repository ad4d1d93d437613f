"""`ledgergate ack --revoke`: take an approval back, on the one branch where it could count."""

from __future__ import annotations

import click

from ledgergate.cli.approving import Desk, branch_here, say_written, write_ack
from ledgergate.cli.confirm import Approval, given_line, is_confirmed
from ledgergate.cli.signing import Signer, new_revocation
from ledgergate.errors import ExitCode, LedgergateError, UsageError
from ledgergate.git import Repository, Snapshot
from ledgergate.hosts.moments import now
from ledgergate.policy.model import ACKS_FOLDER
from ledgergate.values import display_text
from ledgergate.vouch.acks.document import Ack, is_name
from ledgergate.vouch.acks.held import ack_of
from ledgergate.vouch.acks.landed import Landed

_LANDED = "It has landed: it vouches for nothing more, and what it approved stays. Change that back instead."
_REVOKED = "A signer has taken it back here already."
_REVOKED_THERE = "A signer has taken it back on {} already."
_UNKNOWN = "No branch of this clone has it, so it is not known here which one it is for."


def revoke(desk: Desk, signer: Signer, name: str, approval: Approval) -> int:
    """Ask, write and stage; the exit status.

    Raises `UsageError` for what is no name, and where what is committed here is for another branch than the ack's own.
    """
    if not is_name(name):
        raise UsageError(f"{display_text(name)} is no name of an approval: 64 hexadecimal digits and .json")
    head = desk.case.change.head
    named = ack_of(head, head.entry(f"{ACKS_FOLDER}{name}")) or _ack_of_any_branch(desk.repository, name)
    if named is not None and named.target != desk.target:
        own, here = display_text(named.target), display_text(desk.target)
        raise UsageError(
            f"that approval is for {own}, and what is committed here is for {here}, where it counts for nothing: "
            f"take it back on a branch that goes to {own}, with --target {own}"
        )
    tip = _tip(desk)
    if tip is not None and tip.entry(f"{ACKS_FOLDER}{name}") is not None:
        click.echo(_LANDED)
        return ExitCode.JUDGED
    for snapshot in filter(None, (head, tip)):
        if Landed(snapshot, desk.signers).revoked({name}):
            click.echo(_REVOKED if snapshot is head else _REVOKED_THERE.format(display_text(desk.target)))
            return ExitCode.OK
    if named is None:
        click.echo(_UNKNOWN)
    click.echo(f"As {signer.name}, take the approval {name} back: once this is in {desk.target}, it counts no more.")
    if not is_confirmed("revoke it?", f"sha256:{name.removesuffix('.json')}", approval, given_line()):
        return ExitCode.JUDGED
    revocation = new_revocation(desk.policy.name, desk.target, now(), name)
    return say_written(write_ack(desk.repository, desk.signed(signer, revocation)))


def _tip(desk: Desk) -> Snapshot | None:
    """The branch that the approval is for, as this clone last saw it; None where it has not."""
    name = branch_here(desk.repository, desk.target)
    return None if name is None else desk.repository.snapshot(desk.repository.commit_id(name))


def _ack_of_any_branch(repository: Repository, name: str) -> Ack | None:
    """The ack as a commit of any ref in this clone has brought it, by whomever; None where none has."""
    done = repository.git("log", "--all", "--diff-filter=A", "-1", "--format=%H", "--", f":/{ACKS_FOLDER}{name}")
    if done.status != 0:
        raise LedgergateError("git-unreadable", f"git cannot say which commit has brought {name}: {done.stderr}")
    commit = done.stdout.decode("ascii").strip()
    if not commit:
        return None
    snapshot = repository.snapshot(commit)
    return ack_of(snapshot, snapshot.entry(f"{ACKS_FOLDER}{name}"))
