"""Drafts that become evidence: each test out of the drafts folder, its row held to something."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ledgergate.amend.places import beside_drafts, golden_target
from ledgergate.amend.records import Amendment, Move, RowChange, View
from ledgergate.amend.tests import may_define, other_tests, refuse_skipped, refuse_undefined
from ledgergate.amend.wish import Wish, kept_fields, locked_row, property_row
from ledgergate.errors import UsageError
from ledgergate.git import Snapshot
from ledgergate.ledger import Row, split_artifact, split_id


class PromotionWish(NamedTuple):
    """What is said about a promotion: the new id, what the test is held to, where its files go. None: not said."""

    to: str | None = None
    held: Wish = Wish()
    golden_to: str | None = None
    seeds_to: str | None = None


def plan_promotion(view: View, ids: Sequence[str], wish: PromotionWish) -> Amendment:
    """The draft rows as classified ones, and the moves that take their tests, goldens and seeds out of the drafts.

    A test file moves where every test of it is promoted. Raises `UsageError` where a human has to do something first,
    and says what: nothing is ever overwritten.
    """
    if len(ids) > 1 and wish != _of_several(wish):
        raise UsageError(
            "options that speak of one test (--to, --artifact, ...) go with one id; with several, --golden-to names a "
            "folder (FOLDER/)"
        )
    drafts = [_Draft.of(view, id_, wish) for id_ in ids]
    tree = view.tree(path for draft in drafts for path in draft.paths)
    for draft in drafts:
        refuse_skipped(tree, draft.row.id)
    moves = [*_test_moves(view, tree, drafts), *(move for draft in drafts for move in draft.moves)]
    changes: list[RowChange] = []
    held: list[tuple[str, str]] = []
    for draft in drafts:
        changes.append(
            RowChange(draft.row, draft.promoted(tree, moves), draft.ledger, view.nearest_ledger(draft.new_id))
        )
        held += draft.held(moves)
    return Amendment(tuple(changes), tree, tuple(dict.fromkeys(moves)), tuple(held))


def _of_several(wish: PromotionWish) -> PromotionWish:
    """What of a wish can be meant for several tests."""
    folder = wish.golden_to if wish.golden_to and wish.golden_to.endswith("/") else None
    return PromotionWish(held=Wish(wish.held.class_, inline=wish.held.inline), golden_to=folder)


class _Draft(NamedTuple):
    """One draft and what shall become of it. `moves` are those of its golden and its seeds."""

    row: Row
    ledger: str
    new_id: str
    class_: str
    wish: Wish
    moves: tuple[Move, ...]

    @classmethod
    def of(cls, view: View, id_: str, wish: PromotionWish) -> _Draft:
        row, ledger = view.must_find(id_)
        if row.class_ != "draft":
            raise UsageError(f"{id_} is a {row.class_} row already, and only drafts are promoted")
        new_id = wish.to or beside_drafts(id_, view.policy.drafts)
        other = view.find(new_id) if new_id != id_ else None
        if other is not None:
            raise UsageError(f"{new_id} has a {other[0].class_} row already; --to NEWID gives another id")
        if new_id.startswith(view.policy.drafts):
            raise UsageError(
                f"{new_id} lies below the drafts folder {view.policy.drafts}, where no evidence comes from"
            )
        held = wish.held
        class_ = held.said_class or str(row.fields["proposed_class"])
        seeds = held.seeds or row.seeds
        artifacts = held.held_of(id_, row.artifacts) if class_ == "locked_fixture" else ()
        full = Wish(class_, artifacts, held.invariant or _text(row, "invariant"), seeds)
        moves = tuple(_file_moves(view.policy.drafts, full, wish))
        return cls(row, ledger, new_id, class_, full, moves)

    @property
    def paths(self) -> Iterator[str]:
        yield from (split_id(self.row.id)[0], split_id(self.new_id)[0])
        yield from self.wish.paths
        yield from (move.target for move in self.moves)

    def held(self, moves: Sequence[Move]) -> list[tuple[str, str]]:
        """Each artifact as the new row names it, with where it stands now; without any, the test's own source."""
        if self.class_ != "locked_fixture":
            return []
        targets, file = dict(moves), split_id(self.row.id)[0]
        held: list[tuple[str, str]] = []
        for artifact in self.wish.artifacts:
            path, names = split_artifact(artifact)
            if path == file and names:
                now = path if path in targets else split_id(self.new_id)[0]
                held.append(("::".join((split_id(self.new_id)[0], *names)), "::".join((now, *names))))
            else:
                held.append((targets.get(artifact, artifact), artifact))
        return held

    def promoted(self, tree: Snapshot, moves: Sequence[Move]) -> Row:
        kept = kept_fields(self.row)
        if self.class_ == "property":
            seeds = self.wish.seeds
            targets = dict(moves)
            pair = (targets.get(seeds, seeds), seeds) if seeds else None
            return property_row(self.new_id, self.wish.invariant, pair, tree, kept)
        return locked_row(self.new_id, self.held(moves), tree, kept, self.row)


def _text(row: Row, field: str) -> str | None:
    value = row.fields.get(field)
    return value if isinstance(value, str) else None


def _file_moves(drafts: str, full: Wish, wish: PromotionWish) -> Iterator[Move]:
    """The moves of goldens and of seeds that lie below the drafts folder."""
    is_property = full.class_ == "property"
    option = "--seeds-to FOLDER/" if is_property else "--golden-to PATH"
    target = wish.seeds_to if is_property else wish.golden_to
    paths = filter(None, [full.seeds]) if is_property else (path for path in full.artifacts if "::" not in path)
    drafted = [path for path in paths if path.startswith(drafts)]
    for source in drafted:
        if target is None:
            raise UsageError(f"{source} lies below the drafts folder, where nothing counts; {option} moves it")
        yield Move(source, f"{target.rstrip('/')}/" if is_property else golden_target(source, target, drafted))


def _test_moves(view: View, tree: Snapshot, drafts: Sequence[_Draft]) -> Iterator[Move]:
    """The moves of the test files, where they are not done already."""
    pairs = dict.fromkeys((split_id(draft.row.id)[0], split_id(draft.new_id)[0]) for draft in drafts)
    for source, target in pairs:
        mine = [draft for draft in drafts if split_id(draft.row.id)[0] == source]
        if source == target:
            for draft in mine:
                refuse_undefined(tree, draft.new_id)
            continue
        done = [_is_moved(tree, draft) for draft in mine]
        if all(done):
            continue
        _refuse_to_part(view, tree, source, target, mine)
        yield Move(source, target)


def _is_moved(tree: Snapshot, draft: _Draft) -> bool:
    """Whether the test stands at its new place, and no longer at the old one."""
    old, new = split_id(draft.row.id), split_id(draft.new_id)
    was, now = may_define(tree, *old), may_define(tree, *new)
    if was and now:
        raise UsageError(f"{'::'.join(old[1])} stands in {old[0]} and in {new[0]}: take it out of one of them first")
    if not was and not now:
        raise UsageError(f"neither {old[0]} nor {new[0]} defines {'::'.join(new[1])}")
    return now


def _refuse_to_part(view: View, tree: Snapshot, source: str, target: str, mine: Sequence[_Draft]) -> None:
    """Raises `UsageError` where the file cannot move as a whole, saying what a human has to move."""
    names = {split_id(draft.row.id)[1] for draft in mine}
    shown = ", ".join("::".join(name) for name in sorted(names))
    by_hand = f"Move {shown} from {source} into {target} by hand, with all that it needs; then run this again"
    if any(split_id(draft.row.id)[1] != split_id(draft.new_id)[1] for draft in mine):
        raise UsageError(f"the test gets another name, and only a human can change that. {by_hand}")
    if tree.entry(target) is not None:
        raise UsageError(f"{target} is there already, and nothing is overwritten. {by_hand}")
    ids = {draft.row.id for draft in mine}
    all_ids = [row.id for ledger in view.ledgers for row in ledger.rows]
    drafts = [id_ for id_ in all_ids if split_id(id_)[0] == source and id_ not in ids]
    if drafts:
        from shlex import join

        command = f"ledgergate promote {join([*sorted(ids), *drafts[:5]])}{' ...' if len(drafts) > 5 else ''}"
        raise UsageError(f"{source} holds other drafts: promote them all at once (`{command}`). Or: {by_hand}")
    others = other_tests(tree, source, names)
    if others:
        raise UsageError(f"{source} holds other tests ({', '.join(others[:5])}). {by_hand}")
    if others is None and source.endswith(".py"):
        raise UsageError(f"{source} cannot be read as Python, so nobody can say which tests it holds. {by_hand}")
