"""The checks in a test function as texts, as the signature of a freeze names one of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ledgergate.source.outline import Function
from ledgergate.source.text import Unreadable, read_source

Checks = tuple[str, ...]


def functions_named(data: bytes, case_id: str) -> tuple[Checks, ...] | Unreadable:
    """For each function of the file that `case_id` means, the texts that could be its failing check.

    `case_id` is an exact test id, or a function's name with or without `test_`. The texts are the source of each of
    the function's statements and calls, with nested ones.
    """
    source = read_source(data)
    if isinstance(source, Unreadable):
        return source
    classes, name = _split(case_id)
    found = [node for place, node in _functions(source.tree, ()) if _is_meant(place, node.name, classes, name)]
    return tuple(tuple(_texts(source.lines, node)) for node in found)


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
    for node in ast.iter_child_nodes(scope):
        if isinstance(node, Function):
            yield place, node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node, (*place, node.name))
        elif isinstance(node, (ast.stmt, ast.ExceptHandler, ast.match_case)):
            yield from _functions(node, place)


def _texts(lines: Sequence[str], function: Function) -> Iterator[str]:
    for statement in function.body:
        for node in ast.walk(statement):
            if isinstance(node, (ast.stmt, ast.Call)):
                yield _segment(lines, node)


def _segment(lines: Sequence[str], node: ast.stmt | ast.Call) -> str:
    """The node's own text; the columns of a syntax tree count bytes."""
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    parts = [line.encode("utf-8", "surrogatepass") for line in lines[first : last + 1]]
    parts[-1] = parts[-1][: node.end_col_offset]
    parts[0] = parts[0][node.col_offset :]
    return b"\n".join(parts).decode("utf-8", "surrogatepass")
