"""Files on the disk beside a tree: which of them are not as the tree has them, and a fresh checkout of one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ledgergate.errors import LedgergateError
from ledgergate.git.plumbing import Finished, run_git
from ledgergate.git.repository import Repository

# A fresh index knows no file, so that git has to hash each; no setting may tell it to believe what it remembers.
_PLAIN = tuple(
    part
    for key in ("fsmonitor", "untrackedCache", "ignoreStat", "sparseCheckout", "splitIndex")
    for part in ("-c", f"core.{key}=false")
)
_SUBMODULE = "160000"

Git = Callable[..., Finished]


def differing_files(repository: Repository, tree: str, folder: Path, unseen: Sequence[str] = ()) -> list[str]:
    """The paths below a folder whose files are not as a tree has them, sorted: changed, gone, or beyond the tree.

    Every file is hashed, with git's own filters; the index and its flags play no part. What git ignores counts, except
    for the gitignore-style patterns of `unseen`. A repository inside the folder that is no submodule is one path, with
    a slash; a submodule that is not checked out is as it should be. Raises `LedgergateError` where git cannot tell.
    """
    return sorted(set(_differing(_git_of(repository, folder), tree, folder, unseen)))


def check_out(repository: Repository, tree: str, folder: Path) -> None:
    """Write the files of a tree into an empty folder, through git's own filters. It is no repository of its own.

    Submodules that are checked out in the working tree are written too, at the commits that the tree names. Raises
    `LedgergateError` where git cannot write it.
    """
    source = None if repository.is_bare else repository.workdir
    _check_out(_git_of(repository, folder), tree, folder, source)


def _differing(git: Git, tree: str, folder: Path, unseen: Sequence[str]) -> Iterator[str]:
    with _fresh_index(git, tree) as fresh:
        # Its status says whether something differs; what, diff-files says.
        _checked(fresh("update-index", "-q", "--refresh"), "compare the files with the commit", (0, 1))
        yield from _names(fresh("diff-files", "-z", "--name-only", "--ignore-submodules=all"))
        excluded = [f"--exclude={pattern}" for pattern in unseen]
        yield from _names(fresh("ls-files", "-z", "--others", *excluded))
        submodules = _submodules(fresh)
    for path, commit in submodules.items():
        inner = folder / os.fsdecode(path.encode("utf-8", "surrogateescape"))
        if (inner / ".git").exists():
            yield from (f"{path}/{name}" if name else path for name in _differing_submodule(inner, commit, unseen))


def _differing_submodule(folder: Path, commit: str, unseen: Sequence[str]) -> Iterator[str]:
    git = _git_in(folder)
    if git("rev-parse", "--verify", "HEAD").stdout.decode("ascii", "replace").strip() != commit:
        yield ""
    yield from _differing(git, "HEAD^{tree}", folder, unseen)


def _check_out(git: Git, tree: str, folder: Path, source: Path | None) -> None:
    with _fresh_index(git, None) as fresh:
        _checked(fresh("read-tree", "--reset", "-u", tree), "check the commit out")
        submodules = _submodules(fresh)
    for path, commit in submodules.items() if source else ():
        name = os.fsdecode(path.encode("utf-8", "surrogateescape"))
        if source is not None and (source / name / ".git").exists():
            inner = folder / name
            inner.mkdir(parents=True, exist_ok=True)
            _check_out(_git_in(source / name, files=inner), commit, inner, source / name)


@contextmanager
def _fresh_index(git: Git, tree: str | None) -> Iterator[Git]:
    """A git whose index is a new one, which holds a tree (None: nothing)."""
    import tempfile

    try:
        scratch = tempfile.TemporaryDirectory(prefix="ledgergate-")
    except OSError as error:
        raise LedgergateError("git-unreadable", f"there is no place for a second index: {error}") from error
    with scratch as folder:
        index = {"GIT_INDEX_FILE": str(Path(folder) / "index")}

        def fresh(*arguments: str) -> Finished:
            return git(*_PLAIN, *arguments, env=index)

        if tree is not None:
            _checked(fresh("read-tree", tree), "read the tree of the commit")
        yield fresh


def _submodules(git: Git) -> dict[str, str]:
    """Path -> commit of each submodule in an index."""
    entries = (entry.partition("\t") for entry in _names(git("ls-files", "-z", "--stage")))
    return {path: meta.split()[1] for meta, _, path in entries if meta.startswith(_SUBMODULE)}


def _git_of(repository: Repository, folder: Path) -> Git:
    def git(*arguments: str, env: dict[str, str] | None = None) -> Finished:
        return repository.git(*arguments, env=env, work_tree=folder)

    return git


def _git_in(submodule: Path, files: Path | None = None) -> Git:
    """Git on a submodule's repository, with its own files or those of another folder."""
    folder = files or submodule
    located = {"GIT_DIR": str((submodule / ".git").absolute()), "GIT_WORK_TREE": str(folder.absolute())}

    def git(*arguments: str, env: dict[str, str] | None = None) -> Finished:
        return run_git(arguments, cwd=str(folder), env={**located, **(env or {})})

    return git


def _names(done: Finished) -> list[str]:
    _checked(done, "list the files")
    return done.stdout.decode("utf-8", "surrogateescape").split("\0")[:-1]


def _checked(done: Finished, what: str, allowed: Iterable[int] = (0,)) -> None:
    if done.status not in allowed:
        reason = "; ".join(done.stderr.splitlines()[:3])
        raise LedgergateError("git-unreadable", f"git cannot {what}: {reason}")
