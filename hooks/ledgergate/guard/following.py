"""Follows calls of a test into functions of the tests: helpers, methods, and functions that helpers are handed."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod

from ledgergate.guard.context import Context, Given, Imported
from ledgergate.guard.parts import root
from ledgergate.guard.reading import Reading
from ledgergate.guard.suite import Suite
from ledgergate.guard.swallowed import Place, kept_by_decorator
from ledgergate.source.syntax import Function

_DEEP, _DEEPEST = 6, 24
# Of calls that stand deeper only so many are followed in one test: helpers that call each other twice double them.
_MOST_DEEP = 1000


class Follower(ABC):
    """Reads functions; what is found goes into a `Reading`, and comes from a file or from one that it imports."""

    def __init__(self, found: Reading, imported: Imported) -> None:
        self._found = found
        self._imported = imported
        self._steps = 0
        self._deep = 0
        self._active: list[int] = []
        # Functions that a helper was given, which alone says whether they run.
        self._handed: set[int] = set()

    @abstractmethod
    def function(self, node: Function, context: Context) -> None:
        """Read the body of a function."""

    def _helper(self, call: ast.Call, context: Context) -> bool:
        """Follow a call into a function of the file, of the test's class, or of a file of the tests that is at hand."""
        given = context.given.get(getattr(call.func, "id", ""))
        if given is not None:
            return self._run(given, context)
        found = self._function_of(call, context)
        if found is None or id(found[1]) in self._active or not self._may_follow(*found, context):
            return False
        suite, node = found
        self._found.helpers.add(node.name)
        bound = context.writer.bound(node.args, call, context.environment)
        is_inner = context.local.get(node.name) is node
        around = context.environment if suite is context.suite and node.name not in suite.functions else {}
        kept = {name: term for name, term in context.environment.items() if name.startswith("self.")}
        environment = {**suite.environment, **around, **kept, **bound}
        nodes = {name: value for name, value in suite.assigned.items() if name not in bound}
        lost = context.lost or (kept_by_decorator(node.decorator_list, Place(context, self._imported).inside(suite)))
        inner = context._replace(
            environment=environment,
            nodes=nodes,
            suite=suite,
            depth=context.depth + 1,
            lost=lost,
            given=self._handed_on(call, node, context),
            inner=context.inner if is_inner else None,
        )
        known = self._count
        self.function(node, inner)
        return known != self._count

    def _may_follow(self, suite: Suite, node: Function, context: Context) -> bool:
        """Whether a function is looked into; where it is not, that is kept."""
        if context.depth < _DEEP:
            return True
        self._deep += 1
        if context.depth < _DEEPEST and self._deep <= _MOST_DEEP:
            return True
        self._found.hidden.setdefault((suite.path, node.name), node)
        return False

    def _handed_on(self, call: ast.Call, node: Function, context: Context) -> dict[str, Given]:
        """The functions that a helper is given, by the names of its parameters."""
        parameters = [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
        parameters = parameters[1:] if parameters[:1] in (["self"], ["cls"]) else parameters
        pairs = [*zip(parameters, call.args, strict=False), *((one.arg or "", one.value) for one in call.keywords)]
        found = {name: self._as_function(value, context) for name, value in pairs}
        handed = {name: Given(value, context) for name, value in found.items() if value is not None}
        self._handed.update(id(one.node) for one in handed.values())
        return handed

    def _as_function(self, value: ast.expr, context: Context) -> Function | None:
        if isinstance(value, ast.Lambda):
            body = ast.copy_location(ast.Expr(value=value.body), value.body)
            made = ast.FunctionDef(name="<lambda>", args=value.args, body=[body], decorator_list=[])
            return ast.copy_location(made, value)
        if not isinstance(value, ast.Name):
            return None
        return context.local.get(value.id) or context.suite.functions.get(value.id)

    def _run(self, given: Given, context: Context) -> bool:
        """Read a function that a helper was given, where the helper calls it."""
        if id(given.node) in self._active or not self._may_follow(given.context.suite, given.node, context):
            return False
        known = self._count
        around = given.context
        self.function(
            given.node,
            around._replace(
                lost=context.lost or around.lost,
                guards=(*around.guards, *context.guards),
                kept=(*around.kept, *context.kept),
                depth=context.depth + 1,
                is_looped=around.is_looped or context.is_looped,
            ),
        )
        return known != self._count

    @property
    def _count(self) -> tuple[int, int, int]:
        return len(self._found.facts), len(self._found.skips), len(self._found.lost)

    def _function_of(self, call: ast.Call, context: Context) -> tuple[Suite, Function] | None:
        function = call.func
        if isinstance(function, ast.Attribute) and root(function) in ("self", "cls"):
            is_set = f"{root(function)}.{function.attr}" in context.nodes
            node = None if is_set else context.methods.get(function.attr)
            return None if node is None else (context.suite, node)
        if not isinstance(function, ast.Name):
            return None
        name = function.id
        other = context.nodes.get(name)
        if other is not None:
            # `run = check; run()`, and `check = print; check()`
            if not isinstance(other, ast.Name) or other.id in context.nodes:
                return None
            name = other.id
        node = context.local.get(name) or context.suite.functions.get(name)
        if node is not None:
            return context.suite, node
        origin = context.suite.origins.get(name)
        found = self._imported(context.suite, origin) if origin is not None else None
        return (found[0], found[1]) if found is not None and isinstance(found[1], Function) else None
