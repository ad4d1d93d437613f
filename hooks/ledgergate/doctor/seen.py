"""Looks at everything that a diagnosis is made of; it reads, and runs git and nothing else."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import NamedTuple

from ledgergate.adopt.codeowners import PLACES
from ledgergate.adopt.hook_config import CONFIG_PATH
from ledgergate.adopt.push_script import UNDER_A_MANAGER
from ledgergate.checks.whole_tree import readable, whole_tree
from ledgergate.errors import LedgergateError
from ledgergate.git import Repository, Snapshot
from ledgergate.git.versions import libgit2_version
from ledgergate.policy.model import Policy
from ledgergate.values import display_text
from ledgergate.vouch import policy_of
from ledgergate.vouch.acks.keygen import Key, public_key

SERVER_HOOKS = ("pre-receive", "update")
GIT_HOOKS = ("pre-commit", "pre-merge-commit", "commit-msg", "pre-push")
_WORKFLOWS = (".github/workflows", ".forgejo/workflows", ".gitea/workflows")
_PIPELINES = (
    *(".gitlab-ci.yml", ".circleci/config.yml", "azure-pipelines.yml", "bitbucket-pipelines.yml", "Jenkinsfile"),
    *(".woodpecker.yml", ".drone.yml", ".buildkite/pipeline.yml", ".cirrus.yml", ".travis.yml", ".ci/run"),
)
_MOST_BYTES = 1 << 20


class Seen(NamedTuple):
    """What there is. Files are given by their paths; a policy that cannot be read is the error that says why.

    `default_ref` is the full name of the branch that changes are meant for, "" where this clone does not know it; the
    `default_` fields are of its tip, or of HEAD, and `default_shown` is which. `scripts` are git's hooks that are there
    and may be executed. `is_bare`: nobody commits here, others push. `signing_key` is the public part of the key that
    git signs with here, None where it signs with none.
    """

    version: str
    git: str
    libgit2: str
    has_ssh_keygen: bool
    has_command: bool
    policy: Policy | LedgergateError | None
    ledger_problems: tuple[str, ...]
    hook_config: bytes | None
    hooks_folder: str
    scripts: Mapping[str, bytes]
    is_bare: bool
    default_ref: str
    default_shown: str
    default_policy: Policy | LedgergateError | None
    default_signers: bytes | None
    branches: tuple[str, ...]
    workflows: Mapping[str, bytes]
    pipelines: Mapping[str, bytes]
    code_owners: Mapping[str, bytes]
    signing_key: bytes | LedgergateError | None = None


def look(repository: Repository, version: str, now: datetime) -> Seen:
    """What there is in this clone, seen from HEAD and from the default branch; `LedgergateError` where git fails."""
    head = repository.snapshot(repository.head_commit())
    default = repository.default_branch()
    target = head if default is None else repository.snapshot(default)
    policy, default_policy = _policy(head), _policy(target)
    signers = default_policy.vouch.signers if isinstance(default_policy, Policy) else Policy().vouch.signers
    folder = _text(repository, "rev-parse", "--git-path", "hooks")
    return Seen(
        version=version,
        git=_text(repository, "version"),
        libgit2=libgit2_version(),
        has_ssh_keygen=shutil.which("ssh-keygen") is not None,
        has_command=shutil.which("ledgergate") is not None,
        policy=policy,
        ledger_problems=tuple(_ledger_problems(repository, head, now)) if isinstance(policy, Policy) else (),
        hook_config=_working_file(repository, CONFIG_PATH),
        hooks_folder=folder,
        scripts=dict(_scripts(os.path.join(repository.directory, folder))),  # noqa: PTH118 - git's own path, as it is
        is_bare=repository.is_bare,
        default_ref=_default_ref(repository),
        default_shown=_shown(repository),
        default_policy=default_policy,
        default_signers=_file(target, signers),
        branches=_branches(repository),
        workflows=dict(_workflows(target)),
        pipelines=_files(target, _PIPELINES),
        code_owners=_files(target, PLACES),
        signing_key=_signing_key(repository),
    )


def _signing_key(repository: Repository) -> bytes | LedgergateError | None:
    text = repository.ssh_signing_key()
    if not text:
        return None
    key = Key.of(text)
    try:
        return public_key(key.text, is_public=key.is_public, may_ask=False)[1]
    except LedgergateError as error:
        return error


def _policy(snapshot: Snapshot) -> Policy | LedgergateError | None:
    try:
        return policy_of(snapshot)
    except LedgergateError as error:
        return error


def _ledger_problems(repository: Repository, head: Snapshot, now: datetime) -> Iterator[str]:
    report = readable(whole_tree(repository.snapshot(None), head, now))
    for seen in report.findings:
        yield f"{seen.path or ''}: {seen.message}".partition("\n")[0].removeprefix(": ")


def _text(repository: Repository, *arguments: str) -> str:
    return repository.git(*arguments).stdout.decode("utf-8", "surrogateescape").strip()


def _default_ref(repository: Repository) -> str:
    remote = _text(repository, "symbolic-ref", "--quiet", "refs/remotes/origin/HEAD")
    if remote:
        return f"refs/heads/{remote.removeprefix('refs/remotes/origin/')}"
    known = _branches(repository)
    main = next((ref for ref in ("refs/heads/main", "refs/heads/master") if ref in known), "")
    return main or _text(repository, "symbolic-ref", "--quiet", "HEAD")


def _shown(repository: Repository) -> str:
    """The name by which git knows what stands for the default branch here."""
    found = repository.default_ref()
    name = "HEAD" if found is None else found.name
    return display_text(name.removeprefix("refs/heads/").removeprefix("refs/remotes/"))


def _branches(repository: Repository) -> tuple[str, ...]:
    names = _text(repository, "for-each-ref", "--format=%(refname)", "refs/heads", "refs/remotes/origin").split()
    short = {name.removeprefix("refs/heads/").removeprefix("refs/remotes/origin/") for name in names}
    return tuple(f"refs/heads/{name}" for name in sorted(short - {"HEAD"}))


def _working_file(repository: Repository, path: str) -> bytes | None:
    """A file of the working tree, which is where hook managers read theirs; HEAD's where there is no working tree."""
    if repository.is_bare:
        return _file(repository.snapshot(repository.head_commit()), path)
    file = repository.workdir / path
    return file.read_bytes() if file.is_file() else None


def _scripts(folder: str) -> Iterator[tuple[str, bytes]]:
    for name in (*GIT_HOOKS, UNDER_A_MANAGER, *SERVER_HOOKS):
        path = os.path.join(folder, name)  # noqa: PTH118 - as above
        if os.path.isfile(path) and os.access(path, os.X_OK):  # noqa: PTH113 - as above
            with open(path, "rb") as file:  # noqa: PTH123 - as above
                yield name, file.read(_MOST_BYTES)


def _workflows(snapshot: Snapshot) -> Iterator[tuple[str, bytes]]:
    for folder in _WORKFLOWS:
        for name in snapshot.names(folder):
            data = _file(snapshot, f"{folder}/{name}") if name.endswith((".yml", ".yaml")) else None
            if data is not None:
                yield f"{folder}/{name}", data


def _files(snapshot: Snapshot, paths: tuple[str, ...]) -> dict[str, bytes]:
    return {path: data for path in paths if (data := _file(snapshot, path)) is not None}


def _file(snapshot: Snapshot, path: str) -> bytes | None:
    entry = snapshot.entry(path)
    return snapshot.read_entry(entry) if entry is not None and entry.is_file else None
