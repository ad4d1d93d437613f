"""Running lanes: each command once, in its own environment, required lanes first."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from ledgergate.freeze import FreezeLedger
from ledgergate.lanes.astray import none_written
from ledgergate.lanes.child import Ended, run_capped
from ledgergate.lanes.environment import lane_environment
from ledgergate.lanes.from_junit import lane_report
from ledgergate.lanes.settle import settle
from ledgergate.ledger import Row
from ledgergate.policy.model import Lane

_BYTECODE = "bytecode"


class Watcher(Protocol):
    """Whoever shows how far a run has come."""

    def starts(self, lane: Lane) -> None: ...

    def runs(self, seconds: float) -> None: ...

    def ended(self, lane: Lane, report: bytes, ended: Ended) -> None: ...


class Tested(NamedTuple):
    """What lanes run on: the files of a tree below a folder, and the rows by which cases are told apart."""

    folder: Path
    tree: str
    rows: Sequence[Row]


def lanes_in_order(lanes: Sequence[Lane], ledger: FreezeLedger) -> list[Lane]:
    """The lanes that run here, required ones first; a remote one runs elsewhere."""
    required = ledger.settings.required_lanes if ledger.settings else ()
    order = {name: place for place, name in enumerate(required)}
    return sorted((lane for lane in lanes if not lane.remote), key=lambda lane: order.get(lane.name, len(order)))


def run_lanes(lanes: Sequence[Lane], tested: Tested, scratch: Path, watcher: Watcher) -> Mapping[str, bytes]:
    """Run the lanes one after the other; each lane's report by its name. `scratch` is an empty folder."""
    reports: dict[str, bytes] = {}
    (scratch / _BYTECODE).mkdir()
    for lane in lanes:
        # Of a name that no earlier lane can have foreseen.
        own = Path(tempfile.mkdtemp(dir=scratch))
        watcher.starts(lane)
        report, ended = _run_lane(lane, tested, own, watcher.runs)
        reports[lane.name] = report
        watcher.ended(lane, report, ended)
    return reports


def _run_lane(lane: Lane, tested: Tested, scratch: Path, meanwhile: Callable[[float], None]) -> tuple[bytes, Ended]:
    report, start = scratch / "report.json", scratch / "start"
    start.touch()
    try:
        command = shlex.split(lane.command)
    except ValueError as error:
        ended = Ended(None, False, 0.0, b"", f"its command cannot be split into words: {error}")
        return settle(lane, None, ended, tested.tree), ended
    # What one lane compiled the next need not compile again; that folder was empty when the run began.
    environment = lane_environment(report, tested.tree, scratch.parent / _BYTECODE)
    ended = run_capped(command, tested.folder, environment, lane.timeout_s, meanwhile)
    if lane.junit:
        written = lane_report(lane, tested.folder, start.stat().st_mtime_ns, tested.rows)
    else:
        written = report.read_bytes() if report.is_file() and not report.is_symlink() else None
    none = none_written(lane, command, tested.folder, start.stat().st_mtime_ns)
    return settle(lane, written, ended, tested.tree, none_written=none), ended
