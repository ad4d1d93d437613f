"""Hook `junit-evidence`: test reports against the ledger."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ledgergate.errors import LedgergateError, UsageError, run

if TYPE_CHECKING:
    from datetime import datetime

    from ledgergate.lanes.basis import Basis
    from ledgergate.values import Finding, Report


def main(argv: Sequence[str] | None = None) -> int:
    """Judge the reports that the hook's `args` name."""
    arguments = sys.argv[1:] if argv is None else argv

    def command() -> int:
        options = [argument for argument in arguments if argument.startswith("-")]
        if options:
            raise UsageError(f"junit-evidence takes no options (got {options[0]}); `ledgergate gate` has them")
        # Inside the boundary, which says what cannot be imported.
        from ledgergate.hosts.output import show

        return show(lambda: _report(arguments))

    return run(command)


def _report(paths: Sequence[str]) -> Report:
    from ledgergate.hosts.moments import now
    from ledgergate.hosts.pushed import pushed_basis

    if not paths:
        raise LedgergateError(
            "report-unreadable",
            "No report is named, so there is nothing that could be evidence.",
            remedy="Human: name the reports in the hook's `args`, as in `args: [build/junit.xml]`; "
            "`ledgergate run` keeps its own, which the hook `lane-score` reads.",
        )
    clock = now()
    return report_at(pushed_basis(clock), paths, clock)


def report_at(basis: Basis, paths: Sequence[str], clock: datetime, collected: frozenset[str] | None = None) -> Report:
    """What reports in files prove for a commit; each has to say that it is about that commit's tree.

    `collected` are the ids that the runner collects, None where they are not known.
    """
    from ledgergate.evidence import CHECK, Run
    from ledgergate.lanes.judging import judge_evidence, plugin_problems
    from ledgergate.lanes.results import read_reports
    from ledgergate.values import Actor, Report, State, fold

    reports = read_reports(paths)
    run_ = Run(reports.results, collected=collected, is_tested=basis.is_same)
    cases, found = judge_evidence(basis, run_, reports.lanes, clock)
    findings = (*basis.broken_ledgers, *plugin_problems(reports.lanes, basis.policy), *found)
    findings = naming_reports(findings, paths)
    state = fold((State.PASS, *(seen.state for seen in findings)))
    base = basis.case.change.base.id
    return Report(state, ((CHECK, state),), Actor("human"), base, basis.tree, None, (), (), findings, cases)


def naming_reports(findings: Iterable[Finding], paths: Sequence[str]) -> tuple[Finding, ...]:
    """The findings, with the reports that were judged in the command that takes one."""
    from ledgergate.rules.evidence import SKIPPED_IN
    from ledgergate.values import shell_word

    named = " ".join(f"--skipped-in {shell_word(path)}" for path in paths)
    return tuple(seen._replace(remedy=seen.remedy.replace(SKIPPED_IN, named)) for seen in findings)
