"""What a check asks for: one fact, or several, about terms."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from enum import IntEnum
from typing import NamedTuple

from ledgergate.guard.terms import calls, is_chosen, is_literal
from ledgergate.source.asserted import Asks, asks
from ledgergate.source.syntax import last_name


class Strength(IntEnum):
    """How much a fact asks, the least first."""

    NOTHING = 0
    SOMETHING = 1  # true, not None
    LOOSE = 2  # a bound, a member, a type
    NEAR = 3  # equal within a tolerance
    EXACT = 4


class Fact(NamedTuple):
    """One thing that a test asks.

    `kind` is the comparison (`eq`, `in`, `raises`, ...), `subject` and `expected` are terms, the expected one empty
    where there is none. `guards` are the terms of the conditions that it stands behind, `text` is its line.
    `is_elsewhere`: that is a line of another file.
    """

    kind: str
    strength: Strength
    subject: str
    expected: str
    line: int
    guards: tuple[str, ...] = ()
    text: str = ""
    is_elsewhere: bool = False

    @property
    def key(self) -> tuple[str, str, str]:
        """Equal keys ask the same."""
        return self.kind, self.subject, self.expected

    @property
    def whole(self) -> str:
        return f"{self.subject} {self.expected}"


# Which way a check asks: facts of two ways cannot stand for each other.
_NEGATIVE = frozenset({"falsy", "notin", "ne", "isnot", "not"})
_WAYS = {**dict.fromkeys(("lt", "le"), "less"), **dict.fromkeys(("gt", "ge"), "more")}


def way(fact: Fact) -> str:
    """Whether a fact asks that something is so, that it is not, or that it is less or more than something."""
    is_none = (fact.kind, fact.expected) == ("is", "«None»") or (
        fact.kind in ("is", "eq") and fact.expected == "«False»"
    )
    return "no" if is_none or fact.kind in _NEGATIVE else _WAYS.get(fact.kind, "yes")


def without_match(fact: Fact) -> Fact | None:
    """What is asked at least where something has to be raised, or told, with a certain text; None for other facts."""
    classes, found, match = fact.expected.partition(" ~ ")
    is_of_text = fact.kind in ("raises", "warns") and fact.strength is not Strength.NOTHING and match
    return fact._replace(expected=f"{classes}{found}") if is_of_text else None


Claim = tuple[str, Strength, str, str]
Write = Callable[[ast.expr], str]

# A snapshot that holds nothing yet takes whatever comes.
_ANYTHING = frozenset(
    {"ANY", "snapshot()", "snapshot(«Ellipsis»)", "IsAnything", "IsAnything()", "AnyThing", "AnyThing()"}
)
_BOUNDS = {ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge"}
_TURNED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}
_EXACT_PREDICATES = r"array_equal|array_equiv|equals|fullmatch|assert_\w*equal|is_\w*equal|frame_equal"
_EQUAL_CALL = r"assert_(?:\w+_)?(?:equals?|same)"
_NEAR_CALL = r"assert_\w*(?:close|almost)\w*"
_TOLERANCES = frozenset({"rtol", "atol", "decimal", "delta", "places"})
_NEAR_PREDICATES = frozenset({"allclose", "isclose"})
_FAILING_CALLS = frozenset({"fail", "skip", "exit"})
NEAR_CALLS = frozenset({"approx", "isclose", "allclose"})
# The methods of unittest's TestCase with two values, and what they are in other words.
_TWO_VALUES = {
    **dict.fromkeys(
        (
            *("assertEqual", "assertEquals", "assertListEqual", "assertTupleEqual", "assertDictEqual"),
            *("assertSetEqual", "assertSequenceEqual", "assertMultiLineEqual"),
        ),
        ("eq", Strength.EXACT),
    ),
    "assertIs": ("is", Strength.EXACT),
    "assertNotEqual": ("ne", Strength.LOOSE),
    "assertIsNot": ("isnot", Strength.LOOSE),
    "assertIn": ("in", Strength.LOOSE),
    "assertNotIn": ("notin", Strength.LOOSE),
    "assertIsInstance": ("type", Strength.LOOSE),
    "assertGreater": ("gt", Strength.LOOSE),
    "assertGreaterEqual": ("ge", Strength.LOOSE),
    "assertLess": ("lt", Strength.LOOSE),
    "assertLessEqual": ("le", Strength.LOOSE),
    "assertAlmostEqual": ("near", Strength.NEAR),
    "assertCountEqual": ("unordered", Strength.NEAR),
    "assertRegex": ("matches", Strength.LOOSE),
}
_OF_NONE = {"assertIsNone": ast.Is, "assertIsNotNone": ast.IsNot}
# Other ones, as the calls that they are: a function or a method, and whether it has to hold.
_AS_CALLS = {
    "assertNotIsInstance": ("isinstance", False, False),
    "assertIsSubclass": ("issubclass", False, True),
    "assertNotIsSubclass": ("issubclass", False, False),
    "assertHasAttr": ("hasattr", False, True),
    "assertNotHasAttr": ("hasattr", False, False),
    "assertStartsWith": ("startswith", True, True),
    "assertEndsWith": ("endswith", True, True),
    "assertNotStartsWith": ("startswith", True, False),
    "assertNotEndsWith": ("endswith", True, False),
}


def claims(expression: ast.expr, write: Write, always_equal: Sequence[str] = ()) -> Iterator[Claim]:
    """What `assert expression` asks, in parts that each have to hold; `always_equal` are classes that equal all."""
    if asks(expression) is Asks.NOTHING:
        yield ("nothing", Strength.NOTHING, write(expression), "")
    elif isinstance(expression, ast.BoolOp) and isinstance(expression.op, ast.And):
        for value in expression.values:
            yield from claims(value, write, always_equal)
    elif isinstance(expression, ast.BoolOp):
        yield from _either(expression, write, always_equal)
    elif isinstance(expression, ast.UnaryOp) and isinstance(expression.op, ast.Not):
        yield _not(expression.operand, write)
    elif isinstance(expression, ast.Compare):
        yield from _compared(expression, write, always_equal)
    elif isinstance(expression, (ast.NamedExpr, ast.Await)):
        yield from claims(expression.value, write, always_equal)
    elif isinstance(expression, ast.Call):
        yield from _called(expression, write, always_equal)
    else:
        yield ("truthy", Strength.SOMETHING, write(expression), "")


def unittest_claims(call: ast.Call, write: Write, always_equal: Sequence[str]) -> Iterator[Claim]:
    """What a call of one of unittest's checking methods asks."""
    # `assert_equal` is what others call `assertEqual`.
    name, arguments = re.sub(r"_([a-z])", lambda found: found[1].upper(), last_name(call.func)), call.args
    if name in _TWO_VALUES and len(arguments) > 1:
        kind, strength = _TWO_VALUES[name]
        if kind == "eq":
            yield from _equal(arguments[0], arguments[1], write, always_equal)
            return
        left, right = write(arguments[0]), write(arguments[1])
        extra = [write(one) for one in arguments[2:]] + [
            f"{one.arg}={write(one.value)}" for one in call.keywords if one.arg != "msg"
        ]
        tolerance = f" ~ {', '.join(extra)}" if extra and kind == "near" else ""
        yield (kind, strength, left, right + tolerance)
    elif name in ("assertTrue", "assert_", "assert") and arguments:
        yield from claims(arguments[0], write, always_equal)
    elif name == "assertFalse" and arguments:
        yield _not(arguments[0], write)
    elif name in _OF_NONE and arguments:
        none = ast.copy_location(ast.Compare(arguments[0], [_OF_NONE[name]()], [ast.Constant(None)]), call)
        yield from claims(ast.fix_missing_locations(none), write, always_equal)
    elif name in _AS_CALLS and len(arguments) > 1:
        function, is_method, holds = _AS_CALLS[name]
        called = ast.copy_location(_as_call(function, arguments, is_method=is_method), call)
        yield from claims(called, write, always_equal) if holds else iter([_not(called, write)])
    else:
        yield ("call", Strength.LOOSE, write(call), "")


def _as_call(function: str, arguments: Sequence[ast.expr], *, is_method: bool) -> ast.Call:
    first, second = arguments[:2]
    if is_method:
        return ast.Call(ast.Attribute(first, function, ast.Load()), [second], [])
    return ast.Call(ast.Name(function, ast.Load()), [first, second], [])


def called_claim(call: ast.Call, write: Write) -> Claim:
    """What a call of a checking function asks, as far as its name tells."""
    name = last_name(call.func)
    is_near = re.fullmatch(_NEAR_CALL, name) is not None
    is_equal = not is_near and re.fullmatch(_EQUAL_CALL, name) is not None
    tolerances = [one for one in call.keywords if is_near or one.arg in _TOLERANCES]
    if len(call.args) > 1 and (is_near or (is_equal and tolerances)):
        more = [f"{one.arg}={write(one.value)}" for one in tolerances]
        more += [write(one) for one in call.args[2:]] if is_near else []
        tolerance = f" ~ {', '.join(more)}" if more else ""
        return ("near", Strength.NEAR, write(call.args[0]), write(call.args[1]) + tolerance)
    if len(call.args) > 1 and is_equal:
        return ("eq", Strength.EXACT, *_in_order(write(call.args[0]), write(call.args[1])))
    return ("call", Strength.EXACT if name.endswith(("_with", "_calls")) else Strength.LOOSE, write(call), "")


def _either(expression: ast.BoolOp, write: Write, always_equal: Sequence[str]) -> Iterator[Claim]:
    """`x or pytest.fail()` asks for x; of other alternatives, one is enough."""
    values = [one for one in expression.values if not (isinstance(one, ast.Call) and _fails(one))]
    if len(values) == 1:
        yield from claims(values[0], write, always_equal)
        return
    parts = [part for value in values for part in claims(value, write, always_equal)]
    least = min((part[1] for part in parts), default=Strength.NOTHING)
    yield ("or", min(least, Strength.LOOSE), write(expression), "")


def _fails(call: ast.Call) -> bool:
    return last_name(call.func) in _FAILING_CALLS


def _not(operand: ast.expr, write: Write) -> Claim:
    if isinstance(operand, ast.Compare) and len(operand.ops) == 1:
        left, right = write(operand.left), write(operand.comparators[0])
        if isinstance(operand.ops[0], (ast.NotEq, ast.IsNot)):
            kind = "eq" if isinstance(operand.ops[0], ast.NotEq) else "is"
            return (kind, Strength.EXACT, *_in_order(left, right))
        kind = {ast.In: "notin", ast.NotIn: "in", ast.Eq: "ne", ast.Is: "isnot"}.get(type(operand.ops[0]), "not")
        if kind == "isnot" and right == "«None»":
            return ("notnone", Strength.SOMETHING, left, "")
        return (kind, Strength.LOOSE, left, right)
    return ("falsy", Strength.LOOSE, write(operand), "")


def _called(call: ast.Call, write: Write, always_equal: Sequence[str]) -> Iterator[Claim]:
    name = last_name(call.func)
    if name == "bool" and len(call.args) == 1:
        yield from claims(call.args[0], write, always_equal)
    elif name == "isinstance" and len(call.args) == 2:
        yield ("type", Strength.LOOSE, write(call.args[0]), write(call.args[1]))
    elif name in _NEAR_PREDICATES and len(call.args) > 1:
        more = [f"{one.arg}={write(one.value)}" for one in call.keywords] + [write(one) for one in call.args[2:]]
        tolerance = f" ~ {', '.join(more)}" if more else ""
        yield ("near", Strength.NEAR, write(call.args[0]), write(call.args[1]) + tolerance)
    elif re.fullmatch(_EXACT_PREDICATES, name) and len(call.args) == 2 and any(map(_is_equal_nan, call.keywords)):
        yield ("near", Strength.NEAR, write(call.args[0]), f"{write(call.args[1])} ~ equal_nan=«True»")
    elif re.fullmatch(_EXACT_PREDICATES, name) and len(call.args) == 2:
        yield ("eq", Strength.EXACT, write(call.args[0]), write(call.args[1]))
    else:
        strength = Strength.LOOSE if asks(call) is Asks.MORE else Strength.SOMETHING
        yield ("truthy", strength, write(call), "")


def _is_equal_nan(argument: ast.keyword) -> bool:
    return argument.arg == "equal_nan" and getattr(argument.value, "value", None) is not False


def _compared(expression: ast.Compare, write: Write, always_equal: Sequence[str]) -> Iterator[Claim]:
    operands = [expression.left, *expression.comparators]
    if len(operands) > 2 and all(isinstance(one, ast.Eq) for one in expression.ops):
        # What is equal to one is equal to all.
        for number, left in enumerate(operands):
            for right in operands[number + 1 :]:
                yield from _equal(left, right, write, always_equal)
        return
    for left, operator, right in zip(operands, expression.ops, operands[1:], strict=False):
        yield from _one(left, operator, right, write, always_equal)


def _one(
    left: ast.expr, operator: ast.cmpop, right: ast.expr, write: Write, always_equal: Sequence[str]
) -> Iterator[Claim]:
    if isinstance(operator, ast.Eq):
        yield from _equal(left, right, write, always_equal)
    elif isinstance(operator, ast.Is):
        compared = _with_truth(left, right)
        if compared is not None:
            yield from claims(compared, write, always_equal)
            return
        yield ("is", Strength.EXACT, write(left), write(right))
    elif isinstance(operator, (ast.IsNot, ast.NotEq)):
        is_none = any(isinstance(side, ast.Constant) and side.value is None for side in (left, right))
        kind = "ne" if isinstance(operator, ast.NotEq) else "isnot"
        yield (
            ("notnone", Strength.SOMETHING, write(left), "")
            if is_none
            else (kind, Strength.LOOSE, write(left), write(right))
        )
    elif isinstance(operator, (ast.In, ast.NotIn)):
        kind = "in" if isinstance(operator, ast.In) else "notin"
        yield (kind, Strength.LOOSE, write(left), write(right))
    else:
        kind, subject, expected = _BOUNDS[type(operator)], write(left), write(right)
        if is_literal(subject) and not is_literal(expected):
            kind, subject, expected = _TURNED[kind], expected, subject
        yield (kind, Strength.LOOSE, subject, expected)


def _equal(left: ast.expr, right: ast.expr, write: Write, always_equal: Sequence[str]) -> Iterator[Claim]:
    pairs = _pairs(left, right)
    if pairs is not None:
        for one, other in pairs:
            yield from _equal(one, other, write, always_equal)
        return
    compared = _with_truth(left, right)
    if compared is not None:
        yield from claims(compared, write, always_equal)
        return
    near = next((side for side in (right, left) if isinstance(side, ast.Call) and last_name(side) == "approx"), None)
    if near is not None and near.args:
        subject = left if near is right else right
        more = [write(one) for one in near.args[1:]] + [f"{one.arg}={write(one.value)}" for one in near.keywords]
        tolerance = f" ~ {', '.join(more)}" if more else ""
        yield ("near", Strength.NEAR, write(subject), write(near.args[0]) + tolerance)
        return
    yield _equal_terms(*_in_order(write(left), write(right)), always_equal)


def _with_truth(left: ast.expr, right: ast.expr) -> ast.expr | None:
    """`x in y`, and `not x in y`, for `(x in y) == True` and `False == (x in y)`; None for anything else."""
    for comparison, value in ((left, right), (right, left)):
        truth = getattr(value, "value", None)
        if isinstance(comparison, ast.Compare) and len(comparison.ops) == 1 and isinstance(truth, bool):
            return comparison if truth else ast.copy_location(ast.UnaryOp(ast.Not(), comparison), comparison)
    return None


def _equal_terms(subject: str, expected: str, always_equal: Sequence[str]) -> Claim:
    is_same = subject == expected and "(" in subject
    is_anything = expected in _ANYTHING or any(name in always_equal for name in (*calls(subject), *calls(expected)))
    if is_same or is_anything or expected.endswith(".ANY"):
        return ("nothing", Strength.NOTHING, subject, expected)
    return ("eq", Strength.EXACT, subject, expected)


def _pairs(left: ast.expr, right: ast.expr) -> list[tuple[ast.expr, ast.expr]] | None:
    """The elements of two displays side by side, where these are equal if the elements are."""
    if not isinstance(left, (ast.Tuple, ast.List)) or not isinstance(right, (ast.Tuple, ast.List)):
        return None
    is_plain = not any(isinstance(one, ast.Starred) for one in (*left.elts, *right.elts))
    is_alike = type(left) is type(right) and len(left.elts) == len(right.elts)
    return list(zip(left.elts, right.elts, strict=True)) if is_plain and is_alike and left.elts else None


def _in_order(left: str, right: str) -> tuple[str, str]:
    """What is tested, and what it is to be, whichever side they stand on."""
    if is_literal(left) != is_literal(right):
        return (right, left) if is_literal(left) else (left, right)
    if is_chosen(left) != is_chosen(right):
        return (right, left) if is_chosen(left) else (left, right)
    if bool(calls(left)) != bool(calls(right)):
        return (left, right) if calls(left) else (right, left)
    return (left, right) if left <= right else (right, left)
