"""Running the tests of one class alone, and keeping count of how they end: for a human, and never as evidence."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Any

import pytest

from ledgergate.pytest_lane.cases import Case, Note
from ledgergate.pytest_lane.plugin import Recorder
from ledgergate.pytest_lane.report import write_json
from ledgergate.pytest_lane.scope import Drafts, Scope

SCHEMA = "ledgergate-outcomes.v1"
_CASE = pytest.StashKey[str]()


class OnlyPlugin:
    """Runs quarantined tests, or drafts, and nothing else."""

    def __init__(self, only: str, report: Path, scope: Scope) -> None:
        self._only = only
        self._report = report
        self._scope = scope
        self._drafts = Drafts(scope)
        self._recorder = Recorder()
        self._record: dict[str, dict[str, object]] = {}
        self._setups: dict[pytest.Item, int] = {}

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        if not hasattr(session.config, "workerinput"):
            session.config.pluginmanager.register(self._recorder, "ledgergate-recorder")

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        return True if self._only != "draft" and self._drafts.hold(collection_path) else None

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        meant = {item for item in items if self._is_meant(item)}
        left_out = [item for item in items if item not in meant]
        items[:] = [item for item in items if item in meant]
        if left_out:
            config.hook.pytest_deselected(items=left_out)

    def _is_meant(self, item: pytest.Item) -> bool:
        # Before pytest-xdist can append the group that a test is to run with.
        item.stash[_CASE] = item.nodeid
        row = self._scope.row_of(item.nodeid)
        if row is not None:
            return row.class_ == self._only
        return self._only == "draft" and self._drafts.hold(item.path)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        Note(item.stash[_CASE]).attach(item.user_properties)
        self._setups[item] = self._setups.get(item, 0) + 1

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> None:
        repeats = self._setups.get(item, 0) > 1
        Note(item.stash[_CASE], repeats, is_last=True).attach(item.user_properties)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Generator[None, None, None]:
        if not hasattr(session.config, "workerinput"):
            self._record = updated(_read(self._report), self._recorder.cases.by_id)
            document = {"schema": SCHEMA, "only": self._only, "cases": self._record}
            write_json(self._report, document)
        return (yield)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        terminalreporter.section(f"ledgergate: {self._only} alone")
        for case in self._recorder.cases.by_id:
            kept = self._record[case]
            terminalreporter.write_line(
                f"{kept['outcome']}: {case} ({kept['passes_in_a_row']} passes in a row, {kept['runs']} runs)"
            )
        terminalreporter.write_line(f"No evidence. Kept in {self._report}")


def updated(before: Mapping[str, Mapping[str, object]], cases: Mapping[str, Case]) -> dict[str, dict[str, object]]:
    """What is known of each case after this run: how it ended, how often it passed in a row, and how often it ran."""
    record = {id_: dict(kept) for id_, kept in before.items()}
    for id_, case in sorted(cases.items()):
        outcome = "flaky" if case.repeated and case.outcome == "passed" else case.outcome
        kept = record.get(id_, {})
        in_a_row = _count(kept, "passes_in_a_row") + 1 if outcome == "passed" else 0
        record[id_] = {"outcome": outcome, "passes_in_a_row": in_a_row, "runs": _count(kept, "runs") + 1}
    return record


def _count(kept: Mapping[str, object], key: str) -> int:
    value = kept.get(key)
    return value if isinstance(value, int) else 0


def _read(path: Path) -> Mapping[str, Mapping[str, object]]:
    """The record of earlier runs; nothing where there is none that can be read."""
    try:
        document = json.loads(path.read_bytes())
        cases = document["cases"] if document["schema"] == SCHEMA else {}
        return {str(id_): dict(kept) for id_, kept in cases.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
