"""The checks in a test function as texts, as the signature of a freeze names one of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ledgergate.source.believed import is_check
from ledgergate.source.syntax import Function, children, last_name, walk
from ledgergate.source.text import Unreadable, read_source


class Check(NamedTuple):
    """A statement or call of a function, which could be what fails in it.

    `first` and `last` are its lines, counted from 1. `is_check`: it is what tests check with, and not merely something
    that may raise.
    """

    text: str
    first: int
    last: int
    is_check: bool


class Named(NamedTuple):
    """A function that a case id means, with what could be its failing check, in the order of the lines.

    `takes_nothing`: it has neither an argument nor a decorator, so that nothing of its own gives it several cases.
    """

    checks: tuple[Check, ...]
    has_parameters: bool
    takes_nothing: bool


def functions_named(data: bytes, case_id: str) -> tuple[Named, ...] | Unreadable:
    """Each function of the file that `case_id` means.

    `case_id` is an exact test id, or a function's name with or without `test_`. Each of a function's statements and
    calls could be what fails in it, nested ones too.
    """
    source = read_source(data)
    if isinstance(source, Unreadable):
        return source
    classes, name = _split(case_id)
    found = [(place, node) for place, node in _functions(source.tree, ()) if _is_meant(place, node.name, classes, name)]
    return tuple(_named(source.lines, node, is_method=bool(place)) for place, node in found)


def _named(lines: Sequence[str], function: Function, *, is_method: bool) -> Named:
    checks = sorted(_checks(lines, function), key=lambda check: check.first)
    marks = [last_name(decorator) for decorator in function.decorator_list]
    given = function.args
    arguments = (*given.posonlyargs, *given.args, *given.kwonlyargs, *filter(None, (given.vararg, given.kwarg)))
    takes_nothing = not function.decorator_list and len(arguments) == int(is_method)
    return Named(tuple(checks), "parametrize" in marks, takes_nothing)


def _split(case_id: str) -> tuple[tuple[str, ...] | None, str]:
    """(classes around the function, its name); the classes are None where only a name is given."""
    file, separator, rest = case_id.partition("::")
    if not separator:
        return None, file
    *classes, name = rest.partition("[")[0].split("::")
    return tuple(classes), name


def _is_meant(place: tuple[str, ...], name: str, classes: tuple[str, ...] | None, wanted: str) -> bool:
    if classes is None:
        return name in (wanted, f"test_{wanted}")
    return place == classes and name == wanted


def _functions(scope: ast.AST, place: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Function]]:
    """The functions of modules and classes, in their branches too, each with the classes around it."""
    for node in children(scope):
        if isinstance(node, Function):
            yield place, node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node, (*place, node.name))
        elif isinstance(node, (ast.stmt, ast.ExceptHandler, ast.match_case)):
            yield from _functions(node, place)


def _checks(lines: Sequence[str], function: Function) -> Iterator[Check]:
    inside: set[ast.AST] = set()
    for node in (node for statement in function.body for node in walk(statement)):
        if isinstance(node, (ast.stmt, ast.Call)):
            checking = node not in inside and is_check(node)
            if checking:
                inside.update(_told_by(node))
            yield Check(_segment(lines, node), node.lineno, node.end_lineno or node.lineno, checking)


def _told_by(check: ast.AST) -> Iterator[ast.AST]:
    """What is no check of its own, being part of this one; what stands in a `with` block is."""
    parts = check.items if isinstance(check, (ast.With, ast.AsyncWith)) else [check]
    return (node for part in parts for node in walk(part) if node is not check)


def _segment(lines: Sequence[str], node: ast.stmt | ast.Call) -> str:
    """The node's own text; the columns of a syntax tree count bytes."""
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    parts = [line.encode("utf-8", "surrogatepass") for line in lines[first : last + 1]]
    parts[-1] = parts[-1][: node.end_col_offset]
    parts[0] = parts[0][node.col_offset :]
    return b"\n".join(parts).decode("utf-8", "surrogatepass")
