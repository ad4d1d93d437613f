"""What an edited file does that it did not do before, and the words by which that is looked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from ledgergate.guard.loss import Loss
from ledgergate.guard.suite import Suite

# Where none of its words came, a family of rules has nothing to find, and is not even imported.
OUTCOMES = (
    *("exit", "Exit", "quit", "exec", "eval(", "kill", "signal", "interrupt", "_sig", "KeyboardI", "getattr(os"),
    "abort",
    *("pytest_", "setattr", "patch", "TestCase", "unittest", "pluggy", "hypothesis", "builtins", "AssertionError"),
    *("_pytest", "fork", "outcome", "excinfo", "longrepr", "failed", "failureEx", "def assert", "def run", "def addF"),
    *("def addE", "def was", "def stop", "def fail", "def _callT", "def _baseA", "def _getA"),
)
_SETS = r"(?:pytest\.|assert)\w+\s*=(?!=)"
REACHED = (
    *(".obj", "runtest", "session", "getplugin", "get_plugin", "pluginmanager", "addTypeEqualityFunc", "__globals__"),
    *("__code__", "__getattribute__", "__setattr__", "__getattr__", "property", "metaclass", "AssertionError"),
    *("settrace", "\n@", "config.option", "sys.exit", "_exit", ".stats"),
)
COLLECTED = (
    *("collect", "pytest_", "load_tests", "addinivalue", "config.args", "add_marker", "applymarker", "own_markers"),
    *("__test__", "items", "skip", "xfail", "meta_path", "path_hooks"),
)
PATHS = ("sys.path", "from sys import", "addsitedir", "syspath_prepend", "PYTHONPATH", ".modules", "__path__", "chdir")
# The same of what went: what of it could have been a check, or have held a test to more.
CHECKED = ("assert", "fail(", "raise", "check", "verify", "expect", "addCleanup", "addfinalizer")
HELD = ("def test", "class ", "super()", "autouse", "usefixtures", "filterwarnings", ",\n")
# Settings that make tests stricter, of what went; and that let more pass, of what came.
STRICT = ("spec", "wraps=", "check=", "strict=", "catch_exceptions=", 'raise"', "raise'", "TESTING", "testing = ")
LOOSE = ("_exceptions=", "check_", "optionflags=")
# What of what came could throw away what pytest caught, or catch less.
DRAINED = (".readouterr()", ".clear()", ".reset()", "_level(", "assertNoLogs", "logging.disable")
# What of what came could take any number of values.
UNPACKED = (", *", "*_", "[*")


def came(words: tuple[str, ...], old: Suite | None, new: Suite) -> bool:
    """Whether one of the words of a family stands in what came since `old`."""
    text = new.text_since(old)
    return any(word in text for word in words) or (words is OUTCOMES and re.search(_SETS, text) is not None)


def came_to_do(
    rule: str, old: Suite | None, new: Suite, find: Callable[[Suite], Iterable[tuple[str, int]]]
) -> Iterator[Loss]:
    """A loss of this rule for each thing that `find` sees more of in the new file, as (what, line)."""
    before = [what for what, _ in find(old)] if old is not None else []
    for what, line in find(new):
        if what in before:
            before.remove(what)
        else:
            yield Loss(rule, new.path, what, None, line, None, new.line(line))
