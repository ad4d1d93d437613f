"""Whether two trees are one to a run of the tests."""

from __future__ import annotations

from collections.abc import Callable

from ledgergate.errors import LedgergateError
from ledgergate.git import Repository, Snapshot, differing_paths


def is_same_tree(repository: Repository, head: Snapshot, tree: str | None, matters: Callable[[str], bool]) -> bool:
    """Whether a run of the tree with this id is one of `head`: the two differ in no path that matters.

    A report that names no tree (None), or one that this clone does not have, is about another.
    """
    if tree is None or tree == head.id:
        return tree is not None
    other = _known(repository, head, tree)
    return other is not None and not any(matters(change.path) for change in differing_paths(other, head))


def _known(repository: Repository, head: Snapshot, tree: str) -> Snapshot | None:
    if len(tree) != len(head.id) or any(char not in "0123456789abcdef" for char in tree):
        return None
    try:
        return repository.tree_snapshot(tree)
    except LedgergateError:
        return None
