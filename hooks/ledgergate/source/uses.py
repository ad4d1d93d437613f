"""Which names a piece of Python reads, and which names of its module it changes."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

# Methods that change the object that they are called on.
MUTATORS = frozenset(
    (
        *(
            "add",
            "append",
            "clear",
            "discard",
            "extend",
            "insert",
            "pop",
            "popitem",
            "remove",
            "reverse",
            "setdefault",
            "sort",
            "update",
        ),
        *("__setitem__", "__delitem__", "__setattr__", "__delattr__", "__iadd__", "__ior__"),
    )
)
_NAMESPACES = frozenset({"__globals__", "__builtins__", "f_globals", "f_locals", "func_globals"})
_BY_NAME = frozenset({"modules", "import_module", "__import__"})
_IDENTIFIERS = re.compile(r"[^\W\d]\w*(?:\s*[.,]\s*[^\W\d]\w*)*")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class Uses(NamedTuple):
    """What a piece of code has to do with the names around it, as far as its text tells: too much, if in doubt.

    `names` are read: identifiers, parameters (pytest looks up fixtures by them), and texts that could be names.
    `attributes` are read from any object, `members` as (name, attribute) from that name. `writes` are names of the
    module whose objects it changes from within a function, `rebinds` those that it declares `global`, `class_writes`
    attributes that it sets on its own class. `is_dynamic`: it reaches the module's namespace by computed names.
    `any_attribute`: it reads attributes by computed names.
    """

    names: frozenset[str]
    attributes: frozenset[str]
    members: frozenset[tuple[str, str]]
    writes: frozenset[str]
    rebinds: frozenset[str]
    class_writes: frozenset[str]
    is_dynamic: bool
    any_attribute: bool


def uses_of(nodes: Iterable[ast.AST]) -> Uses:
    """What the nodes use, taken as code that stands directly in a module or class."""
    reader = _Reader()
    reader.read(nodes)
    return reader.result()


def spellings(name: str) -> tuple[str, ...]:
    """The name, and as `__h` what could be the private name `_C__h` of a class, which is written `__h` in it."""
    if not name.startswith("_") or name.startswith("__") or name.endswith("__"):
        return (name,)
    return (name, *(name[at:] for at in range(2, len(name)) if name.startswith("__", at)))


def _all_spellings(names: Iterable[str]) -> frozenset[str]:
    return frozenset(spelling for name in names for spelling in spellings(name))


class _Scope:
    """The names that a function makes its own, and the function around it."""

    __slots__ = ("bound", "foreign", "parent", "takes_stores")

    def __init__(self, parent: _Scope | None, *, takes_stores: bool) -> None:
        self.parent = parent
        self.takes_stores = takes_stores
        self.bound: set[str] = set()
        self.foreign: set[str] = set()

    def hides(self, name: str) -> bool:
        if name.startswith("__"):
            return False  # a class in between may make it another name
        scope: _Scope | None = self
        while scope is not None:
            if name in scope.foreign:
                return False
            if name in scope.bound:
                return True
            scope = scope.parent
        return False


class _Reader:
    def __init__(self) -> None:
        self._stack: list[tuple[ast.AST, _Scope | None]] = []
        self._reads: list[tuple[str, _Scope | None]] = []
        self._writes: list[tuple[str, _Scope | None]] = []
        self._certain: set[str] = set()
        self._globals: set[str] = set()
        self._attributes: set[str] = set()
        self._class_writes: set[str] = set()
        self._members: set[tuple[str, str]] = set()
        self._is_dynamic = False
        self._any_attribute = False
        self._looks_up_modules = False
        self._knows_itself = False

    def read(self, nodes: Iterable[ast.AST]) -> None:
        self._stack.extend((node, None) for node in nodes)
        while self._stack:
            node, scope = self._stack.pop()
            visit = _VISITS.get(type(node))
            if visit is None:
                self._push(ast.iter_child_nodes(node), scope)
            else:
                visit(self, node, scope)

    def result(self) -> Uses:
        names = {name for name, scope in self._reads if scope is None or not scope.hides(name)}
        writes = {name for name, scope in self._writes if scope is not None and not scope.hides(name)}
        return Uses(
            _all_spellings(names | self._certain),
            _all_spellings(self._attributes),
            frozenset(self._members),
            _all_spellings(writes),
            _all_spellings(self._globals),
            _all_spellings(self._class_writes),
            self._is_dynamic or (self._looks_up_modules and self._knows_itself),
            self._any_attribute,
        )

    def _push(self, nodes: Iterable[ast.AST], scope: _Scope | None) -> None:
        self._stack.extend((node, scope) for node in nodes)

    # Each of these takes one kind of node, and pushes what is left to visit inside it.

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, scope: _Scope | None) -> None:
        self._push(header_of(node), scope)
        inner = _Scope(scope, takes_stores=True)
        arguments = node.args
        for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            self._certain.add(argument.arg)
            inner.bound.add(argument.arg)
        inner.bound.update(argument.arg for argument in (arguments.vararg, arguments.kwarg) if argument)
        if scope is not None and not isinstance(node, ast.Lambda):
            scope.bound.add(node.name)
        self._push([node.body] if isinstance(node, ast.Lambda) else node.body, inner)

    def class_(self, node: ast.ClassDef, scope: _Scope | None) -> None:
        self._push(header_of(node), scope)
        # What a class body binds is no variable of the functions in it, nor of the one around it.
        self._push(node.body, None if scope is None else _Scope(scope, takes_stores=False))

    def comprehension(self, node: ast.AST, scope: _Scope | None) -> None:
        inner = None if scope is None else _Scope(scope, takes_stores=False)
        self._push(ast.iter_child_nodes(node), inner)

    def name(self, node: ast.Name, scope: _Scope | None) -> None:
        if not isinstance(node.ctx, ast.Store):
            self._reads.append((node.id, scope))
        elif scope is not None and scope.takes_stores:
            scope.bound.add(node.id)
        self._knows_itself = self._knows_itself or node.id in ("__name__", "__spec__")
        self._looks_up_modules = self._looks_up_modules or node.id in _BY_NAME
        self._is_dynamic = self._is_dynamic or node.id in _NAMESPACES

    def attribute(self, node: ast.Attribute, scope: _Scope | None) -> None:
        self._attributes.add(node.attr)
        if isinstance(node.value, ast.Name):
            self._members.add((node.value.id, node.attr))
        self._looks_up_modules = self._looks_up_modules or node.attr in _BY_NAME
        self._knows_itself = self._knows_itself or node.attr == "__module__"
        self._is_dynamic = self._is_dynamic or node.attr in _NAMESPACES
        self._store(node, scope)
        self._push([node.value], scope)

    def subscript(self, node: ast.Subscript, scope: _Scope | None) -> None:
        self._store(node, scope)
        self._push([node.value, node.slice], scope)

    def _store(self, node: ast.Attribute | ast.Subscript, scope: _Scope | None) -> None:
        if isinstance(node.ctx, ast.Load):
            return
        self._write(node.value, scope)
        if isinstance(node, ast.Attribute) and _is_own_class(node.value):
            self._class_writes.add(node.attr)

    def _write(self, target: ast.AST, scope: _Scope | None) -> None:
        """The object that the target belongs to is changed: of `a.b[0].c` that is `a`, and its members on the way."""
        while isinstance(target, (ast.Attribute, ast.Subscript, ast.Call)):
            target = target.func if isinstance(target, ast.Call) else target.value
        if isinstance(target, ast.Name):
            self._writes.append((target.id, scope))

    def call(self, node: ast.Call, scope: _Scope | None) -> None:
        function, arguments = node.func, node.args
        if isinstance(function, ast.Name):
            self._call_by_name(function.id, arguments, scope)
        elif isinstance(function, ast.Attribute) and function.attr in MUTATORS:
            self._write(function.value, scope)
        self._push(ast.iter_child_nodes(node), scope)

    def _call_by_name(self, name: str, arguments: list[ast.expr], scope: _Scope | None) -> None:
        if name == "globals" or (name in ("exec", "eval") and len(arguments) == 1):
            self._is_dynamic = True
        elif name in ("vars", "locals", "dir") and not arguments:
            self._is_dynamic = self._is_dynamic or scope is None
        elif name in ("setattr", "delattr") and arguments:
            self._write(arguments[0], scope)
        elif name == "getattr" and len(arguments) > 1 and not isinstance(arguments[1], ast.Constant):
            whose = arguments[0]
            self._any_attribute = self._any_attribute or isinstance(whose, (ast.Name, ast.Call))

    def constant(self, node: ast.Constant, _scope: _Scope | None) -> None:
        if isinstance(node.value, str) and len(node.value) < 200 and _IDENTIFIERS.fullmatch(node.value):
            found = re.findall(r"\w+", node.value)
            self._certain.update(found)
            self._attributes.update(found)

    def expression(self, node: ast.Expr, scope: _Scope | None) -> None:
        # A text that stands alone is read by people.
        if not isinstance(node.value, ast.Constant):
            self._push([node.value], scope)

    def global_(self, node: ast.Global, scope: _Scope | None) -> None:
        self._globals.update(node.names)
        self._certain.update(node.names)
        if scope is not None:
            scope.foreign.update(node.names)


def _is_own_class(node: ast.expr) -> bool:
    """Whether it is `cls`, `type(...)` or `....__class__`."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "type"
    return getattr(node, "id", None) == "cls" or getattr(node, "attr", None) == "__class__"


def header_of(node: ast.AST) -> list[ast.AST]:
    """What of a function or class is evaluated where it stands, before and beside its body."""
    parts: list[ast.AST] = [*getattr(node, "type_params", ())]
    if isinstance(node, ast.ClassDef):
        return [*node.decorator_list, *node.bases, *node.keywords, *parts]
    if not isinstance(node, _FUNCTIONS):
        return []
    arguments = node.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    parts += [argument.annotation for argument in every if argument is not None and argument.annotation is not None]
    parts += [default for default in (*arguments.defaults, *arguments.kw_defaults) if default is not None]
    if not isinstance(node, ast.Lambda):
        parts += [*node.decorator_list, *([node.returns] if node.returns else [])]
    return parts


_VISITS: dict[type[ast.AST], Callable[[_Reader, Any, _Scope | None], None]] = {
    ast.FunctionDef: _Reader.function,
    ast.AsyncFunctionDef: _Reader.function,
    ast.Lambda: _Reader.function,
    ast.ClassDef: _Reader.class_,
    ast.ListComp: _Reader.comprehension,
    ast.SetComp: _Reader.comprehension,
    ast.DictComp: _Reader.comprehension,
    ast.GeneratorExp: _Reader.comprehension,
    ast.Name: _Reader.name,
    ast.Attribute: _Reader.attribute,
    ast.Subscript: _Reader.subscript,
    ast.Call: _Reader.call,
    ast.Constant: _Reader.constant,
    ast.Expr: _Reader.expression,
    ast.Global: _Reader.global_,
}
