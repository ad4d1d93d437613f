"""What a snapshot and a folder on the disk have in common."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ledgergate.git.snapshot import Entry


class Files(Hashable, Protocol):
    """Files by their git paths, read-only. Methods mean what those of `Snapshot` do."""

    def entry(self, path: str, /) -> Entry | None: ...

    def is_folder(self, path: str, /) -> bool: ...

    def names(self, folder: str, /) -> tuple[str, ...]: ...

    def files(self, folder: str = "", /) -> Iterator[tuple[str, Entry]]: ...

    def read_entry(self, entry: Entry, /) -> bytes: ...
