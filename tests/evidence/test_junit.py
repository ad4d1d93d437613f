"""What the reader makes of reports, whole and broken."""

from __future__ import annotations

import io
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledgergate.evidence.junit import JUnitReport, Name, Outcome, read_junit

HEAD = '<?xml version="1.0" encoding="utf-8"?>'


def read(text: str | bytes) -> JUnitReport:
    return read_junit("report.xml", io.BytesIO(text.encode() if isinstance(text, str) else text))


def suite(cases: str, **attributes: object) -> JUnitReport:
    written = "".join(f' {key}="{value}"' for key, value in attributes.items())
    return read(f"{HEAD}<testsuites><testsuite{written}>{cases}</testsuite></testsuites>")


def case(inside: str = "", name: str = "test_x", more: str = "") -> str:
    return f'<testcase classname="tests.test_a" name="{name}" {more}>{inside}</testcase>'


def outcome(inside: str = "", more: str = "") -> Outcome:
    (result,) = suite(case(inside, more=more)).cases.values()
    return result.outcome


def test_an_exact_id_stands_in_for_a_name_that_is_empty() -> None:
    report = suite(case('<properties><property name="nodeid" value="tests/a.txt::"/></properties>', name=""))
    assert [name.nodeid for name in report.cases] == ["tests/a.txt::"]
    assert suite(case(name="")).problem == "a case has no name"
    assert suite("<testcase/>").problem == "a case has no name"


@pytest.mark.parametrize(
    ("inside", "more", "expected"),
    [
        ("", "", Outcome.PASSED),
        ("<system-out>failure</system-out>", "", Outcome.PASSED),
        ("<failure/>", "", Outcome.FAILED),
        ('<x:failure xmlns:x="urn:x"/>', "", Outcome.FAILED),
        ('<error message="failed on teardown"/>', "", Outcome.FAILED),
        ("<skipped/>", "", Outcome.SKIPPED),
        ('<skipped type="pytest.xfail"/>', "", Outcome.SKIPPED),
        ('<properties><property name="unexpected_pass" value="true"/></properties>', "", Outcome.SKIPPED),
        ("<skipped/><failure/>", "", Outcome.FAILED),
        ("<failure/><skipped/>", "", Outcome.FAILED),
        ("<flakyFailure/>", "", Outcome.FLAKY),
        ("<flakyError/>", "", Outcome.FLAKY),
        ("<rerun/>", "", Outcome.FLAKY),
        ("<failure/><rerunFailure/>", "", Outcome.FAILED),
        ("<skipped/><flakyFailure/>", "", Outcome.FLAKY),
        ("", 'status="notrun"', Outcome.SKIPPED),
        ("", 'status="run" result="suppressed"', Outcome.SKIPPED),
        ("", 'status="disabled"', Outcome.SKIPPED),
        ("", 'status="fail"', Outcome.FAILED),
        ("", 'status="run" result="completed"', Outcome.PASSED),
        ("", 'Status="Failed"', Outcome.FAILED),
        ("", 'outcome="failed"', Outcome.FAILED),
        ("", 'outcome="Inconclusive"', Outcome.SKIPPED),
        ("", 'state="who knows"', Outcome.SKIPPED),
        ("", 'verdict="passed" outcome=" Passed "', Outcome.PASSED),
        ("", 'success="False"', Outcome.FAILED),
        ("", 'success="True" executed="True"', Outcome.PASSED),
        ("", 'executed="False"', Outcome.SKIPPED),
        ("", 'failed="1"', Outcome.FAILED),
        ("", 'error="no such module"', Outcome.FAILED),
        ("", 'skipped="true"', Outcome.SKIPPED),
        ("", 'failed="0" skipped="0" error="" disabled="false"', Outcome.PASSED),
        ("", 'xmlns:x="u" x:result="failed"', Outcome.FAILED),
        ("", 'line="failed" file="error"', Outcome.PASSED),
    ],
)
def test_how_a_case_ended(inside: str, more: str, expected: Outcome) -> None:
    assert outcome(inside, more) is expected


@pytest.mark.parametrize("order", [("", "<failure/>"), ("<failure/>", "")])
def test_a_case_that_stands_twice_has_its_worst_result(order: tuple[str, str]) -> None:
    (result,) = suite("".join(map(case, order))).cases.values()
    assert result.outcome is Outcome.FAILED


def test_the_first_words_of_a_failure_are_kept() -> None:
    (result,) = suite(case('<failure message="1 is not 2&#10;::error::x&#9; y"/>')).cases.values()
    assert result.why == "1 is not 2 ::error::x y"


def test_properties_of_cases_and_suites() -> None:
    nodeid = '<properties><property name="nodeid" value="tests/test_a.py::test_x"/></properties>'
    own = "".join(f'<property name="outside_evidence" value="{value}"/>' for value in "ab")
    found = suite(f"<properties>{own}</properties>{case(nodeid)}")
    assert found.outside_evidence == ("a", "b")
    assert set(found.cases) == {Name("tests.test_a", "test_x", "", "tests/test_a.py::test_x")}


def test_two_different_ids_of_one_case_are_both_kept() -> None:
    ids = "".join(f'<property name="nodeid" value="{value}"/>' for value in ("b", "a", "b"))
    (name,) = suite(case(f"<properties>{ids}</properties>")).cases
    assert name.nodeid == "a b"


class TestWhole:
    @pytest.mark.parametrize(
        "text",
        [
            f"{HEAD}<testsuite>{case()}</testsuite>",
            f"{HEAD}<testsuites><testsuite><testsuite tests='1'>{case()}</testsuite></testsuite></testsuites>",
            f"\ufeff{HEAD}<testsuites tests='1'><testsuite tests='1'>{case()}</testsuite></testsuites>",
            f"{HEAD}<testsuites><testsuite tests=' 1 ' skipped='00'>{case()}</testsuite></testsuites>",
            f"{HEAD}<testsuites time='NaN' assertions=''><testsuite time=''>{case()}</testsuite></testsuites>",
            f"{HEAD}<testsuites><testsuite tests='0'>{case()}</testsuite></testsuites>",
        ],
    )
    def test_it_is_read(self, text: str) -> None:
        found = read(text)
        assert (found.problem, len(found.cases)) == (None, 1)

    @pytest.mark.parametrize("key", ["tests", "failures", "errors", "skipped", "disabled"])
    @pytest.mark.parametrize("count", ["many", "true", "", " ", "-1", "NaN", "1.0", "1e3", "1_0", "+0", "٠", "0x0"])
    @pytest.mark.parametrize("name", ["pytest", "jest"])
    def test_a_count_that_is_no_number(self, key: str, count: str, name: str) -> None:
        problem = suite(case(), name=name, **{key: count}).problem
        assert problem is not None
        assert "that is no count" in problem
        assert suite(case(), name=name, **{key: 0}).problem is None

    @pytest.mark.parametrize(
        "attributes",
        [
            pytest.param({"name": "pytest", "tests": 4}, id="subtests that passed have no element"),
            pytest.param({"name": "pytest", "tests": 4, "failures": 0}, id="and none of them failed"),
        ],
    )
    def test_pytest_counts_subtests(self, attributes: dict[str, object]) -> None:
        assert suite(case(), **attributes).problem is None


class TestNotWhole:
    @pytest.mark.parametrize(
        "text",
        [
            "",
            "no xml",
            f"{HEAD}<testsuites><testsuite>{case()}",
            f"{HEAD}<testsuites><testsuite>{case()}</testsuite></testsuites",
            f"{HEAD}<suites>{case()}</suites>",
            f"{HEAD}<html/>",
            f"{HEAD}<testcase name='x'/>",
            f"{HEAD}<!DOCTYPE testsuites><testsuites/>",
            f'{HEAD}<!DOCTYPE x [<!ENTITY a "b">]><testsuites><testsuite>{case()}</testsuite></testsuites>',
            f"{HEAD}<testsuites><testsuite tests='2'>{case()}</testsuite></testsuites>",
            f"{HEAD}<testsuites tests='2'><testsuite tests='1'>{case()}</testsuite></testsuites>",
            f"{HEAD}<testsuites><testsuite name='pytest' tests='2' failures='1'>{case()}</testsuite></testsuites>",
            f"{HEAD}<testsuites><testsuite skipped='1'>{case()}</testsuite></testsuites>",
            f"{HEAD}<testsuites><testsuite>{case(case())}</testsuite></testsuites>",
            f"{HEAD}<testsuites><testsuite><system-out>{case()}</system-out></testsuite></testsuites>",
            f"{HEAD}<testsuites><testsuite>{case()}<error/></testsuite></testsuites>",
            f"{HEAD}<testsuites><failure/><testsuite>{case()}</testsuite></testsuites>",
            f"{HEAD}<testsuites><testsuite>{case()}</testsuite></testsuites>{case()}",
            "<?xml version='1.0' encoding='utf-99'?><testsuites/>",
            b"<testsuites><testsuite name='\xff'/></testsuites>",
        ],
    )
    def test_it_says_why_and_holds_nothing(self, text: str | bytes) -> None:
        found = read(text)
        assert found.problem
        assert (found.cases, found.outside_evidence) == ({}, ())


@given(st.binary(max_size=300))
def test_no_bytes_raise_or_pass(data: bytes) -> None:
    assert read(data).problem is not None


@given(st.integers(1, 400))
def test_a_report_that_was_cut_anywhere_is_not_whole(cut: int) -> None:
    whole = f"{HEAD}<testsuites><testsuite>{case() * 3}</testsuite></testsuites>".encode()
    assert read(whole[: -(cut % len(whole)) or -1]).problem is not None


class _Endless(io.RawIOBase):
    """A report of one case that prints `size` bytes."""

    def __init__(self, size: int) -> None:
        self._parts = iter([f"{HEAD}<testsuite>".encode(), b"<testcase name='x'><system-out>"])
        self._left = size
        self._end = iter([b"</system-out></testcase></testsuite>"])

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        if size == 0:
            return b""
        part = next(self._parts, None)
        if part is None and self._left > 0:
            self._left -= 65536
            part = b"x" * 65536
        return part or next(self._end, b"")


def test_what_a_case_printed_takes_no_memory() -> None:
    tracemalloc.start()
    try:
        found = read_junit("big.xml", _Endless(20_000_000))  # type: ignore[arg-type]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(found.cases) == 1
    assert peak < 5_000_000
