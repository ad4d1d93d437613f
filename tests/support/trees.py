"""Tree objects of any bytes, past what git itself would write."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from support.repo import Repo

# A mode, a name and the object's hexadecimal id.
Stored = tuple[bytes, bytes, str]


def tree_bytes(entries: Iterable[Stored]) -> bytes:
    return b"".join(mode + b" " + name + b"\0" + bytes.fromhex(oid) for mode, name, oid in entries)


def in_order(entries: Iterable[Stored]) -> list[Stored]:
    """In the order of git: a folder sorts as if its name ended in a slash."""
    return sorted(entries, key=lambda entry: entry[1] + (b"/" if entry[0] == b"40000" else b""))


def listed(repo: Repo, tree: str) -> list[Stored]:
    lines = repo.git("ls-tree", "-z", tree).split("\0")[:-1]
    split = [[*line.split(None, 3)[:3], line.split("\t", 1)[1]] for line in lines]
    return [(mode.lstrip("0").encode(), name.encode("utf-8", "surrogateescape"), oid) for mode, _, oid, name in split]


def store(repo: Repo, entries: Iterable[Stored]) -> str:
    """The id of a tree with these entries as they stand."""
    return repo.git("hash-object", "-t", "tree", "-w", "--literally", "--stdin", stdin=tree_bytes(entries))


def commit_edited(repo: Repo, folder: str, edit: Callable[[list[Stored]], list[Stored]]) -> str:
    """A commit on HEAD in which the entries of one folder (empty for the root) are edited, whatever comes of it."""
    tree = store(repo, edit(listed(repo, f"HEAD:{folder}")))
    while folder:
        folder, _, name = folder.rpartition("/")
        above = listed(repo, f"HEAD:{folder}")
        tree = store(repo, [(m, n, tree if n == name.encode() else oid) for m, n, oid in above])
    return repo.git("commit-tree", "-p", "HEAD", "-m", "edited", tree)
