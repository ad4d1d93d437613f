"""Which names of its module a piece of Python changes the objects of, from within its functions."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ledgergate.source.scopes import Scope, objects_of, owner_of, roots, written_roots
from ledgergate.source.syntax import last_name

# Methods that change the object that they are called on.
MUTATORS = frozenset(
    (
        *("add", "append", "appendleft", "clear", "discard", "extend", "extendleft", "insert", "move_to_end", "pop"),
        *("popitem", "popleft", "remove", "reverse", "rotate", "setdefault", "sort", "subtract", "update"),
        *("difference_update", "intersection_update", "symmetric_difference_update"),
        *("__setitem__", "__delitem__", "__setattr__", "__delattr__", "__iadd__", "__ior__"),
    )
)
# Functions that change what they are given first.
CHANGERS = frozenset(
    (
        *("delattr", "delitem", "setattr", "setitem"),
        *("iadd", "iand", "iconcat", "imul", "ior", "isub", "ixor"),
        *("heapify", "heappop", "heappush", "insort", "insort_left", "insort_right", "shuffle"),
    )
)
_TYPES = frozenset({"Counter", "OrderedDict", "defaultdict", "deque", "dict", "list", "object", "set", "type"})
Binding = (
    ast.Assign
    | ast.AnnAssign
    | ast.AugAssign
    | ast.NamedExpr
    | ast.For
    | ast.AsyncFor
    | ast.comprehension
    | ast.withitem
)


class Changed(NamedTuple):
    """Names that are written to, with attributes or items set where they are `stores`; see `Uses`."""

    writes: set[str]
    stores: set[str]
    passes: set[tuple[str, str]]
    changes_arguments: bool


class _Write(NamedTuple):
    name: str
    scope: Scope
    is_store: bool
    by: tuple[str, ...]


class Changes:
    """Collects what is written to; what its names stand for is only known when all is read."""

    def __init__(self) -> None:
        self._writes: list[_Write] = []
        self._passes: list[tuple[str, str, Scope]] = []

    def found(self, *, stays: bool) -> Changed:
        """`stays`: what a `monkeypatch` does is not undone after the test."""
        changed = Changed(set(), set(), set(), changes_arguments=False)
        for name, scope, is_store, by in self._writes:
            if by and not stays and all(owner_of(one, scope) is not None for one in by):
                continue
            objects, from_caller = objects_of(name, scope)
            changed.writes.update(objects)
            changed.stores.update(objects if is_store else ())
            changed = changed._replace(changes_arguments=changed.changes_arguments or from_caller)
        for callee, name, scope in self._passes:
            if owner_of(callee, scope) is None:
                changed.passes.update((callee, one) for one in objects_of(name, scope)[0])
        return changed

    def store(self, target: ast.AST, scope: Scope | None, *, is_store: bool = True, by: Iterable[str] = ()) -> None:
        """The object that the target belongs to is changed: of `a.b[0].c` that is `a`. By a method of `by`, if any."""
        if scope is not None:
            methods_of = tuple(by)
            self._writes += [_Write(name, scope, is_store, methods_of) for name in written_roots(target)]

    def bind(self, node: Binding, scope: Scope) -> None:
        """Its targets may become other names for parts of its value; and `+=` may change the object itself."""
        if isinstance(node, ast.AugAssign):
            self.store(node.target, scope, is_store=False)
            return
        value = getattr(node, "value", None) or getattr(node, "iter", None) or getattr(node, "context_expr", None)
        targets = [*getattr(node, "targets", ()), getattr(node, "target", None), getattr(node, "optional_vars", None)]
        found = set(roots(value)) if value is not None else set()
        for name in _variables(targets) if found else ():
            scope.aliases.setdefault(name, set()).update(found)

    def call(self, node: ast.Call, scope: Scope) -> None:
        """Methods that change what they are called on, functions that change what they are given, or may."""
        function, arguments = node.func, node.args
        if isinstance(function, ast.Attribute) and function.attr in MUTATORS:
            by_type = isinstance(function.value, ast.Name) and function.value.id in _TYPES
            self.store(arguments[0] if by_type and arguments else function.value, scope, is_store=False)
        if last_name(function) in CHANGERS and arguments:
            by = written_roots(function.value) if isinstance(function, ast.Attribute) else ()
            self.store(arguments[0], scope, by=by)
        if isinstance(function, ast.Name):
            self._passes += [(function.id, root, scope) for argument in arguments for root in roots(argument)]


def _variables(targets: Iterable[ast.AST | None]) -> Iterator[str]:
    waiting = list(targets)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Starred):
            waiting.append(node.value)
        elif isinstance(node, (ast.Tuple, ast.List)):
            waiting += node.elts
