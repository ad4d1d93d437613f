"""What a conftest, or a file of tests, does to what is collected."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ledgergate.guard.came import came_to_do
from ledgergate.guard.conditions import is_harmless
from ledgergate.guard.loss import Loss
from ledgergate.guard.suite import Suite
from ledgergate.source.syntax import Function, last_name, walk

_LISTS = frozenset({"collect_ignore", "collect_ignore_glob"})
_FINDERS = ("meta_path", "path_hooks")
_TAKING_OUT = frozenset({"remove", "clear", "pop", "deselect", "pytest_deselected"})
_MARKS = frozenset({"skip", "skipif", "xfail"})
_DECIDING = frozenset(
    {"pytest_ignore_collect", "pytest_collect_file", "pytest_pycollect_makeitem", "pytest_collect_directory"}
)
_LOOKING = frozenset(
    {
        *("pytest_collection_modifyitems", "pytest_itemcollected", "pytest_runtest_setup", "pytest_collection_finish"),
        *("pytest_runtest_call", "pytest_generate_tests", "pytest_fixture_setup", "pytest_runtest_logstart"),
        *("pytest_sessionstart", "pytest_collection", "pytest_configure"),
    }
)
# Hooks that say where tests are looked for, and with which options.
_STEPPING_IN = frozenset(
    {
        *("pytest_load_initial_conftests", "pytest_cmdline_preparse", "pytest_cmdline_parse", "load_tests"),
        *(
            "pytest_pycollect_makemodule",
            "pytest_collect_directory",
            "pytest_collect_file",
            "pytest_pycollect_makeitem",
        ),
    }
)
_SETTINGS = frozenset({"norecursedirs", "testpaths", "python_files", "python_classes", "python_functions", "addopts"})


def changed_collection(old: Suite | None, new: Suite) -> Iterator[Loss]:
    """What a file came to do that keeps tests from being collected or run."""
    certain = list(came_to_do("collection-changed", old, new, _found))
    yield from certain
    lines = {one.line for one in certain}
    doubtful = came_to_do("collection-changed", old, new, _doubtful)
    yield from (one._replace(waits=True) for one in doubtful if one.line not in lines)


def _doubtful(suite: Suite) -> Iterator[tuple[str, int]]:
    """What may leave tests out, where no syntax can say whether it does."""
    is_conftest = suite.path.endswith("conftest.py")
    for node in walk(suite.tree):
        if isinstance(node, Function) and node.name in _STEPPING_IN:
            yield f"{node.name} steps in where tests are looked for", node.lineno
        elif isinstance(node, ast.Call):
            yield from _doubtful_call(node, suite, is_conftest=is_conftest)
        elif isinstance(node, (ast.Assign, ast.AugAssign)) and is_conftest:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                bare = target.value if isinstance(target, ast.Subscript) else target
                if isinstance(bare, ast.Attribute) and bare.attr == "args" and last_name(bare.value) == "config":
                    yield f"{ast.unparse(node)} chooses which tests run", node.lineno
    for statement in suite.tree.body if is_conftest else ():
        value = getattr(statement, "value", None)
        if isinstance(value, ast.Call) and last_name(value.func) in ("importorskip", "skip"):
            yield f"what stands beside the conftest is skipped: {ast.unparse(value)}", value.lineno


def _doubtful_call(call: ast.Call, suite: Suite, *, is_conftest: bool) -> Iterator[tuple[str, int]]:
    name, first = last_name(call.func), next(iter(call.args), None)
    if name == "addinivalue_line" and getattr(first, "value", "") in _SETTINGS:
        yield f"{ast.unparse(call)} changes where tests are looked for", call.lineno
    elif name in ("add_marker", "applymarker", "append") and is_conftest and _marks(call, suite):
        yield f"it marks tests: {ast.unparse(call)}", call.lineno


def _marks(call: ast.Call, suite: Suite) -> bool:
    """Whether a call marks a test as skipped or expected to fail."""
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    if last_name(call.func) == "append" and (owner is None or last_name(owner) != "own_markers"):
        return False
    given = [suite.assigned.get(one.id, one) if isinstance(one, ast.Name) else one for one in call.args]
    words = {last_name(one) for value in given for one in walk(value) if isinstance(one, ast.expr)}
    texts = {one.value for one in given if isinstance(one, ast.Constant)}
    return not _MARKS.isdisjoint(words) or not _MARKS.isdisjoint(texts)


def _found(suite: Suite) -> Iterator[tuple[str, int]]:
    for node in suite.tree.body:
        for name, value in _assigned(node):
            yield from ((what, node.lineno) for what in _setting(name, value))
    of_the_machine = frozenset(_of_the_machine(suite, suite.tree.body))
    for one in walk(suite.tree):
        if isinstance(one, ast.Call) and suite.path.endswith("conftest.py") and _finds_modules(one.func):
            yield f"modules come from elsewhere: {ast.unparse(one)}", one.lineno
        elif isinstance(one, Function):
            yield from _hook(one)
        elif isinstance(one, ast.Call) and _is_adding(one) and one.lineno not in of_the_machine:
            yield f"collect_ignore leaves out {ast.unparse(one)}", one.lineno


def _finds_modules(function: ast.expr) -> bool:
    """`sys.meta_path.insert` and its like."""
    owner = function.value if isinstance(function, ast.Attribute) else function
    is_adding = last_name(function) in ("insert", "append", "extend")
    return is_adding and last_name(owner) in _FINDERS


def _setting(name: str, value: ast.expr) -> Iterator[str]:
    """What a name that pytest looks for in a module keeps from being collected."""
    if name in _LISTS:
        for one in getattr(value, "elts", [value]):
            yield f"{name} leaves out {ast.unparse(one)}"
    elif name == "__test__" and isinstance(value, ast.Constant) and not value.value:
        yield "`__test__` keeps the file from being collected"
    elif name == "pytest_plugins" and "pytester" not in ast.dump(value):
        yield f"pytest_plugins names {ast.unparse(value)}"


def _of_the_machine(suite: Suite, body: list[ast.stmt]) -> Iterator[int]:
    """The lines that only run on some platforms, versions or with some dependencies."""
    modules = suite.imported
    for node in body:
        if isinstance(node, ast.If):
            is_harmful = not is_harmless(suite.writer.term(node.test, suite.full_environment), modules)
            inner = [*(node.body if is_harmful else ()), *node.orelse]
            yield from _of_the_machine(suite, inner)
            yield from () if is_harmful else range(node.lineno, (node.body[-1].end_lineno or node.lineno) + 1)
        elif isinstance(node, ast.Try):
            for handler in node.handlers:
                caught = ast.unparse(handler.type) if handler.type is not None else ""
                if "ImportError" in caught or "ModuleNotFoundError" in caught:
                    yield from range(handler.lineno, (handler.end_lineno or handler.lineno) + 1)


def _is_adding(call: ast.Call) -> bool:
    is_list = isinstance(call.func, ast.Attribute) and last_name(call.func.value) in _LISTS
    return is_list and last_name(call.func) in ("append", "extend", "insert")


def _hook(node: Function) -> Iterator[tuple[str, int]]:
    if node.name in _DECIDING:
        for one in walk(node):
            if isinstance(one, ast.Return) and not _is_nothing(one.value):
                yield f"{node.name} decides what is collected: {ast.unparse(one)}", one.lineno
    elif node.name in _LOOKING or _gets_items(node):
        for one in walk(node):
            yield from _taken_out(node, one)


def _gets_items(node: Function) -> bool:
    """Whether it is a hook by another name, or is called by one."""
    is_named = any("specname" in ast.unparse(one) for one in node.decorator_list)
    return is_named or [one.arg for one in node.args.args] in (["items"], ["config", "items"], ["items", "config"])


def _taken_out(hook: Function, node: ast.AST) -> Iterator[tuple[str, int]]:
    if isinstance(node, ast.Call):
        yield from _call(hook, node)
    elif isinstance(node, (ast.Assign, ast.Delete)):
        is_slice = any(isinstance(one, ast.Subscript) and last_name(one.value) == "items" for one in node.targets)
        if is_slice and not _sorts(node):
            yield f"{hook.name} changes which tests run: {ast.unparse(node)}", node.lineno
    elif isinstance(node, ast.Raise) and node.exc is not None and "kip" in last_name(node.exc):
        yield f"{hook.name} skips tests", node.lineno
    elif isinstance(node, ast.Attribute) and node.attr in _MARKS and last_name(node.value) == "mark":
        yield f"{hook.name} marks tests as `{node.attr}`", node.lineno


def _call(node: Function, call: ast.Call) -> Iterator[tuple[str, int]]:
    name = last_name(call.func)
    owner = last_name(call.func.value) if isinstance(call.func, ast.Attribute) else ""
    if name in _TAKING_OUT and (owner == "items" or "deselect" in name):
        yield f"{node.name} takes tests out: {ast.unparse(call)}", call.lineno
    elif name == "parametrize" and owner == "metafunc" and getattr(call.args[-1], "elts", None) == []:
        yield f"{node.name} gives tests nothing to run with: {ast.unparse(call)}", call.lineno
    elif name == "skip" and owner == "pytest":
        yield f"{node.name} skips tests", call.lineno


def _sorts(node: ast.Assign | ast.Delete) -> bool:
    """Whether the tests only come in another order."""
    value = getattr(node, "value", None)
    return isinstance(value, ast.Call) and last_name(value.func) in ("sorted", "reversed", "sample")


def _assigned(node: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AugAssign) else []
    for target in targets:
        if isinstance(target, ast.Name):
            yield target.id, node.value  # type: ignore[attr-defined]


def _is_nothing(value: ast.expr | None) -> bool:
    return value is None or (isinstance(value, ast.Constant) and value.value in (None, False))
