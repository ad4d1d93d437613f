"""What is lost by edits of tests in many spellings, and what is not by edits that only look alike."""

# ruff: noqa: E501 - edits stand as one text each

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledgergate.guard import Around, Edit, Loss
from ledgergate.guard.compare import compare
from ledgergate.guard.production import aware_code
from ledgergate.guard.runs import changed_runs
from ledgergate.guard.settings import changed_settings

PATH = "tests/test_till.py"
HEAD = "import os\nimport sys\nimport unittest\nfrom unittest import mock\n\nimport pytest\n\nfrom till import Refused, due\n\n\n"
DUE = "def test_due():\n    assert due([2]) == 2\n"


def lost(old: str, new: str, *, head: str = HEAD) -> list[Loss]:
    return list(compare([Edit(PATH, (head + old).encode(), (head + new).encode())]))


def rules(losses: list[Loss]) -> set[str]:
    return {loss.rule for loss in losses}


def body(*lines: str, head: str = "def test_due():") -> str:
    return "".join(f"{line}\n" for line in (head, *(f"    {line}" for line in lines)))


def in_class(text: str, head: str = "class TestTill(unittest.TestCase):") -> str:
    return (
        head + "\n" + "".join(f"    {line}\n" if line else "\n" for line in text.replace("():", "(self):").split("\n"))
    )


UNITTEST = in_class("def test_due():\n    self.assertEqual(due([2]), 2)\n")
ASYNC = "async def test_due():\n    assert await due([2]) == 2\n"
TABLE = '@pytest.mark.parametrize("one", [1, 2, 3])\ndef test_due(one):\n    assert due([one]) == one\n'
RAISES = body("with pytest.raises(Refused, match='no'):", "    due(None)")
CATCHES = body("try:", "    total = due([2])", "except TypeError:", "    total = None", "assert total == 2")

TAKEN_AWAY: list[tuple[str, str, str]] = [
    ("test-removed", DUE, "x = 1\n"),
    ("test-removed", UNITTEST, in_class("def check_due():\n    self.assertEqual(due([2]), 2)\n")),
    ("test-removed", UNITTEST, UNITTEST.replace("class TestTill(unittest.TestCase)", "class Till")),
    ("test-removed", DUE, f"{DUE}\n\ntest_due = None\n"),
    ("test-removed", DUE, f"if False:\n    {DUE.replace(chr(10), chr(10) + '    ')}\n"),
    ("test-removed", TABLE, TABLE.replace("[1, 2, 3]", "[1]")),
    ("test-removed", DUE, f"{DUE}\n\ndef test_due():\n    pass\n"),
    ("skip-added", ASYNC, f"@pytest.mark.skipif(os.environ.get('CI'), reason='slow')\n{ASYNC}"),
    ("skip-added", UNITTEST, UNITTEST.replace("    def", "    @unittest.expectedFailure\n    def")),
    ("skip-added", UNITTEST, UNITTEST.replace("self.assert", "self.skipTest('later')\n        self.assert")),
    ("skip-added", UNITTEST, UNITTEST.replace("class", "@unittest.skip('later')\nclass")),
    ("skip-added", DUE, f"pytestmark = [pytest.mark.xfail]\n\n\n{DUE}"),
    ("skip-added", TABLE, TABLE.replace("2, 3", "pytest.param(2, marks=pytest.mark.skip), 3")),
    ("skip-added", DUE, body("raise unittest.SkipTest", "assert due([2]) == 2")),
    ("skip-added", DUE, f"later = pytest.mark.skip\n\n\n@later\n{DUE}"),
    ("assertion-removed", ASYNC, "async def test_due():\n    await due([2])\n"),
    ("assertion-removed", UNITTEST, UNITTEST.replace("self.assertEqual(due([2]), 2)", "due([2])")),
    ("assertion-removed", DUE, body("while False:", "    assert due([2]) == 2")),
    ("assertion-removed", DUE, body("if not due([2]) == 2:", "    return", "assert due([2]) == 2")),
    ("assertion-removed", RAISES, body("due(1)")),
    ("assertion-weakened", ASYNC, ASYNC.replace(" == 2", " is not None")),
    ("assertion-weakened", UNITTEST, UNITTEST.replace("assertEqual(due([2]), 2)", "assertTrue(due([2]))")),
    ("assertion-weakened", UNITTEST, UNITTEST.replace("assertEqual", "assertGreaterEqual")),
    ("assertion-weakened", DUE, body("assert isinstance(due([2]), int)")),
    ("assertion-weakened", DUE.replace("== 2", "is None"), body("assert not due([2])")),
    ("assertion-weakened", DUE.replace("== 2", "is False"), body("assert not due([2])")),
    ("assertion-weakened", UNITTEST.replace("Equal(due([2]), 2)", "IsNone(due([2]))"), UNITTEST.replace("Equal(due([2]), 2)", "False(due([2]))")),
    ("assertion-removed", body("got = due([2])", "got.raise_for_status()", "assert got.json()"), body("got = due([2])", "assert got.json()")),
    ("assertion-removed", DUE, body("for _ in ():", "    assert due([2]) == 2")),
    ("assertion-weakened", DUE, body("assert due([2]) == 2 or due([2]) == 3")),
    ("assertion-weakened", RAISES, RAISES.replace(", match='no'", "")),
    ("assertion-weakened", RAISES, RAISES.replace("Refused, match='no'", "Exception, match='no'")),
    ("assertion-tautology", UNITTEST, UNITTEST.replace("assertEqual(due([2]), 2)", "assertTrue(True)")),
    ("assertion-tautology", DUE, body("want = due([2])", "assert due([2]) == want")),
    ("assertion-tautology", DUE, body("assert due([2]) == mock.ANY")),
    ("expectation-changed", TABLE, TABLE.replace("[1, 2, 3]", "[1, 2, 4]")),
    ("expectation-changed", f"@freeze_time('2024-02-29')\n{DUE}", f"@freeze_time('2024-02-28')\n{DUE}"),
    ("expectation-changed", f"@override_settings(DEBUG=False)\n{DUE}", f"@override_settings(DEBUG=True)\n{DUE}"),
    ("subject-replaced", DUE, f"@mock.patch('till._rounded', lambda price: 2)\n{DUE}"),
    ("subject-replaced", DUE, f"@mock.patch('till.rounded', lambda price: 2)\n{DUE}"),
    ("subject-replaced", DUE, body("monkeypatch.setattr('till.Till._total', sum)", "assert due([2]) == 2")),
    ("expectation-changed", UNITTEST, UNITTEST.replace(", 2)", ", 3)")),
    ("exception-broadened", CATCHES, CATCHES.replace("TypeError", "(TypeError, ValueError)")),
    ("exception-broadened", CATCHES, CATCHES.replace("except TypeError", "except")),
    ("subject-replaced", DUE, f"@mock.patch('till.due', lambda prices: 2)\n{DUE}"),
    ("subject-replaced", DUE, body("monkeypatch.setattr('till.due', sum)", "assert due([2]) == 2")),
    ("subject-replaced", DUE, f"due = sum\n\n\n{DUE}"),
    ("outcome-tampered", DUE, f"{DUE}\n\nunittest.TestCase.assertEqual = print\n"),
    ("outcome-tampered", DUE, body("os._exit(0)", "assert due([2]) == 2")),
    ("outcome-tampered", DUE, body("if due([2]) != 2:", "    sys.exit()", "assert due([2]) == 2")),
    ("outcome-tampered", "", "def pytest_sessionfinish(session):\n    session.exitstatus = 0\n"),
    ("subject-replaced", DUE, f"for due in [sum]:\n    pass\n\n\n{DUE}"),
    ("subject-replaced", DUE, f"globals().update(due=sum)\n\n\n{DUE}"),
    ("subject-replaced", DUE, f"due.__code__ = (lambda prices: sum(prices)).__code__\n\n\n{DUE}"),
    ("subject-replaced", DUE, f"import till\n\ntill.due = sum\n\n\n{DUE}"),
    ("subject-replaced", DUE, "def test_due(due=sum):\n    assert due([2]) == 2\n"),
    ("test-removed", DUE, f"{DUE}\n\nglobals().pop('test_due')\n"),
    ("test-removed", DUE, f"{DUE}\n\nfor test_due in [print]:\n    pass\n"),
    ("skip-added", DUE, body("assert due([2]) == 2, pytest.skip('later')")),
    ("skip-added", DUE, body("assert due([2]) == 2 or pytest.skip('later')")),
    ("skip-added", DUE, body("getattr(pytest, 'sk' + 'ip')('later')", "assert due([2]) == 2")),
    ("outcome-tampered", DUE, f"from unittest import SkipTest as AssertionError\n\n\n{DUE}"),
    ("outcome-tampered", DUE, f"@pytest.fixture(autouse=True)\ndef calm(request):\n    request.node.obj = print\n\n\n{DUE}"),
    ("outcome-tampered", DUE, f"@pytest.fixture(autouse=True)\ndef calm(request):\n    request.session.shouldstop = 'x'\n\n\n{DUE}"),
    ("outcome-tampered", UNITTEST, UNITTEST.replace("    def", "    def __getattribute__(self, name):\n        return print\n\n    def")),
    ("collection-changed", DUE, f"collect_ignore = ['test_other.py']\n\n\n{DUE}"),
    ("assertion-removed", DUE, body("def check():", "    assert due([2]) == 2", "(check() for _ in [0])")),
    ("assertion-weakened", DUE, "ONES = [one for one in (1,) if due([one]) != 1]\n\n\n@pytest.mark.parametrize('one', ONES)\ndef test_due(one):\n    assert due([2]) == 2\n"),
]  # fmt: skip
NUMBERS = "def test_numbers():\n    assert due([3, 1]) == [3, 1]\n"
FRAMES = "def test_frame():\n    assert_frame_equal(due([3, 1]), frame([3, 1]))\n"
NAMES = "def test_names():\n    names = due('a = 1')\n    assert names == {'a': '1'}\n"
GOES_THROUGH_MORE: list[tuple[str, str, str, bool]] = [
    (
        "assertion-weakened",
        NUMBERS,
        NUMBERS.replace("due([3, 1]) == [3, 1]", "sorted(due([3, 1])) == sorted([3, 1])"),
        False,
    ),
    ("assertion-weakened", NUMBERS, NUMBERS.replace("due([3, 1]) == [3, 1]", "len(due([3, 1])) == len([3, 1])"), False),
    (
        "assertion-weakened",
        NUMBERS,
        NUMBERS.replace("due([3, 1]) == [3, 1]", "Counter(due([3, 1])) == Counter([3, 1])"),
        False,
    ),
    ("assertion-weakened", NUMBERS, NUMBERS.replace("due([3, 1]) == [3, 1]", "sorted(due([3, 1])) == [1, 3]"), True),
    ("expectation-changed", NUMBERS, NUMBERS.replace("due([3, 1]) ==", "json.loads(json.dumps(due([3, 1]))) =="), True),
    ("expectation-changed", NUMBERS, NUMBERS.replace("due([3, 1]) ==", "due([3, 1]).fillna(0) =="), True),
    ("expectation-changed", NUMBERS, NUMBERS.replace("due([3, 1]) ==", "np.ravel(due([3, 1])) =="), True),
    ("expectation-changed", FRAMES, FRAMES.replace("due([3, 1]),", "due([3, 1]).reset_index(),"), True),
    ("assertion-weakened", FRAMES, FRAMES.replace("))\n", "), rtol=0.1)\n"), True),
    ("assertion-weakened", FRAMES, FRAMES.replace("assert_frame_equal", "assert_array_almost_equal"), True),
    ("expectation-changed", NUMBERS, NUMBERS.replace("due([3, 1]) ==", "list(reversed(due([3, 1]))) =="), True),
    (
        "expectation-changed",
        NAMES,
        NAMES.replace("    assert", "    names = {key.strip(): value for key, value in names.items()}\n    assert"),
        True,
    ),
    (
        "expectation-changed",
        NAMES,
        NAMES.replace("names ==", "{key: names[key] for key in names if key == 'a'} =="),
        True,
    ),
    ("expectation-changed", DUE, DUE.replace("due([2])", "round(due([2]))"), True),
    ("expectation-changed", DUE.replace("== 2", "== list(OLD)"), DUE.replace("== 2", "== sorted(OLD)"), True),
]
UNITTEST_OF_VALUES = "class TestTill(unittest.TestCase):\n    def setUp(self):\n        self.values = [1]\n\n    def test_due(self):\n        self.assertEqual(due([2]), 2)\n"
INTO_LOOPS: list[tuple[str, str]] = [
    (DUE, body("for _ in os.environ.get('X', '').split():", "    assert due([2]) == 2")),
    (DUE, body("for _ in ''.split():", "    assert due([2]) == 2")),
    (DUE, body("for a, b in getattr(due, 'cases', []):", "    assert due([2]) == 2")),
    (
        DUE,
        "def check(rows):\n    for _ in rows:\n        assert due([2]) == 2\n\n\ndef test_due():\n    check(os.listdir())\n",
    ),
    (DUE, body("for _ in {**ROWS}:", "    assert due([2]) == 2")),
    (DUE, body("for _ in zip([1], os.listdir()):", "    assert due([2]) == 2")),
    (DUE, body("for _ in [one for one in (1, 2) if one > due(None)]:", "    assert due([2]) == 2")),
    (
        DUE,
        "def each(run):\n    for _ in os.listdir():\n        run()\n\n\ndef test_due():\n    def check():\n        assert due([2]) == 2\n\n    each(check)\n",
    ),
    (ASYNC, ASYNC.replace("    assert", "    async for _ in due(None):\n        assert")),
    (
        UNITTEST_OF_VALUES,
        UNITTEST_OF_VALUES.replace(
            "        self.assertEqual", "        for _ in self.values[2:]:\n            self.assertEqual"
        ),
    ),
]
KEPT: list[tuple[str, str]] = [
    (DUE, body("for _ in range(3):", "    assert due([2]) == 2")),
    (DUE, body("for _ in range(200):", "    assert due([2]) == 2")),
    (DUE, body("for _ in {'a': 1}.items():", "    assert due([2]) == 2")),
    (DUE, body("for _ in zip([1], {3: 4}.values()):", "    assert due([2]) == 2")),
    (DUE, body("for _ in [str(one) for one in {1: 2}]:", "    assert due([2]) == 2")),
    (DUE, body("for _ in 'a b'.split():", "    assert due([2]) == 2")),
    (DUE, "ROWS = {'a': 1}\n\n\n" + body("for _ in sorted(ROWS):", "    assert due([2]) == 2")),
    (DUE, body("for _ in ('a', 'b'):", "    assert due([2]) == 2")),
    (DUE, body("for _ in os.listdir():", "    assert due([2]) == 2", "assert due([2]) == 2")),
    (DUE, body("for one in os.listdir():", "    assert due([one]) == 2", "assert due([2]) == 2")),
    (body("for _ in os.listdir():", "    assert due([2]) == 2"), body("for _ in os.listdir('x'):", "    assert due([2]) == 2")),
    (body("for _ in os.listdir():", "    assert due([2]) == 2"), DUE),
    (NUMBERS, NUMBERS.replace("due([3, 1]) ==", "list(due([3, 1])) ==")),
    (NUMBERS, NUMBERS.replace("due([3, 1]) == [3, 1]", "[3, 1] == due([3, 1])")),
    (NAMES, NAMES.replace("names ==", "dict(names) ==")),
    (NAMES, NAMES.replace("names ==", "names.data ==")),
    (NUMBERS, NUMBERS.replace("due([3, 1]) ==", "tuple(due([3, 1])) ==").replace("== [3, 1]", "== (3, 1)")),
    (DUE, DUE.replace("test_due", "test_what_is_due")),
    (DUE, body("def check():", "    assert due([2]) == 2", "list(check() for _ in [0])")),
    (DUE, "ONES = [one for one in (1, 2) if os.path.isabs('/')]\n\n\n@pytest.mark.parametrize('one', ONES)\ndef test_due(one):\n    assert due([2]) == 2\n"),
    (DUE, in_class(DUE, "class TestTill:")),
    (TABLE, TABLE.replace("[1, 2, 3]", "[3, 2, 1, 0]")),
    (TABLE, "ONES = [1, 2, 3]\n\n\n" + TABLE.replace("[1, 2, 3]", "ONES")),
    (TABLE, body("for one in (1, 2, 3):", "    assert due([one]) == one")),
    (DUE, body("prices = [2]", "total = due(prices)", "assert total == 2")),
    (DUE, body("assert 2 == due([2])")),
    (DUE, "@pytest.fixture\ndef prices():\n    return [2]\n\n\ndef test_due(prices):\n    assert due(prices) == 2\n"),
    (UNITTEST, DUE.replace("def test_due():", "class TestTill:\n    def test_due(self):").replace("    assert", "        assert")),
    (UNITTEST, in_class("def setUp():\n    self.prices = [2]\n\ndef test_due():\n    self.assertEqual(due(self.prices), 2)\n")),
    (RAISES, RAISES.replace("pytest.raises(Refused, match='no')", "pytest.raises(Refused, match='no') as seen")),
    (body("assert due([2]) is True"), body("assert due([2])")),
    (body("assert due([]) == []"), body("assert not due([])")),
    (body("total = due([2])", "assert total is not None", "assert total == 2"), DUE),
    (DUE, f"@pytest.mark.skipif(sys.platform == 'win32', reason='no till')\n{DUE}"),
    (DUE, f"@pytest.mark.skipif(not hasattr(os, 'fork'), reason='no fork')\n{DUE}"),
    (DUE, f"WINDOWS = os.name == 'nt'\n\n\n@pytest.mark.skipif(WINDOWS, reason='no till')\n{DUE}"),
    (DUE, f"{DUE}\n\n@pytest.mark.skip\ndef test_later():\n    assert due([3]) == 3\n"),
    (DUE, "@mock.patch('time.sleep')\ndef test_due(_):\n    assert due([2]) == 2\n"),
    (DUE, f"{DUE}\n\ndef test_exit():\n    with pytest.raises(SystemExit):\n        sys.exit()\n"),
    (DUE, f"{DUE}\n\nif __name__ == '__main__':\n    sys.exit(pytest.main())\n"),
    (CATCHES, CATCHES.replace("except TypeError", "except Refused")),
    (DUE, f"for name in ('a', 'b'):\n    print(name)\n\n\n{DUE}"),
    (DUE, f"import till\n\ntill.LIMIT = 3\n\n\n{DUE}"),
    (DUE, f"os.environ.setdefault('TZ', 'UTC')\nsys.argv = ['till']\n\n\n{DUE}"),
    (DUE, f"try:\n    import yaml\nexcept ImportError:\n    yaml = None\n\n\n{DUE}"),
    (DUE, body("assert due([2]) == 2, 'no total'")),
    (DUE, f"@pytest.fixture(autouse=True)\ndef told(request):\n    print(request.node.name)\n\n\n{DUE}"),
    (UNITTEST, UNITTEST.replace("    def", "    @property\n    def prices(self):\n        return [2]\n\n    def")),
    (f"{DUE}\n\nsys.modules['till'] = due\n", f"{DUE}\n\n# Later.\nsys.modules['till'] = due\n"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "old", "new"), TAKEN_AWAY)
def test_what_is_taken_away(rule: str, old: str, new: str) -> None:
    assert rule in rules(lost(old, new))


@pytest.mark.parametrize(("rule", "old", "new", "waits"), GOES_THROUGH_MORE)
def test_what_goes_through_more_before_it_is_compared(rule: str, old: str, new: str, waits: bool) -> None:
    assert [(loss.rule, loss.waits) for loss in lost(old, new)] == [(rule, waits)]


INNER = "def test_due():\n    def check():\n        assert due([2]) == 2\n\n    "
MANAGER = INNER.replace("    def", "    @contextlib.contextmanager\n    def").replace("assert", "yield\n        assert")
NEVER_CALLED = [
    (False, INNER + "any(check() for _ in ())\n"),
    (False, INNER + "[check() for _ in [1] if False]\n"),
    (False, INNER + "{check(): one for one in ''}\n"),
    (True, INNER + "[check() for _ in os.listdir()]\n"),
    (True, INNER + "contextlib.ExitStack().callback(check)\n"),
    (True, INNER + "stack = contextlib.ExitStack()\n    stack.callback(check)\n"),
    (True, INNER + "checks = []\n    checks.append(check)\n"),
    (True, INNER + "later = functools.partial(check)\n"),
    (True, INNER + "map(check, [1])\n"),
    (True, INNER + "print(check)\n"),
    (True, INNER + "check\n"),
    (True, MANAGER + "check()\n"),
    (True, MANAGER + "pass\n"),
]
CALLED = [
    INNER + "[check() for _ in (1, 2)]\n",
    INNER + "all(check() is None for _ in range(3))\n",
    INNER + "with contextlib.ExitStack() as stack:\n        stack.callback(check)\n",
    INNER + "stack = contextlib.ExitStack()\n    stack.callback(check)\n    stack.close()\n",
    INNER + "checks = [check]\n    for one in checks:\n        one()\n",
    INNER + "checks = []\n    checks.append(check)\n    checks[0]()\n",
    INNER + "later = functools.partial(check)\n    later()\n",
    INNER + "functools.partial(check)()\n",
    INNER + "list(map(check, [1]))\n",
    INNER + "CHECKS.append(check)\n",
    INNER + "due.on_done(check)\n",
    INNER + "due.done = check\n",
    INNER.replace("    def", "    @due.on_done\n    def") + "due([])\n",
    MANAGER + "with check():\n        pass\n",
    MANAGER + "with contextlib.ExitStack() as stack:\n        stack.enter_context(check())\n",
]


@pytest.mark.parametrize(("waits", "new"), NEVER_CALLED)
def test_a_check_in_a_function_that_nothing_calls(waits: bool, new: str) -> None:
    assert [loss.waits for loss in lost(DUE, new)] == [waits]


@pytest.mark.parametrize("new", CALLED)
def test_a_check_in_a_function_that_something_calls(new: str) -> None:
    assert lost(DUE, new) == []


@pytest.mark.parametrize(("old", "new"), INTO_LOOPS)
def test_what_came_into_a_loop_over_nobody_knows_what(old: str, new: str) -> None:
    assert [(loss.rule, loss.waits) for loss in lost(old, new)] == [("assertion-weakened", True)]


@pytest.mark.parametrize(("old", "new"), KEPT)
def test_what_only_looks_like_it(old: str, new: str) -> None:
    assert lost(old, new) == []


def test_a_length_that_stands_beside_the_value_takes_nothing_from_it() -> None:
    head = ["kind = f'bill-{os.getpid()}'", "head, bill = due([2])"]
    old = body(*head, "assert bill.kind == kind")
    beside = body(*head, "assert head == {'kind': kind, 'length': str(len('abc'))}")
    around = body(*head, "assert bill == {'kind': len(kind)}")
    assert [loss.waits for loss in lost(old, beside)] == [True]
    assert [loss.waits for loss in lost(old, around)] == [False]


def test_old_and_new_stand_side_by_side() -> None:
    (found,) = lost(DUE, DUE.replace("== 2", "is not None"))
    line = HEAD.count("\n") + 2
    assert (found.line, found.old, found.new) == (line, "assert due([2]) == 2", "assert due([2]) is not None")


def test_a_helper_of_another_file_is_followed() -> None:
    helper = "def check(prices, total):\n    assert due(prices) == total\n"
    files = {"tests/common.py": helper.encode()}
    edit = Edit(
        PATH,
        (HEAD + DUE).encode(),
        (HEAD + "from common import check\n\n\ndef test_due():\n    check([2], 2)\n").encode(),
    )
    assert list(compare([edit], Around(read=lambda _side, path: files.get(path)))) == []


def test_a_gutted_helper_is_told_though_no_test_changed() -> None:
    old, new = b"def check(x):\n    assert x == 2\n", b"def check(x):\n    return x == 2\n"
    assert rules(list(compare([Edit("tests/common.py", old, new)]))) == {"assertion-removed"}


HANDS_ON = "def test_speed(benchmark):\n    benchmark(due, [2])\n"


@pytest.mark.parametrize(
    ("test", "vanished", "waits"),
    [(DUE, "due", True), (DUE, "owe", False), (HANDS_ON, "due", True), (HANDS_ON, "owe", False)],
)
def test_a_removed_test_whose_subject_went_too_waits(test: str, vanished: str, *, waits: bool) -> None:
    edit = Edit(PATH, (HEAD + test).encode(), HEAD.encode())
    (found,) = compare([edit], Around(vanished=lambda: frozenset({vanished})))
    assert (found.rule, found.waits) == ("test-removed", waits)


@pytest.mark.parametrize(
    "new",
    [
        b"def test_due(:\n",
        b"\xff\xfe",
        b"# coding: no-such\n",
        b"x = " + b"(" * 5000 + b")" * 5000,
        b"x = 1\n" * 300_000,
    ],
    ids=["syntax", "bytes", "encoding", "depth", "size"],
)
def test_what_cannot_be_read_waits(new: bytes) -> None:
    (found,) = compare([Edit(PATH, DUE.encode(), new)])
    assert (found.rule, found.waits) == ("test-removed", True)


def test_what_came_is_told_beside_what_went() -> None:
    old = body("assert due([2]) == 2", "assert due([3]) == 3")
    new = body("assert due([2]) is not None", "assert due([3]) == 3", "assert due([]) == 0", "assert due([1]) == 1")
    (loss,) = lost(old, new)
    first = HEAD.count("\n") + 4
    assert loss.message.endswith(f"; what it asks beside that is new: line {first}, {first + 1}")
    assert loss.rule == "assertion-weakened"


def test_what_is_too_deep_to_be_followed_waits() -> None:
    deep = "x = " + "f(" * 400 + "1" + ")" * 400 + "\n"
    skip = f"@pytest.mark.skipif({'not ' * 900}x, reason='deep')\n{DUE}"
    assert any(loss.waits or loss.rule == "skip-added" for loss in lost(deep + DUE, deep + skip))


def test_deep_expressions_are_bounded() -> None:
    deep = body("x = 1", *["x = f(x, x)"] * 200, "assert x == " + "+".join("1" * 2000))
    found = lost(DUE, deep)
    assert found
    assert all(loss.rule for loss in found)


@given(st.permutations(["a = due([1])", "b = due([2])", "c = 3"]), st.integers(0, 3))
def test_nothing_is_lost_between_equal_files(lines: list[str], blanks: int) -> None:
    text = body(*lines, "assert (a, b, c) == (1, 2, 3)")
    assert lost(text, "\n" * blanks + text) == []


@pytest.mark.parametrize(
    ("path", "old", "new", "is_lost"),
    [
        ("pytest.ini", "[pytest]\naddopts = -ra\n", "[pytest]\naddopts = -ra -m 'not slow'\n", True),
        ("pytest.ini", "[pytest]\n", "[pytest]\naddopts = --ignore=tests/test_till.py\n", True),
        ("setup.cfg", "[tool:pytest]\ntestpaths = tests more\n", "[tool:pytest]\ntestpaths = tests\n", True),
        ("pyproject.toml", "", "[tool.pytest.ini_options]\npython_functions = ['check_*']\n", True),
        ("pyproject.toml", "", "[tool.pytest.ini_options]\nnorecursedirs = ['tests']\n", True),
        ("tox.ini", "[pytest]\nxfail_strict = true\n", "[pytest]\n", True),
        ("pytest.ini", "[pytest]\n", "[pytest\n", True),
        ("pytest.ini", "[pytest]\n", "[pytest]\naddopts = -q -ra --tb=short -W error\n", False),
        ("setup.cfg", "[tool:pytest]\ntestpaths = tests/unit\n", "[tool:pytest]\ntestpaths = tests\n", False),
        ("pyproject.toml", "", "[tool.pytest.ini_options]\npythonpath = ['src']\nmarkers = ['slow: slow']\n", False),
        ("pyproject.toml", "[tool.pytest.ini_options]\nxfail_strict = true\n", "[tool.pytest]\nstrict = true\n", False),
        ("tox.ini", "[pytest]\nstrict = true\n", "[pytest]\n", False),
        ("pyproject.toml", "[project]\nname = 'a'\n", "[project]\nname = 'b'\n", False),
    ],
)
def test_settings(path: str, old: str, new: str, is_lost: bool) -> None:
    assert bool(list(changed_settings(path, old.encode(), new.encode()))) is is_lost


@pytest.mark.parametrize(
    ("old", "new", "is_lost"),
    [
        ("test:\n\tpytest\n", "test:\n\tpytest || true\n", True),
        ("test:\n\tpytest\n", "test:\n\t-pytest\n", True),
        ("test:\n\tpytest\n", "test:\n\tpytest -k 'not due'\n", True),
        ("test:\n\tpytest\n", "test:\n\techo ok\n", True),
        ("- run: pytest\n", "- run: pytest\n  continue-on-error: true\n", True),
        ("- run: pytest\n", "- run: pytest; exit 0\n", True),
        ("- run: pytest\n", "- run: pytest -q --junitxml=out.xml --cov\n", False),
        ("- run: pip install pytest\n- run: pytest\n", "- run: pip install -U pytest\n- run: pytest\n", False),
        ("- run: pytest\n", "- run: pytest\n- run: rm -f x || true\n", False),
        ("- run: ruff check\n", "- run: ruff check || true\n", False),
        ("  - run: pytest\n", "  - run: pytest\n  - uses: upload\n    continue-on-error: true\n", False),
        ("job:\n  steps:\n  - run: pytest\n", "job:\n  continue-on-error: true\n  steps:\n  - run: pytest\n", True),
        ("  - run: pytest\n", "  - continue-on-error: true\n    run: pytest\n", True),
        ("- run: pytest\n", "- run: pytest --pyargs till\n", False),
        ("- script: nox\n", "- script: scripts/test\n", False),
        ("- run: pytest\n", "- run: pytest\n- run: pytest -k due\n", False),
    ],
)
def test_lines_that_run_tests(old: str, new: str, is_lost: bool) -> None:
    assert bool(list(changed_runs("Makefile", old.encode(), new.encode()))) is is_lost


@pytest.mark.parametrize(
    ("new", "is_lost"),
    [
        ("[testenv]\ncommands = pytest\nignore_outcome = true\n", True),
        ("[testenv]\ncommands = - pytest\n", True),
        ("[testenv]\nsetenv = PYTHONPATH=shadow\ncommands = pytest\n", True),
        ("[testenv]\ncommands = pytest\n[testenv:next]\ncommands = pytest\nignore_outcome = true\n", False),
        ("[testenv]\nsetenv = PYTHONPATH={toxinidir}/src\ncommands = pytest -ra\n", False),
    ],
)
def test_environments_of_tox(new: str, is_lost: bool) -> None:
    old = b"[testenv]\ncommands = pytest\n"
    assert bool(list(changed_runs("tox.ini", old, new.encode()))) is is_lost


def test_folders_without_tests_may_be_passed() -> None:
    sides = (b"[pytest]\nnorecursedirs = .*\n", b"[pytest]\nnorecursedirs = .* art\n")
    assert [loss.rule for loss in changed_settings("pytest.ini", *sides)] == ["collection-changed"]
    assert list(changed_settings("pytest.ini", *sides, lambda _folder: False)) == []


@pytest.mark.parametrize(
    ("new", "is_lost"),
    [
        ("import os\nTESTED = 'PYTEST_CURRENT_TEST' in os.environ\n", True),
        ("import sys\nif 'unittest' in sys.modules:\n    x = 1\n", True),
        ("class A:\n    def __eq__(self, other):\n        return True\n", True),
        ("import sys\ndef f():\n    return sys._getframe(1).f_globals\n", False),
        ("class A:\n    def __eq__(self, other):\n        return isinstance(other, A)\n", False),
        ("import atexit\natexit.register(close)\n", False),
        ("import sys\nTESTING = 'test' in sys.argv[0]\n", True),
        ("import sys\nLATEST = 'latest' in sys.argv\n", False),
        ("KINDS = ['test' in name for name in names]\n", False),
        ("import __main__\nX = 'pytest' in (getattr(__main__, '__file__', '') or '')\n", True),
        ("import inspect\ndef f():\n    return any('test_' in one.function for one in inspect.stack())\n", True),
        ("import inspect\ndef f():\n    return any('app_' in one.function for one in inspect.stack())\n", False),
        ("def f(path):\n    return 2 if 'pytest-of-' in str(path) else 1\n", True),
        ("def f(fake):\n    return type(fake).__module__ == 'unittest.mock'\n", True),
        ("from importlib.util import find_spec\nX = find_spec('pytest')\n", True),
        ("from importlib.util import find_spec\nX = find_spec('numpy')  # pytest\n", False),
        ("import sys\nX = hasattr(sys, '_called_from_test')\n", True),
        ("import sys\nX = sys.gettrace() is not None\n", True),
        ("import os\nX = os.path.exists('tests/conftest.py')\n", True),
        ("import json\nX = json.loads((HERE / 'tests/data/expected.json').read_text())\n", True),
        ("NAMES = ['tests/data', 'docs/tests/a.json']\n", False),
        ("X = open('latests/a.json')\n", False),
    ],
)
def test_code_that_knows_of_tests(new: str, is_lost: bool) -> None:
    found = list(aware_code("till.py", b"x = 1\n", new.encode()))
    assert bool(found) is is_lost
    assert all(loss.waits for loss in found)
