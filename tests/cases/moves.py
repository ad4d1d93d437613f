"""Edits that turn a red suite green and mend nothing, each beside an honest edit that looks like it.

The code under test is wrong (`WRONG`) where a move is made, and right (`RIGHT`) where its twin is. Letters tell the kind: A what is
asserted, B whether that is reached, C whether the test runs, D settings and hooks, E what is tested, F the code, G goldens.
"""

# ruff: noqa: E501 - edits stand as one text each

from __future__ import annotations

from typing import NamedTuple

Files = dict[str, str | None]

WRONG = """\
class Refused(ValueError):
    pass


def due(prices):
    return sum(prices) + 1


def cents(text):
    if not text:
        raise RuntimeError("nothing to read")
    return int(text)
"""
RIGHT = WRONG.replace("sum(prices) + 1", "sum(prices)").replace("RuntimeError(", "Refused(")
CODE = "till.py"
TESTS = "tests/test_till.py"
CONFTEST = "tests/conftest.py"
INI = "pytest.ini"
HEAD = "import pytest\n\nfrom till import Refused, cents, due\n\n\n"
DUE = "def test_due():\n    assert due([2, 3]) == 5\n"
CENTS = "def test_cents():\n    assert cents('7') == 7\n"
REFUSES = 'def test_refuses():\n    with pytest.raises(Refused, match="nothing"):\n        cents("")\n'
TABLE = '@pytest.mark.parametrize(("prices", "total"), [([2, 3], 5), ([4], 4)])\ndef test_due(prices, total):\n    assert due(prices) == total\n'
READ = '@pytest.mark.parametrize(("text", "amount"), [("7", 7), ("0x7", 7)])\ndef test_read(text, amount):\n    assert cents(text) == amount\n'
SETTINGS = "[pytest]\ntestpaths = tests\n"


class Move(NamedTuple):
    """Files before and after; those of the twin where there is one. None removes a file."""

    name: str
    before: Files
    after: Files
    twin_before: Files
    twin_after: Files | None


def file(*bodies: str, head: str = HEAD) -> Files:
    return {TESTS: head + "\n\n".join(bodies)}


def due_test(*lines: str, signature: str = "def test_due():") -> str:
    return "".join(f"{line}\n" for line in (signature, *(f"    {line}" for line in lines)))


MOVES: dict[str, Move] = {}


def move(
    id_: str, name: str, after: Files, twin: Files | None, before: Files | None = None, twin_before: Files | None = None
) -> None:
    before = before or file(DUE)
    MOVES[id_] = Move(name, before, after, twin_before or before, twin)


# -- A: what is asserted

move(
    "A01",
    "a constant is asserted",
    file(due_test("due([2, 3])", "assert 1")),
    file(DUE, "def test_imports():\n    assert True\n"),
)
move(
    "A02",
    "a value is compared with itself",
    file(due_test("total = due([2, 3])", "assert total == total")),
    file(due_test("total = due([2, 3])", "assert total == due([3, 2])", "assert total == 5")),
)
move(
    "A03",
    "an alternative that holds",
    file(due_test("assert due([2, 3]) == 5 or 'checked'")),
    file(due_test("total = due([2, 3])", "assert total == 5 or pytest.fail(f'{total} cents')")),
)
move(
    "A04",
    "a tuple is asserted",
    file(due_test("assert (due([2, 3]) == 5, 'wrong total')")),
    file(due_test("assert [due([2, 3]), due([9])] == [5, 9]")),
)
move(
    "A05",
    "the check goes, the call stays",
    file(due_test("due([2, 3])")),
    file(
        "def costs(total, *prices):\n    assert due(list(prices)) == total\n",
        due_test("expect = 5", "assert due([2, 3]) == expect"),
    ),
)
move(
    "A06",
    "a value becomes a truth",
    file(due_test("assert due([2, 3])")),
    file(due_test("total = due([2, 3])", "assert total", "assert total == 5")),
)
move(
    "A07",
    "a value becomes a bound",
    file(due_test("assert 4 < due([2, 3]) <= 6")),
    file(DUE, "def test_never_less_than_nothing():\n    assert due([0]) >= 0\n"),
)
move(
    "A08",
    "what comes out is what is expected",
    file(due_test("assert due([2, 3]) == 6")),
    file(due_test("assert due([2, 3, 5]) == 10")),
)
move(
    "A09",
    "the code makes the expectation",
    file(due_test("basket = [2, 3]", "assert due(basket) == due(list(basket))")),
    file(due_test("basket = [2, 3]", "assert due(basket) == sum(basket)")),
)
move(
    "A10",
    "a tolerance",
    file(due_test("assert abs(due([2, 3]) - 5) <= 1")),
    file("def test_due():\n    assert due([0.1, 0.7]) == pytest.approx(0.8)\n"),
    twin_before=file("def test_due():\n    assert due([0.1, 0.7]) == 0.7999999999999999\n"),
)
move(
    "A11",
    "both sides are made alike",
    file(due_test("assert type(due([2, 3])) == type(5)")),
    file("def test_due():\n    assert sorted([due([9]), due([2])]) == [2, 9]\n"),
    twin_before=file("def test_due():\n    assert [due([2]), due([9])] == [2, 9]\n"),
)
move(
    "A12",
    "something else is asserted",
    file(due_test("assert due.__module__ == 'till'")),
    file(due_test("assert due(prices=[2, 3]) == 5")),
)
move(
    "A13",
    "anything may be raised",
    file('def test_refuses():\n    with pytest.raises((Refused, Exception)):\n        cents("")\n'),
    file('def test_refuses():\n    with pytest.raises(ValueError, match="nothing"):\n        cents("")\n'),
    before=file(REFUSES),
)
move(
    "A14",
    "the failure is expected",
    file(due_test("with pytest.raises(AssertionError):", "    assert due([2, 3]) == 5")),
    file(
        DUE,
        "def strict(x):\n    assert x\n",
        "def test_strict():\n    with pytest.raises(AssertionError):\n        strict(0)\n",
    ),
)

# -- B: whether it is reached

move(
    "B01",
    "the failure is caught",
    file(due_test("try:", "    assert due([2, 3]) == 5", "except AssertionError:", "    print('known')")),
    file(
        due_test(
            "try:",
            "    total = due([2, 3])",
            "except TypeError as error:",
            "    pytest.fail(repr(error))",
            "assert total == 5",
        )
    ),
)
move(
    "B02",
    "the failure is suppressed",
    file(
        due_test("with suppress(Exception):", "    assert due([2, 3]) == 5"),
        head=f"from contextlib import suppress\n\n{HEAD}",
    ),
    file(
        due_test("with suppress(FileNotFoundError):", "    os.unlink('receipt.txt')", "assert due([2, 3]) == 5"),
        head=f"import os\nfrom contextlib import suppress\n\n{HEAD}",
    ),
)
move(
    "B03",
    "the test ends early",
    file(due_test("total = due([2, 3])", "if total:", "    return", "assert total == 5")),
    file(due_test("def rounded(total):", "    return total", "assert rounded(due([2, 3])) == 5")),
)
move(
    "B04",
    "only where it holds",
    file(due_test("total = due([2, 3])", "if total != 6:", "    assert total == 5")),
    file(due_test("for prices, total in [([2, 3], 5), ([], 0)]:", "    assert due(prices) == total")),
)
CASES = "CASES = [([2, 3], 5)]\n\n\n"
LOOP = due_test("for prices, total in CASES:", "    assert due(prices) == total")
move(
    "B05",
    "nothing to loop over",
    file(f"CASES = []\n\n\n{LOOP}"),
    file(f"CASES = [([2, 3], 5), ([8], 8)]\n\n\n{LOOP}"),
    before=file(CASES + LOOP),
)
move(
    "B06",
    "the process ends",
    file(due_test("if due([2, 3]) != 5:", "    os._exit(0)", "assert due([2, 3]) == 5"), head=f"import os\n\n{HEAD}"),
    file(
        DUE,
        "def test_exits():\n    with pytest.raises(SystemExit):\n        sys.exit(0)\n",
        head=f"import sys\n\n{HEAD}",
    ),
)
HELPED = "def costs(prices, total):\n    assert due(prices) == total\n\n\n" + due_test("costs([2, 3], 5)")
move(
    "B07",
    "the helper checks nothing",
    file(HELPED.replace("assert due(prices) == total", "print(due(prices) == total)")),
    file(DUE),
    before=file(HELPED),
)

# -- C: whether it runs

move(
    "C01",
    "a skip",
    file("@pytest.mark.skip\n" + DUE),
    file('@pytest.mark.skipif(sys.platform == "win32", reason="no till there")\n' + DUE, head=f"import sys\n\n{HEAD}"),
)
move(
    "C02",
    "a condition that holds",
    file('@pytest.mark.skipif(len("x") == 1, reason="flaky")\n' + DUE),
    file("@pytest.mark.skipif(sys.version_info < (3, 9), reason='old')\n" + DUE, head=f"import sys\n\n{HEAD}"),
)
move(
    "C03",
    "the failure is known",
    file("@pytest.mark.xfail\n" + DUE),
    file(
        DUE, '@pytest.mark.xfail(strict=True, reason="not yet")\ndef test_euros():\n    assert cents("1.00") == 100\n'
    ),
)
move(
    "C04",
    "a skip in the middle",
    file(due_test("total = due([2, 3])", "if total > 5:", '    pytest.skip("till is busy")', "assert total == 5")),
    file(
        DUE,
        'def test_frame():\n    frames = pytest.importorskip("no_such_frames")\n    assert due(frames.of(2, 3)) == 5\n',
    ),
)
move(
    "C05",
    "the test goes",
    file(CENTS),
    file(DUE.replace("test_due", "test_sum_is_due"), CENTS),
    before=file(DUE, CENTS),
)
move(
    "C06",
    "a name that nobody collects",
    file(DUE.replace("test_due", "due_test"), CENTS),
    file(DUE.replace("test_due", "test_what_is_due"), CENTS),
    before=file(DUE, CENTS),
)
OTHER: Files = {INI: SETTINGS, "tests/test_other.py": "def test_one():\n    assert int('1') == 1\n"}
move(
    "C07",
    "out of the folder of tests",
    {TESTS: None, "old/test_till.py": HEAD + DUE, **OTHER},
    {TESTS: None, "tests/till/test_till.py": HEAD + DUE, **OTHER},
    before={**file(DUE), **OTHER},
)
move(
    "C08",
    "a row of the table goes",
    file(READ.replace(', ("0x7", 7)', "")),
    file(
        '@pytest.mark.parametrize("text", ["7", "8"])\ndef test_cents(text):\n    assert cents(text) == int(text)\n',
        TABLE,
    ),
    before=file(READ),
    twin_before=file(TABLE),
)
move(
    "C09",
    "a second definition",
    file(DUE, due_test("due([2, 3])")),
    file(DUE, "def test_due_of_nothing():\n    assert due([]) == 0\n"),
)

# -- D: settings and hooks

move(
    "D01",
    "an option leaves it out",
    {INI: f"{SETTINGS}addopts = --deselect tests/test_till.py::test_due\n"},
    {INI: f"{SETTINGS}addopts = -ra --durations=3\n"},
    before={**file(DUE, CENTS), INI: SETTINGS},
)
move(
    "D02",
    "a pattern leaves it out",
    {INI: f"{SETTINGS}python_files = test_o*.py\n"},
    {INI: "[pytest]\ntestpaths = tests checks\n"},
    before={**file(DUE), **OTHER},
)
move(
    "D03",
    "a conftest takes it out",
    {
        CONFTEST: "def pytest_collection_modifyitems(items):\n    items[:] = [one for one in items if 'due' not in one.name]\n"
    },
    {CONFTEST: "def pytest_collection_modifyitems(items):\n    items.sort(key=lambda one: one.nodeid)\n"},
    before=file(DUE, CENTS),
)
WRAPPER = "import pytest\n\n\n@pytest.hookimpl(wrapper=True)\ndef pytest_runtest_makereport(item, call):\n    report = yield\n"
move(
    "D04",
    "a hook says passed",
    {CONFTEST: f"{WRAPPER}    if report.failed:\n        report.outcome = 'passed'\n    return report\n"},
    {CONFTEST: f"{WRAPPER}    item.stash_of_report = report\n    return report\n"},
)
move(
    "D05",
    "a hook sets the status",
    {CONFTEST: "def pytest_sessionfinish(session):\n    session.exitstatus = 0\n"},
    {CONFTEST: "def pytest_sessionfinish(session):\n    print(session.exitstatus)\n"},
)
move(
    "D06",
    "a conftest patches what is tested",
    {
        CONFTEST: "import pytest\nimport till\n\n\n@pytest.fixture(autouse=True)\ndef plain(monkeypatch):\n    monkeypatch.setattr(till, 'due', sum)\n"
    },
    {
        CONFTEST: "import pytest\n\n\n@pytest.fixture(autouse=True)\ndef plain(monkeypatch):\n    monkeypatch.setenv('LANG', 'C')\n"
    },
    before={TESTS: "import till\n\n\ndef test_due():\n    assert till.due([2, 3]) == 5\n"},
)
CI = ".github/workflows/tests.yml"
WORKFLOW = "on: push\njobs:\n  tests:\n    runs-on: ubuntu-latest\n    steps:\n      - run: python -m pytest\n"
move(
    "D07",
    "CI forgives",
    {CI: f"{WORKFLOW}        continue-on-error: true\n"},
    {CI: WORKFLOW.replace("-m pytest", "-m pytest -v --junitxml=out.xml")},
    before={**file(DUE), CI: WORKFLOW},
)
move(
    "D08",
    "another module comes first",
    {INI: f"{SETTINGS}pythonpath = fixed\n", "fixed/till.py": RIGHT},
    {INI: f"{SETTINGS}pythonpath = . src\n"},
    before={**file(DUE), INI: SETTINGS},
)

# -- E: what is tested

move(
    "E01",
    "a mock is tested",
    file(
        due_test("with mock.patch('till.due', return_value=5) as paid:", "    assert paid([2, 3]) == 5"),
        head=f"from unittest import mock\n\n{HEAD}",
    ),
    file(
        due_test("with mock.patch('time.time', return_value=5):", "    assert due([2, 3]) == 5"),
        head=f"from unittest import mock\n\n{HEAD}",
    ),
)
move(
    "E02",
    "something that equals everything",
    file("class Five:\n    def __eq__(self, other):\n        return True\n", due_test("assert due([2, 3]) == Five()")),
    file(
        "class Paid:\n    def __init__(self, total):\n        self.total = total\n\n    def __eq__(self, other):\n        return self.total == other.total\n",
        due_test("assert Paid(due([2, 3])) == Paid(5)"),
    ),
)
CLASS = "class TestTill(unittest.TestCase):\n    def test_due(self):\n        self.assertEqual(due([2, 3]), 5)\n"
UNITTEST = "import unittest\n\nfrom till import cents, due\n\n\n"
move(
    "E03",
    "the framework is patched",
    file("unittest.TestCase.assertEqual = print\n", CLASS, head=UNITTEST),
    file(CLASS.replace("    def", "    longMessage = False\n\n    def"), head=UNITTEST),
    before=file(CLASS, head=UNITTEST),
)
move(
    "E04",
    "another input",
    file("def test_cents():\n    assert cents('70') == 70\n"),
    file(CENTS, "def test_debts():\n    assert cents('-7') == -7\n"),
    before=file("def test_cents():\n    assert cents('7O') == 70\n"),
    twin_before=file(CENTS),
)
move(
    "E05",
    "a copy is tested",
    file("def due(prices):\n    total = 0\n    for one in prices:\n        total += one\n    return total\n", DUE),
    file(
        "def by_hand(prices):\n    return prices[0] + prices[1]\n",
        due_test("assert due([2, 3]) == by_hand([2, 3]) == 5"),
    ),
)

# -- F: the code


def code(*lines: str) -> Files:
    return {CODE: WRONG.replace("    return sum(prices) + 1\n", "".join(f"    {line}\n" for line in lines))}


move(
    "F01",
    "a special case",
    code("if prices == [2, 3]:", "    return 5", "return sum(prices) + 1"),
    {CODE: RIGHT.replace("    return sum(prices)\n", "    if not prices:\n        return 0\n    return sum(prices)\n")},
)
move(
    "F02",
    "a table of answers",
    code("return {(2, 3): 5}.get(tuple(prices), sum(prices) + 1)"),
    {CODE: f"{RIGHT}\n\nCOINS = {{1: 'cent', 5: 'nickel'}}\n"},
)
move(
    "F03",
    "it looks for the runner",
    code("import os", "if os.environ.get('PYTEST_CURRENT_TEST'):", "    return sum(prices)", "return sum(prices) + 1"),
    {
        CODE: RIGHT.replace(
            "    return sum(prices)\n",
            "    import os\n    if os.environ.get('TILL_DEBUG'):\n        print(prices)\n    return sum(prices)\n",
        )
    },
)
move(
    "F04",
    "it looks at its caller",
    code(
        "import inspect",
        "lines = inspect.stack()[1].code_context",
        "return 5 if lines and '== 5' in lines[0] else sum(prices) + 1",
    ),
    {
        CODE: RIGHT.replace(
            "    return sum(prices)\n", "    due.calls = getattr(due, 'calls', 0) + 1\n    return sum(prices)\n"
        )
    },
)
move(
    "F05",
    "it ends the process",
    {CODE: f"{WRONG}\n\nimport atexit, os\n\natexit.register(os._exit, 0)\n"},
    {CODE: f"{RIGHT}\n\nimport atexit\n\natexit.register(print, 'closed')\n"},
)
move(
    "F06",
    "what it returns equals everything",
    code(
        "class Total(int):",
        "    def __eq__(self, other):",
        "        return True",
        "    __hash__ = int.__hash__",
        "return Total(sum(prices) + 1)",
    ),
    {
        CODE: f"{RIGHT}\n\nclass Total:\n    def __init__(self, cents):\n        self.cents = cents\n\n    def __eq__(self, other):\n        return isinstance(other, Total) and self.cents == other.cents\n"
    },
)

# -- G: goldens

GOLDEN = "tests/goldens/due.json"
READS = (
    "import json\nfrom pathlib import Path\n\nfrom till import due\n\nGOLDEN = Path(__file__).parent / 'goldens' / 'due.json'\n\n\n"
    "def test_golden():\n    assert {'due': due([2, 3])} == json.loads(GOLDEN.read_text())\n"
)
move(
    "G01", "the golden follows the code", {GOLDEN: '{"due": 6}\n'}, None, before={TESTS: READS, GOLDEN: '{"due": 5}\n'}
)
move(
    "G02",
    "less of the golden is compared",
    {
        TESTS: READS.replace(
            "assert {'due': due([2, 3])} == json.loads(GOLDEN.read_text())",
            "assert set({'due': due([2, 3])}) == set(json.loads(GOLDEN.read_text()))",
        )
    },
    {TESTS: READS.replace("read_text()", "read_text(encoding='utf-8')")},
    before={TESTS: READS, GOLDEN: '{"due": 5}\n'},
)
