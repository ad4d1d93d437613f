"""What the checks of tests are worth, and the digests of their sources; each looked up once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ledgergate.adopt.readers import Read

if TYPE_CHECKING:
    from ledgergate.source.strength import Strength


class Worth(NamedTuple):
    """`digest` is that of the source; None where its checks cannot fail, where nobody asked, or it cannot be told."""

    strength: Strength
    digest: str | None


class Worths:
    """Knows the tests of a repository by file and names; `read` gives a file's bytes, or None where there is none.

    Digests are taken only where someone may want them (`inline`).
    """

    def __init__(self, read: Read, *, inline: bool) -> None:
        self._read = read
        self._inline = inline
        self.of = lru_cache(maxsize=None)(self._look)

    def prepare(self, files: Iterable[str]) -> None:
        """Look at the tests that these files define themselves; that can be done beforehand."""
        from ledgergate.source.listing import listed_tests

        for file in files:
            listed = listed_tests(self._read(file) or b"")
            for names in listed if isinstance(listed, list) else ():
                self.of(file, names)

    def _look(self, file: str, names: Sequence[str]) -> Worth | None:
        """None where there is no such file."""
        from ledgergate.source.inline import inline_digest
        from ledgergate.source.strength import Strength, check_strength

        data = self._read(file)
        if data is None:
            return None
        strength = check_strength(data, names)
        digest = inline_digest(data, names) if self._inline and strength is Strength.CAN_FAIL else None
        return Worth(strength, digest if isinstance(digest, str) else None)
