"""Handlers of exceptions: what they catch, and whether a failed check still fails the test behind them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import IntEnum

from ledgergate.guard.parts import SKIPPING, is_failing
from ledgergate.source.syntax import last_name, walk

_CATCHING = frozenset({"AssertionError", "Exception", "BaseException", "failureException"})
_DEEPEST = 6
Resolve = Callable[[ast.expr], ast.expr]


class Keeps(IntEnum):
    """Whether something keeps what a failed check raises."""

    NO = 0
    MAYBE = 1
    YES = 2


def kinds(handler: ast.ExceptHandler) -> list[ast.expr]:
    if handler.type is None:
        return []
    return handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]


def catches(classes: Sequence[ast.expr], resolve: Resolve = lambda one: one) -> bool:
    """Whether one of the classes is what a failed check raises, or a base of it."""
    return any(_is_catching(one) for kind in classes for one in _classes(kind, resolve, 0))


def _is_catching(kind: ast.expr) -> bool:
    if last_name(kind) in _CATCHING:
        return True
    # `AssertionError.__base__`, `AssertionError.mro()[1]`
    is_reached = isinstance(kind, (ast.Attribute, ast.Subscript, ast.Call))
    return is_reached and any(isinstance(one, ast.Name) and one.id == "AssertionError" for one in walk(kind))


def _classes(kind: ast.expr, resolve: Resolve, depth: int) -> Iterator[ast.expr]:
    """The classes that an expression names, with names replaced by what they stand for."""
    bare = kind.value if isinstance(kind, ast.Starred) else kind
    found = resolve(bare)
    if isinstance(found, (ast.Tuple, ast.List)) and depth < _DEEPEST:
        for one in found.elts:
            yield from _classes(one, resolve, depth + 1)
    elif found is not bare and depth < _DEEPEST:
        yield from _classes(found, resolve, depth + 1)
    else:
        yield found


def kept_by(handler: ast.ExceptHandler, resolve: Resolve, outer: Sequence[str] = ()) -> Keeps:
    """Whether a handler catches what a failed check raises, and does not fail itself.

    `outer` are the classes that handlers around it keep.
    """
    if handler.type is not None and not catches([handler.type], resolve):
        # What the tested code raises, so that no check behind it is made.
        return Keeps.NO if _is_told_elsewhere(handler) else Keeps.MAYBE
    if any(_name_of(one) in outer for one in _raised(handler.body)):
        return Keeps.YES
    if always_fails(handler.body):
        return Keeps.NO
    return Keeps.MAYBE if any(_could_fail(one) for statement in handler.body for one in walk(statement)) else Keeps.YES


def _is_told_elsewhere(handler: ast.ExceptHandler) -> bool:
    """Whether it fails, raises or skips, or stands for what is not installed."""
    is_left = any(isinstance(one, ast.Raise) or is_failing(one) or _skips(one) for one in handler.body)
    return is_left or any(last_name(one) in ("ImportError", "ModuleNotFoundError") for one in kinds(handler))


def _skips(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and last_name(node.value) in SKIPPING


def _could_fail(node: ast.AST) -> bool:
    """Whether a failure stands there, other than below a condition that never holds."""
    if isinstance(node, ast.If) and isinstance(node.test, ast.Constant) and not node.test.value:
        return False
    if isinstance(node, ast.Assert):
        return not (isinstance(node.test, ast.Constant) and bool(node.test.value))
    return isinstance(node, ast.Raise) or (isinstance(node, ast.Call) and last_name(node) in ("fail", "_exit"))


def _raised(body: Sequence[ast.stmt]) -> Iterator[ast.expr]:
    yield from (one.exc for one in body if isinstance(one, ast.Raise) and one.exc is not None)


def _name_of(raised: ast.expr) -> str:
    return last_name(raised)


def always_fails(body: Sequence[ast.stmt]) -> bool:
    """Whether a block is left by a failure, whatever it finds."""
    for node in body:
        if isinstance(node, ast.Raise):
            return node.exc is None or last_name(node.exc) not in SKIPPING
        if is_failing(node) or (isinstance(node, ast.Assert) and _asks_for_the_error(node)):
            return True
        if isinstance(node, ast.If) and node.orelse and always_fails(node.body) and always_fails(node.orelse):
            return True
        if isinstance(node, (ast.With, ast.AsyncWith)) and always_fails(node.body):
            return True
        if isinstance(node, (ast.Return, ast.Continue, ast.Break)):
            return False
    return False


def _asks_for_the_error(node: ast.Assert) -> bool:
    """`assert not error`, `assert error is None`: these fail where something was caught."""
    test = node.test
    is_none = isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Is)
    return isinstance(test, ast.UnaryOp) or (is_none and getattr(test.comparators[0], "value", 0) is None)  # type: ignore[attr-defined]


def leaves(body: Sequence[ast.stmt]) -> bool:
    last = body[-1] if body else None
    return isinstance(last, (ast.Return, ast.Raise, ast.Continue, ast.Break)) or (last is not None and is_failing(last))


def resolver(assigned: Mapping[str, ast.expr]) -> Resolve:
    """What names stand for, by what a file assigns to them."""
    return lambda node: assigned.get(node.id, node) if isinstance(node, ast.Name) else node
