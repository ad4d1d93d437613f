"""Tree objects, read strictly from their bytes.

git, libgit2 and a checkout each make something else of a tree that git itself would never write: a mode such as 120777
is a file to one and a link to another, and a name that holds a slash lands in another folder. No such tree is taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

# What stands directly in a folder: by name, in stored order, git's mode as it is written and the object's binary id.
Folder = Mapping[bytes, tuple[bytes, bytes]]

FOLDER_MODE = b"40000"
LINK_MODE = b"120000"
# Early versions of git recorded the group's right to write; git has read it as 100644 ever since.
_GROUP_WRITABLE = b"100664"

_ENTRY = re.compile(rb"(40000|100644|100755|100664|120000|160000) ([^/\0]+)\0(.{20})", re.DOTALL)
# The blank and the zero byte.
_WITHIN_ENTRY = 1 + 1
# What a Mac's disk leaves out of a name.
_UNSEEN = rb"(?:\xe2\x80[\x8c-\x8f\xaa-\xae]|\xe2\x81[\xaa-\xaf]|\xef\xbb\xbf)*"
_FOR_HFS = _UNSEEN.join((b"", rb"\.", b"g", b"i", b"t", b""))
# What Windows takes for the same name: blanks and dots at the end, a stream, the short name; `\` parts folders there.
_FOR_NTFS = rb"(?:.*\\)?(?:\.git|git~1)[ .]*(?:[:\\].*)?"
_GITS_OWN = re.compile(_FOR_HFS + b"|" + _FOR_NTFS, re.IGNORECASE | re.DOTALL)
# One of these is in each such name, and in few others.
_HINTS = (b"git", b"\xe2\x80", b"\xe2\x81", b"\xef\xbb\xbf")


def parse_tree(data: bytes) -> Folder:
    """The entries of a tree object. Raises `ValueError`, which says why, for one that git would not write.

    Such are: a mode other than those of folders, files, links and submodules; a name that is empty, holds a slash, or
    stands for the folder itself, the one above or git's own; names that stand twice or out of order.
    """
    found = _ENTRY.findall(data)
    # A range reads thousands of trees: what is done for each entry is left to functions written in C.
    if sum(map(len, map(b"".join, found))) + _WITHIN_ENTRY * len(found) != len(data):
        raise ValueError("a mode or a name in it is none that git writes")
    if _GROUP_WRITABLE in data:
        found = [(b"100644" if mode == _GROUP_WRITABLE else mode, name, oid) for mode, name, oid in found]
    folder = {name: (mode, oid) for mode, name, oid in found}
    keys = [name + b"/" if mode == FOLDER_MODE else name for mode, name, _ in found]
    if len(folder) < len(found) or keys != sorted(keys):
        # Who looks a name up in such a tree may find another entry than who walks it.
        raise ValueError("names stand twice in it, or out of order")
    unusable = next(_unusable(folder), None)
    if unusable is not None:
        raise ValueError(f"a name in it, {unusable!r}, is one that git does not check out")
    return folder


def _unusable(folder: Folder) -> Iterator[bytes]:
    yield from (name for name in (b".", b"..") if name in folder)
    together = b"\0".join(folder).lower()
    if any(hint in together for hint in _HINTS):
        yield from filter(_GITS_OWN.fullmatch, folder)
