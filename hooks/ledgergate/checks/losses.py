"""What the edits of a change took away from the tests, as findings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from ledgergate.checks.new_tests import is_new_test_file
from ledgergate.checks.write_path import edit_state
from ledgergate.git import Entry, PathChange, Snapshot
from ledgergate.guard import Around, Edit, Loss
from ledgergate.guard.production import aware_code, could_be_aware
from ledgergate.policy.globs import fold_path
from ledgergate.policy.paths import PathClass, classify, underlying_class
from ledgergate.rules import finding
from ledgergate.rules.tests import BACK
from ledgergate.values import Finding, State
from ledgergate.vouch import Case

_WORD = re.compile(rb"[^\W\d]\w*")
_SETTINGS = re.compile(r"\.?pytest\.(?:ini|toml)|tox\.ini|setup\.cfg|pyproject\.toml")
_RUNS = re.compile(
    r"(?:.*/)?(?:gnu)?makefile|.*\.mk|(?:.*/)?\.?justfile|(?:.*/)?tox\.ini|(?:.*/)?noxfile\.py|(?:.*/)?taskfile(?:\.dist)?\.ya?ml"
    r"|\.(?:github|forgejo|gitea)/(?:workflows|actions)/.*\.ya?ml|\.gitlab-ci\.ya?ml|\.travis\.ya?ml|\.?appveyor\.ya?ml"
    r"|azure-pipelines.*\.ya?ml|\.circleci/.*\.ya?ml|\.cirrus\.ya?ml|\.woodpecker.*\.ya?ml|bitbucket-pipelines\.ya?ml|jenkinsfile.*"
    r"|\.buildkite/.*\.ya?ml|.*\.sh|\.ci/[^/]*|(?:scripts?|bin|ci|tools)/[^./]*(?:test|check|ci)[^./]*|(?:.*/)?package\.json"
)
_USUAL_NAMES = frozenset({"conftest", "__init__", "__main__", "setup", "noxfile", "tasks", "manage"})
_MOST_FILES = 3000
_MOST_BYTES = 20_000_000


def losses(case: Case, edits: Sequence[PathChange], check: str) -> Iterator[Finding]:
    """A finding for each loss in `edits`, those whose author it concerns alone."""
    trees = _Trees(case)
    found = [*_in_tests(trees), *_elsewhere(case, edits), *_namesakes(case, edits)]
    lost_in = {loss.path for loss in found}
    judged = [one.path for one in edits if one.path in lost_in and not is_new_test_file(case, one.path)]
    states = {path: edit_state(case, path) for path in judged}
    for loss in found:
        state = states.get(loss.path)
        if state is not None:
            yield _told(loss, check, State.UNSCORED if loss.waits and state is State.FAIL else state)


def _in_tests(trees: _Trees) -> Iterable[Loss]:
    tests = trees.tests
    if not tests:
        return ()
    from ledgergate.guard.compare import compare

    return compare(tests, trees.around)


def _told(loss: Loss, check: str, state: State) -> Finding:
    return finding(
        loss.rule,
        check,
        f"{loss.message}.",
        state=state,
        remedy=BACK if loss.rule == "test-removed" else None,
        path=loss.path,
        line=loss.line,
        subject=loss.path if loss.subject is None else f"{loss.path}::{loss.subject}",
        old=loss.old,
        new=loss.new,
    )


def _elsewhere(case: Case, edits: Sequence[PathChange]) -> Iterator[Loss]:
    """Losses in settings, in what runs the tests, and in production code."""
    for change in edits:
        path, folded = change.path, fold_path(change.path)
        name = folded.rpartition("/")[2]
        is_production = folded.endswith(".py") and classify(case.policy, path) is PathClass.PRODUCTION
        is_settings, is_run = _SETTINGS.fullmatch(name) is not None, _RUNS.fullmatch(folded) is not None
        if is_production or is_settings or is_run:
            new = _data(case.change.head, change.new)
            # A range may edit thousands of files of production code, and few of them ask for the old side.
            if not (is_settings or is_run or could_be_aware(new)):
                continue
            old = _data(case.change.head, change.old)
            if is_production and new is not None:
                yield from aware_code(path, old, new)
            if is_settings:
                from ledgergate.guard.settings import changed_settings

                yield from changed_settings(path, old, new)
            if is_run:
                from ledgergate.guard.runs import changed_runs

                yield from changed_runs(path, old, new)


class _Trees:
    """The edited tests, and what stands around them in both trees."""

    def __init__(self, case: Case) -> None:
        self._case = case

    @property
    def tests(self) -> list[Edit]:
        """The edited Python files below the tests, and every conftest; those, too, that may not be edited at all."""
        return [
            Edit(change.path, *_contents(self._case.change.head, change))
            for change in self._case.change.edits
            if self._is_test(change.path)
        ]

    @property
    def around(self) -> Around:
        return Around(
            self._read, self._is_called, lambda: self._vanished, self._defining, self._is_looked_into, self._is_own
        )

    def _is_test(self, path: str) -> bool:
        folded = fold_path(path)
        if not folded.endswith(".py"):
            return False
        if folded.rpartition("/")[2] == "conftest.py":
            return True
        return underlying_class(self._case.policy, path) is PathClass.TEST

    def _read(self, side: str, path: str) -> bytes | None:
        if not self._is_test(path):
            return None
        tree = self._case.change.base if side == "old" else self._case.change.head
        return _data(tree, tree.entry(path))

    def _is_called(self, name: str) -> bool:
        return any(re.search(rb"\b" + re.escape(name.encode()) + rb"\(", data) for data in self._head_tests.values())

    def _defining(self, name: str) -> Iterator[tuple[str, bytes]]:
        definition = re.compile(rb"\bdef " + re.escape(name.encode()) + rb"\(")
        return ((path, data) for path, data in self._head_tests.items() if definition.search(data))

    def _is_looked_into(self, path: str) -> bool:
        return not self._test_paths or any(path == one or path.startswith(f"{one}/") for one in self._test_paths)

    @cached_property
    def _test_paths(self) -> tuple[str, ...]:
        """The folders that pytest's settings name; none where they name none, or by a pattern."""
        from ledgergate.guard.settings import test_paths

        head = self._case.change.head
        found = test_paths(lambda path: _data(head, head.entry(path)))
        return () if any("*" in one for one in found) else found

    def _is_own(self, module: str) -> bool:
        return own_module(self._case.change.head, module) is not None

    @cached_property
    def _head_tests(self) -> Mapping[str, bytes]:
        head = self._case.change.head
        found: dict[str, bytes] = {}
        for path, entry in head.files():
            if entry.is_file and self._is_test(path) and not path.endswith("conftest.py"):
                found[path] = head.read_entry(entry)
                if len(found) > _MOST_FILES:
                    break
        return found

    @cached_property
    def _vanished(self) -> frozenset[str]:
        """The words of changed production code that stood there before, and stand in none of it now."""
        before: set[bytes] = set()
        after: set[bytes] = set()
        seen = 0
        for change in self._case.change.edits:
            if classify(self._case.policy, change.path) is not PathClass.PRODUCTION:
                continue
            old, new = _contents(self._case.change.head, change)
            seen += len(old or b"") + len(new or b"")
            if seen > _MOST_BYTES:
                break
            before.update(_WORD.findall(old or b""))
            after.update(_WORD.findall(new or b""))
        return frozenset(word.decode("ascii", "ignore") for word in before - after)


def own_module(tree: Snapshot, module: str) -> str | None:
    """The file of a top-level module that stands at the top or below `src`."""
    first = module.partition(".")[0]
    places = (f"{folder}{first}{end}" for folder in ("", "src/") for end in (".py", "/__init__.py"))
    return next((path for path in places if tree.entry(path) is not None), None)


def _namesakes(case: Case, edits: Sequence[PathChange]) -> Iterator[Loss]:
    """Modules that came below the tests and are called like one that is tested."""
    for change in edits:
        name = change.path.rpartition("/")[2].removesuffix(".py")
        is_new = change.old is None and change.new is not None and change.path.endswith(".py")
        if is_new and name not in _USUAL_NAMES and classify(case.policy, change.path) is PathClass.TEST:
            own = own_module(case.change.head, name)
            if own is not None and classify(case.policy, own) is PathClass.PRODUCTION:
                message = f"It is called like {own}, and tests may get it in its place"
                yield Loss("subject-replaced", change.path, message, waits=True)


def _contents(tree: Snapshot, change: PathChange) -> tuple[bytes | None, bytes | None]:
    """The bytes of both sides; None where there is no file."""
    old, new = (_data(tree, entry) for entry in (change.old, change.new))
    return old, new


def _data(tree: Snapshot, entry: Entry | None) -> bytes | None:
    return None if entry is None or not entry.is_file else tree.read_entry(entry)
