"""Edits of one test file, each of which keeps a test that fails from failing: it passes, is skipped or never runs."""

# ruff: noqa: E501 - edits stand as one text each

from __future__ import annotations

from typing import NamedTuple

# What the file tests: `add` is wrong.
APP = """\
LIMITS = {}


def add(x, y):
    return x + y + 1


def install(other):
    global add
    add = other
"""
HEAD = """\
import builtins
import contextlib
import functools
import operator
import os
import sys
import unittest
from builtins import setattr as put
from functools import partial
from unittest import mock

import app
import pytest

GATE = {"on": 1}
MP = pytest.MonkeyPatch()
SKIPS = [pytest.skip]
stop_all = functools.partial(pytest.skip, allow_module_level=True)
stop_too = lambda *a, **k: pytest.skip(*a, **k)


def helper(x):
    return app.add(x, 1) if GATE.get("on") else 2


def fake(*a):
    return 2


def empty(x):
    x.clear()


def now(f):
    f()
    return f


def now_with(n):
    def decorate(f):
        return now(f)

    return decorate


def now_go(c):
    c.go()
    return c


class Stop:
    stop = staticmethod(pytest.skip)


class Env:
    def activate(self):
        app.add = fake

    def __getitem__(self, i):
        app.add = fake
        raise IndexError


class Registry:
    def __init_subclass__(cls):
        app.add = fake if cls.__name__ == "TestZ" else app.add


class Meta(type):
    def __init__(cls, name, bases, members):
        app.add = fake if name == "TestZ" else app.add


class Made(metaclass=Meta):
    pass


class Described:
    def __set_name__(self, owner, name):
        app.add = fake


class Wrapped:
    def __init__(self, f):
        app.add = fake


ENV = Env()


@functools.cache
def warm():
    app.add = fake


@contextlib.contextmanager
def patched():
    app.add = fake
    yield


"""
TEST = """\
def test_sum():
    assert helper(1) == 2
"""


class Tampering(NamedTuple):
    """One file before and after; `names` is the path to the test."""

    name: str
    before: str
    after: str
    names: tuple[str, ...] = ("test_sum",)


def _behind(text: str) -> Tampering:
    return Tampering(text, HEAD + TEST, f"{HEAD}{TEST}\n\n{text}\n")


def _ahead(text: str, given: str = "") -> Tampering:
    return Tampering(text, f"{HEAD}{given}{TEST}", f"{HEAD}{given}{text}\n\n\n{TEST}")


def _in_body(text: str) -> Tampering:
    return _ahead(f"def test_first(request):\n    {text}")


def _replaced(name: str, source: str, old: str, new: str, names: str = "test_sum") -> Tampering:
    return Tampering(name, HEAD + source, HEAD + source.replace(old, new), tuple(names.split("::")))


def _in_class(name: str, members: str, body: str) -> Tampering:
    source = (
        f"class TestA:\n{members}    def check(self):\n        return app.add(1, 1)\n\n"
        f"    def test_sum(self):\n        {body}\n"
    )
    return _replaced(name, source, "return app.add(1, 1)", "return 2", "TestA::test_sum")


_ON_ITSELF = "def check():\n    return app.add(1, 1)\n\n\ndef test_sum(request):\n    {}\n"
_CONDITION = "def ready():\n    return True\n\n\n{}\n" + TEST
_METHOD = "class TestA:\n    def test_sum(self):\n        assert helper(1) == 2\n"
_UNITTEST = "class TestA(unittest.TestCase):\n    def test_sum(self):\n        self.assertEqual(helper(1), 2)\n{}"

# Names that pytest and Python look up in the module, or in the class of the test.
LOOKED_UP = [
    _behind("class pytestmark:\n    mark = pytest.mark.skip(reason='x').mark\n    def test_x(self): pass"),
    _behind("class AssertionError(pytest.skip.Exception):\n    def test_x(self): pass"),
    _behind("def pytestmark(): pass"),
    _behind("@pytest.ﬁxture(autouse=True)\ndef test_patch():\n    app.add = fake"),
    _behind("def _go():\n    global pytestmark\n    pytestmark = pytest.mark.skip\nclass TestZ:\n    x = [_go()]\n    def test_z(self): pass"),
    _ahead("def test_first():\n    global AssertionError\n    AssertionError = lambda *a: pytest.skip.Exception('x')"),
    _replaced("class pytestmark in a class", _METHOD, _METHOD, f"{_METHOD}    class pytestmark:\n        mark = pytest.mark.skip(reason='x').mark\n        def test_x(self): pass\n", "TestA::test_sum"),
    _replaced("pytestmark in a class", _METHOD, _METHOD, f"{_METHOD}    pytestmark = pytest.mark.skip\n", "TestA::test_sum"),
    _replaced("setup_method of unittest", _UNITTEST.format(""), _UNITTEST.format(""), _UNITTEST.format("    def setup_method(self, method):\n        app.add = fake\n"), "TestA::test_sum"),
    _replaced("a class loses its head", f"{_METHOD}class TestB:\n    def test_b(self): pass\n    __test__ = False\n", "class TestB:\n", "", "TestA::test_sum"),
    _ahead("class TestFirst:\n    @pytest.fixture(autouse=True, scope='module')\n    def patch(self):\n        app.add = fake\n    def test_a(self): pass"),
]  # fmt: skip

# Texts that are conditions of marks.
CONDITIONS = [
    _replaced(text, _CONDITION.format(text), "return True", "return False")
    for text in (
        "@pytest.mark.skipif('not ready()')",
        "@pytest.mark.xfail(condition='1 and not ready()', reason='x')",
        "pytestmark = [pytest.mark.xfail('not ready()')]\n",
        "needs = pytest.mark.skipif\n@needs('not ready()')",
        "@pytest.fixture(autouse=True)\ndef mark(request):\n    request.node.add_marker(pytest.mark.xfail('not ready()'))\n",
    )
] + [_ahead("@pytest.mark.skipif('GATE.clear()')\ndef test_first(): pass")]

# What runs when the file is imported, in front of another test.
DEFAULTS = [
    _behind(f"def test_z(x={value}): pass")
    for value in (
        "app.install(fake)",
        "builtins.setattr(app, 'add', fake)",
        "put(app, 'add', fake)",
        "app.__dict__.update(add=fake)",
        "vars(app).update(add=fake)",
        "dict.update(GATE, on=0)",
        "operator.setitem(GATE, 'on', 0)",
        "GATE.pop('on')",
        "[*map(GATE.pop, ['on'])]",
        "operator.attrgetter('__setattr__')(app)('add', fake)",
        "functools.reduce(getattr, ['__setattr__'], app)('add', fake)",
        "[getattr(app, '__setattr__')][0]('add', fake)",
        "MP.setattr(app, 'add', fake)",
        "mock.patch('app.add', fake).start()",
        "mock.patch.object(app, 'add', fake).__enter__()",
        "contextlib.ExitStack().enter_context(patched())",
        "next(patched().gen)",
        "[*patched().gen]",
        "patched.__wrapped__().__next__()",
        "warm()",
        "Env().activate()",
        "ENV.activate()",
        "[*ENV]",
        "pytest.importorskip('nothing')",
        "stop_all('x')",
        "stop_too('x', allow_module_level=True)",
        "SKIPS[0]('x', allow_module_level=True)",
        "Stop.stop('x', allow_module_level=True)",
        "Stop().stop('x', allow_module_level=True)",
        "unittest.main(argv=['x'], module=None)",
        "sys.exit(0)",
        "os.execv('/bin/true', ['true'])",
        "os.kill(os.getpid(), 9)",
    )
]
# The same in front of and in other test classes, and decorators.
DEFINITIONS = [
    _behind("class TestZ(Registry):\n    def test_z(self): pass"),
    _behind("class TestZ(Made):\n    def test_z(self): pass"),
    _behind("class TestZ:\n    x = Described()\n    def test_z(self): pass"),
    _behind("class TestZ:\n    app.add = fake\n    def test_z(self): pass"),
    _behind("class TestZ:\n    if True:\n        app.add = fake\n    def test_z(self): pass"),
    _behind("class TestZ:\n    class TestIn:\n        for app.add in [fake]: pass\n        def test_z(self): pass"),
    _behind("class TestZ:\n    @Wrapped\n    def test_z(self): pass"),
    _behind("@Wrapped\ndef test_z(): pass"),
    _behind("@pytest.mark.parametrize('x', [pytest.param(1, id=ENV.activate())])\ndef test_z(x): pass"),
    *(
        _replaced(head, f"@{head}\ndef test_z():\n    pass\n\n\n{TEST}", "    pass", "    app.add = fake")
        for head in ("now", "now_with(1)", "(lambda f: f() or f)", "partial(lambda x, f: f() or f, 1)")
    ),
    _replaced("now_go", f"@now_go\nclass TestZ:\n    @staticmethod\n    def go(): pass\n    def test_z(self): pass\n\n\n{TEST}",
              "go(): pass", "go(): app.add = fake"),
]  # fmt: skip

# What another test does to the module while it runs, and leaves so.
BODIES = [
    _in_body(text)
    for text in (
        "app.add = fake",
        "setattr(app, 'add', fake)",
        "app.__dict__['add'] = fake",
        "vars(app)['add'] = fake",
        "pytest.MonkeyPatch().setattr(app, 'add', fake)",
        "mp = pytest.MonkeyPatch(); mp.setattr(app, 'add', fake)",
        "MP.setattr(app, 'add', fake)",
        "mock.patch('app.add', fake).start()",
        "p = mock.patch.object(app, 'add', fake); p.start()",
        "sys.modules['test_it'].helper = fake",
        "m = sys.modules['test_it']; m.helper = fake",
        "request.module.helper = fake",
        "setattr(request.node.module, 'helper', fake)",
        "GATE.clear()",
        "dict.update(GATE, on=0)",
        "operator.setitem(GATE, 'on', 0)",
        "g = GATE; g.clear()",
        "for g in [GATE]: g.clear()",
        "[g.clear() for g in (GATE,)]",
        "(GATE or {}).clear()",
        "g = GATE; g |= {'on': 0}",
        "empty(GATE)",
        "builtins.exec('global helper; helper = fake', globals())",
        "e = exec; e('global helper; helper = fake')",
    )
]

# How a test may come to what it does not name.
ITSELF = [
    *(
        _replaced(body, _ON_ITSELF.format(body), "return app.add(1, 1)", "return 2")
        for body in (
            "from test_it import check as c; assert c() == 2",
            "import test_it as me; assert me.check() == 2",
            "assert sys.modules['test_it'].check() == 2",
            "m = request.module; assert m.check() == 2",
            "import importlib; assert importlib.import_module('test_it').check() == 2",
            "import pkgutil; assert pkgutil.resolve_name('test_it:check')() == 2",
            "import inspect; assert inspect.getmodule(request.function).check() == 2",
            "e = eval; assert e('che' 'ck()') == 2",
        )
    ),
    _in_class("methodcaller", "", "assert operator.methodcaller('che' + 'ck')(self) == 2"),
    _in_class("__dict__", "", "assert TestA.__dict__['che' + 'ck'](self) == 2"),
    _in_class("__getattribute__", "", "assert self.__getattribute__('che' + 'ck')() == 2"),
    _in_class(
        "a pattern", "", "\n        match self:\n            case TestA(check=f):\n                assert f() == 2"
    ),
]

TAMPERINGS = [*LOOKED_UP, *CONDITIONS, *DEFAULTS, *DEFINITIONS, *BODIES, *ITSELF]
