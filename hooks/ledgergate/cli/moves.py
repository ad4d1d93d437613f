"""Moving files, tracked or not, without ever writing over one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ledgergate.amend import Move
from ledgergate.cli.working import file_at
from ledgergate.errors import LedgergateError
from ledgergate.git import Repository

_LITERAL = {"GIT_LITERAL_PATHSPECS": "1"}


@contextmanager
def moved(repository: Repository, moves: Iterable[Move]) -> Iterator[None]:
    """Make the moves; take them back where the work inside fails. Raises `LedgergateError`."""
    begun: list[Move] = []
    try:
        for move in moves:
            begun.append(move)
            _move(repository, move)
        yield
    except BaseException:
        for source, target in reversed(begun):
            if _is_there(repository, target) and not _is_there(repository, source):
                _move(repository, Move(target, source))
        raise


def _move(repository: Repository, move: Move) -> None:
    source, target = (file_at(repository, path.rstrip("/")) for path in move)
    if _is_there(repository, move.target):
        raise LedgergateError("git-unreadable", "it is there already, and nothing is overwritten", path=move.target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if _is_tracked(repository, move.source):
            done = repository.git("mv", "--", move.source.rstrip("/"), move.target.rstrip("/"), env=_LITERAL)
            if done.status != 0:
                raise LedgergateError("git-unreadable", f"git cannot move it: {done.stderr}", path=move.source)
        else:
            source.rename(target)
    except OSError as error:
        raise LedgergateError("git-unreadable", f"it cannot be moved: {error}", path=move.source) from error
    _tidy(source.parent, repository.workdir)


def _is_there(repository: Repository, path: str) -> bool:
    return os.path.lexists(file_at(repository, path.rstrip("/")))


def _is_tracked(repository: Repository, path: str) -> bool:
    done = repository.git("ls-files", "-z", "--", path.rstrip("/"), env=_LITERAL)
    if done.status != 0:
        raise LedgergateError("git-unreadable", f"git cannot list it: {done.stderr}", path=path)
    return bool(done.stdout)


def _tidy(folder: Path, root: Path) -> None:
    """Remove the folder, and those around it, where the move left them empty; git does so with some of them."""
    while folder != root:
        try:
            folder.rmdir()
        except OSError:
            return
        folder = folder.parent
