"""Test files that agents alone have changed since the branch began: theirs to correct until they land."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from ledgergate.errors import LedgergateError
from ledgergate.git import Begun, Commit, Entry, differing_paths
from ledgergate.policy.paths import PathClass, classify
from ledgergate.vouch import Case
from ledgergate.vouch.attribution import commit_signals

_MOST_COMMITS = 200


class Unlanded(NamedTuple):
    """The test files that commits of this branch changed: all of them, and those that may be compared with its start.

    `case` is the same change with these as they were there; None where there are none.
    """

    touched: frozenset[str]
    free: frozenset[str]
    case: Case | None


def unlanded(case: Case) -> Unlanded:
    """What of a staged change is compared with where the branch began.

    A file that both agents and humans have changed frees none, as a human's test may have moved on from there. What
    cannot be read frees none, either.
    """
    try:
        begun = case.change.find_begun()
        return Unlanded(frozenset(), frozenset(), None) if begun is None else _since(case, begun)
    except LedgergateError:
        return Unlanded(frozenset(), frozenset(), None)


def _since(case: Case, begun: Begun) -> Unlanded:
    if len(begun.commits) > _MOST_COMMITS:
        return Unlanded(frozenset(), frozenset(), None)
    by_path: dict[str, set[bool]] = {}
    for commit in begun.commits:
        is_signalled = bool(commit_signals(case.policy, commit))
        for path in _changed_by(case, begun, commit):
            by_path.setdefault(path, set()).add(is_signalled)
    touched = frozenset(by_path)
    if any(len(found) > 1 for found in by_path.values()):
        return Unlanded(touched, frozenset(), None)
    free = frozenset(path for path, found in by_path.items() if found == {True})
    old: Mapping[str, Entry | None] = {path: begun.start.entry(path) for path in sorted(free)}
    if not free:
        return Unlanded(touched, free, None)
    change = replace(case.change, base=begun.overlaid(case.change.base, old))
    return Unlanded(touched, free, Case(change, case.rules, case.now, case.actor, case.trust))


def _changed_by(case: Case, begun: Begun, commit: Commit) -> Iterator[str]:
    """The test files that a commit has as none of its parents."""
    now = begun.snapshot_of(commit.id)
    changed = [{one.path for one in differing_paths(begun.snapshot_of(was), now)} for was in commit.parents or (None,)]
    paths = set.intersection(*changed)
    return (path for path in paths if path.endswith(".py") and classify(case.policy, path) is PathClass.TEST)
