"""The change that a push brings to a ref, as the server that takes it will see it."""

from __future__ import annotations

from typing import NamedTuple

from ledgergate.git.change import Change
from ledgergate.git.repository import Repository
from ledgergate.git.sources import straight


class Landed(NamedTuple):
    """Commits that a server knows to have been tips of its protected branches.

    `tips` are those that the default branch had, as far as the server remembers. `held` are today's tips of all of
    them that the pushed commit holds.
    """

    tips: frozenset[str]
    held: frozenset[str]


def pushed(
    repository: Repository, old: str | None, tip: str, default: str | None, landed: Landed | None = None
) -> Change:
    """What the commit `tip` brings to a ref that has the commit `old`, or None: the push makes the ref.

    Old and new tip are compared as they are: there is nothing that the server would merge. A new ref is judged by the
    rules of the default branch, whose tip is `default`, and starts where it left that branch; given `landed`, at the
    last of these commits that it holds: what a commit had that never was a tip, nobody has judged. Where it has no
    single such start, it is compared with the default tip; without a default branch, with nothing at all.
    """
    default_tip = None if default is None else repository.snapshot(default)
    return straight(
        repository,
        old if old is not None else _start(repository, tip, default, landed),
        tip,
        target=default_tip if old is None else None,
        rules=default_tip if old is None else None,
        find_default=lambda: default_tip,
    )


def _start(repository: Repository, tip: str, default: str | None, landed: Landed | None) -> str | None:
    if default is None:
        return None
    forks = repository.merge_bases(default, tip)
    if landed is not None:
        forks = repository.last_of(landed.held | landed.tips.intersection(forks))
    return forks[0] if len(forks) == 1 else default
