"""Lane reports before the evidence gate: the same cases, however a report says them."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from ledgergate.evidence import Run, judge
from ledgergate.lanes.results import read_report
from ledgergate.ledger import Row
from ledgergate.values import State, fold
from support.lane_reports import lane

ID = "tests/test_a.py::test_x"


def row(class_: str = "property", id_: str = ID, **fields: str) -> Row:
    return Row.of({"id": id_, "class": class_, **fields})


def verdict(rows: list[Row], *reports: dict[str, Any] | bytes) -> tuple[set[str], State]:
    """The rules that are broken, and the state."""
    data = [report if isinstance(report, bytes) else json.dumps(report).encode() for report in reports]
    streams = [io.BufferedReader(io.BytesIO(each)) for each in data]  # type: ignore[arg-type]
    read = tuple(one for stream in streams for one in read_report("r.json", stream).results)
    _, findings = judge(rows, Run(read), lambda _: ())
    return {seen.rule for seen in findings}, fold((State.PASS, *(seen.state for seen in findings)))


def one(**fields: Any) -> dict[str, Any]:
    return {"properties": lane(**{"ran_case_ids": [ID], **fields})}


FAILED = [{"case": ID, "message": "1 is not 2"}]
UNREADABLE = {"report-unreadable", "case-missing"}


@pytest.mark.parametrize(
    ("report", "rules", "state"),
    [
        (one(), set(), State.PASS),
        (one(violations=FAILED), {"case-failed"}, State.FAIL),
        (one(ran_case_ids=[], violations=FAILED), {"case-failed"}, State.FAIL),
        (one(ran_case_ids=[], skipped_case_ids=[ID]), {"case-missing"}, State.UNSCORED),
        (one(skipped_case_ids=[ID]), {"report-unreadable", "case-missing"}, State.UNSCORED),
        (one(ran_case_ids=["a"], skipped=False, skipped_case_ids=[ID]), UNREADABLE, State.UNSCORED),
        (one(executed=0), UNREADABLE, State.UNSCORED),
        (one(reason="it was killed"), UNREADABLE, State.UNSCORED),
        (one(flaky_case_ids=[ID]), {"case-flaky"}, State.UNSCORED),
        (one(ran_case_ids=[ID, "tests/test_a.py::test_new"]), {"unclassified"}, State.FAIL),
        (one(outside_evidence=[ID]), {"case-missing"}, State.UNSCORED),
        (one(ran_case_ids=[]), {"report-empty", "case-missing"}, State.UNSCORED),
        (one(violations=["somewhere"]), {"report-unreadable", "case-missing"}, State.UNSCORED),
        (one(golden_update=""), UNREADABLE, State.UNSCORED),
        (one(golden_update="--force-regen"), {"report-unreadable", "case-missing"}, State.UNSCORED),
        (
            one(differing_artifacts=[{"case": ID, "path": "tests/goldens/x"}]),
            {"report-unreadable", "case-missing"},
            State.UNSCORED,
        ),
        *(
            (one(status=status), {"report-unreadable", "case-missing"}, State.UNSCORED)
            for status in ("timeout", "crash", "empty", "parse_error", "OK")
        ),
        (one(status="crash", violations=FAILED), {"report-unreadable", "case-failed"}, State.FAIL),
        (one(executed="3", violations=FAILED), {"report-unreadable", "case-failed"}, State.FAIL),
        (b"{}", {"report-unreadable", "case-missing"}, State.UNSCORED),
        (b"{", {"report-unreadable", "case-missing"}, State.UNSCORED),
        (b"\xef\xbb\xbf\n{", {"report-unreadable", "case-missing"}, State.UNSCORED),
    ],
)
def test_what_a_lane_report_proves(report: dict[str, Any] | bytes, rules: set[str], state: State) -> None:
    assert verdict([row()], report) == (rules, state)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "it is empty"),
        (b"\n", "it is no well-formed XML: no element found (line 2)"),
        (b"<testsuite>", "it is no well-formed XML: no element found (line 1)"),
        (b"<a/>", "its root element is a, and not testsuites or testsuite"),
        (b" \n{", "it is not valid JSON: Expecting property name enclosed in double quotes (line 2, column 2)"),
        (b"[{}]", "it is no JSON object"),
        ("{}".encode("utf-16"), "it is not UTF-8 (line 1)"),
        (b"ok\n\x1b[2J", "it is neither XML nor JSON, and begins with ok \\x1b[2J"),
        (b"PK\x03\x04", "it is neither XML nor JSON, and begins with PK\\x03\\x04"),
    ],
)
def test_what_cannot_be_read_is_called_what_it_is(data: bytes, problem: str) -> None:
    (found,) = read_report("r", io.BufferedReader(io.BytesIO(data))).results  # type: ignore[arg-type]
    assert (found.problem, found.cases) == (problem, {})


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be"])
def test_reports_in_other_encodings(encoding: str) -> None:
    junit = '<testsuite><testcase classname="tests.test_a" name="test_x"/></testsuite>'
    assert verdict([row()], junit.encode(encoding)) == (set(), State.PASS)


@pytest.mark.parametrize(
    "id_", [f"{ID}[a::b]", f"{ID}[é\x1b]", f"{ID}[]", "suite.Class::case", "web/a.test.ts::adds up"]
)
def test_exact_ids_of_any_runner_are_found(id_: str) -> None:
    assert verdict([row(id_=id_)], one(ran_case_ids=[id_])) == (set(), State.PASS)
    assert "case-missing" in verdict([row(id_=id_)], one(ran_case_ids=[f"{id_}x"]))[0]


def test_a_row_with_parameters_covers_its_cases() -> None:
    report = one(ran_case_ids=[f"{ID}[1]", f"{ID}[2]"])
    assert verdict([row(params="2")], report) == (set(), State.PASS)
    assert verdict([row(params="3")], report) == ({"case-missing"}, State.UNSCORED)


def test_quarantine_and_drafts_are_kept_out() -> None:
    rows = [row("quarantine", "t.py::test_q"), row("draft", "t.py::test_d"), row()]
    report = one(outside_evidence=["t.py::test_q", "t.py::test_d"])
    assert verdict(rows, report) == (set(), State.PASS)
    assert verdict(rows, one(ran_case_ids=[ID, "t.py::test_q", "t.py::test_d"]))[0] == {
        "quarantine-cited",
        "draft-cited",
    }


def test_lanes_and_reports_are_judged_together() -> None:
    other = row(id_="t.py::test_y")
    both = {"properties": lane(ran_case_ids=[ID]), "fixtures": lane(ran_case_ids=[other.id])}
    assert verdict([row(), other], both) == (set(), State.PASS)
    junit = b'<testsuite><testcase classname="t" name="test_y"/></testsuite>'
    assert verdict([row(), other], one(), junit) == (set(), State.PASS)
    # Skipped in one and passed in another is a pass.
    assert verdict([row()], one(ran_case_ids=[], skipped_case_ids=[ID]), one()) == (set(), State.PASS)
