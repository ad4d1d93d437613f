"""What an expression comes to, where the text alone tells."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

from ledgergate.guard.conditions import holds_on_machines
from ledgergate.source.syntax import last_name

# What a name stands for: an expression, or a literal as a text; None where nobody can say.
Look = Callable[[str], "ast.expr | str | None"]

_MOST = 64
_MOST_NAMES = 200
_DEEPEST = 12
_WRONG = (ValueError, SyntaxError, TypeError, ArithmeticError, LookupError, RecursionError, MemoryError)
_COMPARES: Mapping[type[ast.cmpop], Callable[[Any, Any], object]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: lambda one, other: one is other or (type(one) is type(other) and one == other),
    ast.IsNot: lambda one, other: one is not other and (type(one) is not type(other) or one != other),
    ast.In: lambda one, many: operator.contains(many, one),
    ast.NotIn: lambda one, many: not operator.contains(many, one),
}
_COMPUTES: Mapping[type[ast.operator], Callable[[Any, Any], object]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mod: operator.mod,
    ast.FloorDiv: operator.floordiv,
}
_CALLED: Mapping[str, Callable[..., object]] = {
    "len": len,
    "any": any,
    "all": all,
    "bool": bool,
    "list": list,
    "tuple": tuple,
    "set": set,
    "frozenset": frozenset,
    "dict": dict,
    "sorted": sorted,
    "abs": abs,
    "min": min,
    "max": max,
    "sum": sum,
}
_CLASSES = {one.__name__: one for one in (int, float, str, bytes, bool, list, tuple, dict, set)}


class _UnknownError(Exception):
    """The text alone does not tell."""


def value_of(node: ast.expr, look: Look) -> tuple[object] | None:
    """What an expression comes to, as the only element; None where nobody can say."""
    left = _MOST_NAMES

    def counted(name: str) -> ast.expr | str | None:
        nonlocal left
        left -= 1
        if left < 0:
            raise _UnknownError
        return look(name)

    return _tried(node, counted, 0)


def _tried(node: ast.expr, look: Look, depth: int) -> tuple[object] | None:
    try:
        return (_value(node, look, depth),)
    except (_UnknownError, *_WRONG):
        return None


def truth_of(node: ast.expr, look: Look) -> bool | None:
    """Whether a condition holds; None where nobody can say."""
    found = value_of(node, look)
    return None if found is None else bool(found[0])


def _value(node: ast.expr, look: Look, depth: int) -> object:
    if depth > _DEEPEST:
        raise _UnknownError
    found = _VISITS.get(type(node))
    if found is None:
        raise _UnknownError
    return found(node, look, depth + 1)


def _name(node: ast.Name, look: Look, depth: int) -> object:
    known = look(node.id)
    if isinstance(known, str):
        return ast.literal_eval(known)
    if known is not None and not (isinstance(known, ast.Name) and known.id == node.id):
        return _value(known, look, depth)
    if node.id in _SETTLED:
        return _SETTLED[node.id]
    raise _UnknownError


_SETTLED: Mapping[str, object] = {"__debug__": True, "TYPE_CHECKING": False, "__name__": "a module"}


def _attribute(node: ast.Attribute, look: Look, depth: int) -> object:
    if node.attr == "TYPE_CHECKING":
        return False
    known = look(f"{node.value.id}.{node.attr}") if isinstance(node.value, ast.Name) else None
    if isinstance(known, str):
        return ast.literal_eval(known)
    if known is None:
        raise _UnknownError
    return _value(known, look, depth)


def _elements(node: ast.Tuple | ast.List | ast.Set, look: Look, depth: int) -> object:
    if len(node.elts) > _MOST:
        raise _UnknownError
    found = [_value(one, look, depth) for one in node.elts]
    return tuple(found) if isinstance(node, ast.Tuple) else found if isinstance(node, ast.List) else set(found)


def _dict(node: ast.Dict, look: Look, depth: int) -> object:
    if len(node.keys) > _MOST or None in node.keys:
        raise _UnknownError
    pairs = zip(node.keys, node.values, strict=True)
    return {_value(key, look, depth): _value(value, look, depth) for key, value in pairs if key is not None}


def _unary(node: ast.UnaryOp, look: Look, depth: int) -> object:
    inner = _value(node.operand, look, depth)
    if isinstance(node.op, ast.Not):
        return not inner
    if isinstance(node.op, ast.USub):
        return operator.neg(inner)  # type: ignore[arg-type]
    raise _UnknownError


def _logic(node: ast.BoolOp, look: Look, depth: int) -> object:
    """`x and False` is false whatever x is."""
    ends = isinstance(node.op, ast.Or)
    is_unknown, last = False, None
    for one in node.values:
        found = _tried(one, look, depth)
        if found is None:
            is_unknown = True
        elif bool(found[0]) is ends:
            return found[0]
        else:
            last = found[0]
    if is_unknown:
        raise _UnknownError
    return last


def _compare(node: ast.Compare, look: Look, depth: int) -> object:
    if len(node.ops) == 1:
        always = holds_on_machines(ast.unparse(node.left), node.ops[0], node.comparators[0])
        if always is not None:
            return always
    sides = [_value(one, look, depth) for one in (node.left, *node.comparators)]
    return all(_COMPARES[type(sign)](one, other) for sign, one, other in zip(node.ops, sides, sides[1:], strict=False))


def _computed(node: ast.BinOp, look: Look, depth: int) -> object:
    left, right = _value(node.left, look, depth), _value(node.right, look, depth)
    if isinstance(node.op, ast.Mult):
        return _times(left, right)
    if isinstance(node.op, ast.Mod) and not isinstance(left, int):
        raise _UnknownError
    if type(node.op) not in _COMPUTES:
        raise _UnknownError
    return _COMPUTES[type(node.op)](left, right)


def _times(left: object, right: object) -> object:
    numbers = [one for one in (left, right) if isinstance(one, int)]
    if not numbers or (len(numbers) < 2 and max(numbers) > _MOST):
        raise _UnknownError
    return operator.mul(left, right)


def _item(node: ast.Subscript, look: Look, depth: int) -> object:
    whole = _value(node.value, look, depth)
    if isinstance(node.slice, ast.Slice):
        parts = (node.slice.lower, node.slice.upper, node.slice.step)
        at: object = slice(*(None if one is None else _value(one, look, depth) for one in parts))
    else:
        at = _value(node.slice, look, depth)
    return operator.getitem(whole, at)  # type: ignore[call-overload]


def _either(node: ast.IfExp, look: Look, depth: int) -> object:
    return _value(node.body if _value(node.test, look, depth) else node.orelse, look, depth)


def _called(node: ast.Call, look: Look, depth: int) -> object:
    if isinstance(node.func, ast.Lambda) and not node.args:
        return _value(node.func.body, look, depth)
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name == "isinstance" and len(node.args) == 2 and last_name(node.args[1]) in _CLASSES:
        return isinstance(_value(node.args[0], look, depth), _CLASSES[last_name(node.args[1])])
    if node.keywords or (name not in _CALLED and name != "range"):
        raise _UnknownError
    given: list[Any] = [_value(one, look, depth) for one in node.args]
    if name == "range":
        numbers = range(*given)
        if len(numbers) > _MOST:
            raise _UnknownError
        return numbers
    return _CALLED[name](*given)


def _inner(node: ast.NamedExpr, look: Look, depth: int) -> object:
    return _value(node.value, look, depth)


def _constant(node: ast.Constant, _look: Look, _depth: int) -> object:
    return node.value


_VISITS: Mapping[type[ast.expr], Callable[..., object]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Tuple: _elements,
    ast.List: _elements,
    ast.Set: _elements,
    ast.Dict: _dict,
    ast.UnaryOp: _unary,
    ast.BoolOp: _logic,
    ast.Compare: _compare,
    ast.BinOp: _computed,
    ast.Subscript: _item,
    ast.IfExp: _either,
    ast.Call: _called,
    ast.NamedExpr: _inner,
}
