"""What an expression of constants alone comes to: `"a" + "b"` and `"ab"` are the same expectation."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

# Of texts with other marks nobody knows the length before they are made.
_PLAIN_MARKS = re.compile(r"(?:[^%]|%[sd%])*", re.DOTALL)
_LONGEST = 4000
_LARGEST = 2**63
# A text or a number as a term.
_LITERAL = re.compile(r"«(?:'[^'\\»]*'|\d{1,9})»")
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)")

# More numbers are not written out.
_MOST = 64

Value = str | bytes | int


class _UnknownError(Exception):
    """It is not made of constants alone."""


def folded(node: ast.expr) -> tuple[Value] | None:
    """What an expression comes to, as the only element; None where it is not made of constants alone."""
    try:
        found = _value(node)
    except (_UnknownError, TypeError, ValueError):
        return None
    is_small = abs(found) < _LARGEST if isinstance(found, int) else len(found) <= _LONGEST
    return (found,) if is_small else None


def date_parts(call: ast.Call) -> tuple[int, ...] | None:
    """Year, month and day of `date.fromisoformat("2024-01-02")`."""
    function, given = call.func, call.args[0] if len(call.args) == 1 and not call.keywords else None
    if (
        not isinstance(function, ast.Attribute)
        or function.attr != "fromisoformat"
        or not isinstance(given, ast.Constant)
    ):
        return None
    of = function.value
    name = of.attr if isinstance(of, ast.Attribute) else getattr(of, "id", "")
    found = _DATE.fullmatch(given.value) if isinstance(given.value, str) and name == "date" else None
    return None if found is None else tuple(map(int, found.groups()))


def formatted(node: ast.Call) -> ast.JoinedStr | None:
    """`"a {}".format(x)` as `f"a {x}"`; None where it is not plain which values stand where."""
    text = getattr(getattr(node.func, "value", None), "value", None)
    given: dict[str, ast.expr] = {str(number): one for number, one in enumerate(node.args)}
    given.update((one.arg or "**", one.value) for one in node.keywords)
    if not isinstance(text, str) or "**" in given or any(isinstance(one, ast.Starred) for one in node.args):
        return None
    from string import Formatter

    parts: list[ast.expr] = []
    plain, count = "", 0
    try:
        for before, field, form, conversion in Formatter().parse(text):
            plain += before
            if field is None:
                continue
            count += field == ""
            value = given[field or str(count - 1)]
            parts += [ast.Constant(plain)] if plain else []
            shown = ast.JoinedStr([ast.Constant(form)]) if form else None
            parts.append(ast.FormattedValue(value, ord(conversion) if conversion else -1, shown))
            plain = ""
    except (ValueError, KeyError):
        return None
    return ast.JoinedStr([*parts, ast.Constant(plain)] if plain else parts)


def interpolated(node: ast.BinOp) -> ast.JoinedStr | None:
    """`"a %s" % x` as `f"a {x}"`; None for other marks, and where it is not plain which values there are."""
    text = getattr(node.left, "value", None)
    several = isinstance(node.right, (ast.Tuple, ast.Dict))
    given = node.right.elts if isinstance(node.right, ast.Tuple) else [] if several else [node.right]
    if not isinstance(text, str) or any(isinstance(one, ast.Starred) for one in given):
        return None
    pieces = text.split("%s")
    if len(pieces) != len(given) + 1 or not given or any("%" in one for one in pieces):
        return None
    parts: list[ast.expr] = [ast.Constant(pieces[0])] if pieces[0] else []
    for value, piece in zip(given, pieces[1:], strict=True):
        parts.append(ast.FormattedValue(value, -1, None))
        parts += [ast.Constant(piece)] if piece else []
    return ast.JoinedStr(parts)


def in_other_words(call: ast.Call) -> ast.expr | None:
    """`[0, 1]` for `list(range(2))`, and `run(x)` for `loop.run_until_complete(x)`; None for any other call."""
    if len(call.args) != 1 or call.keywords:
        return None
    (given,), function = call.args, call.func
    if isinstance(function, ast.Attribute):
        return ast.Call(ast.Name("run", ast.Load()), [given], []) if function.attr == "run_until_complete" else None
    if not isinstance(given, ast.Call) or getattr(given.func, "id", "") != "range" or given.keywords:
        return None
    ends = [folded(one) for one in given.args]
    try:
        numbers = range(*(one[0] for one in ends if one is not None))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    if None in ends or len(numbers) > _MOST:
        return None
    elements: list[ast.expr] = [ast.Constant(one) for one in numbers]
    return ast.List(elements, ast.Load()) if function.id == "list" else ast.Tuple(elements, ast.Load())  # type: ignore[attr-defined]


def with_values(node: ast.JoinedStr, terms: Mapping[str, str]) -> ast.JoinedStr:
    """A text with the values of names that stand for literals in the place of these."""
    parts: list[ast.expr] = []
    for one in node.values:
        name = one.value if isinstance(one, ast.FormattedValue) else None
        term = terms.get(name.id, "") if isinstance(name, ast.Name) else ""
        if _LITERAL.fullmatch(term):
            one = ast.FormattedValue(ast.Constant(ast.literal_eval(term[1:-1])), one.conversion, one.format_spec)  # type: ignore[attr-defined]
        parts.append(one)
    return ast.JoinedStr(parts)


def _value(node: ast.expr) -> Value:
    if isinstance(node, ast.Constant) and type(node.value) in (str, bytes, int):
        return node.value  # type: ignore[return-value]
    if isinstance(node, ast.JoinedStr):
        return "".join(map(_part, node.values))
    if isinstance(node, ast.BinOp):
        return _computed(node)
    if isinstance(node, ast.Call):
        return _called(node)
    raise _UnknownError


def _part(node: ast.expr) -> str:
    if isinstance(node, ast.FormattedValue):
        if node.conversion != -1 or node.format_spec is not None:
            raise _UnknownError
        node = node.value
    found = _value(node)
    if isinstance(found, bytes):
        raise _UnknownError
    return str(found)


def _computed(node: ast.BinOp) -> Value:
    left = _value(node.left)
    if isinstance(node.op, ast.Mod) and isinstance(left, str):
        right = tuple(map(_value, node.right.elts)) if isinstance(node.right, ast.Tuple) else (_value(node.right),)
        if not _PLAIN_MARKS.fullmatch(left):
            raise _UnknownError
        return left % right
    other = _value(node.right)
    if isinstance(node.op, ast.Add) and type(left) is type(other):
        return left + other  # type: ignore[operator]
    is_small = all(isinstance(one, int) and abs(one) < _LARGEST for one in (left, other))
    if isinstance(node.op, ast.Mult) and is_small:
        return left * other  # type: ignore[operator]
    if isinstance(node.op, ast.Sub) and is_small:
        return left - other  # type: ignore[operator]
    raise _UnknownError


def _called(node: ast.Call) -> str:
    """`textwrap.dedent` and `re.escape` of a text."""
    if not isinstance(node.func, ast.Attribute) or len(node.args) != 1 or node.keywords:
        raise _UnknownError
    whole = f"{getattr(node.func.value, 'id', '')}.{node.func.attr}"
    if whole not in ("textwrap.dedent", "re.escape"):
        raise _UnknownError
    given = _value(node.args[0])
    if not isinstance(given, str):
        raise _UnknownError
    if whole == "re.escape":
        return re.escape(given)
    from textwrap import dedent

    return dedent(given)
