"""What a test does itself to what it checks, and what only looks like that."""

# ruff: noqa: E501 - edits stand as one text each

from __future__ import annotations

import pytest

from ledgergate.guard import Edit, Loss
from ledgergate.guard.compare import compare

PATH = "tests/test_till.py"
HEAD = """\
import contextlib
import heapq
import random
import shutil
import unittest
from unittest.mock import Mock, patch

import pytest

from till import OPENED, Account, config, names, save


"""
NAMES = "def test_names():\n    result = names()\n    assert result == ['a', 'b']\n"
CONFIG = "def test_config():\n    cfg = config({})\n    assert cfg == {'debug': False}\n"
SAVED = "def test_save():\n    conn = Mock()\n    save(conn, {'a': 1})\n    conn.commit.assert_called_once_with()\n"
LIST = "def test_list():\n    xs = [3, 1]\n    assert names(xs) == ['a']\n"
BALANCE = "def test_balance():\n    acct = Account(10)\n    acct.deposit(5)\n    assert acct.balance == 15\n"
SET_UP = """\
class TestSave(unittest.TestCase):
    def setUp(self):
        self.conn = Mock()

    def test_save(self):
        save(self.conn, {})
        self.conn.commit.assert_called_once_with()
"""
COMMITS = "@contextlib.contextmanager\ndef committing(c):\n    yield\n    c.commit()\n\n\n"
PERSIST = "def persist(conn, row):\n    save(conn, row)\n    conn.commit()\n\n\n"
FIXTURE = "@pytest.fixture\ndef conn():\n    c = Mock()\n    c.commit()\n    return c\n\n\n"


def lost(old: str, new: str) -> list[Loss]:
    return list(compare([Edit(PATH, (HEAD + old).encode(), (HEAD + new).encode())]))


def before(text: str, *lines: str, of: str = "    assert") -> str:
    """The text with statements before its first check, or before another line."""
    return text.replace(of, "".join(f"    {line}\n" for line in lines) + of, 1)


FOLDER = "def test_folder(tmp_path):\n    save(tmp_path)\n    assert names(tmp_path) == ['a']\n"
SHARED = "def test_shared():\n    save([1])\n    assert not OPENED\n"
HANDLED: list[tuple[str, str]] = [
    (FOLDER, FOLDER.replace("    assert", "    (tmp_path / 'b').unlink()\n    assert")),
    (FOLDER, FOLDER.replace("    assert", "    shutil.rmtree(tmp_path / 'b')\n    assert")),
    (SHARED, SHARED.replace("    assert", "    OPENED.clear()\n    assert")),
    *(
        (NAMES, before(NAMES, line))
        for line in (
            "result.sort()",
            "result.sort(key=len)",
            "result.insert(0, 'a')",
            "result[0] = 'a'",
            "result[:] = ['a', 'b']",
            "result[0], result[1] = result[1], result[0]",
            "del result.data[2:]",
            "result[0] += 'x'",
            "heapq.heapify(result)",
            "random.shuffle(result)",
            "result.data.clear()",
            "list.sort(result)",
        )
    ),
    *(
        (CONFIG, before(CONFIG, line))
        for line in (
            "cfg.debug = False",
            "cfg['debug'] = False",
            "cfg.update(debug=False)",
            "setattr(cfg, 'debug', False)",
            "cfg.pop('more', None)",
            "for key in list(cfg):\n        cfg[key.strip()] = cfg.pop(key)",
            "if 'debug' not in cfg:\n        cfg['debug'] = False",
        )
    ),
    (CONFIG, CONFIG.replace("    assert", "    with patch.dict(cfg, debug=False):\n        assert")),
    (CONFIG, CONFIG.replace("    cfg = config({})", "    env = {}\n    env['DEBUG'] = '0'\n    cfg = config(env)")),
    (LIST, before(LIST, "xs.sort()")),
    (LIST, before(LIST, "xs.append(0)")),
    (BALANCE, before(BALANCE, "acct.deposit(20)")),
    (SAVED, before(SAVED, "conn.commit()", of="    conn.commit.assert")),
    (SAVED, before(SAVED, "conn.execute.side_effect = lambda *a: conn.commit()", of="    save")),
    (SAVED, before(SAVED, "conn.commit.assert_called_once_with = lambda: None", of="    save")),
    (SAVED, SAVED.replace("    save(conn, {'a': 1})", "    try:\n        save(conn, {'a': 1})\n    finally:\n        conn.commit()")),
    (SAVED, COMMITS + SAVED.replace("    save(", "    with committing(conn):\n        save(")),
    (SAVED, PERSIST + SAVED.replace("    save(", "    persist(")),
    (
        SAVED.replace("():\n    conn = Mock()", "(conn):"),
        SAVED.replace("():\n    conn = Mock()", "(conn):\n    conn.commit()"),
    ),
    (
        f"from rows import conn\n\n\n{SAVED.replace('():' + chr(10) + '    conn = Mock()', '(conn):')}",
        f"from rows import conn\n\n\n{SAVED.replace('():' + chr(10) + '    conn = Mock()', '(conn):' + chr(10) + '    conn.commit()')}",
    ),
    (SAVED, FIXTURE + SAVED.replace("def test_save():\n    conn = Mock()", "def test_save(conn):")),
    (SET_UP, SET_UP.replace("Mock()\n", "Mock()\n        self.conn.commit()\n")),
    (SET_UP, SET_UP.replace("{})\n", "{})\n        self.conn.commit()\n")),
]  # fmt: skip
TWINS: list[tuple[str, str]] = [
    (FOLDER, FOLDER.replace("    save", "    (tmp_path / 'b').write_text('')\n    save")),
    (FOLDER, FOLDER + "    (tmp_path / 'b').unlink()\n"),
    (SHARED, SHARED + "    OPENED.clear()\n"),
    (NAMES, f"{NAMES}    result.sort()\n    assert result == ['b', 'a']\n"),
    (NAMES, f"{NAMES}    result.sort()\n    assert result == ['a', 'b']\n"),
    (NAMES, before(NAMES, "other = names(2)", "other.sort()")),
    (NAMES, before(NAMES, "print(result)", "len(result)", "assert result.more")),
    (NAMES, before(NAMES, "names.cache_clear()")),
    (NAMES, f"{NAMES}\n\ndef test_sorted():\n    result = names()\n    result.sort()\n    assert result == ['a']\n"),
    (NAMES, NAMES.replace("():\n", "(monkeypatch):\n    monkeypatch.setenv('LANG', 'C')\n", 1)),
    (NAMES, NAMES.replace("():\n", "(tmp_path):\n    tmp_path.mkdir()\n", 1)),
    (NAMES, before(NAMES, "with pytest.raises(TypeError):\n        result.sort(1)")),
    (before(NAMES, "result.sort()"), before(NAMES, "result.sort()").replace("result", "found")),
    (before(NAMES, "result.sort()"), NAMES),
    (before(NAMES, "result.sort()"), "def ordered(x):\n    x.sort()\n\n\n" + before(NAMES, "ordered(result)")),
    (BALANCE, BALANCE.replace("    acct.deposit(5)\n", "    for one in [5]:\n        acct.deposit(one)\n")),
    (BALANCE, BALANCE.replace("acct", "account")),
    (BALANCE, BALANCE + "    acct = Account(10)\n    acct.deposit(20)\n    assert acct.balance == 30\n"),
    (BALANCE, BALANCE.replace("():\n", "():\n    acct = Account(10)\n    acct.deposit(1)\n    assert acct.balance == 11\n")),
    (SAVED, "def persist(conn, row):\n    save(conn, row)\n\n\n" + SAVED.replace("    save(", "    persist(")),
    (SAVED, before(SAVED, "clock = Mock()", "clock.now.return_value = 3", of="    save")),
    (
        before(SAVED, "conn.begin()", of="    save"),
        FIXTURE.replace("commit", "begin") + SAVED.replace("def test_save():\n    conn = Mock()", "def test_save(conn):"),
    ),
    (SET_UP, SET_UP.replace("Mock()\n", "Mock()\n        self.clock = Mock()\n        self.rows = []\n")),
    (
        SET_UP.replace("{})\n", "{})\n        self.conn.close()\n"),
        SET_UP.replace("{})\n", "{})\n        self.shut()\n") + "\n    def shut(self):\n        self.conn.close()\n",
    ),
    (
        "@pytest.mark.parametrize('n', [1, 2])\ndef test_n(n):\n    a = Account(n)\n    a.deposit(1)\n    assert a.open\n",
        "@pytest.mark.parametrize('n', [1, 2, 3])\ndef test_n(n):\n    a = Account(n)\n    a.deposit(1)\n    assert a.open\n",
    ),
]  # fmt: skip
MOCKED = "def test_save():\n    conn = Mock()\n    save(conn, {})\n    conn.commit.assert_called_once_with()\n"
HANDLED += [
    (MOCKED, before(MOCKED, "conn.commit = Mock()", of="    conn.commit.a")),
    (MOCKED, before(MOCKED, "conn.commit = MagicMock()", "conn.commit()", of="    conn.commit.a")),
]
TWINS += [
    (
        MOCKED,
        MOCKED + "    conn.commit = Mock()\n    save(conn, {'a': 1})\n    conn.commit.assert_called_once_with()\n",
    ),
    (MOCKED, before(MOCKED, "other = Mock()", "other.commit = Mock(return_value=3)", of="    save")),
]
INSTEAD: list[tuple[str, str]] = [
    (BALANCE, BALANCE.replace("deposit(5)", "deposit(5 + more)")),
    (BALANCE, BALANCE.replace("deposit(5)", "deposit(5, force=True)")),
    (BALANCE, BALANCE.replace("deposit(5)", "top_up(5)")),
]


@pytest.mark.parametrize(("old", "new"), HANDLED)
def test_what_a_test_does_to_what_it_checks_waits(old: str, new: str) -> None:
    (loss,) = lost(old, new)
    assert (loss.rule, loss.waits) == ("expectation-changed", True)
    assert loss.message.startswith("What the check looks at is changed by the test itself before it: ")
    assert loss.new is not None and loss.new.strip() in loss.message


QUEUE = "def test_queue():\n    queue = Account(1)\n    queue.begin()\n    queue.begin()\n    assert queue.begun == 1\n"
NO_LONGER: list[tuple[str, str]] = [
    (BALANCE, BALANCE.replace("    acct.deposit(5)\n", "")),
    (QUEUE, QUEUE.replace("    queue.begin()\n", "", 1)),
    (SAVED.replace("once_with()", "with()").replace("called", "not_called"), SAVED.replace("    save(conn, {'a': 1})\n", "").replace("once_with()", "with()").replace("called", "not_called")),
    (SET_UP, SET_UP.replace("        save(self.conn, {})\n", "")),
    (BALANCE, BALANCE.replace("    acct.deposit(5)\n", "") + "    acct.deposit(5)\n"),
    (LIST.replace("    assert", "    save(xs, 1)\n    assert"), LIST),
]  # fmt: skip
STILL: list[tuple[str, str]] = [
    (BALANCE, BALANCE.replace("    acct.deposit(5)\n", "    left = acct.deposit(5)\n")),
    (BALANCE, BALANCE.replace("    acct.deposit(5)\n", "    assert acct.deposit(5)\n")),
    (BALANCE, "def deposited(acct):\n    acct.deposit(5)\n\n\n" + BALANCE.replace("    acct.deposit(5)\n", "    deposited(acct)\n")),
    (BALANCE, BALANCE.replace("    acct.deposit(5)\n", "    with pytest.raises(ValueError):\n        acct.deposit(5)\n")),
    (LIST.replace("    assert", "    xs.sort()\n    assert"), LIST),
    (SAVED.replace("    conn.commit", "    conn.close()\n    conn.commit"), SAVED),
    (NAMES.replace("    assert", "    save(1, 2)\n    assert"), NAMES),
    (BALANCE + "    acct.close()\n", BALANCE),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new"), NO_LONGER)
def test_what_it_no_longer_does_waits(old: str, new: str) -> None:
    (loss,) = lost(old, new)
    assert (loss.rule, loss.waits) == ("expectation-changed", True)
    assert loss.message.endswith(" looks at what it is done to")


@pytest.mark.parametrize(("old", "new"), STILL)
def test_what_it_still_does(old: str, new: str) -> None:
    assert lost(old, new) == []


@pytest.mark.parametrize(("old", "new"), INSTEAD)
def test_what_it_does_instead_of_something_waits(old: str, new: str) -> None:
    (loss,) = lost(old, new)
    assert (loss.rule, loss.waits) == ("expectation-changed", True)
    assert loss.message.startswith("The test does something else to what the check looks at before it: ")


def test_more_than_can_be_compared_waits() -> None:
    lines = [f"assert result.x{number}" for number in range(1100)], ["result.sort()"] * 1100
    old = "def test_names():\n    result = names()\n" + "".join(f"    {line}\n" for line in [*lines[0], *lines[1]])
    (loss,) = lost(old, old + "    result.reverse()\n")
    assert (loss.rule, loss.waits) == ("expectation-changed", True)
    assert "too much" in loss.message


@pytest.mark.parametrize(("old", "new"), TWINS)
def test_what_only_looks_like_it(old: str, new: str) -> None:
    assert lost(old, new) == []


def test_it_is_told_once_where_it_stands() -> None:
    (loss,) = lost(NAMES, before(NAMES, "result.sort()", "result.reverse()"))
    assert loss.message == "What the check looks at is changed by the test itself before it: `result.sort()`"
    assert (loss.new, loss.line) == ("result.sort()", HEAD.count("\n") + 3)


def test_a_check_that_was_rewritten_too_is_told_once() -> None:
    (loss,) = lost(NAMES, before(NAMES, "result.sort()").replace("['a', 'b']", "['a', 'c']"))
    assert "by the test itself" not in loss.message
