"""Checks in helpers that call helpers, however deep."""

from __future__ import annotations

import pytest

from ledgergate.guard import Edit, Loss
from ledgergate.guard.compare import compare

DEPTHS = [2, 5, 6, 7, 8, 12, 20]


def lost(old: str, new: str) -> list[Loss]:
    return list(compare([Edit("tests/test_till.py", old.encode(), new.encode())]))


def chain(depth: int, call: str, first: str = "    assert due(x) == 1\n") -> str:
    helpers = [
        f"def h0(x):\n{first}",
        *(f"def h{n}(x):\n{call.replace('NEXT', f'h{n - 1}')}" for n in range(1, depth + 1)),
    ]
    return "from till import due\n" + "".join(helpers) + f"def test_due():\n    h{depth}(1)\n"


ONCE, TWICE = "    NEXT(x)\n", "    NEXT(x)\n    NEXT(x + 1)\n"
WEAKER = "    assert due(x)\n"


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("call", [ONCE, TWICE], ids=["once", "twice"])
def test_a_weaker_check_is_told_at_any_depth(depth: int, call: str) -> None:
    losses = lost(chain(depth, call), chain(depth, call, WEAKER))
    assert "assertion-weakened" in {loss.rule for loss in losses} or any(loss.waits for loss in losses)


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("call", [ONCE, TWICE], ids=["once", "twice"])
def test_other_words_are_none_at_any_depth(depth: int, call: str) -> None:
    more = "def other():\n    return 3\n"
    assert lost(chain(depth, call), chain(depth, call).replace("def h0(x)", f"{more}def h0(x)")) == []
    assert lost(chain(depth, call), chain(depth, call).replace("(x):", "(x):  # the till")) == []


@pytest.mark.parametrize("call", [ONCE, TWICE], ids=["once", "twice"])
def test_what_is_followed_no_further_waits_where_it_changed(call: str) -> None:
    found = lost(chain(30, call), chain(30, call, WEAKER))
    assert [(loss.rule, loss.waits) for loss in found] == [("assertion-removed", True)]
    assert "h0 through more helpers than are followed" in found[0].message


@pytest.mark.parametrize("depth", DEPTHS)
def test_what_helpers_return_is_told_at_any_depth(depth: int) -> None:
    old = chain(depth, "    return NEXT(x)\n", "    return due(x) == 1\n").replace("    h", "    assert h")
    assert lost(old, old.replace("due(x) == 1", "due(x)"))
