"""What acks are made from, and where they are written."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple

import click

from ledgergate.adopt.files import replace_file
from ledgergate.checks.test_guard import check as check_tests
from ledgergate.checks.test_guard import waiting_items
from ledgergate.cli.signing import USUAL_DAYS, Signer, new_ack, signed_ack
from ledgergate.cli.working import file_at
from ledgergate.errors import ExitCode, LedgergateError
from ledgergate.git import Change, Repository, Snapshot
from ledgergate.hosts.moments import client_actor, now
from ledgergate.policy.model import ACKS_FOLDER, Policy
from ledgergate.policy.paths import ABOVE_ACKS
from ledgergate.policy.refs import is_protected_ref
from ledgergate.values import Item, display_path, shell_word
from ledgergate.vouch import Case, Trust, contract_items, rules_for
from ledgergate.vouch.acks.added import IN_THE_WAY, OUT_OF_THE_WAY
from ledgergate.vouch.acks.chain import place_of
from ledgergate.vouch.acks.document import Ack
from ledgergate.vouch.acks.held import acks_in
from ledgergate.vouch.acks.signers import Signers
from ledgergate.vouch.acks.signers_file import read_signers_at, signers_for

_NO_TRUST = Trust()


class Desk(NamedTuple):
    """What approvals are made from: the change, whose word counts for it, and the branch that it is for."""

    repository: Repository
    case: Case
    signers: Signers
    target: str
    # Whether the signers are those of the change itself, since the default branch has none that can be read.
    is_first: bool = False

    @property
    def policy(self) -> Policy:
        return self.case.policy

    def signed(self, signer: Signer, ack: Ack) -> Ack:
        """The ack, signed. Raises `LedgergateError` where it would not count."""
        return signed_ack(signer, ack, self.signers, presence=self.policy.vouch.require_presence)


def open_desk(repository: Repository, change: Change, trust: Trust = _NO_TRUST) -> Desk | None:
    """What an approval of this change is made from; None where no policy judges it. Raises `LedgergateError`.

    `trust` says for which branch the change is, and whose word counts, where that is known. Where the repository itself
    has nobody yet, or cannot be read, a server's own list counts: then those are taken that the change names.
    """
    recognise, default = client_actor(repository), repository.default_ref()
    trust = trust._replace(default_branch=None if default is None else default.as_pushed)
    own = b"" if trust.signers is None else trust.signers
    rules = rules_for(change, recognise(Policy().identity), trust._replace(signers=own))
    if rules is None:
        return None
    target = trust.branch or branch_worked_for(repository, rules.policy)
    trust = trust._replace(target=target)
    case = Case(change, rules, now(), recognise(rules.policy.identity), trust)
    is_first = (rules.authority == "bootstrap" or case.is_mending) and case.lacks_signers
    if is_first:
        path = rules.policy.vouch.signers
        # Here, where its own path can be said of it.
        read_signers_at(change.head, path)
        trust = trust._replace(signers=_named_in(change.head, path))
        case = Case(change, rules, now(), case.actor, trust)
    return Desk(repository, case, signers_for(case), target, is_first)


def _named_in(head: Snapshot, path: str) -> bytes:
    entry = head.entry(path)
    return head.read_entry(entry) if entry is not None and entry.is_file else b""


def branch_worked_for(repository: Repository, policy: Policy) -> str:
    """The branch that a commit made here is for: a protected one, checked out or followed, or else the default one.

    Raises `LedgergateError` where this clone knows of none.
    """
    own, default = repository.head_branch, repository.default_ref()
    if own is not None and is_protected_ref(policy, own):
        return own
    upstream = repository.upstream()
    followed = None if upstream is None else repository.branch_named(upstream)
    if followed is not None and is_protected_ref(policy, followed):
        return followed
    if default is None:
        named = next((one for one in policy.protected_refs if not set(one) & set("*?[")), "refs/heads/main")
        remedy = f"Name it: `--target {shell_word(named)}`, if it is that one."
        raise LedgergateError("ack-invalid", "this clone does not know which branch the change is for", remedy=remedy)
    return default.as_pushed


def branch_here(repository: Repository, target: str) -> str | None:
    """What a person in this clone calls the branch that a change is for; None where the clone has not seen it."""
    default = repository.default_ref()
    there = f"refs/remotes/{repository.usual_remote()}/{target.removeprefix('refs/heads/')}"
    for name in (repository.upstream(), None if default is None else default.name, there, target):
        if name is not None and repository.branch_named(name) == target:
            return name.removeprefix("refs/heads/").removeprefix("refs/remotes/")
    return None


def ack_of_branch(repository: Repository, target: str) -> str:
    """The command by which a signer approves what is committed here for a branch, given by its name where it is pushed.

    Where the clone has not seen that branch, git brings it first.
    """
    name = branch_here(repository, target)
    if name is not None:
        return f"ledgergate ack --from {shell_word(name)} --to HEAD"
    fetch = f"git fetch {shell_word(repository.usual_remote())} {shell_word(target)}"
    return f"{fetch} && ledgergate ack --from FETCH_HEAD --to HEAD --target {shell_word(target)}"


def open_items(desk: Desk) -> tuple[Item, ...]:
    """What of the contract nobody has vouched for with a key; raises `LedgergateError`."""
    acks = desk.case.vouching.acks
    return tuple(item for item in _contract(desk.case) if acks is None or not acks.signers_of(item))


def _contract(case: Case) -> tuple[Item, ...]:
    """The contract as a check has it: with the test files of a range that wait for a human."""
    if case.change.moment == "staged":
        return case.items
    return contract_items((*case.items, *waiting_items(case, tuple(check_tests(case)))))


def new_ack_at(desk: Desk, items: Sequence[Item], *, days: int = USUAL_DAYS) -> Ack:
    """An ack of these items that nobody has signed yet, issued later than all of before that are about one of them.

    Of two of one second neither would follow the other.
    """
    ack = new_ack(desk.policy.name, desk.target, now(), days=days, items=items)
    places = set(map(place_of, ack.changes))
    earlier = (one for one in acks_in(desk.case.change.head) if not places.isdisjoint(map(place_of, one.changes)))
    if any(one.issued == ack.issued for one in earlier):
        time.sleep(max(0, (ack.issued + timedelta(seconds=1) - now()).total_seconds()))
        return new_ack(desk.policy.name, desk.target, now(), days=days, items=items)
    return ack


def say_written(path: str) -> int:
    """Tell of an ack that `write_ack` has written; the exit status."""
    click.echo(f"Wrote {display_path(path)} and staged it.\nNext:\n  git commit")
    return ExitCode.OK


def _refuse_what_is_in_the_way(repository: Repository) -> None:
    for above in ABOVE_ACKS:
        there = file_at(repository, above)
        if there.is_symlink() or (there.exists() and not there.is_dir()):
            remedy = OUT_OF_THE_WAY.replace(":PATH", f":/{above}")
            raise LedgergateError("ack-invalid", f"no approval can be written: {IN_THE_WAY}", remedy=remedy, path=above)


def write_ack(repository: Repository, ack: Ack) -> str:
    """Write the file of an ack and stage it; its path. Raises `LedgergateError`."""
    path = f"{ACKS_FOLDER}{ack.name}"
    try:
        _refuse_what_is_in_the_way(repository)
        replace_file(file_at(repository, path), ack.file_bytes)
    except OSError as error:
        raise LedgergateError("ack-invalid", f"the approval cannot be written: {error}", path=path) from error
    done = repository.git("add", "-f", "--", path, env={"GIT_LITERAL_PATHSPECS": "1"})
    if done.status != 0:
        raise LedgergateError("git-unreadable", f"the approval could not be staged: {done.stderr}", path=path)
    return path
