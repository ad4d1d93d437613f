"""`ledgergate score`: the four-state score of lane reports."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import click

from ledgergate.cli.options import At, at_commit, at_of
from ledgergate.errors import LedgergateError, UsageError
from ledgergate.evidence import DiskTree
from ledgergate.freeze import read_freeze_ledger
from ledgergate.freeze.signature import broken_signature, tree_reader
from ledgergate.git.regular import open_regular
from ledgergate.hosts.moments import now
from ledgergate.hosts.output import show_score
from ledgergate.hosts.tested import tested_commit
from ledgergate.lanes.here import agreeing, judged_here, policy_at
from ledgergate.lanes.inputs import Inputs, inputs_of
from ledgergate.lanes.judging import score_run
from ledgergate.lanes.regular import read_regular
from ledgergate.ledger.digests import file_digest
from ledgergate.report.score import render_score_json
from ledgergate.score import Score, read_lane_reports, score
from ledgergate.score.lane_report import LaneReport, Unreadable

_Reports = dict[str, bytes | Unreadable]


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="[FREEZE_LEDGER] REPORT...")
@click.option("--root", default=".", metavar="DIR", show_default=True, help="The tested files, and the policy.")
@at_commit
@click.option("--format", "output", type=click.Choice(("text", "json")), default="json", show_default=True)
@click.option("--all", "all_findings", is_flag=True, help="With text: list every finding, however many.")
def command(
    files: tuple[str, ...],
    root: str,
    revision: str | None,
    base: str | None,
    target: str | None,
    facts: str | None,
    humans: tuple[str, ...],
    output: Literal["text", "json"],
    all_findings: bool,
) -> int:
    """Score lane REPORTs against a FREEZE_LEDGER. The exit status is 0 for the decision allow alone.

    With --at all files are reports: policy and ledgers are those that git has, and nothing is read from the disk.
    """
    at = at_of(revision, base, target, facts, humans)
    if at is not None:
        result, inputs = _score_at(at, files)
    elif len(files) < 2:
        raise UsageError("name the freeze ledger, and at least one report")
    else:
        result, inputs = _score_here(files[0], files[1:], root)
    rendered = render_score_json(result, inputs) if output == "json" else None
    return show_score(result, rendered, all_findings=all_findings)


def _score_at(at: At, reports: Sequence[str]) -> tuple[Score, Inputs]:
    clock = now()
    basis = tested_commit(at.revision, at.base, at.known, clock)
    read: _Reports = {report: _report(report) for report in reports}
    result = score_run(basis, [lane for name, data in read.items() for lane in _lanes(name, data)], clock)
    return result, inputs_of(basis, {})._replace(reports=_digests(read))


def _score_here(freeze_ledger: str, reports: Sequence[str], root: str) -> tuple[Score, Inputs]:
    folder = Path(root)
    if not folder.is_dir():
        raise UsageError(f"--root {root} is no folder")
    policy, policy_data = policy_at(folder)
    ledger_data = read_regular(freeze_ledger, "freeze-unreadable")
    if ledger_data is None:
        raise LedgergateError("ledger-missing", "There is no such freeze ledger.", path=freeze_ledger)
    ledger = read_freeze_ledger(freeze_ledger, ledger_data, remote_lanes=policy.remote_lanes)
    read: _Reports = {report: _report(report) for report in reports}
    parsed = [lane for name, data in read.items() for lane in _lanes(name, data)]
    clock, tested = now(), tree_reader(DiskTree(folder))
    here = judged_here(folder, policy, clock)
    is_tested = agreeing(parsed) if here is None else here.is_tested
    result = score(ledger, parsed, policy, clock, lambda freeze: broken_signature(freeze, tested), is_tested=is_tested)
    inputs = Inputs(
        commit=None if here is None else here.commit,
        tree=None if here is None else here.tree,
        base=None,
        policy=_digest(policy_data),
        ledger=None,
        freeze_ledger=_digest(ledger_data),
        reports=_digests(read),
    )
    return result, inputs


def _digests(read: _Reports) -> tuple[tuple[str, str | None], ...]:
    return tuple((name, _digest(read[name])) for name in sorted(read))


def _report(name: str) -> bytes | Unreadable:
    """The bytes of a report, or why there are none."""
    try:
        with open_regular(name) as stream:
            return stream.read()
    except FileNotFoundError:
        return Unreadable(None, name, "there is no such file")
    except (OSError, ValueError) as error:
        return Unreadable(None, name, f"it cannot be read: {getattr(error, 'strerror', None) or error}")


def _lanes(name: str, read: bytes | Unreadable) -> tuple[LaneReport | Unreadable, ...]:
    return read_lane_reports(name, read) if isinstance(read, bytes) else (read,)


def _digest(read: bytes | Unreadable | None) -> str | None:
    return file_digest(read) if isinstance(read, bytes) else None
