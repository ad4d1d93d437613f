"""Checks around which something came that catches what the tested code raises; each beside what fails all the same."""

from __future__ import annotations

from textwrap import indent

import pytest

from support.losses import told

HEAD = "from contextlib import suppress\n\nimport pytest\n\nfrom till import due\n\n\ndef test_due():\n"
PLAIN = "total = due()\nassert total == 1"
RAISES = "with pytest.raises(ValueError):\n    due()"
LEFT = "try:\n    due()\nexcept ValueError:\n    return\npytest.fail('no')"

MAY_BE_CAUGHT = [
    "with suppress(KeyError):\n    total = due()\n    assert total == 1",
    "try:\n    total = due()\n    assert total == 1\nexcept KeyError:\n    pass",
    "try:\n    total = due()\n    assert total == 1\nexcept (KeyError, OSError) as error:\n    print(error)",
    "try:\n    total = due()\nexcept ConnectionError:\n    return\nassert total == 1",
    "for _ in [1]:\n    try:\n        total = due()\n    except KeyError:\n        continue\n    assert total == 1",
]
FAILS_ALL_THE_SAME = [
    (PLAIN, "try:\n    total = due()\n    assert total == 1\nexcept KeyError:\n    pytest.fail('no')"),
    (PLAIN, "try:\n    total = due()\nexcept KeyError:\n    pytest.fail('no')\nassert total == 1"),
    (PLAIN, "try:\n    total = due()\nexcept KeyError as error:\n    raise ValueError from error\nassert total == 1"),
    (PLAIN, f"with suppress(KeyError):\n    print(1)\n{PLAIN}"),
    (PLAIN, "try:\n    print(1)\nexcept OSError:\n    pass\n" + PLAIN),
    (
        PLAIN,
        "for _ in range(3):\n    try:\n        total = due()\n        break\n    except OSError:\n        continue\n"
        "else:\n    pytest.fail('no')\nassert total == 1",
    ),
    (LEFT, RAISES),
    (MAY_BE_CAUGHT[1], MAY_BE_CAUGHT[1].replace("pass", "print(1)")),
]


def lost(old: str, new: str) -> list[tuple[str, bool]]:
    return told(*(HEAD + indent(f"{text}\n", "    ") for text in (old, new)))


@pytest.mark.parametrize("new", MAY_BE_CAUGHT)
def test_what_the_tested_code_raises_may_be_caught(new: str) -> None:
    assert lost(PLAIN, new) == [("assertion-removed", True)]


@pytest.mark.parametrize(("old", "new"), FAILS_ALL_THE_SAME)
def test_what_the_tested_code_raises_fails_all_the_same(old: str, new: str) -> None:
    assert lost(old, new) == []
