"""`ledgergate score`: the four-state score of lane reports."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from ledgergate.errors import LedgergateError, UsageError
from ledgergate.evidence import DiskTree
from ledgergate.freeze import read_freeze_ledger
from ledgergate.freeze.signature import broken_signature, tree_reader
from ledgergate.hosts.moments import now
from ledgergate.hosts.output import show_score
from ledgergate.lanes.here import agreeing, judged_here
from ledgergate.lanes.inputs import Inputs
from ledgergate.ledger.digests import file_digest
from ledgergate.policy import POLICY_PATH, Policy, read_policy
from ledgergate.report.score import render_score_json
from ledgergate.score import read_lane_reports, score
from ledgergate.score.lane_report import LaneReport, Unreadable

_Reports = dict[str, bytes | None]


@click.command()
@click.argument("freeze_ledger")
@click.argument("reports", nargs=-1, required=True)
@click.option("--root", default=".", metavar="DIR", show_default=True, help="The tested files, and the policy.")
@click.option("--format", "output", type=click.Choice(("text", "json")), default="json", show_default=True)
@click.option("--all", "all_findings", is_flag=True, help="With text: list every finding, however many.")
def command(
    freeze_ledger: str, reports: tuple[str, ...], root: str, output: Literal["text", "json"], all_findings: bool
) -> int:
    """Score lane REPORTs against a FREEZE_LEDGER. The exit status is 0 for the decision allow alone."""
    folder = Path(root)
    if not folder.is_dir():
        raise UsageError(f"--root {root} is no folder")
    policy_data = _read(folder / POLICY_PATH)
    policy = Policy() if policy_data is None else read_policy(policy_data)
    ledger_data = _read(Path(freeze_ledger))
    if ledger_data is None:
        raise LedgergateError("ledger-missing", "There is no such freeze ledger.", path=freeze_ledger)
    ledger = read_freeze_ledger(freeze_ledger, ledger_data, remote_lanes=policy.remote_lanes)
    read: _Reports = {report: _read(Path(report)) for report in reports}
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
        reports=tuple((name, _digest(data)) for name, data in sorted(read.items())),
    )
    rendered = render_score_json(result, inputs) if output == "json" else None
    return show_score(result, rendered, all_findings=all_findings)


def _lanes(name: str, data: bytes | None) -> tuple[LaneReport | Unreadable, ...]:
    return (Unreadable(None, name, "there is no such file"),) if data is None else read_lane_reports(name, data)


def _digest(data: bytes | None) -> str | None:
    return None if data is None else file_digest(data)


def _read(file: Path) -> bytes | None:
    """The bytes of a regular file, None where there is none; `LedgergateError` where it cannot be read."""
    try:
        return file.read_bytes() if file.is_file() else None
    except OSError as error:
        message = f"it cannot be read: {error.strerror or error}"
        raise LedgergateError("lane-incomplete", message, path=str(file)) from error
