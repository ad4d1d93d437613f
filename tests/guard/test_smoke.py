"""Tests without checks that no longer call what must not raise, or no longer see that it does."""

# ruff: noqa: E501 - edits stand as one text each

from __future__ import annotations

import pytest

from support.losses import told

HEAD = "import asyncio\nimport contextlib\n\nimport pytest\n\nfrom till import Till, close, due\n\n\n"
SMOKE = "def test_due():\n    due([2])\n"
METHOD = "def test_till():\n    till = Till()\n    till.close()\n"
AWAITED = "async def test_close():\n    await close()\n"

NO_LONGER = [
    (SMOKE, "def test_due():\n    assert callable(due)\n"),
    (SMOKE, "def test_due():\n    pass\n"),
    (SMOKE, SMOKE.replace("    due", "    with contextlib.suppress(ValueError):\n        due")),
    (SMOKE, "def test_due():\n    try:\n        due([2])\n    except ValueError as error:\n        print(error)\n"),
    (SMOKE, SMOKE.replace("    due", "    return\n    due")),
    (METHOD, METHOD.replace("    till.close()\n", "")),
    (AWAITED, AWAITED.replace("await close()", "asyncio.ensure_future(close())")),
]
STILL = [
    ("def test_file():\n    with open('x', 'w') as file:\n        file.write('1')\n", "def test_file():\n    assert due([2])\n"),
    (SMOKE, "def test_due():\n    assert due([2]) == 2\n"),
    (SMOKE, "def test_due():\n    total = due([2])\n    print(total)\n"),
    (SMOKE, "def test_due():\n    with pytest.raises(ValueError):\n        due([2])\n"),
    (SMOKE, "def run():\n    due([2])\n\n\ndef test_due():\n    run()\n"),
    (SMOKE, "def test_due():\n    try:\n        due([2])\n    except ValueError:\n        pytest.fail('no')\n"),
    ("def run():\n    print(1)\n    due([2])\n\n\ndef test_due():\n    run()\n", SMOKE),
    (METHOD, METHOD.replace("    till = Till()\n    till.close()", "    with contextlib.closing(Till()) as till:\n        till.close()")),
    (SMOKE + "\n\ndef test_more():\n    print(1)\n    assert due([3]) == 3\n", SMOKE + "\n\ndef test_more():\n    assert due([3]) == 3\n"),
]  # fmt: skip


def lost(old: str, new: str) -> list[tuple[str, bool]]:
    return told(HEAD + old, HEAD + new)


@pytest.mark.parametrize(("old", "new"), NO_LONGER)
def test_nobody_sees_whether_it_raises(old: str, new: str) -> None:
    assert lost(old, new) == [("assertion-removed", True)]


@pytest.mark.parametrize(("old", "new"), STILL)
def test_it_is_still_called(old: str, new: str) -> None:
    assert lost(old, new) == []
