"""Opening a repository as git itself would in this place, and finding revisions in it."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import pygit2

from ledgergate.errors import LedgergateError, UsageError
from ledgergate.git.history import History, Link
from ledgergate.git.loose import LooseObjects
from ledgergate.git.objects import READ_ERRORS, Objects, unreadable
from ledgergate.git.opening import open_repository, refuse_grafts, refuse_namespace
from ledgergate.git.plumbing import Finished, Started, run_git, start_git
from ledgergate.git.regular import regular_bytes
from ledgergate.git.revisions import next_step, quoted, refuse_ambiguous, refuse_stray
from ledgergate.git.snapshot import Snapshot
from ledgergate.values import Identity, display_path

# Where the branch that changes are meant for is looked up, in this order, when nobody names it.
_DEFAULT_BRANCHES = (
    "refs/remotes/origin/HEAD",
    "refs/remotes/origin/main",
    "refs/remotes/origin/master",
    "refs/heads/main",
    "refs/heads/master",
)

_REMOTE = "refs/remotes/origin/"
# How git names a commit that is not there.
_NOT_READ = r"^error: Could not read ([0-9a-f]{40})$"
# Git itself follows no more.
_MOST_SYMBOLIC = 5


class Branch(NamedTuple):
    """A reference of this clone by its whole name, and the commit at its tip."""

    name: str
    commit: str

    @property
    def is_remote(self) -> bool:
        """Whether it is what this clone last saw of a branch of the remote `origin`."""
        return self.name.startswith(_REMOTE)

    @property
    def as_pushed(self) -> str:
        """Its name where it is pushed to: `refs/heads/main` for `refs/remotes/origin/main`."""
        return f"refs/heads/{self.name.removeprefix(_REMOTE)}" if self.is_remote else self.name


_LOCATIONS = ("GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR")


class Repository:
    """A git repository that libgit2 can read. Opened with git's own environment, hooks' `GIT_*` included."""

    def __init__(self, start: str = ".") -> None:
        """Open the repository that git would use in the folder `start`.

        Raises `UsageError` where there is none, and `LedgergateError` (`git-unreadable`) for one that cannot be read.
        """
        self._repository = open_repository(start)
        refuse_namespace()
        refuse_grafts(self.common_dir)
        for folder in self._loose.out_of_sight:
            self._repository.odb.add_disk_alternate(str(folder))

    @property
    def workdir(self) -> Path:
        """The folder of the checked-out files; `UsageError` in a bare repository."""
        folder = self._work_tree()
        if folder is None:
            raise UsageError("this needs a repository with checked-out files, and this one is bare")
        return folder

    @property
    def is_bare(self) -> bool:
        """Whether it has no checked-out files."""
        return self._work_tree() is None

    def _work_tree(self) -> Path | None:
        named = os.environ.get("GIT_WORK_TREE")
        if named:
            # libgit2 starts a relative one at the git directory, git itself at the current folder.
            return Path(named).absolute()
        # The stubs of pygit2 know of no bare repositories.
        folder: str | None = self._repository.workdir
        return None if folder is None else Path(folder)

    @property
    def git_dir(self) -> Path:
        """This worktree's own git directory."""
        return Path(self._repository.path)

    @property
    def directory(self) -> str:
        """Where git runs for us."""
        return str(self._work_tree() or self._repository.path)

    @property
    def index_file(self) -> Path:
        """Where git keeps what is staged. A relative one that the environment names starts where git works."""
        named = os.environ.get("GIT_INDEX_FILE")
        if not named:
            return self.git_dir / "index"
        top, here = self._work_tree(), Path.cwd()
        is_moved = top is not None and ("GIT_WORK_TREE" in os.environ or not os.environ.get("GIT_DIR"))
        return (top if top is not None and is_moved and here.is_relative_to(top.resolve()) else here) / named

    def hooks_folder(self) -> Path:
        """Where git looks for the hooks of this repository."""
        done = self.git("rev-parse", "--git-path", "hooks")
        if done.status != 0:
            raise LedgergateError("git-unreadable", f"git cannot say where its hooks are: {done.stderr}")
        # git speaks of the folder in which it runs for us.
        return Path(self.directory, os.fsdecode(done.stdout.removesuffix(b"\n"))).absolute()

    def git(
        self, *arguments: str, env: dict[str, str] | None = None, stdin: bytes = b"", work_tree: Path | None = None
    ) -> Finished:
        """Run git on this repository, with its own files checked out or with those of another folder."""
        located = {**self._located(work_tree), **(env or {})}
        return run_git(arguments, cwd=str(work_tree or self.directory), env=located, stdin=stdin)

    def start_git(self, *arguments: str) -> Started:
        """Begin to run git on this repository; what is returned waits for its end, and has to be called."""
        return start_git(arguments, cwd=str(self.directory), env=self._located())

    def _located(self, work_tree: Path | None = None) -> dict[str, str]:
        located = {"GIT_DIR": str(Path(self._repository.path).absolute())}
        # Git starts relative ones where it is itself started, and that is here, not where it runs for us.
        located.update((name, str(Path(named).absolute())) for name in _LOCATIONS if (named := os.environ.get(name)))
        if "GIT_INDEX_FILE" in located:
            located["GIT_INDEX_FILE"] = str(self.index_file.absolute())
        files = work_tree or self._work_tree()
        if files is not None:
            located["GIT_WORK_TREE"] = str(files.absolute())
        return located

    def head_commit(self) -> str | None:
        """The id of the commit that HEAD names; None before the first one."""
        try:
            if self._repository.head_is_unborn:
                return None
            return str(self._object(self._repository.head.target).peel(pygit2.Commit).id)
        except READ_ERRORS as error:
            raise unreadable("HEAD", error) from error

    def commit_id(self, revision: str) -> str:
        """The id of the commit that a revision names, tags peeled; `LedgergateError` where it could name two."""
        refuse_ambiguous(revision, self._tip)
        refuse_stray(revision, (Path(self._repository.path), self.common_dir))
        done = self.git("rev-parse", "--verify", f"{revision}^{{commit}}")
        commit = done.stdout.decode("ascii", "replace").strip()
        try:
            if done.status == 0:
                return str(self._object(commit).peel(pygit2.Commit).id)
        except READ_ERRORS as error:
            raise unreadable(f"the commit {quoted(revision)}", error) from error
        raise LedgergateError(
            "git-unreadable",
            f"no commit {quoted(revision)} in this clone: {_detail(done)}",
            remedy=next_step(revision, is_shallow=self.is_shallow),
        )

    def peeled(self, oid: str) -> str:
        """The id of the commit that an object is, or that a tag leads to, by the object's whole id."""
        try:
            return str(self._object(oid).peel(pygit2.Commit).id)
        except READ_ERRORS as error:
            raise unreadable(f"the commit {oid}", error) from error

    def snapshot(self, commit: str | None) -> Snapshot:
        """The tree of a commit; the empty tree for None."""
        if commit is None:
            return self._snapshot_of(None)
        try:
            tree = self._object(self._object(commit).peel(pygit2.Commit).tree_id).peel(pygit2.Tree)
        except READ_ERRORS as error:
            raise self._objects.unreadable(f"the tree of commit {commit}", error) from error
        return self._snapshot_of(tree)

    def tree_snapshot(self, tree: str) -> Snapshot:
        """The tree with this id."""
        try:
            found = self._object(tree)
        except READ_ERRORS as error:
            if tree == (nothing := self._snapshot_of(None)).id:
                return nothing
            raise self._objects.unreadable(f"tree {tree}", error) from error
        if not isinstance(found, pygit2.Tree):
            raise LedgergateError("git-unreadable", f"object {tree} is no tree")
        return self._snapshot_of(found)

    def _snapshot_of(self, tree: pygit2.Tree | None) -> Snapshot:
        return Snapshot(self._objects, None if tree is None else str(tree.id))

    def _object(self, oid: str | pygit2.Oid) -> pygit2.Object:
        """Any object, by its whole id."""
        return self._objects.find(oid)

    @cached_property
    def _objects(self) -> Objects:
        return Objects(self._repository, self._loose)

    @cached_property
    def _loose(self) -> LooseObjects:
        return LooseObjects(Path(os.environ.get("GIT_OBJECT_DIRECTORY") or self.common_dir / "objects"))

    def earlier_snapshots(self, path: str) -> Iterator[Snapshot]:
        """The trees of the last commits that changed a path, newest first, at most fifty; none before the first one."""
        done = self.git("log", "-n", "50", "--format=%H %P", "--", f":(top,literal){path.rstrip('/')}")
        if done.status != 0:
            return
        for commit in dict.fromkeys(done.stdout.decode("ascii", "replace").split()):
            yield self.snapshot(commit)

    def default_branch(self) -> str | None:
        """The commit at the tip of the branch that changes are meant for, as far as this clone knows.

        That is what the clone last saw of the remote's default branch; without a remote, the local main branch. None
        where there is neither, or where the local main branch is the one that is checked out.
        """
        found = self.default_ref()
        try:
            return None if found is None or found.name == self._head_name() else found.commit
        except READ_ERRORS as error:
            raise unreadable("HEAD", error) from error

    def default_ref(self) -> Branch | None:
        """The branch that changes are meant for, checked out or not; None where this clone knows of none."""
        for name in _DEFAULT_BRANCHES:
            try:
                reference = self._reference(name)
                if reference is not None:
                    return Branch(reference.name, str(self._object(reference.target).peel(pygit2.Commit).id))
            except READ_ERRORS as error:
                raise unreadable(name, error) from error
        return None

    def own_default(self) -> Branch | None:
        """The default branch of a repository that is pushed to: the one that HEAD names, or else main or master.

        None where there is none of these yet.
        """
        head = self.head_branch
        for name in filter(None, (head, "refs/heads/main", "refs/heads/master")):
            try:
                reference = self._reference(name)
                if reference is not None:
                    return Branch(reference.name, self.peeled(str(reference.target)))
            except READ_ERRORS as error:
                raise unreadable(name, error) from error
        return None

    def final_name(self, ref: str) -> str:
        """The name that a symbolic reference leads to, whether that is there or not; the same name for any other."""
        try:
            for _ in range(_MOST_SYMBOLIC):
                target = self._repository.lookup_reference(ref).target
                if not isinstance(target, str):
                    return ref
                ref = target
        except KeyError:
            return ref
        except UnicodeError:
            return self._foreign_final_name(ref)
        except READ_ERRORS as error:
            raise unreadable(display_path(ref), error) from error
        raise LedgergateError("git-unreadable", f"{display_path(ref)} leads to itself")

    def _foreign_final_name(self, ref: str) -> str:
        """The same for names that are no UTF-8, which only git takes."""
        done = self.git("symbolic-ref", "-q", ref)
        if done.status not in (0, 1) or done.stderr:
            raise LedgergateError("git-unreadable", f"git cannot say where {display_path(ref)} leads: {done.stderr}")
        return done.stdout.decode("utf-8", "surrogateescape").removesuffix("\n") or ref

    def branch_named(self, revision: str) -> str | None:
        """The whole name of the branch that a revision names, where it is pushed to; None where it names another thing.

        A branch of a remote is the one that is pushed there.
        """
        for form in ("{}", "refs/heads/{}", "refs/remotes/{}"):
            name = self._pushed_name(form.format(revision))
            if name is not None and self._tip(form.format(revision)) is not None:
                return name
        return None

    def _pushed_name(self, ref: str) -> str | None:
        """A branch's name where it is pushed to; None for what is neither a branch nor one of a remote."""
        if ref.startswith("refs/heads/"):
            return ref
        remotes = sorted(("origin", *self._remotes()), key=len, reverse=True)
        folders = (f"refs/remotes/{remote}/" for remote in remotes)
        return next((f"refs/heads/{ref.removeprefix(folder)}" for folder in folders if ref.startswith(folder)), None)

    def _remotes(self) -> list[str]:
        try:
            return list(filter(None, self._repository.remotes.names()))
        except READ_ERRORS as error:
            raise unreadable("the list of remotes", error) from error

    def usual_remote(self) -> str:
        """The remote that a person here would fetch from: `origin`, or where there is none of that name another one."""
        remotes = self._remotes()
        return "origin" if "origin" in remotes or not remotes else remotes[0]

    def upstream(self) -> str | None:
        """The whole name in this clone of what the branch that is checked out follows; None: it follows none."""
        done = self.git("rev-parse", "--symbolic-full-name", "@{upstream}")
        return done.stdout.decode("utf-8", "surrogateescape").strip() or None if done.status == 0 else None

    def default_branch_of(self, remote: str) -> Branch | None:
        """A remote's default branch by its name there, and its tip as this clone last saw it; None where it has not."""
        for name in ("HEAD", "main", "master"):
            try:
                reference = self._reference(f"refs/remotes/{remote}/{name}")
                if reference is not None:
                    there = reference.name.removeprefix(f"refs/remotes/{remote}/")
                    return Branch(f"refs/heads/{there}", str(self._object(reference.target).peel(pygit2.Commit).id))
            except pygit2.InvalidSpecError:
                # What a push to an address is given for a name.
                return None
            except READ_ERRORS as error:
                raise unreadable(f"the default branch of {display_path(remote)}", error) from error
        return None

    def has_seen(self, remote: str, ref: str) -> bool:
        """Whether this clone has seen that branch (`refs/heads/...`) at a remote."""
        return self._tip(f"refs/remotes/{remote}/{ref.removeprefix('refs/heads/')}") is not None

    def _reference(self, name: str) -> pygit2.Reference | None:
        """The reference at the end of all symbolic ones; None where it, or the one that it names, does not exist.

        Only here may "not found" mean that there is none: a reference whose commit is not found is unreadable.
        """
        try:
            return self._repository.lookup_reference(name).resolve()
        except KeyError:
            return None

    def remember_tips(self) -> bool:
        """Let git keep a log of what each branch had, if it does not; whether it does."""
        if self._setting("core.logAllRefUpdates") not in ("true", "always"):
            self.git("config", "core.logAllRefUpdates", "true")
        return self._setting("core.logAllRefUpdates") in ("true", "always")

    def past_tips(self, ref: str) -> frozenset[str]:
        """The commits that a reference had or has, as far as its log goes; none without a log."""
        try:
            log = self._repository.lookup_reference(ref).log()
            return frozenset(str(id_) for entry in log for id_ in (entry.oid_old, entry.oid_new))
        except KeyError:
            return frozenset()
        except READ_ERRORS as error:
            raise unreadable(f"the log of {display_path(ref)}", error) from error

    def branches_in(self, commit: str, folder: str) -> tuple[Branch, ...]:
        """The branches below a folder of refs whose tips a commit holds, by the names that they have where they are.

        A symbolic ref is none: what it leads to is another's branch, by another name.
        """
        name_of_a_branch = "%(if)%(symref)%(then)%(else)%(objectname) %(refname)%(end)"
        done = self.git("for-each-ref", f"--merged={commit}", f"--format={name_of_a_branch}", folder)
        if done.status != 0:
            raise LedgergateError("git-unreadable", f"git cannot list the branches that {commit} holds: {done.stderr}")
        lines = (line.split(" ", 1) for line in done.stdout.decode("utf-8", "surrogateescape").splitlines() if line)
        return tuple(Branch(f"refs/heads/{name.removeprefix(folder)}", id_) for id_, name in lines)

    def last_of(self, commits: Collection[str]) -> tuple[str, ...]:
        """Those of some commits that no other of them holds."""
        if len(commits) < 2:
            return tuple(commits)
        done = self.git("merge-base", "--independent", *sorted(commits))
        if done.status != 0:
            raise LedgergateError("git-unreadable", f"git cannot compare the tips of branches: {done.stderr}")
        return tuple(done.stdout.decode("ascii", "replace").split())

    def merge_bases(self, one: str, two: str) -> tuple[str, ...]:
        """Every best common ancestor of two commits; none for unrelated histories.

        Raises `LedgergateError` where commits are missing on the way there: what they lead to is unknown, not absent.
        """
        done = self.git("merge-base", "--all", one, two)
        for missing in re.findall(_NOT_READ, done.stderr, re.MULTILINE) if done.stderr else ():
            self._refuse_missing(missing)
        if done.status > 1:
            raise LedgergateError("git-unreadable", f"git finds no merge base of {one} and {two}: {done.stderr}")
        return tuple(done.stdout.decode("ascii", "replace").split())

    def _refuse_missing(self, commit: str) -> None:
        try:
            self._objects.commit(commit)
        except LedgergateError as error:
            from shlex import quote

            fetch = f"`git fetch --refetch {quote(self.usual_remote())}` brings it if the remote has it"
            remedy = error.remedy or f"Agent, human: {fetch}; `git fsck` lists all that is missing."
            raise LedgergateError(error.rule, f"the history has a gap: {error.message}", remedy=remedy) from error

    def links(self, old: str | None, new: str) -> Iterator[Link]:
        """The commits that `new` reaches and `old` does not, newest first; all that it reaches for None.

        Raises `LedgergateError` where the clone is shallow within them: what lies below is unknown, not absent.
        """
        without = () if old is None else (f"^{old}",)
        done = self.git("rev-list", "--topo-order", "--format=%H %T %P", new, *without)
        if done.status != 0:
            raise LedgergateError("git-unreadable", f"git cannot list the commits from {old} to {new}: {done.stderr}")
        # Before each of them stands a line of its own, which only newer versions of git leave out.
        for line in done.stdout.decode("ascii", "replace").split("\n")[1::2]:
            commit, tree, *parents = line.split()
            if commit in self._shallow:
                raise LedgergateError(
                    "git-unreadable",
                    f"this clone is shallow: the history below {commit[:12]} is missing",
                    remedy="Fetch it: git fetch --unshallow (in CI: check out with full history).",
                )
            yield Link(commit, tree, tuple(parents))

    def history(self, old: str | None, new: str) -> History:
        """The commits that `new` reaches and `old` does not; all that it reaches for None."""
        return History(self._objects, lambda: self.links(old, new))

    @property
    def is_shallow(self) -> bool:
        return bool(self._shallow)

    @property
    def is_sparse(self) -> bool:
        """Whether only a part of the files is checked out."""
        return self._setting("core.sparseCheckout") == "true"

    def identity(self, role: str) -> Identity | None:
        """The author or committer (`role`) that git would record now; None where none is configured."""
        email = os.environ.get(f"GIT_{role.upper()}_EMAIL") or self._setting(f"{role}.email", "user.email")
        name = os.environ.get(f"GIT_{role.upper()}_NAME") or self._setting(f"{role}.name", "user.name")
        if not email and not name:
            return None
        return Identity(name or "", email or "")

    def ssh_signing_key(self) -> str | None:
        """What git itself would sign with, a path or a public key; None where it does not sign with SSH keys."""
        return self._setting("user.signingkey") if self._setting("gpg.format") == "ssh" else None

    @property
    def head_branch(self) -> str | None:
        """The whole name of the branch that is checked out; None where none is."""
        try:
            return self._head_name()
        except READ_ERRORS as error:
            raise unreadable("HEAD", error) from error

    def merge_libgit2(self, one: str, two: str) -> str | None:
        """The tree of a merge made in memory by libgit2, for a git too old to do it; None on a conflict."""
        self._loose.refuse_any_cut()
        try:
            index = self._repository.merge_commits(one, two)
            return None if index.conflicts else str(index.write_tree(self._repository))
        except READ_ERRORS as error:
            raise unreadable(f"the merge of {one} and {two}", error) from error

    @cached_property
    def _shallow(self) -> frozenset[str]:
        named = os.environ.get("GIT_SHALLOW_FILE")
        files = [self.common_dir / "shallow", *([Path(named)] if named else [])]
        return frozenset().union(*map(_shallow_commits, files))

    @property
    def common_dir(self) -> Path:
        """The git directory that all worktrees of the repository share."""
        named = os.environ.get("GIT_COMMON_DIR")
        if named:
            return Path(named)
        try:
            return self.git_dir / os.fsdecode(regular_bytes(self.git_dir / "commondir")).strip()
        except FileNotFoundError:
            return self.git_dir
        except (OSError, ValueError) as error:
            raise unreadable("the git directory of this worktree", error) from error

    def _head_name(self) -> str | None:
        if self._repository.head_is_detached:
            return None
        target = self._repository.lookup_reference("HEAD").target
        return target if isinstance(target, str) else None

    def _setting(self, *keys: str) -> str | None:
        try:
            config = self._repository.config
            key = next((key for key in keys if key in config), None)
            return None if key is None else config[key]
        except UnicodeDecodeError:
            return self._foreign_setting(key or "")
        except READ_ERRORS as error:
            raise unreadable("git's configuration", error) from error

    def _foreign_setting(self, key: str) -> str:
        """A value in another encoding than UTF-8, whose bytes only git gives."""
        done = self.git("config", "--get", key)
        if done.status != 0:
            raise LedgergateError("git-unreadable", f"git's configuration of {key} cannot be read: {done.stderr}")
        return done.stdout.decode("utf-8", "surrogateescape").removesuffix("\n")

    def _tip(self, name: str) -> str | None:
        """The object that a reference leads to, tags peeled; None where there is no such reference."""
        try:
            reference = self._repository.lookup_reference(name)
        except (KeyError, pygit2.InvalidSpecError):
            return None
        except UnicodeDecodeError as error:
            # pygit2 cannot write its "not found" for such a name, nor what else it would say.
            done = self.git("for-each-ref", name)
            if done.status == 0 and not done.stdout and not done.stderr:
                return None
            raise unreadable(display_path(name), error) from error
        except READ_ERRORS as error:
            raise unreadable(name, error) from error
        try:
            found = self._object(reference.resolve().target)
            while isinstance(found, pygit2.Tag):
                found = self._object(found.target)
            return str(found.id)
        except READ_ERRORS as error:
            raise unreadable(name, error) from error


def _shallow_commits(file: Path) -> frozenset[str]:
    try:
        return frozenset(regular_bytes(file).decode("ascii").split())
    except FileNotFoundError:
        return frozenset()
    except (OSError, ValueError) as error:
        raise unreadable("the list of shallow commits", error) from error


def _detail(done: Finished) -> str:
    return " ".join(done.stderr.removeprefix("fatal: ").split()) or "git names none"
