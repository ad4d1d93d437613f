"""Expressions as texts that can be compared: names replaced by what they stand for, literals marked.

A term looks like Python, but that each literal stands between `«` and `»`, and that the module of an imported name is
left out: `app.total([1, x])` and `total([1, x])` are both `total([«1», x])`.
"""

from __future__ import annotations

import ast
import re
import zlib
from collections.abc import Container, Mapping, Sequence
from functools import lru_cache

from ledgergate.guard.folded import date_parts, folded, formatted, in_other_words, interpolated, with_values
from ledgergate.source.syntax import children, last_name

Environment = Mapping[str, str]
Returns = Mapping[str, tuple[ast.arguments, ast.expr]]

_LITERAL = re.compile("«[^»]*»")
# What stands in a dict under a name.
_PAIR = re.compile(r"«'([^\W\d]\w*)'»: (.*)")
# Where the elements of a term are parted, and what only stands between the operands of an operation.
_MARK = re.compile(r"«[^»]*»|, |[(\[{)\]}]|[ <>~*]")
_CALL = re.compile(r"([^\W\d]\w*)\(")
_NAME = re.compile(r"[^\W\d]\w*")
_TOLD_APART = re.compile(r"\.([^\W\d]\w*)\b(?![\w(])|([^\W\d]\w*)(?==[^=])")
# Arguments of fakes, of which several come to the same.
_OF_FAKES = frozenset({"", "spec", "spec_set", "autospec", "wraps", "side_effect"})
# Methods of which calls may come to a constant.
_FOLDED = frozenset({"dedent", "escape", "fromisoformat"})
# What is said by a display, or another call.
_OTHER_WORDS = frozenset({"list", "tuple", "run_until_complete"})
# What is looked up in a class, and that; constants are dicts.
_MEMBER = re.compile(r"«'[A-Z][A-Z0-9_]*'»")
_CLASS = re.compile(r"(?:\w+\.)*[A-Z](?:\w*[a-z]\w*)?")
# A module by its name.
_MODULE = re.compile(r"(?:importlib\.)?import_module\(«'[\w.]+'»\)")
# Longer ones are cut, so that what is put in place of names cannot grow without end.
_LONGEST = 4000
# How deeply functions are written out that only return something, and how many of those that stand deeper.
_DEEP, _DEEPEST, _MOST_DEEP = 6, 24, 100


def literals(term: str) -> tuple[str, ...]:
    """The literals of a term in their order, as Python writes them."""
    return tuple(found[1:-1] for found in _LITERAL.findall(term))


def shape(term: str) -> str:
    """The term without saying which literals stand in it."""
    return _LITERAL.sub("«»", term)


def without_literals(term: str) -> str:
    """The term without its literals."""
    return _LITERAL.sub("", term)


def is_literal(term: str) -> bool:
    """Whether it is made of literals alone, and holds one."""
    rest = without_literals(term)
    return rest != term and not _NAME.search(rest)


def outermost(term: str) -> str:
    """The last name of what a term calls last; empty where it is no call."""
    bare, depth = without_literals(term), 0
    for at in range(len(bare) - 1, -1, -1):
        depth += (bare[at] in ")]}") - (bare[at] in "([{")
        if depth == 0:
            found = re.search(r"\w+$", bare[:at]) if bare[at] == "(" else None
            return found[0] if found is not None else ""
    return ""


@lru_cache(maxsize=4096)
def calls(term: str) -> frozenset[str]:
    """The last names of what is called in a term."""
    return frozenset(_CALL.findall(without_literals(term)))


@lru_cache(maxsize=4096)
def names(term: str) -> frozenset[str]:
    """The names and attributes in a term."""
    return frozenset(_NAME.findall(without_literals(term)))


@lru_cache(maxsize=4096)
def told_apart(term: str) -> frozenset[str]:
    """The attributes and the names of arguments in a term: unlike those of variables, other ones are something else."""
    found = {name for both in _TOLD_APART.findall(without_literals(term)) for name in both}
    return frozenset(found - _OF_FAKES)


def bounded(term: str) -> str:
    """The term, cut where it is too long."""
    if len(term) <= _LONGEST:
        return term
    return f"{term[:_LONGEST]}~{zlib.crc32(term.encode('utf-8', 'surrogatepass')):x}"


def either(condition: str, holds: str, fails: str) -> str:
    """The term of a value that a condition chooses, as one of `holds if condition else fails` is written."""
    return bounded(f"<IfExp {condition} {holds} {fails}>")


def is_chosen(term: str) -> bool:
    """Whether it is a value that a condition chooses."""
    return term.startswith("<IfExp ")


class Writer:
    """Writes the terms of one file.

    `modules` are names that imports bind to modules; `returns` are functions that only return an expression, which is
    written in place of a call. Those of them that are `local` see the names around their call.
    """

    def __init__(
        self, modules: Container[str] = (), returns: Returns | None = None, local: Container[str] = ()
    ) -> None:
        self._modules = modules
        self._returns: Returns = returns or {}
        self._local = local
        self._depth = 0
        self._deep = 0

    def within(self, returns: Returns) -> Writer:
        """The same inside of a function that makes these for itself: they see its names."""
        return Writer(self._modules, {**self._returns, **returns}, returns) if returns else self

    def term(self, node: ast.AST, environment: Environment) -> str:
        """The term of an expression; names are replaced where `environment` knows them."""
        return bounded(getattr(self, _VISITS.get(type(node), "_any"))(node, environment))

    def bound(self, arguments: ast.arguments, call: ast.Call, environment: Environment) -> dict[str, str]:
        """The terms of what a call gives a function, by the names of its parameters; defaults too."""
        parameters = [one.arg for one in (*arguments.posonlyargs, *arguments.args)]
        given = {
            name: self.term(default, environment)
            for name, default in zip(reversed(parameters), reversed(arguments.defaults), strict=False)
        }
        for one, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
            if value is not None:
                given[one.arg] = self.term(value, environment)
        if parameters[:1] in (["self"], ["cls"]):
            parameters = parameters[1:]
        given.update(zip(parameters, (self.term(one, environment) for one in call.args), strict=False))
        given.update((one.arg, self.term(one.value, environment)) for one in call.keywords if one.arg)
        return given

    def _constant(self, node: ast.Constant, _environment: Environment) -> str:
        return _written(node.value)

    def _name(self, node: ast.Name, environment: Environment) -> str:
        found = environment.get(node.id)
        if found is None and node.id in self._returns and self._may_write():
            # A function that is handed on is the lambda that it could be.
            arguments, value = self._returns[node.id]
            self._depth += 1
            try:
                return self._any(ast.Lambda(arguments, value), environment)
            finally:
                self._depth -= 1
        return node.id if found is None else found

    def _attribute(self, node: ast.Attribute, environment: Environment) -> str:
        if isinstance(node.value, ast.Name):
            whole = f"{node.value.id}.{node.attr}"
            if whole in environment:
                return environment[whole]
            if node.value.id in self._modules and node.value.id not in environment:
                return node.attr
        value = self.term(node.value, environment)
        if node.attr == "exception" and value.startswith("raises("):
            # As unittest calls what pytest calls so.
            return f"{value}.value"
        return node.attr if value in self._modules or _MODULE.fullmatch(value) else f"{value}.{node.attr}"

    def _call(self, node: ast.Call, environment: Environment) -> str:
        function = node.func
        if isinstance(function, ast.Attribute) and function.attr in _FOLDED:
            text = self._folded_call(node, environment)
            if text:
                return text
        if last_name(function) in _OTHER_WORDS and (other := in_other_words(node)) is not None:
            return self.term(other, environment)
        if isinstance(function, ast.Attribute) and function.attr == "format":
            joined = formatted(node)
            if joined is not None:
                return self._joined(joined, environment)
        if isinstance(function, ast.Name) and function.id in self._returns and self._may_write():
            arguments, value = self._returns[function.id]
            known = self._seen_by(arguments, environment) if function.id in self._local else {}
            self._depth += 1
            try:
                return self.term(value, {**known, **self.bound(arguments, node, environment)})
            finally:
                self._depth -= 1
        if isinstance(function, ast.Name) and function.id == "dict" and node.keywords and not node.args:
            named = [one.arg for one in node.keywords]
            if None not in named:
                keys: list[ast.expr | None] = [ast.Constant(one) for one in named]
                return self._dict(ast.Dict(keys, [one.value for one in node.keywords]), environment)
        given = [
            self._unpacked(one, environment) if type(one) is ast.Starred else self.term(one, environment)
            for one in node.args
        ]
        given += [self._named(one, environment) for one in node.keywords]
        return f"{self.term(function, environment)}({', '.join(given)})"

    def _seen_by(self, arguments: ast.arguments, environment: Environment) -> dict[str, str]:
        """What the names around a function stand for inside of it."""
        own = {one.arg for one in children(arguments) if isinstance(one, ast.arg)}
        return {name: term for name, term in environment.items() if name not in own}

    def _folded_call(self, node: ast.Call, environment: Environment) -> str:
        found = folded(node)
        if found is not None:
            return _written(found[0])
        parts = date_parts(node)
        return "" if parts is None else f"{self.term(node.func.value, environment)}({', '.join(map(_written, parts))})"  # type: ignore[attr-defined]

    def _may_write(self) -> bool:
        """Whether what a function returns is still written in place of its call."""
        if self._depth < _DEEP:
            self._deep = 0
            return True
        self._deep += 1
        return self._depth < _DEEPEST and self._deep <= _MOST_DEEP

    def _unpacked(self, node: ast.Starred, environment: Environment) -> str:
        """What a star takes apart: the values of a list or tuple side by side, where they are known."""
        is_known = isinstance(node.value, (ast.Name, ast.Subscript))
        found = _elements(self.term(node.value, environment), "([") if is_known else None
        return self.term(node, environment) if not found else ", ".join(found)

    def _named(self, node: ast.keyword, environment: Environment) -> str:
        """An argument by name; of two stars, those that stand in a dict where that is known."""
        term = self.term(node.value, environment)
        if node.arg is None and isinstance(node.value, (ast.Name, ast.Subscript)):
            pairs = [_PAIR.fullmatch(one) for one in _elements(term, "{") or ()]
            if pairs and all(pairs):
                return ", ".join(f"{one[1]}={one[2]}" for one in pairs if one is not None)
        return f"{node.arg or '**'}={term}"

    def _inner(self, node: ast.Await | ast.NamedExpr, environment: Environment) -> str:
        return self.term(node.value, environment)

    def _subscript(self, node: ast.Subscript, environment: Environment) -> str:
        if isinstance(node.value, ast.Name) and isinstance(node.slice, (ast.Constant, ast.Name)):
            key = node.slice.id if isinstance(node.slice, ast.Name) else repr(node.slice.value)
            whole = f"{node.value.id}[{key}]"
            if whole in environment:
                return environment[whole]
        value, item = self.term(node.value, environment), self.term(node.slice, environment)
        if _MEMBER.fullmatch(item) and _CLASS.fullmatch(value):
            # A member of an Enum.
            return f"{value}.{item[2:-2]}"
        if item == "«0»" and isinstance(node.value, ast.Call) and value.startswith("list("):
            # The same in other words.
            return f"next(iter({value.removeprefix('list(')})"
        return f"{value}[{item}]"

    def _sequence(self, node: ast.List | ast.Tuple | ast.Set, environment: Environment) -> str:
        inner = ", ".join(self.term(one, environment) for one in node.elts)
        return (
            f"[{inner}]"
            if isinstance(node, ast.List)
            else f"({inner})"
            if isinstance(node, ast.Tuple)
            else f"{{{inner}}}"
        )

    def _dict(self, node: ast.Dict, environment: Environment) -> str:
        pairs = zip(node.keys, node.values, strict=True)
        written = [
            f"{'**' if key is None else self.term(key, environment) + ': '}{self.term(value, environment)}"
            for key, value in pairs
        ]
        return "{" + ", ".join(written) + "}"

    def _unary(self, node: ast.UnaryOp, environment: Environment) -> str:
        operand = self.term(node.operand, environment)
        if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            return f"«-{operand[1:]}"
        return f"[{_SIGNS[type(node.op)]} {operand}]"

    def _operators(self, node: ast.BinOp | ast.BoolOp | ast.Compare, environment: Environment) -> str:
        found = folded(node) if type(node) is ast.BinOp else None
        if found is not None:
            return _written(found[0])
        joined = interpolated(node) if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) else None
        if joined is not None:
            return self._joined(joined, environment)
        operands, operators = _parts(node)
        signs = [_SIGNS[type(one)] for one in operators]
        signs += signs[-1:] * (len(operands) - 1 - len(signs))
        written = [self.term(one, environment) for one in operands]
        pairs = [f"{one} {sign} " for one, sign in zip(written, signs, strict=False)]
        return f"[{''.join(pairs)}{written[-1]}]"

    def _joined(self, node: ast.JoinedStr, environment: Environment) -> str:
        found = folded(with_values(node, environment))
        return self._any(node, environment) if found is None else _written(found[0])

    def _any(self, node: ast.AST, environment: Environment) -> str:
        parts = [] if type(node) is ast.arg else [self.term(one, environment) for one in children(node)]
        # Names that stand as bare texts, like those of parameters, tell one lambda from another.
        named = getattr(node, "arg", None) or getattr(node, "name", None)
        kind = "ListComp" if type(node) is ast.GeneratorExp else type(node).__name__
        return f"<{kind} {' '.join([*([named] if isinstance(named, str) else []), *parts])}>"


def _elements(term: str, opening: str) -> list[str] | None:
    """The terms between two brackets, the first of which is one of `opening`; None where it is no such list."""
    if term[:1] not in opening or len(term) < 3:
        return None
    found, depth, begun = [], 0, 1
    for mark in _MARK.finditer(term):
        sign, at = mark[0], mark.start()
        depth += (sign in "([{") - (sign in ")]}")
        is_operation = sign in "<>~*" or (sign == " " and depth == 1 and term[at - 1] != ":")
        if is_operation or (depth == 0 and at < len(term) - 1):
            return None
        if sign == ", " and depth == 1:
            found.append(term[begun:at])
            begun = at + 2
    return [*found, term[begun:-1]]


def _written(value: object) -> str:
    """A literal as a term."""
    return "«" + repr(value).replace("»", "") + "»"


def _parts(node: ast.BinOp | ast.BoolOp | ast.Compare) -> tuple[Sequence[ast.expr], Sequence[ast.AST]]:
    """The operands, and the operators between them."""
    if isinstance(node, ast.BinOp):
        return [node.left, node.right], [node.op]
    if isinstance(node, ast.BoolOp):
        return node.values, [node.op]
    return [node.left, *node.comparators], node.ops


_SIGNS: dict[type[ast.AST], str] = {
    ast.Not: "!", ast.Invert: "~", ast.USub: "-", ast.UAdd: "+", ast.And: "&&", ast.Or: "||",
    ast.Is: "===", ast.IsNot: "!==", ast.In: "∈", ast.NotIn: "∉",
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
_VISITS: dict[type[ast.AST], str] = {
    ast.Constant: "_constant",
    ast.Name: "_name",
    ast.Attribute: "_attribute",
    ast.Call: "_call",
    ast.JoinedStr: "_joined",
    ast.Await: "_inner",
    ast.NamedExpr: "_inner",
    ast.Subscript: "_subscript",
    ast.List: "_sequence",
    ast.Tuple: "_sequence",
    ast.Set: "_sequence",
    ast.Dict: "_dict",
    ast.UnaryOp: "_unary",
    ast.BinOp: "_operators",
    ast.BoolOp: "_operators",
    ast.Compare: "_operators",
}
