"""What in production code can tell that it is being tested, or lies to whoever compares."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ledgergate.guard.suite import is_always_equal
from ledgergate.source.syntax import Function, last_name, walk

_RUNNERS = frozenset({"pytest", "_pytest", "unittest", "nose", "py.test"})
# What only a run of tests is called, or makes.
_OF_A_RUN = re.compile(r"pytest-of-|_pytest\b|_called_from_test|unittest\.mock")
# Where a run keeps what it is tested by.
_OF_THE_TESTS = re.compile(r"(?:^|/)conftest\.py$|(?:^|/)tests?/(?:.*/)?[\w.-]+\.\w+$")
_TEST = re.compile(r"(?:^|[^a-z])tests?(?:$|[^a-z])", re.IGNORECASE)
_ASKING = frozenset(
    {"find_spec", "hasattr", "getattr", "exists", "is_file", "isfile", "read_text", "read_bytes", "open"}
)
_FRAMES = frozenset({"_getframe", "currentframe", "stack", "getouterframes", "extract_stack", "getframeinfo"})
_TELLING = frozenset({"code_context", "co_filename", "co_name", "getsource", "getsourcelines", "f_code"})


def awareness(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """(what it does, line) for each such place."""
    for node in walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("PYTEST_"):
            yield f"It looks at {node.value}", node.lineno
        elif isinstance(node, ast.Compare):
            yield from _looks_for_runner(node)
        elif isinstance(node, ast.Call):
            yield from _ends_the_process(node)
            yield from _asks_for_tests(node)
        elif isinstance(node, ast.Assign) and any(last_name(one) == "excepthook" for one in node.targets):
            if "exit" in ast.dump(node.value):
                yield "It ends the process where an exception is told", node.lineno
        elif isinstance(node, Function):
            yield from _looks_at_the_stack(node)
        elif isinstance(node, ast.ClassDef) and is_always_equal(node):
            yield f"{node.name} says of everything that it is equal", node.lineno


def _looks_for_runner(node: ast.Compare) -> Iterator[tuple[str, int]]:
    sides = [node.left, *node.comparators]
    texts = {one.value for one in sides if isinstance(one, ast.Constant) and isinstance(one.value, str)}
    others = [one for one in sides if not isinstance(one, ast.Constant)]
    of_a_run = {one for one in texts if one in _RUNNERS or _TEST.search(one)}
    if of_a_run and any(_tells_of_the_run(one) for one in others):
        yield f"It looks for {min(of_a_run)} in what runs", node.lineno
    elif any(_OF_A_RUN.search(one) for one in texts):
        yield "It looks for what only a run of tests makes", node.lineno


def _tells_of_the_run(node: ast.expr) -> bool:
    told = {last_name(one) for one in walk(node) if isinstance(one, (ast.Name, ast.Attribute))}
    told |= (
        {"__main__"} if any(isinstance(one, ast.Constant) and one.value == "__main__" for one in walk(node)) else set()
    )
    return bool(told & {"modules", "argv", "executable", "orig_argv", "__main__"})


def _asks_for_tests(node: ast.Call) -> Iterator[tuple[str, int]]:
    """`find_spec("pytest")`, `hasattr(sys, "_called_from_test")`, `open("tests/expected.json")`."""
    name = last_name(node.func)
    if name == "gettrace":
        yield "It asks whether something follows what it does", node.lineno
    if name not in _ASKING:
        return
    texts = {one.value for one in walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str)}
    if (name == "find_spec" and texts & _RUNNERS) or any(_OF_A_RUN.search(one) for one in texts):
        yield "It asks whether tests run it", node.lineno
    elif any(_OF_THE_TESTS.search(one) for one in texts):
        yield "It looks into the folder of the tests", node.lineno


def _ends_the_process(node: ast.Call) -> Iterator[tuple[str, int]]:
    owner = getattr(getattr(node.func, "value", None), "id", "")
    ending = any(word in ast.dump(one) for one in node.args for word in ("'_exit'", "'exit'", "'abort'"))
    if ending and last_name(node.func) == "register" and owner in ("atexit", ""):
        yield "It ends the process at exit", node.lineno


def _looks_at_the_stack(function: Function) -> Iterator[tuple[str, int]]:
    """Frames alone are looked at by many; what stands in the caller's lines, or what it is called, by few."""
    found: dict[str, int] = {}
    for node in walk(function):
        if isinstance(node, (ast.Attribute, ast.Name)):
            found.setdefault(last_name(node), node.lineno)
    if _FRAMES.isdisjoint(found):
        return
    compared = [
        one.value
        for node in walk(function)
        if isinstance(node, ast.Compare)
        for one in (node.left, *node.comparators)
        if isinstance(one, ast.Constant)
    ]
    if (compared and not _TELLING.isdisjoint(found)) or any(_TEST.search(str(one)) for one in compared):
        yield f"{function.name} looks at who calls it", function.lineno
