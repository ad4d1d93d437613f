"""What held a test to more without standing in its body, and went; and what only looks like it."""

# ruff: noqa: E501 - edits stand as one text each

from __future__ import annotations

import pytest

from ledgergate.guard import Edit
from ledgergate.guard.compare import compare
from support.losses import told

HEAD = "import unittest\n\nimport pytest\n\nfrom base import Strict\nfrom till import Till, due\n\n\n"
DUE = "def test_due():\n    assert due([2]) == 2\n"
ASKING = DUE.replace("()", "(no_leaks)", 1)
LEAKS = "@pytest.fixture(autouse=True)\ndef no_leaks():\n    yield\n    assert Till.open == 0\n\n\n"
ASKED = LEAKS.replace("(autouse=True)", "")
CASE = "class TestTill(Strict):\n    def setUp(self):\n        super().setUp()\n        self.till = Till()\n\n    def test_due(self):\n        self.assertEqual(self.till.due(2), 2)\n"
OWN = "class Contract:\n    def test_value(self):\n        assert self.make() == 1\n\n\nclass TestTill(Contract):\n    def make(self):\n        return due([1])\n\n    def test_due(self):\n        assert due([2]) == 2\n"

HELD: list[tuple[str, str, str, str]] = [
    ("a filter of a test", "expectation-changed", f'@pytest.mark.filterwarnings("error")\n{DUE}', DUE),
    ("a filter of the file", "expectation-changed", f'pytestmark = pytest.mark.filterwarnings("error")\n\n\n{DUE}', f'pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")\n\n\n{DUE}'),
    ("a filter of the class", "expectation-changed", f'@pytest.mark.filterwarnings("error")\n{CASE}', CASE),
    ("a narrower filter", "expectation-changed", f'@pytest.mark.filterwarnings("error")\n{DUE}', f'@pytest.mark.filterwarnings("error::DeprecationWarning")\n{DUE}'),
    ("a fixture that a mark asks for", "expectation-changed", f'@pytest.mark.usefixtures("no_leaks")\n{DUE}', DUE),
    ("a fixture of another file", "expectation-changed", ASKING, DUE),
    ("a fixture of the file", "expectation-changed", ASKED + ASKING, ASKED + DUE),
    ("a fixture that ran for all", "expectation-changed", LEAKS + DUE, ASKED + DUE),
    ("a base of another file", "test-removed", CASE, CASE.replace("(Strict)", "(unittest.TestCase)")),
    ("one of two bases", "test-removed", CASE.replace("(Strict)", "(Strict, unittest.TestCase)"), CASE.replace("(Strict)", "(unittest.TestCase)")),
    ("a base of the file", "test-removed", OWN, OWN.replace("(Contract)", "")),
    ("what a base sets up", "expectation-changed", CASE, CASE.replace("        super().setUp()\n", "")),
]  # fmt: skip
FREE: list[tuple[str, str, str]] = [
    ("a filter that moved to the file", f'@pytest.mark.filterwarnings("error")\n{DUE}', f'pytestmark = pytest.mark.filterwarnings("error")\n\n\n{DUE}'),
    ("a filter that ignored", f'@pytest.mark.filterwarnings("ignore")\n{DUE}', DUE),
    ("a fixture by a mark", ASKING, f'@pytest.mark.usefixtures("no_leaks")\n{DUE}'),
    ("a fixture by its name", f'@pytest.mark.usefixtures("no_leaks")\n{DUE}', ASKING),
    ("a fixture that runs for all now", ASKED + ASKING, LEAKS + DUE),
    ("a fixture of another name", ASKING, ASKING.replace("no_leaks", "no_open_tills")),
    ("a fixture of pytest", ASKING.replace("no_leaks", "tmp_path"), DUE),
    ("a fixture that only gives a value", "@pytest.fixture\ndef prices():\n    return [2]\n\n\n" + DUE.replace("()", "(prices)", 1), "@pytest.fixture\ndef prices():\n    return [2]\n\n\n" + DUE),
    ("a fixture that is asked for by the tests now", LEAKS + DUE, ASKED + ASKING),
    ("a parameter of a table", '@pytest.mark.parametrize("one", [2])\n' + DUE.replace("()", "(one)", 1), DUE),
    ("what a patch gives", '@unittest.mock.patch("time.time")\n' + DUE.replace("()", "(clock)", 1), DUE),
    ("another base", CASE, CASE.replace("Strict", "StrictCase")),
    ("an object", CASE.replace("(Strict)", "(object)").replace("        super().setUp()\n", ""), CASE.replace("(Strict)", "").replace("        super().setUp()\n", "")),
    ("a base of the file that stands in the class now", OWN, "class TestTill:\n    def test_value(self):\n        assert self.make() == 1\n\n    def make(self):\n        return due([1])\n\n    def test_due(self):\n        assert due([2]) == 2\n"),
    ("what a plain base sets up", CASE.replace("Strict", "unittest.TestCase"), CASE.replace("Strict", "unittest.TestCase").replace("        super().setUp()\n", "")),
]  # fmt: skip


def lost(old: str, new: str) -> list[tuple[str, bool]]:
    return told(HEAD + old, HEAD + new)


@pytest.mark.parametrize(("rule", "old", "new"), [one[1:] for one in HELD], ids=[one[0] for one in HELD])
def test_what_went(rule: str, old: str, new: str) -> None:
    assert lost(old, new) == [(rule, True)]


@pytest.mark.parametrize(("old", "new"), [one[1:] for one in FREE], ids=[one[0] for one in FREE])
def test_what_did_not(old: str, new: str) -> None:
    assert lost(old, new) == []


def test_what_a_conftest_runs_for_all_now() -> None:
    conftest = Edit("tests/conftest.py", f"import pytest\n\n\n{ASKED}".encode(), f"import pytest\n\n\n{LEAKS}".encode())
    assert compare([conftest, Edit("tests/test_till.py", (HEAD + ASKING).encode(), (HEAD + DUE).encode())]) == []
