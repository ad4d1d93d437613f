"""What a run is held to: policy, ledgers and freezes as they lie beside the tests, and what they say about a case."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from ledgergate.errors import LedgergateError
from ledgergate.freeze import FreezeLedger, read_freeze_ledger
from ledgergate.ledger import Row, read_ledger, split_id
from ledgergate.policy import POLICY_PATH, PathClass, Policy, classify, ledger_paths, read_policy
from ledgergate.policy.paths import is_pytest_file
from ledgergate.values import display_path

OUTSIDE = ("quarantine", "draft")
_MOST_PROBLEMS = 5


class Scope(NamedTuple):
    """Policy, rows by their ids, and the freeze ledger (None: there is none), below `root`."""

    root: Path
    policy: Policy
    rows: Mapping[str, Row]
    freeze: FreezeLedger | None

    def row_of(self, case: str) -> Row | None:
        """The row that covers a case: that of its id, or of its function where that says `params`."""
        row = self.rows.get(case)
        if row is None and "[" in case:
            row = self.rows.get(case.partition("[")[0])
            return row if row is not None and "params" in row.fields else None
        return row


class Drafts:
    """Which paths hold drafts alone: no run that is to be evidence imports them."""

    def __init__(self, scope: Scope) -> None:
        self._root = f"{scope.root}{os.sep}"
        self._folder = os.path.normpath(f"{self._root}{scope.policy.drafts}")
        self._scope = scope
        self._known: dict[str, bool] = {}

    def hold(self, path: Path) -> bool:
        """Whether a file or folder is the drafts folder, lies in it, or is a test file without a classified row."""
        text = str(path)
        if text not in self._known:
            self._known[text] = self._hold(os.path.realpath(text) if path.is_symlink() else text)
        return self._known[text]

    def _hold(self, text: str) -> bool:
        return text == self._folder or text.startswith(f"{self._folder}{os.sep}") or self._is_new_test_file(text)

    def hold_row(self, row: Row) -> bool:
        """Whether the test of a row lies where drafts do."""
        return self.hold(self._scope.root / split_id(row.id)[0])

    def _is_new_test_file(self, text: str) -> bool:
        """Policy may let agents add test files; one that no classified row names has nothing in it that counts."""
        if not self._scope.policy.agent_new_tests or not text.startswith(self._root):
            return False
        path = text[len(self._root) :].replace(os.sep, "/")
        is_test = is_pytest_file(path.rpartition("/")[2]) and classify(self._scope.policy, path) is PathClass.TEST
        return is_test and path not in self._classified

    @cached_property
    def _classified(self) -> frozenset[str]:
        return frozenset(split_id(row.id)[0] for row in self._scope.rows.values() if row.class_ != "draft")


def read_scope(folder: Path, now: datetime) -> Scope:
    """What holds for the tests in a folder, by the policy there or in the nearest folder above it.

    `now` is the clock, with a time zone. Raises `LedgergateError` for whatever is missing, unreadable or not
    well-formed; only the freeze ledger may be missing: then nothing is skipped.
    """
    from datetime import UTC

    root = _find_root(folder)
    data = _read(root, POLICY_PATH)
    policy = Policy() if data is None else read_policy(data)
    rows: dict[str, Row] = {}
    paths = ledger_paths(policy, _Disk(root))
    if not paths:
        raise LedgergateError("ledger-missing", f"There is no test ledger in {root} ({', '.join(policy.ledger)}).")
    for path in paths:
        ledger = read_ledger(path, _read(root, path) or b"", today=now.astimezone(UTC).date())
        _refuse(path, ((problem.rule, problem.line, problem.message) for problem in ledger.problems))
        doubled = next((row for row in ledger.rows if row.id in rows), None)
        if doubled is not None:
            _refuse(path, [("row-duplicate", doubled.line, f"{doubled.id} has a row in another ledger, too")])
        rows.update(ledger.by_id)
    return Scope(root, policy, rows, _read_freezes(root, policy))


def _read_freezes(root: Path, policy: Policy) -> FreezeLedger | None:
    data = _read(root, policy.freeze_ledger)
    if data is None:
        return None
    ledger = read_freeze_ledger(policy.freeze_ledger, data, remote_lanes=policy.remote_lanes)
    _refuse(ledger.path, ((problem.rule, problem.line, problem.message) for problem in ledger.problems))
    return ledger


def _refuse(path: str, problems: Iterator[tuple[str, int | None, str]] | list[tuple[str, int | None, str]]) -> None:
    found = list(problems)
    if not found:
        return
    lines = [f"{path}:{line or 1}: {message}" for _, line, message in found[:_MOST_PROBLEMS]]
    if len(found) > len(lines):
        lines.append(f"... and {len(found) - len(lines)} more")
    raise LedgergateError(found[0][0], "\n".join(lines), path=path)


def _find_root(folder: Path) -> Path:
    for candidate in (folder, *folder.parents):
        if (candidate / POLICY_PATH).exists():
            return candidate
        if (candidate / ".git").exists():
            return candidate
    return folder


def _read(root: Path, path: str) -> bytes | None:
    """The bytes of a file; None where there is none. A link is none of ours to follow."""
    file = root / path
    if file.is_symlink():
        raise LedgergateError("ledger-unreadable", f"{display_path(path)} is a link, and no regular file.", path=path)
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        message = f"{display_path(path)} cannot be read: {error.strerror or error}"
        raise LedgergateError("ledger-unreadable", message, path=path) from error


class _Disk:
    """As much of a tree as it takes to find ledgers."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def entry(self, path: str, /) -> Path | None:
        file = self._root / path
        return file if file.is_file() or file.is_symlink() else None

    def files(self, folder: str = "", /) -> Iterator[tuple[str, Path]]:
        for place, folders, names in os.walk(self._root / folder):
            folders[:] = [name for name in folders if name != ".git"]
            for name in names:
                file = Path(place) / name
                yield file.relative_to(self._root).as_posix(), file
