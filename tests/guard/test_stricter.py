"""Checks in other words that ask as much as the old ones, or more; each beside one that only looks like it."""

# ruff: noqa: E501 - edits stand as one text each

from __future__ import annotations

import pytest

from ledgergate.guard import Edit, Loss
from ledgergate.guard.compare import compare

HEAD = "import datetime\nimport re\nimport textwrap\nimport warnings\nfrom http import HTTPStatus\nfrom unittest.mock import Mock, call\n\nimport numpy as np\nimport pytest\n\nfrom till import due, till\n\n\n"
RAISES = "with pytest.raises(ValueError, match='no coins'):\n    due(None)"
CAUGHT = "with pytest.raises(ValueError) as e:\n    due(None)\n"
ONCE = "get = Mock()\ndue(get)\nget.assert_called_once_with('x', timeout=5)"
WARNED = "with warnings.catch_warnings(record=True) as w:\n    warnings.simplefilter('always')\n    assert due([1]) == 1\nassert issubclass(w[0].category, DeprecationWarning)"
NEAR = "assert due([1]) == pytest.approx(1.5, rel=1e-3)"

# What it is, the old test, the honest edit, and the one that only looks like it.
EDITS = {
    "the text of what was raised": (RAISES, CAUGHT + "assert str(e.value) == 'no coins at all'", CAUGHT + "assert str(e.value) == 'none'"),
    "the text within that of what was raised": (RAISES, CAUGHT + "assert 'no coins' in str(e.value)", CAUGHT + "assert 'no' in str(e.value)"),
    "the text of another exception": (RAISES, CAUGHT + "assert str(e.value) == 'no coins'", CAUGHT + "assert str('no coins') == 'no coins'"),
    "the text behind a condition": (RAISES, CAUGHT + "assert str(e.value) == 'no coins'", CAUGHT + "if till:\n    assert str(e.value) == 'no coins'"),
    "the text of one of two": (RAISES, CAUGHT + "assert str(e.value) == 'no coins'", CAUGHT + CAUGHT.replace("None", "[]").replace("as e", "as f") + "assert str(f.value) == 'no coins'"),
    "a whole match": (RAISES, RAISES.replace("'no coins'", "rf\"^{re.escape('no coins')}$\""), RAISES.replace("'no coins'", "rf\"^{re.escape('no')}$\"")),
    "a match that may be anything": (RAISES, RAISES.replace("'no coins'", "'^no coins$'"), RAISES.replace("'no coins'", "'no coins|'")),
    "a text that is put together": ("assert due([1]) == 'id-%d' % 1", "assert due([1]) == f'id-{1}'", "assert due([1]) == f'id-{2}'"),
    "texts side by side": ("assert due([1]) == 'a' + 'b'", "assert due([1]) == 'ab'", "assert due([1]) == 'a'"),
    "a number that is put together": ("assert due([1]) == 60 * 60", "assert due([1]) == 3600", "assert due([1]) == 360"),
    "a status by its name": ("assert due([1]).status == 200", "assert due([1]).status == HTTPStatus.OK", "assert due([1]).status == HTTPStatus.CREATED"),
    "a text without its indentation": ("assert due([1]) == 'a\\nb'", 'assert due([1]) == textwrap.dedent("""\\\n        a\n        b""")', 'assert due([1]) == textwrap.dedent("""\\\n        a\n          b""")'),
    "a date as a text": ("assert due([1]) == datetime.date(2024, 1, 2)", "assert due([1]) == datetime.date.fromisoformat('2024-01-02')", "assert due([1]) == datetime.date.fromisoformat('2024-02-01')"),
    "elements and the whole": ("got = due([1])\nassert len(got) == 2\nassert got[0] == 1\nassert got[1] == 2", "got = due([1])\nassert got == [1, 2]", "got = due([1])\nassert got == [2, 1]"),
    "a key and the whole": ("got = due([1])\nassert got['a'] == 1", "got = due([1])\nassert got == {'a': 1, 'b': 2}", "got = due([1])\nassert got == {'b': 1}"),
    "a beginning and the whole": ("got = due([1])\nassert got.startswith('hello')", "got = due([1])\nassert got == 'hello world'", "got = due([1])\nassert got == 'hell'"),
    "a match and a full one": ("got = due([1])\nassert re.match(r'v\\d+$', got)", "got = due([1])\nassert re.fullmatch(r'v\\d+', got)", "got = due([1])\nassert re.fullmatch(r'v.*', got)"),
    "not empty": ("got = due([1])\nassert len(got) > 0", "got = due([1])\nassert got", "got = due([1])\nassert due"),
    "more than one": ("got = due([1])\nassert len(got) > 0", "got = due([1])\nassert got", "got = due([1])\nassert len(got) >= 0"),
    "a narrower tolerance": (NEAR, NEAR.replace("1e-3", "1e-6"), NEAR.replace("1e-3", "1e-2")),
    "two tolerances": (NEAR.replace("rel=1e-3", "rel=1e-3, abs=0.5"), NEAR.replace("rel=1e-3", "rel=1e-4, abs=0.5"), NEAR.replace("rel=1e-3", "rel=1e-4, abs=0.9")),
    "all calls of a mock": (ONCE, ONCE.replace("get.assert_called_once_with('x', timeout=5)", "assert get.call_args_list == [call('x', timeout=5)]"), ONCE.replace("get.assert_called_once_with('x', timeout=5)", "assert get.call_args_list[:1] == [call('x', timeout=5)]")),
    "other calls of a mock": (ONCE, ONCE.replace("get.assert_called_once_with('x', timeout=5)", "assert get.call_args_list == [call('x', timeout=5)]"), ONCE.replace("get.assert_called_once_with('x', timeout=5)", "assert get.call_args_list == [call('x', timeout=6)]")),
    "a warning of a class": (WARNED, "with pytest.warns(DeprecationWarning, match='old'):\n    assert due([1]) == 1", "with pytest.warns(Warning):\n    assert due([1]) == 1"),
}  # fmt: skip


def test_warnings_that_are_asked_for_in_another_way_wait() -> None:
    losses = lost(WARNED + "\nassert len(w) == 1", "with pytest.warns(DeprecationWarning):\n    assert due([1]) == 1")
    assert [loss.waits for loss in losses] == [True]
    assert losses[0].message.startswith("Warnings or log lines are asked for in another way now")
    losses = lost(WARNED + "\nassert len(w) == 1", WARNED)
    assert [loss.waits for loss in losses] == [False]


def lost(old: str, new: str) -> list[Loss]:
    sides = [HEAD + "def test_due():\n" + "".join(f"    {line}\n" for line in text.split("\n")) for text in (old, new)]
    return list(compare([Edit("tests/test_till.py", *(side.encode() for side in sides))]))


@pytest.mark.parametrize("name", EDITS)
def test_as_much_in_other_words_is_free(name: str) -> None:
    old, honest, _ = EDITS[name]
    assert [(loss.rule, loss.message) for loss in lost(old, honest)] == []


@pytest.mark.parametrize("name", EDITS)
def test_what_only_looks_like_it_is_told(name: str) -> None:
    old, _, other = EDITS[name]
    assert lost(old, other)


APART = "def test_one():\n    assert due(1, 2) == 3\n\n\ndef test_two():\n    assert due(4, 5) == 9\n"
ITEMS = "CASES = {(1, 2): 3, (4, 5): 9}\n\n\n@pytest.mark.parametrize('coins, total', CASES.items())\ndef test_one(coins, total):\n    assert due(*coins) == total\n"


def apart(new: str) -> list[Loss]:
    return list(compare([Edit("tests/test_till.py", *(f"{HEAD}{side}".encode() for side in (APART, new)))]))


def test_tests_may_become_rows_of_a_dict() -> None:
    assert apart(ITEMS) == []
    assert apart(ITEMS.replace("CASES.items", "list(CASES.items").replace("())", "()))")) == []


@pytest.mark.parametrize(
    ("was", "now"),
    [
        (", (4, 5): 9", ""),
        ("(4, 5): 9", "(4, 5): 8"),
        ("(4, 5): 9", "(1, 2): 9"),
        ("(1, 2): 3, (4, 5): 9", "**till"),
        ("\n\n\n@", "\n\n\nCASES.pop((4, 5))\n\n\n@"),
    ],
)
def test_rows_of_a_dict_that_are_fewer_or_others_are_told(was: str, now: str) -> None:
    assert was in ITEMS
    assert apart(ITEMS.replace(was, now))
