"""Whether a test file defines what an id names, as far as its text tells."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledgergate.source.names import Defined, defines

YES, NO, UNKNOWN, UNPARSED = Defined.YES, Defined.NO, Defined.UNKNOWN, Defined.UNPARSED

CASES = [
    ("def test_a(): pass", "test_a", YES),
    ("async def test_a(): pass", "test_a", YES),
    ("if True:\n    def test_a(): pass", "test_a", YES),
    ("try:\n    def test_a(): pass\nexcept ImportError: pass", "test_a", YES),
    ("test_a = make()", "test_a", YES),
    ("from helpers import test_a", "test_a", YES),
    ("import x as test_a", "test_a", YES),
    ("class T:\n    def test_a(self): pass", "T::test_a", YES),
    ("class T:\n    class U:\n        def test_a(self): pass", "T::U::test_a", YES),
    ("class B:\n    def test_a(self): pass\nclass T(B): pass", "T::test_a", YES),
    ("class T:\n    def test_a(self): pass", "T", YES),
    ("def test_b(): pass", "test_a", NO),
    ("", "test_a", NO),
    ("def test_b():\n    def test_a(): pass", "test_a", NO),
    ("class T:\n    def test_b(self): pass", "T::test_a", NO),
    ("class T:\n    def test_a(self): pass", "test_a", NO),
    ("import unittest\nclass T(unittest.TestCase):\n    def test_b(self): pass", "T::test_a", NO),
    ("class B:\n    def test_b(self): pass\nclass T(B): pass", "T::test_a", NO),
    ("# def test_a(): pass", "test_a", NO),
    ("from helpers import *", "test_a", UNKNOWN),
    ("from helpers import Base\nclass T(Base): pass", "T::test_a", UNKNOWN),
    ("@parameterized_class\nclass T: pass", "T::test_a", UNKNOWN),
    ("class T(metaclass=M): pass", "T::test_a", UNKNOWN),
    ("T = make()", "T::test_a", UNKNOWN),
    ("globals()['test_' + 'a'] = f", "test_a", UNKNOWN),
    ("class T(T): pass", "T::test_a", UNKNOWN),
    ("def broken(:", "test_a", UNPARSED),
    ("\0", "test_a", UNPARSED),
]


@pytest.mark.parametrize(("source", "names", "verdict"), CASES, ids=[f"{case[0]!r:.40}" for case in CASES])
def test_defines(source: str, names: str, verdict: Defined) -> None:
    assert defines(source.encode(), names.split("::")) is verdict


@given(st.binary(max_size=200), st.lists(st.text(max_size=5), min_size=1, max_size=3))
def test_any_bytes_get_a_verdict(source: bytes, names: list[str]) -> None:
    assert defines(source, names) in Defined
