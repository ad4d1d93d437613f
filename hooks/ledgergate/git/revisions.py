"""What people write for a commit: whether it could mean two, and what helps where it names none."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from ledgergate.errors import LedgergateError
from ledgergate.git.regular import regular_bytes
from ledgergate.values import display_path

# Git knows the tree that holds nothing by its id, in every repository.
EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
# What git keeps beside the references (HEAD, FETCH_HEAD, ...), and whole names; and what a file begins with that names
# a commit.
_GITS_OWN = re.compile(r"[A-Z_]+|refs/.*", re.DOTALL)
_LEADS_ON = re.compile(rb"ref:|[0-9a-f]{40}")
_FETCHABLE = re.compile(r"[\w.+][\w.+/-]*")


def refuse_ambiguous(revision: str, tip_of: Callable[[str], str | None]) -> None:
    """A tag named like a branch, or like a short id, would otherwise choose what is compared.

    `tip_of` gives the object to which a reference leads, by its whole name, or None. Raises `LedgergateError`.
    """
    name = _reference_in(revision)
    if not name or name == "HEAD":
        return
    spelt = ("refs/{}", "refs/tags/{}", "refs/heads/{}", "refs/remotes/{}", "refs/remotes/{}/HEAD")
    found = {full: tip for form in spelt if (tip := tip_of(full := form.format(name))) is not None}
    is_id = re.fullmatch(r"[0-9a-f]{4,39}", name) is not None
    if len(set(found.values())) > 1 or (is_id and found):
        raise LedgergateError(
            "git-unreadable",
            f"{quoted(revision)} is ambiguous: {' and '.join([*found, *(['a commit id'] if is_id else [])])}",
            remedy="Write in full which one is meant, beginning with refs/, or as a whole commit id.",
        )


def refuse_stray(revision: str, folders: Iterable[Path]) -> None:
    """A file `main` in git's own folder would be taken before any branch of that name.

    `folders` are git's, that of this work tree and the common one. Raises `LedgergateError`.
    """
    name = _reference_in(revision)
    if not name or _GITS_OWN.fullmatch(name):
        return
    for folder in folders:
        try:
            data = regular_bytes(folder / name)
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            continue
        except (OSError, ValueError) as error:
            raise LedgergateError(
                "git-unreadable", f"cannot look for {quoted(revision)} in {folder}: {error}"
            ) from error
        if _LEADS_ON.match(data):
            raise LedgergateError(
                "git-unreadable",
                f"{quoted(revision)} is ambiguous: git would take the file {folder / name} for it, which is no branch",
                remedy="Remove that file, or write in full which branch is meant, beginning with refs/.",
            )


def _reference_in(revision: str) -> str:
    """The name that a revision begins with, before what is said of its ancestors, its log or its tree."""
    return re.split(r"[~^@:]", revision, maxsplit=1)[0]


def next_step(revision: str, *, is_shallow: bool) -> str:
    """What helps where no commit is found. Only the name of a branch or tag, or an id, can be fetched."""
    if revision == "HEAD":
        return "HEAD names a branch that has no commit yet: make the first one, or name another branch."
    if set(revision) == {"0"}:
        return "Forges write this id where there was no commit before: name the branch to compare with instead."
    if not _FETCHABLE.fullmatch(revision) or ".." in revision:
        return "A revision is one branch, one tag or one commit id, as in `--to HEAD` or `--to origin/main`."
    deepened = "--unshallow " if is_shallow else ""
    remote, slash, branch = revision.removeprefix("refs/remotes/").partition("/")
    if slash and (remote == "origin" or revision.startswith("refs/remotes/")):
        # Where one branch was cloned, a plain fetch brings no other.
        fetched = f"{remote} +refs/heads/{branch}:refs/remotes/{remote}/{branch}"
        return f"Bring it into this clone: git fetch {deepened}{fetched}"
    return f"Bring it into this clone: git fetch {deepened}origin {revision}"


def quoted(revision: str) -> str:
    """The revision for a message, in one line."""
    return repr(revision) if revision.isprintable() else display_path(revision)
