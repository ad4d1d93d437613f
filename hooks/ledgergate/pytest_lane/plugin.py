"""The hooks of a run that is to be evidence for one lane."""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ledgergate.adopt.probe import names_of
from ledgergate.ledger import Row
from ledgergate.pytest_lane.cases import NOTE, Cases, Note, is_subtest
from ledgergate.pytest_lane.examples import Counting, examples_in
from ledgergate.pytest_lane.frozen import Freezes
from ledgergate.pytest_lane.report import Facts, Run, lane_report, write_json
from ledgergate.pytest_lane.scope import OUTSIDE, Drafts
from ledgergate.pytest_lane.watch import Watch

if TYPE_CHECKING:
    from ledgergate.pytest_lane.start import Wish

_NODEID = "nodeid"


class Progress:
    """What is known of one case while it runs."""

    __slots__ = ("calls", "case", "counting", "differs", "examples", "freeze", "repeats", "row", "setups")

    def __init__(self, case: str, row: Row | None = None, freeze: str | None = None) -> None:
        self.case = case
        self.row = row
        self.freeze = freeze
        self.setups = 0
        self.calls = 0
        self.examples = 0
        self.repeats = False
        self.counting: Counting | None = None
        self.differs: list[tuple[str, str]] = []

    def attach_last(self, properties: list[tuple[str, Any]]) -> None:
        """Put what is known when the case is torn down among the properties of its item."""
        repeats = self.repeats or self.setups > 1 or self.calls > 1
        if properties or repeats or self.examples or self.freeze or self.differs:
            Note(self.case, repeats, self.examples, self.freeze, self.differs, True).attach(properties)
        else:
            properties.append((NOTE, self.case))


_PROGRESS = pytest.StashKey[Progress]()


class LanePlugin:
    """Selects and watches tests where they run, and records them where the session is led.

    With pytest-xdist these are different processes: each worker has a plugin of its own, whose notes travel on the
    reports of the tests and in the worker's last word.
    """

    def __init__(self, config: pytest.Config, wish: Wish) -> None:
        self._config = config
        self._wish = wish
        self._is_worker = hasattr(config, "workerinput")
        self._start = time.perf_counter()
        self._pid = os.getpid()
        self._drafts = Drafts(wish.scope)
        self._freezes = Freezes(wish.scope.root, wish.scope.freeze, wish.lane or "", wish.now)
        self._watch: Watch | None = None
        self._outside: set[str] = set()
        self._planned: list[str] | None = None
        self._skipped_files: set[str] = set()
        self._registered: dict[int, object] = {}
        self._plugins: set[str] = set()
        self._late: list[tuple[str, str, str]] = []
        self._workers: dict[str, bool] = {}
        self._broken = False
        self.recorder = Recorder()

    # -- before the tests ----------------------------------------------------------------------------------------------

    def pytest_plugin_registered(self, plugin: object) -> None:
        # Also one that takes itself out again before the end, and those that were there before.
        self._registered[id(plugin)] = plugin

    def pytest_sessionstart(self) -> None:
        self._watch = Watch(self._wish.scope.root, self._wish.scope.rows.values())
        if not self._is_worker:
            # Registered as late as can be, so that nothing that a conftest does to a report comes after it.
            self._config.pluginmanager.register(self.recorder, "ledgergate-recorder")

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        return True if self._drafts.hold(collection_path) else None

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        left_out = [item for item in items if self._is_outside(item)]
        if left_out:
            items[:] = [item for item in items if _PROGRESS in item.stash]
            self._config.hook.pytest_deselected(items=left_out)

    def _is_outside(self, item: pytest.Item) -> bool:
        # Before pytest-xdist can append the group that a test is to run with.
        case = item.nodeid
        if self._drafts.hold(item.path):
            raise pytest.UsageError(f"ledgergate: {case} lies where drafts do, and was imported all the same")
        row = self._wish.scope.row_of(case)
        if row is not None and row.class_ in OUTSIDE:
            self._outside.add(row.id)
            return True
        freeze = self._freezes.freeze_of(case)
        # Only what pins files has something to watch, and only where its test runs.
        is_watched = row is not None and row.class_ == "locked_fixture" and freeze is None
        progress = Progress(case, row if is_watched else None, None if freeze is None else freeze.id)
        callspec = getattr(item, "callspec", None)
        progress.repeats = callspec is not None and "__pytest_repeat_step_number" in callspec.params
        item.stash[_PROGRESS] = progress
        if freeze is not None:
            item.add_marker(pytest.mark.skip(reason=f"frozen: {freeze.id}, {freeze.reason}"), append=False)
        return False

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        # Nobody can say which tests a module hides that skips itself on import.
        if report.outcome == "skipped":
            self._skipped_files.add(report.nodeid)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        if self._is_leading_workers():
            return
        self._planned = [item.stash[_PROGRESS].case for item in session.items]

    # -- around each test ----------------------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        progress = item.stash[_PROGRESS]
        progress.setups += 1
        if progress.case != item.nodeid:
            Note(progress.case).attach(item.user_properties)
        if self._wish.seed is not None:
            random.seed(self._wish.seed)
        if progress.row is not None and self._watch is not None:
            progress.differs += self._watch.before(progress.case, progress.row)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> None:
        progress = item.stash[_PROGRESS]
        progress.calls += 1
        if "hypothesis" in sys.modules and progress.counting is None:
            test = getattr(item, "obj", None)
            if getattr(test, "is_hypothesis_test", False):
                if self._wish.seed is not None:
                    _seed_hypothesis(self._wish.seed)
                progress.counting = Counting(test)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> None:
        progress = item.stash[_PROGRESS]
        if progress.counting is not None:
            ran = progress.counting.stop()
            progress.examples += ran or examples_in(getattr(item, "hypothesis_statistics", ""))
            progress.counting = None
        progress.attach_last(item.user_properties)

    # -- the workers of pytest-xdist -----------------------------------------------------------------------------------

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodeready(self, node: Any) -> None:
        self._workers[node.gateway.id] = False

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        said = getattr(node, "workeroutput", {}).get("ledgergate")
        if error or said is None:
            return
        planned, outside, plugins, skipped_files, late = said
        self._workers[node.gateway.id] = True
        self._planned = planned if self._planned is None else self._planned
        self._outside.update(outside)
        self._plugins.update(plugins)
        self._skipped_files.update(skipped_files)
        self._late += map(tuple, late)

    def _is_leading_workers(self) -> bool:
        return not self._is_worker and bool(self._workers)

    # -- the end -------------------------------------------------------------------------------------------------------

    def pytest_keyboard_interrupt(self) -> None:
        self._broken = True

    def pytest_internalerror(self) -> None:
        self._broken = True

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        cases = self.recorder.cases
        skipped = len(list(cases.with_outcome("skipped", ())))
        flaky = sum(case.repeated for case in cases.by_id.values())
        terminalreporter.write_line(
            f"ledgergate: lane {self._wish.lane}: {cases.executed()} executed, "
            f"{skipped} skipped, {len(self._kept_out())} kept out of the evidence, {flaky} flaky; {self._wish.report}"
        )

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Generator[None, None, None]:
        self._look_back()
        if self._is_worker:
            self._config.workeroutput["ledgergate"] = self._last_word()  # type: ignore[attr-defined]
            return (yield)
        self._tell_junit()
        result = yield
        # A test may have forked, and left a second process to come by here.
        if os.getpid() == self._pid:
            self._write(int(session.exitstatus))
        return result

    def _last_word(self) -> list[Any]:
        """What a worker tells the session that leads it, in types that any channel carries."""
        sets = [sorted(found) for found in (self._outside, self._plugins, self._skipped_files)]
        return [self._planned, *sets, [list(late) for late in self._late]]

    def _look_back(self) -> None:
        self._plugins.update(names_of(self._registered.values(), self._config.pluginmanager))
        if self._watch is not None:
            self._late += self._watch.after()

    def _write(self, exit_status: int) -> None:
        lost = not all(self._workers.values())
        run = Run(exit_status, self._planned, self._broken or lost, self.recorder.cases)
        facts = Facts(
            outside=self._kept_out(),
            plugins=self._plugins,
            tree=self._wish.tree,
            seed=self._wish.seed,
            duration_s=time.perf_counter() - self._start,
            skipped_files=self._skipped_files,
            late_differs=self._late,
            shard=self._wish.shard,
        )
        write_json(self._wish.report, {self._wish.lane: lane_report(run, facts, self._freezes.signatures())})

    def _kept_out(self) -> set[str]:
        """The quarantine and draft rows that were left out: of drafts that were not even imported, all."""
        rows = self._wish.scope.rows.values()
        return self._outside.union(row.id for row in rows if row.class_ == "draft" and self._drafts.hold_row(row))

    def _tell_junit(self) -> None:
        """Suite properties, where a JUnit report is written."""
        from _pytest.junitxml import xml_key

        xml = self._config.stash.get(xml_key, None)
        if xml is None:
            return
        kept = [(name, value) for name, value in xml.global_properties if name not in ("outside_evidence", "tree")]
        own = [("outside_evidence", id_) for id_ in sorted(self._kept_out())]
        tree = [("tree", self._wish.tree)] if self._wish.tree else []
        xml.global_properties[:] = [*kept, *own, *tree]


class Recorder:
    """Takes in the reports of all cases, and gives each its one `nodeid` for the JUnit report."""

    def __init__(self) -> None:
        self.cases = Cases()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.outcome == "passed" and type(report) is pytest.TestReport and self._is_plain(report):
            return
        note = Note.attached(report.user_properties)
        id_ = report.nodeid if note is None else note.case
        case = self.cases.case(id_)
        case.add(report)
        if note is not None and note.is_last and report.when == "teardown" and not is_subtest(report):
            case.close(note)
        if report.user_properties:
            report.user_properties = [pair for pair in report.user_properties if pair[0] not in (_NODEID, NOTE)]
        report.user_properties.append((_NODEID, id_))
        if report.when == "teardown" and case.passed_unexpectedly:
            report.user_properties.append(("unexpected_pass", "true"))

    def _is_plain(self, report: pytest.TestReport) -> bool:
        """Take in a phase of which nothing but that it passed is to be told; whether this was one. Most are."""
        properties, when = report.user_properties, report.when
        if when == "teardown":
            if len(properties) != 1 or properties[0][0] != NOTE or type(properties[0][1]) is not str:
                return False
            id_ = properties[0][1]
            case = self.cases.by_id.get(id_)
            if case is None or case.closed or case.skipped:
                return False
            case.closed = 1
            report.user_properties = [(_NODEID, id_)]
            return True
        if properties or hasattr(report, "wasxfail"):
            return False
        if when == "call":
            self.cases.case(report.nodeid).ran = True
        return True


def _seed_hypothesis(seed: int) -> None:
    """As `--hypothesis-seed` would; that option outweighs it."""
    core = sys.modules.get("hypothesis.core")
    if core is not None and getattr(core, "global_force_seed", 0) is None:
        core.global_force_seed = seed  # type: ignore[attr-defined]
