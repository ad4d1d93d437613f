"""Which differences of a range were made by commits that carry an agent's signal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import NamedTuple

from ledgergate.actors import recognise_commit
from ledgergate.git import Commit, Snapshot
from ledgergate.values import Item
from ledgergate.vouch.comparison import Comparison
from ledgergate.vouch.differences import Difference


class _AgentCommit(NamedTuple):
    commit: Commit
    signals: tuple[str, ...]
    tree: Snapshot
    parents: tuple[Snapshot, ...]
    nothing: Snapshot
    forks: tuple[Snapshot, ...]


class Attribution:
    """Looks through the commits of a range, once something in it is worth asking about."""

    def __init__(self, case: Comparison) -> None:
        self._case = case
        self._told: set[str] = set()

    @property
    def signals_told(self) -> tuple[str, ...]:
        """The signals that have been told so far: those of the commits that made what was asked about."""
        return tuple(sorted(self._told))

    def signals_on_path(self, path: str) -> tuple[str, ...]:
        """The signals of the commits that changed what stands at a path; empty where none of them carries one."""
        return self._signals(lambda snapshot: snapshot.entry(path))

    def signals_on(self, difference: Difference) -> tuple[str, ...]:
        """The signals of the commits that made a difference: changed that row, or that file."""
        rows = [item.subject for item in difference.items if item.kind == "row"]
        if not rows:
            return self.signals_on_path(difference.path)
        return self._signals(lambda snapshot: self._fields(snapshot, rows))

    def signals_on_item(self, item: Item) -> tuple[str, ...]:
        """The same for one item of a contract."""
        if item.kind == "row":
            return self._signals(lambda snapshot: self._fields(snapshot, [item.subject]))
        return self.signals_on_path(self._case.policy.freeze_ledger if item.kind == "freeze" else item.subject)

    def _signals(self, look: Callable[[Snapshot], object]) -> tuple[str, ...]:
        found = {signal for commit in self._agent_commits if _changed(commit, look) for signal in commit.signals}
        self._told |= found
        return tuple(sorted(found))

    def _fields(self, snapshot: Snapshot, row_ids: list[str]) -> object:
        rows = self._case.side_of(snapshot).ledgers.rows
        return [rows[row_id].fields if row_id in rows else None for row_id in row_ids]

    @cached_property
    def _agent_commits(self) -> tuple[_AgentCommit, ...]:
        return tuple(self._find_agent_commits())

    def _find_agent_commits(self) -> Iterator[_AgentCommit]:
        change, identity = self._case.change, self._case.policy.identity
        for commit in change.commits:
            signals = recognise_commit(
                commit.author, commit.committer, commit.message, identity.agents, identity.assisted
            )
            if signals and change.snapshot_of is not None:
                parents = tuple(change.snapshot_of(parent) for parent in commit.parents)
                forks = tuple(map(change.snapshot_of, self._forks(commit)))
                yield _AgentCommit(
                    commit, signals, change.snapshot_of(commit.id), parents, change.snapshot_of(None), forks
                )

    def _forks(self, commit: Commit) -> Iterator[str]:
        """Where the parents of a merge went apart."""
        first, *others = commit.parents or ("",)
        for other in others if self._case.change.merge_bases else ():
            yield from self._case.change.merge_bases(first, other)  # type: ignore[misc]


def _changed(agent: _AgentCommit, look: Callable[[Snapshot], object]) -> bool:
    """Whether the commit itself changed something.

    A merge did where it differs from what each parent has, and where it goes back to what was before the parents went
    apart though one of them has moved on.
    """
    now = look(agent.tree)
    before = [look(parent) for parent in agent.parents or (agent.nothing,)]
    if all(was != now for was in before):
        return True
    return any(was != now for was in before) and any(look(fork) == now for fork in agent.forks)
