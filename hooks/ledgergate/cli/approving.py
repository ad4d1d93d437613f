"""What acks are made from, and where they are written."""

from __future__ import annotations

from typing import NamedTuple

from ledgergate.cli.files import replace_file
from ledgergate.cli.signing import Signer, signed_ack
from ledgergate.cli.working import file_at
from ledgergate.errors import LedgergateError
from ledgergate.git import Change, Repository
from ledgergate.hosts.moments import client_actor, now
from ledgergate.policy.model import ACKS_FOLDER, Policy
from ledgergate.policy.refs import is_protected_ref
from ledgergate.vouch import Case, Trust, rules_for
from ledgergate.vouch.acks.document import Ack
from ledgergate.vouch.acks.signers import Signers
from ledgergate.vouch.acks.signers_file import signers_for


class Desk(NamedTuple):
    """What approvals are made from: the change, whose word counts for it, and the branch that it is for."""

    repository: Repository
    case: Case
    signers: Signers
    target: str

    @property
    def policy(self) -> Policy:
        return self.case.policy

    def signed(self, signer: Signer, ack: Ack) -> Ack:
        """The ack, signed. Raises `LedgergateError` where it would not count."""
        return signed_ack(signer, ack, self.signers, presence=self.policy.vouch.require_presence)


def open_desk(repository: Repository, change: Change, trust: Trust) -> Desk | None:
    """What an approval of this change is made from; None where no policy judges it. Raises `LedgergateError`."""
    recognise = client_actor(repository)
    rules = rules_for(change, recognise(Policy().identity), trust)
    if rules is None:
        return None
    target = trust.branch or branch_worked_for(repository, rules.policy)
    trust = trust._replace(target=target)
    case = Case(change, rules, now(), recognise(rules.policy.identity), trust)
    return Desk(repository, case, signers_for(case), target)


def branch_worked_for(repository: Repository, policy: Policy) -> str:
    """The branch that a commit made here is for: a protected one that is checked out, or else the default branch.

    Raises `LedgergateError` where this clone knows of none.
    """
    own, default = repository.head_branch, repository.default_ref()
    if own is not None and is_protected_ref(policy, own):
        return own
    if default is None:
        remedy = "Name it: `ledgergate ack --target refs/heads/BRANCH`."
        raise LedgergateError(
            "git-unreadable", "this clone does not know which branch the change is for", remedy=remedy
        )
    return default.as_pushed


def write_ack(repository: Repository, ack: Ack) -> str:
    """Write the file of an ack and stage it; its path. Raises `LedgergateError`."""
    path = f"{ACKS_FOLDER}{ack.name}"
    try:
        replace_file(file_at(repository, path), ack.file_bytes)
    except OSError as error:
        raise LedgergateError("ack-invalid", f"the approval cannot be written: {error}", path=path) from error
    done = repository.git("add", "-f", "--", path, env={"GIT_LITERAL_PATHSPECS": "1"})
    if done.status != 0:
        raise LedgergateError("git-unreadable", f"the approval could not be staged: {done.stderr}", path=path)
    return path
