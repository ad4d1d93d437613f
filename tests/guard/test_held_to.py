"""Values, base classes and fakes that tests lean on, and edits of them that take nothing away."""

# ruff: noqa: E501 - edits stand as one text each

from __future__ import annotations

import pytest

from support.losses import told

DATA = "import logging\n\nWANT = 3\nTIMEOUT_S = 5\nCASES = [(1, 2), (3, 4)]\nNAMES = {'a': 1}\nlog = logging.getLogger()\n\n\ndef made():\n    return {'total': 3}\n\n\ndef built(x):\n    return x + 1\n"
BASE = "import unittest\n\n\nclass Base(unittest.TestCase):\n    maxDiff = None\n\n    def helper(self):\n        return 1\n"
SET_UP = BASE + "\n    def setUp(self):\n        self.x = 1\n"
FAKE = "from app import save\n\n\nclass FakeConn:\n    def __init__(self):\n        self.rows = []\n        self.committed = False\n\n    def execute(self, row):\n        self.rows.append(row)\n\n    def commit(self):\n        self.committed = True\n\n\ndef test_save():\n    conn = FakeConn()\n    save(conn, 1)\n    assert conn.committed\n"
IN_FIXTURE = FAKE.replace(
    "def test_save():\n    conn = FakeConn()",
    "@pytest.fixture\ndef conn():\n    return FakeConn()\n\n\ndef test_save(conn):",
)


def lost(path: str, old: str, new: str) -> list[tuple[str, bool]]:
    return told(old, new, path)


OTHER_VALUES = [
    DATA.replace("WANT = 3", "WANT = 4"),
    DATA.replace("(1, 2)", "(1, 3)"),
    DATA.replace(", (3, 4)", ""),
    DATA.replace("{'a': 1}", "{'a': 2}"),
    DATA.replace("{'total': 3}", "{'total': 4}"),
    DATA.replace("    return {'total': 3}", "    '''Made.'''\n    return {'total': 4}"),
    DATA.replace("WANT = 3", "WANT = 4").replace("{'total': 3}", "{'total': 4}"),
]
SAME_VALUES = [
    DATA.replace("WANT = 3", "WANT = 0x3"),
    DATA.replace("WANT = 3", "WANT: int = 3"),
    DATA.replace("WANT = 3\n", "WANT = 3\nMORE = 4\n"),
    DATA.replace("WANT = 3\n", "OTHER = 3\n"),
    DATA.replace("(3, 4)]", "(3, 4), (5, 6)]"),
    DATA.replace("{'a': 1}", "{'a': 1, 'b': 2}"),
    DATA.replace("TIMEOUT_S = 5", "TIMEOUT_S = 50"),
]


@pytest.mark.parametrize("new", OTHER_VALUES)
@pytest.mark.parametrize("path", ["tests/data.py", "tests/unit/helpers.py"])
def test_another_value_is_told_once_a_file(path: str, new: str) -> None:
    assert lost(path, DATA, new) == [("expectation-changed", True)]


@pytest.mark.parametrize("new", SAME_VALUES)
def test_the_same_in_other_words_and_more_is_not(new: str) -> None:
    assert lost("tests/data.py", DATA, new) == []


def test_beside_tests_the_checks_tell() -> None:
    assert lost("tests/test_data.py", DATA, OTHER_VALUES[0]) == []


BASES = [
    (
        BASE,
        BASE + "\n    def assertEqual(self, a, b, msg=None):\n        super().assertEqual(type(a), type(b), msg)\n",
        "outcome-tampered",
    ),
    (
        BASE,
        BASE + "\n    def assertEqual(self, a, b):\n        if False:\n            super().assertEqual(a, b)\n",
        "outcome-tampered",
    ),
    (BASE, BASE + "\n    def assertTrue(self, a, msg=None):\n        pass\n", "outcome-tampered"),
    (BASE, BASE + "\n    def setUp(self):\n        self.skipTest('x')\n", "expectation-changed"),
    (SET_UP, SET_UP.replace("self.x = 1", "self.x = 2"), "expectation-changed"),
]
SAME_BASES = [
    (
        BASE,
        BASE
        + "\n    def assertEqual(self, first, second, msg=None):\n        super().assertEqual(first, second, msg or 'no')\n",
    ),
    (BASE, BASE + "\n    def check_rows(self, rows):\n        self.assertTrue(rows)\n"),
    (BASE, BASE.replace("return 1", "return 1  # one")),
    (SET_UP, SET_UP.replace("def setUp(self):", "def setUp(self) -> None:\n        '''Begin.'''")),
    (
        BASE,
        BASE.replace(
            "class Base", "class More(unittest.TestCase):\n    def setUp(self):\n        self.y = 1\n\n\nclass Base"
        ),
    ),
]


@pytest.mark.parametrize(("old", "new", "rule"), BASES)
def test_a_base_class_of_other_files_tests(old: str, new: str, rule: str) -> None:
    assert (rule, True) in lost("tests/base.py", old, new)


@pytest.mark.parametrize(("old", "new"), SAME_BASES)
def test_a_base_class_that_asks_the_same(old: str, new: str) -> None:
    assert lost("tests/base.py", old, new) == []


STRICT_FAKE = FAKE.replace(
    "self.rows.append(row)", "if row in self.rows:\n            raise ValueError(row)\n        self.rows.append(row)"
)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("        self.rows.append(row)", "        return None"),
        ("        if row in self.rows:\n            raise ValueError(row)\n", ""),
        ("raise ValueError(row)", "return"),
    ],
)
def test_a_fake_that_keeps_or_refuses_less(old: str, new: str) -> None:
    assert ("expectation-changed", True) in lost("tests/test_save.py", STRICT_FAKE, STRICT_FAKE.replace(old, new))


@pytest.mark.parametrize("text", [FAKE, IN_FIXTURE], ids=["made by the test", "by a fixture"])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("self.rows.append(row)", "self.rows.append(row)\n        self.committed = True"),
        ("self.rows.append(row)", "self.rows.append(row)\n        self.commit()"),
        ("self.committed = False", "self.committed = True"),
        ("    def commit", "    def __exit__(self, *error):\n        self.commit()\n\n    def commit"),
        (
            "        self.committed = False\n",
            "\n    @property\n    def committed(self):\n        return bool(self.rows)\n",
        ),
    ],
)
def test_a_fake_that_does_more_itself(text: str, old: str, new: str) -> None:
    assert ("expectation-changed", True) in lost("tests/test_save.py", text, text.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("def execute(self, row)", "def execute(self, row: int) -> None"),
        ("def execute(self, row)", "def execute(self, row, *more)"),
        ("    def commit", "    def rollback(self):\n        self.rows.clear()\n\n    def commit"),
        ("class FakeConn:", "class FakeConn:\n    '''Keeps rows.'''\n"),
        ("    def commit", "    def __repr__(self):\n        return 'fake'\n\n    def commit"),
        ("class FakeConn", "class Other:\n    def __exit__(self, *error):\n        self.x = 1\n\n\nclass FakeConn"),
    ],
)
def test_a_fake_that_does_not(old: str, new: str) -> None:
    assert lost("tests/test_save.py", FAKE, FAKE.replace(old, new)) == []


ROW = """\
@dataclass
class Row:
    name: str
    count: int


class Pair:
    def __eq__(self, other):
        return self.a == other.a and self.b == other.b


def test_rows():
    assert Row(*due([2])) == Row("a", 1)
    assert due([3]) == Pair(1, 2)
"""


@pytest.mark.parametrize(
    ("old", "new", "is_told"),
    [
        ("count: int", "count: int = field(compare=False)", True),
        ("count: int", "count: int = field(default=0)", False),
        ("count: int", "count: int\n    more: int = 0", False),
        (" and self.b == other.b", "", True),
        (" and self.b == other.b", " and True", True),
        (" and self.b == other.b", " and self.b == other.b and self.c == other.c", False),
    ],
)
def test_what_values_are_compared_by(old: str, new: str, is_told: bool) -> None:
    told = lost("tests/test_till.py", ROW, ROW.replace(old, new))
    assert told == ([("expectation-changed", True)] if is_told else [])


WAIT = """\
def wait(fn):
    for _ in range(3):
        if fn():
            return True
    raise TimeoutError


def test_ready():
    wait(ready)
"""


@pytest.mark.parametrize(
    ("old", "new", "is_told"),
    [
        ("raise TimeoutError", "return False", True),
        ("    raise TimeoutError\n", "", True),
        ("raise TimeoutError", "pytest.fail('never')", False),
        ("raise TimeoutError", "assert False, 'never'", False),
        ("raise TimeoutError", "too_late()\n\n\ndef too_late():\n    raise TimeoutError", False),
        ("wait(ready)", "assert ready()", False),
    ],
)
def test_a_function_that_refuses_less(old: str, new: str, is_told: bool) -> None:
    told = lost("tests/test_till.py", WAIT, WAIT.replace(old, new))
    assert told == ([("expectation-changed", True)] if is_told else [])


SHARED = "def same(one, other, *, tol=1e-9, timeout=5):\n    assert abs(one - other) < tol\n\n\ndef built(x, strict=True):\n    return app(x, strict)\n"


@pytest.mark.parametrize(
    ("old", "new", "is_told"),
    [
        ("tol=1e-9", "tol=1.0", True),
        ("strict=True", "strict=False", True),
        ("timeout=5", "timeout=50", False),
        ("strict=True", "strict: bool = True", False),
        ("strict=True", "strict=True, more=None", False),
        ("x, strict=True", "x, strict", False),
    ],
)
def test_defaults_of_functions_of_other_files(old: str, new: str, is_told: bool) -> None:
    told = lost("tests/helpers.py", SHARED, SHARED.replace(old, new))
    assert ({("expectation-changed", True)} == set(told)) is is_told


BUILDERS = """\
from dataclasses import dataclass


@dataclass
class User:
    name: str = "x"
    age: int = 18


class Shop:
    open = True

    def visit(self):
        self.seen = 3
        print("seen", 3)


def make_user(**more):
    \'\'\'Make one.\'\'\'
    user = {"name": "x", "age": 18}
    user.setdefault("is_admin", False)
    return {**user, "level": 1, **more}


def client():
    return Client(size=3, strict=True)


def waiting():
    return Client(retries=3)


def built(x):
    return x + 1
"""


@pytest.mark.parametrize(
    ("old", "new", "is_told"),
    [
        ('"age": 18', '"age": 19', True),
        ("age: int = 18", "age: int = 19", True),
        ("open = True", "open = False", True),
        ("self.seen = 3", "self.seen = 0", True),
        ('("is_admin", False)', '("is_admin", True)', True),
        ('"level": 1', '"level": 2', True),
        ("strict=True", "strict=False", True),
        ("x + 1", "x + 2", True),
        ("Make one.", "Make a user.", False),
        ('print("seen", 3)', 'print("seen", 4)', False),
        ("retries=3", "retries=5", False),
        ('"level": 1', '"level": 1, "more": 2', False),
        ("    return {**user", "    user['kind'] = 7\n    return {**user", False),
        ("make_user", "made_user", False),
    ],
)
def test_what_functions_and_classes_of_other_files_hold(old: str, new: str, is_told: bool) -> None:
    told = lost("tests/helpers.py", BUILDERS, BUILDERS.replace(old, new))
    assert told == ([("expectation-changed", True)] if is_told else [])
