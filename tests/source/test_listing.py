"""The tests of a file, by the paths that ids have."""

from __future__ import annotations

import pytest

from ledgergate.source.listing import listed_tests
from ledgergate.source.text import Unreadable


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("", []),
        ("x = 1\ndef helper(): pass\nclass Helper:\n    def run(self): pass\n", []),
        ("def test_a(): pass\nasync def test_b(): pass\n", ["test_a", "test_b"]),
        ("@fixture\ndef test_data(): pass\ndef test_a(): pass\n", ["test_a"]),
        (
            "class TestX:\n    def test_a(self): pass\n    def helper(self): pass\n"
            "    class TestY:\n        def test_b(self): pass\ndef test_c(): pass\n",
            ["test_c", "TestX::test_a", "TestX::TestY::test_b"],
        ),
    ],
)
def test_the_tests_that_the_text_defines(source: str, expected: list[str]) -> None:
    found = listed_tests(source.encode())
    assert not isinstance(found, Unreadable)
    assert ["::".join(names) for names in found] == expected


def test_no_python() -> None:
    assert isinstance(listed_tests(b"def test_a(:\n"), Unreadable)
