"""Whether a Python test file defines the function that a test id names, as far as its text alone can tell."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from enum import Enum
from functools import lru_cache

from ledgergate.source.syntax import children
from ledgergate.source.text import Unreadable, read_source

# What can define a test while the file runs, so that its absence from the text proves nothing.
_DYNAMIC = (b"globals()", b"locals()", b"vars()", b"setattr(", b"exec(", b"eval(", b"__getattr__", b"type(")
_PLAIN_BASES = frozenset({"object", "TestCase", "IsolatedAsyncioTestCase", "ABC", "Protocol"})
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_DEEPEST = 20


class Defined(Enum):
    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"  # made at run time, or inherited from elsewhere
    UNPARSED = "unparsed"  # the file is no Python that we can parse


def defines(source: bytes, names: Sequence[str]) -> Defined:
    """Whether the module defines the function (or class) at the end of `names`, each name inside the one before it."""
    module = _module(source)
    return Defined.UNPARSED if module is None else module.defines(names)


@lru_cache(maxsize=32)
def _module(source: bytes) -> _Module | None:
    parsed = read_source(source)
    return None if isinstance(parsed, Unreadable) else _Module(source, parsed.tree)


class _Module:
    """One parsed test file, with the bindings of each scope collected once."""

    def __init__(self, source: bytes, tree: ast.Module) -> None:
        self._tree = tree
        self._is_dynamic = any(text in source for text in _DYNAMIC)
        self._bindings: dict[ast.AST, dict[str, list[ast.AST]]] = {}

    def defines(self, names: Sequence[str]) -> Defined:
        found = self._lookup(self._tree, names, 0)
        return Defined.UNKNOWN if found is Defined.NO and self._is_dynamic else found

    def _lookup(self, scope: ast.AST, names: Sequence[str], depth: int) -> Defined:
        bindings = self._bound_in(scope)
        for node in bindings.get(names[0], ()):
            if len(names) == 1:
                return Defined.YES
            inner = self._lookup(node, names[1:], depth) if isinstance(node, ast.ClassDef) else Defined.UNKNOWN
            if inner is not Defined.NO:
                return inner
        if isinstance(scope, ast.ClassDef):
            inherited = self._lookup_in_bases(scope, names, depth + 1)
            if inherited is not Defined.NO:
                return inherited
        return Defined.UNKNOWN if "*" in bindings else Defined.NO

    def _lookup_in_bases(self, scope: ast.ClassDef, names: Sequence[str], depth: int) -> Defined:
        unsure = bool(scope.decorator_list or scope.keywords) or depth > _DEEPEST
        for base in scope.bases if depth <= _DEEPEST else ():
            name = base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "")
            local = [node for node in self._bound_in(self._tree).get(name, ()) if isinstance(node, ast.ClassDef)]
            if not local:
                unsure = unsure or name not in _PLAIN_BASES
            for node in local:
                found = self._lookup(node, names, depth)
                if found is Defined.YES:
                    return found
                unsure = unsure or found is Defined.UNKNOWN
        return Defined.UNKNOWN if unsure else Defined.NO

    def _bound_in(self, scope: ast.AST) -> dict[str, list[ast.AST]]:
        if scope not in self._bindings:
            bound: dict[str, list[ast.AST]] = {}
            for name, node in _bindings(scope):
                bound.setdefault(name, []).append(node)
            self._bindings[scope] = bound
        return self._bindings[scope]


def _bindings(scope: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """(name, node) for all that a scope's own statements bind, in branches and loops too; `*` for a star import."""
    for node in children(scope):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name, node
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                yield (alias.asname or alias.name).partition(".")[0], node
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, node
        if not isinstance(node, _SCOPES):
            yield from _bindings(node)
