"""Checks of all values that became checks of one; each beside edits that only look like it."""

from __future__ import annotations

import pytest

from support.losses import told

HEAD = "import numpy as np\n\nfrom till import prices\n\n\ndef test_prices():\n"
ALL = "assert all(one > 0 for one in prices())"
LOOP = "for one in prices():\n        assert one > 0"
NONE = "assert not any(one < 0 for one in prices())"

ONE_IS_ENOUGH = [
    (ALL, "assert any(one > 0 for one in prices())"),
    (ALL, "assert next(one for one in prices()) > 0"),
    (LOOP, "assert any(one > 0 for one in prices())"),
    (LOOP, "assert next(iter(prices())) > 0"),
    ("assert all(prices())", "assert any(prices())"),
    ("assert all([one == 3 for one in prices()])", "assert any([one == 3 for one in prices()])"),
    ("assert (prices() == 1).all()", "assert (prices() == 1).any()"),
    ("assert np.all(prices() > 0)", "assert np.any(prices() > 0)"),
    (NONE, "assert not all(one < 0 for one in prices())"),
]
ALL_ARE_ASKED = [
    (LOOP, ALL),
    (NONE, "assert all(not one < 0 for one in prices())"),
    ("assert all(not one < 0 for one in prices())", NONE),
    ("for one in prices():\n        assert not one < 0", NONE),
    (ALL.replace("all", "any"), ALL),
    (ALL, f"{ALL}\n    assert any(one > 5 for one in prices())"),
    (ALL.replace("all", "any"), "assert any(one > 0 for one in prices()), 'none'"),
]


def lost(old: str, new: str) -> list[tuple[str, bool]]:
    return told(f"{HEAD}    {old}\n", f"{HEAD}    {new}\n")


@pytest.mark.parametrize(("old", "new"), ONE_IS_ENOUGH)
def test_one_of_all_is_enough(old: str, new: str) -> None:
    assert lost(old, new) == [("assertion-weakened", False)]


@pytest.mark.parametrize(("old", "new"), ALL_ARE_ASKED)
def test_all_are_asked(old: str, new: str) -> None:
    assert lost(old, new) == []
