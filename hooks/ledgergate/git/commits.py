"""Commits, read from their bytes."""

from __future__ import annotations

from typing import NamedTuple

from ledgergate.values import Identity

_ONCE = ("tree", "author", "committer")


class Commit(NamedTuple):
    """One commit. `message` is text; bytes that are not UTF-8 stand as surrogates."""

    id: str
    tree: str
    parents: tuple[str, ...]
    author: Identity
    committer: Identity
    message: str


def parse_commit(oid: str, data: bytes) -> Commit:
    """The record of a commit object; bytes of its texts that are not UTF-8 stand as surrogates.

    What a clone knows beside the object (replacements, where it is shallow) plays no part. Raises `ValueError`, which
    says why, for one that git would not write.
    """
    header, _, message = data.decode("utf-8", "surrogateescape").partition("\n\n")
    # What goes on in further lines, a signature for instance, has a blank before each of them.
    fields = [line.partition(" ")[::2] for line in header.split("\n")]
    trees, authors, committers = ([value for key, value in fields if key == name] for name in _ONCE)
    if not len(trees) == len(authors) == len(committers) == 1:
        raise ValueError("it has no tree, author or committer, or several")
    return Commit(
        id=oid,
        tree=trees[0],
        parents=tuple(value for key, value in fields if key == "parent"),
        author=_as_identity(authors[0]),
        committer=_as_identity(committers[0]),
        message=message,
    )


def _as_identity(line: str) -> Identity:
    """`Name <address> seconds zone`: the address is what the last brackets hold."""
    person, closing, _ = line.rpartition(">")
    name, opening, email = person.rpartition("<")
    if not (opening and closing):
        raise ValueError("its author or committer has no address in brackets")
    return Identity(name.strip(), email.strip())
