"""Where promoted tests name a golden that moves away from them: the text of a test stays as it is."""

from __future__ import annotations

import posixpath
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
    """For each golden that moves, the lines that name it in the files of the tests whose rows pin it.

    A golden that moves along with its test stays where the test sees it from its own folder: then only lines that
    name a folder count which neither lies in any more.
    """
    now = {move.target: move.source for move in amendment.moves}
    for change in amendment.changes:
        if change.new is None or change.new.class_ != "locked_fixture":
            continue
        file, _ = split_id(change.new.id)
        for artifact in change.new.named_paths:
            if artifact in now:
                golden = Move(now[artifact], artifact)
                yield from _lines(amendment.tree, Move(now.get(file, file), file), golden)


def _lines(tree: Snapshot, test: Move, golden: Move) -> Iterator[Mention]:
    moves_along = _seen_from(test.source, golden.source) == _seen_from(test.target, golden.target)
    names = _folders(test.source) - _folders(test.target) if moves_along else {golden.source.rstrip("/").split("/")[-1]}
    words = [name.encode("utf-8", "surrogateescape") for name in names]
    lines = enumerate(tree.read(test.source).splitlines(), 1)
    found = [Mention(test.target, number, golden) for number, line in lines if any(word in line for word in words)]
    yield from found or ([] if moves_along else [Mention(test.target, None, golden)])


def _folders(path: str) -> set[str]:
    return set(path.split("/")[:-1])


def _seen_from(test: str, golden: str) -> str:
    return posixpath.relpath(golden, posixpath.dirname(test) or ".")
