"""Where promoted tests name a golden that moves away from them: the text of a test stays as it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ledgergate.amend.records import Amendment, Move
from ledgergate.git import Snapshot
from ledgergate.ledger import split_id


class Mention(NamedTuple):
    """A line (None: no line says so) of a test file, as it will be called, and the move of the golden."""

    file: str
    line: int | None
    golden: Move


def golden_mentions(amendment: Amendment) -> Iterator[Mention]:
    """For each golden that moves, the lines that name it in the files of the tests whose rows pin it."""
    now = {move.target: move.source for move in amendment.moves}
    for change in amendment.changes:
        if change.new is None or change.new.class_ != "locked_fixture":
            continue
        file, _ = split_id(change.new.id)
        for artifact in change.new.named_paths:
            if artifact in now:
                golden = Move(now[artifact], artifact)
                yield from _lines(amendment.tree, now.get(file, file), file, golden)


def _lines(tree: Snapshot, place: str, file: str, golden: Move) -> Iterator[Mention]:
    name = golden.source.rstrip("/").rpartition("/")[2].encode("utf-8", "surrogateescape")
    lines = tree.read(place).splitlines()
    found = [Mention(file, number, golden) for number, line in enumerate(lines, 1) if name in line]
    yield from found or [Mention(file, None, golden)]
