"""What the fields of one lane report say against each other: of two such words nobody knows which is true."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ledgergate.values import display_text

if TYPE_CHECKING:
    from ledgergate.score.lane_report import LaneReport


def contradictions(report: LaneReport) -> Iterator[str]:
    """Each pair of fields that cannot both be true, in words that follow "the report"; nothing for an honest run."""
    ran, skipped = report.ran_cases, report.skipped_cases or ()
    if report.executed < len(ran):
        named = f"names {len(ran)} cases that did" if len(ran) > 1 else "names a case that did"
        yield f"says that {report.executed or 'nothing'} ran, and {named}"
    if skipped and not report.skipped:
        yield f"says that nothing was skipped, and lists {_these(skipped)} as skipped"
    both = set(ran).intersection(skipped)
    if both:
        yield f"lists {_these(sorted(both))} as run and as skipped"
    explained = {case for case, _ in report.skip_reasons}.difference(skipped, report.outside_evidence)
    if explained:
        yield f"says why {_these(sorted(explained))} was skipped, and does not list it as skipped"
    if report.status == "ok" and report.reason:
        yield f"says why the lane is not ok ({display_text(report.reason)}), and its status is ok"


def _these(cases: Sequence[str]) -> str:
    more = f" and {len(cases) - 1} more" if len(cases) > 1 else ""
    return f"{display_text(cases[0])}{more}"
