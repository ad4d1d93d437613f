"""Checks that look at something else, or ask it otherwise; each beside one that says the same."""

from __future__ import annotations

import pytest

from support.losses import told

IMPORTS = "from unittest import mock\n\nfrom till import Bill, due\n\n\n"
HEAD = f"{IMPORTS}def test_due(capsys):\n    bill = due([2])\n    assert "

SOMETHING_ELSE = [
    ("bill.total == 2", "bill.price == 2"),
    ("bill.total is None", "bill.price is None"),
    ("bill.is_paid", "bill.is_known"),
    ("len(bill.rows) > 1", "len(bill.notes) > 1"),
    ("'no' in bill.stdout", "'no' in bill.stderr"),
    ("capsys.readouterr().out == ''", "capsys.readouterr().err == ''"),
    ("due(price=1) == 2", "due(rebate=1) == 2"),
    ("bill == Bill(price=1)", "bill == Bill(rebate=1)"),
    ("min(bill) == 1", "max(bill) == 1"),
    ("str(bill) == 'a'", "repr(bill) == 'a'"),
    ("bill.keys() == due.names", "bill.values() == due.names"),
]
THE_SAME = [
    ("bill.total == 2", "due([2]).total == 2"),
    ("bill.total == 2", "2 == bill.total"),
    ("bill.total == 2", "bill.total == 2 and bill.price == 3"),
    ("len(bill.rows) == 2", "len(list(bill.rows)) == 2"),
    ("due(mock.Mock(spec=Bill)) == 2", "due(mock.Mock(spec_set=Bill)) == 2"),
]


def lost(old: str, new: str) -> list[tuple[str, bool]]:
    return told(f"{HEAD}{old}\n", f"{HEAD}{new}\n")


@pytest.mark.parametrize(("old", "new"), SOMETHING_ELSE)
def test_something_else_is_looked_at(old: str, new: str) -> None:
    assert lost(old, new) == [("expectation-changed", True)]


@pytest.mark.parametrize(("old", "new"), THE_SAME)
def test_the_same_is_asked(old: str, new: str) -> None:
    assert lost(old, new) == []
