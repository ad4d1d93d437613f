"""Files that git has, and the working tree lacks: where they are, and what brings them."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence

from ledgergate.cli.staging import marked, typed
from ledgergate.errors import LedgergateError
from ledgergate.git import Repository, Snapshot, index_snapshot
from ledgergate.values import display_path

_NOWHERE = "A human runs `ledgergate init`."


def absent(
    repository: Repository, found_in: Callable[[Snapshot], Sequence[str]], message: str, remedy: str = _NOWHERE
) -> LedgergateError:
    """The error for files that are not in the working tree, of which `found_in` gives those that a tree has.

    `message` and `remedy` are for those that neither the index nor the commit that is checked out has.
    """
    if staged := found_in(index_snapshot(repository)):
        return hidden_ones(repository, staged) or _error(
            staged, "staged", f"git restore -- {typed(repository, staged)}"
        )
    if committed := found_in(repository.snapshot(repository.head_commit())):
        return _error(committed, "in HEAD", f"git restore --staged --worktree -- {typed(repository, committed)}")
    return LedgergateError("ledger-missing", message, remedy=remedy)


def hidden_ones(repository: Repository, paths: Sequence[str]) -> LedgergateError | None:
    """The error for those of some staged files that git keeps out of the working tree; None where there is none."""
    hidden = marked(repository, paths, "S")
    if not hidden:
        return None
    if repository.is_sparse:
        # Of a file at the top no folder can be named.
        places = dict.fromkeys(path.rpartition("/")[0] or f"/{path}" for path in hidden)
        return _error(hidden, "outside of this sparse checkout", shlex.join(["git", "sparse-checkout", "add", *places]))
    names = typed(repository, hidden)
    command = f"git update-index --no-skip-worktree -- {names} && git restore -- {names}"
    return _error(hidden, "marked as one that is not checked out (skip-worktree)", command)


def _error(paths: Sequence[str], where: str, command: str) -> LedgergateError:
    verb = "is" if len(paths) == 1 else "are"
    message = f"{', '.join(map(display_path, paths))} {verb} {where}, and not in the working tree."
    return LedgergateError("ledger-missing", message, remedy=f"Bring it back: `{command}`.")
