"""A test file taken apart into the pieces that a test's contract covers, or does not."""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from ledgergate.source.imported import acts_when_defined, ends_a_run, is_hook, mentions_on_import, statement_acts
from ledgergate.source.text import Source, Unreadable, read_source
from ledgergate.source.uses import Uses, header_of, spellings, uses_of

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
    """A piece that is covered as a whole: lines `first` to `last`. `place` names what it stands in."""

    number: int
    place: str
    nodes: tuple[ast.AST, ...]
    first: int
    last: int
    column: int


class Method(NamedTuple):
    """A function of the module or of a class; `header` is a unit of its own where it acts when the file is imported.

    `is_test`: by its name and decorators; `is_free`: a test that can be nothing else, a fixture say.
    """

    name: str
    node: Function
    whole: Unit
    header: Unit | None
    is_test: bool
    is_free: bool


class Suite(NamedTuple):
    """A class that holds tests. `statements` are those of its body that define neither functions nor such classes.

    `acts`: its head does when the file is imported; `uses_itself`: its body does, and uses what the class defines.
    """

    node: ast.ClassDef
    whole: Unit
    header: Unit
    statements: tuple[tuple[Unit, bool], ...]
    functions: tuple[Method, ...]
    inner: tuple[Suite, ...]
    acts: bool
    uses_itself: bool

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
        self._fixtures = fixture_names(source)
        self._unseen = frozenset(_unseen_names(source.tree))
        self.always: list[Unit] = list(self._imports())
        self.functions: list[Method] = []
        self.suites: list[Suite] = []
        for node in body:
            self._sort(node)

    def _sort(self, node: ast.stmt) -> None:
        if isinstance(node, Function) and _UNASKED.fullmatch(node.name) is None:
            if is_test_function(node, self._fixtures) or not node.decorator_list:
                method = self._method("", node)
                self.functions.append(method)
                self.always += [method.whole] if method.is_test and not method.is_free else []
                return
        elif isinstance(node, ast.ClassDef) and holds_tests(node):
            self.suites.append(self._class("", node))
            return
        if not isinstance(node, (ast.Import, ast.ImportFrom)):
            self.always.append(self._unit("", (node,), node))

    def _imports(self) -> Iterator[Unit]:
        """Every import, and the first lines of the functions and classes around it: it binds a name of theirs."""
        heads: dict[ast.stmt, Unit] = {}
        for node, around in imports(self.source.tree):
            place = ""
            for scope in around:
                place += f"{scope.name}::"
                if scope not in heads:
                    heads[scope] = self._unit(place, (), scope)._replace(first=scope.lineno, last=scope.lineno)
                    yield heads[scope]
            yield self._unit(place, (node,), node)

    def _method(self, place: str, node: Function, unseen: Container[str] | None = None) -> Method:
        whole = self._unit(place, (node,), node)
        acts = acts_when_defined(node, self._unseen if unseen is None else unseen)
        header = self._header(place, node) if acts else None
        is_test = is_test_function(node, self._fixtures)
        return Method(node.name, node, whole, header, is_test, is_test and is_plain_test(node, self._fixtures))

    def _class(self, place: str, node: ast.ClassDef, around: frozenset[str] = frozenset()) -> Suite:
        inside = f"{place}{node.name}::"
        own = around | {
            name for child in node.body if isinstance(child, _DEFINITIONS) for name in spellings(child.name)
        }
        unseen = self._unseen | own
        functions = [child for child in node.body if isinstance(child, Function)]
        inner = [child for child in node.body if isinstance(child, ast.ClassDef) and holds_tests(child)]
        rest = [child for child in node.body if child not in functions and child not in inner]
        return Suite(
            node,
            self._unit(place, (node,), node),
            self._header(place, node),
            tuple((self._unit(inside, (child,), child), statement_acts(child, unseen)) for child in rest),
            tuple(self._method(inside, child, unseen) for child in functions),
            tuple(self._class(inside, child, own) for child in inner),
            acts_when_defined(node, self._unseen | around) or any(is_hook(child.name) for child in functions),
            any(mentions_on_import(child, own) for child in node.body),
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
        return frozenset(spelling for name in own | stored for spelling in spellings(name))

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


Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def imports(tree: ast.Module) -> Iterator[tuple[ast.Import | ast.ImportFrom, tuple[Scope, ...]]]:
    """Every import of the file, in no particular order, with the functions and classes around it, outermost first."""
    waiting: list[tuple[ast.AST, tuple[Scope, ...]]] = [(tree, ())]
    while waiting:
        node, around = waiting.pop()
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node, around
        if isinstance(node, _DEFINITIONS):
            around = (*around, node)
        # An import is a statement, and no expression holds one: so most of the tree need not be looked at.
        for field in ("body", "orelse", "finalbody", "handlers", "cases"):
            waiting += [(child, around) for child in getattr(node, field, ())]


def _unseen_names(tree: ast.Module) -> Iterator[str]:
    """The functions and classes that are covered only where they are used; and other names for what ends a run."""
    for node in tree.body:
        is_unseen = isinstance(node, Function) and (not node.decorator_list or is_test_function(node))
        if is_unseen or (isinstance(node, ast.ClassDef) and holds_tests(node)):
            yield from spellings(getattr(node, "name", ""))
    for found, _ in imports(tree):
        yield from (alias.asname for alias in found.names if alias.asname and ends_a_run(alias.name))
    for statement in _own_statements(tree):
        is_alias = isinstance(getattr(statement, "value", None), (ast.Name, ast.Attribute))
        if is_alias and isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement_acts(statement, ()):
            yield from _bound_by(statement)


def fixture_names(source: Source) -> frozenset[str]:
    """The names under which a module or a class of it has pytest's `fixture`, or could have something made with it."""
    found = {alias.asname for node, _ in imports(source.tree) for alias in node.names if "fixture" in alias.name}
    known = {name for name in found if name is not None}
    bindings = [(names, _words(source, node)) for node in _own_statements(source.tree) if (names := _bound_by(node))]
    while True:
        more = {
            name
            for names, words in bindings
            if not known.isdisjoint(words) or any("fixture" in word for word in words)
            for name in names
        }
        if more <= known:
            return frozenset(known)
        known |= more


def _own_statements(scope: ast.Module | ast.ClassDef) -> Iterator[ast.stmt]:
    for node in scope.body:
        if isinstance(node, ast.ClassDef):
            yield from _own_statements(node)
        elif not is_test_function(node) and not isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node


def _bound_by(node: ast.stmt) -> list[str]:
    if isinstance(node, Function):
        return [] if node.decorator_list else [node.name]
    return [one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]


def _words(source: Source, node: ast.stmt) -> frozenset[str]:
    text = "\n".join(source.lines[node.lineno - 1 : node.end_lineno])
    return frozenset(re.findall(r"\w+", unicodedata.normalize("NFKC", text)))


def is_plain_test(node: Function, fixtures: Container[str]) -> bool:
    """Whether no decorator could make something else of a test: dotted names and calls of such that name no fixture."""
    return all(_keeps_a_test(decorator, fixtures) for decorator in node.decorator_list)


def _keeps_a_test(decorator: ast.expr, fixtures: Container[str]) -> bool:
    function = decorator.func if isinstance(decorator, ast.Call) else decorator
    parts: list[str] = []
    while isinstance(function, ast.Attribute):
        parts.append(function.attr)
        function = function.value
    if not isinstance(function, ast.Name) or function.id in fixtures:
        return False
    if "mark" in (function.id, *parts[1:]):
        return True
    named = [getattr(one, "id", None) or getattr(one, "attr", None) or _text(one) for one in ast.walk(decorator)]
    return not any("fixture" in name or name in fixtures for name in named)


def _text(node: ast.AST) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def is_test_function(node: ast.AST, fixtures: Container[str] = ()) -> bool:
    """Whether a runner takes it for a test: by its name, unless it is a fixture; `fixtures` are names for such."""
    if not isinstance(node, Function) or not node.name.startswith("test"):
        return False
    names = map(last_name, node.decorator_list)
    return not any(("fixture" in name and name != "usefixtures") or name in fixtures for name in names)


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
