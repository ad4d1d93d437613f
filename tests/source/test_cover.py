"""Edits of a test file: those that could change whether a pinned test fails change its digest, their twins do not."""

from __future__ import annotations

import ast
import textwrap

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ledgergate.source.inline import covered_text, differ_in_layout_only, inline_digest
from ledgergate.source.text import Unreadable

FUNCTION = '''\
"""Sums."""
import os
import pytest
from app import add
from helpers import compare
from pytest import fixture as fixed

LIMITS = {"low": 1}
CASES = [1, 2]


def helper(x):
    return deeper(x)


def deeper(x):
    return add(x, 1)


def unrelated(x):
    return x


def parse(text):
    return text


class Record:
    def __init__(self, value):
        self.value = value


@pytest.fixture
def number():
    return 1


@pytest.mark.parametrize("x", CASES)
def test_sum(x, number):
    """The sum of parse and unrelated."""
    result = helper(number)
    compare(result, 2)
    assert result == LIMITS["low"] + 1


@pytest.mark.parametrize("x", [1])
def test_other(x):
    result = unrelated(x)
    assert result == 1


class TestMore:
    size = 1

    def test_more(self):
        assert parse("x") == "x"
'''


def digest(source: str, *names: str) -> str:
    found = inline_digest(source.encode(), names)
    assert isinstance(found, str), found
    return found


def appended(text: str) -> tuple[str, str]:
    return "", text


# (what is replaced, by what); an empty first text: appended to the file.
ATTACKS: list[tuple[str, str]] = [
    ("== LIMITS", ">= LIMITS"),
    ("    compare(result, 2)\n", ""),
    ("return deeper(x)", "return 2"),
    ("return add(x, 1)", "return 2"),
    ('{"low": 1}', '{"low": 2}'),
    ("CASES = [1, 2]", "CASES = []"),
    ("from app import add\n", "add = lambda x, y: 2\n"),
    ("from helpers import compare", "from helpers import ignore as compare"),
    ("    return 1\n", "    return 2\n"),
    ("self.value = value", "self.value = 2"),
    ('"""Sums."""', '"""Sums. PYTEST_DONT_REWRITE"""'),
    ('"""The sum', '"""A sum'),
    ('@pytest.mark.parametrize("x", CASES)\n', "@pytest.mark.skip\n"),
    ("def test_sum(", "async def test_sum("),
    ("    assert result == LIMITS", "    return\n    assert result == LIMITS"),
    *map(
        appended,
        [
            # later bindings of what the test uses
            "def helper(x): return 2",
            "def deeper(x): return 2",
            "helper = print",
            "from helpers import helper",
            "from helpers import *",
            "import helper",
            "deeper: object = print",
            "CASES += [3]",
            "CASES *= 0",
            "del CASES[0]",
            "del test_sum",
            "test_sum = None",
            "test_sum.__test__ = False",
            "helper.__code__ = print.__code__",
            "LIMITS['low'] = 2",
            "LIMITS.update(low=2)",
            "for helper in [print]: pass",
            "with open('x') as helper: pass",
            "try: x()\nexcept Exception as helper: pass",
            "if (helper := print): pass",
            "match print:\n    case helper: pass",
            "[helper := print for _ in [1]]",
            "class helper: pass",
            "def compare(a, b): pass",
            "def add(a, b): return 2",
            "def AssertionError(*a): return pytest.skip.Exception()",
            # from within other functions
            "def unused():\n    global helper\n    helper = print",
            "def test_first():\n    global deeper\n    deeper = print",
            "def test_first():\n    global compare\n    from helpers import compare",
            "class TestFirst:\n    def test_a(self):\n        global helper\n        helper = print",
            "class TestFirst:\n    global helper\n    helper = print\n    def test_a(self): pass",
            "def test_first():\n    LIMITS['low'] = 2",
            "def test_first():\n    CASES.clear()",
            "def test_first():\n    helper.__code__ = print.__code__",
            "def test_first():\n    setattr(helper, '__code__', print.__code__)",
            "def test_first():\n    def inner():\n        LIMITS['low'] = 2\n    inner()",
            "def test_first():\n    globals()['helper'] = print",
            "def test_first():\n    exec('global helper; helper = print')",
            "def test_first():\n    import sys\n    sys.modules[__name__].helper = print",
            "def unused():\n    test_sum.__globals__['helper'] = print",
            # from within other tests, by what pytest hands them
            "def test_first(request):\n    request.module.unrelated = print",
            "def test_first(request):\n    request.node.parent.obj.unrelated = print",
            "def test_first(request):\n    request.node.getparent(pytest.Module).obj.unrelated = print",
            "def test_first(request):\n    setattr(request.node.parent.obj, 'add', print)",
            "def test_first(request):\n    vars(request.node.parent.obj).update(add=print)",
            "def test_first(request):\n    request.session.shouldstop = 'x'",
            "def test_first(request):\n    request.session.items.clear()",
            "def test_first(request):\n    del request.session.items[1:]",
            "def test_first(request):\n    for item in request.session.items:\n        item.obj = print",
            "def test_first(request):\n    run = request.node.session\n    run.items[-1].obj = print",
            "def test_first(request):\n    def later():\n        request.session.items[-1].obj = print\n    later()",
            "@pytest.fixture\ndef wide(request):\n    request.node.parent.parent.obj.unrelated = print",
            # what acts unasked
            "print()",
            "x = 1",
            "x: int = 1",
            "assert True",
            "if True: pass",
            "while False: pass",
            "pytestmark = pytest.mark.skip",
            "pytest_plugins = ['evil']",
            "import evil",
            "if True:\n    import evil",
            "pytest.skip(allow_module_level=True)",
            "raise SystemExit",
            "def setup_module(): pass",
            "def teardown_function(): pass",
            "def setUpModule(): pass",
            "def pytest_generate_tests(metafunc): pass",
            "def pytest_runtest_call(item): pass",
            "def load_tests(*a): return []",
            "def __getattr__(name): return print",
            "def __dir__(): return []",
            "@pytest.fixture(autouse=True)\ndef patch(monkeypatch): monkeypatch.setattr('app.add', print)",
            "@pytest.fixture(autouse=True)\ndef test_fixture(): pass",
            "@pytest.fixture\ndef x(): return 2",
            "@fixed(autouse=True)\ndef test_fixture(): pass",
            "@evil\ndef unused(): pass",
            "class Evil(type): pass",
            "class Unused:\n    def method(self): pass",
            # other tests that act when the file is imported
            "def evil(f): return f\n@evil\ndef test_first(): pass",
            "@unrelated\ndef test_first(): pass",
            "@pytest.mark.parametrize('x', [unrelated(1)])\ndef test_first(x): pass",
            "@pytest.mark.parametrize('x', [exec('helper = print')])\ndef test_first(x): pass",
            "@pytest.mark.parametrize('x', [setattr(os, 'sep', 1)])\ndef test_first(x): pass",
            "@pytest.mark.parametrize('x', [helper := print])\ndef test_first(x): pass",
            "@pytest.mark.parametrize('x', [CASES.clear()])\ndef test_first(x): pass",
            "@(lambda f: evil(f))\ndef test_first(): pass",
            "def test_first(x=unrelated(1)): pass",
            "def test_first(x=(helper := print)): pass",
            "def test_first(x: unrelated(1)): pass",
            "def test_first() -> unrelated(1): pass",
            "def unused(x=unrelated(1)): pass",
            "def unused(*, x=(helper := print)): pass",
            "class TestFirst(unrelated(1)):\n    def test_a(self): pass",
            "class TestFirst(metaclass=Evil):\n    def test_a(self): pass",
            "@unrelated\nclass TestFirst:\n    def test_a(self): pass",
            "class TestFirst:\n    print()\n    def test_a(self): pass",
            "class TestFirst:\n    x = unrelated(1)\n    def test_a(self): pass",
            "class TestFirst:\n    helper.x = 1\n    def test_a(self): pass",
            "class TestFirst:\n    for helper in []: pass\n    def test_a(self): pass",
            "class TestFirst:\n    class Inner:\n        print()\n    def test_a(self): pass",
            "class TestFirst:\n    class TestInner:\n        print()\n        def test_a(self): pass",
            "class TestFirst:\n    @unrelated\n    def test_a(self): pass",
            "class TestFirst:\n    def method(self, x=unrelated(1)): pass\n    def test_a(self): pass",
            "class TestFirst:\n    @unrelated\n    def method(self): pass\n    def test_a(self): pass",
            # fixtures in disguise
            "@[pytest.fixture(autouse=True)][0]\ndef test_fixture(): pass",
            "@(None or pytest.fixture(autouse=True))\ndef test_fixture(): pass",
            "@getattr(pytest, 'fixture')(autouse=True)\ndef test_fixture(): pass",
            "@evil(pytest.fixture)\ndef test_fixture(): pass",
            "@evil('fixture')\ndef test_fixture(): pass",
            "@(lambda: 0, made(autouse=True))[1]\ndef test_fixture(): pass",
            # what ends the import, or has tests skipped
            "def test_first(x=pytest.importorskip('m')): pass",
            "def test_first(x=pytest.skip('x', allow_module_level=True)): pass",
            "def test_first(x=pytest.exit('x', 0)): pass",
            "def test_first(x=os._exit(0)): pass",
            "def test_first(x=(i for i in ()).throw(SystemExit)): pass",
            "@pytest.mark.parametrize('x', [pytest.skip('x', allow_module_level=True)])\ndef test_first(x): pass",
            "@pytest.mark.parametrize('x', map(pytest.xfail, ['x']))\ndef test_first(x): pass",
            "class TestFirst:\n    m = pytest.importorskip('m')\n    def test_a(self): pass",
            # stores without statements, and calls by other ways
            "def test_first(x=[0 for os.sep in 'x']): pass",
            "def test_first(x=[0 for os.environ['x'] in 'x']): pass",
            "class TestFirst:\n    x = [0 for os.sep in 'x']\n    def test_a(self): pass",
            "def test_first(x=mock.patch('app.add').__enter__()): pass",
            "def test_first(x=made.__call__()): pass",
            "def test_first(x=mock.patch('app.add').start()): pass",
            "def test_first(x=getattr(CASES, 'cle' + 'ar')()): pass",
            # mere mentions on import
            "@pytest.mark.parametrize('x', [1], ids=unrelated)\ndef test_first(x): pass",
            "@pytest.mark.parametrize('x', [1], ids=test_other)\ndef test_first(x): pass",
            "def test_first(x=max([1], key=unrelated)): pass",
            "def test_first(x=[f() for f in [unrelated]]): pass",
            "def test_first(x=(lambda: unrelated(1))): pass",
            "def test_first(x: unrelated = 1): pass",
            "@(unrelated if 1 else 0)\ndef test_first(): pass",
            "class TestFirst:\n    f = unrelated\n    y = f()\n    def test_a(self): pass",
            "class TestFirst:\n    p = property(unrelated)\n    def test_a(self): pass",
            "def test_first(x=TestMore()): pass",
            "def test_first(x: TestMore[1] = 1): pass",
            "@TestMore.test_more\ndef test_first(): pass",
            # what Python and pytest call in classes
            *(
                f"class TestFirst:\n    def {name}(self, *a): pass\n    def test_a(self): pass"
                for name in (
                    "__init_subclass__",
                    "__class_getitem__",
                    "__set_name__",
                    "__new__",
                    "pytest_generate_tests",
                )
            ),
            "class TestFirst:\n    __getattr__ = print\n    def test_a(self): pass",
            "class TestFirst:\n    def go(f): return f\n    @go\n    def test_a(self): pass",
            "class TestFirst:\n    def go(f): return f\n    def test_a(self, x=go(1)): pass",
            "class TestFirst:\n    def go(f): return f\n    x = go(1)\n    def test_a(self): pass",
            "class TestFirst:\n    class In:\n        def __init__(self): x\n    x = In()\n    def test_a(self): x",
            # imports have places
            "def test_new():\n    import app",
        ],
    ),
    ("import os\n", "import os; helper = print\n"),
    ("def unrelated(x):\n    return x\n", "unrelated = print\n"),
    ("def unrelated(x):", "@pytest.fixture(autouse=True)\ndef unrelated():"),
    ('"""Sums."""', '# coding: latin-1\n"""Sums."""'),
]
# Edits that nothing in the test can notice.
HONEST: list[tuple[str, str]] = [
    ("    return x\n", "    return x + 1\n"),
    ("    return text\n", "    return text.strip()\n"),
    ('assert parse("x") == "x"', "pass"),
    (
        "    result = unrelated(x)\n    assert result == 1\n",
        "    result = {}\n    result['helper'] = 1\n    result.clear()\n",
    ),
    ("    size = 1\n", "    size = 2\n"),
    ('"x", [1])\ndef test_other', '"x", [1, 2, pytest.param(3, id="three")])\ndef test_other'),
    ("def test_other(x)", "async def test_other(x)"),
    ("def unrelated(x):\n    return x\n", ""),
    ("\n\n\ndef helper", "\n\n# A remark.\n\ndef helper"),
    ("return deeper(x)\n", "return deeper(x)   \n"),
    ("\n", "\r\n"),
    ("\n", "\r"),
    ('"""Sums."""', '\ufeff"""Sums."""'),
    *map(
        appended,
        [
            "def test_new(): assert add(1, 1) == 2",
            "def test_new(number): assert helper(number) == 2",
            "async def test_new(): pass",
            "@pytest.mark.parametrize(('x', 'y'), [(1, Record(2)), (3, [4])], ids=str)\ndef test_new(x, y): pass",
            "@pytest.mark.skipif(os.name == 'nt', reason='x')\ndef test_new(): pass",
            "@given(st.lists(st.integers(), max_size=3).map(tuple))\ndef test_new(x): pass",
            "@mock.patch('app.add', return_value=3)\ndef test_new(m): pass",
            "@mock.patch.object(os, 'sep', 'x')\ndef test_new(): pass",
            "def test_new(x=1, *, y: int = 2) -> None: pass",
            "def test_new():\n    global other\n    other = 1",
            "def test_new():\n    LIMITS = {}\n    LIMITS['low'] = 2",
            "def test_new(CASES):\n    CASES.clear()",
            "def test_new():\n    os.environ['A'] = 'b'",
            "def test_new():\n    x = Record(1)\n    x.value = 2\n    setattr(x, 'value', 3)",
            "def test_new():\n    assert vars() == locals()",
            "def test_new(request):\n    request.cls.x = 1",
            "def test_new(request):\n    request.node.user_properties.append(('x', 1))",
            "def test_new(request):\n    request.node.stash[1] = request.config.cache",
            "def test_new(request):\n    request.addfinalizer(print)\n    x = request.getfixturevalue('x')",
            "def test_new():\n    request = Record(1)\n    request.session['x'] = 1",
            "def unused(x): return x",
            "def unused(): return test_sum",
            "def unused(x: int = 0, *rest: str) -> None: pass",
            "async def unused(): pass",
            "class TestNew:\n    'doc'\n    x = 1\n    y: int = 2\n    def setUp(self): x\n    def test_a(self): x",
            "class TestNew:\n    def helper(self): return 2\n    def test_a(self): assert self.helper() == 2",
            "class TestNew:\n    @pytest.fixture(autouse=True)\n    def patch(self): pass\n    def test_a(self): pass",
            "class TestNew:\n    class Inner:\n        x = 1\n        def f(self): pass\n    def test_a(self): pass",
            "class TestNew(TestCase):\n    @classmethod\n    def setUpClass(cls): cls.x = 1\n    def test_a(self): x",
            # twins of what acts on import
            "@pytest.mark.skip\ndef test_new(): pass",
            "@pytest.mark.skip('x')\ndef test_new(): pass",
            "@pytest.mark.xfail(raises=ValueError)\ndef test_new(): pass",
            "@unittest.skip('x')\ndef test_new(): pass",
            "@pytest.mark.parametrize('x', [pytest.param(1, marks=pytest.mark.skip)])\ndef test_new(x): pass",
            "@pytest.mark.parametrize('x', [1], ids=repr)\ndef test_new(x): pass",
            "@pytest.mark.parametrize('path', ['tests/fixtures/a'])\ndef test_new(path): pass",
            "@pytest.mark.usefixtures('number')\ndef test_new(): pass",
            "@pytest.mark.parametrize('x', [i * 2 for i in CASES])\ndef test_new(x): pass",
            "def test_new():\n    pytest.importorskip('m')",
            "def test_new():\n    x = [0 for os.sep in 'x']\n    with mock.patch('app.add'): pass",
            "class TestNew(TestMore):\n    def test_a(self): pass",
            "class TestNew:\n    pytestmark = pytest.mark.skip\n    def test_a(self): pass",
            "class TestNew:\n    def go(self): self.back()\n    def back(self): pass\n    def test_a(self): pass",
            "# A remark.",
        ],
    ),
]


def edit(source: str, old: str, new: str) -> str:
    if not old:
        return f"{source}\n\n{new}\n"
    assert old in source
    return source.replace(old, new)


@pytest.mark.parametrize(("old", "new"), ATTACKS, ids=[f"{case[1]!r}" for case in ATTACKS])
def test_attacks(old: str, new: str) -> None:
    edited = edit(FUNCTION, old, new)
    assert inline_digest(edited.encode(), ("test_sum",)) != digest(FUNCTION, "test_sum")
    assert not differ_in_layout_only(FUNCTION.encode(), edited.encode(), ("test_sum",)) or "coding" in new


@pytest.mark.parametrize(("old", "new"), HONEST, ids=[f"{case[1]!r}" for case in HONEST])
def test_honest_twins(old: str, new: str) -> None:
    edited = edit(FUNCTION, old, new)
    assert digest(edited, "test_sum") == digest(FUNCTION, "test_sum")
    assert differ_in_layout_only(FUNCTION.encode(), edited.encode(), ("test_sum",))


METHOD = """\
import unittest
from app import add


class Base(unittest.TestCase):
    def setUp(self):
        self.low = 1


class TestShared(Base):
    def shared(self):
        return self.low

    def test_shared(self):
        self.assertEqual(self.shared(), 1)


class TestSum(TestShared):
    longMessage = True

    def check(self, x):
        self.assertEqual(x, self.wanted)

    @property
    def wanted(self):
        return 2

    def spare(self):
        return 3

    def test_sum(self):
        self.check(add(self.low, 1))

    def test_other(self):
        self.assertEqual(self.spare(), 3)

    class TestInner:
        def test_inner(self): assert add(0, 0) == 0


def test_sum():
    assert add(0, 1) == 1
"""
METHOD_ATTACKS: list[tuple[str, str]] = [
    ("self.check(add", "self.spare(add"),
    ("self.assertEqual(x, self.wanted)", "pass"),
    ("return 2", "return 3"),
    ("self.low = 1", "self.low = 2"),
    ("longMessage = True", "longMessage = False"),
    ("class TestSum(TestShared):", "@unittest.skip('x')\nclass TestSum(TestShared):"),
    ("class TestSum(TestShared):", "class TestSum(TestShared, metaclass=type):"),
    ("class TestShared(Base):", "class TestShared:"),
    ("class TestShared(Base):", "class TestShared(Base):\n    def setUp(self): pass"),
    ("    longMessage = True\n", "    longMessage = True\n    test_x = print\n"),
    *(
        ("    def spare(self):\n        return 3\n", text)
        for text in (
            "    def spare(self):\n        return 3\n\n    def assertEqual(self, a, b): pass\n",
            "    def spare(self):\n        return 3\n\n    def _baseAssertEqual(self, a, b, msg=None): pass\n",
            "    def spare(self):\n        return 3\n\n    def run(self, result=None): pass\n",
            "    def spare(self):\n        return 3\n\n    def setUp(self): self.low = 1\n",
            "    def spare(self):\n        return 3\n\n    def asyncSetUp(self): self.low = 1\n",
            "    def spare(self):\n        return 3\n\n    def __getattr__(self, name): return print\n",
            "    def spare(self):\n        return 3\n\n    def check(self, x): pass\n",
            "    def spare(self):\n        return 3\n\n    check = print\n",
            "    def spare(self):\n        return 3\n\n    @classmethod\n    def setUpClass(cls): pass\n",
            "    def spare(self):\n        type(self).check = print\n",
            "    def spare(self):\n        self.__class__.wanted = 3\n",
            "    def spare(self):\n        TestSum.check = print\n",
            "    def spare(self):\n        Base.setUp = print\n",
            "    def spare(self):\n        setattr(TestSum, 'check', print)\n",
            "    @staticmethod\n    def spare(self):\n        return 3\n",
        )
    ),
    appended("TestSum.check = print"),
    appended("del TestSum.check"),
    appended("TestSum = None"),
    appended("def unused():\n    TestSum.check = print"),
    appended("def TestSum(): pass\n"),
    # A test of the class that reaches for computed names could replace anything: it is covered, the others are not.
    ("self.assertEqual(self.spare(), 3)", "self.assertEqual(globals()['TestSum'].spare(self), 3)"),
]
METHOD_HONEST: list[tuple[str, str]] = [
    ("return 3", "return 4"),
    ("self.assertEqual(self.spare(), 3)", "pass"),
    ("self.assertEqual(self.shared(), 1)", "pass"),
    ("return self.low", "return self.low + 1"),
    ("assert add(0, 1) == 1", "pass"),
    ("assert add(0, 0) == 0", "pass"),
    (
        "    def spare(self):\n        return 3\n",
        "    def spare(self):\n        return 3\n\n    def test_new(self): pass\n",
    ),
    (
        "    def spare(self):\n        return 3\n",
        "    def spare(self):\n        return 3\n\n    def unused(self): pass\n",
    ),
    ("    def spare(self):\n        return 3\n", "    def spare(self):\n        self.check = 3\n"),
    appended("class TestNew(unittest.TestCase):\n    def check(self, x): pass\n    def test_sum(self): self.check(1)"),
]


@pytest.mark.parametrize(("old", "new"), METHOD_ATTACKS, ids=[f"{case[1]!r}" for case in METHOD_ATTACKS])
def test_attacks_on_a_method(old: str, new: str) -> None:
    edited = edit(METHOD, old, new)
    assert inline_digest(edited.encode(), ("TestSum", "test_sum")) != digest(METHOD, "TestSum", "test_sum")


def test_a_test_with_computed_names_does_not_cover_the_others() -> None:
    dynamic = METHOD.replace("self.assertEqual(self.spare(), 3)", "self.assertEqual(globals()['x'], 3)")
    edited = dynamic.replace("assert add(0, 1) == 1", "pass").replace("self.assertEqual(self.shared(), 1)", "pass")
    assert digest(edited, "TestSum", "test_sum") == digest(dynamic, "TestSum", "test_sum")
    assert digest(edited, "TestSum", "test_other") != digest(dynamic, "TestSum", "test_other")


@pytest.mark.parametrize(("old", "new"), METHOD_HONEST, ids=[f"{case[1]!r}" for case in METHOD_HONEST])
def test_honest_twins_of_a_method(old: str, new: str) -> None:
    assert digest(edit(METHOD, old, new), "TestSum", "test_sum") == digest(METHOD, "TestSum", "test_sum")


@pytest.mark.parametrize(
    ("source", "names", "expected"),
    [
        ("def f(): pass\ndef test_a(f): assert f", "test_a", "def f(): pass\ndef test_a(f): assert f"),
        ("def f(): pass\ndef test_a(): x('f')", "test_a", "def f(): pass\ndef test_a(): x('f')"),
        ("def f(): pass\ndef test_a(): x('a.f')", "test_a", "def f(): pass\ndef test_a(): x('a.f')"),
        ("def f(): pass\ndef test_a(): 'f'", "test_a", "def test_a(): 'f'"),
        ("def f(): pass\ndef test_a(): f = 1; g(f)", "test_a", "def test_a(): f = 1; g(f)"),
        ("def f(): pass\ndef test_a():\n  [f for f in x]", "test_a", "def f(): pass\ndef test_a():\n  [f for f in x]"),
        ("def f(): pass\ndef test_a():\n  def g(y=f): f = 1", "test_a", None),
        ("import me\ndef f(): pass\ndef test_a(): me.f()", "test_a", "import me\ndef f(): pass\ndef test_a(): me.f()"),
        ("def f(): pass\ndef test_a(): x.f()", "test_a", "def test_a(): x.f()"),
        ("def f(): pass\ndef test_a(): globals()", "test_a", "def f(): pass\ndef test_a(): globals()"),
        ("def f(): pass\ndef test_a(): eval(x)", "test_a", "def f(): pass\ndef test_a(): eval(x)"),
        ("def f(): pass\ndef test_a(): eval(x, {})", "test_a", "def test_a(): eval(x, {})"),
        ("def f(): pass\ndef test_a(): vars(x)", "test_a", "def test_a(): vars(x)"),
        ("def f(): g()\ndef g(): f()\ndef test_a(): f()", "test_a", "def f(): g()\ndef g(): f()\ndef test_a(): f()"),
        ("def test_a(): test_b()\ndef test_b(): pass", "test_a", "def test_a(): test_b()\ndef test_b(): pass"),
        ("def a(): pass; x = 1\ndef test_a(): pass", "test_a", "def test_a(): pass"),
        ("import a; x = 1\ndef test_a(): pass", "test_a", "import a; x = 1\ndef test_a(): pass"),
        ("def test_a(): pass\ndef test_b():\n  import c", "test_a", "def test_a(): pass\ndef test_b():\n  import c"),
        ("class T:\n  def f(self): pass\n  def test_a(self): self.f()", "T::test_a", None),
        ("class T:\n  def f(self): pass\n  def test_a(self): getattr(self, x)()", "T::test_a", None),
        ("class T:\n  def f(self): pass\n  def test_a(self): getattr(self, 'f')()", "T::test_a", None),
        ("class T(Unknown):\n  def f(self): pass\n  def test_a(self): pass", "T::test_a", None),
        ("class T:\n  def f(self): pass\n  def test_a(self): pass", "T::test_a", "class T:\n  def test_a(self): pass"),
        ("class T(\n  X,\n):\n  def test_a(self): pass", "T::test_a", "class T(\n  X,\n  def test_a(self): pass"),
        ("class T:\n  class U:\n    y = 1\n    def test_a(self): pass\n    def b(self): pass", "T::U::test_a",
         "class T:\n  class U:\n    y = 1\n    def test_a(self): pass"),
        ("class B:\n  def test_a(self): self.f()\nclass T(B):\n  def f(self): pass\n  def test_b(self): x", "T::test_a",
         "class B:\n  def test_a(self): self.f()\nclass T(B):\n  def f(self): pass"),
        ("if x:\n  def test_a(): pass\n  def test_b(): pass", "test_a", None),
        ("@a\n@b(\n  1,\n)\nasync def test_a(): x\ndef f(): x", "test_a", "@a\n@b(\n  1,\n)\nasync def test_a(): x"),
        ("def test_a():\n  x = '''a  \n\n  b'''  # c  \n\n\n", "test_a", "def test_a():\n  x = '''a\n\n  b'''  # c"),
        ("def test_a():\n  x = 1 + \\\n    2", "test_a", "def test_a():\n  x = 1 + \\\n    2"),
        ("\f\ndef test_a(): pass\f", "test_a", "def test_a(): pass"),
        ("#!/bin/python\n# vim: set fileencoding=utf-8 :\ndef test_a(): pass", "test_a",
         "# vim: set fileencoding=utf-8 :\ndef test_a(): pass"),
        ("x\n# coding: utf-8\ndef test_a(): pass", "test_a", "x\ndef test_a(): pass"),
        ("\n\n# coding: utf-8\ndef test_a(): pass", "test_a", "def test_a(): pass"),
    ],
)  # fmt: skip
def test_the_covered_lines(source: str, names: str, expected: str | None) -> None:
    """None: all of them."""
    assert covered_text(source.encode(), names.split("::")) == (source if expected is None else expected)


@pytest.mark.parametrize(
    ("source", "names", "message"),
    [
        ("def test_a(): pass\ndef test_a(): pass", "test_a", "defines test_a 2 times"),
        ("if x:\n  def test_a(): pass\nelse:\n  def test_a(): pass", "test_a", "defines test_a 2 times"),
        ("class T:\n  def test_a(self): pass\n  def test_a(self): pass", "T::test_a", "defines T::test_a 2 times"),
        ("class T: pass\nclass T:\n  def test_a(self): pass", "T::test_a", "defines 2 things of the name T"),
        ("def T(): pass", "T::test_a", "no class, but a function, of the name T"),
        ("def test_b(): pass", "test_a", "does not define the function test_a"),
        ("test_a = make()", "test_a", "does not define the function test_a"),
        ("from x import test_a", "test_a", "does not define the function test_a"),
        ("def f():\n  def test_a(): pass", "test_a", "does not define the function test_a"),
        ("class T(X): pass", "T::test_a", "does not define the function T::test_a"),
        ("class T: pass", "T", "T is a class"),
        ("", "test_a", "does not define the function test_a"),
        ("def test_a(:", "test_a", "cannot read it (line 1"),
        ("def test_a(): pass\0", "test_a", "cannot read it"),
        ("# coding: nonsense\ndef test_a(): pass", "test_a", "cannot read it"),
        ("x = " + "(" * 300 + ")" * 300, "test_a", "cannot read it"),
    ],
)
def test_what_cannot_be_covered(source: str, names: str, message: str) -> None:
    found = inline_digest(source.encode(), names.split("::"))
    assert isinstance(found, Unreadable)
    assert message in found.message


def test_bytes_that_are_no_text() -> None:
    assert isinstance(inline_digest(b"x = '\xe9'\ndef test_a(): pass", ("test_a",)), Unreadable)
    assert isinstance(inline_digest(b"# coding: latin-1\nx = '\xe9'\ndef test_a(): pass", ("test_a",)), str)


def test_an_encoding_that_hides_code_hides_nothing() -> None:
    """What Python reads is what is covered, not the bytes: here a comment that breaks its line."""
    source = b"# coding: unicode_escape\ndef test_a(): assert 1\n# \\ntest_a = None\n"
    text = covered_text(source, ("test_a",))
    assert isinstance(text, str)
    assert text.endswith("\ntest_a = None")


def test_odd_escapes_are_neither_errors_nor_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert isinstance(inline_digest(b"def test_a(): assert '\\d' == 1", ("test_a",)), str)
    assert capsys.readouterr() == ("", "")


def test_deep_expressions_have_a_digest() -> None:
    long = "def test_a():\n    assert x == " + " + ".join(["1"] * 900) + "\n"
    assert isinstance(inline_digest(long.encode(), ("test_a",)), str)


_OWN_CALLS = (
    "class TestB:\n    def go(): return 1\n    def spare(): return 3\n    class In:\n        x = 1\n"
    "    @mark.parametrize('x', go(), In())\n    def test_b(self, x):\n        pass\ndef test_a(): assert x\n"
)
# (source, what is replaced in it, by what, which test).
PLACES: list[tuple[str, str, str, str]] = [
    # private names
    (
        "def _TestA__h(): return 1\nclass TestA:\n    def test_a(self): assert __h() == 1\n",
        *("return 1", "return 2", "TestA::test_a"),
    ),
    ("class TestA:\n    def __h(self): return 1\n    def test_a(self): assert self._TestA__h()\n",
     "return 1", "return 2", "TestA::test_a"),
    ("def test_a(): assert _TestB__h\nclass TestB:\n    def test_b(self):\n        global __h\n        __h = 1\n",
     "__h = 1", "__h = 2", "test_a"),
    # aliases of fixtures
    *(
        (f"import pytest\n{alias}\n@fx(autouse=True)\ndef test_fixture(): pass\ndef test_a(): assert x\n",
         "): pass", "): evil()", "test_a")
        for alias in ("fx: object = pytest.fixture", "fx = pytest.fixture", "make = pytest.fixture\nfx = make",
                      "def fx(**k): return pytest.fixture(**k)", "if (fx := pytest.fixture): pass")
    ),
    # other names for what ends a run
    ("from pytest import skip as s\ndef test_a(): assert x\n", "x\n", "x\ndef test_b(x=s('x')): pass\n", "test_a"),
    ("s = pytest.skip\ndef test_a(): assert x\n", "x\n", "x\ndef test_b(x=s('x')): pass\n", "test_a"),
    ("s: object = exec\ndef test_a(): assert x\n", "x\n", "x\ndef test_b(x=s('x')): pass\n", "test_a"),
    # whom a base calls
    ("class Base:\n    def __init_subclass__(cls): cls.go()\nclass TestB(Base):\n    def go(): pass\n"
     "    def test_b(self): pass\ndef test_a(): assert x\n", "go(): pass", "go(): evil()", "test_a"),
    # what a class body calls of its own
    (_OWN_CALLS, "return 1", "return 2", "test_a"),
    (_OWN_CALLS, "x = 1", "x = 2", "test_a"),
    # imports in functions
    ("def test_a():\n    assert a\ndef test_b():\n    import a\n",
     "    assert a\ndef test_b():\n    import a\n", "    assert a\n    import a\ndef test_b(): pass\n", "test_a"),
    ("def test_b():\n    import a\ndef test_c(): pass\ndef test_a(): assert a\n", "test_b", "test_d", "test_a"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "old", "new", "names"), PLACES)
def test_names_and_places_that_are_the_same_or_not(source: str, old: str, new: str, names: str) -> None:
    path, edited = names.split("::"), source.replace(old, new)
    assert digest(edited, *path) != digest(source, *path)
    assert not differ_in_layout_only(source.encode(), edited.encode(), path)


# Twins of the above.
@pytest.mark.parametrize(
    ("source", "old", "new"),
    [
        (_OWN_CALLS, "return 3", "return 4"),
        ("s = pytest.mark.skip\ndef test_a(): assert x\n", "x\n", "x\n@s('x')\ndef test_b(): pass\n"),
        (_OWN_CALLS, "        pass", "        assert x"),
        ("def _TestB__h(): return 1\ndef test_a(): assert __k()\n", "return 1", "return 2"),
        ("fx = mark.slow\n@fx\ndef test_b(): pass\ndef test_a(): assert x\n", "): pass", "): assert x"),
        ("class B:\n    def f(self): self.go()\nclass TestB(B):\n    def go(self): pass\n    def test_b(self): x\n"
         "def test_a(): assert x\n", "go(self): pass", "go(self): x"),
        ("def test_b():\n    x = 1\n    import a\ndef test_a(): assert a\n", "x = 1", "x = 2"),
    ],
)  # fmt: skip
def test_twins_of_names_and_places(source: str, old: str, new: str) -> None:
    assert digest(source.replace(old, new), "test_a") == digest(source, "test_a")


def test_the_class_around_a_method_is_no_layout() -> None:
    old = "class A:\n  x = 1\nclass TestA(A):\n  def test_a(self): pass\n"
    new = "class A:\n  pass\nclass TestA(A):\n  x = 1\n  def test_a(self): pass\n"
    assert not differ_in_layout_only(old.encode(), new.encode(), ("TestA", "test_a"))


# -- properties --------------------------------------------------------------------------------------------------------

_NAMES = st.sampled_from(["alpha", "beta", "gamma", "delta"])
_VALUES = st.sampled_from(["1", "x", "alpha(1)", "beta(x)", "[y for y in x]", "self.gamma()", "K['a']", "'delta'"])
_STATEMENTS = st.one_of(
    st.builds("assert {} == {}".format, _VALUES, _VALUES),
    st.builds("{} = {}".format, _NAMES, _VALUES),
    st.builds("for x in {}: print({})".format, _VALUES, _VALUES),
    st.builds("import {}".format, _NAMES),
    st.just("pass"),
)
_BODIES = st.lists(_STATEMENTS, min_size=1, max_size=3).map("\n".join)


def _function(name: str, body: str, decorator: str = "") -> str:
    return f"{decorator}def {name}(x=1):\n{textwrap.indent(body, '    ')}\n"


_FUNCTIONS = st.builds(
    _function, st.one_of(_NAMES, _NAMES.map("test_{}".format)), _BODIES, st.sampled_from(["", "@d\n"])
)
_CLASSES = st.builds(
    lambda name, members: f"class {name}:\n" + textwrap.indent("".join(members), "    "),
    st.sampled_from(["TestX", "Other"]),
    st.lists(_FUNCTIONS, min_size=1, max_size=3),
)
_MODULES = st.lists(st.one_of(_FUNCTIONS, _CLASSES, _STATEMENTS.map("{}\n".format)), max_size=5).map("\n".join)
TARGET = "def test_target(beta):\n    assert alpha(beta) == K['a']\n"


@given(_MODULES, _MODULES, _BODIES)
def test_other_tests_and_unused_helpers_change_nothing(before: str, after: str, body: str) -> None:
    assume("import" not in body)
    source = f"{before}\n{TARGET}\n{after}\n"
    assume(isinstance(inline_digest(source.encode(), ("test_target",)), str))
    more = _function("test_zeta", body.replace("K[", "k[")) + _function("eta", body.replace("K[", "k["))
    assert digest(f"{source}\n{more}", "test_target") == digest(source, "test_target")
    assert digest(f"{more}\n{source}", "test_target") == digest(source, "test_target")


@given(_MODULES, _MODULES)
def test_reformatting_is_layout(before: str, after: str) -> None:
    source = f"{before}\n{TARGET}\n{after}\n"
    assume(isinstance(inline_digest(source.encode(), ("test_target",)), str))
    plain = ast.unparse(ast.parse(source))
    assert differ_in_layout_only(source.encode(), plain.encode(), ("test_target",))


@given(_MODULES, _MODULES, st.data())
def test_lines_outside_the_cover_never_count(before: str, after: str, data: st.DataObject) -> None:
    """Whatever becomes of a line that is not covered, short of new code, the covered text stays."""
    source = f"{before}\n{TARGET}\n{after}\n"
    text = covered_text(source.encode(), ("test_target",))
    assume(isinstance(text, str))
    lines = source.split("\n")
    number = data.draw(st.integers(0, len(lines)))
    lines.insert(number, data.draw(st.sampled_from(["", "# remark", "\f"])))
    inside = covered_text("\n".join(lines).encode(), ("test_target",))
    assert isinstance(inside, str)
    ignored = ("", "# remark")
    kept = [[line for line in lines.split("\n") if line not in ignored] for lines in (inside, str(text))]
    assert kept[0] == kept[1]


@given(st.binary(max_size=200), st.lists(st.text(max_size=5), min_size=1, max_size=3))
def test_any_bytes_get_an_answer(source: bytes, names: list[str]) -> None:
    assert isinstance(inline_digest(source, names), (str, Unreadable))


@given(st.binary(max_size=60))
def test_any_bytes_around_a_test_get_an_answer(source: bytes) -> None:
    assert isinstance(inline_digest(source + b"\n" + TARGET.encode(), ("test_target",)), (str, Unreadable))
