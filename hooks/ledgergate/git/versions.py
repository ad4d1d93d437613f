"""Which libgit2 reads the repositories."""

from __future__ import annotations

from importlib.metadata import version

import pygit2


def libgit2_version() -> str:
    """The versions of libgit2 and of pygit2, which calls it."""
    return f"libgit2 {pygit2.LIBGIT2_VERSION}, pygit2 {version('pygit2')}"
