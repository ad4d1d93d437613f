"""A test file taken apart into the pieces that a test's contract covers, or does not."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property, lru_cache

from ledgergate.source.callers import callers_in, may_call
from ledgergate.source.imported import acts_when_defined, mentions_on_import, statement_acts
from ledgergate.source.kinds import fixture_names, holds_tests, is_plain_test, is_test_function
from ledgergate.source.suspects import suspects_in
from ledgergate.source.syntax import (
    Function,
    Scope,
    base_name,
    definitions,
    header_of,
    imports,
    spellings,
    stored_names,
    walk,
)
from ledgergate.source.text import Source, Unreadable, read_source
from ledgergate.source.unasked import is_hook, is_read_from_modules
from ledgergate.source.units import Method, Suite, Unit
from ledgergate.source.uses import Uses, uses_of


class Outline:
    """One file. `always` is covered for every test of it; `functions` and `suites` are covered where they are used."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._number = 0
        self._uses: dict[int, Uses] = {}
        self._node_uses: dict[int, Uses] = {}
        self._defined: dict[int, Mapping[str, Sequence[Scope]]] = {}
        self._fixtures = fixture_names(source)
        self._suspects = suspects_in(source.tree, self._uses_of_node)
        self.always: list[Unit] = [self._unit(around, node) for node, around in imports(source.tree)]
        self.functions: list[Method] = []
        self.suites: list[Suite] = []
        for node in source.tree.body:
            self._sort(node)

    def _sort(self, node: ast.stmt) -> None:
        is_named = isinstance(node, Scope) and is_read_from_modules(node.name)
        if isinstance(node, Function) and not is_named:
            if is_test_function(node, self._fixtures) or not node.decorator_list:
                method = self._method((), node)
                self.functions.append(method)
                self.always += [method.whole] if method.is_test and not method.is_free else []
                return
        elif isinstance(node, ast.ClassDef) and not is_named and holds_tests(node):
            self.suites.append(self._class((), node))
            return
        if not isinstance(node, (ast.Import, ast.ImportFrom)):
            self.always.append(self._unit((), node))

    def _method(self, around: tuple[Scope, ...], node: Function, suspects: frozenset[str] | None = None) -> Method:
        whole = self._unit(around, node)
        acting: Unit | None = None
        if any(may_call(decorator, self._callers) for decorator in node.decorator_list):
            acting = whole
        elif acts_when_defined(node, self._suspects if suspects is None else suspects):
            acting = self._header(around, node)
        is_test = is_test_function(node, self._fixtures)
        is_free = is_test and is_plain_test(node, self._fixtures)
        if around and node.decorator_list and self._is_wide_fixture(node):
            acting = whole
        return Method(node.name, node, whole, acting, is_test, is_free)

    def _is_wide_fixture(self, node: Function) -> bool:
        """Whether it is a fixture of a class that lives on after the tests of it."""
        scopes = [
            one.value
            for part in node.decorator_list
            for one in walk(part)
            if isinstance(one, ast.keyword) and one.arg == "scope"
        ]
        narrow = ("function", "class")
        return any(getattr(scope, "value", None) not in narrow for scope in scopes)

    def _class(self, around: tuple[Scope, ...], node: ast.ClassDef, names: frozenset[str] = frozenset()) -> Suite:
        inside = (*around, node)
        own = names | {name for child in node.body if isinstance(child, Scope) for name in spellings(child.name)}
        suspects = self._suspects | own
        functions = [child for child in node.body if isinstance(child, Function)]
        inner = [child for child in node.body if isinstance(child, ast.ClassDef) and holds_tests(child)]
        rest = [child for child in node.body if child not in functions and child not in inner]
        is_called = any(may_call(decorator, self._callers) for decorator in node.decorator_list)
        return Suite(
            node,
            self._unit(around, node),
            self._header(around, node),
            tuple((self._unit(inside, child), statement_acts(child, suspects)) for child in rest),
            tuple(self._method(inside, child, suspects) for child in functions),
            tuple(self._class(inside, child, own) for child in inner),
            is_called
            or acts_when_defined(node, self._suspects | names)
            or any(is_hook(child.name) for child in functions)
            or any(is_made_by_hooks(one) for one in self.bases([node])),
            is_called or any(mentions_on_import(child, own) for child in node.body),
        )

    def _header(self, around: tuple[Scope, ...], node: Scope) -> Unit:
        parts = tuple(header_of(node))
        ends = [part.end_lineno or 0 for part in parts if isinstance(part, (ast.expr, ast.keyword))]
        shape = copy(node)
        shape.body = []
        whole = self._unit((*around, node), node)
        return whole._replace(nodes=parts, shape=shape, last=max([node.lineno, *ends]), heads=whole.heads[:-1])

    def _unit(self, around: tuple[Scope, ...], node: ast.stmt) -> Unit:
        self._number += 1
        first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))])
        place = "".join(f"{scope.name}::" for scope in around)
        heads = tuple(scope.lineno for scope in around)
        return Unit(self._number, place, (node,), node, first, node.end_lineno or first, node.col_offset, heads)

    def uses(self, unit: Unit) -> Uses:
        """What the unit uses; of a class's header, only what stands in it."""
        if unit.nodes == (unit.shape,):
            return self._uses_of_node(unit.shape)
        if unit.number not in self._uses:
            self._uses[unit.number] = uses_of(unit.nodes)
        return self._uses[unit.number]

    def _uses_of_node(self, node: ast.AST) -> Uses:
        if id(node) not in self._node_uses:
            self._node_uses[id(node)] = uses_of((node,))
        return self._node_uses[id(node)]

    def defined_in(self, scope: ast.Module | Scope) -> Mapping[str, Sequence[Scope]]:
        """The functions and classes by their names that the scope's own statements define, in its branches too."""
        if id(scope) not in self._defined:
            found: dict[str, list[Scope]] = {}
            for node in definitions(scope.body):
                found.setdefault(node.name, []).append(node)
            self._defined[id(scope)] = found
        return self._defined[id(scope)]

    def bases(self, classes: Sequence[ast.ClassDef]) -> list[ast.ClassDef]:
        """The bases of the classes that the module itself defines, theirs too, nearest first."""
        if not any(node.bases for node in classes):
            return []
        found: list[ast.ClassDef] = []
        waiting = list(classes)
        while waiting:
            names = {base_name(base) for base in waiting.pop(0).bases}
            for node in self._classes:
                if node.name in names and node not in found and node not in classes:
                    found.append(node)
                    waiting.append(node)
        return found

    @cached_property
    def _classes(self) -> tuple[ast.ClassDef, ...]:
        return tuple(node for node in self.source.tree.body if isinstance(node, ast.ClassDef))

    @cached_property
    def _callers(self) -> frozenset[str]:
        return callers_in(self.source.tree)

    @cached_property
    def all_suites(self) -> tuple[Suite, ...]:
        return tuple(_with_inner(self.suites))

    @cached_property
    def all_functions(self) -> tuple[Method, ...]:
        """The functions of the module that are not always covered, and those of the classes that hold tests."""
        return (*self.functions, *(method for outline in self.all_suites for method in outline.functions))

    @cached_property
    def bound(self) -> frozenset[str]:
        """The names that the module itself binds, other than by imports."""
        own = {node.name for node in definitions(self.source.tree.body)}
        stored = {
            name for unit in self.always if not isinstance(unit.shape, Scope) for name in stored_names(unit.shape)
        }
        return frozenset(spelling for name in own | stored for spelling in spellings(name))

    @cached_property
    def changing_arguments(self) -> frozenset[str]:
        """The functions of the module that change objects which they are given."""
        return frozenset(
            one.name for one in self.functions if not one.is_test and self.uses(one.whole).changes_arguments
        )

    @cached_property
    def imported(self) -> Mapping[str, str]:
        """The names that imports bind, each with the package that it comes from; a dot for the file's own."""
        found: dict[str, str] = {}
        for node, _ in imports(self.source.tree):
            for alias in node.names:
                if isinstance(node, ast.Import):
                    package = alias.name.partition(".")[0]
                else:
                    package = "." if node.level else (node.module or "").partition(".")[0]
                found[(alias.asname or alias.name).partition(".")[0]] = package
        return found


def is_made_by_hooks(node: ast.ClassDef) -> bool:
    """Whether a class decides what happens when one is derived from it."""
    return bool(node.keywords) or any(getattr(one, "name", "") == "__init_subclass__" for one in node.body)


@lru_cache(maxsize=64)
def outline_of(data: bytes) -> Outline | Unreadable:
    """The file taken apart, once."""
    source = read_source(data)
    return source if isinstance(source, Unreadable) else Outline(source)


def _with_inner(classes: Sequence[Suite]) -> Iterator[Suite]:
    for outline in classes:
        yield outline
        yield from _with_inner(outline.inner)
