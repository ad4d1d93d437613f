"""How texts are written as scalars, and that the fast reader leaves alone what no plain scalar can be."""

from __future__ import annotations

from datetime import date

import pytest

from ledgergate.ledger.scalars import write_scalar
from ledgergate.ledger.scan import scan

ROW = """\
version: 1
rows:
  - id: a.py::a
    class: draft
    source: agent
    proposed_class: property
    invariant: {}
"""


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a b", "a b"),
        ("a:b", "a:b"),
        ("trail ", "'trail '"),
        ("a b ", "'a b '"),
        ("a  b", "'a  b'"),
        ("a: b", "'a: b'"),
        ("a #b", "'a #b'"),
        ("a:", "'a:'"),
    ],
)
def test_what_needs_quotes_gets_them(text: str, written: str) -> None:
    assert write_scalar(text) == written


@pytest.mark.parametrize(
    ("line", "text"), [("a b", "a b"), ("a b ", "a b"), ("trail ", "trail"), ("a #b", "a"), ("'trail '", "trail ")]
)
def test_a_plain_scalar_has_no_blank_at_its_end(line: str, text: str) -> None:
    rows = scan(ROW.format(line), date(2026, 11, 30))
    assert rows is None or rows["a.py::a"].fields["invariant"] == text
