"""How far a run of the lanes has come, on standard error: a line that moves on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import click

from ledgergate.lanes.child import Ended
from ledgergate.policy.model import Lane
from ledgergate.score import LaneReport, read_lane_reports
from ledgergate.values import display_text

if TYPE_CHECKING:
    from rich.status import Status

# How often a line says that a lane still runs, where nothing moves.
_SILENCE_S = 60
_LAST_LINES = 15


@contextmanager
def shown_on_stderr(lanes: Sequence[Lane]) -> Iterator[LaneWatcher]:
    """A watcher of these lanes."""
    with ExitStack() as stack:
        yield LaneWatcher(len(lanes), _status(stack) if sys.stderr.isatty() else None)


def _status(stack: ExitStack) -> Status:
    from rich.console import Console

    return stack.enter_context(Console(stderr=True).status(""))


class LaneWatcher:
    """Tells of each lane when it starts and when it has ended; of one that is not ok the last lines of its output."""

    def __init__(self, total: int, status: Status | None) -> None:
        self._total, self._number = total, 0
        self._status = status
        self._lane = ""
        self._told = 0.0

    def starts(self, lane: Lane) -> None:
        self._number, self._told = self._number + 1, 0.0
        self._lane = f"lane {display_text(lane.name)} ({self._number} of {self._total})"
        self._say(f"{self._lane}: {display_text(lane.command)}, at most {lane.timeout_s} s")

    def runs(self, seconds: float) -> None:
        if self._status is not None:
            from rich.markup import escape

            self._status.update(escape(f"{self._lane}: {seconds:.0f} s"))
        elif seconds - self._told >= _SILENCE_S:
            self._told = seconds
            self._say(f"{self._lane}: still running after {seconds:.0f} s")

    def ended(self, lane: Lane, report: bytes, ended: Ended) -> None:
        found = next((one for one in read_lane_reports("", report) if one.lane == lane.name), None)
        if not isinstance(found, LaneReport):
            self._say(f"{self._lane}: its report cannot be read ({ended.seconds:.1f} s)")
        else:
            failed = f", {len(found.violations)} failed" if found.violations else ""
            why = f" ({display_text(found.reason)})" if found.reason else ""
            self._say(f"{self._lane}: {found.status}{why}, {found.executed} ran{failed} ({ended.seconds:.1f} s)")
            if found.status == "ok" and not found.violations:
                return
        lines = ended.output.decode("utf-8", "replace").splitlines()
        for line in lines[-_LAST_LINES:]:
            self._say(f"  | {display_text(line.expandtabs())}", bare=True)

    def _say(self, text: str, *, bare: bool = False) -> None:
        click.echo(text if bare else f"ledgergate: {text}", err=True)
