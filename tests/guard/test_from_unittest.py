"""Checks of unittest written as those of pytest, and the like, which ask the same; and what only looks so."""

# ruff: noqa: E501 - edits stand as one text each

from __future__ import annotations

import pytest

from ledgergate.guard import Edit
from ledgergate.guard.compare import compare

HEAD = "import re\nimport unittest\n\nimport pytest\n\nfrom till import Refused, due\n\n\n"

THE_SAME = [
    ("self.assertEqual(due([2]), 2, 'no')", "assert due([2]) == 2, 'no'"),
    ("self.assertTrue(due([2]) == 2)", "assert due([2]) == 2"),
    ("self.assertFalse(due([2]))", "assert not due([2])"),
    ("self.assertIsNotNone(due([2]))", "assert due([2]) is not None"),
    ("self.assertIsNone(due([2]))", "assert due([2]) is None"),
    ("self.assertIsNone(None)", "assert None is None"),
    ("self.assertIsNone(None)", "pass"),
    ("self.assertNotIn(1, due([2]))", "assert 1 not in due([2])"),
    ("self.assertNotIsInstance(due([2]), int)", "assert not isinstance(due([2]), int)"),
    ("self.assertIsSubclass(due, int)", "assert issubclass(due, int)"),
    ("self.assertHasAttr(due, 'x')", "assert hasattr(due, 'x')"),
    ("self.assertStartsWith(due([2]), 'x')", "assert due([2]).startswith('x')"),
    ("self.assertNotEndsWith(due([2]), 'x')", "assert not due([2]).endswith('x')"),
    ("self.assertAlmostEqual(due([2]), 1.5)", "assert due([2]) == pytest.approx(1.5)"),
    ("self.assertRegex(due([2]), 'a+')", "assert re.search('a+', due([2]))"),
    ("self.assertRaises(Refused, due, None)", "with pytest.raises(Refused):\n        due(None)"),
    ("self.assertRaises(Refused, lambda: due(None))", "with pytest.raises(Refused):\n        due(None)"),
    ("self.assertRaisesRegex(Refused, 'no', due, None)", "with pytest.raises(Refused, match='no'):\n        due(None)"),
    ("with self.assertRaises(Refused) as got:\n            due(None)\n        self.assertEqual(str(got.exception), 'no')", "with pytest.raises(Refused) as got:\n        due(None)\n    assert str(got.value) == 'no'"),
    ("with self.assertWarns(UserWarning):\n            due(None)", "with pytest.warns(UserWarning):\n        due(None)"),
    ("assert due(dict(a=1)) == dict(b=2)", "assert due({'a': 1}) == {'b': 2}"),
    ("assert '%s!' % due([2]) == 'a!'", "assert f'{due([2])}!' == 'a!'"),
    ("assert due('%s-%s' % (self, re)) == 'a'", "assert due(f'{self}-{re}') == 'a'"),
]  # fmt: skip

TOLD = [
    ("self.assertNotIsInstance(due([2]), int)", "assert isinstance(due([2]), int)", True),
    ("self.assertStartsWith(due([2]), 'x')", "assert due([2]).startswith('')", True),
    ("self.assertRaises(Refused, due, None)", "with pytest.raises(Refused):\n        due(3)", True),
    ("self.assertRaises(Refused, due, None)", "due(None)", False),
    ("self.assertRaises(Refused, lambda: due(None))", "with pytest.raises(Refused):\n        raise Refused", False),
    ("with self.assertRaises(Refused) as got:\n            due(None)\n        self.assertEqual(str(got.exception), 'no')", "with pytest.raises(Refused) as got:\n        due(None)\n    assert got.value", False),
    ("assert due(dict(a=1)) == dict(b=2)", "assert due({'a': 1}) == {'c': 2}", True),
    ("assert '%s!' % due([2]) == 'a!'", "assert f'{due([3])}!' == 'a!'", True),
    ("with self.assertLogs('x') as got:\n            due(None)", "due(None)\n    assert caplog.messages == ['a']", True),
    ("with self.assertLogs('x') as got:\n            due(None)", "due(None)\n    assert caplog.messages is not None", False),
    ("with self.assertLogs('x') as got:\n            due(None)", "due(None)\n    assert caplog.messages == []", False),
]  # fmt: skip


def lost(old: str, new: str) -> list[bool]:
    case = f"class TestTill(unittest.TestCase):\n    def test_due(self):\n        {old}\n"
    found = compare(
        [Edit("tests/test_till.py", (HEAD + case).encode(), (HEAD + f"def test_due():\n    {new}\n").encode())]
    )
    return [loss.waits for loss in found]


@pytest.mark.parametrize(("old", "new"), THE_SAME)
def test_the_same_without_unittest(old: str, new: str) -> None:
    assert lost(old, new) == []


@pytest.mark.parametrize(("old", "new", "waits"), TOLD)
def test_less_without_unittest(old: str, new: str, waits: bool) -> None:
    found = lost(old, new)
    assert found
    assert all(found) is waits
