"""Small questions about the syntax of tests."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

from ledgergate.guard.bindings import namespace_of
from ledgergate.guard.terms import is_literal, literals
from ledgergate.source.syntax import children, last_name, walk

SKIPPING = frozenset({"skip", "skipTest", "xfail", "SkipTest", "importorskip"})
_SCOPES = frozenset({ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef})
_CATCHING = frozenset({"AssertionError", "Exception", "BaseException", "failureException"})


def patched_by(call: ast.Call, write: Callable[[ast.expr], str]) -> Iterator[str]:
    """What a call puts something else in the place of, as dotted names."""
    name = last_name(call.func)
    if not call.args:
        return
    first = call.args[0]
    if name in ("patch", "setattr", "dict") and _text(first):
        yield _text(first)
    elif name in ("object", "setattr") and len(call.args) > 1 and isinstance(call.args[1], ast.Constant):
        if name == "setattr" or "patch" in ast.dump(call.func):
            yield f"{write(first)}.{call.args[1].value!s}"
    elif name == "multiple":
        whole = _text(first) or write(first)
        yield from (f"{whole}.{one.arg}" for one in call.keywords if one.arg and "patch" in ast.dump(call.func))
    elif name in ("setitem", "dict") and len(call.args) > 1:
        owner = namespace_of(first)
        keys = [call.args[1]] if name == "setitem" else getattr(call.args[1], "keys", ())
        if owner is not None:
            yield from (f"{owner or '__name__'}.{_text(one)}" for one in keys if one is not None)


def _text(node: ast.expr) -> str:
    """A text, or the end of one that begins with the name of the module."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left = "__name__" if getattr(node.left, "id", "") == "__name__" else _text(node.left)
        right = _text(node.right)
        return f"{left}{right}" if left and right else ""
    if isinstance(node, ast.JoinedStr) and isinstance(node.values[-1], ast.Constant):
        return f"__name__{_text(node.values[-1])}"
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def known_truth(node: ast.expr, term: str) -> bool | None:
    """Whether a condition holds, where literals alone tell; else None."""
    if isinstance(node, ast.Constant):
        return bool(node.value)
    if isinstance(node, ast.Name) and is_literal(term):
        return _truth(term)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        inner = known_truth(node.operand, term[3:-1])
        return None if inner is None else not inner
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and is_literal(term):
        found = literals(term)
        if len(found) == 2 and isinstance(node.ops[0], (ast.Eq, ast.Is)):
            return found[0] == found[1]
        if len(found) == 2 and isinstance(node.ops[0], (ast.NotEq, ast.IsNot)):
            return found[0] != found[1]
        sides = [_value(one) for one in term[1:-1].split(" == ")]
        if isinstance(node.ops[0], ast.Eq) and len(sides) == 2 and None not in sides:
            return sides[0] == sides[1]
    return None


def _truth(term: str) -> bool | None:
    value = _value(term)
    return None if value is None else bool(value[0])


def _value(term: str) -> tuple[object] | None:
    """What a term of literals stands for, as the only element; None where it cannot be said."""
    try:
        return (ast.literal_eval(term.replace("«", "").replace("»", "")),)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return None


def calls_in(node: ast.AST) -> Iterator[ast.Call]:
    """The calls of a statement or expression in their order, but for those of functions within it."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        kind = type(one)
        if kind is ast.Call:
            yield one  # type: ignore[misc]
        if kind not in _SCOPES:
            waiting += reversed(children(one))


def variable(target: ast.expr) -> str:
    if isinstance(target, ast.Name):
        return target.id
    if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
        return f"{target.value.id}.{target.attr}"
    return ""


def elements(node: ast.expr | None) -> list[ast.expr] | None:
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)) and not any(isinstance(one, ast.Starred) for one in node.elts):
        return node.elts
    return None


def root(expression: ast.expr) -> str:
    while isinstance(expression, (ast.Attribute, ast.Subscript, ast.Call)):
        expression = expression.func if isinstance(expression, ast.Call) else expression.value
    return getattr(expression, "id", "")


def name_of(node: ast.Expr) -> str:
    return last_name(node.value) if isinstance(node.value, ast.Call) else ""


def kinds(handler: ast.ExceptHandler) -> list[ast.expr]:
    if handler.type is None:
        return []
    return handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]


def catches(classes: Sequence[ast.expr]) -> bool:
    """Whether one of the classes is what a failed check raises, or a base of it."""
    kinds = [one for kind in classes for one in (kind.elts if isinstance(kind, ast.Tuple) else [kind])]
    return any(last_name(kind) in _CATCHING for kind in kinds)


def swallows(handler: ast.ExceptHandler) -> bool:
    """Whether a handler catches what a failed check raises, and neither raises nor fails itself."""
    if handler.type is not None and not catches([handler.type]):
        return False
    return not any(
        isinstance(one, (ast.Raise, ast.Assert)) or (isinstance(one, ast.Call) and last_name(one) == "fail")
        for statement in handler.body
        for one in walk(statement)
    )


def only_fails(body: Sequence[ast.stmt]) -> bool:
    """Whether a block is left by a failure: then what follows is a check behind it all the same."""
    last = body[-1] if body else None
    if isinstance(last, ast.Raise):
        return last.exc is None or last_name(last.exc) not in SKIPPING
    return isinstance(last, ast.Expr) and name_of(last) == "fail"


def is_failing(node: ast.stmt) -> bool:
    """`pytest.fail(...)`, and `assert False`."""
    if isinstance(node, ast.Assert):
        return isinstance(node.test, ast.Constant) and not node.test.value
    return isinstance(node, ast.Expr) and name_of(node) == "fail"


def leaves(body: Sequence[ast.stmt]) -> bool:
    return bool(body) and isinstance(body[-1], (ast.Return, ast.Raise, ast.Continue, ast.Break))
