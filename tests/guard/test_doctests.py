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


@given(st.lists(st.sampled_from([">>> f()", "... x", "out", "", "    >>> g()", '"""', ">>> f()  # doctest: +SKIP"])))
def test_any_text_is_read_and_loses_nothing_to_itself(lines: list[str]) -> None:
    text = "\n".join(lines).encode()
    assert list(changed_examples("a.rst", text, text)) == []
