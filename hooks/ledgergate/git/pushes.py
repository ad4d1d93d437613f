"""The change that a push brings to a ref, as the server that takes it will see it."""

from __future__ import annotations

from ledgergate.git.change import Change
from ledgergate.git.repository import Repository
from ledgergate.git.sources import straight


def pushed(repository: Repository, old: str | None, tip: str, default: str | None) -> Change:
    """What the commit `tip` brings to a ref that has the commit `old`, or None: the push makes the ref.

    Old and new tip are compared as they are: there is nothing that the server would merge. A new ref starts where it
    left the default branch, whose tip is `default` and whose rules judge it. Where it shares nothing with that branch,
    or left it in several places, it is compared with the tip; without a default branch, with nothing at all.
    """
    default_tip = None if default is None else repository.snapshot(default)
    return straight(
        repository,
        old if old is not None else _start(repository, tip, default),
        tip,
        target=default_tip if old is None else None,
        rules=default_tip if old is None else None,
        find_default=lambda: default_tip,
    )


def _start(repository: Repository, tip: str, default: str | None) -> str | None:
    forks = () if default is None else repository.merge_bases(default, tip)
    return forks[0] if len(forks) == 1 else default
