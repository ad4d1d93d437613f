"""Context managers and decorators that let a failed check pass."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ledgergate.guard.parts import catches, swallows
from ledgergate.guard.suite import Suite
from ledgergate.source.syntax import Function, last_name, walk


def is_swallowing(context: ast.expr, suite: Suite) -> bool:
    """Whether what a `with` enters keeps the failure of a check inside it: `suppress`, or something of the file."""
    name = _original(context, suite)
    if not isinstance(context, ast.Call):
        return False
    if name == "suppress":
        return catches(list(_classes(context.args, suite)))
    if name in suite.classes:
        return any(isinstance(one, Function) and _says_yes(one) for one in suite.classes[name].body)
    node = suite.functions.get(name)
    if node is None or not any("contextmanager" in last_name(one) for one in node.decorator_list):
        return False
    return _swallows_what_it_runs(node)


def swallowing_decorator(marks: Sequence[ast.expr], suite: Suite) -> str:
    """The first of a test's decorators that the file defines and that catches what the test raises; else empty."""
    for mark in marks:
        node = suite.functions.get(last_name(mark))
        inner = [one for one in walk(node) if isinstance(one, Function) and one is not node] if node else []
        if any(_swallows_what_it_runs(one) for one in inner):
            return last_name(mark)
    return ""


def _original(context: ast.expr, suite: Suite) -> str:
    name = last_name(context)
    origin = suite.origins.get(name)
    return origin.name if origin is not None else name


def _classes(arguments: Sequence[ast.expr], suite: Suite) -> Iterator[ast.expr]:
    """The arguments with names and starred names replaced by what the file assigns to them."""
    for one in arguments:
        bare = one.value if isinstance(one, ast.Starred) else one
        yield suite.assigned.get(bare.id, bare) if isinstance(bare, ast.Name) else bare


def _says_yes(node: Function) -> bool:
    """Whether a method is an `__exit__` that drops whatever was raised."""
    if node.name not in ("__exit__", "__aexit__"):
        return False
    returned = [one.value for one in walk(node) if isinstance(one, ast.Return)]
    return bool(returned) and all(isinstance(one, ast.Constant) and bool(one.value) for one in returned)


def _swallows_what_it_runs(node: Function) -> bool:
    return any(
        isinstance(one, (ast.Try, ast.TryStar)) and any(map(swallows, one.handlers)) and _runs_something(one.body)
        for one in walk(node)
    )


def _runs_something(body: Sequence[ast.stmt]) -> bool:
    return any(isinstance(one, (ast.Yield, ast.Call)) for statement in body for one in walk(statement))
