"""A commit whose tests were run elsewhere, with what a job tells of it."""

from __future__ import annotations

from datetime import datetime

from ledgergate.git import Repository, between
from ledgergate.hosts.moments import Known, trust_in
from ledgergate.lanes.basis import Basis
from ledgergate.vouch import Case


def tested_commit(revision: str, base: str | None, known: Known, clock: datetime) -> Basis:
    """The commit under the rules of its base, and what somebody has vouched for.

    An approval on the forge vouches for what would be merged. Where the commit lacks contracts that its base has got
    meanwhile, going back to those of the commit is nothing that anybody has approved, and the approval does not count.
    """
    repository = Repository()
    basis = Basis(repository, clock, commit=revision, base=base)
    if known == Known():
        return basis
    trust = trust_in(repository, base or basis.base_commit, basis.commit, known)
    if trust.facts is not None and basis.is_behind:
        merged = between(repository, basis.base_commit, basis.commit)
        if Case(merged, basis.case.rules, clock, basis.case.actor).items != basis.case.items:
            trust = trust._replace(facts=trust.facts._replace(approvals=()))
    return Basis(repository, clock, commit=revision, base=base, trust=trust)
