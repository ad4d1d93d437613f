"""Lines of a test file as they are shown."""

from __future__ import annotations

import pytest

from ledgergate.guard.suite import Suite
from ledgergate.source.text import Source, read_source

SOURCE = """\
def test_sum(self):
    self.assertEqual(
        add(1),
        [
            1,
        ],
    )
    with self.raises(
        TypeError, "takes"
    ):
        add(1, 2)
    assert add(1) == 2
"""


@pytest.mark.parametrize(
    ("number", "line"),
    [
        (2, "self.assertEqual(add(1), [1,],)"),
        (4, "["),
        (8, 'with self.raises(TypeError, "takes"):'),
        (11, "add(1, 2)"),
        (12, "assert add(1) == 2"),
        (14, None),
        (None, None),
    ],
)
def test_a_statement_of_several_lines_is_shown_whole(number: int | None, line: str | None) -> None:
    source = read_source(SOURCE.encode())
    assert isinstance(source, Source)
    assert Suite("tests/test_sum.py", source).line(number) == line
