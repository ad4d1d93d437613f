"""Whether a test can fail: real checks of every kind, and what only looks like one."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledgergate.source.strength import Strength, check_strength, strength_without_marks

CAN_FAIL, WEAK, NONE, SKIPPED, UNKNOWN = (
    Strength.CAN_FAIL,
    Strength.WEAK,
    Strength.NONE,
    Strength.SKIPPED,
    Strength.UNKNOWN,
)

# Bodies of `def test_x(self, ...)`.
BODIES = [
    ("assert f() == 1", CAN_FAIL),
    ("assert f(1) == f(1)", CAN_FAIL),
    ("assert x.y != 3", CAN_FAIL),
    ("assert 1 in x", CAN_FAIL),
    ("assert x is None", CAN_FAIL),
    ("assert not x", CAN_FAIL),
    ("assert False, 'never here'", CAN_FAIL),
    ("assert isinstance(x, int)", CAN_FAIL),
    ("assert all(y > 1 for y in x)", CAN_FAIL),
    ("assert x.startswith('a')", CAN_FAIL),
    ("assert np.allclose(x, y)", CAN_FAIL),
    ("assert 1 < len(x) < 5", CAN_FAIL),
    ("assert len(x) == 2", CAN_FAIL),
    ("assert x and x == 1", CAN_FAIL),
    ("assert x == snapshot", CAN_FAIL),
    ("assert x == pytest.approx(0.3)", CAN_FAIL),
    ("with pytest.raises(ValueError):\n    f()", CAN_FAIL),
    ("with raises(ValueError, match='x') as e:\n    f()", CAN_FAIL),
    ("pytest.raises(ValueError, f, 1)", CAN_FAIL),
    ("with pytest.warns(UserWarning):\n    f()", CAN_FAIL),
    ("with self.assertRaises(ValueError):\n    f()", CAN_FAIL),
    ("self.assertEqual(f(), 1)", CAN_FAIL),
    ("self.assertIsNone(x)", CAN_FAIL),
    ("self.assertTrue(x == 1)", CAN_FAIL),
    ("self.assertFalse(x)", CAN_FAIL),
    ("if x:\n    self.fail('no')", CAN_FAIL),
    ("if x:\n    pytest.fail('no')", CAN_FAIL),
    ("if x != 1:\n    raise AssertionError(x)", CAN_FAIL),
    ("np.testing.assert_allclose(x, y)", CAN_FAIL),
    ("assert_that(x, equal_to(1))", CAN_FAIL),
    ("m.assert_called_once_with(1)", CAN_FAIL),
    ("snapshot.assert_match(x, 'a.txt')", CAN_FAIL),
    ("data_regression.check(x)", CAN_FAIL),
    ("check_roundtrip(x)", CAN_FAIL),
    ("verify(x)", CAN_FAIL),
    ("expect(page).to_have_title('x')", CAN_FAIL),
    ("await expect(page).to_have_title('x')", CAN_FAIL),
    ("doctest.testmod(m, raise_on_error=True)", CAN_FAIL),
    ("for x in f():\n    assert x == 1", CAN_FAIL),
    ("match f():\n    case 1:\n        assert x == 1", CAN_FAIL),
    ("try:\n    f()\nexcept ValueError:\n    assert x == 1", CAN_FAIL),
    ("try:\n    assert x == 1\nexcept Exception:\n    raise", CAN_FAIL),
    ("try:\n    assert x == 1\nfinally:\n    f()", CAN_FAIL),
    ("with open('x') as f:\n    assert f.read() == 'x'", CAN_FAIL),
    ("def inner():\n    assert x == 1\ninner()", CAN_FAIL),
    ("def inner():\n    assert x == 1\nrun(inner)", CAN_FAIL),
    ("@command\ndef inner():\n    assert x == 1\nrun()", CAN_FAIL),
    ("assert re.search('a', x) is not None", CAN_FAIL),
    ("assert re.match('a', x)", CAN_FAIL),
    ("assert x is not None\nassert x == 1", CAN_FAIL),
    ("assert x is not None", WEAK),
    ("assert None != x", WEAK),
    ("assert not x is None", WEAK),
    ("assert x", WEAK),
    ("assert f(1)", WEAK),
    ("assert not not x", WEAK),
    ("assert bool(x)", WEAK),
    ("assert bool(x) is True", WEAK),
    ("assert len(x) > 0", WEAK),
    ("assert len(x) >= 1", WEAK),
    ("assert x == 1 or x", WEAK),
    ("assert f() if x else x is not None", WEAK),
    ("self.assertTrue(x)", WEAK),
    ("self.assertIsNotNone(x)", WEAK),
    ("assert (x := f())", WEAK),
    ("assert await f()", WEAK),
    ("pass", NONE),
    ("f(1)", NONE),
    ("assert True", NONE),
    ("assert 1", NONE),
    ("assert (x == 1, 'always true')", NONE),
    ("assert [0]", NONE),
    ("assert {'a': 1}", NONE),
    ("assert f'{x} is'", NONE),
    ("assert lambda: x == 1", NONE),
    ("assert (y == 1 for y in x)", NONE),
    ("assert x == x", NONE),
    ("assert self.x is self.x", NONE),
    ("assert 1 == 1", NONE),
    ("assert 1 != 2", NONE),
    ("assert len(x) >= 0", NONE),
    ("assert isinstance(x, object)", NONE),
    ("assert x == 1 or True", NONE),
    ("assert not False", NONE),
    ("assert not x != x", NONE),
    ("self.assertEqual(x, x)", NONE),
    ("self.assertTrue(True)", NONE),
    ("self.assertFalse(False)", NONE),
    ("m.assert_called_once", NONE),
    ("m.called_once_with(1)", NONE),
    ("x == 1", NONE),
    ("return x == 1", NONE),
    ("return\nassert x == 1", NONE),
    ("if False:\n    assert x == 1", NONE),
    ("if TYPE_CHECKING:\n    assert x == 1", NONE),
    ("while 0:\n    assert x == 1", NONE),
    ("for x in []:\n    assert x == 1", NONE),
    ("try:\n    assert x == 1\nexcept AssertionError:\n    pass", NONE),
    ("try:\n    assert x == 1\nexcept:\n    print()", NONE),
    ("try:\n    assert x == 1\nexcept (ValueError, Exception):\n    pass", NONE),
    ("try:\n    assert x == 1\nfinally:\n    return", NONE),
    ("with suppress(AssertionError):\n    assert x == 1", NONE),
    ("def inner():\n    assert x == 1", NONE),
    ("lambda: check_it(x)", NONE),
    ("validator.check(x)", NONE),
    ("print('assert x == 1')", NONE),
    ("helper(x)", CAN_FAIL),
    ("weak_helper(x)", WEAK),
    ("assert_nothing(x)", NONE),
    ("recursive(x)", NONE),
    ("self.method(x)", CAN_FAIL),
    ("self.assertNothing(x)", NONE),
]
FILE = """
def helper(x):
    deeper(x)
def deeper(x):
    assert x == 1
def weak_helper(x):
    assert x
def assert_nothing(x):
    pass
def recursive(x):
    recursive(x)
class TestX:
    def method(self, x):
        self.other(x)
    def other(self, x):
        assert x == 1
    def assertNothing(self, x):
        pass
    async def test_x(self, x):
"""


@pytest.mark.parametrize(("body", "strength"), BODIES, ids=[f"{case[0]!r}" for case in BODIES])
def test_bodies(body: str, strength: Strength) -> None:
    source = FILE + textwrap.indent(body, " " * 8) + "\n"
    assert check_strength(source.encode(), ("TestX", "test_x")) is strength


MARKED = [
    ("@pytest.mark.skip\ndef test_x(): assert f() == 1", SKIPPED),
    ("@pytest.mark.skip(reason='x')\ndef test_x(): assert f() == 1", SKIPPED),
    ("@pytest.mark.xfail\ndef test_x(): assert f() == 1", SKIPPED),
    ("@pytest.mark.xfail(strict=True)\ndef test_x(): assert f() == 1", SKIPPED),
    ("@unittest.skip('x')\ndef test_x(): assert f() == 1", SKIPPED),
    ("@unittest.expectedFailure\ndef test_x(): assert f() == 1", SKIPPED),
    ("@pytest.mark.skipif(True, reason='x')\ndef test_x(): assert f() == 1", SKIPPED),
    ("@unittest.skipUnless(False, 'x')\ndef test_x(): assert f() == 1", SKIPPED),
    ("broken = pytest.mark.skip('x')\n@broken\ndef test_x(): assert f() == 1", SKIPPED),
    ("pytestmark = pytest.mark.skip\ndef test_x(): assert f() == 1", SKIPPED),
    ("pytestmark = [pytest.mark.slow, pytest.mark.skip]\ndef test_x(): assert f() == 1", SKIPPED),
    ("@pytest.mark.parametrize('x', [])\ndef test_x(x): assert f() == 1", SKIPPED),
    ("def test_x():\n    'doc'\n    pytest.skip('x')\n    assert f() == 1", SKIPPED),
    ("@pytest.mark.skipif(sys.platform == 'x', reason='x')\ndef test_x(): assert f() == 1", CAN_FAIL),
    ("@pytest.mark.xfail(sys.platform == 'x')\ndef test_x(): assert f() == 1", CAN_FAIL),
    ("@pytest.mark.xfail(condition=X)\ndef test_x(): assert f() == 1", CAN_FAIL),
    ("@pytest.mark.slow\ndef test_x(): assert f() == 1", CAN_FAIL),
    ("@raises(ValueError)\ndef test_x(): f()", CAN_FAIL),
    ("@given(st.integers())\ndef test_x(x): assert f(x) == x", CAN_FAIL),
    ("@pytest.mark.parametrize('x', [1])\ndef test_x(x): assert f(x) == x", CAN_FAIL),
    ("def test_x():\n    if y:\n        pytest.skip('x')\n    assert f() == 1", CAN_FAIL),
    ("def test_y(): assert f() == 1", UNKNOWN),
    ("def test_x(:", UNKNOWN),
    ("def test_x(): assert a == 1\ndef test_x(): pass", UNKNOWN),
]


DIFFER = """\
import pytest
class Differ:
    def parse(self, text): assert parse(text) == text
    def start(self, text): self.text = text
class Other:
    def parse(self, text): pass
@pytest.fixture
def differ(): return Differ()
"""
BY_FIXTURES = [
    (DIFFER, "def test_x(differ): differ.parse('a')", CAN_FAIL),
    (DIFFER.replace("return", "yield"), "def test_x(differ): differ.parse('a')", CAN_FAIL),
    (DIFFER, "def test_x(differ): differ.start('a')", NONE),
    (DIFFER, "def test_x(differ): differ.parse", NONE),
    (DIFFER, "def test_x(): differ.parse('a')", NONE),
    (DIFFER, "def test_x(differ):\n    differ = Other()\n    differ.parse('a')", NONE),
    (DIFFER, "def test_x(differ):\n    def never(): differ.parse('a')", NONE),
    (DIFFER.replace("return Differ()", "return Other()"), "def test_x(differ): differ.parse('a')", NONE),
    (
        DIFFER.replace("return Differ()", "return Other() if f() else Differ()"),
        "def test_x(differ): differ.parse('a')",
        NONE,
    ),
    (DIFFER.replace("@pytest.fixture\n", ""), "def test_x(differ): differ.parse('a')", NONE),
    (DIFFER + "Differ = Other\nclass Differ(Other): pass\n", "def test_x(differ): differ.parse('a')", NONE),
]


@pytest.mark.parametrize(("helpers", "test", "strength"), BY_FIXTURES)
def test_checks_of_what_a_fixture_makes(helpers: str, test: str, strength: Strength) -> None:
    assert check_strength(f"{helpers}{test}\n".encode(), ("test_x",)) is strength


@pytest.mark.parametrize(("source", "strength"), MARKED, ids=[f"{case[0]!r}" for case in MARKED])
def test_marks(source: str, strength: Strength) -> None:
    assert check_strength(source.encode(), ("test_x",)) is strength
    if strength is SKIPPED:
        assert strength_without_marks(source.encode(), ("test_x",)) is CAN_FAIL


@pytest.mark.parametrize(
    ("source", "strength"),
    [
        ("@pytest.mark.skip\nclass TestX:\n    def test_x(self): assert f() == 1", SKIPPED),
        ("class TestX:\n    pytestmark = pytest.mark.skip\n    def test_x(self): assert f() == 1", SKIPPED),
        ("class B:\n    def test_x(self): assert f() == 1\nclass TestX(B): pass", CAN_FAIL),
        ("class B:\n    def check(self): assert f() == 1\nclass TestX(B):\n  def test_x(self): self.check()", CAN_FAIL),
    ],
)
def test_classes(source: str, strength: Strength) -> None:
    assert check_strength(source.encode(), ("TestX", "test_x")) is strength


@given(st.binary(max_size=200), st.lists(st.text(max_size=5), min_size=1, max_size=3))
def test_any_bytes_get_a_verdict(source: bytes, names: list[str]) -> None:
    assert check_strength(source, names) in Strength
