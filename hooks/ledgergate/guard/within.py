"""Functions that a function makes for itself, and that do no more than return something."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping

from ledgergate.guard.parts import returned, yields
from ledgergate.guard.terms import Returns
from ledgergate.source.syntax import Function, walk


def returns_within(node: Function, local: Mapping[str, Function]) -> Returns:
    """Those of its functions and lambdas that have a name which stands for nothing else in it."""
    made = dict(_made(node, local))
    if not made:
        return {}
    bound = Counter(name for one in walk(node) for name in (_bound_by(one),) if name is not None and one is not node)
    return {name: found for name, found in made.items() if bound[name] == 1}


def _made(node: Function, local: Mapping[str, Function]) -> Returns:
    found: dict[str, tuple[ast.arguments, ast.expr]] = {}
    for name, inner in local.items():
        value = returned(inner)
        is_plain = isinstance(inner, ast.FunctionDef) and not inner.decorator_list and not yields(inner)
        if value is not None and is_plain:
            found[name] = (inner.args, value)
    for one in node.body:
        if isinstance(one, ast.Assign) and isinstance(one.value, ast.Lambda):
            names = [target.id for target in one.targets if isinstance(target, ast.Name)]
            found.update(dict.fromkeys(names, (one.value.args, one.value.body)))
    return found


def _bound_by(node: ast.AST) -> str | None:
    """The name that a part of a function binds, or takes from elsewhere to bind it."""
    if isinstance(node, ast.Name):
        return None if isinstance(node.ctx, ast.Load) else node.id
    if isinstance(node, ast.arg):
        return node.arg
    if isinstance(node, Function | ast.ClassDef | ast.ExceptHandler | ast.MatchAs | ast.MatchStar):
        return node.name
    if isinstance(node, ast.alias):
        return node.asname or node.name.partition(".")[0]
    return None
