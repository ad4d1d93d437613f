"""`artifact-collision`: an artifact (or a ledger, or the policy) and another path that are one file on some disks."""

from __future__ import annotations

from collections.abc import Iterator

from ledgergate.git import Snapshot
from ledgergate.policy.globs import fold_path
from ledgergate.policy.model import POLICY_PATH
from ledgergate.rules import finding
from ledgergate.values import Finding, display_path
from ledgergate.vouch import Case, LedgerSet


def colliding_artifacts(case: Case, check_name: str) -> Iterator[Finding]:
    """A finding for each pair that the change brought together: by adding a path, or by pinning one."""
    head, base = case.head.ledgers, case.base.ledgers
    added = [change.path for change in case.change.paths if change.old is None]
    newly = () if head is base else head.pinned
    pinned = [path for path in newly if not path.endswith("/") and path not in base.pinned]
    reported: set[frozenset[str]] = set()
    twins = Twins(case.change.head)
    ruling = {POLICY_PATH, case.policy.vouch.signers, case.policy.freeze_ledger, *(one.path for one in head.ledgers)}
    for path in dict.fromkeys((*added, *pinned)):
        for twin in twins.of(path):
            pair = frozenset({path, twin})
            if pair in reported or not (pair & ruling or _is_pinned(head, path) or _is_pinned(head, twin)):
                continue
            reported.add(pair)
            yield finding(
                "artifact-collision",
                check_name,
                f"It and {display_path(twin)} are one file on a disk that folds case or normalises Unicode.",
                path=path,
                subject=path,
            )


def _is_pinned(ledgers: LedgerSet, path: str) -> bool:
    """Whether a row pins the path, a folder that holds it, or something inside it."""
    return bool(ledgers.pinning(path)) or any(pinned.startswith(f"{path}/") for pinned in ledgers.pinned)


class Twins:
    """Finds what stands in the way of a path on a disk that folds case or normalises Unicode."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._folders: dict[str, dict[str, list[str]]] = {}

    def of(self, path: str) -> Iterator[str]:
        """The other paths that become the same file there, or a file where this path needs a folder."""
        yield from (twin for twin in self._matching(path.split("/")) if twin != path)

    def _matching(self, parts: list[str]) -> Iterator[str]:
        waiting = [("", 0)]
        while waiting:
            folder, depth = waiting.pop()
            part, is_last = parts[depth], depth + 1 == len(parts)
            for name in self._names(folder).get(fold_path(part), ()):
                if is_last or (name != part and self._snapshot.entry(folder + name) is not None):
                    yield folder + name
                else:
                    waiting.append((f"{folder}{name}/", depth + 1))

    def _names(self, folder: str) -> dict[str, list[str]]:
        if folder not in self._folders:
            by_fold: dict[str, list[str]] = {}
            for name in self._snapshot.names(folder):
                by_fold.setdefault(fold_path(name), []).append(name)
            self._folders[folder] = by_fold
        return self._folders[folder]
