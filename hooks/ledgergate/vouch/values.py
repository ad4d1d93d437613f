"""What stands at a place in one tree, as an item or an ack would name it.

A *place* is what an item is about: its kind, and its subject as it stands in an ack, percent-encoded. A *value* is the
digest of what is there, or None for nothing.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable

from ledgergate.freeze import fingerprint_of
from ledgergate.git import Entry, Snapshot
from ledgergate.vouch.sides import Side

Place = tuple[str, str]

# How a byte of a path that is not UTF-8 stands in a subject.
_ENCODED = re.compile(r"%([89A-F][0-9A-F])")


def value_in(snapshot: Snapshot, side_of: Callable[[Snapshot], Side], place: Place) -> str | None:
    """What stands at a place of a tree, whose ledgers `side_of` reads if it takes them. Raises `LedgergateError`."""
    kind, subject = place
    if kind == "file":
        entries = (snapshot.entry(path) for path in paths_named(subject))
        return next((entry_digest(snapshot, entry) for entry in entries if entry is not None), None)
    side = side_of(snapshot)
    if kind == "row":
        row = side.ledgers.rows.get(subject)
        return None if row is None else row.fingerprint
    return fingerprint_of(side.freeze, "freeze" if kind == "freeze" else "settings", subject)


def entry_digest(snapshot: Snapshot, entry: Entry) -> str:
    """The digest of a file's bytes; of a submodule, which has none here, that of the commit that it names."""
    data = entry.oid.encode() if entry.is_submodule else snapshot.read_entry(entry)
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def paths_named(subject: str) -> tuple[str, ...]:
    """The paths that the subject of a file may mean: as it is written, or with bytes for what is percent-encoded."""
    if "%" not in subject:
        return (subject,)
    return (subject, _ENCODED.sub(lambda found: chr(0xDC00 + int(found[1], 16)), subject))
