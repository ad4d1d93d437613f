"""What the plugin tells of a suite that a real pytest collects."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

from ledgergate.adopt import probe
from ledgergate.adopt.collect import Collection, Item, collect
from support.adoption import lay_out

pytestmark = pytest.mark.slow

SUITE = """\
import unittest

import pytest
from hypothesis import given, strategies as st

from base import Shared

@pytest.mark.parametrize("x", ["a", pytest.param("[b]", marks=pytest.mark.skip), "c::d"])
def test_many(x): assert x

@pytest.mark.skipif(True, reason="not here")
def test_skipped(): assert 1

@pytest.mark.skipif("1 == 2")
def test_runs(): assert 1

@pytest.mark.skipif("no_such_name")
def test_broken_condition(): assert 1

@pytest.mark.xfail(strict=True)
def test_fails(): assert 0

@pytest.mark.xfail(False, reason="elsewhere")
def test_fails_elsewhere(): assert 1

@given(st.integers())
def test_property(n): assert n == n

class TestShared(Shared):
    def test_own(self): assert 1

class TestCase(unittest.TestCase):
    @unittest.skip("later")
    def test_later(self): pass
    @unittest.expectedFailure
    def test_known(self): self.fail()
    def test_now(self): pass

@pytest.mark.slow
def test_slow(): pass
"""
FILES = {
    "tests/test_a.py": SUITE,
    "tests/base.py": "class Shared:\n    def test_inherited(self): assert 1\n",
    "pytest.ini": "[pytest]\nmarkers = slow\naddopts = -m 'not slow'\n",
}


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Collection:
    folder = tmp_path_factory.mktemp("suite")
    return collect(sys.executable, folder, lay_out(folder, FILES))


def item(suite: Collection, name: str) -> Item:
    return next(item for item in suite.items if item.id == f"tests/test_a.py::{name}")


def test_parametrised_cases_share_a_function(suite: Collection) -> None:
    cases = [item for item in suite.items if item.function == "tests/test_a.py::test_many"]
    assert [case.id.partition("test_many")[2] for case in cases] == ["[a]", "[[b]]", "[c::d]"]
    assert [case.idle for case in cases] == [None, "skipped", None]


IDLE = {
    "test_skipped": "skipped",
    "test_runs": None,
    "test_broken_condition": "skipped, on a condition that cannot be evaluated",
    "test_fails": "expected to fail",
    "test_fails_elsewhere": None,
    "TestCase::test_later": "skipped",
    "TestCase::test_known": "expected to fail",
    "TestCase::test_now": None,
}


@pytest.mark.parametrize(("name", "idle"), IDLE.items())
def test_what_proves_nothing_today(name: str, idle: str | None, suite: Collection) -> None:
    assert item(suite, name).idle == idle


@pytest.mark.parametrize(
    ("name", "file", "qualified"),
    [
        ("test_many[a]", "tests/test_a.py", "test_many"),
        ("test_property", "tests/test_a.py", "test_property"),
        ("TestShared::test_own", "tests/test_a.py", "TestShared.test_own"),
        ("TestShared::test_inherited", "tests/base.py", "Shared.test_inherited"),
        ("TestCase::test_now", "tests/test_a.py", "TestCase.test_now"),
    ],
)
def test_where_a_test_is_defined(name: str, file: str, qualified: str, suite: Collection) -> None:
    found = item(suite, name)
    assert (found.file, found.defined_in, found.name) == ("tests/test_a.py", file, qualified)


def test_hypothesis_is_recognised(suite: Collection) -> None:
    assert [item.function for item in suite.items if item.is_hypothesis] == ["tests/test_a.py::test_property"]


def test_what_the_options_leave_out(suite: Collection) -> None:
    assert suite.deselected == ("tests/test_a.py::test_slow",)
    assert suite.problem is None


def test_plugins_are_distributions_and_modules(tmp_path: Path) -> None:
    files = {"test_a.py": "def test_x(): pass\n", "ours.py": "", "conftest.py": "pytest_plugins = ['ours']\n"}
    found = collect(sys.executable, tmp_path, lay_out(tmp_path, files)).plugins
    assert {"hypothesis", "pytest-xdist", "ours"} <= set(found)
    assert not [name for name in found if name.startswith(("_", "pytest.")) or "conftest" in name]


def test_data_and_documentation_are_no_functions(tmp_path: Path) -> None:
    collector = """\
import pytest
def pytest_collect_file(parent, file_path):
    if file_path.suffix == '.in':
        return Cases.from_parent(parent, path=file_path)
class Cases(pytest.File):
    def collect(self):
        yield Case.from_parent(self, name='')
class Case(pytest.Item):
    def runtest(self): pass
"""
    page = "One:\n\n>>> 1\n1\n"
    files = {"tests/conftest.py": collector, "tests/a.in": "", "tests/test_page.txt": page}
    ini = {"pytest.ini": "[pytest]\naddopts = --doctest-glob='*.txt'\n"}
    found = collect(sys.executable, tmp_path, lay_out(tmp_path, {**files, **ini}))
    assert [(item.id, item.is_function) for item in found.items] == [
        ("tests/a.in::", False),
        ("tests/test_page.txt::test_page.txt", False),
    ]


def test_an_older_python_can_read_it() -> None:
    source = Path(probe.__file__).read_text(encoding="utf-8")
    ast.parse(source, feature_version=(3, 7))
    imported = {
        name for line in source.splitlines() if line.lstrip().startswith(("import ", "from ")) for name in [line]
    }
    assert not [line for line in imported if "ledgergate" in line]


@pytest.mark.parametrize("content", ["", "{", "[]", '{"items": [[1]], "deselected": [], "plugins": []}'])
def test_without_a_word_of_the_plugin_what_pytest_prints_counts(content: str, tmp_path: Path) -> None:
    files = {
        "test_a.py": "import pytest\n@pytest.mark.parametrize('x', ['a::b', '1'])\ndef test_x(x): pass\n",
        "conftest.py": "import os, pathlib\ndef pytest_unconfigure():\n"
        f"    pathlib.Path(os.environ['LEDGERGATE_PROBE']).write_text({content!r})\n",
    }
    found = collect(sys.executable, tmp_path, lay_out(tmp_path, files))
    assert found.items == (
        Item("test_a.py::test_x[a::b]", "test_a.py::test_x", "test_a.py"),
        Item("test_a.py::test_x[1]", "test_a.py::test_x", "test_a.py"),
    )
    assert "only the ids of the tests are known" in (found.problem or "")


FAILING_PLUGIN = """\
def pytest_sessionfinish(session): session.exitstatus = 1
"""


@pytest.mark.parametrize(("module", "is_whole"), [("def test_x(): pass\n", True), ("import no_such_module\n", False)])
def test_a_plugin_that_ends_the_run_as_failed_is_no_fault_of_the_collection(
    module: str, is_whole: bool, tmp_path: Path
) -> None:
    files = {"test_a.py": "def test_y(): pass\n", "test_b.py": module, "conftest.py": FAILING_PLUGIN}
    found = collect(sys.executable, tmp_path, lay_out(tmp_path, files))
    assert (found.problem is None) == is_whole
    assert "test_a.py::test_y" in found.ids
