"""Which names a piece of Python reads, and which names of its module it changes."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from ledgergate.source.changes import Binding, Changes
from ledgergate.source.scopes import MODULE, Scope, gives_modules, owner_of
from ledgergate.source.syntax import children, header_of, last_name, spellings
from ledgergate.source.text import parse_expression

_NAMESPACES = frozenset({"__globals__", "__builtins__", "f_globals", "f_locals", "func_globals"})
_EVALUATORS = frozenset({"eval", "exec", "globals"})
_BY_NAME = frozenset({"modules", "import_module", "__import__"})
_BY_COMPUTED_NAME = frozenset({"attrgetter", "getattr_static", "getmembers", "methodcaller", "__getattribute__"})
_CONDITIONAL = frozenset({"skipif", "xfail"})
_OWN_NAMES = frozenset({"__name__", "__spec__"})
_TELLING_NAMES = _OWN_NAMES | _BY_NAME | _NAMESPACES
_IDENTIFIERS = re.compile(r"[^\W\d]\w*(?:\s*[.,:]\s*[^\W\d]\w*)*")


class Uses(NamedTuple):
    """What a piece of code has to do with the names around it, as far as its text tells: too much, if in doubt.

    `names` are read: identifiers, parameters (pytest looks up fixtures by them), texts that could be names, and the
    names in texts that could be conditions of marks. `attributes` are read from any object, `members` as (name,
    attribute) from that name. From within a function it changes the objects of `writes`, whose attributes or items it
    sets where they are `stores`; `rebinds` are declared `global`, `class_writes` attributes that it sets on its own
    class. `passes` are (function, name) of calls, and it `changes_arguments` if what it is given is written to.
    `is_dynamic`: it reaches the module's namespace by computed names, and `writes_modules`: the objects of modules.
    `any_attribute`: it reads attributes by computed names.
    """

    names: frozenset[str]
    attributes: frozenset[str]
    members: frozenset[tuple[str, str]]
    writes: frozenset[str]
    stores: frozenset[str]
    rebinds: frozenset[str]
    class_writes: frozenset[str]
    passes: frozenset[tuple[str, str]]
    changes_arguments: bool
    is_dynamic: bool
    writes_modules: bool
    any_attribute: bool


def uses_of(nodes: Iterable[ast.AST]) -> Uses:
    """What the nodes use, taken as code that stands directly in a module or class."""
    reader = _Reader()
    reader.read(nodes)
    return reader.result()


@lru_cache(maxsize=1024)
def _uses_of_text(text: str) -> Uses | None:
    """What a text would use as an expression in a function; None if it is no expression."""
    body = parse_expression(text)
    if body is None:
        return None
    nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    return uses_of([ast.Lambda(args=nothing, body=body)])


def _all_spellings(names: Iterable[str]) -> frozenset[str]:
    found = frozenset(names)
    private = [name for name in found if name.startswith("_")]
    return found.union(*map(spellings, private)) if private else found


class _Reader:
    def __init__(self) -> None:
        self._waiting: list[tuple[Iterable[ast.AST], Scope | None]] = []
        self._stack: list[ast.AST] = []
        self._reads: dict[Scope | None, set[str]] = {}
        self._names: set[str] = set()
        self._changes = Changes()
        self._certain: set[str] = set()
        self._globals: set[str] = set()
        self._attributes: set[str] = set()
        self._class_writes: set[str] = set()
        self._members: set[tuple[str, str]] = set()
        self._texts: list[Uses] = []
        self._is_dynamic = False
        self._any_attribute = False
        self._looks_up_modules = False
        self._reads_modules = False
        self._knows_itself = False

    def read(self, nodes: Iterable[ast.AST]) -> None:
        self._waiting.append((nodes, None))
        while self._waiting:
            inside, scope = self._waiting.pop()
            stack = self._stack = list(inside)
            self._names = self._reads.setdefault(scope, set())
            while stack:
                node = stack.pop()
                visit = _VISITS.get(type(node))
                if visit is None:
                    stack += children(node)
                else:
                    visit(self, node, scope)

    def result(self) -> Uses:
        reads = self._reads.items()
        names = {name for scope, read in reads for name in read if owner_of(name, scope) is None} | self._certain
        if self._looks_up_modules or self._reads_modules:
            names |= self._attributes
        stays = "MonkeyPatch" in self._attributes or any("MonkeyPatch" in read for _, read in reads)
        changed = self._changes.found(stays=stays)
        starts_a_patch = "patch" in names | self._attributes and not self._attributes.isdisjoint(("start", "__enter__"))
        texts = self._texts
        return Uses(
            _all_spellings(names),
            _all_spellings(self._attributes),
            frozenset(self._members),
            _all_spellings(changed.writes).union(*(text.writes for text in texts)),
            _all_spellings(changed.stores | names if starts_a_patch else changed.stores).union(
                *(text.stores for text in texts)
            ),
            _all_spellings(self._globals),
            _all_spellings(self._class_writes),
            frozenset(changed.passes),
            changed.changes_arguments,
            self._is_dynamic
            or (self._looks_up_modules and self._knows_itself)
            or any(text.is_dynamic for text in texts),
            MODULE in changed.writes,
            self._any_attribute,
        )

    # Each of these takes one kind of node, and leaves what is to be visited inside it: on the stack what stands in the
    # same function, with the others what stands in one of its own.

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, scope: Scope | None) -> None:
        self._stack += header_of(node)
        inner = Scope(scope, takes_stores=True)
        arguments = node.args
        for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            self._certain.add(argument.arg)
            inner.parameters.add(argument.arg)
        inner.parameters.update(argument.arg for argument in (arguments.vararg, arguments.kwarg) if argument)
        inner.bound |= inner.parameters
        if scope is not None and not isinstance(node, ast.Lambda):
            scope.bound.add(node.name)
        self._waiting.append(([node.body] if isinstance(node, ast.Lambda) else node.body, inner))

    def class_(self, node: ast.ClassDef, scope: Scope | None) -> None:
        self._stack += header_of(node)
        # What a class body binds is no variable of the functions in it, nor of the one around it.
        self._waiting.append((node.body, None if scope is None else Scope(scope, takes_stores=False)))

    def comprehension(self, node: ast.AST, scope: Scope | None) -> None:
        self._waiting.append((children(node), None if scope is None else Scope(scope, takes_stores=False)))

    def name(self, node: ast.Name, scope: Scope | None) -> None:
        if not isinstance(node.ctx, ast.Store):
            self._names.add(node.id)
            self._is_dynamic = self._is_dynamic or node.id in _EVALUATORS
        elif scope is not None and scope.takes_stores:
            scope.bound.add(node.id)
        if node.id in _TELLING_NAMES:
            self._knows_itself = self._knows_itself or node.id in _OWN_NAMES
            self._looks_up_modules = self._looks_up_modules or node.id in _BY_NAME
            self._is_dynamic = self._is_dynamic or node.id in _NAMESPACES

    def attribute(self, node: ast.Attribute, scope: Scope | None) -> None:
        self._attributes.add(node.attr)
        if isinstance(node.value, ast.Name):
            self._members.add((node.value.id, node.attr))
            self._is_dynamic = self._is_dynamic or (node.value.id == "builtins" and node.attr in _EVALUATORS)
        self._looks_up_modules = self._looks_up_modules or node.attr in _BY_NAME
        self._knows_itself = self._knows_itself or node.attr == "__module__"
        self._is_dynamic = self._is_dynamic or node.attr in _NAMESPACES
        self._any_attribute = self._any_attribute or node.attr == "__dict__"
        self._reads_modules = self._reads_modules or gives_modules(node)
        self._store(node, scope)
        self._stack.append(node.value)

    def subscript(self, node: ast.Subscript, scope: Scope | None) -> None:
        self._store(node, scope)
        self._stack += (node.value, node.slice)

    def _store(self, node: ast.Attribute | ast.Subscript, scope: Scope | None) -> None:
        if isinstance(node.ctx, ast.Load):
            return
        self._changes.store(node.value, scope)
        if isinstance(node, ast.Attribute) and _is_own_class(node.value):
            self._class_writes.add(node.attr)

    def binding(self, node: Binding, scope: Scope | None) -> None:
        self._stack += children(node)
        if scope is not None:
            self._changes.bind(node, scope)

    def call(self, node: ast.Call, scope: Scope | None) -> None:
        function, arguments = node.func, node.args
        last = last_name(function)
        if scope is not None:
            self._changes.call(node, scope)
        if isinstance(function, ast.Name):
            self._call_by_name(function.id, arguments, scope)
        if last in _BY_COMPUTED_NAME:
            self._any_attribute = self._any_attribute or not all(isinstance(one, ast.Constant) for one in arguments)
        if last in _CONDITIONAL:
            self._conditions(node)
        self._reads_modules = self._reads_modules or gives_modules(node)
        has_namespace = len(arguments) > 1 and isinstance(function, ast.Name) and function.id in ("eval", "exec")
        if not has_namespace:
            self._stack.append(function)
        self._stack += arguments
        self._stack += node.keywords

    def _call_by_name(self, name: str, arguments: list[ast.expr], scope: Scope | None) -> None:
        if name in ("vars", "locals", "dir") and not arguments:
            self._is_dynamic = self._is_dynamic or scope is None
        elif name == "vars":
            self._any_attribute = True
        elif name == "getattr" and len(arguments) > 1 and not isinstance(arguments[1], ast.Constant):
            whose = arguments[0]
            self._any_attribute = self._any_attribute or isinstance(whose, (ast.Name, ast.Call))

    def _conditions(self, node: ast.Call) -> None:
        """Texts in marks are evaluated in the namespace of the module."""
        for one in (*node.args, *(keyword.value for keyword in node.keywords if keyword.arg == "condition")):
            if isinstance(one, ast.Constant) and isinstance(one.value, str):
                found = _uses_of_text(one.value)
                self._texts += [found] if found is not None else []
                self._could_be_evaluated(one.value)

    def _could_be_evaluated(self, text: str) -> None:
        found = _uses_of_text(text)
        if found is not None:
            self._certain.update(found.names)
            self._attributes.update(found.attributes)

    def constant(self, node: ast.Constant, scope: Scope | None) -> None:
        if not isinstance(node.value, str):
            return
        if node.value.isascii() and node.value.isidentifier():
            self._certain.add(node.value)
            self._attributes.add(node.value)
        elif len(node.value) < 200 and _IDENTIFIERS.fullmatch(node.value):
            found = re.findall(r"\w+", node.value)
            self._certain.update(found)
            self._attributes.update(found)
        elif scope is None:
            self._could_be_evaluated(node.value)

    def expression(self, node: ast.Expr, _scope: Scope | None) -> None:
        # A text that stands alone is read by people.
        if not isinstance(node.value, ast.Constant):
            self._stack.append(node.value)

    def global_(self, node: ast.Global, scope: Scope | None) -> None:
        self._globals.update(node.names)
        self._certain.update(node.names)
        if scope is not None:
            scope.foreign.update(node.names)

    def import_from(self, node: ast.ImportFrom, _scope: Scope | None) -> None:
        self._certain.update(alias.name for alias in node.names)  # a file may import itself

    def class_pattern(self, node: ast.MatchClass, _scope: Scope | None) -> None:
        self._attributes.update(node.kwd_attrs)
        self._stack += children(node)


def _is_own_class(node: ast.expr) -> bool:
    """Whether it is `cls`, `type(...)`, `....__class__` or `request.cls`."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "type"
    return getattr(node, "id", None) == "cls" or getattr(node, "attr", None) in ("__class__", "cls")


_VISITS: dict[type[ast.AST], Callable[[_Reader, Any, Scope | None], None]] = {
    ast.FunctionDef: _Reader.function,
    ast.AsyncFunctionDef: _Reader.function,
    ast.Lambda: _Reader.function,
    ast.ClassDef: _Reader.class_,
    ast.ListComp: _Reader.comprehension,
    ast.SetComp: _Reader.comprehension,
    ast.DictComp: _Reader.comprehension,
    ast.GeneratorExp: _Reader.comprehension,
    **dict.fromkeys(
        (
            ast.Assign,
            ast.AnnAssign,
            ast.AugAssign,
            ast.NamedExpr,
            ast.For,
            ast.AsyncFor,
            ast.comprehension,
            ast.withitem,
        ),
        _Reader.binding,
    ),
    ast.Name: _Reader.name,
    ast.Attribute: _Reader.attribute,
    ast.Subscript: _Reader.subscript,
    ast.Call: _Reader.call,
    ast.Constant: _Reader.constant,
    ast.Expr: _Reader.expression,
    ast.Global: _Reader.global_,
    ast.ImportFrom: _Reader.import_from,
    ast.MatchClass: _Reader.class_pattern,
}
