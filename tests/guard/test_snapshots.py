"""Values that a test keeps to compare them later: taken before something is done, or only behind it."""

# ruff: noqa: E501 - edits stand as one text each

from __future__ import annotations

import pytest

from support.losses import told

HEAD = "import os\nimport unittest\n\nfrom till import ROWS, Till, read\n\n\n"
ROWS = "def test_read():\n    size = len(ROWS)\n    read()\n    assert len(ROWS) == size\n"
TILL = "def test_peek():\n    till = Till(5)\n    before = till.left\n    till.peek()\n    assert till.left == before\n"
CASE = "class TestTill(unittest.TestCase):\n    def test_env(self):\n        before = dict(os.environ)\n        read()\n        self.assertEqual(dict(os.environ), before)\n"
EQUAL = "class TestTill(unittest.TestCase):\n    def test_equal(self):\n        till = Till(5)\n        self.assertEqual(till, till)\n        self.assertEqual(till, Till(5))\n"

LATE = [
    (ROWS, ROWS.replace("    read()\n", "").replace("    size", "    read()\n    size")),
    (ROWS, ROWS.replace("    read()\n", "")),
    (TILL, TILL.replace("    till.peek()\n", "").replace("    before", "    till.peek()\n    before")),
    (CASE, CASE.replace("        read()\n", "").replace("        before", "        read()\n        before")),
    (
        "def test_log():\n    log = Till.log\n    assert Till.log is log\n    Till.name = 'x'\n    assert Till.log is log\n",
        "def test_log():\n    Till.name = 'x'\n    log = Till.log\n    assert Till.log is log\n    assert Till.log is log\n",
    ),
]
IN_TIME = [
    (ROWS, ROWS.replace("    size", "    print(1)\n    size")),
    (ROWS, ROWS.replace("    read()\n    assert", "    assert read() == 1\n    assert")),
    (ROWS, ROWS.replace("    read()\n    assert len", "    assert read() or len")),
    (ROWS.replace("    read()\n", ""), ROWS.replace("    read()\n", "").replace("size", "before")),
    (
        "def test_it():\n    rows = ROWS\n    read()\n    assert rows is ROWS\n",
        "def test_it():\n    rows = ROWS\n    assert rows is ROWS\n",
    ),
    (EQUAL, EQUAL.replace("self.assertEqual(till, till)", "assert till == till")),
    (CASE, CASE.replace("        before", "        self.maxDiff = None\n        before")),
    (
        "class TestTill(unittest.TestCase):\n    def test_log(self):\n        log = Till.log\n        self.assertTrue(Till.log is log)\n        Till.name = 'x'\n        self.assertTrue(Till.log is not log)\n",
        "class TestTill:\n    def test_log(self):\n        log = Till.log\n        assert Till.log is log\n        Till.name = 'x'\n        assert Till.log is not log\n",
    ),
]


def lost(old: str, new: str) -> list[tuple[str, bool]]:
    return told(HEAD + old, HEAD + new)


@pytest.mark.parametrize(("old", "new"), LATE)
def test_a_value_that_is_taken_late(old: str, new: str) -> None:
    assert ("assertion-tautology", False) in lost(old, new)


@pytest.mark.parametrize(("old", "new"), IN_TIME)
def test_a_value_that_is_taken_before(old: str, new: str) -> None:
    assert ("assertion-tautology", False) not in lost(old, new)
