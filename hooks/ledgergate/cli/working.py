"""The policy and the ledgers as the working tree has them: what the commands of a human read and write."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple

from ledgergate.adopt.files import replace_file
from ledgergate.cli.absent import absent, hidden_ones
from ledgergate.errors import LedgergateError
from ledgergate.git import Repository, Snapshot, index_snapshot
from ledgergate.git.work_tree import work_tree_files
from ledgergate.ledger import Ledger, read_ledger
from ledgergate.policy import POLICY_PATH, Policy, ledger_paths, read_policy
from ledgergate.values import display_path
from ledgergate.vouch.sides import LedgerSet


class WorkingLedger(NamedTuple):
    """A ledger without a problem, and the bytes that it was read from."""

    ledger: Ledger
    data: bytes


def has_uncommitted_policy(repository: Repository) -> bool:
    """Whether there is a policy in the working tree or staged, and the checked-out commit has none."""
    if repository.is_bare or repository.snapshot(repository.head_commit()).entry(POLICY_PATH) is not None:
        return False
    is_staged = index_snapshot(repository).entry(POLICY_PATH) is not None
    return is_staged or os.path.lexists(file_at(repository, POLICY_PATH))


def read_working_policy(repository: Repository) -> Policy:
    """The policy in the working tree; `LedgergateError` where there is none or it cannot be read."""
    if not os.path.lexists(file_at(repository, POLICY_PATH)):
        raise absent(repository, _has(POLICY_PATH), f"There is no {POLICY_PATH} here.")
    return read_policy(read_regular(repository, POLICY_PATH, "policy-unreadable"))


def read_working_ledgers(repository: Repository, policy: Policy, today: date) -> tuple[WorkingLedger, ...]:
    """The ledgers that the policy names, without a problem; `LedgergateError` for the first that one has."""
    found: list[WorkingLedger] = []
    for path in ledger_paths(policy, _WorkingTree(repository)):
        data = read_regular(repository, path, "ledger-unreadable")
        found.append(WorkingLedger(read_ledger(path, data, today=today), data))
    if not found:
        message = f"The working tree has no ledger at {', '.join(policy.ledger)}."
        raise absent(repository, lambda tree: ledger_paths(policy, tree), message)
    _refuse_hidden(repository, policy, [working.ledger.path for working in found])
    for path, problem in LedgerSet(tuple(working.ledger for working in found)).problems:
        message = f"line {problem.line}: {problem.message}"
        raise LedgergateError(problem.rule, message, remedy=problem.remedy, path=path)
    return tuple(found)


def _refuse_hidden(repository: Repository, policy: Policy, found: Sequence[str]) -> None:
    """`LedgergateError` where git keeps another ledger out of the working tree: its rows would count for none."""
    others = [path for path in ledger_paths(policy, index_snapshot(repository)) if path not in found]
    if others and (error := hidden_ones(repository, others)):
        raise error


def _has(path: str) -> Callable[[Snapshot], Sequence[str]]:
    return lambda tree: (path,) if tree.entry(path) is not None else ()


def write_working_ledgers(
    repository: Repository, ledgers: Sequence[WorkingLedger], contents: Mapping[str, bytes]
) -> list[str]:
    """Write ledgers anew, whose contents are given by their paths; the paths that were written.

    Raises `LedgergateError` where one cannot be written, or any is no longer what was read; it names those that were.
    """
    return write_files(repository, {ledger.path: data for ledger, data in ledgers}, contents, "ledger-unreadable")


def write_files(
    repository: Repository, before: Mapping[str, bytes], contents: Mapping[str, bytes], rule: str
) -> list[str]:
    """Write files anew, all given by their paths; the paths that were written. `before` is what was read of them.

    Raises `LedgergateError` of this rule where one cannot be written, or any is no longer what was read.
    """
    for path in contents:
        if read_regular(repository, path, rule) != before[path]:
            message = "it changed while it was being looked at; nothing was written"
            raise LedgergateError(rule, message, path=path)
    written: list[str] = []
    for path, content in contents.items():
        try:
            replace_file(file_at(repository, path), content)
        except OSError as error:
            done = f"written before it: {', '.join(written)}" if written else "nothing was written"
            raise LedgergateError(rule, f"it cannot be written: {error}; {done}", path=path) from error
        written.append(path)
    return written


def read_regular(repository: Repository, path: str, rule: str) -> bytes:
    """The bytes of a regular file of the working tree; `LedgergateError` of this rule for anything else."""
    file = file_at(repository, path)
    try:
        if not os.path.lexists(file):
            raise absent(repository, _has(path), f"There is no {display_path(path)} here.")
        if file.is_symlink() or not file.is_file():
            raise LedgergateError(rule, "it is no regular file", path=path)
        return file.read_bytes()
    except OSError as error:
        raise LedgergateError(rule, f"it cannot be read: {error}", path=path) from error


def file_at(repository: Repository, path: str) -> Path:
    """Where a git path is in the file system."""
    return repository.workdir / os.fsdecode(path.encode("utf-8", "surrogateescape"))


class _WorkingTree:
    """The working tree, as far as finding ledgers takes it."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    def entry(self, path: str, /) -> object | None:
        return path if os.path.lexists(file_at(self._repository, path)) else None

    def files(self, folder: str = "", /) -> Iterator[tuple[str, object]]:
        for path in work_tree_files(self._repository, folder):
            if self.entry(path) is not None:
                yield path, path
