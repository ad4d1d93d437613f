"""What an asserted expression asks for: nothing at all, that there is something, or more."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from enum import IntEnum

from ledgergate.source.syntax import walk


class Asks(IntEnum):
    """How much a check asks, the least first."""

    NOTHING = 0
    SOMETHING = 1
    MORE = 2


_PREDICATE = (
    r"_*(?:is|has|can|are|all|any|equal|same|match|contains|startswith|endswith|exists|allclose|array_equal)(?:[_A-Z].*)?|"
    r"is[a-z].*|hasattr|callable|fullmatch|search|approx|startswith|endswith|.*_(?:equal|close|matches|equals)"
)
_NEVER_EMPTY = (ast.Lambda, ast.GeneratorExp)
_REFLEXIVE = (ast.Eq, ast.Is, ast.LtE, ast.GtE)
_SAME = (ast.Eq, ast.Is)
_OTHER = (ast.NotEq, ast.IsNot)


def asks(expression: ast.expr) -> Asks:
    """How much `assert expression` asks."""
    if isinstance(expression, ast.UnaryOp) and isinstance(expression.op, ast.Not):
        return asks_not(expression.operand)
    if isinstance(expression, ast.BoolOp):
        each = [asks(value) for value in expression.values]
        return max(each) if isinstance(expression.op, ast.And) else min(each)
    if isinstance(expression, ast.IfExp):
        return min(asks(expression.body), asks(expression.orelse))
    if isinstance(expression, ast.Compare):
        return _compared(expression)
    if isinstance(expression, (ast.NamedExpr, ast.Await)):
        return asks(expression.value)
    if isinstance(expression, ast.Call):
        return _called(expression)
    constant = _truth(expression)
    return Asks.SOMETHING if constant is None else Asks.NOTHING if constant else Asks.MORE


def asks_not(expression: ast.expr) -> Asks:
    """How much `assert not expression` asks."""
    if isinstance(expression, ast.UnaryOp) and isinstance(expression.op, ast.Not):
        return asks(expression.operand)
    if isinstance(expression, ast.Compare) and len(expression.ops) == 1:
        if asks_equal(expression.left, expression.comparators[0]) is Asks.NOTHING:
            return Asks.NOTHING if isinstance(expression.ops[0], _OTHER) else Asks.MORE
        if isinstance(expression.ops[0], _SAME) and _is_none(expression.left, expression.comparators[0]):
            return Asks.SOMETHING
    constant = _truth(expression)
    return Asks.MORE if constant is None or constant else Asks.NOTHING


def asks_equal(left: ast.expr, right: ast.expr) -> Asks:
    """How much it asks that two values are equal: nothing of a value and itself, or of two literals."""
    if any(isinstance(node, (ast.Call, ast.Await)) for side in (left, right) for node in walk(side)):
        # Two calls may give two values.
        return Asks.MORE
    if type(left) is type(right) and ast.dump(left) == ast.dump(right):
        return Asks.NOTHING
    return Asks.NOTHING if _is_literal(left) and _is_literal(right) else Asks.MORE


def _compared(expression: ast.Compare) -> Asks:
    left, operator, right = expression.left, expression.ops[0], expression.comparators[0]
    if len(expression.ops) > 1:
        operands = [left, *expression.comparators]
        return Asks.NOTHING if all(map(_is_literal, operands)) else Asks.MORE
    if isinstance(operator, _OTHER) and _is_none(left, right):
        return Asks.MORE if _finds(left) else Asks.SOMETHING
    if isinstance(operator, _SAME) and _is_bool_of(left) and _truth(right) is True:
        return Asks.SOMETHING
    if isinstance(operator, _REFLEXIVE) or (_is_literal(left) and _is_literal(right)):
        return min(asks_equal(left, right), _counted(left, operator, right))
    return _counted(left, operator, right)


def _counted(left: ast.expr, operator: ast.cmpop, right: ast.expr) -> Asks:
    """`len(x) > 0` and its like only say that there is something; `len(x) >= 0` says nothing."""
    if not (isinstance(left, ast.Call) and _name(left.func) == "len" and isinstance(right, ast.Constant)):
        return Asks.MORE
    if right.value == 0 and isinstance(operator, (ast.Gt, ast.NotEq)):
        return Asks.SOMETHING
    if right.value == 0 and isinstance(operator, ast.GtE):
        return Asks.NOTHING
    return Asks.SOMETHING if right.value == 1 and isinstance(operator, ast.GtE) else Asks.MORE


def _called(call: ast.Call) -> Asks:
    name = _name(call.func)
    if name == "isinstance" and len(call.args) == 2 and _name(call.args[1]) == "object":
        return Asks.NOTHING
    if name == "bool" and len(call.args) == 1:
        return asks(call.args[0])
    return Asks.MORE if re.fullmatch(_PREDICATE, name) else Asks.SOMETHING


def _is_bool_of(expression: ast.expr) -> bool:
    return isinstance(expression, ast.Call) and _name(expression.func) == "bool"


def _finds(expression: ast.expr) -> bool:
    """Whether it looks for something in a text: then to find it is all that one can ask."""
    return isinstance(expression, ast.Call) and _name(expression.func) in ("match", "fullmatch", "search")


def _is_none(left: ast.expr, right: ast.expr) -> bool:
    return any(isinstance(side, ast.Constant) and side.value is None for side in (left, right))


def _is_literal(expression: ast.expr) -> bool:
    variable = (ast.Name, ast.Attribute, ast.Call, ast.Await, ast.Yield, ast.YieldFrom)
    return not any(isinstance(node, variable) for node in walk(expression))


def _truth(expression: ast.expr) -> bool | None:
    """Whether a literal is true; None for what is none."""
    if isinstance(expression, ast.Constant):
        return bool(expression.value)
    if isinstance(expression, (ast.Tuple, ast.List, ast.Set)):
        return _filled(expression.elts)
    if isinstance(expression, ast.Dict):
        return bool(expression.keys) if all(key is not None for key in expression.keys) else None
    if isinstance(expression, ast.JoinedStr):
        return True if any(isinstance(part, ast.Constant) and part.value for part in expression.values) else None
    return True if isinstance(expression, _NEVER_EMPTY) else None


def _filled(elements: Sequence[ast.expr]) -> bool | None:
    if not elements:
        return False
    return None if all(isinstance(element, ast.Starred) for element in elements) else True


def _name(expression: ast.expr) -> str:
    return expression.attr if isinstance(expression, ast.Attribute) else getattr(expression, "id", "")
