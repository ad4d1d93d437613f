"""Reports that are not what they seem: renamed, cut, hostile, or in a dialect that nobody expected."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import tracemalloc

import pytest

from support.evidence import case, held, judged, judged_files, quarantined, suite, written
from support.gate import gate
from support.project import Project
from support.repo import Repo

pytestmark = pytest.mark.slow

FILE = "tests/t.py"


WHY = ("--reason", "r", "--owner", "o")
OPTIONS = {"draft": ("--invariant", "i"), "quarantine": WHY, "freeze": (*WHY, "--assertion", "pass")}


def ids(*names: str) -> tuple[str, ...]:
    return tuple(f"{FILE}::{name}" for name in names)


class TestIdsThatChangeWithTheRunner:
    """pytest-xdist's groups, addresses of memory, numbers behind equal parameters: a row means its exact id alone."""

    @pytest.mark.parametrize(
        ("row", "name"),
        [
            ("test_q", "test_q@g1"),
            ("test_p[a]", "test_p[a@b]"),
            ("test_p[a@b]", "test_p[a@b]@g1"),
            ("test_o[<object object at 0x7f00>]", "test_o[<object object at 0x7fff>]"),
            ("test_n[1]", "test_n[1_0]"),
        ],
    )
    def test_another_id_is_another_test(self, repo: Repo, row: str, name: str) -> None:
        found = judged(repo, held(*ids(row)), suite(case(name)))
        assert (found.state, found.admitted, found.rules) == ("FAIL", set(), {"case-missing", "unclassified"})

    @pytest.mark.parametrize("name", ["test_p[a@b]", "test_n[1_0]", "test_n[1_1]"])
    def test_the_same_id_is_the_same_test(self, repo: Repo, name: str) -> None:
        assert judged(repo, held(*ids(name)), suite(case(name))).state == "PASS"

    @pytest.mark.parametrize("part", ["<object object at 0x7f0012ab34cd>", "0f8fad5b-d9cb-469f-a165-70867728950e"])
    @pytest.mark.parametrize("command", ["draft", "quarantine", "freeze"])
    def test_an_id_that_will_not_come_again_gets_no_row(self, repo: Repo, part: str, command: str) -> None:
        Project(repo)
        said = gate(repo, command, f"tests/test_parse.py::test_without_row[{part}]", *OPTIONS[command])
        assert (said.status, " looks different in every run. Give the parameter an id" in said.err) == (2, True), said
        said = gate(repo, command, "tests/test_parse.py::test_without_row[0xff-1]", *OPTIONS[command])
        assert "looks different" not in said.err


class TestBracketsAndPrefixes:
    NAMES = ("test_p[a::b]", "test_p[a/b.py::c]", "test_p[a]b]", "test_p[.py]", "test_p[]", "test_p")

    @pytest.mark.parametrize("name", NAMES)
    def test_a_verdict_stays_with_its_test(self, repo: Repo, name: str) -> None:
        """Of all of them only one fails, and only its row says so."""
        cases = [case(other, "<failure/>" if other == name else "") for other in self.NAMES]
        found = judged(repo, held(*ids(*self.NAMES)), suite(*cases))
        assert {id_ for id_, verdict in found.verdicts.items() if verdict == "case-failed"} == set(ids(name))
        assert found.admitted == set(ids(*self.NAMES)) - set(ids(name))

    def test_quarantine_covers_no_longer_id(self, repo: Repo) -> None:
        rows = held(*ids("test_set_masking")) + quarantined(*ids("test_set"))
        found = judged(repo, rows, suite(case("test_set_masking", "<failure/>"), case("test_set", "<failure/>")))
        assert found.verdicts == dict(
            zip(ids("test_set_masking", "test_set"), ("case-failed", "recorded"), strict=True)
        )

    @pytest.mark.parametrize(("params", "state"), [(None, "FAIL"), (1, "PASS")])
    def test_a_row_without_brackets_covers_parameters_where_it_says_so(
        self, repo: Repo, params: int | None, state: str
    ) -> None:
        assert judged(repo, held(*ids("test_p"), params=params), suite(case("test_p[a]"))).state == state


SUITE = """\
import pytest

def test_real(): assert 1 + 1 == 2

@pytest.mark.xfail
def test_xfail(): assert 1 == 2

@pytest.mark.xfail
def test_xpass(): assert 1 == 1

@pytest.mark.xfail(strict=True)
def test_strict_xpass(): assert 1 == 1

@pytest.mark.skip
def test_skip(): assert 1 == 1

@pytest.mark.skipif(True, reason="r")
def test_skipif(): assert 1 == 1

def test_importorskip():
    pytest.importorskip("no_such_module")

@pytest.fixture
def skipping(): pytest.skip()

def test_skip_in_setup(skipping): assert 1 == 1

@pytest.fixture
def failing():
    yield
    assert 1 == 2

def test_teardown(failing): assert 1 == 1
"""
EXPECTED = {
    "test_real": "admitted",
    "test_strict_xpass": "case-failed",
    "test_teardown": "case-failed",
    **dict.fromkeys(
        ("test_xfail", "test_xpass", "test_skip", "test_skipif", "test_importorskip", "test_skip_in_setup"),
        "case-missing",
    ),
}


@pytest.mark.parametrize("family", ["xunit1", "xunit2"])
def test_only_a_real_pass_is_one(repo: Repo, family: str) -> None:
    repo.write(FILE, SUITE)
    options = ("-q", "-p", "no:cacheprovider", "--junitxml=report-0", "-o", f"junit_family={family}")
    env = {**os.environ, "PYTEST_ADDOPTS": "", "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run(
        [sys.executable, "-m", "pytest", *options, FILE], cwd=repo.path, env=env, capture_output=True, check=False
    )
    report = (repo.path / "report-0").read_bytes()
    found = judged(repo, held(*ids(*EXPECTED)), report)
    assert found.verdicts == dict(zip(ids(*EXPECTED), EXPECTED.values(), strict=True))


GOOD = suite(*(case(f"test_ü{number}") for number in range(20))).encode()
ROWS = held(*ids(*(f"test_ü{number}" for number in range(20))))
CUTS = {
    "after 60 %": GOOD[: len(GOOD) * 6 // 10],
    "in a letter": GOOD[: GOOD.index("ü".encode(), 300) + 1],
    "after a case": GOOD[: GOOD.index(b"</testcase>", 500) + len(b"</testcase>")],
    "before the last bracket": GOOD[:-1],
    "nothing": b"",
    "one blank": b" ",
    "two documents": GOOD + GOOD,
    "something behind": GOOD + b"<!-- --><testsuite/>",
    "compressed": gzip.compress(GOOD),
    "a page of a proxy": b"<html><body>502</body></html>",
    "UTF-16 without a mark": GOOD.decode().encode("utf-16-le"),
}


class TestReportsThatWereCut:
    def test_the_whole_one_passes(self, repo: Repo) -> None:
        assert judged(repo, ROWS, GOOD).state == "PASS"

    @pytest.mark.parametrize("content", CUTS.values(), ids=list(CUTS))
    def test_nothing_before_the_cut_is_evidence(self, repo: Repo, content: bytes) -> None:
        found = judged(repo, ROWS, content)
        assert (found.state, found.admitted) == ("UNSCORED", set())
        assert "report-unreadable" in found.rules

    def test_a_whole_one_beside_it_makes_no_pass(self, repo: Repo) -> None:
        found = judged(repo, ROWS, GOOD, CUTS["after 60 %"])
        assert (found.state, found.rules) == ("UNSCORED", {"report-unreadable"})

    def test_no_file_and_a_folder(self, repo: Repo) -> None:
        judged(repo, ROWS, GOOD)
        os.mkfifo(repo.path / "pipe")
        for name in ("missing.xml", "tests", "pipe", "report-0/x"):
            assert judged_files(repo, name).rules == {"case-missing", "report-unreadable"}


UNREADABLE = {
    "a raw escape": b"<failure message='\x1b[31m'/>",
    "a written escape": b"<failure message='&#x1B;[31m'/>",
    "a NUL": b"<system-out>\0</system-out>",
    "a written NUL": b"<system-out>&#0;</system-out>",
    "half of a surrogate pair": b"<system-out>\xed\xa0\x80</system-out>",
    "Latin-1 in what is to be UTF-8": b"<system-out>\xe9</system-out>",
    "an end of CDATA within": b"<system-out><![CDATA[ ]]> ]]></system-out>",
    "an unknown entity": b"<system-out>&nbsp;</system-out>",
    "an attribute twice": b"<failure message='a' message='b'/>",
}


class TestCharactersThatXmlForbids:
    @pytest.mark.parametrize("inside", UNREADABLE.values(), ids=list(UNREADABLE))
    def test_a_report_that_nobody_can_read_is_not_one_without_cases(self, repo: Repo, inside: bytes) -> None:
        text = suite(case("test_a"), case("test_b", "@")).encode().replace(b"@", inside)
        found = judged(repo, held(*ids("test_a", "test_b")), text)
        assert (found.state, found.admitted) == ("UNSCORED", set())
        assert "report-unreadable" in found.rules

    @pytest.mark.parametrize(
        "content",
        [
            pytest.param("\ufeff" + suite(case("test_a")), id="with a mark"),
            pytest.param(suite(case("test_a")).replace("utf-8", "utf-16").encode("utf-16"), id="UTF-16 with a mark"),
            pytest.param(
                suite(case("test_a", "<system-out>é</system-out>")).replace("utf-8", "latin-1").encode("latin-1"),
                id="Latin-1 that says so",
            ),
            pytest.param(
                suite(case("test_a", "<system-out><![CDATA[]]]]><![CDATA[>]]></system-out>")), id="CDATA in two"
            ),
        ],
    )
    def test_what_can_be_read_is(self, repo: Repo, content: str | bytes) -> None:
        assert judged(repo, held(*ids("test_a")), content).state == "PASS"

    def test_another_version_of_xml_is_read_or_named(self, repo: Repo) -> None:
        found = judged(repo, held(*ids("test_a")), suite(case("test_a")).replace('"1.0"', '"1.1"'))
        assert (found.state == "PASS") != ("report-unreadable" in found.rules)


BOMB = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "x" * 10}">' for n in range(10))


class TestHostileReports:
    @pytest.mark.parametrize(
        "declared",
        [
            pytest.param(f"<!DOCTYPE x [{BOMB}]>", id="a bomb of entities"),
            pytest.param('<!DOCTYPE x [<!ENTITY e9 SYSTEM "file:///etc/hostname">]>', id="a file"),
            pytest.param('<!DOCTYPE x SYSTEM "http://192.0.2.1/x.dtd">', id="an address"),
            pytest.param(
                '<!DOCTYPE x [<!ENTITY % p SYSTEM "file:///etc/hostname"> %p;]>', id="a file as a declaration"
            ),
            pytest.param("<!DOCTYPE testsuites>", id="a name alone"),
        ],
    )
    def test_no_document_type_is_declared(self, repo: Repo, declared: str) -> None:
        text = suite(case("test_a", "<system-out>&e9;</system-out>"))
        found = judged(repo, held(*ids("test_a")), text.replace("<testsuites>", f"{declared}<testsuites>"))
        assert (found.state, found.rules) == ("UNSCORED", {"report-unreadable", "case-missing"})

    @pytest.mark.slow
    def test_a_message_of_many_megabytes(self, repo: Repo) -> None:
        text = suite(case("test_a"), case("test_b", f'<failure message="{"x" * 30_000_000}"/>'))
        found = judged(repo, held(*ids("test_a", "test_b")), text)
        assert found.verdicts == dict(zip(ids("test_a", "test_b"), ("admitted", "case-failed"), strict=True))

    @pytest.mark.slow
    def test_a_great_depth(self, repo: Repo) -> None:
        depth = 100_000
        deep = suite("<testsuite>" * depth, case("test_a"), "</testsuite>" * depth)
        assert judged(repo, held(*ids("test_a")), deep).state == "PASS"
        within = suite(case("test_a", "<x>" * depth + "<failure/>" + "</x>" * depth))
        assert judged(repo, held(*ids("test_a")), within).rules == {"case-failed"}

    @pytest.mark.slow
    def test_many_cases_and_much_output(self, repo: Repo) -> None:
        output = f"<system-out>{'x' * 2000}</system-out>"
        text = suite(*(case(f"test_{number % 100}", output) for number in range(40_000)))
        (name,) = written(repo, held(*ids(*(f"test_{number}" for number in range(100)))), text)
        del text
        tracemalloc.start()
        try:
            assert len(judged_files(repo, name).admitted) == 100
            assert tracemalloc.get_traced_memory()[1] < 20_000_000
        finally:
            tracemalloc.stop()


class TestForeignDialects:
    @pytest.mark.parametrize(
        ("report", "rules"),
        [
            pytest.param(suite("<testcase/>"), {"report-unreadable", "case-missing"}, id="no name"),
            pytest.param(
                suite(case("test_a"), "<testcase classname='tests.t'/>"),
                {"report-unreadable", "case-missing"},
                id="one without a name",
            ),
            pytest.param(
                suite(case("test_a").replace("<testcase", '<testcase status="disabled"')),
                {"case-missing"},
                id="disabled",
            ),
            pytest.param(
                suite(case("test_a").replace("<testcase", '<testcase status="notrun"')), {"case-missing"}, id="not run"
            ),
            pytest.param(
                suite(case("test_a").replace("<testcase", '<testcase result="odd"')), {"case-missing"}, id="a new word"
            ),
            pytest.param(
                suite(case("test_a")).replace("<testsuite>", '<testsuite skipped="1">'),
                {"report-unreadable", "case-missing"},
                id="skipped in the suite alone",
            ),
            pytest.param(
                suite(case("test_a")).replace("<testsuite>", '<testsuite tests="2">'),
                {"report-unreadable", "case-missing"},
                id="more promised than held",
            ),
            pytest.param(
                suite(case("test_a"), case("test_a", "<failure/>")), {"case-failed"}, id="an entry for each attempt"
            ),
            pytest.param(
                suite(
                    case("test_a").replace("<testcase", '<testcase file="a"'),
                    case("test_a").replace("<testcase", '<testcase file="b"'),
                ),
                {"case-ambiguous"},
                id="two files",
            ),
            pytest.param(
                suite(
                    case("test_a", "<failure/>").replace("<testcase", '<testcase file="a"'),
                    case("test_a").replace("<testcase", '<testcase file="b"'),
                ),
                {"case-failed"},
                id="failed in one of two files",
            ),
            pytest.param(
                suite(f"<testcase classname='tests.t' name='test_a'>{case('test_a')}</testcase>"),
                {"report-unreadable", "case-missing"},
                id="a case in a case",
            ),
        ],
    )
    def test_what_is_no_pass(self, repo: Repo, report: str, rules: set[str]) -> None:
        found = judged(repo, held(*ids("test_a")), report)
        assert (found.state == "PASS", found.admitted, found.rules) == (False, set(), rules)

    @pytest.mark.parametrize(
        "report",
        [
            pytest.param(
                suite("<testsuite><testsuite>", case("test_a"), "</testsuite></testsuite>"), id="suites in suites"
            ),
            pytest.param(
                suite(case("test_a")).replace("<testsuites>", "").replace("</testsuites>", ""), id="one suite"
            ),
            pytest.param(
                suite(case("test_a"))
                .replace("<test", "<j:test")
                .replace("</test", "</j:test")
                .replace("<j:testsuites", "<j:testsuites xmlns:j='urn:j'"),
                id="a prefix",
            ),
            pytest.param(
                suite(case("test_a")).replace("<testsuite>", '<testsuite tests="0">'), id="fewer promised than held"
            ),
        ],
    )
    def test_what_is_one(self, repo: Repo, report: str) -> None:
        assert judged(repo, held(*ids("test_a")), report).state == "PASS"
