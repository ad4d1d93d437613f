"""A tree with some files put in place of others, as git would store them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ledgergate.errors import LedgergateError
from ledgergate.git.plumbing import Finished
from ledgergate.git.repository import Repository
from ledgergate.git.snapshot import Entry, Snapshot

_PLAIN_FILE = 0o100644


def overlaid(repository: Repository, snapshot: Snapshot, files: Mapping[str, bytes | Entry | None]) -> Snapshot:
    """The snapshot with these files: contents (filtered as `git add` would), entries of other trees, or None for none.

    The user's index stays as it is. Raises `LedgergateError` where git cannot store it.
    """
    import tempfile

    lines = b"".join(_line(repository, snapshot, path, content) for path, content in files.items())
    try:
        with tempfile.TemporaryDirectory(prefix="ledgergate-") as folder:
            env = {"GIT_INDEX_FILE": str(Path(folder) / "index")}
            if snapshot.root:
                _check(repository.git("read-tree", snapshot.id, env=env))
            _check(repository.git("update-index", "-z", "--index-info", env=env, stdin=lines))
            done = _check(repository.git("-c", "core.fsmonitor=false", "write-tree", env=env))
    except OSError as error:
        raise LedgergateError("git-unreadable", f"there is no place for a second index: {error}") from error
    tree = repository.tree_snapshot(_text(done))
    for path, content in files.items():
        # Git passes over paths that it does not like.
        if (tree.entry(path) is None) != (content is None):
            raise LedgergateError("git-unreadable", "git does not store a file of this name", path=path)
    return tree


def _line(repository: Repository, snapshot: Snapshot, path: str, content: bytes | Entry | None) -> bytes:
    name = path.encode("utf-8", "surrogateescape")
    if content is None:
        return b"0 " + b"0" * 40 + b"\t" + name + b"\0"
    if isinstance(content, bytes):
        stored = _check(repository.git("hash-object", "-w", "--path", path, "--stdin", stdin=content))
        old = snapshot.entry(path)
        content = Entry(_PLAIN_FILE if old is None else old.mode, _text(stored))
    return f"{content.mode:o} {content.oid}\t".encode() + name + b"\0"


def _check(done: Finished) -> Finished:
    if done.status != 0:
        raise LedgergateError("git-unreadable", f"git cannot make the tree that would be staged: {done.stderr}")
    return done


def _text(done: Finished) -> str:
    return done.stdout.decode("ascii", "backslashreplace").strip()
