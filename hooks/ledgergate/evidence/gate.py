"""The reports of one run against the ledger: which passes are evidence, and which results no row allows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from ledgergate.evidence.junit import JUnitReport, Name, Outcome, Result, worst
from ledgergate.evidence.names import Ambiguous, Names
from ledgergate.ledger import Row
from ledgergate.rules import finding
from ledgergate.rules.evidence import SKIPPED_REMEDY
from ledgergate.values import Cases, Finding, JudgedCase, State

CHECK = "junit-evidence"
Holds = Callable[[Row], Sequence[Finding]]
_EVIDENCE_CLASSES = frozenset({"locked_fixture", "property"})
_SEVERAL_FILES = "One report has it from several files, and does not say which of them the row means."
_CITED = {"quarantine": "quarantine-cited", "draft": "draft-cited"}


class Run(NamedTuple):
    """What is known of the run beside its reports.

    `collected` are the ids that the runner collects, None where nobody listed them. `is_tested` says whether a report
    of this git tree (None: it names none) is about what is judged. `excused` says whether a valid freeze receipt covers
    an id.
    """

    reports: Sequence[JUnitReport]
    collected: Collection[str] | None = None
    is_tested: Callable[[str | None], bool] = lambda _: True
    production_changed: bool = False
    excused: Callable[[str], bool] = lambda _: False


def judge(rows: Sequence[Row], run: Run, holds: Holds) -> tuple[Cases, tuple[Finding, ...]]:
    """Judge the reports of a run against the rows of all ledgers together: what the cases are worth, and all findings.

    `holds` measures a row whose cases passed, and gives what is wrong with its digest or its seeds.
    """
    names = Names(rows)
    seen, stray, doubtful = _sort(names, run)
    kept_out = {id_: names.row_with(id_) for report in run.reports for id_ in report.outside_evidence}
    out = {row.id for row in kept_out.values() if row is not None}
    judged: list[JudgedCase] = [one for one, _ in stray]
    findings = [*_report_findings(run), *(problem for _, problem in stray)]
    for row in rows:
        verdict, problems = _judge_row(row, seen.get(row.id, {}), run, out, holds)
        if row.id in doubtful and not problems:
            verdict, problems = _broken(row, "case-ambiguous", _SEVERAL_FILES)
        judged.append(JudgedCase(row.id, row.class_, _outcome(seen.get(row.id, {})), verdict))
        findings += problems
    findings += _misplaced(kept_out)
    admitted = sum(one.verdict == "admitted" for one in judged)
    if run.production_changed and not admitted:
        findings.append(finding("no-evidence", CHECK, "Production files changed, and no pass is evidence."))
    refused = sum(one.verdict not in ("admitted", "recorded") for one in judged)
    return Cases(sum(map(len, seen.values())) + len(stray), admitted, refused, tuple(judged)), tuple(findings)


# The results of each row's cases, by their parameters.
_Seen = dict[str, dict[str, Result]]
_Stray = list[tuple[JudgedCase, Finding]]


def _sort(names: Names, run: Run) -> tuple[_Seen, _Stray, set[str]]:
    """The results of each row's cases over all reports, those that no row covers, and the ids of doubtful rows.

    Doubtful is what one report has from several files: without exact ids nobody can say which of them the row means.
    """
    seen: _Seen = {}
    stray: dict[Name, Result] = {}
    doubtful: set[str] = set()
    for report in run.reports:
        own: _Seen = {}
        files: dict[tuple[str, str], str] = {}
        for name, result in report.cases.items():
            row = names.row_of(name)
            if isinstance(row, Row):
                case = _parameters(name)
                _keep_worst(own.setdefault(row.id, {}), case, result)
                if name.file and not name.nodeid and files.setdefault((row.id, case), name.file) != name.file:
                    doubtful.add(row.id)
            else:
                stray[name] = _over_reports(stray.get(name), result)
        for id_, cases in own.items():
            whole = seen.setdefault(id_, {})
            whole.update((case, _over_reports(whole.get(case), result)) for case, result in cases.items())
    return seen, [_stray_case(name, result, names.row_of(name)) for name, result in stray.items()], doubtful


def _parameters(name: Name) -> str:
    """Which case of its row it is: a report may call one case by several names, and it counts once."""
    return name.name.partition("[")[2]


def _keep_worst(cases: dict[str, Result], case: str, result: Result) -> None:
    cases[case] = worst((cases[case], result)) if case in cases else result


def _over_reports(before: Result | None, result: Result) -> Result:
    """Skipped in one report of a matrix and passed in another is a pass; otherwise the worse counts."""
    if before is None:
        return result
    outcomes = {before.outcome, result.outcome}
    if outcomes == {Outcome.PASSED, Outcome.SKIPPED}:
        return Result(Outcome.PASSED)
    return worst((before, result))


def _stray_case(name: Name, result: Result, found: Row | Ambiguous | None) -> tuple[JudgedCase, Finding]:
    shown = name.nodeid or "::".join(filter(None, (name.classname or name.file, name.name))) or "a case without a name"
    rule, message = "unclassified", f"{result.outcome.value}; no row of the ledger covers it."
    if isinstance(found, Ambiguous):
        rule, message = "case-ambiguous", f"{found.reason[:1].upper()}{found.reason[1:]}."
    return JudgedCase(shown, "", result.outcome.value, rule), finding(rule, CHECK, message, subject=shown)


def _judge_row(
    row: Row, cases: dict[str, Result], run: Run, kept_out: set[str], holds: Holds
) -> tuple[str, Sequence[Finding]]:
    """(verdict, findings) of one row."""
    outcomes = [result.outcome for result in cases.values()]
    if row.class_ in _EVIDENCE_CLASSES:
        return _judge_evidence(row, cases, run, holds)
    if Outcome.PASSED in outcomes or Outcome.FLAKY in outcomes:
        rule = _CITED[row.class_]
        return rule, [finding(rule, CHECK, "It passed, in a run that is to be evidence.", subject=row.id)]
    if (
        row.class_ == "quarantine"
        and Outcome.FAILED not in outcomes
        and not _is_accounted_for(row, cases, run, kept_out)
    ):
        return "quarantine-skipped", [_vanished(row, cases, run)]
    return "recorded", ()


def _vanished(row: Row, cases: dict[str, Result], run: Run) -> Finding:
    """Where no report counts, and nobody listed what there is, nothing is known of the test: that is no tampering."""
    counts = any(report.cases and report.problem is None for report in run.reports)
    message = "It was skipped in every report." if cases else _absent(run)
    state = None if cases or counts or run.collected is not None else State.UNSCORED
    return finding("quarantine-skipped", CHECK, message, state=state, subject=row.id)


def _absent(run: Run) -> str:
    if not run.reports:
        return "There is no report, so nothing is known of it."
    if all(report.cases and report.problem is None for report in run.reports):
        return "No report has it, and nothing shows that it exists."
    return "No report has it; but not every report counts, and one that does may show that it exists."


def _is_accounted_for(row: Row, cases: dict[str, Result], run: Run, kept_out: set[str]) -> bool:
    if row.id in kept_out or run.excused(row.id):
        return True
    return not cases and run.collected is not None and _is_collected(row, run.collected)


def _is_collected(row: Row, collected: Collection[str]) -> bool:
    return row.id in collected or ("params" in row.fields and any(id_.startswith(f"{row.id}[") for id_ in collected))


def _judge_evidence(row: Row, cases: dict[str, Result], run: Run, holds: Holds) -> tuple[str, Sequence[Finding]]:
    failed = next((result for result in cases.values() if result.outcome is Outcome.FAILED), None)
    if failed is not None:
        return _broken(row, "case-failed", failed.why or "It failed.")
    if any(result.outcome is Outcome.FLAKY for result in cases.values()):
        return _broken(row, "case-flaky", "It passed only when it was repeated.")
    passed, wanted = sum(result.outcome is Outcome.PASSED for result in cases.values()), row.params or 1
    if passed + _excused_cases(row, cases, run) < wanted and not run.excused(row.id):
        return "case-missing", [_missing(row, cases, passed, wanted)]
    # Also of what is frozen: a receipt lets a test be skipped, and nobody change what it is held to.
    problems = holds(row)
    if problems:
        return problems[0].rule, problems
    return ("admitted" if passed >= wanted else "recorded"), ()


def _excused_cases(row: Row, cases: dict[str, Result], run: Run) -> int:
    """How many single cases of a parametrised test a freeze of their own let be skipped."""
    frozen = (run.excused(f"{row.id}[{case}") for case, result in cases.items() if result.outcome is Outcome.SKIPPED)
    return sum(frozen)


def _missing(row: Row, cases: dict[str, Result], passed: int, wanted: int) -> Finding:
    skipped = [result for result in cases.values() if result.outcome is Outcome.SKIPPED]
    why = next((f": {result.why}" for result in skipped if result.why), "")
    if wanted > 1:
        also = f"; {len(skipped)} skipped{why or '.'}" if skipped else "."
        message = f"{passed} of its cases passed, and the row wants {wanted}{also}"
    else:
        message = f"It was skipped{why or '.'}" if cases else "No report has it."
    remedy = SKIPPED_REMEDY if skipped else None
    return finding("case-missing", CHECK, message, remedy=remedy, subject=row.id)


def _broken(row: Row, rule: str, message: str) -> tuple[str, Sequence[Finding]]:
    return rule, [finding(rule, CHECK, message, subject=row.id)]


def _misplaced(kept_out: Mapping[str, Row | None]) -> Iterator[Finding]:
    """Only quarantine and draft rows may be kept out of the evidence."""
    for id_, row in sorted(kept_out.items(), key=lambda found: found[0]):
        if row is None or row.class_ not in _CITED:
            message = "It was kept out of the run on purpose, and only quarantine and draft rows may be."
            yield finding("case-missing", CHECK, message, subject=id_)


def _report_findings(run: Run) -> Iterator[Finding]:
    for report in run.reports:
        if report.problem is not None:
            yield _about(report, "report-unreadable", f"It cannot be read whole: {report.problem}.")
        elif not report.cases:
            yield _about(report, "report-empty", "It holds no case.")
        elif not run.is_tested(report.tree):
            made_for = f"the tree {report.tree}" if report.tree else "a tree that it does not name"
            yield _about(report, "report-stale", f"It was made for {made_for}, and another one is judged.")


def _about(report: JUnitReport, rule: str, message: str) -> Finding:
    return finding(rule, CHECK, message, path=report.source, subject=report.source)


def _outcome(cases: dict[str, Result]) -> str:
    return worst(cases.values()).outcome.value if cases else ""
