"""Skips where a module is not there: of the project, or of others."""

from __future__ import annotations

import pytest

from ledgergate.guard import Around, Edit, Loss
from ledgergate.guard.compare import compare
from ledgergate.guard.edits import LeftOut
from ledgergate.guard.left_out import what_is_left_out

HEAD = "import importlib.util\n\nimport pytest\n\nfrom till import due\n\n\n"
DUE = "def test_due():\n    assert due([2]) == 2\n"
AROUND = Around(is_own=lambda module: module.partition(".")[0] == "till")

OF_THE_PROJECT = [
    DUE.replace("    assert", "    pytest.importorskip('till.extras')\n    assert"),
    DUE.replace("    assert", "    pytest.importorskip('till', minversion='2.0')\n    assert"),
    f"pytest.importorskip('till', minversion='2.0')\n\n\n{DUE}",
    f"@pytest.mark.skipif(importlib.util.find_spec('till.extras') is None, reason='later')\n{DUE}",
    f"pytestmark = pytest.mark.skipif(not importlib.util.find_spec('till.extras'), reason='later')\n\n\n{DUE}",
    DUE.replace(
        "    assert",
        "    if importlib.util.find_spec('till.extras') is None:\n        pytest.skip('later')\n    assert",
    ),
]
OF_OTHERS = [
    DUE.replace("    assert", "    pytest.importorskip('numpy')\n    assert") + "\n\nimport numpy\n",
    f"@pytest.mark.skipif(importlib.util.find_spec('numpy') is None, reason='no numpy')\n{DUE}",
    DUE.replace(
        "    assert", "    if importlib.util.find_spec('numpy') is None:\n        pytest.skip('later')\n    assert"
    ),
]


def lost(new: str) -> list[Loss]:
    return list(compare([Edit("tests/test_till.py", (HEAD + DUE).encode(), (HEAD + new).encode())], AROUND))


AGAIN = [
    f"@pytest.mark.flaky(reruns=3)\n{DUE}",
    f"pytestmark = pytest.mark.flaky(reruns=3)\n\n\n{DUE}",
    f"from flaky import flaky\n\n\n@flaky\n{DUE}",
    f"from tenacity import retry\n\n\n@retry(stop=stop_after_attempt(3))\n{DUE}",
]


@pytest.mark.parametrize("new", AGAIN)
def test_runs_that_are_tried_again(new: str) -> None:
    assert [(loss.rule, loss.waits) for loss in lost(new)] == [("skip-added", False)]


def test_runs_of_new_tests_that_are_tried_again() -> None:
    assert lost(f"{DUE}\n\n@pytest.mark.flaky(reruns=3)\ndef test_more():\n    assert due([3]) == 3\n") == []


FIXTURE = "@pytest.fixture\ndef database():\n    pytest.importorskip('psycopg2')\n\n\n"


@pytest.mark.parametrize(
    ("new", "told"),
    [
        (FIXTURE + '@pytest.mark.usefixtures("database")\n' + DUE, [("skip-added", True)]),
        (FIXTURE + DUE.replace("()", "(database)", 1), [("skip-added", True)]),
        (FIXTURE + DUE, []),
        (FIXTURE + DUE.replace("()", "(database)", 1) + "\n\ndef connect():\n    import psycopg2\n", []),
    ],
)
def test_fixtures_that_skip_without_a_module(new: str, told: list[tuple[str, bool]]) -> None:
    assert [(loss.rule, loss.waits) for loss in lost(new)] == told


@pytest.mark.parametrize("new", OF_THE_PROJECT)
def test_where_a_module_of_the_project_is_missing(new: str) -> None:
    assert [(loss.rule, loss.waits) for loss in lost(new)] == [("skip-added", True)]


@pytest.mark.parametrize("new", OF_OTHERS)
def test_where_a_module_of_others_is_missing(new: str) -> None:
    assert lost(new) == []


SLOW = "@pytest.mark.slow\n"
TABLE = "@pytest.mark.parametrize('one', [1, 2])\ndef test_one(one):\n    assert due([one]) == one\n"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (DUE, SLOW + DUE, 1),
        (DUE, f"pytestmark = [pytest.mark.slow]\n\n\n{DUE}", 1),
        (DUE, f"slow = pytest.mark.slow\n\n\n@slow\n{DUE}", 1),
        (TABLE, TABLE.replace("2]", "pytest.param(2, marks=pytest.mark.slow)]"), 1),
        (SLOW + DUE, SLOW + DUE.replace("[2]", "[1, 1]").replace("due([1", "due([*[], 1"), 0),
        (DUE, "@pytest.mark.quick\n" + DUE, 0),
        (DUE, f"{DUE}\n\n{SLOW}def test_more():\n    assert due([3]) == 3\n", 0),
    ],
)
def test_marks_that_the_settings_leave_out(old: str, new: str, told: int) -> None:
    around = Around(left_out=lambda: LeftOut(marks=frozenset({"slow"})))
    found = compare([Edit("tests/test_till.py", (HEAD + old).encode(), (HEAD + new).encode())], around)
    assert [one.waits for one in found if one.rule == "skip-added"] == [True] * told


@pytest.mark.parametrize(
    ("options", "marks"),
    [
        ("-ra -m 'not slow'", {"slow"}),
        ("-m 'not slow and not net' -q", {"slow", "net"}),
        ('-m "not (slow or gui)"', {"slow", "gui"}),
        ("-m 'unit and not slow'", {"slow"}),
        ("'-m not slow'", {"slow"}),
        ("--markexpr='not slow'", {"slow"}),
        ("-m slow", set()),
        ("-ra --markers", set()),
        ("", set()),
    ],
)
def test_which_marks_are_left_out(options: str, marks: set[str]) -> None:
    assert what_is_left_out(options) == (marks, set())
    words = what_is_left_out(options.replace("-m ", "-k ").replace("--markexpr=", "--keyword="))
    assert words == (set(), marks)


TWO = f"{DUE}\n\ndef test_two():\n    assert due([3, 4]) == 7\n"
IN_CLASS = "class TestDue:\n    def test_due(self):\n        assert due([2]) == 2\n"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (DUE, DUE.replace("test_due", "test_due_slow"), 1),
        (DUE, DUE.replace("test_due", "test_SLOW_due"), 1),
        (TWO, TWO.replace("test_two", "test_two_slowly").replace("== 7", "== 8"), 0),
        (IN_CLASS, IN_CLASS.replace("TestDue", "TestSlowDue"), 1),
        (DUE, f"@pytest.mark.slow\n{DUE}", 1),
        (DUE.replace("test_due", "test_slow_due"), DUE.replace("test_due", "test_due_slowly"), 0),
        (DUE, DUE.replace("test_due", "test_low_due"), 0),
        (DUE, f"{DUE}\n\ndef test_slow():\n    assert due([3]) == 3\n", 0),
        (DUE, f"def test_all():\n    assert due([2]) == 2\n\n\n{DUE.replace('test_due', 'test_slow')}", 0),
    ],
)
def test_names_that_the_settings_leave_out(old: str, new: str, told: int) -> None:
    around = Around(left_out=lambda: LeftOut(words=frozenset({"slow"})))
    found = compare([Edit("tests/test_till.py", (HEAD + old).encode(), (HEAD + new).encode())], around)
    assert [one.waits for one in found if one.rule == "skip-added"] == [True] * told
