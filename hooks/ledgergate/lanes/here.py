"""What is judged where reports are scored by themselves: the commit that is checked out there, if there is one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from ledgergate.errors import UsageError
from ledgergate.evidence import JUnitReport
from ledgergate.git import Change, Repository, by_place
from ledgergate.lanes.regular import read_regular
from ledgergate.lanes.same_tree import is_same_tree
from ledgergate.policy import POLICY_PATH, Policy, read_policy
from ledgergate.score import LaneReport, Unreadable
from ledgergate.values import Actor
from ledgergate.vouch import Case, InForce, Rules

IsTested = Callable[[str | None], bool]


class Here(NamedTuple):
    """A commit, its tree, and whether a report of a tree (None: it names none) is about it."""

    commit: str
    tree: str
    is_tested: IsTested


def judged_here(folder: Path, policy: Policy, now: datetime) -> Here | None:
    """HEAD of the repository that the folder lies in; None where there is no repository, or no commit yet.

    A repository that the environment names counts only where the folder lies in none. Raises `LedgergateError` for one
    that cannot be read.
    """
    place = str(folder)
    with by_place(place):
        try:
            repository = Repository(place)
        except UsageError:
            return None
        commit = repository.head_commit()
        if commit is None:
            return None
        head = repository.snapshot(commit)
    unchanged = Change("range", base=head, head=head, target=head)
    matters = InForce(Case(unchanged, Rules(policy, "base"), now, Actor("human"))).matters

    def is_tested(tree: str | None) -> bool:
        with by_place(place):
            return is_same_tree(repository, head, tree, matters)

    return Here(commit, head.id, is_tested)


def agreeing(reports: Iterable[LaneReport | Unreadable]) -> IsTested:
    """Where there is no commit to compare with: whether the reports are about one tree, or all name none."""
    trees = {report.tree for report in reports if isinstance(report, LaneReport)}
    return lambda _: len(trees) < 2


def policy_at(folder: Path) -> tuple[Policy, bytes | None]:
    """The policy in a folder, and its bytes: the one that holds without any (None) where there is none."""
    data = read_regular(str(folder / POLICY_PATH), "policy-unreadable")
    return (Policy() if data is None else read_policy(data)), data


def named_tree_is_tested(results: Iterable[JUnitReport], folder: Path, policy: Policy, now: datetime) -> IsTested:
    """Whether a report that names a tree is about what is checked out at the folder; few runners can name one.

    Where there is no commit to compare with, all that name one have to name the same. Raises `LedgergateError` for a
    repository that cannot be read.
    """
    named = {report.tree for report in results if report.tree is not None}
    here = judged_here(folder, policy, now) if named else None
    if here is None:
        return lambda tree: tree is None or len(named) < 2
    is_tested = here.is_tested
    return lambda tree: tree is None or is_tested(tree)
