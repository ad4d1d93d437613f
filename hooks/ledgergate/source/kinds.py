"""Which functions are tests, which classes hold some, and which names make fixtures."""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Container, Iterator

from ledgergate.source.syntax import Function, imports, last_name, stored_names, walk
from ledgergate.source.text import Source


def is_test_function(node: ast.AST, fixtures: Container[str] = ()) -> bool:
    """Whether a runner takes it for a test: by its name, unless it is a fixture; `fixtures` are names for such."""
    if not isinstance(node, Function) or not node.name.startswith("test"):
        return False
    names = map(last_name, node.decorator_list)
    return not any(("fixture" in name and name != "usefixtures") or name in fixtures for name in names)


def is_plain_test(node: Function, fixtures: Container[str]) -> bool:
    """Whether no decorator could make something else of a test: dotted names and calls of such that name no fixture."""
    return all(_keeps_a_test(decorator, fixtures) for decorator in node.decorator_list)


def holds_tests(node: ast.ClassDef) -> bool:
    """Whether a class defines a test, or a class that does."""
    return any(
        is_test_function(child) or (isinstance(child, ast.ClassDef) and holds_tests(child)) for child in node.body
    )


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
    named = [getattr(one, "id", None) or getattr(one, "attr", None) or _text(one) for one in walk(decorator)]
    return not any("fixture" in name or name in fixtures for name in named)


def _text(node: ast.AST) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _own_statements(scope: ast.Module | ast.ClassDef) -> Iterator[ast.stmt]:
    for node in scope.body:
        if isinstance(node, ast.ClassDef):
            yield from _own_statements(node)
        elif not is_test_function(node) and not isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node


def _bound_by(node: ast.stmt) -> list[str]:
    if isinstance(node, Function):
        return [] if node.decorator_list else [node.name]
    return stored_names(node)


def _words(source: Source, node: ast.stmt) -> frozenset[str]:
    text = "\n".join(source.lines[node.lineno - 1 : node.end_lineno])
    return frozenset(re.findall(r"\w+", unicodedata.normalize("NFKC", text)))
