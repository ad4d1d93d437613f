"""Which row a case of a report belongs to."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ledgergate.evidence.junit import Name, read_junit
from ledgergate.evidence.names import Ambiguous, Names, mangle
from ledgergate.ledger import Row

SUITE = """\
import pytest


def test_plain(): pass


@pytest.mark.parametrize("x", ["a", "a::b", "ä", "x[y]", "tab\\t", "", "a/b.py", "\\x01"])
def test_cases(x): pass


class TestOne:
    class TestTwo:
        def test_nested(self): pass
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("suite")
    for path in ("test_top.py", "tests/deep/test_below.py", "tests/dots.in/test_name.py"):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(SUITE, encoding="utf-8")
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("family", ["xunit1", "xunit2"])
def test_every_id_is_found_as_pytest_writes_it(folder: Path, family: str) -> None:
    common = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--import-mode=importlib"]
    env = {**os.environ, "PYTEST_ADDOPTS": "", "PYTHONUTF8": "1"}
    listed = subprocess.run(
        [*common, "--collect-only"], cwd=folder, env=env, capture_output=True, text=True, check=True
    )
    ids = [line for line in listed.stdout.splitlines() if "::" in line]
    assert len(ids) == 3 * 10
    report = [*common, "--junitxml=report.xml", "-o", f"junit_family={family}"]
    subprocess.run(report, cwd=folder, env=env, capture_output=True, check=True)
    with (folder / "report.xml").open("rb") as stream:
        cases = read_junit("report.xml", stream).cases
    names = Names(Row.of({"id": id_, "class": "draft"}) for id_ in ids)
    found = [names.row_of(name) for name in cases]
    assert sorted(row.id if isinstance(row, Row) else str(row) for row in found) == sorted(ids)


def row(id_: str, **fields: str) -> Row:
    return Row.of({"id": id_, "class": "quarantine", **fields})


ROWS = (
    row("tests/test_a.py::test_x"),
    row("tests/test_a.py::test_y[1]"),
    row("tests/test_a.py::test_y", params="2"),
    row("tests/test_a.py::test_z"),
    row("src/sum.test.ts::adds"),
    row("com.acme.SumTest::adds"),
    row("a/b.py::test_c"),
    row("a.b.py::test_c"),
)
NAMES = Names(ROWS)


@pytest.mark.parametrize(
    ("name", "id_"),
    [
        (Name("tests.test_a", "test_x", "", ""), "tests/test_a.py::test_x"),
        (Name("tests.test_a", "test_x", "tests/test_a.py", ""), "tests/test_a.py::test_x"),
        (Name("tests.test_a", "test_x", "", "tests/test_a.py::test_x"), "tests/test_a.py::test_x"),
        (Name("tests.test_a", "test_y[1]", "", ""), "tests/test_a.py::test_y[1]"),
        (Name("tests.test_a", "test_y[2]", "", ""), "tests/test_a.py::test_y"),
        (Name("tests.test_a", "test_y[2]", "", "tests/test_a.py::test_y[2]"), "tests/test_a.py::test_y"),
        (Name("tests.test_a", "test_z[2]", "", ""), None),
        (Name("tests.test_a", "test_new", "", ""), None),
        (Name("test_a", "test_x", "", ""), None),
        (Name("", "", "", ""), None),
        (Name("sum", "adds", "src/sum.test.ts", ""), "src/sum.test.ts::adds"),
        (Name("com.acme.SumTest", "adds", "", ""), "com.acme.SumTest::adds"),
    ],
)
def test_one_row_or_none(name: Name, id_: str | None) -> None:
    found = NAMES.row_of(name)
    assert (found.id if isinstance(found, Row) else found) == id_


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(Name("a.b", "test_c", "", ""), id="two files mangle alike"),
        pytest.param(Name("com.acme.SumTest", "adds", "src/sum.test.ts", ""), id="file and class name two rows"),
        pytest.param(Name("tests.test_a", "test_new", "", "tests/test_a.py::test_x"), id="forged: another name"),
        pytest.param(Name("tests.test_b", "test_x", "", "tests/test_a.py::test_x"), id="forged: another module"),
        pytest.param(
            Name("tests.test_a", "test_x", "", "tests/test_a.py::test_x tests/test_a.py::test_z"), id="two ids"
        ),
    ],
)
def test_never_a_guess(name: Name) -> None:
    assert isinstance(NAMES.row_of(name), Ambiguous)


def test_an_exact_id_tells_apart_what_mangles_alike() -> None:
    found = NAMES.row_of(Name("a.b", "test_c", "", "a/b.py::test_c"))
    assert isinstance(found, Row)
    assert found.id == "a/b.py::test_c"


def test_the_pair_is_what_pytest_writes() -> None:
    assert mangle("tests/a.py::TestX::test_y[1::2]") == ("tests.a.TestX", "test_y[1::2]")
