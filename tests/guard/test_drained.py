"""What pytest caught, thrown away before it is looked at; and what is thrown away before something else is done."""

# ruff: noqa: E501 - edits stand as one text each

from __future__ import annotations

import pytest

from support.losses import told

HEAD = "import logging\nimport unittest\n\nfrom till import due\n\n\n"
DUE = "def test_due():\n    assert due([2]) == 2\n"
LOG = "def test_quiet(caplog):\n    due([2])\n    assert not caplog.records\n"
OUT = "def test_quiet(capsys):\n    due([2])\n    assert capsys.readouterr().out == ''\n"
WARNED = "def test_quiet(recwarn):\n    due([2])\n    assert len(recwarn) == 0\n"
LEVEL = "def test_quiet(caplog):\n    with caplog.at_level(logging.WARNING):\n        due([2])\n    assert not caplog.records\n"
HEARD = "def test_loud(caplog):\n    due([2])\n    assert 'two' in caplog.text\n"
AT_LEVEL = HEARD.replace("    due", "    caplog.set_level(logging.WARNING)\n    due")
NO_LOGS = "class TestTill(unittest.TestCase):\n    def test_quiet(self):\n        with self.assertNoLogs('till', level='WARNING'):\n            due([2])\n"

LESS = [
    (LOG, LOG.replace("    assert", "    caplog.clear()\n    assert")),
    (LOG, LOG.replace("    assert", "    caplog.clear()\n    assert due\n    assert")),
    (LOG, LOG.replace("    assert", "    caplog.handler.reset()\n    assert")),
    (LEVEL, LEVEL.replace("        due([2])\n", "        due([2])\n        caplog.clear()\n")),
    (OUT, OUT.replace("    assert", "    capsys.readouterr()\n    assert")),
    (WARNED, WARNED.replace("    assert", "    recwarn.clear()\n    assert")),
    (LEVEL, LEVEL.replace("WARNING", "CRITICAL")),
    (LEVEL, LEVEL.replace("logging.WARNING", "'ERROR', logger='till'")),
    (LEVEL, LEVEL.replace("logging.WARNING", "level=50")),
    (NO_LOGS, NO_LOGS.replace("'WARNING'", "'CRITICAL'")),
    (LOG, LOG.replace("    due", "    logging.disable(logging.CRITICAL)\n    due")),
    (AT_LEVEL, AT_LEVEL.replace("WARNING", "INFO")),
    (HEARD, AT_LEVEL.replace("WARNING", "DEBUG")),
    (
        HEARD.replace("'two' in caplog.text", "len(caplog.records) == 1"),
        AT_LEVEL.replace("WARNING", "DEBUG").replace("'two' in caplog.text", "len(caplog.records) == 1"),
    ),
]
NO_LESS = [
    (HEARD, AT_LEVEL),
    (AT_LEVEL, AT_LEVEL.replace("WARNING", "WARN")),
    (LOG, LOG.replace("    due", "    caplog.set_level(logging.DEBUG)\n    due")),
    (LOG.replace("not caplog.records", "caplog.records == []"), LOG.replace("not caplog.records", "caplog.records == []").replace("    due", "    caplog.set_level(logging.DEBUG)\n    due")),
    (DUE, DUE.replace("():\n", "(caplog):\n    caplog.set_level(logging.DEBUG)\n") + "    assert 'two' in caplog.text\n"),
    (LOG, LOG.replace("    due", "    caplog.clear()\n    due")),
    (LOG, LOG + "    caplog.clear()\n"),
    (LOG, LOG + "    caplog.clear()\n    due([3])\n    assert not caplog.records\n"),
    (OUT, OUT.replace("    due", "    capsys.readouterr()\n    due")),
    (OUT, OUT.replace("capsys.readouterr().out", "caught.out").replace("    assert", "    caught = capsys.readouterr()\n    assert")),
    (OUT, OUT + "\n\ndef test_more(capsys):\n    due([3])\n    capsys.readouterr()\n    assert capsys.readouterr().out == ''\n"),
    (LOG.replace("    assert", "    caplog.clear()\n    assert"), LOG.replace("    assert", "    caplog.clear()\n    print(1)\n    caplog.clear()\n    assert")),
    (LEVEL, LEVEL.replace("WARNING", "DEBUG")),
    (LEVEL, LEVEL.replace("WARNING", "WARN")),
    (LEVEL, LEVEL.replace("with", "with caplog.at_level(logging.ERROR):\n        pass\n    with")),
]  # fmt: skip


def lost(old: str, new: str) -> list[tuple[str, bool]]:
    return told(HEAD + old, HEAD + new)


@pytest.mark.parametrize(("old", "new"), LESS)
def test_less_is_looked_at(old: str, new: str) -> None:
    assert lost(old, new) == [("expectation-changed", True)]


@pytest.mark.parametrize(("old", "new"), NO_LESS)
def test_as_much_is_looked_at(old: str, new: str) -> None:
    assert lost(old, new) == []
