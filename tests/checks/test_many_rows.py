"""Many rows are measured by several processes, and found to be what one process finds."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from multiprocessing import active_children

import pytest

from ledgergate.checks import many_rows
from ledgergate.checks.whole_tree import verify
from ledgergate.errors import LedgergateError
from ledgergate.git import Repository
from ledgergate.ledger import Row
from ledgergate.source.inline import inline_digest
from ledgergate.values import Finding, Report, State
from ledgergate.vouch import Side
from support.project import LEDGER, NOW, ROWS, SOUND, Edit, ledger, rules
from support.repo import Repo

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="elsewhere one process measures"),
    pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning"),  # threads of the test runner, none of ours
]
FILES = 12
GOOD = "def test_a(): assert f() == {0}\ndef test_b(): assert f() == 2\n"


def project(*, broken: frozenset[int] = frozenset()) -> Edit:
    """Test files of two pinned tests each; in the broken ones both differ from their rows."""
    pinned = {f"tests/test_{number:02}.py": GOOD.format(number) for number in range(FILES)}
    rows = [
        f"  - id: {path}::{name}\n    class: locked_fixture\n    artifact: {path}::{name}\n"
        f"    digest: {inline_digest(text.encode(), (name,))}\n"
        for path, text in pinned.items()
        for name in ("test_a", "test_b")
    ]
    files = {path: text.replace("==", "!=") if int(path[-5:-3]) in broken else text for path, text in pinned.items()}
    return {**SOUND, **files, LEDGER: ledger(*ROWS, *rows)}


@pytest.fixture(autouse=True)
def _two_processors_and_few_rows_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many_rows, "_processors", lambda: 2)
    monkeypatch.setattr(many_rows, "_ENOUGH_TESTS", 1)
    monkeypatch.setattr(many_rows, "_ROWS_AT_ONCE", 3)


def verified(repo: Repo, tree: Edit) -> Report:
    commit = repo.commit({path: content for path, content in tree.items() if content is not None})
    repository = Repository(str(repo.path))
    return verify(repository.snapshot(None), repository.snapshot(commit), NOW, lambda rows: rows)


def measured_by(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the processes that measured, as far as this one can see: its own."""
    seen: list[int] = []
    original = many_rows._measured

    def measured(side: Side, row: Row, check: str) -> many_rows.Measured:
        seen.append(os.getpid())
        return original(side, row, check)

    monkeypatch.setattr(many_rows, "_measured", measured)
    return seen


def test_a_sound_tree_passes_and_others_measured_it(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    here = measured_by(monkeypatch)
    report = verified(repo, project())
    assert (report.state, report.findings, report.notes) == (State.PASS, (), ())
    assert here == []


def test_several_processes_find_what_one_finds(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = {
        **project(broken=frozenset({0, 5, 11})),
        "tests/test_07.py": None,
        "tests/test_08.py": "def test_a(): pass\n",
    }
    several = verified(repo, tree)
    monkeypatch.setattr(many_rows, "_processors", lambda: 1)
    here = measured_by(monkeypatch)
    assert verified(repo, tree) == several._replace(head=several.head)
    assert here
    assert rules(several.findings) == {"digest-mismatch", "artifact-missing", "row-invalid", "test-removed"}
    assert len([seen for seen in several.findings if seen.rule == "digest-mismatch"]) == 3 * 2 + 1


def test_few_rows_are_measured_here(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many_rows, "_ENOUGH_TESTS", 2 * FILES + 1)
    here = measured_by(monkeypatch)
    assert verified(repo, project()).state is State.PASS
    assert set(here) == {os.getpid()}


def _raise(_side: Side, row: Row, _check: str) -> Iterator[Finding]:
    if row.id == "tests/test_06.py::test_b":
        raise LedgergateError("git-unreadable", "gone", remedy="Fetch it.", path="tests/test_06.py")
    yield from ()


def _die(_side: Side, row: Row, _check: str) -> Iterator[Finding]:
    if row.id == "tests/test_06.py::test_b":
        os._exit(0)
    yield from ()


def test_what_a_worker_cannot_read_is_unscored(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many_rows, "row_problems", _raise)
    report = verified(repo, project())
    seen = [(one.rule, one.state, one.message, one.remedy, one.path) for one in report.findings]
    assert seen == [("git-unreadable", State.UNSCORED, "gone", "Fetch it.", "tests/test_06.py")]


def test_a_worker_that_dies_is_unscored(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many_rows, "row_problems", _die)
    report = verified(repo, project())
    assert [(seen.rule, seen.state) for seen in report.findings] == [("internal-error", State.UNSCORED)]
    assert "ended before its time" in report.findings[0].message


def test_no_worker_is_left_behind(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many_rows, "row_problems", _raise)
    verified(repo, project())
    assert active_children() == []
