"""Binary contents are shown from the row on in which they differ."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledgergate.report.hexdump import hex_excerpt


def test_a_difference() -> None:
    assert list(hex_excerpt(bytes(range(40)), bytes(range(33)) + b"Az")) == [
        "from byte 33 on:",
        "-00000020  20 21 22 23 24 25 26 27                           !\"#$%&'",
        "+00000020  20 41 7a                                          Az",
    ]


@pytest.mark.parametrize(("old", "new", "sign"), [(None, b"\x00new", "+"), (b"\x00old", None, "-")])
def test_one_side(old: bytes | None, new: bytes | None, sign: str) -> None:
    head, row = hex_excerpt(old, new)
    assert head == "it begins with:"
    assert row.startswith(f"{sign}00000000  00 ")


@given(st.binary(max_size=90), st.binary(max_size=90), st.binary(max_size=90))
def test_the_first_difference_is_shown(start: bytes, old: bytes, new: bytes) -> None:
    head, *rows = hex_excerpt(start + old, start + new)
    first = next((n for n, (one, two) in enumerate(zip(old, new, strict=False)) if one != two), min(len(old), len(new)))
    assert head == f"from byte {len(start) + first} on:"
    assert len(rows) <= 6
    assert all(row.isprintable() for row in rows)
