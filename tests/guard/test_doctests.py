"""Examples of doctest: what they lose, and what they only seem to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledgergate.guard import Loss
from ledgergate.guard.doctests import changed_examples, examples

DOC = '''\
def due(prices):
    """Add up.

    >>> due([2, 3])
    5
    >>> due(
    ...     [4]
    ... )
    4

    >>> due("x")
    Traceback (most recent call last):
    TypeError: no number
    """
'''


def lost(new: str, old: str = DOC) -> list[Loss]:
    return list(changed_examples("till.py", old.encode(), new.encode()))


@pytest.mark.parametrize(
    ("rule", "waits", "new"),
    [
        ("test-removed", True, DOC.replace("    >>> due([2, 3])\n    5\n", "")),
        ("test-removed", True, ""),
        ("skip-added", False, DOC.replace("due([2, 3])", "due([2, 3])  # doctest: +SKIP")),
        ("assertion-removed", False, DOC.replace("    5\n", "")),
        ("assertion-weakened", False, DOC.replace("due([2, 3])\n    5", "due([2, 3])  # doctest: +ELLIPSIS\n    ...")),
        ("assertion-weakened", True, DOC.replace("due([2, 3])", "due([2, 3])  # doctest: +NORMALIZE_WHITESPACE")),
        ("assertion-weakened", True, DOC.replace('due("x")', 'due("x")  # doctest: +IGNORE_EXCEPTION_DETAIL')),
        ("expectation-changed", True, DOC.replace("    5\n", "    6\n")),
        ("expectation-changed", True, DOC.replace("no number", "no text")),
    ],
)
def test_what_an_example_loses(rule: str, waits: bool, new: str) -> None:
    assert [(loss.rule, loss.waits) for loss in lost(new)] == [(rule, waits)]


CART = ">>> from till import add, Cart\n>>> cart = Cart([2])\n>>> cart.total\n2\n>>> add(1, 2)\n3\n"


@pytest.mark.parametrize(
    ("rule", "new"),
    [
        ("expectation-changed", CART.replace("add(1, 2)\n", "add(1, 2) - 1\n")),
        ("expectation-changed", CART.replace("add(1, 2)\n", "x = add(1, 2)\n>>> 3\n")),
        ("expectation-changed", CART.replace("add(1, 2)\n3", "add(2, 2)\n4")),
        ("test-removed", CART.replace("add(1, 2)\n3", "x = 3")),
        ("expectation-changed", CART.replace(">>> add", ">>> add = lambda a, b: a + b\n>>> add")),
        ("expectation-changed", CART.replace(">>> add", ">>> def add(a, b):\n...     return 3\n...\n>>> add")),
        ("expectation-changed", CART.replace(">>> add", ">>> from fakes import add\n>>> add")),
        ("expectation-changed", CART.replace("Cart([2])", "Cart([1])")),
        ("expectation-changed", CART.replace(">>> cart.total", ">>> cart.total = 2\n>>> cart.total")),
        ("outcome-tampered", CART.replace(">>> add", ">>> import sys; sys.displayhook = print\n>>> add")),
        ("outcome-tampered", CART.replace(">>> add", ">>> doctest.OutputChecker.check_output = any\n>>> add")),
    ],
)
def test_an_example_that_prints_the_same_for_another_reason_waits(rule: str, new: str) -> None:
    assert [(loss.rule, loss.waits) for loss in changed_examples("a.rst", CART.encode(), new.encode())] == [
        (rule, True)
    ]


@pytest.mark.parametrize(
    "new",
    [
        CART.replace("add(1, 2)", "add(1,2)"),
        CART.replace("from till", "from shop.till"),
        CART.replace(">>> add", ">>> other = Cart([3])\n>>> other.total\n3\n>>> add"),
        CART + ">>> cart = Cart([5])\n>>> cart.total\n5\n",
        ">>> from till import Cart\n>>> cart = Cart([5])\n>>> cart.total\n5\n" + CART,
        "Carts\n-----\n" + CART.replace(">>> cart =", "\nMake one:\n\n>>> cart ="),
    ],
)
def test_more_examples_and_other_names_change_no_old_one(new: str) -> None:
    assert list(changed_examples("a.rst", CART.encode(), new.encode())) == []


def test_docstrings_share_no_names() -> None:
    old = 'def f():\n    """\n    >>> cart = f()\n    >>> cart.total\n    2\n    """\n'
    new = 'def g():\n    """\n    >>> cart = g()\n    >>> cart.size\n    2\n    """\n' + old
    assert lost(new, old) == []
    assert lost(old.replace("cart = f()", "cart = f(); cart.total = 2"), old) != []


def test_output_that_is_left_out_is_weaker() -> None:
    old = ">>> show()  # doctest: +ELLIPSIS\none ... three\nfour\n"
    assert [loss.rule for loss in lost(old.replace("four", "..."), old)] == ["assertion-weakened"]
    assert [loss.rule for loss in lost(old.replace("four", "five"), old)] == ["expectation-changed"]


@pytest.mark.parametrize(
    "new",
    [
        DOC,
        DOC.replace("Add up.", "Add the prices up."),
        DOC.replace('    """\n', '    >>> due([])\n    0\n    """\n'),
        DOC.replace("    >>> due([2, 3])\n    5\n", "") + "    # moved\n    # >>> x\n\n>>> due([2, 3])\n5\n",
        "\n\n" + DOC,
    ],
)
def test_what_loses_nothing(new: str) -> None:
    assert lost(new) == []


def test_an_example_has_its_source_output_and_options() -> None:
    found = examples(">>> f(1,  # doctest: +SKIP, +ELLIPSIS\n...   2)\none\ntwo\n\n>>> g()\n```\n".splitlines())
    assert [(one.source, one.wanted, set(one.options), one.line) for one in found] == [
        ("f(1,  \n  2)", "one\ntwo", {"SKIP", "ELLIPSIS"}, 1),
        ("g()", "", set(), 6),
    ]


@given(
    st.lists(
        st.sampled_from(
            [">>> f()", "... x", "out", "", "    >>> g()", '"""', ">>> f()  # doctest: +SKIP", ">>> (", ">>> f = 1"]
        )
    )
)
def test_any_text_is_read_and_loses_nothing_to_itself(lines: list[str]) -> None:
    text = "\n".join(lines).encode()
    assert list(changed_examples("a.rst", text, text)) == []
