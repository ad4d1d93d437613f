"""What a loop of a test runs over, where the text alone tells."""

from __future__ import annotations

import ast
from collections.abc import Callable

from ledgergate.guard.parts import elements
from ledgergate.guard.suite import Suite
from ledgergate.source.syntax import Function, last_name

Resolve = Callable[[ast.expr], ast.expr]


def looped_over(node: ast.expr, suite: Suite, resolve: Resolve) -> list[ast.expr] | None:
    """The elements in their order; None where nobody can say. `resolve` gives what a name stands for."""
    node = resolve(node)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        return _sliced(looped_over(node.value, suite, resolve), node.slice)
    if isinstance(node, ast.Call):
        return _called(node, suite, resolve)
    if isinstance(node, ast.Dict) and not node.keys:
        return []
    return elements(node)


def _sliced(values: list[ast.expr] | None, cut: ast.Slice) -> list[ast.expr] | None:
    try:
        bounds = [None if one is None else ast.literal_eval(one) for one in (cut.lower, cut.upper, cut.step)]
        return None if values is None else values[slice(*bounds)]
    except (ValueError, TypeError):
        return None


def _called(call: ast.Call, suite: Suite, resolve: Resolve) -> list[ast.expr] | None:
    if isinstance(call.func, ast.Name) and call.func.id in suite.functions and not call.args:
        return _yielded(suite.functions[call.func.id])
    name = last_name(call.func)
    if name == "zip" and any(looped_over(one, suite, resolve) == [] for one in call.args):
        return []
    if name in ("items", "keys", "values") and isinstance(call.func, ast.Attribute) and not call.args:
        return [] if looped_over(call.func.value, suite, resolve) == [] else None
    return None


def _yielded(node: Function) -> list[ast.expr] | None:
    """What a generator gives that does nothing else."""
    found: list[ast.expr] = []
    for statement in node.body:
        value = statement.value if isinstance(statement, ast.Expr) else None
        if isinstance(value, ast.Yield) and value.value is not None:
            found.append(value.value)
        elif isinstance(statement, ast.Return) and statement.value is None:
            return found if any(isinstance(one, ast.Expr) for one in node.body) else None
        elif not isinstance(value, ast.Constant):
            return None
    return found or None
