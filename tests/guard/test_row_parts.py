"""Tests that became rows of a table whose rows are objects, or the values of a dict."""

from __future__ import annotations

import ast

import pytest

from ledgergate.guard import Edit, Loss
from ledgergate.guard.compare import compare
from ledgergate.guard.row_parts import row_parts
from ledgergate.guard.suite import Suite
from ledgergate.source.text import Source, read_source

HEAD = "from dataclasses import dataclass\nfrom typing import NamedTuple\n\nimport pytest\n\nfrom till import due\n\n\n"
OLD = "def test_two():\n    assert due(1, 2) == 3\n\n\ndef test_none():\n    assert due(0, 0) == 7\n"
CLASS = "class Case(NamedTuple):\n    one: int\n    other: int\n    total: int = 7\n\n\n"
TEST = (
    "@pytest.mark.parametrize('case', CASES)\ndef test_due(case):\n    assert due(case.one, case.other) == case.total\n"
)
TUPLES = CLASS + "CASES = [Case(1, 2, 3), Case(one=0, other=0)]\n\n\n" + TEST
DATA = TUPLES.replace("class Case(NamedTuple)", "@dataclass(frozen=True)\nclass Case")
ITEMS = (
    "@pytest.mark.parametrize('case', [{'a': 1, 'b': 2, 'total': 3}, {'a': 0, 'b': 0, 'total': 7}])\n"
    "def test_due(case):\n    assert due(case['a'], case['b']) == case['total']\n"
)
VALUES = (
    "CASES = {'two': ((1, 2), 3), 'none': ((0, 0), 7)}\n\n\n"
    "@pytest.mark.parametrize('prices, total', CASES.values(), ids=CASES.keys())\n"
    "def test_due(prices, total):\n    assert due(*prices) == total\n"
)
KEYS = (
    "CASES = {'two': {'args': (1, 2), 'total': 3}, 'none': {'args': (0, 0), 'total': 7}}\n\n\n"
    "@pytest.mark.parametrize('name', CASES)\n"
    "def test_due(name):\n    case = CASES[name]\n    assert due(*case['args']) == case['total']\n"
)
PAIRS = (
    "CASES = {'two': ((1, 2), 3), 'none': ((0, 0), 7)}\n\n\n"
    "@pytest.mark.parametrize('name', CASES)\n"
    "def test_due(name):\n    prices, total = CASES[name]\n    assert due(*prices) == total\n"
)


def lost(new: str, old: str = OLD) -> list[Loss]:
    return list(compare([Edit("tests/test_till.py", (HEAD + old).encode(), (HEAD + new).encode())]))


@pytest.mark.parametrize(
    "new", [TUPLES, DATA, ITEMS, VALUES, VALUES.replace("CASES.values()", "list(CASES.values())"), KEYS, PAIRS]
)
def test_what_became_rows(new: str) -> None:
    assert lost(new) == []


@pytest.mark.parametrize(
    "new",
    [
        TUPLES.replace(", Case(one=0, other=0)", ""),
        TUPLES.replace("total: int = 7", "total: int = 0"),
        TUPLES.replace(
            "    total: int = 7\n", "    total: int = 7\n\n    def __eq__(self, other):\n        return True\n"
        ),
        TUPLES.replace("    assert", "    case = CASES[0]\n    assert"),
        TUPLES.replace("\n\n\n@pytest", "\nCase.total = 0\n\n\n@pytest"),
        DATA.replace("class Case", "class Case(Made)"),
        DATA.replace("from dataclasses", "").replace("@dataclass(frozen=True)", "@dataclass")
        + "\n\ndef dataclass(one):\n    return one\n",
        KEYS.replace("'total': 7", "'total': 0"),
        KEYS.replace("), 'total': 3}, 'none': {'args': (0, 0), 'total': 7}}", "), 'total': 3}}"),
        KEYS.replace("\n    assert", "\n    case['total'] = due(*case['args'])\n    assert"),
        KEYS.replace("\n    assert", "\n    case.update(total=due(*case['args']))\n    assert"),
        KEYS.replace("\n    assert", "\n    CASES[name] = None\n    assert"),
        PAIRS.replace("\n\n\n@pytest", "\nCASES.pop('none')\n\n\n@pytest"),
        PAIRS.replace("7)}", "0)}"),
        PAIRS.replace("    prices", "    name = 'two'\n    prices"),
        PAIRS.replace("    prices", "    CASES = {'two': ((1, 2), 3), 'none': ((1, 2), 3)}\n    prices"),
        PAIRS.replace("'name', CASES)", "'name', CASES, ids=[CASES.pop('none')])"),
        ITEMS.replace(", {'a': 0, 'b': 0, 'total': 7}", ""),
        VALUES.replace("'none': ((0", "'two': ((0"),
        VALUES.replace("\n\n\n@pytest", "\nCASES.pop('none')\n\n\n@pytest"),
        VALUES.replace("\n\n\n@pytest", "\ndel CASES['none']\n\n\n@pytest"),
    ],
)
def test_what_did_not(new: str) -> None:
    assert {loss.rule for loss in lost(new)} & {"test-removed", "expectation-changed", "assertion-tautology"}


ONE = (
    "@pytest.mark.parametrize('case', [{'a': 1, 'due': 2}])\n"
    "def test_due(case):\n    assert due(case['a']) == case['due']\n"
)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("case['due'] = due(case['a'])", [("assertion-tautology", False)]),
        ("case['due'] = 3", [("expectation-changed", True)]),
        ("case['due'] += 1", [("expectation-changed", True)]),
        ("case['a'] = 3", [("expectation-changed", True)]),
        ("case['name'] = 'one'", []),
        ("other = due(case['a'])", []),
    ],
)
def test_a_row_that_the_test_changes_before_it_checks(line: str, told: list[tuple[str, bool]]) -> None:
    new = ONE.replace("    assert", f"    {line}\n    assert")
    assert [(loss.rule, loss.waits) for loss in lost(new, ONE)] == told
    assert lost(ONE + f"    {line}\n", ONE) == []


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("assert due(case['a']) == 1", {"case['a']"}),
        ("case['a'] = due(1)", {"case['a']"}),
        ("case['a'] += due(1)", {"case['a']"}),
        ("case.update(a=due(1))", set()),
        ("case = {}", set()),
        ("change(case)", set()),
        ("del case['a']", set()),
    ],
)
def test_only_what_is_read_alone_has_parts(line: str, parts: set[str]) -> None:
    source = read_source(f"def test_due(case):\n    print(case['a'])\n    {line}\n".encode())
    assert isinstance(source, Source)
    row = {"case": ast.parse("{'a': 1}", mode="eval").body}
    suite = Suite("tests/test_till.py", source)
    assert set(row_parts(suite, suite.functions["test_due"], row)) == parts
