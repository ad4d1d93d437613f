"""The moments that are judged: each opens the repository as git left it, and asks for a report."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import NamedTuple

from ledgergate.actors import recognise_client
from ledgergate.checks import judge
from ledgergate.git import Change, Repository, between, staged
from ledgergate.policy.model import Identity
from ledgergate.values import Actor, Report
from ledgergate.vouch import Trust
from ledgergate.vouch.comparison import refuse_unknown_default


def staged_report(*, message: str | None = None, only: Sequence[str] = ()) -> Report:
    """The report on what git would commit now; `message` is the commit's message where it is known already."""
    repository = Repository()
    return judge(staged(repository), client_actor(repository, message), now(), only=only)


class Known(NamedTuple):
    """What a job tells of a range: the ref that it is for, the file with the forge's facts, accounts of humans."""

    target: str | None = None
    facts: str | None = None
    humans: tuple[str, ...] = ()


_NOTHING = Known()


def range_report(
    old: str, new: str, *, exact: bool = False, only: Sequence[str] = (), known: Known = _NOTHING
) -> Report:
    """The report on what the revision `new` would bring to the branch whose tip is `old`."""
    repository = Repository()
    trust = trust_in(repository, old, new, known)
    change = between(repository, old, new, exact=exact)
    default = repository.default_ref()
    if trust.is_elsewhere and default is not None and default.is_remote:
        # What it has, it had before: for another branch it vouches for what it has, though that is all of the change.
        change = replace(change, find_default=lambda: repository.snapshot(default.commit))
    return judge_range(change, trust, only=only)


def trust_in(repository: Repository, old: str, new: str, known: Known) -> Trust:
    """By what a range may be vouched for.

    Raises `LedgergateError` where the facts that a job names cannot be taken, or the default branch is not known.
    """
    facts = None
    if known.facts is not None:
        from ledgergate.hosts.facts import read_facts

        facts = read_facts(known.facts, repository.commit_id(new))
    default = repository.default_ref()
    trust = Trust(
        target=known.target,
        base_branch=repository.branch_named(old),
        default_branch=None if default is None else default.as_pushed,
        facts=facts,
        humans=known.humans,
    )
    refuse_unknown_default(trust, even_for_any=True)
    return trust


def judge_range(change: Change, trust: Trust, *, only: Sequence[str] = ()) -> Report:
    """The report on a range. Who made which part of it is asked commit by commit, where it matters."""
    return judge(change, lambda _: Actor("human"), now(), only=only, trust=trust)


def client_actor(repository: Repository, message: str | None = None) -> Callable[[Identity], Actor]:
    """Recognises who is working in a repository on this machine, given the policy's `[identity]`."""
    author, committer = repository.identity("author"), repository.identity("committer")

    def recognise(identity: Identity) -> Actor:
        return recognise_client(os.environ, author, committer, message, identity.agents, identity.assisted)

    return recognise


def now() -> datetime:
    """The judging clock. No flag and no variable sets it."""
    return datetime.now(UTC)
