"""An amendment of rows, as lines of text and as contents for a person to look at."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from ledgergate.freeze import Freeze
from ledgergate.git import Snapshot
from ledgergate.git.patch import text_patch
from ledgergate.ledger import Row, measure, split_artifact
from ledgergate.ledger.inline import source_of
from ledgergate.ledger.row_text import row_lines
from ledgergate.report.alike import FileChange
from ledgergate.report.escape import short_digests
from ledgergate.values import display_path, display_text


def row_difference(old: Row | None, new: Row | None, ledger: str) -> Iterator[str]:
    """A row before and after: each line that goes with a `-`, each that comes with a `+`."""
    before, after = ("".join(row_lines(row)) if row else "" for row in (old, new))
    done = "removed" if new is None else "added" if old is None else "changed"
    yield f"row {done} in {display_path(ledger)}:"
    for line in text_patch(before.encode("utf-8", "surrogateescape"), after.encode("utf-8", "surrogateescape")):
        text = line.decode("utf-8", "replace")
        if not text.startswith(("@@", "\\")):
            yield display_text(text)


def freeze_difference(old: Freeze | None, new: Mapping[str, object] | None, ledger: str) -> Iterator[str]:
    """A freeze before and after, key by key."""
    done = "removed" if new is None else "added" if old is None else "changed"
    yield f"freeze {done} in {display_path(ledger)}:"
    for sign, fields in (("-", old.fields if old else {}), ("+", new or {})):
        yield from (f"{sign} {display_text(f'{key}: {_shown(value)}')}" for key, value in fields.items())


def _shown(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def held_contents(held: Iterable[tuple[str, str]], tree: Snapshot) -> Iterator[FileChange]:
    """The contents that rows are about to pin: pairs of an artifact's path and where it stands in the tree now."""
    for artifact, path in held:
        if split_artifact(path)[1]:
            digest = measure(tree, path).digest
            yield FileChange(artifact, None, source_of(tree, path), short_digests(digest or ""), noun="test")
            continue
        entry = tree.entry(path)
        files = list(tree.files(path)) if entry is None else [(path, entry)]
        digest = measure(tree, path, allow_empty=True).digest
        for file, found in files:
            if found.is_file:
                name = artifact + file.removeprefix(path) if path.endswith("/") else artifact
                yield FileChange(name, None, tree.read_entry(found), short_digests(digest or ""))
