"""Blocks that have to raise something: what came into them, and honest edits of them."""

# ruff: noqa: E501 - edits stand as one text each

from __future__ import annotations

import pytest

from ledgergate.guard import Edit, Loss
from ledgergate.guard.compare import compare

HEAD = "import pytest\n\nfrom till import Refused, Till, due\n\n\n"
REFUSES = "def test_refuses():\n    till = Till(5)\n    with pytest.raises(ValueError):\n        till.take(10)\n"
DIVIDES = "def test_divides():\n    with pytest.raises(ZeroDivisionError):\n        due(1, 0)\n"
OWN = "def test_own():\n    with pytest.raises(ValueError):\n        with Till(5):\n            raise ValueError\n"
HELPER = "def take(till, sum):\n    if sum > till.left:\n        raise ValueError(sum)\n    return till.take(sum)\n\n\n"
PLAIN = "def take(till, sum):\n    return till.take(sum)\n\n\n"

RAISED_BY_THE_TEST = [
    (REFUSES, REFUSES.replace("    till.take", "    raise ValueError\n        till.take")),
    (REFUSES, REFUSES.replace("    till.take", "    if till.left < 10:\n            raise ValueError('no')\n        till.take")),
    (DIVIDES, DIVIDES.replace("    due(1, 0)", "    if not due(1, 0):\n            raise ZeroDivisionError")),
    (REFUSES, HELPER + REFUSES.replace("till.take(10)", "take(till, 10)")),
    (PLAIN + REFUSES.replace("till.take(10)", "take(till, 10)"), HELPER + REFUSES.replace("till.take(10)", "take(till, 10)")),
    (REFUSES, HELPER.replace("def take", "def taken") + PLAIN.replace("till.take(", "taken(till, ") + REFUSES.replace("till.take(10)", "take(till, 10)")),
]  # fmt: skip
MAYBE_BY_OTHERS = [
    (DIVIDES, DIVIDES.replace("due(1, 0)", "due(1 / 0, 0)")),
    (DIVIDES, DIVIDES.replace("due(1, 0)", "1 / due(1, 0)")),
    (DIVIDES, DIVIDES.replace("due(1, 0)", "due(1, 0).numerator // 0")),
    (DIVIDES, DIVIDES.replace("due(1, 0)", "value = 1 // 0\n        due(value, 0)")),
    (DIVIDES, DIVIDES.replace("due(1, 0)", "due(1, 0)\n        due(1, 0) / 0")),
    (REFUSES, REFUSES.replace("take(10)", "take(int('10.5'))")),
    (REFUSES, REFUSES.replace("        till.take(10)", "        float(till)\n        till.take(10)")),
    (REFUSES, REFUSES.replace("ValueError", "KeyError").replace("take(10)", "take({}[10])")),
]  # fmt: skip
HONEST = [
    (REFUSES, REFUSES.replace("raises(ValueError)", "raises(ValueError, match='no')")),
    (REFUSES, REFUSES.replace("take(10)", "take(sum=10)")),
    (REFUSES, PLAIN + REFUSES.replace("till.take(10)", "take(till, 10)")),
    (REFUSES, REFUSES.replace("take(10)", "take(str(10))")),
    (
        DIVIDES.replace("due(1, 0)", "due('1', 0)"),
        DIVIDES.replace("due(1, 0)", "due('%s' % 1, 0)"),
    ),
    (DIVIDES.replace("ZeroDivisionError", "Refused"), DIVIDES.replace("ZeroDivisionError", "Refused").replace("1, 0", "4 / 2, 0")),
    (
        REFUSES.replace("    till = Till(5)\n", "").replace("        till.take", "        till = Till(5)\n        till.take"),
        REFUSES,
    ),
    (REFUSES.replace("        till.take(10)", "        till.open()\n        till.take(10)"), REFUSES.replace("    with", "    till.open()\n    with")),
    (OWN, OWN.replace("raise ValueError", "raise ValueError('no')")),
    (REFUSES, REFUSES + "\n\n" + OWN),
    (DIVIDES, REFUSES.replace("ValueError", "KeyError") + "\n\n" + DIVIDES),
]  # fmt: skip

JOB = "def test_job():\n    job = Till(5)\n    with pytest.raises(ValueError):\n        job.take(10)\n    assert job.left == 5\n"
SAID = "def test_said(capsys):\n    with pytest.raises(SystemExit) as left:\n        due(1, 0)\n    assert left.value.code == 2\n    assert capsys.readouterr().out\n"
BEHIND = [
    (JOB, JOB.replace("    assert", "        assert")),
    (JOB.replace("take(10)", "fail()"), JOB.replace("take(10)", "fail()").replace("    assert", "        assert")),
    (JOB, JOB.replace("    with", "    with open('x'),").replace("    assert", "        assert")),
    (SAID, SAID.replace("    assert", "        assert")),
]
BESIDE = [
    (JOB.replace("    assert", "        assert"), JOB),
    (JOB.replace("    assert", "        assert"), JOB.replace("    assert", "        assert").replace("Till(5)", "Till(5)  # full")),
    (JOB, JOB.replace("    with", "    assert job.left == 5\n    with").replace("    assert job.left == 5\n", "", 2) + "    assert job.left == 5\n"),
    (JOB.replace("        job.take(10)\n    assert", "        assert"), JOB.replace("        job.take(10)\n    assert", "        assert").replace("5)", "5 )")),
    (JOB.replace("    assert job.left == 5\n", "").replace("    with", "    assert job.left == 5\n    with"), JOB.replace("    assert job.left == 5\n", "").replace("        job.take", "        assert job.left == 5\n        job.take")),
]  # fmt: skip


def lost(old: str, new: str) -> list[Loss]:
    return list(compare([Edit("tests/test_till.py", (HEAD + old).encode(), (HEAD + new).encode())]))


@pytest.mark.parametrize(("old", "new"), RAISED_BY_THE_TEST)
def test_what_the_test_raises_itself(old: str, new: str) -> None:
    assert ("assertion-tautology", False) in [(loss.rule, loss.waits) for loss in lost(old, new)]


@pytest.mark.parametrize(("old", "new"), MAYBE_BY_OTHERS)
def test_what_something_else_may_raise(old: str, new: str) -> None:
    assert ("expectation-changed", True) in [(loss.rule, loss.waits) for loss in lost(old, new)]


@pytest.mark.parametrize(("old", "new"), HONEST)
def test_what_is_honest(old: str, new: str) -> None:
    assert lost(old, new) == []


@pytest.mark.parametrize(("old", "new"), BEHIND)
def test_a_check_that_came_behind_what_raises(old: str, new: str) -> None:
    assert ("assertion-removed", False) in [(loss.rule, loss.waits) for loss in lost(old, new)]


@pytest.mark.parametrize(("old", "new"), BESIDE)
def test_a_check_that_is_reached(old: str, new: str) -> None:
    assert lost(old, new) == []
