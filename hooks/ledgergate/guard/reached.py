"""What tests and fixtures reach of the run that they are part of: its items, its outcome, its plugins."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ledgergate.guard.came import came_to_do
from ledgergate.guard.loss import Loss
from ledgergate.guard.suite import Suite
from ledgergate.source.syntax import Function, last_name, walk

_ITEMS = frozenset({"item", "node", "pyfuncitem", "parent"})
_RUN = frozenset({"shouldstop", "shouldfail", "testsfailed", "exitstatus", "items"})
_CHOOSING = frozenset(
    {"keyword", "markexpr", "deselect", "ignore", "ignore_glob", "collectonly", "lf", "file_or_dir", "setuponly"}
)
_MANAGERS = ("pluginmanager", "pm")
# How a file comes to pytest's own manager of plugins.
_OF_PYTEST = ("pluginmanager", "pytestconfig", "config.", "_pytest")
_SHRINKING = frozenset({"clear", "pop", "remove"})
_LOOKUPS = frozenset({"__getattribute__", "__getattr__", "__setattr__"})


def reached_run(old: Suite | None, new: Suite) -> Iterator[Loss]:
    """What the file came to do to the run; what may be honest waits for a human."""
    yield from came_to_do("outcome-tampered", old, new, _certain)
    yield from (one._replace(waits=True) for one in came_to_do("outcome-tampered", old, new, _doubtful))


def _certain(suite: Suite) -> Iterator[tuple[str, int]]:
    for node in walk(suite.tree):
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.Delete)):
            targets = [node.target] if isinstance(node, ast.AugAssign) else node.targets
            for target in targets:
                yield from ((what, node.lineno) for what in _taken_over(target))
        elif isinstance(node, ast.Call) and last_name(node.func) in _SHRINKING and isinstance(node.func, ast.Attribute):
            owner = node.func.value
            if isinstance(owner, ast.Attribute) and owner.attr == "items" and last_name(owner.value) == "session":
                yield f"tests of the run are taken out: {ast.unparse(node)}", node.lineno
            elif isinstance(owner, ast.Attribute) and owner.attr == "stats":
                yield f"results are taken out: {ast.unparse(node)}", node.lineno
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            if any((one.asname or one.name) == "AssertionError" for one in node.names):
                yield "AssertionError is replaced", node.lineno
        elif isinstance(node, (Function, ast.ClassDef)) and node.name == "AssertionError":
            yield "AssertionError is replaced", node.lineno


def _taken_over(target: ast.expr) -> Iterator[str]:
    if isinstance(target, ast.Subscript):
        target = target.value
        if not isinstance(target, ast.Attribute) or target.attr != "items":
            return
    if not isinstance(target, ast.Attribute):
        return
    owner = last_name(target.value)
    if target.attr in ("obj", "runtest") and (owner in _ITEMS or (owner == "i" and target.attr == "obj")):
        yield f"`{ast.unparse(target)}` puts something else in the place of a test"
    elif target.attr in _RUN and owner == "session":
        yield f"`{ast.unparse(target)}` is set"
    elif target.attr in _CHOOSING and ast.unparse(target.value).endswith("config.option"):
        yield f"`{ast.unparse(target)}` chooses which tests run"
    elif (owner, target.attr) in (("sys", "exit"), ("os", "_exit")):
        yield f"`{ast.unparse(target)}` is replaced"


def _doubtful(suite: Suite) -> Iterator[tuple[str, int]]:
    # A manager of plugins that the file makes itself is what it tests, if it is.
    of_pytest = any(map(suite.mentions, _OF_PYTEST))
    for node in walk(suite.tree):
        if isinstance(node, ast.Attribute):
            if node.attr == "items" and last_name(node.value) == "session":
                yield "It reaches for all tests of the run", node.lineno
            elif node.attr == "__globals__":
                yield "It reaches for the names of another function", node.lineno
            elif node.attr == "__code__" and isinstance(node.ctx, ast.Store):
                yield f"{ast.unparse(node)} is replaced", node.lineno
        elif isinstance(node, ast.Call):
            yield from ((what, node.lineno) for what in _called(node, of_pytest=of_pytest))
        elif isinstance(node, ast.ClassDef):
            yield from _looked_up(suite, node)
        elif isinstance(node, Function) and any(isinstance(one, ast.Lambda) for one in node.decorator_list):
            yield f"A lambda decorates {node.name}", node.lineno


def _called(call: ast.Call, *, of_pytest: bool) -> Iterator[str]:
    name = last_name(call.func)
    owner = last_name(call.func.value) if isinstance(call.func, ast.Attribute) else ""
    is_plugin = name == "get_plugin" or (name == "register" and owner in _MANAGERS)
    if name == "getplugin" or (is_plugin and (of_pytest or owner == "pluginmanager")):
        yield f"It reaches for plugins: {ast.unparse(call.func)}"
    elif name == "addTypeEqualityFunc":
        yield "It says how unittest compares"
    elif name in ("settrace", "setprofile") and owner in ("sys", "threading"):
        yield f"It follows the run: {ast.unparse(call.func)}"


def _looked_up(suite: Suite, node: ast.ClassDef) -> Iterator[tuple[str, int]]:
    """How a class of tests finds its methods and attributes in another way than written."""
    is_of_tests = node.name.startswith("Test") or any(last_name(one).endswith("TestCase") for one in node.bases)
    if not is_of_tests:
        return
    written = {
        last_name(one) for one in walk(node) if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store)
    }
    for one in node.body:
        if isinstance(one, Function) and one.name in _LOOKUPS:
            yield f"{node.name} finds attributes by its own {one.name}", one.lineno
        elif isinstance(one, Function) and one.name in written:
            yield f"{node.name}.{one.name} takes the place of what is set", one.lineno
        elif isinstance(one, ast.Assign) and isinstance(one.value, ast.Call) and last_name(one.value) == "property":
            yield f"{node.name} has a property {ast.unparse(one.targets[0])}", one.lineno
    if any(one.arg == "metaclass" for one in node.keywords):
        yield f"{node.name} is made by a class of its own", node.lineno
    for mark in node.decorator_list:
        made_by = suite.functions.get(last_name(mark))
        if made_by is not None and _changes_what_it_is_given(made_by):
            yield f"`{last_name(mark)}` changes {node.name}", node.lineno


def _changes_what_it_is_given(node: Function) -> bool:
    return any(
        (isinstance(one, ast.Attribute) and isinstance(one.ctx, (ast.Store, ast.Del)))
        or (isinstance(one, ast.Call) and last_name(one.func) in ("setattr", "delattr", "type"))
        for one in walk(node)
    )
