"""Honest edits that look like what takes something away, beside the spellings that do."""

# ruff: noqa: E501 - edits stand as one text each

from __future__ import annotations

import pytest

from ledgergate.guard import Around, Edit, Loss
from ledgergate.guard.compare import compare
from ledgergate.guard.runs import changed_runs
from ledgergate.guard.settings import changed_settings

PATH = "tests/test_till.py"
HEAD = (
    "import contextlib\nimport os\nimport sys\nimport unittest\n\nimport pytest\n\nfrom till import Refused, due\n\n\n"
)
DUE = "def test_due():\n    assert due([2]) == 2\n"
IN_CLASS = "class TestTill(unittest.TestCase):\n    def test_due(self):\n        self.assertEqual(due([2]), 2)\n"
LOOP = "CASES = [1, 2, 3]\n\n\ndef test_due():\n    for one in CASES:\n        assert due([one]) == one\n"
FIXTURE = "@pytest.fixture(params=[1, 2])\ndef one(request):\n    return request.param\n\n\ndef test_due(one):\n    assert due([one]) == one\n"
TABLE = '@pytest.mark.parametrize("one", [1, 2, 3])\ndef test_due(one):\n    assert due([one]) == one\n'


def lost(old: str, new: str, path: str = PATH, around: Around | None = None) -> list[Loss]:
    return compare([Edit(path, (HEAD + old).encode(), (HEAD + new).encode())], around)


TWINS: dict[str, tuple[str, str]] = {
    "not in the place of an empty list": (DUE.replace("== 2", "== []"), DUE.replace("due([2]) == 2", "not due([2])")),
    "not in the place of no length": (DUE.replace("due([2]) == 2", "len(due([2])) == 0"), DUE.replace("due([2]) == 2", "not due([2])")),
    "not in the place of an empty text": (DUE.replace("== 2", "== ''"), DUE.replace("due([2]) == 2", "not due([2])")),
    "not in the place of == False": (DUE.replace("== 2", "== False"), DUE.replace("due([2]) == 2", "not due([2])")),
    "not in the place of False that a predicate gives": (DUE.replace("due([2]) == 2", "isinstance(due([2]), str) is False"), DUE.replace("due([2]) == 2", "not isinstance(due([2]), str)")),
    "is None in the place of not": (DUE.replace("due([2]) == 2", "not due([2])"), DUE.replace("== 2", "is None")),
    "raise_for_status in the place of nothing": (DUE, DUE.replace("    assert", "    due([3]).raise_for_status()\n    assert")),
    "a status in the place of raise_for_status": ("def test_get():\n    got = due([2])\n    got.raise_for_status()\n    assert got.json()\n", "def test_get():\n    got = due([2])\n    assert got.status_code == 200\n    assert got.json()\n"),
    "raise_for_status in a chain": ("def test_get():\n    got = due([2])\n    got.raise_for_status()\n    assert got.json()\n", "def test_get():\n    got = due([2])\n    assert got.raise_for_status().json()\n"),
    "patching a way out": (DUE, "@unittest.mock.patch('till.fetch_prices', lambda: [2])\n" + DUE),
    "patching a class": (DUE, "@unittest.mock.patch('till.Printer')\n" + DUE),
    "patching a private way out": (DUE, "@unittest.mock.patch('till._fetch_prices', lambda: [2])\n" + DUE),
    "patching what is private elsewhere": (DUE, "@unittest.mock.patch('clock._rounded', lambda: 2)\n" + DUE),
    "another decorator": ("@freeze_time('2024-02-29')\n" + DUE, "@freeze_time('2024-02-29', tick=True)\n" + DUE),
    "a longer timeout": ("@pytest.mark.timeout(5)\n" + DUE, "@pytest.mark.timeout(50)\n" + DUE),
    "a test that moved into a class": (DUE, "class TestTill:\n    def test_due(self):\n        assert due([2]) == 2\n"),
    "suppressing what no check raises": (DUE, DUE.replace("    assert", "    with contextlib.suppress(FileNotFoundError):\n        os.remove('x')\n    assert")),
    "an exit stack without suppress": (DUE, DUE.replace("    assert", "    stack = contextlib.ExitStack()\n    stack.enter_context(open('x'))\n    assert")),
    "a context manager that raises again": (DUE, "@contextlib.contextmanager\ndef told():\n    try:\n        yield\n    except AssertionError:\n        print('no')\n        raise\n\n\ndef test_due():\n    with told():\n        assert due([2]) == 2\n"),
    "a class whose exit says nothing": (DUE, "class Timed:\n    def __enter__(self):\n        return self\n\n    def __exit__(self, *error):\n        print('done')\n\n\ndef test_due():\n    with Timed():\n        assert due([2]) == 2\n"),
    "a decorator that only counts": (DUE, "def counted(test):\n    def run():\n        print('one more')\n        test()\n\n    return run\n\n\n@counted\n" + DUE),
    "a loop written with a generator": (LOOP, LOOP.replace("CASES = [1, 2, 3]", "def cases():\n    yield 1\n    yield 2\n    yield 3").replace("in CASES", "in cases()")),
    "a loop over a longer slice": (LOOP.replace("in CASES", "in CASES[:2]"), LOOP),
    "a loop over more": (LOOP, LOOP.replace("1, 2, 3", "1, 2, 3, 4")),
    "waiting in a while": (DUE, DUE.replace("    assert", "    while not os.path.exists('x'):\n        pass\n    assert")),
    "a match that takes all": (DUE, "def test_due():\n    match due([2]):\n        case got:\n            assert due([2]) == 2\n"),
    "a set-up that prepares": (IN_CLASS, IN_CLASS.replace("    def test", "    def setUp(self):\n        os.makedirs('x')\n\n    def test", 1)),
    "a set-up that skips on a platform": (IN_CLASS, IN_CLASS.replace("    def test", "    def setUp(self):\n        if sys.platform == 'win32':\n            self.skipTest('posix only')\n\n    def test", 1)),
    "a fixture of a new test that skips": (DUE, f"{DUE}\n\n@pytest.fixture\ndef server():\n    pytest.skip('none here')\n\n\ndef test_more(server):\n    assert due([3]) == 3\n"),
    "a fixture that skips where a module is missing": (FIXTURE, FIXTURE.replace("    return", "    try:\n        import numpy\n    except ImportError:\n        pytest.skip('no numpy')\n    return")),
    "more parameters of a fixture": (FIXTURE, FIXTURE.replace("[1, 2]", "[1, 2, 3]")),
    "another order of parameters": (FIXTURE, FIXTURE.replace("[1, 2]", "[2, 1]")),
    "one parameter more": (FIXTURE, FIXTURE.replace("[1, 2]", "[1, 2, 3]")),
    "a name of a parameter": (FIXTURE, FIXTURE.replace("[1, 2]", "[1, pytest.param(2, id='two')]")),
    "parameters from a constant": (FIXTURE, "ONES = [1, 2]\n\n\n" + FIXTURE.replace("params=[1, 2]", "params=ONES")),
    "needing a module that the test uses": (DUE, DUE.replace("    assert", "    numpy = pytest.importorskip('numpy')\n    print(numpy)\n    assert")),
    "a marker that only names": (DUE, DUE.replace("():", "(request):").replace("    assert", "    request.node.add_marker(pytest.mark.timeout(5))\n    assert")),
    "short circuit that is no check": (DUE, DUE.replace("    assert", "    os.path.exists('x') or os.makedirs('x')\n    assert")),
    "raising in a block with another context": (DUE, f"{DUE}\n\ndef test_raises():\n    with pytest.raises(Refused), open('x'):\n        raise Refused\n"),
    "another class of the same name in a branch": (IN_CLASS, IN_CLASS + "\n\nclass Helper:\n    pass\n"),
    "a property beside the test": (IN_CLASS, IN_CLASS + "\n    @property\n    def prices(self):\n        return [2]\n"),
    "an alias of an import": (DUE, DUE.replace("assert due", "total = due\n    assert total")),
    "an encoding": ("def test_text():\n    assert due(open('x').read()) == 2\n", "def test_text():\n    assert due(open('x', encoding='utf-8').read()) == 2\n"),
    "a value object on both sides": (DUE, "class Price:\n    def __init__(self, value):\n        self.value = value\n\n    def __eq__(self, other):\n        return self.value == other.value\n\n\ndef test_due():\n    assert Price(due([2])) == Price(2)\n"),
    "a helper method of another name": (IN_CLASS, IN_CLASS.replace("self.assertEqual(due([2]), 2)", "self.check([2], 2)\n\n    def check(self, prices, total):\n        self.assertEqual(due(prices), total)")),
    "an own assertion that checks": (IN_CLASS, IN_CLASS + "\n    def assertIn(self, one, many, msg=None):\n        assert one in many\n"),
    "patching the clock of a test case": (IN_CLASS, IN_CLASS.replace("    def test", "    def setUp(self):\n        patcher = unittest.mock.patch('time.time')\n        patcher.start()\n\n    def test", 1)),
    "a test of the same rows, renamed": (TABLE, TABLE.replace("test_due", "test_due_of_one")),
    "assert False to raises": ("def test_no():\n    try:\n        due(None)\n        assert False\n    except Refused:\n        pass\n", "def test_no():\n    with pytest.raises(Refused):\n        due(None)\n"),
    "raises or nothing, by the row": (
        '@pytest.mark.parametrize("error", [Refused, None])\ndef test_due(error):\n    if error:\n        with pytest.raises(error):\n            due(None)\n    else:\n        due(None)\n',
        '@pytest.mark.parametrize("error", [Refused, None])\ndef test_due(error):\n    expected = pytest.raises(error) if error else contextlib.nullcontext()\n    with expected:\n        due(None)\n',
    ),
    "the same test twice, once": (f"{DUE}\n\n{DUE.replace('test_due', 'test_due_again')}", DUE),
    "rows that ask by a condition": (
        "def test_due():\n    assert due([2]) == 2\n    assert due(None) is None\n",
        "@pytest.mark.parametrize(('prices', 'total'), [([2], 2), (None, None)])\ndef test_due(prices, total):\n    if total is None:\n        assert due(prices) is None\n    else:\n        assert due(prices) == total\n",
    ),
    "warns of nothing": (DUE.replace("    assert", "    with pytest.warns(None):\n        due([1])\n    assert"), DUE.replace("    assert", "    due([1])\n    assert")),
    "skipped for an old SQLite": (DUE, f"import sqlite3\n\n\n@pytest.mark.skipif(sqlite3.sqlite_version_info < (3, 35), reason='RETURNING')\n{DUE}"),
    "skipped for what is not supported": (DUE, DUE.replace("    assert", "    if not open('x').supports_links:\n        pytest.skip('no links')\n    assert")),
    "skipped where two things about the machine hold": (DUE, f"@pytest.mark.skipif(sys.platform == 'win32' and not os.environ.get('X'), reason='no links')\n{DUE}"),
    "a loop that tries again and fails in the end": (DUE, "def test_due():\n    for _ in range(3):\n        try:\n            assert due([2]) == 2\n            return\n        except AssertionError:\n            os.sync()\n    pytest.fail('never')\n"),
    "a helper that runs what it is given": (DUE, "def timed(check):\n    print('begin')\n    check()\n\n\ndef test_due():\n    def check():\n        assert due([2]) == 2\n\n    timed(check)\n"),
    "a lambda that a helper runs": (DUE, "def timed(run):\n    return run()\n\n\ndef check(prices, total):\n    assert due(prices) == total\n\n\ndef test_due():\n    timed(lambda: check([2], 2))\n"),
    "another name of a helper": (DUE, "def check(prices, total):\n    assert due(prices) == total\n\n\ndef test_due():\n    run = check\n    run([2], 2)\n"),
    "a thread whose result is asked for": (DUE, "def test_due(pool):\n    def check():\n        assert due([2]) == 2\n\n    pool.submit(check).result()\n"),
    "a coroutine that is awaited": ("@pytest.mark.asyncio\nasync def test_due():\n    assert await due([2]) == 2\n", "async def check():\n    assert await due([2]) == 2\n\n\n@pytest.mark.asyncio\nasync def test_due():\n    await check()\n"),
    "a class whose exit hands on": (DUE, "class Held:\n    def __enter__(self):\n        return self.stack.__enter__()\n\n    def __exit__(self, *error):\n        return self.stack.__exit__(*error)\n\n\ndef test_due():\n    with Held():\n        assert due([2]) == 2\n"),
    "a context that a fixture gives": (DUE, "@pytest.fixture\ndef opened():\n    return contextlib.closing(open('x'))\n\n\ndef test_due(opened):\n    with opened:\n        assert due([2]) == 2\n"),
    "one check or the other": (DUE, "def test_due(mode):\n    if mode == 'all':\n        assert due([2]) == 2\n    else:\n        assert due([2, 0]) == 2\n        assert due([2]) == 2\n"),
    "a fake that ends": (DUE, DUE.replace("    assert", "    def ends():\n        raise SystemExit\n\n    print(ends)\n    assert")),
    "an end that is caught": (DUE, DUE.replace("    assert", "    try:\n        raise KeyboardInterrupt\n    except KeyboardInterrupt:\n        pass\n    assert")),
    "another process is killed": (DUE, DUE.replace("    assert", "    child = os.spawnl(os.P_NOWAIT, 'x')\n    os.kill(child, 9)\n    assert")),
    "a loop over numbers": ("def test_due():\n    for one in [0, 1, 2]:\n        assert due([one]) == one\n", "def test_due():\n    for one in range(3):\n        assert due([one]) == one\n"),
    "a loop over what its name stood for": (LOOP, LOOP.replace("def test_due():\n", "def test_due():\n    rows = sorted(CASES)\n    rows = list(rows)\n")),
    "a name that stands for itself": (DUE, DUE.replace("    assert", "    got = due\n    got = got or got\n    for one in got(got):\n        got = got(one) and got\n        if got and not got:\n            print(got)\n    assert")),
    "a value that is fetched on both sides": (DUE, DUE.replace("due([2]) == 2", "list(due([2])) == list(2)")),
    "a bound that is refused": ("def test_due():\n    assert due([2]) >= 0\n", "def test_due():\n    got = due([2])\n    if got < 0:\n        pytest.fail('less than nothing')\n    assert due([2]) >= 0\n"),
    "a failure that says more": (IN_CLASS, IN_CLASS + "\n    def fail(self, msg=None):\n        raise self.failureException(f'till: {msg}')\n"),
    "a loop counted": (LOOP, LOOP.replace("for one in CASES", "for number, one in enumerate(CASES)")),
    "the sources come first": (DUE, "sys.path.insert(0, os.path.join(os.path.dirname(__file__), '..', 'src'))\n\n\n" + DUE),
    "a module that is not there": (DUE, DUE.replace("    assert", "    with unittest.mock.patch.dict(sys.modules, {'numpy': None}):\n        assert due([1]) == 1\n    assert")),
    "modules that are needed and used": (DUE, "numpy = pytest.importorskip('numpy')\n\n\n" + DUE + "    assert numpy.int64(2) == 2\n"),
    "a requirement with a name": (DUE, "def requires_numpy(test):\n    return pytest.mark.skipif('numpy' not in sys.modules, reason='no numpy')(test)\n\n\n@requires_numpy\n" + DUE),
    "skipped only elsewhere": (DUE, "@pytest.mark.skipif(sys.platform.startswith('win') or os.name == 'nt', reason='links')\n" + DUE),
    "a mark of the file that only names": (DUE, "pytestmark = [pytest.mark.unit]\npytestmark.append(pytest.mark.timeout(5))\n\n\n" + DUE),
    "a handler with a name of its own": (DUE, "try:\n    import numpy\nexcept ImportError as error:\n    print(error)\n\n\n" + DUE),
    "a table of names": (LOOP, LOOP.replace("[1, 2, 3]", "[1, 2, 3]\nNAMES = {'one': 1}\nNAMES.pop('one')")),
}  # fmt: skip


@pytest.mark.parametrize("name", TWINS)
def test_an_honest_edit_is_none(name: str) -> None:
    assert [(loss.rule, loss.message) for loss in lost(*TWINS[name])] == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", "if sys.version_info < (3, 12):\n    collect_ignore = ['test_new.py']\n"),
        (
            "collect_ignore = []\n",
            "collect_ignore = []\nif sys.version_info < (3, 12):\n    collect_ignore.append('test_new.py')\n",
        ),
        ("", "@pytest.fixture\ndef till():\n    return due\n"),
        ("", "@pytest.fixture(autouse=True)\ndef zone(monkeypatch):\n    monkeypatch.setenv('TZ', 'UTC')\n"),
        (
            "",
            "@pytest.hookimpl(wrapper=True)\ndef pytest_runtest_makereport(item, call):\n    report = yield\n    item.report = report\n    return report\n",
        ),
        ("", "sys.path.insert(0, 'src')\n"),
    ],
)
def test_an_honest_conftest_is_none(old: str, new: str) -> None:
    assert [(loss.rule, loss.message) for loss in lost(old, new, "tests/conftest.py")] == []


def test_a_test_that_stands_elsewhere_too_is_not_lost() -> None:
    other = ("tests/test_other.py", (HEAD + DUE).encode())
    around = Around(defining=lambda _name: [other])
    assert lost(DUE, "", around=around) == []
    assert [loss.rule for loss in lost(DUE, "", around=around._replace(is_looked_into=lambda _path: False))] == [
        "test-removed"
    ]


CONFTESTS = {
    "a marker that is told of": "def pytest_configure(config):\n    config.addinivalue_line('markers', 'slow: takes long')\n",
    "a mark about time": "import pytest\n\n\ndef pytest_collection_modifyitems(items):\n    for item in items:\n        item.add_marker(pytest.mark.timeout(5))\n",
    "tests for each of some values": "def pytest_generate_tests(metafunc):\n    metafunc.parametrize('one', [1, 2])\n",
    "the sources come first": "import pathlib\nimport sys\n\nsys.path.insert(0, str(pathlib.Path(__file__).parent.parent / 'src'))\n",
    "an exit with a failure": "import sys\n\nif sys.version_info < (3, 11):\n    sys.exit('Python 3.11 is needed')\n",
}


@pytest.mark.parametrize("name", CONFTESTS)
def test_another_honest_conftest_is_none(name: str) -> None:
    assert [loss.message for loss in compare([Edit("tests/conftest.py", None, CONFTESTS[name].encode())])] == []


WORKFLOW = "on: [push]\njobs:\n  t:\n    steps:\n      - name: Tests\n        run: pytest\n      - name: Docs\n        run: make docs\n"


@pytest.mark.parametrize(
    "new",
    [
        WORKFLOW.replace("run: make docs", "if: matrix.docs\n        run: make docs"),
        WORKFLOW.replace("run: pytest", "run: set -o pipefail; pytest | tee log"),
        WORKFLOW.replace("run: pytest", "shell: bash\n        run: pytest | tee log"),
        WORKFLOW.replace("[push]", "[push, workflow_dispatch]"),
        WORKFLOW.replace("make docs", "exit 0"),
    ],
)
def test_an_honest_workflow_is_none(new: str) -> None:
    assert list(changed_runs(".github/workflows/ci.yml", WORKFLOW.encode(), new.encode())) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("run: pytest", "if: github.repository == 'o/r'\n        run: pytest"),
        ("run: pytest", "run: pytest | tee log"),
        ("run: pytest", "run: exit 0 && pytest"),
        ("[push]", "workflow_dispatch"),
    ],
)
def test_a_workflow_that_runs_tests_less_is_told(old: str, new: str) -> None:
    after = WORKFLOW.replace(old, new).encode()
    assert {loss.rule for loss in changed_runs(".github/workflows/ci.yml", WORKFLOW.encode(), after)} == {
        "collection-changed"
    }


@pytest.mark.parametrize(
    ("options", "is_told"),
    [
        ("-q tests/unit", True),
        ("tests/test_x.py", True),
        ("--version", True),
        ("-p tests.quiet", True),
        ("-p xdist", False),
        ("--cov tests/unit", False),
        ("-q --durations 5", False),
    ],
)
def test_options_for_some_of_the_tests_are_told(options: str, is_told: bool) -> None:
    old, new = "[pytest]\n", f"[pytest]\naddopts = {options}\n"
    assert bool(list(changed_settings("pytest.ini", old.encode(), new.encode()))) is is_told
