"""`ledgergate gate`: the reports of a test run against the ledger."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC
from pathlib import Path

import click

from ledgergate.cli.options import At, all_findings, at_commit, at_of, output_format
from ledgergate.errors import LedgergateError, UsageError
from ledgergate.evidence import CHECK, DiskTree, Run, judge, measured_problems
from ledgergate.freeze import FreezeLedger, read_freeze_ledger
from ledgergate.freeze.signature import broken_signature, tree_reader
from ledgergate.git.regular import open_regular
from ledgergate.hosts.junit_evidence import naming_reports, report_at
from ledgergate.hosts.moments import now
from ledgergate.hosts.output import show
from ledgergate.hosts.tested import tested_commit
from ledgergate.lanes.here import named_tree_is_tested, policy_at
from ledgergate.lanes.judging import plugin_problems
from ledgergate.lanes.results import read_reports
from ledgergate.ledger import Ledger, read_ledger
from ledgergate.policy.model import REMOTE_REVIEW
from ledgergate.report import Format
from ledgergate.rules import finding
from ledgergate.score import LaneReport, Unreadable, covered_by_receipts
from ledgergate.values import Actor, Finding, Report, State, fold


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="[LEDGER] JUNIT...")
@click.option("--collected", metavar="FILE", help="The ids that the runner collects, one a line.")
@click.option("--freezes", metavar="FREEZE_LEDGER", help="Excuse cases by receipts of lane reports for these freezes.")
@click.option("--root", default=".", metavar="DIR", show_default=True, help="Where the tested files lie.")
@at_commit
@output_format
@all_findings
def command(
    files: tuple[str, ...],
    collected: str | None,
    freezes: str | None,
    root: str,
    revision: str | None,
    base: str | None,
    target: str | None,
    facts: str | None,
    humans: tuple[str, ...],
    output_format: Format,
    all_findings: bool,
) -> int:
    """Judge JUNIT reports or lane reports of one run against a LEDGER. The exit status is 0 for PASS alone.

    With --at all files are reports: policy and ledgers are those that git has, and nothing is read from the disk.
    """
    at = at_of(revision, base, target, facts, humans)
    if at is not None:
        if freezes is not None:
            raise UsageError("--at judges by the freeze ledger of the base, and takes no --freezes")
        return show(lambda: _report_at(at, files, collected), output_format, all_findings=all_findings)
    if len(files) < 2:
        raise UsageError("name the ledger, and at least one report")
    if not Path(root).is_dir():
        raise UsageError(f"--root {root} is no folder")
    ledger, *junit = files
    return show(
        lambda: _report(ledger, junit, collected, freezes, Path(root)), output_format, all_findings=all_findings
    )


def _report_at(at: At, files: Sequence[str], collected: str | None) -> Report:
    clock = now()
    ids = None if collected is None else _ids(_read(collected, "report-unreadable"))
    return report_at(tested_commit(at.revision, at.base, at.known, clock), files, clock, ids)


def _report(path: str, junit: Sequence[str], collected: str | None, freezes: str | None, folder: Path) -> Report:
    tree = DiskTree(folder)
    ledger = read_ledger(path, _read(path, "ledger-missing"), today=now().astimezone(UTC).date())
    reports, (policy, _) = read_reports(junit), policy_at(folder)
    run = Run(
        reports=reports.results,
        collected=None if collected is None else _ids(_read(collected, "report-unreadable")),
        is_tested=named_tree_is_tested(reports.results, folder, policy, now()),
    )
    frozen = None if freezes is None else _freezes(freezes)
    if frozen is not None:
        run = run._replace(excused=_excused(frozen, reports.lanes, tree))
    cases, found = judge(ledger.rows, run, lambda row: measured_problems(tree, row))
    plugins = plugin_problems(reports.lanes, policy)
    about_ledgers = (*_ledger_findings(ledger), *(_ledger_findings(frozen) if frozen else ()))
    findings = naming_reports((*about_ledgers, *plugins, *found), junit)
    state = fold((State.PASS, *(problem.state for problem in findings)))
    checks = ((CHECK, state),)
    return Report(state, checks, Actor("human"), None, None, None, (), (), findings, cases)


def _freezes(path: str) -> FreezeLedger:
    return read_freeze_ledger(path, _read(path, "ledger-missing"), remote_lanes=frozenset({REMOTE_REVIEW}))


def _excused(frozen: FreezeLedger, lanes: Sequence[LaneReport | Unreadable], tree: DiskTree) -> Callable[[str], bool]:
    """Which cases the lanes' receipts excuse; none at all where the freeze ledger has a problem, or not one of them."""
    known = (*frozen.settings.required_lanes, *frozen.settings.optional_lanes) if frozen.settings else ()
    is_sound = not frozen.problems and all(report.lane in known for report in lanes)
    freezes = frozen.freezes if is_sound else ()
    return covered_by_receipts(freezes, lanes, now(), lambda freeze: broken_signature(freeze, tree_reader(tree)))


def _ledger_findings(ledger: Ledger | FreezeLedger) -> tuple[Finding, ...]:
    return tuple(
        finding(problem.rule, CHECK, problem.message, path=ledger.path, line=problem.line, subject=problem.subject)
        for problem in ledger.problems
    )


def _read(path: str, rule: str) -> bytes:
    try:
        with open_regular(path) as stream:
            return stream.read()
    except OSError as error:
        raise LedgergateError(rule, f"it cannot be read: {error.strerror or error}", path=path) from error


def _ids(data: bytes) -> frozenset[str]:
    """The lines that name a test; whatever else a runner prints around them names none."""
    return frozenset(line.strip() for line in data.decode("utf-8", "surrogateescape").splitlines() if "::" in line)
