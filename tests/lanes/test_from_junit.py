"""Lane reports from the JUnit reports of other runners."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from ledgergate.errors import LedgergateError
from ledgergate.lanes.from_junit import lane_report
from ledgergate.ledger import Row
from ledgergate.policy.model import Lane

LANE = Lane("unit", "gradle test", junit=("build/*.xml", "**/surefire/TEST-*.xml"))
ROWS = [
    Row.of({"id": "tests/test_a.py::test_x", "class": "property"}),
    Row.of({"id": "tests/test_a.py::test_p", "class": "property", "params": "2"}),
    Row.of({"id": "org.acme.ParserTest::header", "class": "property"}),
    Row.of({"id": "web/a.test.ts::adds [up]", "class": "property"}),
]


def suite(*cases: str) -> str:
    return f"<testsuite>{''.join(cases)}</testsuite>"


def case(classname: str, name: str, inside: str = "", **more: str) -> str:
    attributes = "".join(f' {key}="{value}"' for key, value in more.items())
    return f'<testcase classname="{classname}" name="{name}"{attributes}>{inside}</testcase>'


def report(folder: Path, files: dict[str, str], since_ns: int = 0) -> dict[str, Any] | None:
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content, encoding="utf-8")
    data = lane_report(LANE, folder, since_ns, ROWS)
    found: dict[str, Any] | None = None if data is None else json.loads(data)["unit"]
    return found


GOOD = suite(case("org.acme.ParserTest", "header"), case("tests.test_a", "test_x"))


def test_ids_are_those_of_the_rows(tmp_path: Path) -> None:
    cases = (
        case("org.acme.ParserTest", "header"),
        case("tests.test_a", "test_p[1]"),
        case("tests.test_a", "test_p[2]", "<skipped/>"),
        case("suite", "adds [up]", file="web/a.test.ts"),
        case("tests.test_a", "test_x", '<failure message="1 is not 2"/>'),
        case("tests.test_a", "test_new"),
    )
    found = report(tmp_path, {"build/a.xml": suite(*cases)})
    assert found is not None
    assert found["ran_case_ids"] == [
        "org.acme.ParserTest::header",
        "tests/test_a.py::test_p[1]",
        "web/a.test.ts::adds [up]",
        "tests/test_a.py::test_x",
        "tests.test_a::test_new",
    ]
    assert (found["status"], found["executed"]) == ("ok", 5)
    assert (found["skipped"], found["skipped_case_ids"]) == (True, ["tests/test_a.py::test_p[2]"])
    assert found["violations"] == [{"case": "tests/test_a.py::test_x", "message": "1 is not 2"}]


def test_several_files_are_one_lane(tmp_path: Path) -> None:
    files = {
        "build/a.xml": suite(case("tests.test_a", "test_x", "<skipped/>")),
        "app/target/surefire/TEST-b.xml": suite(case("tests.test_a", "test_x"), case("t", "f", "<flakyFailure/>")),
        "build/other.txt": "no report",
    }
    found = report(tmp_path, files)
    assert found is not None
    assert (found["ran_case_ids"], found["skipped_case_ids"]) == (["tests/test_a.py::test_x", "t::f"], [])
    assert found["flaky_case_ids"] == ["t::f"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (GOOD[:40], "build/a.xml: it is no well-formed XML"),
        ("", "build/a.xml: "),
        ('<testsuite tests="9">' + case("a", "b") + "</testsuite>", "promises 9"),
        ("<!DOCTYPE x><testsuite/>", "document type"),
    ],
)
def test_a_report_that_cannot_be_read_whole(tmp_path: Path, content: str, reason: str) -> None:
    found = report(tmp_path, {"build/a.xml": content, "build/b.xml": GOOD})
    assert found is not None
    assert found["status"] == "parse_error"
    assert reason in found["reason"]


def test_cases_that_cannot_be_told_apart(tmp_path: Path) -> None:
    forged = case(
        "tests.test_b", "test_y", '<properties><property name="nodeid" value="tests/test_a.py::test_x"/></properties>'
    )
    found = report(tmp_path, {"build/a.xml": suite(forged)})
    assert found is not None
    assert (found["status"], found["ran_case_ids"]) == ("parse_error", [])


def test_a_report_of_an_earlier_run(tmp_path: Path) -> None:
    report(tmp_path, {"build/old.xml": GOOD})
    os.utime(tmp_path / "build/old.xml", ns=(10**18, 10**18))
    found = report(tmp_path, {"build/a.xml": GOOD}, since_ns=10**18 + 1)
    assert found is not None
    assert found["status"] == "parse_error"
    assert "build/old.xml: it is older than this run" in found["reason"]
    assert (report(tmp_path, {}, since_ns=10**18) or {})["status"] == "ok"


def test_no_report(tmp_path: Path) -> None:
    assert report(tmp_path, {"elsewhere/a.xml": GOOD}) is None
    (tmp_path / "build").mkdir()
    (tmp_path / "build/a.xml").symlink_to(tmp_path / "elsewhere/a.xml")
    assert report(tmp_path, {}) is None


def test_a_glob_that_python_cannot_use(tmp_path: Path) -> None:
    with pytest.raises(LedgergateError, match="cannot be used"):
        lane_report(LANE._replace(junit=("a**b.xml",)), tmp_path, 0, ROWS)
