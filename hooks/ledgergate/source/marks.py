"""Whether a mark keeps a test from running, or from passing, whatever it holds."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ledgergate.source.cover import Target
from ledgergate.source.syntax import is_text, last_name

_MARKS = frozenset({"skip", "xfail", "expectedFailure"})
_CONDITIONAL = frozenset({"skipif", "skipIf", "xfail"})
_UNLESS = "skipUnless"
_CALLS = frozenset({"skip", "skipTest", "xfail"})


def is_skipped(tree: ast.Module, target: Target) -> bool:
    """Whether the test is skipped, or expected to fail, under every condition: by a mark, or in its first statement."""
    named = _module_values(tree)
    marks = [*target.node.decorator_list]
    for node in target.classes:
        marks += [*node.decorator_list, *_pytestmark(node.body)]
    marks += _pytestmark(tree.body)
    if any(map(_skips, _flat(marks, named))):
        return True
    first = next((node for node in target.node.body if not is_text(node)), None)
    return isinstance(first, ast.Expr) and isinstance(first.value, ast.Call) and last_name(first.value) in _CALLS


def _skips(mark: ast.expr) -> bool:
    name = last_name(mark)
    arguments = mark.args if isinstance(mark, ast.Call) else []
    if name == "parametrize":
        return len(arguments) > 1 and isinstance(arguments[1], (ast.List, ast.Tuple)) and not arguments[1].elts
    if isinstance(mark, ast.Call) and name in _CONDITIONAL and arguments:
        return _truth(arguments[0]) is True
    if name == _UNLESS and arguments:
        return _truth(arguments[0]) is False
    if name == "xfail" and isinstance(mark, ast.Call):
        conditions = [keyword.value for keyword in mark.keywords if keyword.arg == "condition"]
        return all(_truth(condition) is True for condition in conditions)
    return name in _MARKS


def _truth(expression: ast.expr) -> bool | None:
    return bool(expression.value) if isinstance(expression, ast.Constant) else None


def _flat(marks: Sequence[ast.expr], named: dict[str, ast.expr]) -> Iterator[ast.expr]:
    """The marks, lists of them taken apart and names replaced by what the module gives them."""
    for mark in marks:
        value = named.get(mark.id, mark) if isinstance(mark, ast.Name) else mark
        yield from value.elts if isinstance(value, (ast.List, ast.Tuple)) else [value]


def _pytestmark(body: Sequence[ast.stmt]) -> list[ast.expr]:
    return [value for name, value in _assigned(body) if name == "pytestmark"]


def _module_values(tree: ast.Module) -> dict[str, ast.expr]:
    return dict(_assigned(tree.body))


def _assigned(body: Sequence[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
    for node in body:
        if isinstance(node, ast.Assign):
            yield from ((target.id, node.value) for target in node.targets if isinstance(target, ast.Name))
