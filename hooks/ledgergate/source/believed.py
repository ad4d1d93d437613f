"""What is taken for a check by its own text: asserts, what pytest offers, and calls of what is named like a check."""

from __future__ import annotations

import ast

from ledgergate.source.syntax import last_name

# Helpers of other files are believed by what they are called.
_ASSERTING = ("assert", "expect")
_CHECKING = ("check", "verify")
EXPECTING = frozenset({"raises", "warns", "deprecated_call", "RaisesGroup", "RaisesExc", "fail"})
FAILING = frozenset({"AssertionError", "Failed", "failureException"})
_REGRESSIONS = ("regression", "snapshot", "golden", "approv")


def is_check(node: ast.AST) -> bool:
    """Whether a statement or call is what a test checks with, by its own text: helpers are not followed."""
    if isinstance(node, (ast.With, ast.AsyncWith)):
        return any(last_name(item.context_expr) in EXPECTING for item in node.items)
    if isinstance(node, ast.Raise):
        return node.exc is not None and last_name(node.exc) in FAILING
    if isinstance(node, ast.Call):
        return last_name(node.func) in EXPECTING or is_believed(node.func, last_name(node.func))
    return isinstance(node, ast.Assert)


def is_believed(function: ast.expr, name: str) -> bool:
    """Whether a call is taken for a check, though what it calls stands in another file."""
    if isinstance(function, ast.Attribute) and root_of(function) not in ("self", "cls"):
        root = root_of(function)
        is_of_regressions = any(word in root for word in _REGRESSIONS)
        return _asserts(name) or (is_of_regressions and _checks(name)) or root == "doctest"
    return _asserts(name) or _checks(name)


def _asserts(name: str) -> bool:
    return name.lstrip("_").startswith(_ASSERTING)


def _checks(name: str) -> bool:
    """`check`, `_check_total` and `verifyTotal`, but not `checked`."""
    bare = name.lstrip("_")
    after = next((bare[len(word) :] for word in _CHECKING if bare.startswith(word)), None)
    return after is not None and (after == "" or after[0] == "_" or "A" <= after[0] <= "Z")


def root_of(expression: ast.expr) -> str:
    """The name that a chain of attributes, items and calls begins with; empty where it begins otherwise."""
    while isinstance(expression, (ast.Attribute, ast.Subscript, ast.Call)):
        expression = expression.func if isinstance(expression, ast.Call) else expression.value
    return getattr(expression, "id", "")
