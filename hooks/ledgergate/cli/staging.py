"""Staging what a command wrote, or saying what to stage."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from string import ascii_lowercase

import click

from ledgergate.cli.confirm import relative
from ledgergate.errors import LedgergateError
from ledgergate.git import Repository, Snapshot, index_snapshot
from ledgergate.git.work_tree import work_tree_snapshot
from ledgergate.values import display_path

# Of more paths than these, their folders are named.
_MOST_TYPED = 12


def unchanged_since_staging(repository: Repository, paths: Sequence[str]) -> frozenset[str]:
    """Those of the paths that the working tree has as they are staged."""
    staged, on_disk = index_snapshot(repository), work_tree_snapshot(repository, paths)
    return frozenset(path for path in paths if _is_same(staged, on_disk, path))


def stage(repository: Repository, written: Sequence[str], clean: frozenset[str]) -> bool:
    """Stage the files that were `clean` before they were written; whether those were all. The others are named."""
    staged = [path for path in written if path in clean]
    if staged:
        done = repository.git("add", "--", *staged, env={"GIT_LITERAL_PATHSPECS": "1"})
        if done.status != 0:
            message = f"the ledger is written, but could not be staged: {done.stderr}"
            raise LedgergateError("git-unreadable", message, remedy=_how_to_stage(repository, staged))
        left = marked(repository, staged)
        if left:
            message = (
                f"{', '.join(map(display_path, left))} is written, but git does not stage it: it is marked as one that "
                "does not change."
            )
            raise LedgergateError("git-unreadable", message, remedy=_how_to_stage(repository, left))
    mixed = [path for path in written if path not in clean]
    if mixed:
        click.echo(f"Not staged, since it had other changes that are not staged: {', '.join(map(display_path, mixed))}")
    return not mixed


def marked(repository: Repository, paths: Sequence[str], tags: str = "S" + ascii_lowercase) -> list[str]:
    """Those of the paths that git has been told not to look at: it adds them without a word, and does nothing.

    `tags` are git's for that: `S` for what it keeps out of the working tree, small letters for what it takes for
    unchanged.
    """
    done = repository.git("ls-files", "-v", "-z", "--", *paths, env={"GIT_LITERAL_PATHSPECS": "1"})
    if done.status != 0:
        raise LedgergateError("git-unreadable", f"git cannot say what is staged: {done.stderr}")
    lines = done.stdout.decode("utf-8", "surrogateescape").split("\0")
    return [path for tag, _, path in (line.partition(" ") for line in lines if line) if tag in tags]


def _how_to_stage(repository: Repository, paths: Sequence[str]) -> str:
    names = typed(repository, paths)
    return (
        f"Human: `git add -- {names}`. Where git has been told that a file does not change, first "
        f"`git update-index --no-assume-unchanged --no-skip-worktree -- {names}`."
    )


def say_what_to_stage(
    repository: Repository,
    ledgers: Sequence[str],
    others: Iterable[str],
    *,
    first: Sequence[str] = (),
    last: Sequence[str] = (),
) -> None:
    """The next steps: stage what is not staged as it is on disk, and commit. Many files are shown as their folders.

    `first` are steps that come before, and `last` those between the two.
    """
    wanted = list(dict.fromkeys(path.partition("::")[0] for path in others))
    clean = unchanged_since_staging(repository, [*ledgers, *wanted])
    more = [path for path in wanted if path not in clean]
    if len(more) > _MOST_TYPED:
        more = list(dict.fromkeys(path.rstrip("/").rpartition("/")[0] or path for path in more))
    missing = [*(path for path in ledgers if path not in clean), *more]
    steps = [*first, *([f"git add -- {typed(repository, missing)}"] if missing else []), *last, "git commit"]
    click.echo("Next:\n" + "\n".join(f"  {step}" for step in steps))


def typed(repository: Repository, paths: Sequence[str]) -> str:
    """The paths as they are typed in the folder that we stand in."""
    return " ".join(relative(repository, path) for path in paths)


def _is_same(one: Snapshot, two: Snapshot, path: str) -> bool:
    if path.endswith("/"):
        return list(one.files(path)) == list(two.files(path))
    return one.entry(path) == two.entry(path)
