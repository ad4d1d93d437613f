"""The difference of two texts, by git's own algorithm."""

from __future__ import annotations

import pygit2

from ledgergate.git.objects import READ_ERRORS, unreadable


def text_patch(old: bytes, new: bytes) -> list[bytes]:
    """The hunks of a unified diff, line by line and without line ends; empty for equal texts.

    Raises `LedgergateError` where libgit2 cannot make one.
    """
    try:
        patch = pygit2.Patch.create_from(old, new, context_lines=3).data
    except READ_ERRORS as error:
        raise unreadable("the difference of two files", error) from error
    start = patch.find(b"\n@@ ")
    return patch[start + 1 :].removesuffix(b"\n").split(b"\n") if start != -1 else []
