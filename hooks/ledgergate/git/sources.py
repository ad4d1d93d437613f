"""Where changes come from: what git would commit now, and what a branch would bring to another."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

from ledgergate.errors import LedgergateError
from ledgergate.git.change import Begun, Change, MergeParent, look_into_differing
from ledgergate.git.plumbing import Finished
from ledgergate.git.regular import regular_bytes
from ledgergate.git.repository import Repository
from ledgergate.git.revisions import EMPTY_TREE
from ledgergate.git.snapshot import Snapshot

_CONFLICT = 1
# Of an id, what a person is given to type.
_SHORT = 12
_NO_COPY = (
    "Agent, human: the copy lies in a folder for temporary files (`TMPDIR` names it): that has to have room and to be "
    "writable, and no limit on the size of files (`ulimit -f`) may be in the way."
)
# `git add` takes seconds where thousands of paths are named. A split index would leave a file in the git directory.
_STAGE = (
    *("-c", "core.fsmonitor=false", "-c", "core.splitIndex=false", "update-index"),
    *("--add", "--remove", "--replace", "--ignore-skip-worktree-entries", "-z", "--stdin"),
)


def staged(repository: Repository) -> Change:
    """HEAD against the tree that git would commit now.

    Honours a hook's temporary index (`git commit PATH`, `-a`), and knows the other parents of a merge in progress.
    """
    base = repository.snapshot(repository.head_commit())
    target = repository.default_branch()
    others = tuple(_other_parent(repository, parent) for parent in _merge_parents(repository))
    return Change(
        moment="staged",
        base=base,
        head=index_snapshot(repository),
        target=base if target is None else repository.snapshot(target),
        others=others,
        find_begun=lambda: None if others else _begun(repository, target),
    )


def _begun(repository: Repository, default: str | None) -> Begun | None:
    """Where the branch that is checked out left the default one; None where that is no single commit, or HEAD."""
    from ledgergate.git.overlay import overlaid

    tip = repository.head_commit()
    forks = () if default is None or tip is None else repository.merge_bases(default, tip)
    if tip is None or len(forks) != 1 or tip in forks:
        return None
    commits = repository.history(forks[0], tip).commits
    start = repository.snapshot(forks[0])
    return Begun(start, commits, repository.snapshot, lambda tree, files: overlaid(repository, tree, files))


def between(repository: Repository, old: str, new: str, *, exact: bool = False) -> Change:
    """What the revision `new` would bring to the branch whose tip is `old`.

    The head is both merged in memory, as git's own merge would; with `exact` it is `new` itself. The id of git's empty
    tree stands for a branch that is not there yet. Raises
    `LedgergateError` where they conflict, are unrelated, or are not wholly in this clone.
    """
    if old == EMPTY_TREE:
        return straight(repository, None, repository.commit_id(new))
    base, tip = repository.commit_id(old), repository.commit_id(new)
    if repository.is_shallow:
        for one, two in ((base, tip), (tip, base)):
            list(repository.links(one, two))
    base_snapshot, history = repository.snapshot(base), repository.history(base, tip)
    return Change(
        moment="range",
        base=base_snapshot,
        head=repository.snapshot(tip) if exact else _merged(repository, base, tip),
        target=base_snapshot,
        names=(old, new),
        find_default=lambda: _default_tip(repository, tip),
        list_commits=lambda: history.commits,
        touching=history.touching,
        snapshot_of=repository.snapshot,
        merge_bases=repository.merge_bases,
    )


def straight(
    repository: Repository,
    old: str | None,
    new: str,
    *,
    target: Snapshot | None = None,
    rules: Snapshot | None = None,
    find_default: Callable[[], Snapshot | None] | None = None,
) -> Change:
    """What lies between two commits as they are, None being nothing at all. History is read when it is asked for.

    `target`, `rules` and `find_default` are those of `Change`: by default base, and what the clone takes for the
    default branch.
    """
    base, history = repository.snapshot(old), repository.history(old, new)
    return Change(
        moment="range",
        base=base,
        head=repository.snapshot(new),
        target=target or base,
        rules=rules,
        names=(EMPTY_TREE if old is None else old[:_SHORT], new[:_SHORT]),
        find_default=find_default or (lambda: _default_tip(repository, new)),
        list_commits=lambda: history.commits,
        touching=history.touching,
        snapshot_of=repository.snapshot,
        merge_bases=repository.merge_bases,
    )


def _default_tip(repository: Repository, tip: str) -> Snapshot | None:
    default = repository.default_ref()
    if default is None or tip in repository.merge_bases(default.commit, tip):
        return None
    return repository.snapshot(default.commit)


def index_snapshot(repository: Repository) -> Snapshot:
    """The tree of the index, written by git itself from a copy.

    Git alone reads every index (split, sparse, whatever comes) and leaves out what is only intended to be added; the
    copy keeps the user's index as it is, and two hooks that run at once from waiting on one lock.
    """
    return written_tree(repository)


def written_tree(repository: Repository, refreshed: bytes = b"") -> Snapshot:
    """The tree of a copy of the index in which git has staged the working tree's `refreshed` paths (each ends in NUL).

    A path that is gone is removed, except where a sparse checkout hides it.
    """
    import tempfile

    try:
        with tempfile.TemporaryDirectory(prefix="ledgergate-") as folder:
            copy = Path(folder) / "index"
            original = repository.index_file
            if original.exists() or repository.head_commit() is not None:
                # With its time: an entry is only known to be unchanged if it is older than the index.
                shutil.copy2(original, copy)
            env = {"GIT_INDEX_FILE": str(copy)}
            if refreshed:
                _check(repository.git(*_STAGE, env=env, stdin=refreshed), "git cannot store what the working tree has")
            done = repository.git("-c", "core.fsmonitor=false", "write-tree", env=env)
    except OSError as error:
        if repository.is_bare and isinstance(error, FileNotFoundError):
            commits = "Name what is to be judged: `ledgergate check --from A --to B`."
            raise LedgergateError("git-unreadable", "nothing is staged in a bare repository", remedy=commits) from error
        raise LedgergateError("git-unreadable", f"cannot copy git's index: {error}", remedy=_NO_COPY) from error
    _check(done, "git cannot make a tree of what is staged")
    return repository.tree_snapshot(done.stdout.decode("ascii", "backslashreplace").strip())


def _check(done: Finished, what: str) -> None:
    if done.status != 0:
        raise LedgergateError(
            "git-unreadable",
            f"{what}: {'; '.join(done.stderr.splitlines()[:3])}",
            remedy="Resolve what `git status` shows (unmerged paths, missing objects), stage it, and try again.",
        )


def _other_parent(repository: Repository, parent: str) -> MergeParent:
    """A further parent of a merge in progress, and the point from which it and HEAD went apart."""
    tip, ours = repository.commit_id(parent), repository.head_commit()
    forks = () if ours is None else repository.merge_bases(ours, tip)
    return MergeParent(repository.snapshot(tip), tuple(map(repository.snapshot, forks or (None,))))


def _merge_parents(repository: Repository) -> list[str]:
    """The commits that are being merged: git names them in the environment while it merges, in a file afterwards."""
    from_environment = sorted(name.removeprefix("GITHEAD_") for name in os.environ if name.startswith("GITHEAD_"))
    if from_environment:
        return from_environment
    try:
        return regular_bytes(repository.git_dir / "MERGE_HEAD").decode("ascii").split()
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as error:
        raise LedgergateError("git-unreadable", f"cannot read MERGE_HEAD: {error}") from error


def _merged(repository: Repository, base: str, tip: str) -> Snapshot:
    ancestors = repository.merge_bases(base, tip)
    if not ancestors:
        raise LedgergateError(
            "git-unreadable",
            f"{base[:12]} and {tip[:12]} have no common history, so there is no merge to judge",
            remedy="Rebase the branch on its target, or fetch the history that is missing.",
        )
    if base in ancestors:
        return repository.snapshot(tip)
    if tip in ancestors:
        return repository.snapshot(base)
    merge = repository.start_git("merge-tree", "--write-tree", "--no-messages", "--name-only", "-z", base, tip)
    try:
        # Meanwhile: each takes its time where a branch is long.
        _refuse_malformed(repository, ancestors, tip)
    finally:
        done = merge()
    tree, *conflicts = done.stdout.decode("utf-8", "surrogateescape").rstrip("\0").split("\0")
    if done.status == 0:
        return repository.tree_snapshot(tree)
    if done.status == _CONFLICT:
        raise _conflict(conflicts)
    return _merged_by_libgit2(repository, base, tip)


def _refuse_malformed(repository: Repository, ancestors: tuple[str, ...], tip: str) -> None:
    """Walk what the branch changed: in the tree of the merge, which is written anew, a malformed folder would not show.

    Other programs than ours may merge it, and read it in another way.
    """
    for ancestor in ancestors:
        look_into_differing(repository.snapshot(ancestor), repository.snapshot(tip))


def _merged_by_libgit2(repository: Repository, base: str, tip: str) -> Snapshot:
    tree = repository.merge_libgit2(base, tip)
    if tree is None:
        raise _conflict([])
    return repository.tree_snapshot(tree)


def _conflict(paths: list[str]) -> LedgergateError:
    named = f" in {', '.join(sorted(set(paths))[:5])}" if paths else ""
    return LedgergateError(
        "git-unreadable",
        f"the two sides conflict{named}, so there is no merge to judge",
        remedy="Merge or rebase the branch on its target, resolve the conflict, and try again.",
    )
