"""Calls that nothing awaits any more, and edits that only look alike."""

# ruff: noqa: E501 - edits stand as one text each

from __future__ import annotations

import pytest

from support.losses import told

HEAD = "import pytest\n\nfrom till import due, is_open, shut\n\n\n"
OPEN = "@pytest.mark.asyncio\nasync def test_open(self):\n    assert await is_open(1)\n"
NAMED = OPEN.replace("    assert await is_open(1)", "    found = await is_open(1)\n    assert found")
SHUT = OPEN.replace("    assert", "    await shut()\n    assert")
RAISES = OPEN.replace("    assert await", "    with pytest.raises(ValueError):\n        await")
DUE = OPEN.replace("await is_open(1)", "await due([2]) == 2")

NEVER_DONE: list[tuple[str, str, str]] = [
    ("assertion-weakened", OPEN, OPEN.replace("await ", "")),
    ("assertion-weakened", NAMED, NAMED.replace("await ", "")),
    ("assertion-weakened", OPEN, OPEN.replace("assert await is_open(1)", "found = is_open(1)\n    assert found")),
    ("assertion-weakened", OPEN.replace("1)\n", "1) != 2\n"), OPEN.replace("await is_open(1)", "is_open(1) != 2")),
    ("assertion-weakened", OPEN.replace("1)\n", "1) and 1\n"), OPEN.replace("await is_open(1)", "is_open(1) and 1")),
    ("assertion-weakened", OPEN.replace("assert await is_open(1)", "self.assertTrue(await is_open(1))"), OPEN.replace("assert await is_open(1)", "self.assertTrue(is_open(1))")),
    ("expectation-changed", SHUT, SHUT.replace("await shut", "shut")),
]  # fmt: skip
DONE: list[tuple[str, str]] = [
    (OPEN, OPEN.replace("assert await is_open(1)", "found = await is_open(1)\n    assert found")),
    (OPEN.replace("await ", ""), OPEN),
    (DUE, DUE.replace("await due([2])", "(await due([2]))")),
    (RAISES, RAISES.replace("await ", "")),
    (OPEN, OPEN.replace("    assert", "    is_open(1)\n    assert")),
    (OPEN.replace("await ", "").replace("async ", ""), OPEN.replace("await ", "").replace("async ", "") + "    shut()\n"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "old", "new"), NEVER_DONE)
def test_what_nothing_awaits(rule: str, old: str, new: str) -> None:
    assert told(HEAD + old, HEAD + new) == [(rule, True)]


@pytest.mark.parametrize(("old", "new"), DONE)
def test_what_is_awaited_all_the_same(old: str, new: str) -> None:
    assert told(HEAD + old, HEAD + new) == []
