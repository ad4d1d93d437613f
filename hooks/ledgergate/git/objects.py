"""The objects of a repository, as bytes and as folders."""

from __future__ import annotations

from functools import cached_property, lru_cache
from shlex import quote

import pygit2
from pygit2.enums import ObjectType

from ledgergate.errors import LedgergateError
from ledgergate.git.commits import Commit, parse_commit
from ledgergate.git.loose import LooseObjects
from ledgergate.git.tree import Folder, parse_tree
from ledgergate.values import display_path

# What reading an object can raise: absent (KeyError), of another type or corrupt (GitError, ValueError), disk trouble.
READ_ERRORS = (KeyError, ValueError, TypeError, OSError, pygit2.GitError)
# Neighbouring commits share most of their folders.
_FOLDERS_KEPT = 4096


def unreadable(what: str, error: BaseException) -> LedgergateError:
    """The error for an object that git cannot give us: never "nothing there"."""
    detail = error.args[0] if isinstance(error, KeyError) and error.args else error
    return LedgergateError("git-unreadable", f"{what} cannot be read: {detail}")


class Objects:
    """Reads by whole hexadecimal ids. Whatever cannot be read is a `LedgergateError`."""

    def __init__(self, repository: pygit2.Repository, loose: LooseObjects) -> None:
        self._repository = repository
        self._loose = loose
        self._folder = lru_cache(_FOLDERS_KEPT)(self._parse_folder)

    def unreadable(self, what: str, error: BaseException) -> LedgergateError:
        """The error for an object that git cannot give us, with what brings it where the clone is partial."""
        found = unreadable(what, error)
        if not isinstance(error, KeyError) or self._promisor is None:
            return found
        fetch = f"`git fetch --refetch --no-filter {self._promisor}` brings all that it lacks"
        return LedgergateError(
            found.rule,
            f"{found.message} (this clone is partial, and left it at the remote)",
            remedy=f"Agent, human: {fetch}; in CI, check out without a filter.",
        )

    @cached_property
    def _promisor(self) -> str | None:
        """What brings all from the remote that keeps what this clone was made without; None where it is whole."""
        try:
            for entry in self._repository.config:
                name = entry.name
                if (
                    name.startswith("remote.")
                    and name.endswith(".promisor")
                    and entry.value not in ("false", "no", "0")
                ):
                    remote = quote(name.removeprefix("remote.").removesuffix(".promisor"))
                    # A bare clone keeps no list of what to fetch, and would fetch the remote's HEAD alone.
                    return f"{remote} '+refs/heads/*:refs/heads/*'" if self._repository.is_bare else remote
        except READ_ERRORS:
            # It is only for the way out; what is missing is told all the same.
            return None
        return None

    def find(self, oid: str | pygit2.Oid) -> pygit2.Object:
        """Any object. Raises what reading can raise (`READ_ERRORS`), too."""
        self._loose.refuse_cut(str(oid))
        return self._repository[oid]

    def blob(self, oid: str) -> bytes:
        """The bytes of a file."""
        return self._read(oid, ObjectType.BLOB, f"object {oid}", "file")

    def commit(self, oid: str) -> Commit:
        """The record of a commit."""
        data = self._read(oid, ObjectType.COMMIT, f"commit {oid}", "commit")
        try:
            return parse_commit(oid, data)
        except ValueError as error:
            raise unreadable(f"commit {oid}", error) from error

    def folder(self, oid: bytes, path: str) -> Folder:
        """What stands directly in the tree with this binary id; `path` names it in the error."""
        try:
            return self._folder(oid)
        except ValueError as error:
            tree = oid.hex()
            raise LedgergateError(
                "git-unreadable",
                f"the stored folder {display_path(path or '/')} is malformed: {error}",
                remedy=f"git stores no such folder itself. Look at it with `git ls-tree {tree}`; to store it anew, "
                "check out the commit before it, and add the files with `git add`.",
            ) from error
        except READ_ERRORS as error:
            raise self.unreadable(f"folder {display_path(path)}", error) from error

    def _parse_folder(self, oid: bytes) -> Folder:
        kind, data = self._raw(oid.hex())
        if kind != ObjectType.TREE:
            raise ValueError("its object is no tree")
        return parse_tree(data)

    def _read(self, oid: str, wanted: ObjectType, what: str, noun: str) -> bytes:
        try:
            kind, data = self._raw(oid)
        except READ_ERRORS as error:
            raise self.unreadable(what, error) from error
        if kind != wanted:
            raise LedgergateError("git-unreadable", f"object {oid} is no {noun}")
        return data

    def _raw(self, oid: str) -> tuple[int, bytes]:
        self._loose.refuse_cut(oid)
        found: tuple[int, bytes] = self._repository.read(oid)
        return found
