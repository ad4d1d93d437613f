"""Which tests a run skipped, of those that count as evidence."""

from __future__ import annotations

import io

import pytest

from ledgergate.evidence.junit import read_junit
from ledgergate.evidence.skipped import skipped_ids
from ledgergate.lanes.results import lane_results
from ledgergate.ledger import Row
from support.lane_reports import lane, read

ONE, MANY, CASE, FLAKE, PROPERTY = (
    f"tests/test_a.py::{name}" for name in ("one", "many", "single[b]", "flake", "prop")
)
ROWS = (
    Row.of({"id": ONE, "class": "locked_fixture"}),
    Row.of({"id": MANY, "class": "locked_fixture", "params": "2"}),
    Row.of({"id": CASE, "class": "locked_fixture"}),
    Row.of({"id": FLAKE, "class": "quarantine"}),
    Row.of({"id": PROPERTY, "class": "property"}),
)
SKIP = '<skipped message="no numpy"/>'


def junit(**cases: str) -> bytes:
    """A report; `many_of_a` is the case `many[a]`."""
    names = {name: f"{name.replace('_of_', '[')}]" if "_of_" in name else name for name in cases}
    body = "".join(f'<testcase classname="tests.test_a" name="{names[n]}">{c}</testcase>' for n, c in cases.items())
    return f"<testsuite>{body}</testsuite>".encode()


@pytest.mark.parametrize(
    ("reports", "expected"),
    [
        pytest.param([junit(one=SKIP)], [ONE], id="one"),
        pytest.param([junit(one=SKIP), junit(one="")], [], id="passed in another report"),
        pytest.param([junit(one=SKIP), junit(one='<failure message="x"/>')], [], id="failed in another report"),
        pytest.param([junit(one=""), junit(prop=SKIP)], [PROPERTY], id="a property"),
        pytest.param([junit(flake=SKIP, stranger=SKIP)], [], id="in quarantine, or without a row"),
        pytest.param([junit(many_of_a=SKIP, many_of_b=SKIP)], [MANY], id="all cases of a function"),
        pytest.param([junit(many_of_a=SKIP, many_of_b="")], [f"{MANY}[a]"], id="a case of a function"),
        pytest.param([junit(many_of_a=SKIP), junit(many_of_b="")], [f"{MANY}[a]"], id="cases in two reports"),
        pytest.param([junit(single_of_b=SKIP)], [CASE], id="a case with its own row"),
        pytest.param([junit()], [], id="nothing"),
    ],
)
def test_what_was_skipped(reports: list[bytes], expected: list[str]) -> None:
    read_all = [read_junit(f"{place}.xml", io.BytesIO(data)) for place, data in enumerate(reports)]
    assert [report.problem for report in read_all] == [None] * len(reports)
    assert list(skipped_ids(ROWS, read_all)) == expected


def test_a_lane_report_says_it_by_exact_ids() -> None:
    ran, skipped = [f"{MANY}[a]"], [ONE, f"{MANY}[b]", FLAKE]
    report = read({"fixtures": lane(ran_case_ids=ran, skipped=True, skipped_case_ids=skipped)})
    assert list(skipped_ids(ROWS, lane_results(report))) == [f"{MANY}[b]", ONE]
