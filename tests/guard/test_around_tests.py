"""Checks that fixtures, set-ups and tear-downs make, gone or moved."""

# ruff: noqa: E501 - edits stand as one text each

from __future__ import annotations

import pytest

from ledgergate.guard import Edit
from ledgergate.guard.compare import compare
from support.losses import told

HEAD = "import unittest\n\nimport pytest\n\nfrom till import Till\n\n\n"
FIXTURE = (
    "@pytest.fixture\ndef till():\n    till = Till()\n    yield till\n    assert till.open == 0\n\n\n"
    "def test_use(till):\n    assert till.use() == 1\n"
)
UNASKED = (
    "@pytest.fixture(autouse=True)\ndef no_leaks():\n    assert Till.open == 0\n    yield\n\n\n"
    "def test_use():\n    assert Till().use() == 1\n"
)
CASE = (
    "class TestTill(unittest.TestCase):\n    def setUp(self):\n        self.till = Till()\n"
    "        self.addCleanup(self.closed)\n\n    def closed(self):\n        self.assertEqual(self.till.open, 0)\n\n"
    "    def tearDown(self):\n        self.assertFalse(self.till.left)\n\n"
    "    def test_use(self):\n        self.assertEqual(self.till.use(), 1)\n"
)
IN_TEST = (
    "class TestTill(unittest.TestCase):\n    def test_use(self):\n        till = Till()\n"
    "        self.addCleanup(lambda: self.assertEqual(till.open, 0))\n        self.assertEqual(till.use(), 1)\n"
)
TEARING_DOWN = CASE[CASE.index("    def tearDown") : CASE.index("    def test_use")]

GONE = [
    (FIXTURE, FIXTURE.replace("    assert till.open == 0\n", "")),
    (FIXTURE, FIXTURE.replace("assert till.open == 0", "till.close()")),
    (UNASKED, UNASKED.replace("    assert Till.open == 0\n", "")),
    (UNASKED, UNASKED[UNASKED.index("def test_use") :]),
    (CASE, CASE.replace("        self.addCleanup(self.closed)\n", "")),
    (CASE, CASE.replace("self.assertFalse(self.till.left)", "self.till.close()")),
    (CASE, CASE.replace(TEARING_DOWN, "")),
    (IN_TEST, IN_TEST.replace("        self.addCleanup(lambda: self.assertEqual(till.open, 0))\n", "")),
    (IN_TEST.replace("lambda: self.assertEqual(till", "self.assertEqual, (till"), IN_TEST.replace("lambda: self.assertEqual(till.open, 0)", "print")),
]  # fmt: skip
KEPT = [
    (FIXTURE, FIXTURE.replace("    yield till\n", "    print(till)\n    yield till\n")),
    (FIXTURE, FIXTURE.replace("    assert till.open == 0\n", "").replace("use() == 1\n", "use() == 1\n    assert till.open == 0\n")),
    (FIXTURE, FIXTURE.replace("    assert", "    closed(till)\n\n\ndef closed(till):\n    assert")),
    (FIXTURE.replace("assert till.open == 0", "till.close()"), FIXTURE.replace("    assert till.open == 0\n", "")),
    (UNASKED, UNASKED.replace("Till.open == 0", "Till.open == 0, 'open'")),
    (CASE, CASE.replace("self.assertFalse(self.till.left)", "self.till.close()\n        self.assertFalse(self.till.left)")),
    (CASE, CASE.replace("self.addCleanup(self.closed)", "self.addCleanup(lambda: self.closed())")),
    (CASE, CASE.replace("TestTill(unittest.TestCase)", "Closing(unittest.TestCase)").replace("    def test_use", "\nclass TestTill(Closing):\n    def test_use")),
    (CASE, CASE + "\n    def test_more(self):\n        self.assertEqual(self.till.use(), 1)\n"),
]  # fmt: skip


def lost(old: str, new: str) -> list[tuple[str, bool]]:
    return told(HEAD + old, HEAD + new)


@pytest.mark.parametrize(("old", "new"), GONE)
def test_a_check_around_tests_that_is_gone(old: str, new: str) -> None:
    assert ("assertion-removed", False) in lost(old, new)


@pytest.mark.parametrize(("old", "new"), KEPT)
def test_a_check_around_tests_that_is_not(old: str, new: str) -> None:
    assert lost(old, new) == []


def test_a_fixture_that_moved_to_the_conftest() -> None:
    at = UNASKED.index("def test_use")
    conftest = Edit("tests/conftest.py", b"import pytest\n", (HEAD + UNASKED[:at]).encode())
    moved = Edit("tests/test_till.py", (HEAD + UNASKED).encode(), (HEAD + UNASKED[at:]).encode())
    assert compare([conftest, moved]) == []
