"""The acks that stand in a snapshot, by whomever, of which nothing is believed yet."""

from __future__ import annotations

from collections.abc import Iterator

from ledgergate.git import Entry, Snapshot
from ledgergate.policy.model import ACKS_FOLDER
from ledgergate.vouch.acks.document import Ack, AckError, read_ack


def ack_of(snapshot: Snapshot, entry: Entry | None) -> Ack | None:
    """The ack that an entry of a snapshot holds; None where it is no file, or holds none. Raises `LedgergateError`."""
    if entry is None or not entry.is_file:
        return None
    try:
        return read_ack(snapshot.read_entry(entry))
    except AckError:
        return None


def acks_in(snapshot: Snapshot) -> Iterator[Ack]:
    """All of them; a file below their folder that holds none says nothing. Raises `LedgergateError`."""
    for _, entry in snapshot.files(ACKS_FOLDER):
        ack = ack_of(snapshot, entry)
        if ack is not None:
            yield ack
