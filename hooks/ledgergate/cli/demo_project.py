"""The project of the demonstration: a till that prints receipts, its tests, and their ledgers."""

from __future__ import annotations

import hashlib

RECEIPT = "tests/goldens/receipt.txt"
LEDGER = "tests/ledger.yaml"
PRINTER = "src/till/receipt.py"
DRAFT_TEST = "tests/agent_drafts/test_width.py"

OLD_RECEIPT = """\
coffee                 3.20
bread                  2.75
---------------------------
total                  5.95
"""
# What the code prints after the agent has lost the last item; and after the human has added the count.
WRONG_RECEIPT = OLD_RECEIPT.replace("5.95", "3.20")
NEW_RECEIPT = OLD_RECEIPT.replace("total  ", "2 items")

_PRINTER = '''\
"""Receipts: one line an item, and the total."""

WIDTH = 27


def line(label: str, cents: int) -> str:
    return f"{label:<{WIDTH - 10}}{cents / 100:>10.2f}"


def receipt(items: list[tuple[str, int]]) -> str:
    total = sum(cents for _, cents in items)
    rows = [line(name, cents) for name, cents in items]
    return "\\n".join([*rows, "-" * WIDTH, line("total", total)]) + "\\n"
'''
NEW_PRINTER = _PRINTER.replace('line("total", total)', 'line(f"{len(items)} items", total)')

_TESTS = """\
import datetime
import json
import pathlib

import pytest

from till.receipt import receipt
from till.share import share

HERE = pathlib.Path(__file__).parent


def test_receipt():
    golden = (HERE / "goldens/receipt.txt").read_text()
    assert receipt([("coffee", 320), ("bread", 275)]) == golden


@pytest.mark.parametrize("seed", sorted((HERE / "seeds/share").iterdir()), ids=lambda path: path.stem)
def test_share_loses_no_cent(seed):
    cents, people = json.loads(seed.read_text())
    assert sum(share(cents, people)) == cents


def test_day_is_stamped_once():
    assert datetime.date.today() == datetime.date.today()
"""

_SHARE = '''\
"""Sharing a bill."""


def share(cents: int, people: int) -> list[int]:
    each, rest = divmod(cents, people)
    return [each + 1] * rest + [each] * (people - rest)
'''

QUARANTINE_ROW = """\
  - id: tests/test_till.py::test_day_is_stamped_once
    class: quarantine
    opened: 2024-03-31
    reason: fails when it runs across midnight
    owner: till-team
"""

DRAFT_ROW = """\
  - id: tests/agent_drafts/test_width.py::test_lines_are_equally_wide
    class: draft
    source: agent
    proposed_class: property
    invariant: lines_are_equally_wide
"""

DRAFT_TEST_TEXT = """\
from till.receipt import receipt


def test_lines_are_equally_wide():
    assert len({len(line) for line in receipt([("tea", 180)]).splitlines()}) == 1
"""


def digest(text: str) -> str:
    """The digest of a golden with this text."""
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


_LEDGER = f"""\
version: 1
rows:
  - id: tests/test_till.py::test_receipt
    class: locked_fixture
    artifact: {RECEIPT}
    digest: {digest(OLD_RECEIPT)}
  - id: tests/test_till.py::test_share_loses_no_cent
    class: property
    invariant: share_loses_no_cent
    seeds: tests/seeds/share/
    params: 2
{QUARANTINE_ROW}"""

FILES = {
    "pyproject.toml": '[project]\nname = "till"\nversion = "1.0"\n\n[tool.pytest.ini_options]\npythonpath = ["src"]\n',
    "src/till/__init__.py": "",
    PRINTER: _PRINTER,
    "src/till/share.py": _SHARE,
    "tests/test_till.py": _TESTS,
    RECEIPT: OLD_RECEIPT,
    "tests/seeds/share/odd_cent.json": "[1001, 2]\n",
    "tests/seeds/share/more_people_than_cents.json": "[2, 3]\n",
    "tests/agent_drafts/README": "Agents put new tests here, each with a draft row in the ledger.\n",
    LEDGER: _LEDGER,
    "tests/freeze_ledger.json": """\
{
  "schema": "freeze-ledger.v1",
  "required_lanes": ["tests"],
  "optional_lanes": [],
  "cardinality_floor": {"tests": 2},
  "freezes": []
}
""",
    "ledgergate.toml": """\
version = 1
name = "demo/till"
goldens = ["tests/goldens/**"]
drafts = "tests/agent_drafts/"
""",
}
