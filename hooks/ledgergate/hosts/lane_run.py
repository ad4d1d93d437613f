"""A run of all lanes on one commit, told on standard error while it lasts."""

from __future__ import annotations

import signal
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from ledgergate.errors import LedgergateError
from ledgergate.git.checked_out import check_out
from ledgergate.hosts.moments import now
from ledgergate.lanes.basis import Basis
from ledgergate.lanes.inputs import inputs_of
from ledgergate.lanes.judging import read_all, score_run
from ledgergate.lanes.lock import render_lock
from ledgergate.lanes.running import Tested, lanes_in_order, run_lanes
from ledgergate.lanes.stale import stale_after, stale_before
from ledgergate.lanes.store import EvidenceStore
from ledgergate.report.score import render_score_json
from ledgergate.score import Score
from ledgergate.values import Finding, display_text


class _Ran(NamedTuple):
    """The lanes' reports by name, and what was wrong with the files that they ran on."""

    reports: Mapping[str, bytes]
    stale: Sequence[Finding]


def run_whole(basis: Basis, *, clean: bool, with_checks: bool = True) -> tuple[Score, str]:
    """Run the lanes on the commit of a basis, in a checkout of its own if `clean`, and keep what came of it.

    `with_checks` is as `score_run` has it. The score, and the object that is kept of it. What is done is told on
    standard error. Raises `LedgergateError`.
    """
    repository, store = basis.repository, EvidenceStore(basis.repository)
    _say_what_is_tested(basis, clean=clean)
    with _temporary_folder() as folder:
        files, scratch = _check_out(basis, folder) if clean else (repository.workdir, folder)
        ran = _run_on(basis, files, scratch, store)
    # Freezes end while lanes run, too.
    score = score_run(basis, read_all(ran.reports), now(), ran.stale, with_checks=with_checks)
    shown = render_score_json(score, inputs_of(basis, ran.reports))
    if ran.stale:
        said = "the evidence is for nothing, and is not kept" if ran.reports else "no lane was run"
        _say(f"ledgergate: {said}: files are not what the commit has")
    else:
        kept = store.keep(basis.tree, ran.reports, {"score.json": shown.encode(), "lock.json": render_lock(basis)})
        _say(f"ledgergate: evidence for tree {basis.tree[:12]} is kept in {kept}, the score in score.json")
    return score, shown


@contextmanager
def _temporary_folder() -> Iterator[Path]:
    try:
        # What a lane still writes while it is ended may be in the way of the removal.
        scratch = tempfile.TemporaryDirectory(prefix="ledgergate-", ignore_cleanup_errors=True)
    except OSError as error:
        raise LedgergateError("lane-incomplete", f"there is no place for temporary files: {error}") from error
    with scratch as folder:
        yield Path(folder)


def _check_out(basis: Basis, folder: Path) -> tuple[Path, Path]:
    """A folder with the files of the commit, and an empty one."""
    files, scratch = folder / "tree", folder / "lanes"
    files.mkdir()
    scratch.mkdir()
    check_out(basis.repository, basis.tree, files)
    return files, scratch


def _run_on(basis: Basis, files: Path, scratch: Path, store: EvidenceStore) -> _Ran:
    """Run the lanes on these files, unless they are not what the commit has."""
    stale = stale_before(basis.differing(files))
    if stale:
        return _Ran({}, stale)
    # A run that comes to no end leaves nothing, and nothing of an earlier one either.
    store.forget(basis.tree)
    lanes = lanes_in_order(basis.policy.lanes, basis.in_force.freeze)
    # It draws on a terminal with what a hook otherwise does without.
    from ledgergate.cli.lane_progress import shown_on_stderr

    with shown_on_stderr(lanes) as watcher:
        reports = run_lanes(lanes, Tested(files, basis.tree, basis.in_force.rows), scratch, watcher)
    return _Ran(reports, stale_after(basis.differing(files)))


def _say_what_is_tested(basis: Basis, *, clean: bool) -> None:
    where = "a checkout of its own" if clean else "the working tree"
    against = "itself" if basis.base_commit == basis.commit else f"{basis.base_commit[:12]}"
    _say(f"ledgergate: tree {basis.tree[:12]} in {where}, by the rules of {against}")
    if basis.in_force.is_first:
        _say("ledgergate: the base has no policy yet, so the commit is judged by its own")
    if basis.is_behind:
        _say(
            "ledgergate: HEAD lacks commits of the base, whose rows count all the same; rebase it if they are missed",
        )


def _say(text: str) -> None:
    sys.stderr.write(f"{display_text(text)}\n")
    sys.stderr.flush()


@contextmanager
def interrupted_by_signals() -> Iterator[None]:
    """Let what ends a job (a cancelled pipeline, a terminal that is closed) end the lanes as an interruption does."""

    def interrupt(number: int, _: object) -> None:
        raise KeyboardInterrupt(signal.Signals(number).name)

    before = {number: signal.signal(number, interrupt) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
