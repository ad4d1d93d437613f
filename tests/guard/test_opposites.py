"""Checks that ask for the opposite of what they asked for, or for what does not hold with it."""

from __future__ import annotations

import pytest

from ledgergate.guard import Edit
from ledgergate.guard.compare import compare

OPPOSITES = [
    ("due([2])", "not due([2])"),
    ("not due([2])", "due([2])"),
    ("not isinstance(due([2]), int)", "isinstance(due([2]), int)"),
    ("issubclass(due, int)", "not issubclass(due, int)"),
    ("not due([2]).startswith('a')", "due([2]).startswith('a')"),
    ("1 in due([2])", "1 not in due([2])"),
    ("1 not in due([2])", "1 in due([2])"),
    ("due([2]) is not None", "due([2]) is None"),
    ("due([2]) is None", "due([2]) is not None"),
    ("due([2]) is not prices", "due([2]) is prices"),
    ("due([2]) != 1", "due([2]) == 1"),
    ("due([2]) > 1", "due([2]) < 1"),
    ("due([2]) <= 1", "due([2]) >= 1"),
    ("due([2]) > 1", "due([2]) >= 1"),
    ("due([2]) > 1", "due([2]) == 0"),
    ("all(due([2]))", "not all(due([2]))"),
    ("not any(due([2]))", "any(due([2]))"),
    ("due([2]) is True", "due([2]) is False"),
    ("due([2])", "due([2]) is False"),
    ("not due([2])", "due([2]) == 3"),
    ("due([2])", "due([2]) == []"),
    ("2 in due([2])", "due([2]) == [1]"),
    ("len(due([2])) == 2", "due([2]) == []"),
    ("len(due([2])) > 0", "due([2]) == []"),
    ("isinstance(due([2]), int)", "due([2]) == 'ab'"),
    ("isinstance(due([2]), list)", "isinstance(due([2]), int)"),
    ("due([2]) in (3, 4)", "due([2]) == 1"),
    ("due([2]) > 1", "due([2]) == 'ab'"),
    ("due([2]) == []", "due([2]) == 3"),
    ("due([2]) is True", "due([2]) == 3"),
    ("due([2]) is True", "isinstance(due([2]), int)"),
    ("not due([2])", "due([2]) > 1"),
    ("all(due([2]))", "len(due([2])) > 0"),
    ("list(due([2])) == [1, 2]", "due([2]) == [2, 1]"),
]
NOT_OPPOSITE = [
    ("not due([2])", "due([2]) == []"),
    ("due([2]) != 1", "due([2]) == 2"),
    ("due([2]) >= 1", "due([2]) > 1"),
    ("due([2]) > 1", "due([2]) == 3"),
    ("due([2]) is not None", "due([2]) == 3"),
    ("due([2])", "due([2]) == 3"),
    ("2 in due([2])", "due([2]) == [1, 2]"),
    ("not any(one < 0 for one in due([2]))", "all(not one < 0 for one in due([2]))"),
    ("not due([2]) == 3", "due([2]) != 3"),
    ("isinstance(due([2]), int)", "due([2]) == 3"),
    ("isinstance(due([2]), (int, str))", "isinstance(due([2]), int)"),
    ("len(due([2])) == 2", "due([2]) == [3, 4]"),
    ("due([2]) in (3, 4)", "due([2]) == 3"),
    ("(2 in due([2])) is True", "2 in due([2])"),
    ("isinstance(due([2]), int) is True", "isinstance(due([2]), int)"),
]


def lost(old: str, new: str) -> list[bool]:
    sides = (f"from till import due, prices\n\n\ndef test_due():\n    assert {one}\n".encode() for one in (old, new))
    return [loss.waits for loss in compare([Edit("tests/test_till.py", *sides)])]


@pytest.mark.parametrize(("old", "new"), OPPOSITES)
def test_the_opposite_is_told(old: str, new: str) -> None:
    assert len(lost(old, new)) == 1


@pytest.mark.parametrize(("old", "new"), NOT_OPPOSITE)
def test_what_asks_as_much_is_no_opposite(old: str, new: str) -> None:
    assert lost(old, new) == []
