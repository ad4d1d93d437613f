"""`ledgergate ack`: vouch for what others changed, take an approval back, and clear expired ones away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

import click

from ledgergate.cli.approving import (
    Desk,
    ack_of_branch,
    branch_here,
    new_ack_at,
    open_desk,
    open_items,
    say_written,
    write_ack,
)
from ledgergate.cli.confirm import Approval, approval_options, given_line, is_confirmed, is_refused
from ledgergate.cli.revoking import revoke as take_back
from ledgergate.cli.signing import (
    USUAL_DAYS,
    Signer,
    configured_key,
    read_own_signers,
    signer_of,
)
from ledgergate.errors import ExitCode, LedgergateError, UsageError
from ledgergate.git import Repository, between, staged
from ledgergate.hosts.moments import now
from ledgergate.policy.model import ACKS_FOLDER, POLICY_PATH, Identity
from ledgergate.report.alike import alike, show_groups
from ledgergate.report.contract import contract_changes
from ledgergate.report.summary import counted
from ledgergate.vouch import Trust, contract_digest, policy_of
from ledgergate.vouch.acks.document import LONGEST
from ledgergate.vouch.acks.held import ack_of
from ledgergate.vouch.acks.keygen import Key
from ledgergate.vouch.acks.signers_file import read_signers_at

_FIRST = (
    "Careful: {} has no signers that can vouch for it: an approval counts where the hook of a server has its own\n"
    "list, and names you. In CI it lands once a job's `--humans` names who reviews it; without a forge, whoever may\n"
    "set the check aside lands it. Approvals count from then on."
)
_NAME_SIGNERS = "Human: name the signers in a change of its own, and let it land first (docs/ci.md, Signed approvals)."


@click.command()
@click.option("--staged", "is_staged", is_flag=True, help="Approve what git would commit now (the default).")
@click.option("--from", "old", metavar="A", help="Approve a range: the tip of the target branch.")
@click.option("--to", "new", metavar="B", help="Approve a range: the tip that would be merged into A.")
@click.option(
    "--days",
    type=click.IntRange(1, LONGEST.days),
    default=USUAL_DAYS,
    show_default=True,
    help="How long the approval may take to land.",
)
@click.option("--revoke", metavar="NAME", help="Take an approval back that has not landed yet, by its file's name.")
@click.option("--signers", metavar="FILE", help="The list of the server that it is pushed to, where that has its own.")
@click.option("--prune", is_flag=True, help="Remove the approvals of more than 30 days ago.")
@approval_options
def command(
    is_staged: bool,
    old: str | None,
    new: str | None,
    days: int,
    revoke: str | None,
    signers: str | None,
    prune: bool,
    approval: Approval,
) -> int:
    """Vouch for contract changes that others made: shows each, asks, and writes a signed file that names them.

    The file belongs into the change that it approves: commit it on that branch.
    """
    if [is_staged, bool(old or new), revoke is not None, prune].count(True) > 1:
        raise UsageError("ack takes --staged, or --from A and --to B, or --revoke NAME, or --prune: one of them")
    if bool(old) != bool(new):
        raise UsageError("a range needs both --from A and --to B, and neither may be empty")
    repository = Repository()
    if prune:
        return _prune(repository)
    if is_refused(repository, list(_identities(repository)), "ledgergate ack"):
        return ExitCode.JUDGED
    own = None if signers is None else read_own_signers(signers)
    trust = Trust(approval.target, repository.branch_named(old) if old else None, signers=own)
    desk = open_desk(repository, between(repository, old, new) if old and new else staged(repository), trust)
    if desk is None:
        raise LedgergateError("ledger-missing", "There is no policy here, so there is nothing to approve.")
    if not desk.signers.keys:
        message = f"nobody's key counts for {desk.target} yet, so there is no approval to give"
        raise LedgergateError("ack-invalid", message, remedy=_NAME_SIGNERS)
    signer = signer_of(repository, _key(repository, approval), desk.signers, desk.case.now)
    if revoke is not None:
        return take_back(desk, signer, revoke.rpartition("/")[2], approval)
    return _approve(desk, signer, days, approval)


def _identities(repository: Repository) -> Iterator[Identity]:
    """What the policies here say of agents; one that cannot be read is perhaps about to be mended."""
    for snapshot in (repository.snapshot(repository.head_commit()), staged(repository).head):
        with suppress(LedgergateError):
            if (policy := policy_of(snapshot)) is not None:
                yield policy.identity


def _approve(desk: Desk, signer: Signer, days: int, approval: Approval) -> int:
    items = open_items(desk)
    if not items:
        click.echo("Nothing to approve: " + ("it is approved already." if desk.case.items else "no contract changes."))
        if desk.case.change.moment == "staged" and branch_here(desk.repository, desk.target) is not None:
            click.echo(
                f"That is what is staged. What is committed already:\n  {ack_of_branch(desk.repository, desk.target)}"
            )
        return ExitCode.OK
    for text in show_groups(alike(contract_changes(desk.case, items))):
        click.echo(text)
    for sentence in _disarmed(desk):
        click.echo(f"Careful: {sentence}")
    if desk.is_first:
        click.echo(_FIRST.format(desk.target))
    contract = contract_digest(items) or ""
    click.echo(
        f"{counted(len(items), 'change')} for {desk.target}, approved as {signer.name} for {counted(days, 'day')}; "
        f"the contract is {contract}"
    )
    if not is_confirmed("approve this?", contract, approval, given_line()):
        return ExitCode.JUDGED
    return say_written(write_ack(desk.repository, desk.signed(signer, new_ack_at(desk, items, days=days))))


def _disarmed(desk: Desk) -> Iterator[str]:
    """What is said before somebody approves that rules, or all who may approve, go away."""
    case = desk.case
    if case.change.head.entry(POLICY_PATH) is None:
        yield (
            f"this takes the policy away, and without one nothing is enforced on {desk.target}; a server's hook that "
            "asks for one lets nothing onto it any more, until its configuration says `require = false`."
        )
        return
    policy = case.head_policy
    if policy is None or policy.vouch.mode != "ack" or not desk.signers.keys or case.trust.is_elsewhere:
        return
    if case.trust.signers is not None and not desk.is_first:
        # A server's own list stays in force whatever the change does.
        return
    with suppress(LedgergateError):
        if read_signers_at(case.change.head, policy.vouch.signers).keys:
            return
    yield f"this leaves no signers that can be read: on {desk.target} nobody can approve anything after it."


def _prune(repository: Repository) -> int:
    """Anyone may remove those beside which nothing older can be alive, agents too."""
    clock, head = now(), staged(repository).head
    found = ((path, ack_of(head, entry)) for path, entry in head.files(ACKS_FOLDER))
    gone = [path for path, ack in found if ack is not None and ack.is_over(clock)]
    if not gone:
        click.echo(f"Nothing to remove: no approval here is older than {LONGEST.days} days.")
        return ExitCode.OK
    _remove(repository, gone)
    click.echo(f"Removed {counted(len(gone), 'old approval')}, and staged that.\nNext:\n  git commit")
    return ExitCode.OK


def _remove(repository: Repository, paths: Sequence[str]) -> None:
    done = repository.git("rm", "-q", "--", *paths, env={"GIT_LITERAL_PATHSPECS": "1"})
    if done.status != 0:
        raise LedgergateError("git-unreadable", f"git cannot remove old approvals: {done.stderr}")


def _key(repository: Repository, approval: Approval) -> Key:
    key = configured_key(repository, approval.key)
    if key is None:
        raise UsageError(
            "there is no key to sign with: name one with --key FILE, or let git sign with SSH "
            "(git config gpg.format ssh, git config user.signingkey FILE)"
        )
    return key
