"""The texts that a test of a Python file can reach: which files it reads stands in them, as far as its source tells."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

# No name of a file is longer.
_LONGEST = 256
_Scope = Mapping[str, Sequence["_Piece"]]


class Texts(NamedTuple):
    """Text constants of one test: those in its own lines, and with them those of all that it uses in its file."""

    own: frozenset[str]
    reached: frozenset[str]


class _Piece(NamedTuple):
    texts: frozenset[str]
    names: frozenset[str]


class SourceFile(NamedTuple):
    """What a file binds at its top, and in its classes: (class, or empty) -> name -> pieces."""

    scopes: Mapping[str, _Scope]

    def texts(self, name: str, around: Iterable[SourceFile] = ()) -> Texts:
        """The texts of a function by its qualified name; `around` are the conftests above it, the nearest first."""
        *path, function = name.split(".")
        scopes = [self.scopes.get(path[-1], {})] if path else []
        scopes += [self.scopes[""], *(file.scopes[""] for file in around)]
        starts = scopes[0].get(function, ())
        own = frozenset(text for piece in starts for text in piece.texts)
        return Texts(own, own.union(*(piece.texts for piece in _reached(starts, scopes))))


EMPTY = SourceFile({"": {}})


def read_source(data: bytes) -> SourceFile:
    """The file; an empty one where it is no Python that we can parse."""
    try:
        tree = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return EMPTY
    return SourceFile({"": _scope(tree.body), **{node.name: _scope(node.body) for node in _classes(tree.body)}})


def _reached(starts: Sequence[_Piece], scopes: Sequence[_Scope]) -> Iterator[_Piece]:
    seen: set[str] = set()
    waiting = list(starts)
    while waiting:
        for name in waiting.pop().names - seen:
            seen.add(name)
            found = next((scope[name] for scope in scopes if name in scope), ())
            yield from found
            waiting += found


def _scope(body: Sequence[ast.stmt]) -> dict[str, list[_Piece]]:
    scope: dict[str, list[_Piece]] = {}
    for statement in _statements(body):
        piece = _piece(statement)
        for name in _bound(statement):
            scope.setdefault(name, []).append(piece)
    return scope


def _classes(body: Sequence[ast.stmt]) -> Iterator[ast.ClassDef]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield node
            yield from _classes(node.body)


def _statements(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a scope, those in its branches too."""
    for node in body:
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for field in ("body", "orelse", "finalbody"):
                yield from _statements(getattr(node, field, ()))


def _bound(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield statement.name
    elif isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        for target in targets:
            yield from (node.id for node in ast.walk(target) if isinstance(node, ast.Name))


def _piece(statement: ast.stmt) -> _Piece:
    texts: set[str] = set()
    names: set[str] = set()
    waiting: list[ast.AST] = [statement]
    # `ast.walk` takes twice as long, and this is where most of the time goes.
    while waiting:
        node = waiting.pop()
        kind = type(node)
        if kind is ast.Constant:
            value = node.value  # type: ignore[attr-defined]
            if isinstance(value, str) and 0 < len(value) <= _LONGEST:
                texts.add(value)
            continue
        if kind is ast.Name:
            names.add(node.id)  # type: ignore[attr-defined]
            continue
        if kind is ast.Attribute:
            names.add(node.attr)  # type: ignore[attr-defined]
        elif kind is ast.arg:
            names.add(node.arg)  # type: ignore[attr-defined]
        for field in kind._fields:
            value = getattr(node, field, None)
            if isinstance(value, list):
                waiting += [child for child in value if isinstance(child, ast.AST)]
            elif isinstance(value, ast.AST):
                waiting.append(value)
    return _Piece(frozenset(texts), frozenset(names))
