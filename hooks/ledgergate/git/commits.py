"""Commits as libgit2 reads them, as records."""

from __future__ import annotations

import pygit2

from ledgergate.git.change import Commit
from ledgergate.values import Identity


def as_commit(commit: pygit2.Commit) -> Commit:
    """The record of a commit; bytes of its texts that are not UTF-8 stand as surrogates."""
    return Commit(
        id=str(commit.id),
        parents=tuple(str(parent) for parent in commit.parent_ids),
        author=_as_identity(commit.author),
        committer=_as_identity(commit.committer),
        message=commit.raw_message.decode("utf-8", "surrogateescape"),
    )


def _as_identity(signature: pygit2.Signature) -> Identity:
    return Identity(
        signature.raw_name.decode("utf-8", "surrogateescape"), signature.raw_email.decode("utf-8", "surrogateescape")
    )
