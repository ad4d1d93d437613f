"""The items of a contract as contents for a person to look at: what stood there, and what stands there now."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from ledgergate.freeze import FreezeLedger
from ledgergate.git import Entry, Snapshot
from ledgergate.ledger import Row, measure, split_artifact
from ledgergate.ledger.inline import source_of
from ledgergate.ledger.row_text import row_lines
from ledgergate.report.alike import FileChange
from ledgergate.report.escape import short_digests
from ledgergate.values import Item
from ledgergate.vouch import Case, Side

_NOTHING = "nothing"


def contract_changes(case: Case, items: Iterable[Item]) -> Iterator[FileChange]:
    """Each item's text before and after; after the rows the contents that they pin, once however many rows do."""
    items = tuple(items)
    for item in items:
        old, new = (_text(side, item) for side in (case.base, case.head))
        yield FileChange(item.subject, old, new, _note(case, item), noun=item.kind)
    rows = [(case.base.ledgers.rows.get(item.subject), case.head.ledgers.rows.get(item.subject)) for item in items]
    pinned = dict.fromkeys(path for pair in rows for row in pair if row is not None for path in row.artifacts)
    for artifact in pinned:
        yield from _contents(artifact, case.change.base, case.change.head)


def _note(case: Case, item: Item) -> str:
    values = " -> ".join(short_digests(value or _NOTHING) for value in (item.old, item.new))
    change = case.change.by_path.get(item.subject) if item.kind == "file" else None
    modes = [f"{entry.mode:06o}" for entry in (change.old, change.new) if entry] if change else []
    return (
        f"{values}  mode {' -> '.join(modes)}" if len(set(modes)) > 1 or modes[-1:] not in ([], ["100644"]) else values
    )


def _text(side: Side, item: Item) -> bytes | None:
    if item.kind == "row":
        row = side.ledgers.rows.get(item.subject)
        return None if row is None else _row_text(row)
    if item.kind == "file":
        entry = side.snapshot.entry(item.subject)
        return None if entry is None else _bytes(side.snapshot, entry)
    return None if side.freeze is None else _freeze_text(side.freeze, item)


def _row_text(row: Row) -> bytes:
    return "".join(row_lines(row)).encode("utf-8", "surrogateescape")


def _freeze_text(ledger: FreezeLedger, item: Item) -> bytes | None:
    fields: Mapping[str, object] | None
    if item.kind == "settings":
        fields = None if ledger.settings is None else ledger.settings.fields
    else:
        fields = next((freeze.fields for freeze in ledger.freezes if freeze.id == item.subject), None)
    if fields is None:
        return None
    return "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in fields.items()).encode()


def _contents(artifact: str, base: Snapshot, head: Snapshot) -> Iterator[FileChange]:
    old, new = (measure(tree, artifact, allow_empty=True).digest for tree in (base, head))
    note = " -> ".join(short_digests(digest or _NOTHING) for digest in (old, new))
    if split_artifact(artifact)[1]:
        before, after = source_of(base, artifact), source_of(head, artifact)
        if before != after:
            yield FileChange(artifact, before, after, note, noun="test")
        return
    before_files, after_files = (_files(artifact, tree) for tree in (base, head))
    for path in sorted(before_files.keys() | after_files.keys()):
        one, two = before_files.get(path), after_files.get(path)
        if one != two:
            yield FileChange(
                path, None if one is None else _bytes(base, one), None if two is None else _bytes(head, two), note
            )


def _files(artifact: str, tree: Snapshot) -> dict[str, Entry]:
    if artifact.endswith("/"):
        return dict(tree.files(artifact))
    entry = tree.entry(artifact)
    return {} if entry is None else {artifact: entry}


def _bytes(tree: Snapshot, entry: Entry) -> bytes:
    return f"(the submodule commit {entry.oid})\n".encode() if entry.is_submodule else tree.read_entry(entry)
