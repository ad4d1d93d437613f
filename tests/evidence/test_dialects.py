"""Reports as runners write them: the shapes of each, in a few lines of our own."""

from __future__ import annotations

import io

import pytest

from ledgergate.evidence.junit import JUnitReport, Outcome, read_junit

PASSED, SKIPPED, FLAKY, FAILED = Outcome.PASSED, Outcome.SKIPPED, Outcome.FLAKY, Outcome.FAILED
HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'


def read(text: str) -> JUnitReport:
    return read_junit("report.xml", io.BytesIO(text.encode()))


def outcomes(report: JUnitReport) -> dict[str, Outcome]:
    """By file and classname, where there are such, and name."""
    return {
        "::".join(filter(None, (name.file, name.classname, name.name))): result.outcome
        for name, result in report.cases.items()
    }


DIALECTS: dict[str, tuple[str, dict[str, Outcome]]] = {
    "pytest, family xunit2, with subtests that have no element": (
        """<testsuites name="pytest tests"><testsuite name="pytest" errors="0" failures="1" skipped="2" tests="9">
        <properties><property name="custom" value="x"/></properties>
        <testcase classname="tests.test_a" name="test_pass" time="0.1"/>
        <testcase classname="tests.test_a" name="test_cases[a-1]" time="0.1"/>
        <testcase classname="tests.test_a" name="test_skip" time="0">
        <skipped type="pytest.skip" message="no">x</skipped></testcase>
        <testcase classname="tests.test_a" name="test_xfail" time="0"><skipped type="pytest.xfail" message=""/>
        </testcase>
        <testcase classname="tests.test_a" name="test_fail" time="0">
        <failure message="assert 0">E &lt;x&gt;</failure></testcase>
        </testsuite></testsuites>""",
        {
            "tests.test_a::test_pass": PASSED,
            "tests.test_a::test_cases[a-1]": PASSED,
            "tests.test_a::test_skip": SKIPPED,
            "tests.test_a::test_xfail": SKIPPED,
            "tests.test_a::test_fail": FAILED,
        },
    ),
    "pytest, family xunit1, whose cases name their file": (
        """<testsuites><testsuite errors="1" failures="0" hostname="x" name="pytest" skipped="0" tests="3" time="2.4">
        <testcase classname="test.test_a.TestA" file="test/test_a.py" line="1" name="test_pass" time="6.4"></testcase>
        <testcase classname="test.test_a.TestA" file="test/test_a.py" line="9" name="test_error" time="0.1">
        <error message="failed on setup">text</error></testcase>
        <testcase classname="test.test_a.TestA" file="test/test_a.py" line="19" name="test_teardown" time="0.1"/>
        </testsuite></testsuites>""",
        {
            "test/test_a.py::test.test_a.TestA::test_pass": PASSED,
            "test/test_a.py::test.test_a.TestA::test_error": FAILED,
            "test/test_a.py::test.test_a.TestA::test_teardown": PASSED,
        },
    ),
    "xmlrunner for unittest, with one suite as root": (
        """<testsuite name="TestA-2025" tests="3" file=".py" time="0.001" failures="1" errors="0" skipped="1">
        <testcase classname="TestA" name="test_pass" time="0" timestamp="2025" file="tests/test_a.py" line="8"/>
        <testcase classname="TestA" name="test_fail" file="tests/test_a.py" line="9">
        <failure type="AssertionError" message="failed"><![CDATA[Traceback <x>]]></failure></testcase>
        <testcase classname="TestA" name="test_xfail" file="tests/test_a.py" line="10">
        <skipped type="XFAIL" message="a"/></testcase>
        </testsuite>""",
        {
            "tests/test_a.py::TestA::test_pass": PASSED,
            "tests/test_a.py::TestA::test_fail": FAILED,
            "tests/test_a.py::TestA::test_xfail": SKIPPED,
        },
    ),
    "jest-junit": (
        """<testsuites name="jest tests" tests="3" failures="1" errors="0" time="1.36">
        <testsuite name="__tests__\\a.test.js" errors="0" failures="1" skipped="1" time="0.4" tests="3">
        <testcase classname="Group › Inner" name="adds" time="0.001">
        </testcase>
        <testcase classname="" name="throws" time="0.002"><failure>Error: expect(x).toBe()</failure></testcase>
        <testcase classname="Group" name="later" time="0"><skipped/></testcase>
        </testsuite></testsuites>""",
        {"Group › Inner::adds": PASSED, "throws": FAILED, "Group::later": SKIPPED},
    ),
    "vitest, and its like that put output beside the cases": (
        """<testsuites name="vitest tests" tests="2" failures="0" errors="0" time="1">
        <testsuite name="src/a.test.ts" hostname="h" tests="2" failures="0" errors="0" skipped="1" time="1">
        <testcase classname="src/a.test.ts" name="sum &gt; adds" time="0.1"><system-out>failure</system-out></testcase>
        <testcase classname="src/a.test.ts" name="sum &gt; later" time="0"><skipped/></testcase>
        <system-out>error</system-out></testsuite></testsuites>""",
        {"src/a.test.ts::sum > adds": PASSED, "src/a.test.ts::sum > later": SKIPPED},
    ),
    "mocha, which writes equal names twice and counts retries": (
        """<testsuite name="Mocha Tests" tests="3" failures="0" errors="0" skipped="0" timestamp="x" time="0.2">
        <testcase classname="parser" name="parse entry" time="0.003"/>
        <testcase classname="parser" name="parse entry" time="0"/>
        <testcase classname="parser" name="parse \\begin{center}..." time="0"/></testsuite>""",
        {"parser::parse entry": PASSED, "parser::parse \\begin{center}...": PASSED},
    ),
    "playwright: a retry that passed": (
        """<testsuites id="" name="" tests="1" failures="0" skipped="0" errors="0" time="2">
        <testsuite name="a.spec.ts" hostname="chromium" tests="1" failures="0" skipped="0" time="2" errors="0">
        <testcase name="logs in" classname="a.spec.ts" time="2"><flakyFailure message="m" type="FAILURE"/></testcase>
        </testsuite></testsuites>""",
        {"a.spec.ts::logs in": FLAKY},
    ),
    "node:test, with suites in suites": (
        """<testsuites><testsuite name="outer" tests="2" failures="1" skipped="0"><testsuite name="inner" tests="1">
        <testcase name="adds" classname="test"/></testsuite>
        <testcase name="throws" classname="test" failure="1 !== 2"><failure type="x" message="m"/></testcase>
        </testsuite>
        <!-- tests 2 --></testsuites>""",
        {"test::adds": PASSED, "test::throws": FAILED},
    ),
    "suites in suites, one of them the root": (
        """<testsuite name="all" tests="3" assertions="12" errors="0" warnings="0" failures="0" skipped="0" time="4.8">
        <testsuite name="one" file="path/" tests="2"><testsuite name="two" tests="1">
        <testcase name="c1" class="A" classname="A" file="/p" line="4" assertions="3"/></testsuite>
        <testcase name="c2" class="A" classname="A" file="/p" line="5" assertions="3"/></testsuite>
        <testcase name="c3" class="A" classname="A" file="/p" line="6" assertions="1"/></testsuite>""",
        {"/p::A::c1": PASSED, "/p::A::c2": PASSED, "/p::A::c3": PASSED},
    ),
    "PHPUnit, also for .phpt files": (
        """<testsuites><testsuite name="CLI" tests="2" assertions="2" errors="0" failures="1" skipped="0" time="0.1">
        <testcase name="trait.phpt" file="/src/trait.phpt" assertions="1" time="0.1">
        <failure type="PHPUnit\\Framework\\PhptAssertionFailedError">--- Expected</failure></testcase>
        <testcase name="testOne" file="/src/OneTest.php" line="3" class="OneTest" classname="OneTest" assertions="1"/>
        </testsuite></testsuites>""",
        {"/src/trait.phpt::trait.phpt": FAILED, "/src/OneTest.php::OneTest::testOne": PASSED},
    ),
    "surefire, with a test that it ran again": (
        """<testsuite xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" name="com.acme.SumTest" time="0.1" tests="3"
        errors="0" skipped="0" failures="1"><properties><property name="java.version" value="21"/></properties>
        <testcase name="adds" classname="com.acme.SumTest" time="0.01"/>
        <testcase name="late" classname="com.acme.SumTest"><flakyFailure message="m" type="t">
        <stackTrace>x</stackTrace></flakyFailure></testcase>
        <testcase name="never" classname="com.acme.SumTest"><failure message="m"/><rerunFailure message="m"/></testcase>
        </testsuite>""",
        {"com.acme.SumTest::adds": PASSED, "com.acme.SumTest::late": FLAKY, "com.acme.SumTest::never": FAILED},
    ),
    "bazel, whose output stands beside the case": (
        """<testsuites><testsuite name="pkg/a_test" tests="1" failures="0" errors="1">
        <testcase name="pkg/a_test" status="run" duration="0" time="0"><error message="exited with error code 1">
        </error></testcase>
        <system-out><![CDATA[ERROR ${x}]]></system-out></testsuite></testsuites>""",
        {"pkg/a_test": FAILED},
    ),
    "googletest": (
        """<testsuites tests="4" failures="0" disabled="1" errors="0" time="0.1" name="AllTests">
        <testsuite name="Sum" tests="4" failures="0" disabled="1" skipped="2" errors="0" time="0">
        <testcase name="Adds" file="sum.cc" line="4" status="run" result="completed" time="0" classname="Sum"/>
        <testcase name="DISABLED_Off" file="sum.cc" line="5" status="notrun" result="suppressed" classname="Sum"/>
        <testcase name="Skips" file="sum.cc" line="6" status="run" result="skipped" classname="Sum"><skipped/>
        </testcase>
        <testcase name="Quiet" file="sum.cc" line="7" status="run" result="skipped" classname="Sum"/>
        </testsuite></testsuites>""",
        {
            "sum.cc::Sum::Adds": PASSED,
            "sum.cc::Sum::DISABLED_Off": SKIPPED,
            "sum.cc::Sum::Skips": SKIPPED,
            "sum.cc::Sum::Quiet": SKIPPED,
        },
    ),
    "a C++ runner that says all in `status`": (
        """<testsuites name='t' tests='4' disabled='1' errors='1' failures='1' skipped='0' time='0.002'>
        <testsuite name='factorial' tests='4' disabled='1' failures='1' errors='1' skipped='0'>
        <testcase name='result[0]' status='passed' time='0'/><testcase name='off' status='disabled' time='0'/>
        <testcase name='bad' status='failed' time='0'/><testcase name='worse' status='errored' time='0'/>
        </testsuite></testsuites>""",
        {"result[0]": PASSED, "off": SKIPPED, "bad": FAILED, "worse": FAILED},
    ),
    "ctest": (
        """<testsuite name="Linux-c++" tests="3" failures="1" disabled="0" skipped="1" hostname="" time="0">
        <testcase name="sum" classname="sum" time="0.1" status="run"><system-out>x</system-out></testcase>
        <testcase name="net" classname="net" time="0" status="notrun"><skipped message="SKIP_RETURN_CODE"/></testcase>
        <testcase name="io" classname="io" time="0" status="fail"><failure message=""/></testcase></testsuite>""",
        {"sum::sum": PASSED, "net::net": SKIPPED, "io::io": FAILED},
    ),
    "swift": (
        """<testsuites><testsuite name="TestResults" errors="0" tests="2" failures="1" time="0.2">
        <testcase classname="Lib.LibTests" name="test_pass" time="0.03"></testcase>
        <testcase classname="Lib.LibTests" name="test_fail" time="0.09"><failure message="failed"></failure></testcase>
        </testsuite></testsuites>""",
        {"Lib.LibTests::test_pass": PASSED, "Lib.LibTests::test_fail": FAILED},
    ),
    "gotestsum": (
        """<testsuites tests="2" failures="1" errors="0" time="0.3"><testsuite tests="2" failures="1" time="0.3"
        name="acme/sum" timestamp="x"><properties><property name="go.version" value="go1.22"></property></properties>
        <testcase classname="acme/sum" name="TestAdds/one" time="0.0"></testcase>
        <testcase classname="acme/sum" name="TestFails" time="0.0"><failure message="Failed" type="">x</failure>
        </testcase>
        </testsuite></testsuites>""",
        {"acme/sum::TestAdds/one": PASSED, "acme/sum::TestFails": FAILED},
    ),
    "cargo-nextest: passed when it was run again, and never": (
        """<testsuites name="nextest-run" tests="2" failures="1" errors="0" uuid="u" time="1">
        <testsuite name="sum" tests="2" disabled="0" errors="0" failures="1">
        <testcase name="tests::adds" classname="sum" time="1"><flakyFailure time="1" type="test failure"/></testcase>
        <testcase name="tests::fails" classname="sum" time="1"><failure type="t"/><rerunFailure type="t"/></testcase>
        </testsuite></testsuites>""",
        {"sum::tests::adds": FLAKY, "sum::tests::fails": FAILED},
    ),
    "a report with every kind of result in one case": (
        """<testsuites><testsuite name="suite">
        <testcase classname="a" name="errors"><skipped/><failure message="f">x</failure><error message="e"/></testcase>
        <testcase classname="a" name="fails"><skipped/><failure message="f"/></testcase>
        <testcase classname="a" name="skips"><skipped /></testcase><testcase classname="a" name="passes"> </testcase>
        </testsuite></testsuites>""",
        {"a::errors": FAILED, "a::fails": FAILED, "a::skips": SKIPPED, "a::passes": PASSED},
    ),
    "names of any characters": (
        """<testsuites><testsuite errors="0" failures="1" skipped="1" name="pytest" tests="2">
        <testcase file="a.py" name="test 헴𒍺 &quot;q&quot;"><skipped message="헴𒍺">𒍺</skipped></testcase>
        <testcase file="a.py" name="&lt;a&gt; &amp; &apos;b&apos;"><failure message="&amp;"/></testcase>
        </testsuite></testsuites>""",
        {'a.py::test 헴𒍺 "q"': SKIPPED, "a.py::<a> & 'b'": FAILED},
    ),
    "an element with a prefix": (
        """<j:testsuites xmlns:j="urn:j"><j:testsuite tests="2" failures="1"><j:testcase name="a"/>
        <j:testcase name="b"><j:failure/></j:testcase></j:testsuite></j:testsuites>""",
        {"a": PASSED, "b": FAILED},
    ),
    "attributes over several lines": (
        '<testsuite \nerrors="0" failures="0" name="S" tests="1">\n<testcase \n name="t" classname="S">\n</testcase>'
        "\n<system-out></system-out></testsuite>",
        {"S::t": PASSED},
    ),
}


@pytest.mark.parametrize(("text", "expected"), DIALECTS.values(), ids=list(DIALECTS))
@pytest.mark.parametrize("head", ["", HEAD, f"\ufeff{HEAD}", f"{HEAD}<!-- a comment -->\n"])
def test_what_a_runner_writes(text: str, expected: dict[str, Outcome], head: str) -> None:
    report = read(head + text)
    assert (report.problem, outcomes(report)) == (None, expected)


WORDS = {
    PASSED: ("", "run", "completed", "passed", "PASS", "Success", " ok ", "successful"),
    FAILED: ("failed", "errored", "ERROR", "crashed", "aborted", "timeout", "timed_out", "timedout", "broken"),
    SKIPPED: ("skipped", "disabled", "notrun", "not run", "pending", "ignored", "inconclusive", "cancelled", "no", "0"),
}


@pytest.mark.parametrize("key", ["status", "result"])
@pytest.mark.parametrize(("expected", "word"), [(kind, word) for kind, words in WORDS.items() for word in words])
def test_a_word_that_is_no_known_pass_is_none(key: str, expected: Outcome, word: str) -> None:
    report = read(f'<testsuite><testcase name="x" {key}="{word}"/></testsuite>')
    assert outcomes(report) == {"x": expected}


@pytest.mark.parametrize(
    ("element", "expected"),
    [
        ("system-out", PASSED),
        ("system-err", PASSED),
        ("properties", PASSED),
        ("attachments", PASSED),
        ("failed", FAILED),
        ("ERROR", FAILED),
        ("crash", FAILED),
        ("timeout", FAILED),
        ("abort", FAILED),
        ("skip", SKIPPED),
        ("ignored", SKIPPED),
        ("notRun", SKIPPED),
        ("incomplete", SKIPPED),
        ("risky", SKIPPED),
        ("pending", SKIPPED),
    ],
)
def test_an_element_that_speaks_of_no_pass(element: str, expected: Outcome) -> None:
    report = read(f'<testsuite><testcase name="x"><{element}/></testcase></testsuite>')
    assert outcomes(report) == {"x": expected}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "<testsuites><testsuite><testcase/><testcase><failure/></testcase></testsuite></testsuites>", id="no names"
        ),
        pytest.param('<testsuite><testcase name=""/></testsuite>', id="an empty name"),
        pytest.param(
            '<testsuites><testsuite name="pytest" tests="6" failures="1" skipped="2"/></testsuites>', id="no cases"
        ),
        pytest.param('<suites><suite tests="1"><case name="a"/></suite></suites>', id="another format"),
        pytest.param(
            '<testsuites name="r" tests="173"><testsuite tests="1"><testcase name="a"/></testsuite></testsuites>',
            id="cut by hand",
        ),
        pytest.param(
            '<testsuites><testsuite skipped="2"><testcase name="a"/></testsuite></testsuites>',
            id="skips in the header alone",
        ),
        pytest.param(f'<testsuite tests="{"9" * 30}"><testcase name="a"/></testsuite>', id="more than any file holds"),
        pytest.param('<testsuite tests=" 2 "><testcase name="a"/></testsuite>', id="a number with blanks"),
    ],
)
def test_what_is_not_whole(text: str) -> None:
    assert read(text).problem


def test_two_trees_are_none() -> None:
    trees = "".join(f'<property name="tree" value="{value}"/>' for value in ("a", "b"))
    assert read(f'<testsuite><properties>{trees}</properties><testcase name="x"/></testsuite>').tree == "a and b"


def test_suites_in_suites_of_any_depth_take_no_time_of_their_own() -> None:
    depth, cases = 20_000, 2_000
    inner = '<testcase name="x"/>' * cases
    report = read("<testsuite>" * depth + inner + "</testsuite>" * depth)
    assert (report.problem, len(report.cases)) == (None, 1)
