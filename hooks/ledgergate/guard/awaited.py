"""Calls that nothing awaits any more: nothing is done, and the coroutine that a check looks at is always true."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ledgergate.guard.expressions import EXPECTING_ERRORS
from ledgergate.guard.loss import Loss
from ledgergate.guard.suite import Suite, Test
from ledgergate.source.syntax import Function, last_name, walk

_HOLDING = frozenset({"assertTrue", "assertIsNotNone", "assertNotEqual", "assertIsNot"})


def no_longer_awaited(was: Test, new: Suite, now: Test) -> Iterator[Loss]:
    """The first statement, and the first check, that holds of a coroutine as well, whose call was awaited before."""
    if not isinstance(was.node, ast.AsyncFunctionDef):
        return
    awaited = {ast.dump(one.value) for one in walk(was.node) if isinstance(one, ast.Await)}
    still = {ast.dump(one.value) for one in walk(now.node) if isinstance(one, ast.Await)}
    for node, line in _checked(now.node):
        if isinstance(node, ast.Call) and ast.dump(node) in awaited - still:
            message = "Nothing awaits what it looks at any more, and that is always true"
            yield _loss("assertion-weakened", new, now, message, line)
            return
    if not isinstance(now.node, ast.AsyncFunctionDef):
        # What it calls may be no coroutine any more.
        return
    seen = {id(one) for block in walk(now.node) if _has_to_raise(block) for one in walk(block)}
    for statement in walk(now.node):
        if (
            isinstance(statement, ast.Expr)
            and id(statement) not in seen
            and ast.dump(statement.value) in awaited - still
        ):
            message = "Nothing awaits it any more, so that it is not done"
            yield _loss("expectation-changed", new, now, message, statement.lineno)
            return


def _has_to_raise(node: ast.AST) -> bool:
    """Whether a block fails where nothing is done in it."""
    items = node.items if isinstance(node, (ast.With, ast.AsyncWith)) else ()
    return any(last_name(one.context_expr) in EXPECTING_ERRORS for one in items)


def _checked(test: Function) -> Iterator[tuple[ast.expr, int]]:
    """What is asked to be true, to be there, or not to be something else, with lines; names looked up."""
    given: dict[str, ast.expr] = {}
    for node in walk(test):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            given[node.targets[0].id] = node.value
    for node in walk(test):
        if isinstance(node, ast.Assert):
            asked = [*_true(node.test)]
        elif isinstance(node, ast.Call) and last_name(node.func) in _HOLDING:
            asked = node.args[:1]
        else:
            continue
        for one in asked:
            yield given.get(one.id, one) if isinstance(one, ast.Name) else one, node.lineno


def _true(condition: ast.expr) -> Iterator[ast.expr]:
    if isinstance(condition, ast.BoolOp):
        for one in condition.values:
            yield from _true(one)
    elif isinstance(condition, ast.Compare) and isinstance(condition.ops[0], (ast.NotEq, ast.IsNot, ast.NotIn)):
        yield condition.left
    elif not isinstance(condition, ast.Compare):
        yield condition


def _loss(rule: str, new: Suite, now: Test, message: str, line: int) -> Loss:
    return Loss(rule, new.path, message, now.name, line, None, new.line(line), waits=True)
