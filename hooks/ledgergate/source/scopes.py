"""The names that belong to the functions of a piece of code, and what they stand for."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ledgergate.source.syntax import last_name

# Stands for the objects of modules.
MODULE = "<module>"
_GIVE_MODULES = frozenset({"import_module", "getmodule", "__import__"})
# By this parameter pytest gives a test the run's own objects: modules, other tests, the session.
_REQUEST = "request"
# What is changed there concerns no other test; the class that asks is told by itself.
_OWN_OF_REQUEST = frozenset(
    {
        "request.cls",
        "request.config.cache",
        "request.config.stash",
        "request.node.stash",
        "request.node.user_properties",
    }
)
# Calls of these give a part of what they are called on.
_PARTS = frozenset({"get", "items", "keys", "setdefault", "values"})
# And of these, of what they are given.
_ACCESSORS = frozenset({"getattr", "iter", "next", "reversed", "vars"})


class Scope:
    """The names that a function makes its own, and the function around it.

    `parameters` are those whose values come from its caller, `aliases` the names that a variable may be another for.
    """

    __slots__ = ("aliases", "bound", "foreign", "parameters", "parent", "takes_stores")

    def __init__(self, parent: Scope | None, *, takes_stores: bool) -> None:
        self.parent = parent
        self.takes_stores = takes_stores
        self.bound: set[str] = set()
        self.foreign: set[str] = set()
        self.parameters: set[str] = set()
        self.aliases: dict[str, set[str]] = {}


def owner_of(name: str, scope: Scope | None) -> Scope | None:
    """The function that a name belongs to; None for names of the module."""
    if name.startswith("__"):
        return None  # a class in between may make it another name
    while scope is not None:
        if name in scope.foreign:
            return None
        if name in scope.bound:
            return scope
        scope = scope.parent
    return None


def objects_of(name: str, scope: Scope | None) -> tuple[set[str], bool]:
    """The names of the module whose objects a name may stand for, and whether it may be a parameter's."""
    found: set[str] = set()
    from_caller = False
    waiting, seen = [(name, scope)], set[tuple[str, int]]()
    while waiting:
        one, place = waiting.pop()
        owner = owner_of(one, place)
        if owner is None:
            found.add(one)
        elif one in owner.parameters:
            from_caller = True
            found.update([MODULE] if one == _REQUEST else ())
        while place is not None and (one, id(place)) not in seen:
            seen.add((one, id(place)))
            waiting += [(alias, place) for alias in place.aliases.get(one, ()) if alias != one]
            place = None if place is owner else place.parent
    return found, from_caller


def roots(value: ast.AST) -> Iterator[str]:
    """The names whose objects, or parts of them, an expression gives; what a call gives is taken to be new."""
    waiting = [value]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name):
            yield node.id
        elif gives_modules(node):
            yield MODULE
        elif isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred, ast.NamedExpr, ast.Await)):
            waiting.append(node.value)
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", None) in _PARTS:
            waiting.append(node.func)
        elif isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            waiting += node.elts
        elif isinstance(node, ast.BoolOp):
            waiting += node.values
        elif isinstance(node, ast.IfExp):
            waiting += (node.body, node.orelse)


def written_roots(target: ast.AST) -> Iterator[str]:
    """The names whose objects may change with the target, also where it is what a call on one of them gave."""
    if isinstance(target, ast.Attribute) and ast.unparse(target) in _OWN_OF_REQUEST:
        return
    while isinstance(target, (ast.Attribute, ast.Subscript, ast.Call)) and not gives_modules(target):
        if not isinstance(target, ast.Call):
            target = target.value
        elif last_name(target.func) in _ACCESSORS and target.args:
            target = target.args[0]
        else:
            target = target.func
    yield from roots(target)


def gives_modules(node: ast.AST) -> bool:
    """Whether it gives the module of a test, or any by its name: `sys.modules`, `import_module()`, `request.module`."""
    if isinstance(node, ast.Call):
        return last_name(node.func) in _GIVE_MODULES
    if not isinstance(node, ast.Attribute):
        return False
    return node.attr == "modules" or (node.attr == "module" and last_name(node.value) in ("request", "node"))
