"""Whether a test is one that had another id, and what its row then says."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ledgergate.adopt.readers import Read
from ledgergate.ledger import Row, file_digest, split_id


class Movers:
    """Compares tests before and now: `before` reads the files of the last commit, `now` those of the working tree."""

    def __init__(self, before: Read, now: Read) -> None:
        self._before = before
        self._now = now

    def is_same(self, row: Row, id_: str) -> bool:
        """Whether the test with this id is the row's: its own digest holds there, or its body is what it was."""
        renamed = self.renamed(row, id_)
        if renamed is not None and renamed.digests == row.digests and any(map(_is_inline, row.artifacts)):
            return True
        old, new = (_body(read, *split_id(name)) for read, name in ((self._before, row.id), (self._now, id_)))
        return renamed is not None and old is not None and old == new

    def renamed(self, row: Row, id_: str) -> Row | None:
        """The row under the test's new id; None where what it is held to is not there.

        Inline artifacts follow the test, with the digest that they have there. A golden that has moved along, into a
        folder or file called like the new module, is followed where its bytes are the same.
        """
        artifacts, digests = list(row.artifacts), list(row.digests)
        for number, artifact in enumerate(artifacts):
            place = self._place(row, id_, artifact, digests[number] if number < len(digests) else None)
            if place is None:
                return None
            artifacts[number] = place[0]
            if number < len(digests) and place[1] is not None:
                digests[number] = place[1]
        fields = {**row.fields, "id": id_}
        for name, values in (("artifact", artifacts), ("digest", digests)):
            if name in fields:
                fields[name] = values[0] if isinstance(fields[name], str) else tuple(values)
        return Row.of(fields, row.line)

    def _place(self, row: Row, id_: str, artifact: str, digest: str | None) -> tuple[str, str | None] | None:
        """Where an artifact is now, and its digest there (None: as it was)."""
        if _is_inline(artifact):
            return self._inline(row, id_, artifact)
        if artifact.endswith("/") or self._now(artifact) is not None:
            return artifact, None
        old, new = (_stem(split_id(name)[0]) for name in (row.id, id_))
        for place in (artifact.replace(old, new), artifact.replace(_last(old), _last(new))):
            data = self._now(place)
            if data is not None and file_digest(data) == digest:
                return place, None
        return None

    def _inline(self, row: Row, id_: str, artifact: str) -> tuple[str, str | None] | None:
        from ledgergate.source.inline import inline_digest

        own = row.id.partition("[")[0]
        place = id_.partition("[")[0] if artifact == own else artifact
        file, names = split_id(place)
        data = self._now(file)
        digest = None if data is None else inline_digest(data, names)
        return (place, digest) if isinstance(digest, str) else None


def _body(read: Read, file: str, names: Sequence[str]) -> str | None:
    """The function at the end of `names` as a syntax tree without its name, in a form that can be compared."""
    data = read(file)
    if data is None:
        return None
    try:
        found: ast.AST = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    for name in names:
        inside = [node for node in getattr(found, "body", ()) if getattr(node, "name", None) == name]
        if len(inside) != 1:
            return None
        found = inside[0]
    if not isinstance(found, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return None
    # The name is no part of what a test does.
    found.name = ""
    return ast.dump(found)


def _is_inline(artifact: str) -> bool:
    return "::" in artifact


def _stem(file: str) -> str:
    return file.removesuffix(".py")


def _last(path: str) -> str:
    return path.rpartition("/")[2]
