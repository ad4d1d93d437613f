"""What the edits of a change took away from the tests, as findings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from ledgergate.checks.losses_elsewhere import contents, data_of, lost_elsewhere, own_module
from ledgergate.checks.new_tests import is_new_test_file
from ledgergate.checks.write_path import edit_state
from ledgergate.git import PathChange
from ledgergate.guard import Around, Edit, Loss
from ledgergate.guard.edits import LeftOut
from ledgergate.policy.globs import fold_path
from ledgergate.policy.paths import PathClass, classify, underlying_class
from ledgergate.rules import finding
from ledgergate.rules.tests import BACK, SKIPS_SEVERAL
from ledgergate.values import Finding, State
from ledgergate.vouch import Case

_WORD = rb"[^\W\d]\w*"
_MOST_FILES = 3000
_MOST_BYTES = 20_000_000


def losses(case: Case, edits: Sequence[PathChange], check: str) -> Iterator[Finding]:
    """A finding for each loss in `edits`, those whose author it concerns alone."""
    trees = _Trees(case)
    found = [*_in_tests(trees), *lost_elsewhere(case, edits)]
    lost_in = {loss.path for loss in found}
    states = {one.path: edit_state(case, one.path) for one in edits if one.path in lost_in}
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
        remedy=BACK if loss.rule == "test-removed" else SKIPS_SEVERAL if _skips_several(loss) else None,
        path=loss.path,
        line=loss.line,
        subject=loss.path if loss.subject is None else f"{loss.path}::{loss.subject}",
        old=loss.old,
        new=loss.new,
    )


def _skips_several(loss: Loss) -> bool:
    """Whether a skip stands in a file, a class or a fixture: no row is about that."""
    return loss.rule == "skip-added" and not (loss.subject or "").rpartition("::")[2].startswith("test")


class _Trees:
    """The edited tests, and what stands around them in both trees."""

    def __init__(self, case: Case) -> None:
        self._case = case

    @property
    def tests(self) -> list[Edit]:
        """The edited Python files below the tests, and every conftest; those, too, that may not be edited at all."""
        return [self._edit(change) for change in self._case.change.edits if self._is_test(change.path)]

    def _edit(self, change: PathChange) -> Edit:
        """Both contents; of a new test file only the new one, as it is its maker's until it has landed."""
        old, new = contents(self._case.change.head, change)
        return Edit(change.path, None if is_new_test_file(self._case, change.path) else old, new)

    @property
    def around(self) -> Around:
        return Around(
            self._read,
            self._is_called,
            lambda: self._vanished,
            self._defining,
            self._is_looked_into,
            self._is_own,
            self._left_out,
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
        return data_of(tree, tree.entry(path))

    def _is_called(self, name: str, folder: str) -> bool:
        call, base = re.compile(rb"\b" + re.escape(name.encode()) + rb"\("), self._case.change.base
        return any(
            call.search(data) and base.entry(path) is not None
            for path, data in self._head_tests.items()
            if not folder or path.startswith(f"{folder}/")
        )

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
        found = test_paths(lambda path: data_of(head, head.entry(path)))
        return () if any("*" in one for one in found) else found

    def _is_own(self, module: str) -> bool:
        return own_module(self._case.change.head, module) is not None

    def _left_out(self) -> LeftOut:
        """What pytest's settings leave out."""
        from ledgergate.guard.left_out import what_is_left_out
        from ledgergate.guard.settings import options

        head = self._case.change.head
        return what_is_left_out(options(lambda path: data_of(head, head.entry(path))))

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
            old, new = contents(self._case.change.head, change)
            seen += len(old or b"") + len(new or b"")
            if seen > _MOST_BYTES:
                break
            before.update(re.findall(_WORD, old or b""))
            after.update(re.findall(_WORD, new or b""))
        return frozenset(word.decode("ascii", "ignore") for word in before - after)
