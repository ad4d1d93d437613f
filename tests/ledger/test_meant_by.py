"""What may have been meant by an id without a row."""

from __future__ import annotations

import pytest

from ledgergate.ledger import Row
from ledgergate.ledger.relock import meant_by

ROWS = {"t.py::test_a": Row.of({"id": "t.py::test_a", "class": "locked_fixture", "artifact": "g"})}


@pytest.mark.parametrize(
    ("id_", "meant"),
    [
        ("t.py::test_a[1]", "the row of the function covers that case: name t.py::test_a"),
        ("t.py::test_b[1]", "the nearest is t.py::test_a"),
        ("g", "that is the artifact of t.py::test_a"),
    ],
)
def test_what_was_meant(id_: str, meant: str) -> None:
    assert meant_by(id_, ROWS) == meant
