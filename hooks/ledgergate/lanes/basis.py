"""What a run is about: the commit that is tested, and what judges it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cached_property
from pathlib import Path

from ledgergate.checks.engine import RULES_CHECK, as_finding, judge, run_checks
from ledgergate.checks.ledger_schema import CHECK, check
from ledgergate.errors import LedgergateError, UsageError
from ledgergate.git import Repository, between, straight
from ledgergate.git.checked_out import differing_files
from ledgergate.lanes.from_junit import junit_files
from ledgergate.lanes.same_tree import is_same_tree
from ledgergate.policy.model import Policy
from ledgergate.values import Actor, Finding
from ledgergate.vouch import Case, InForce, Trust, rules_for

# What test runs and editors leave behind, and nothing takes for code: compiled modules lie where Python does not look
# during a run. Gitignore-style, anywhere.
_LEFT_BEHIND = (
    *("**/__pycache__/*.pyc", "**/__pycache__/*.pyc.*", ".pytest_cache/", ".hypothesis/", ".mypy_cache/"),
    *(".ruff_cache/", ".DS_Store", ".idea/", ".vscode/", "/.coverage", "/.coverage.*", "/.ledgergate/reports/"),
)
# Where installed packages lie, unless the repository holds a folder of that name.
_ENVIRONMENTS = (".venv", "venv", ".tox", ".nox", "node_modules")


class Basis:
    """A commit under the rules of its base."""

    def __init__(
        self,
        repository: Repository,
        now: datetime,
        *,
        commit: str | None = None,
        base: str | None = None,
        trust: Trust | None = None,
        at_client: bool = False,
    ):
        """`commit` is HEAD unless it is named; `base` is the target branch's tip, or where there is none the commit.

        `trust` says by what a contract change of the commit may be vouched for, by default acks for the base's branch;
        `at_client` that it runs where the change was made, and nobody has to be named for its first policy.
        Raises `UsageError` before the first commit, `LedgergateError` where no policy judges it or git cannot tell.
        """
        tip = repository.head_commit() if commit is None else repository.commit_id(commit)
        if tip is None:
            raise UsageError("there is no commit yet, and a run tests one")
        self.repository = repository
        self.commit = tip
        self.base_commit = repository.commit_id(base) if base else repository.default_branch() or tip
        self.head = repository.snapshot(tip)
        self._now, self._trusted = now, trust or self._trust(base)._replace(is_first_free=at_client)
        self.case = self._case(now, self._trusted)
        self.in_force = InForce(self.case)

    def _trust(self, base: str | None) -> Trust:
        default = self.repository.default_ref()
        name = None if default is None else default.as_pushed
        return Trust(base_branch=self.repository.branch_named(base) if base else name, default_branch=name)

    def _case(self, now: datetime, trust: Trust) -> Case:
        default = self.repository.default_branch()
        target = None if default is None else self.repository.snapshot(default)
        change = straight(self.repository, self.base_commit, self.commit, target=target)
        actor = Actor("human")
        rules = rules_for(change, actor)
        if rules is None:
            message = "Neither this commit nor the branch that it is meant for has a ledgergate.toml."
            raise LedgergateError("ledger-missing", message, remedy="A human runs `ledgergate init`.")
        return Case(change, rules, now, actor, trust)

    @property
    def policy(self) -> Policy:
        return self.case.policy

    @property
    def tree(self) -> str:
        return self.head.id

    @property
    def is_behind(self) -> bool:
        """Whether the base has commits that this one lacks; their rows are in force all the same."""
        return self.base_commit not in self.repository.merge_bases(self.base_commit, self.commit)

    @cached_property
    def broken_ledgers(self) -> tuple[Finding, ...]:
        """What is wrong with ledgers and policy of the commit; nothing of a run counts then."""
        return run_checks(self.case, {CHECK: check}, with_items=False).findings

    @cached_property
    def refused(self) -> tuple[Finding, ...]:
        """What the hook checks find in what the commit would bring to its base."""
        if not self.is_behind:
            return judge(self.case.change, lambda _: self.case.actor, self._now, trust=self._trusted).findings
        try:
            merged = between(self.repository, self.base_commit, self.commit)
        except LedgergateError as error:
            return (*self.broken_ledgers, as_finding(error, RULES_CHECK))
        found = judge(merged, lambda _: self.case.actor, self._now, trust=self._trusted).findings
        return (*self.broken_ledgers, *found)

    def differing(self, folder: Path) -> list[str]:
        """The paths by which the files of a folder are another tree than the commit's, as far as a run can tell."""
        unseen = [*_LEFT_BEHIND, *(f"/{name}/" for name in _ENVIRONMENTS if not self.head.is_folder(name))]
        found = differing_files(self.repository, self.tree, folder, unseen)
        reports = self._report_paths(folder) if found else frozenset[str]()
        return [path for path in found if path not in reports and self.in_force.matters(path.rstrip("/"))]

    def _report_paths(self, folder: Path) -> frozenset[str]:
        globs = [glob for lane in self.policy.lanes for glob in lane.junit]
        return frozenset(_git_path(path.relative_to(folder)) for path in junit_files(folder, globs))

    def is_same(self, tree: str | None) -> bool:
        """Whether a run of that tree is one of this: the two differ in nothing that can bear on it."""
        return is_same_tree(self.repository, self.head, tree, self.in_force.matters)

    def same_among(self, trees: Sequence[str]) -> str | None:
        """The first of some trees that is this one, itself before any other; None where none is."""
        if self.tree in trees:
            return self.tree
        return next(filter(self.is_same, trees), None)


def _git_path(path: Path) -> str:
    return bytes(path).decode("utf-8", "surrogateescape")
