"""Lane reports as the evidence gate reads reports: which cases ran, and how each ended."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import BufferedReader
from typing import NamedTuple

from ledgergate.evidence import JUnitReport, read_junit
from ledgergate.evidence.junit import Name, Outcome, Result, first_words, unreadable, worst
from ledgergate.evidence.names import mangle
from ledgergate.git.regular import open_regular
from ledgergate.score.lane_report import UNNAMED_UPDATE, LaneReport, Unreadable, read_lane_reports
from ledgergate.values import display_path

# What may stand before the first character of a report, in any encoding.
_BEFORE = b"\xef\xbb\xbf\xff\xfe\0 \t\r\n"
_LOOK = 64


class Reports(NamedTuple):
    """Reports of one run: their cases, and the lanes of those that are lane reports."""

    results: tuple[JUnitReport, ...] = ()
    lanes: tuple[LaneReport | Unreadable, ...] = ()


def read_reports(paths: Iterable[str]) -> Reports:
    """What files hold: each a JUnit report, or a lane report with one report of cases for each lane."""
    read = [_read_file(path) for path in paths]
    results = tuple(one for each in read for one in each.results)
    return Reports(results, tuple(one for each in read for one in each.lanes))


def _read_file(path: str) -> Reports:
    try:
        with open_regular(path) as stream:
            return read_report(path, stream)
    except (OSError, ValueError) as error:
        return Reports((JUnitReport(path, {}, (), None, f"{getattr(error, 'strerror', None) or error}"),))


def read_report(source: str, stream: BufferedReader) -> Reports:
    """What one file holds."""
    begin = stream.peek(_LOOK)[:_LOOK]
    first = begin.lstrip(_BEFORE)[:1]
    if first in (b"{", b"[", b'"'):
        lanes = read_lane_reports(source, stream.read())
        return Reports(lane_results(lanes), lanes)
    if first in (b"<", b"") and begin:
        return Reports((read_junit(source, stream),))
    shown = first_words(begin.decode("utf-8", "replace"))[:20]
    problem = f"it is neither XML nor JSON, and begins with {shown}" if begin else "it is empty"
    return Reports((unreadable(source, problem),))


def lane_results(reports: Iterable[LaneReport | Unreadable]) -> tuple[JUnitReport, ...]:
    """The cases of each lane. Of a lane that did not honestly complete, only those that failed count."""
    return tuple(map(_lane_results, reports))


def _lane_results(report: LaneReport | Unreadable) -> JUnitReport:
    problem = _problem(report)
    if isinstance(report, Unreadable) or problem is not None:
        return JUnitReport(report.source, dict(_merged(_failures(report))), (), None, problem)
    return JUnitReport(report.source, dict(_merged(_cases(report))), report.outside_evidence, report.tree)


def _problem(report: LaneReport | Unreadable) -> str | None:
    """Why a report does not count as a whole."""
    where = f"lane {report.lane}: " if report.lane is not None else ""
    if isinstance(report, Unreadable):
        return f"{where}{report.reason}"
    if report.status != "ok":
        return f"{where}it did not run to its end, its status is {report.status}"
    if report.contradictions:
        return f"{where}it {report.contradictions[0]}"
    if report.golden_update is not None:
        return f"{where}its run would have rewritten goldens ({report.golden_update or UNNAMED_UPDATE})"
    if report.differing:
        return f"{where}{display_path(report.differing[0].path)} was not on the disk as its row has it"
    if any(violation.case is None for violation in report.violations):
        return f"{where}a check failed, and the report does not say of which case"
    return None


def _cases(report: LaneReport) -> Iterator[tuple[Name, Result]]:
    for case in report.ran_cases:
        yield _name(case), Result(Outcome.PASSED)
    reasons = dict(report.skip_reasons)
    for case in report.skipped_cases or ():
        yield _name(case), Result(Outcome.SKIPPED, first_words(reasons.get(case, "")))
    for case in report.flaky_cases:
        yield _name(case), Result(Outcome.FLAKY)
    yield from _failures(report)


def _failures(report: LaneReport | Unreadable) -> Iterator[tuple[Name, Result]]:
    for violation in report.violations:
        if violation.case is not None:
            yield _name(violation.case), Result(Outcome.FAILED, violation.message)


def _name(case: str) -> Name:
    """A lane report names its cases by their exact ids."""
    return Name(*mangle(case), "", case)


def _merged(cases: Iterable[tuple[Name, Result]]) -> Iterator[tuple[Name, Result]]:
    found: dict[Name, list[Result]] = {}
    for name, result in cases:
        found.setdefault(name, []).append(result)
    return ((name, worst(results)) for name, results in found.items())
