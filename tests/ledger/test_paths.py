"""Test ids, taken apart."""

from __future__ import annotations

import pytest

from ledgergate.ledger import split_id


@pytest.mark.parametrize(
    ("test_id", "parts"),
    [
        ("a.py::test_x", ("a.py", ("test_x",))),
        ("a.py::T::test_x[p]", ("a.py", ("T", "test_x"))),
        ("a.py::test_x[a::b]", ("a.py", ("test_x",))),
        ("a.py::test_x[a]b]", ("a.py", ("test_x",))),
        ("d[1]/a.py::test_x", ("d[1]/a.py", ("test_x",))),
        ("a.txt::", ("a.txt", ("",))),
    ],
)
def test_split_id(test_id: str, parts: tuple[str, tuple[str, ...]]) -> None:
    assert split_id(test_id) == parts
