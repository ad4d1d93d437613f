"""A test file taken apart into the pieces that a test's contract covers, or does not."""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from ledgergate.source.imported import acts_when_defined, statement_acts
from ledgergate.source.text import Source, Unreadable, read_source
from ledgergate.source.uses import Uses, header_of, uses_of

Function = ast.FunctionDef | ast.AsyncFunctionDef
# Functions that runners call, or that Python looks up, though nothing names them; pytest's own asserts raise by name.
_UNASKED = re.compile(
    r"__\w+__|pytest_\w+|(?:setup|teardown)(?:_module|_function)?|(?:setUp|tearDown)Module|load_tests|AssertionError"
)
_UNASKED_METHODS = re.compile(
    r"__\w+__|pytest_\w+|(?:setup|teardown)(?:_class|_method)?|(?:setUp|tearDown|asyncSetUp|asyncTearDown)\w*"
)
_UNITTEST_METHODS = re.compile(
    r"_\w+|(?:assert|fail|setUp|tearDown|async|do|add|enter)\w*|run|debug|id|defaultTestResult|countTestCases|"
    r"shortDescription|skipTest|subTest"
)
_PLAIN_BASES = frozenset({"object", "ABC", "Generic", "Protocol"})
_UNITTEST_BASES = frozenset({"TestCase", "IsolatedAsyncioTestCase"})


class Unit(NamedTuple):
    """A piece that is covered as a whole: lines `first` to `last`. `place` names the classes around it."""

    number: int
    place: str
    nodes: tuple[ast.AST, ...]
    first: int
    last: int
    column: int


class Method(NamedTuple):
    """A function of the module or of a class; `header` is a unit of its own where it acts when the file is imported."""

    name: str
    node: Function
    whole: Unit
    header: Unit | None
    is_test: bool


class Suite(NamedTuple):
    """A class that holds tests. `statements` are those of its body that define neither functions nor such classes."""

    node: ast.ClassDef
    whole: Unit
    header: Unit
    statements: tuple[tuple[Unit, bool], ...]
    functions: tuple[Method, ...]
    inner: tuple[Suite, ...]
    acts: bool

    @property
    def name(self) -> str:
        return self.node.name


class Outline:
    """One file. `always` is covered for every test of it; `functions` and `suites` are covered where they are used."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._number = 0
        self._uses: dict[int, Uses] = {}
        self._defined: dict[int, Mapping[str, Sequence[Function | ast.ClassDef]]] = {}
        body = source.tree.body
        self._helpers = frozenset(node.name for node in body if isinstance(node, Function) and not node.decorator_list)
        self._fixtures = frozenset(_fixture_names(source.tree))
        self.always: list[Unit] = [self._unit("", (node,), node) for node in imports(source.tree)]
        self.functions: list[Method] = []
        self.suites: list[Suite] = []
        for node in body:
            self._sort(node)

    def _sort(self, node: ast.stmt) -> None:
        if isinstance(node, Function) and _UNASKED.fullmatch(node.name) is None:
            if is_test_function(node, self._fixtures) or not node.decorator_list:
                self.functions.append(self._method("", node))
                return
        elif isinstance(node, ast.ClassDef) and holds_tests(node):
            self.suites.append(self._class("", node))
            return
        if not isinstance(node, (ast.Import, ast.ImportFrom)):
            self.always.append(self._unit("", (node,), node))

    def _method(self, place: str, node: Function) -> Method:
        whole = self._unit(place, (node,), node)
        header = self._header(place, node) if acts_when_defined(node, self._helpers) else None
        return Method(node.name, node, whole, header, is_test_function(node, self._fixtures))

    def _class(self, place: str, node: ast.ClassDef) -> Suite:
        inside = f"{place}{node.name}::"
        functions = [child for child in node.body if isinstance(child, Function)]
        inner = [child for child in node.body if isinstance(child, ast.ClassDef) and holds_tests(child)]
        rest = [child for child in node.body if child not in functions and child not in inner]
        return Suite(
            node,
            self._unit(place, (node,), node),
            self._header(place, node),
            tuple((self._unit(inside, (child,), child), statement_acts(child, self._helpers)) for child in rest),
            tuple(self._method(inside, child) for child in functions),
            tuple(self._class(inside, child) for child in inner),
            acts_when_defined(node, self._helpers),
        )

    def _header(self, place: str, node: Function | ast.ClassDef) -> Unit:
        parts = tuple(header_of(node))
        ends = [part.end_lineno or 0 for part in parts if isinstance(part, (ast.expr, ast.keyword))]
        return self._unit(f"{place}{node.name}", parts, node, max([node.lineno, *ends]))

    def _unit(self, place: str, nodes: tuple[ast.AST, ...], node: ast.stmt, last: int | None = None) -> Unit:
        self._number += 1
        first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))])
        return Unit(self._number, place, nodes, first, last or node.end_lineno or first, node.col_offset)

    def uses(self, unit: Unit) -> Uses:
        """What the unit uses; of a class's header, only what stands in it."""
        if unit.number not in self._uses:
            self._uses[unit.number] = uses_of(unit.nodes)
        return self._uses[unit.number]

    def defined_in(
        self, scope: ast.Module | ast.ClassDef | Function
    ) -> Mapping[str, Sequence[Function | ast.ClassDef]]:
        """The functions and classes by their names that the scope's own statements define, in its branches too."""
        if id(scope) not in self._defined:
            found: dict[str, list[Function | ast.ClassDef]] = {}
            for node in _definitions(scope.body):
                found.setdefault(node.name, []).append(node)
            self._defined[id(scope)] = found
        return self._defined[id(scope)]

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
        own = {node.name for node in self.source.tree.body if isinstance(node, (*_DEFINITIONS,))}
        stored = {
            node.id
            for unit in self.always
            for part in unit.nodes
            if not isinstance(part, _DEFINITIONS)
            for node in ast.walk(part)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        return frozenset(own | stored)

    @cached_property
    def imported(self) -> frozenset[str]:
        """The names that imports bind."""
        aliases = [alias for unit in self.always for node in unit.nodes for alias in getattr(node, "names", ())]
        return frozenset(
            (alias.asname or alias.name).partition(".")[0] for alias in aliases if isinstance(alias, ast.alias)
        )

    def kind_of(self, node: ast.ClassDef, depth: int = 0) -> re.Pattern[str] | None:
        """Which undecorated methods of a class, or of one derived from it, are called unasked; None: any may be."""
        kind = _UNASKED_METHODS
        if node.keywords or depth > 20:
            return None
        for base in node.bases:
            name = base_name(base)
            local = [one for one in self.source.tree.body if isinstance(one, ast.ClassDef) and one.name == name]
            kinds = [self.kind_of(one, depth + 1) for one in local] or [_known_base(name)]
            if None in kinds:
                return None
            kind = _UNITTEST_METHODS if _UNITTEST_METHODS in (kind, *kinds) else kind
        return kind


_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_BRANCHING = (
    *(ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith),
    *(ast.Try, ast.TryStar, ast.Match),
)


@lru_cache(maxsize=64)
def outline_of(data: bytes) -> Outline | Unreadable:
    """The file taken apart, once."""
    source = read_source(data)
    return source if isinstance(source, Unreadable) else Outline(source)


def imports(tree: ast.Module) -> Iterator[ast.Import | ast.ImportFrom]:
    """Every import of the file, wherever it stands, in no particular order."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node
        # An import is a statement, and no expression holds one: so most of the tree need not be looked at.
        for field in ("body", "orelse", "finalbody", "handlers", "cases"):
            waiting += getattr(node, field, ())


def _fixture_names(tree: ast.Module) -> Iterator[str]:
    """The names under which a module has pytest's `fixture`, or something made with it."""
    for node in imports(tree):
        yield from (alias.asname for alias in node.names if alias.asname and "fixture" in alias.name)
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and "fixture" in ast.dump(statement.value):
            yield from (target.id for target in statement.targets if isinstance(target, ast.Name))


def is_test_function(node: ast.AST, fixtures: Container[str] = ()) -> bool:
    """Whether a runner takes it for a test: by its name, unless it is a fixture; `fixtures` are names for such."""
    if not isinstance(node, Function) or not node.name.startswith("test"):
        return False
    names = map(last_name, node.decorator_list)
    return not any("fixture" in name or name in fixtures for name in names)


def holds_tests(node: ast.ClassDef) -> bool:
    """Whether a class defines a test, or a class that does."""
    return any(
        is_test_function(child) or (isinstance(child, ast.ClassDef) and holds_tests(child)) for child in node.body
    )


def last_name(expression: ast.expr) -> str:
    """The last part of a dotted name, called or not; empty for any other expression."""
    while isinstance(expression, ast.Call):
        expression = expression.func
    return expression.attr if isinstance(expression, ast.Attribute) else getattr(expression, "id", "")


def base_name(base: ast.expr) -> str:
    """The name of a base class without what stands in brackets behind it."""
    while isinstance(base, ast.Subscript):
        base = base.value
    return last_name(base) if isinstance(base, (ast.Name, ast.Attribute)) else ""


def _definitions(body: Sequence[ast.stmt]) -> Iterator[Function | ast.ClassDef]:
    """The functions and classes which a scope's own statements define, in its branches too."""
    for node in body:
        if isinstance(node, _DEFINITIONS):
            yield node
        elif isinstance(node, _BRANCHING):
            for field in ("body", "orelse", "finalbody"):
                yield from _definitions(getattr(node, field, ()))
            for branch in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
                yield from _definitions(branch.body)


def _known_base(name: str) -> re.Pattern[str] | None:
    return _UNASKED_METHODS if name in _PLAIN_BASES else _UNITTEST_METHODS if name in _UNITTEST_BASES else None


def _with_inner(classes: Sequence[Suite]) -> Iterator[Suite]:
    for outline in classes:
        yield outline
        yield from _with_inner(outline.inner)
