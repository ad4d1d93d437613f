"""Large files of tests are compared in a time that grows with their size."""

from __future__ import annotations

import time

import pytest

from ledgergate.guard.compare import compare
from ledgergate.guard.edits import Edit

TESTS = "".join(
    f"def test_{n}():\n" + "".join(f"    assert f({n}, {k}) == {n * k}\n" for k in range(4)) for n in range(600)
)
NAMED = "".join(
    f"def test_case_{n}():\n" + "".join(f"    assert f(a={n}, b={k}) == {n * k}\n" for k in range(4))
    for n in range(600)
)
ONE = "def test_all():\n" + "".join(f"    r{n} = f({n})\n    assert r{n}['a']['b'] == 'v{n}'\n" for n in range(2000))
HELPER = """
    def check(self, o, v):
        for k in range(20):
            with self.subTest(k=k):
                self.assertEqual(o.get(k), v + k)
"""
METHODS = "".join(f"    def test_{k}(self):\n        self.check(self.o{k}, TOP)\n" for k in range(15))
CLASSES = (
    "import unittest\nclass Base(unittest.TestCase):\n    def setUp(self):\n"
    + "".join(f"        self.o{n} = C({n})\n" for n in range(60))
    + HELPER
    + "".join(f"class T{n}(Base):\n{METHODS.replace('TOP', str(n))}" for n in range(10))
)
LARGE = {
    "all tests renamed, and called with keywords": (TESTS, NAMED, 10),
    "one test of 2,000 checks": (ONE, ONE.replace("'v", "'w"), 5),
    "a helper of many classes": (CLASSES, CLASSES.replace("v + k)", "v + k + 1)"), 6),
}


@pytest.mark.parametrize("name", LARGE)
def test_a_large_file_takes_seconds(name: str) -> None:
    old, new, most = LARGE[name]
    started = time.process_time()
    assert compare([Edit("tests/test_till.py", old.encode(), new.encode())])
    assert time.process_time() - started < most
