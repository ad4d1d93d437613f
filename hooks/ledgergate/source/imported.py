"""Whether code that runs when a file is imported can do more than make values."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable

from ledgergate.source.uses import MUTATORS, header_of

# What can reach into any namespace, whatever it is called on.
_FAR_REACHING = frozenset(
    (
        *(
            "exec",
            "eval",
            "compile",
            "setattr",
            "delattr",
            "globals",
            "locals",
            "vars",
            "__import__",
            "input",
            "breakpoint",
        ),
        *(
            "modules",
            "import_module",
            "reload",
            "setitem",
            "delitem",
            "settrace",
            "setprofile",
            "addaudithook",
            "register",
            "start",
        ),
        *(
            "__dict__",
            "__globals__",
            "__builtins__",
            "__code__",
            "__defaults__",
            "__setattr__",
            "__setitem__",
            "__delattr__",
        ),
    )
)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def acts_when_defined(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, helpers: Container[str]) -> bool:
    """Whether the decorators, defaults, annotations or bases of a definition call what could change something.

    `helpers` are the functions of the file that are not looked at otherwise. Calls of imported things, of classes and
    of decorated functions make values (parameters, strategies, marks).
    """
    if any(isinstance(one, ast.Lambda) or _leading_name(one) in helpers for one in node.decorator_list):
        return True
    if isinstance(node, ast.ClassDef) and node.keywords:
        return True
    return any(_acts(part, helpers) for part in header_of(node))


def statement_acts(statement: ast.stmt, helpers: Container[str]) -> bool:
    """Whether a statement of a class body does more than to bind a name of the class to a value."""
    if isinstance(statement, _DEFINITIONS):
        inner = statement.body if isinstance(statement, ast.ClassDef) else ()
        return acts_when_defined(statement, helpers) or any(statement_acts(child, helpers) for child in inner)
    if isinstance(statement, ast.Expr):
        return not isinstance(statement.value, ast.Constant)
    targets: Iterable[ast.expr]
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, ast.AnnAssign):
        targets = [statement.target]
    else:
        return not isinstance(statement, (ast.Pass, ast.Import, ast.ImportFrom))
    return not all(isinstance(target, ast.Name) for target in targets) or _acts(statement, helpers)


def _acts(part: ast.AST, helpers: Container[str]) -> bool:
    for node in ast.walk(part):
        if isinstance(node, (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)):
            return True
        if isinstance(node, ast.Call) and _call_acts(node.func, helpers):
            return True
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else None
        if name in _FAR_REACHING:
            return True
    return False


def _call_acts(function: ast.expr, helpers: Container[str]) -> bool:
    if isinstance(function, ast.Attribute) and function.attr in MUTATORS:
        return True
    while isinstance(function, (ast.Attribute, ast.Subscript, ast.Call)):
        function = function.func if isinstance(function, ast.Call) else function.value
    return isinstance(function, ast.Lambda) or (isinstance(function, ast.Name) and function.id in helpers)


def _leading_name(expression: ast.expr) -> str | None:
    while isinstance(expression, (ast.Attribute, ast.Subscript)):
        expression = expression.value
    return expression.id if isinstance(expression, ast.Name) else None
