"""Who made the differences of a range: whether the commits that did carry an agent's signal, and whose they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from ledgergate.actors import co_authors, recognise_commit
from ledgergate.git import Commit, Entry, Snapshot, differing_paths
from ledgergate.ledger.glance import glance
from ledgergate.policy.model import Policy
from ledgergate.policy.paths import PathClass, classify, is_ledger, ledger_folders, ledger_paths
from ledgergate.values import Item
from ledgergate.vouch.differences import Difference
from ledgergate.vouch.values import paths_named, value_in

_PLAIN = (PathClass.PRODUCTION, PathClass.NOT_PRODUCTION)
_TREES_KEPT = 512
_MOST_GLANCES = 16

if TYPE_CHECKING:
    from ledgergate.vouch.case import Case

Look = Callable[[Snapshot], object]


def commit_signals(policy: Policy, commit: Commit) -> tuple[str, ...]:
    """The signals of an agent that a commit carries."""
    identity = policy.identity
    return recognise_commit(commit.author, commit.committer, commit.message, identity.agents, identity.assisted)


class Attribution:
    """Looks through the commits of a range, once something in it is worth asking about.

    All commits are gone through once for all that is likely to be asked; of those that touched something only their
    messages are read, and of those that carry a signal what they made of it.
    """

    def __init__(self, case: Case, further: tuple[str, ...] = ()) -> None:
        """`further` are signals that every commit of the range carries by what else is known of it."""
        self._case = case
        self._further = further
        self._told: set[str] = set()
        self._touching: dict[str, tuple[Commit, ...]] = {}
        self._glanced: dict[str, dict[str, bytes | None]] = {}
        self._signals_of = lru_cache(None)(self._recognise)
        self._snapshot = lru_cache(_TREES_KEPT)(self._read_snapshot)

    @property
    def signals_told(self) -> tuple[str, ...]:
        """The signals that have been told so far: those of the commits that made what was asked about."""
        return tuple(sorted(self._told))

    def signals_on_path(self, path: str) -> tuple[str, ...]:
        """The signals of the commits that changed what stands at a path; empty where none of them carries one."""
        return self._tell(self._touched((path,)), lambda snapshot: snapshot.entry(path))

    def signals_on(self, difference: Difference) -> tuple[str, ...]:
        """The signals of the commits that made a difference: changed that row, or that file."""
        rows = [item.subject for item in difference.items if item.kind == "row"]
        return self._signals_on_rows(rows) if rows else self.signals_on_path(difference.path)

    def signals_on_item(self, item: Item) -> tuple[str, ...]:
        """The same for one item of a contract."""
        if item.kind == "row":
            return self._signals_on_rows([item.subject])
        return self.signals_on_path(item.subject if item.kind == "file" else self._case.policy.freeze_ledger)

    def makers_of(self, item: Item) -> frozenset[str]:
        """The addresses, in small letters, of whom commits that changed an item name as their makers.

        Those are authors, committers and co-authors; none: that is not known.

        The item's subject stands as in an ack.
        """
        commits = self._touched_ledgers if item.kind == "row" else self._touched(self._paths_of(item))
        if item.kind == "row":
            commits = self._without_alike(commits, [item.subject])
        made = [commit for commit in commits if self._changed(commit, lambda tree: self._value(tree, item))]
        people = (one for commit in made for one in (commit.author, commit.committer, *co_authors(commit.message)))
        return frozenset(person.email.strip().casefold() for person in people)

    def _value(self, tree: Snapshot, item: Item) -> str | None:
        return value_in(tree, self._case.side_of, (item.kind, item.subject))

    def _signals_on_rows(self, row_ids: Sequence[str]) -> tuple[str, ...]:
        def read(snapshot: Snapshot) -> object:
            rows = self._case.side_of(snapshot).ledgers.rows
            return [rows[row_id].fields if row_id in rows else None for row_id in row_ids]

        agents = tuple(filter(self._signals_of, self._touched_ledgers))
        return self._tell(self._without_alike(agents, row_ids), read)

    @cached_property
    def _touched_ledgers(self) -> tuple[Commit, ...]:
        """The commits that touched a test ledger. Where these are found by globs, each is asked what it changed."""
        policies = self._case.policies
        folders = [path for policy in policies for path in ledger_folders(policy)]
        touched = self._touched(folders)
        if all(is_ledger(policy, path) for policy in policies for path in ledger_folders(policy)):
            return touched
        return tuple(filter(self._changes_ledgers, touched))

    def _changes_ledgers(self, commit: Commit) -> bool:
        now, *before = self._trees(commit.id, *(commit.parents or (None,)))
        changed = (one.path for was in before for one in differing_paths(was, now))
        return any(is_ledger(policy, path) for path in changed for policy in self._case.policies)

    def _without_alike(self, commits: tuple[Commit, ...], row_ids: Sequence[str]) -> tuple[Commit, ...]:
        """The commits that could have changed some rows: all of them where the rows were written after a ledger broke.

        What they said while nobody could read it is not known, so whoever broke it counts as well.
        """
        making = tuple(commit for commit in commits if not self._is_alike(commit, row_ids))
        return commits if len(making) < len(commits) and self._were_lost(row_ids) else making

    def _were_lost(self, row_ids: Sequence[str]) -> bool:
        """Whether a commit that changed the text of these rows came upon a ledger that cannot be read."""
        changing = (commit for commit in self._touched_ledgers if not self._is_alike(commit, row_ids))
        found = (tree for commit in changing for tree in self._trees(*commit.parents))
        return any(not self._case.side_of(tree).is_readable for tree in found)

    def _is_alike(self, commit: Commit, row_ids: Sequence[str]) -> bool:
        """Whether the rows read the same, letter for letter, in a commit and in all of its parents."""
        texts = {self._texts(tree, row_ids) for tree in self._trees(commit.id, *(commit.parents or (None,)))}
        return len(texts) == 1 and None not in texts

    def _texts(self, snapshot: Snapshot, row_ids: Sequence[str]) -> tuple[tuple[str, bytes], ...] | None:
        """The rows as they stand in the ledgers' text; None where that takes reading them."""
        found: list[tuple[str, bytes]] = []
        for path in sorted({path for policy in self._case.policies for path in ledger_paths(policy, snapshot)}):
            entry = snapshot.entry(path)
            if entry is None or not entry.is_file:
                return None
            glanced = self._glance(snapshot, entry, row_ids)
            texts = [glanced.get(row_id) for row_id in row_ids]
            if None in texts:
                return None
            found += ((path, text) for text in texts if text)
        return tuple(found)

    def _glance(self, snapshot: Snapshot, entry: Entry, row_ids: Sequence[str]) -> Mapping[str, bytes | None]:
        """What a ledger says of these rows, and of all that the change is likely to be asked about: it is read once."""
        if not all(row_id in self._glanced.get(entry.oid, ()) for row_id in row_ids):
            wanted = dict.fromkeys((*row_ids, *self._likely_rows))
            if len(wanted) > _MOST_GLANCES:
                # To read the whole ledger is faster then.
                return {}
            data = snapshot.read_entry(entry)
            self._glanced[entry.oid] = {row_id: glance(data, row_id) for row_id in wanted}
        return self._glanced[entry.oid]

    @cached_property
    def _likely_rows(self) -> tuple[str, ...]:
        items = (item for difference in self._case.differences for item in difference.items)
        return tuple(dict.fromkeys(item.subject for item in items if item.kind == "row"))

    def _tell(self, commits: Iterable[Commit], look: Look) -> tuple[str, ...]:
        agents = filter(self._signals_of, commits)
        found = {signal for commit in agents if self._changed(commit, look) for signal in self._signals_of(commit)}
        self._told |= found
        return tuple(sorted(found))

    def _changed(self, commit: Commit, look: Look) -> bool:
        """Whether the commit itself changed something.

        A merge did where it differs from what each parent has, and where it goes back to what was before the parents
        went apart though one of them has moved on.
        """
        now, *before = map(look, self._trees(commit.id, *(commit.parents or (None,))))
        if all(was != now for was in before):
            return True
        return any(was != now for was in before) and any(
            look(fork) == now for fork in self._trees(*self._forks(commit))
        )

    def _forks(self, commit: Commit) -> Iterator[str]:
        """Where the parents of a merge went apart."""
        first, *others = commit.parents or ("",)
        for other in others if self._case.change.merge_bases else ():
            yield from self._case.change.merge_bases(first, other)  # type: ignore[misc]

    def _trees(self, *commits: str | None) -> Iterator[Snapshot]:
        """The trees of some commits; the empty one for None."""
        return map(self._snapshot, commits)

    def _read_snapshot(self, commit: str | None) -> Snapshot:
        if self._case.change.snapshot_of is None:
            raise ValueError("a change with commits, and no way to read their trees")
        return self._case.change.snapshot_of(commit)

    def _recognise(self, commit: Commit) -> tuple[str, ...]:
        return (*commit_signals(self._case.policy, commit), *self._further)

    def _paths_of(self, item: Item) -> Sequence[str]:
        """Where a file or freeze that an item is about may have been touched."""
        if item.kind == "file":
            return tuple(paths_named(item.subject))
        return tuple(policy.freeze_ledger for policy in self._case.policies)

    def _touched(self, paths: Sequence[str]) -> tuple[Commit, ...]:
        """The commits that touched one of the paths, each once, newest first."""
        if any(path not in self._touching for path in paths):
            wanted = [*paths, *(() if self._touching else self._likely_paths())]
            if self._case.change.touching is not None:
                self._touching |= self._case.change.touching(wanted)
        found = [commit for path in paths for commit in self._touching.get(path, ())]
        return tuple(dict.fromkeys(found)) if len(paths) > 1 else tuple(found)

    def _likely_paths(self) -> Iterator[str]:
        """What may be asked about before the judging is over: all but the files that anyone may edit."""
        for policy in self._case.policies:
            yield from ledger_folders(policy)
        yield from (difference.path for difference in self._case.differences)
        yield from (one.path for one in self._case.change.edits if classify(self._case.policy, one.path) not in _PLAIN)
