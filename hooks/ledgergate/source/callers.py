"""Functions of a file that call what they are given, as a decorator may."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator

from ledgergate.source.imported import mentions
from ledgergate.source.kinds import is_test_function
from ledgergate.source.syntax import (
    DEFINITIONS,
    Function,
    Scope,
    children,
    header_of,
    last_name,
    spellings,
    stored_names,
    walk,
)


def callers_in(tree: ast.Module) -> frozenset[str]:
    """The functions and classes of the module, and other names for them, that may call an argument at once.

    What a wrapper inside calls later, with the test, is none of it.
    """
    functions = {node.name for node in tree.body if isinstance(node, Function)}
    found: set[str] = set()
    for node in tree.body:
        if isinstance(node, Scope):
            if not is_test_function(node) and _calls_an_argument(node, functions):
                found.update(spellings(node.name))
        elif mentions(node, found):
            found.update(stored_names(node))
    return frozenset(found)


def may_call(decorator: ast.expr, callers: Container[str]) -> bool:
    """Whether a decorator may call what it decorates while the file is imported; marks do not, whatever they hold."""
    function = decorator.func if isinstance(decorator, ast.Call) else decorator
    parts = [last_name(function)]
    while isinstance(function, ast.Attribute):
        function = function.value
        parts.append(last_name(function))
    if not isinstance(function, ast.Name) or parts[0] == "partial":
        return mentions(decorator, callers) or any(isinstance(node, ast.Lambda) for node in walk(decorator))
    return "mark" not in parts[1:] and mentions(decorator, callers)


def _calls_an_argument(scope: Scope, functions: Container[str]) -> bool:
    for node in walk(scope):
        if isinstance(node, (*DEFINITIONS, ast.Lambda)) and not isinstance(node, ast.ClassDef):
            arguments = node.args
            names = [one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
            own = set(names[1:] if isinstance(scope, ast.ClassDef) and node in scope.body else names)
            if own and any(_uses_now(call, own, functions) for call in _own_calls(node)):
                return True
    return False


def _uses_now(call: ast.Call, own: Container[str], functions: Container[str]) -> bool:
    function: ast.expr = call.func
    is_passed_on = isinstance(function, ast.Name) and function.id in functions
    while isinstance(function, (ast.Attribute, ast.Call)):
        function = function.func if isinstance(function, ast.Call) else function.value
    if isinstance(function, ast.Name) and function.id in own:
        return True
    return is_passed_on and any(isinstance(one, ast.Name) and one.id in own for one in call.args)


def _own_calls(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> Iterator[ast.Call]:
    """The calls in a function, but for those in functions within it."""
    waiting: list[ast.AST] = [function.body] if isinstance(function, ast.Lambda) else list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Call):
            yield node
        waiting += header_of(node) if isinstance(node, (Function, ast.Lambda)) else children(node)
