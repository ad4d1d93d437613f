"""Files that are also read under another name, since a link of the base leads to them."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ledgergate.git import Snapshot

# As many as a kernel follows before it gives up.
_MOST_HOPS = 40


class Aliases(NamedTuple):
    """The names of links by the paths to which they lead, through any number of links."""

    links: Mapping[str, tuple[str, ...]]

    def of(self, path: str) -> Iterator[str]:
        """The other names of a path: that of a link to it, or of what lies below a link to a folder above it."""
        if not self.links:
            return
        at = len(path)
        while at > 0:
            for link in self.links.get(path[:at], ()):
                yield link + path[at:]
            at = path.rfind("/", 0, at)


def aliases_in(tree: Snapshot, folders: Iterable[str]) -> Aliases:
    """The links that stand directly in some folders, where they lead to something else in the tree."""
    found: dict[str, tuple[str, ...]] = {}
    for folder in folders:
        for name in tree.links(folder):
            for target in _targets(tree, f"{folder}{name}"):
                found[target] = (*found.get(target, ()), f"{folder}{name}")
    return Aliases(found)


def _targets(tree: Snapshot, link: str) -> Iterator[str]:
    """Where a link leads, and each further one there; nothing outside of the tree."""
    path = link
    for _ in range(_MOST_HOPS):
        entry = tree.entry(path)
        if entry is None or not entry.is_link:
            return
        named = tree.read_entry(entry).decode("utf-8", "surrogateescape")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(path), named))
        if path.startswith(("/", "../")) or path in ("..", "."):
            return
        yield path
