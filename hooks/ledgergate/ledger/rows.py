"""The records of a test ledger: its rows, what is wrong with it, and the whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ledgergate.ledger.paths import split_artifact

Value = str | tuple[str, ...]


class Row(NamedTuple):
    """One row: what the ledger says about one test id.

    `line` counts from 1 and is where the row's first key stands. `fields` is the whole mapping, `id` and `class`
    included, each scalar the text that stands in the file and each list a tuple of such texts. A row with a problem is
    a Row too, so every property copes with fields that are missing or of the wrong form.
    """

    id: str
    class_: str
    line: int
    fields: Mapping[str, Value]

    @classmethod
    def of(cls, fields: Mapping[str, Value], line: int = 0) -> Row:
        """The row with these fields; an `id` or `class` that is missing or no text counts as empty."""
        id_, class_ = fields.get("id"), fields.get("class")
        return cls(id_ if isinstance(id_, str) else "", class_ if isinstance(class_, str) else "", line, fields)

    @property
    def artifacts(self) -> tuple[str, ...]:
        """The artifacts that the row names, in its order; one text counts as a list of one."""
        return _as_tuple(self.fields.get("artifact", ()))

    @property
    def digests(self) -> tuple[str, ...]:
        """The digests, each for the artifact at the same place (a row without problems has as many)."""
        return _as_tuple(self.fields.get("digest", ()))

    @property
    def seeds(self) -> str | None:
        """The seed folder, with its closing slash, or None."""
        seeds = self._text("seeds")
        return seeds if seeds is None or seeds.endswith("/") else f"{seeds}/"

    @property
    def pinned_paths(self) -> tuple[str, ...]:
        """The paths that the row holds to something: its artifacts and its seed folder; a folder ends in a slash.

        Of an inline artifact that is the file in which the test stands.
        """
        artifact = self.fields.get("artifact")
        if type(artifact) is str and "seeds" not in self.fields:
            return (artifact,) if "::" not in artifact else (split_artifact(artifact)[0],)
        paths = tuple(dict.fromkeys(split_artifact(artifact)[0] for artifact in self.artifacts))
        seeds = self.seeds
        return paths if seeds is None else (*paths, seeds)

    @property
    def named_paths(self) -> tuple[str, ...]:
        """The paths whose very bytes the row pins: `pinned_paths` without the files of inline artifacts."""
        artifact = self.fields.get("artifact")
        if type(artifact) is str and "seeds" not in self.fields:
            return () if "::" in artifact else (artifact,)
        named = tuple(artifact for artifact in self.artifacts if "::" not in artifact)
        seeds = self.seeds
        return named if seeds is None else (*named, seeds)

    @property
    def is_inline(self) -> bool:
        """Whether the row pins the source of a test."""
        return any("::" in artifact for artifact in self.artifacts)

    @property
    def lfs(self) -> bool:
        return self.fields.get("lfs") == "true"

    @property
    def allow_empty(self) -> bool:
        return self.fields.get("allow_empty") == "true"

    @property
    def params(self) -> int | None:
        """How many parametrised cases the row wants at least; None where it covers exactly its id."""
        text = self._text("params")
        return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 10 else None

    @property
    def canonical(self) -> bytes:
        """The row's canonical JSON: the whole mapping, texts as they stand, keys sorted, no spaces, UTF-8 unescaped."""
        import json

        text = json.dumps(dict(self.fields), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return text.encode("utf-8")

    @property
    def fingerprint(self) -> str:
        """`sha256:<hex>` of the canonical JSON: what an approval of the row names. The line is no part of it."""
        import hashlib

        return f"sha256:{hashlib.sha256(self.canonical).hexdigest()}"

    def _text(self, field: str) -> str | None:
        value = self.fields.get(field)
        return value if isinstance(value, str) else None


class Problem(NamedTuple):
    """One thing that is wrong with a ledger. `line` counts from 1; `subject` is the row's id where one is known."""

    rule: str
    line: int
    subject: str | None
    message: str
    remedy: str | None = None


class Ledger(NamedTuple):
    """What one ledger file says.

    `rows` stand in the file's order, one an id; `by_id` finds them. Rows with a problem are among them, so that a
    comparison sees what became of them; of a doubled id only the first is. A file that cannot be read as a whole has no
    rows, and one problem `ledger-unreadable`, which is the last.
    """

    path: str
    rows: tuple[Row, ...]
    by_id: Mapping[str, Row]
    problems: tuple[Problem, ...]

    @property
    def sound_rows(self) -> tuple[Row, ...]:
        """The rows that have no problem of their own: the ones whose artifacts and seeds can be measured."""
        if not self.problems:
            return self.rows
        faulty = {problem.subject for problem in self.problems}
        return tuple(row for row in self.rows if row.id not in faulty)


def _as_tuple(value: Value) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else value
