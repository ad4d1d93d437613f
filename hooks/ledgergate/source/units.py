"""The pieces that a test file falls into."""

from __future__ import annotations

import ast
from typing import NamedTuple

from ledgergate.source.syntax import Function


class Unit(NamedTuple):
    """A piece that is covered as a whole: lines `first` to `last`, and `heads`, those of the definitions around it.

    `place` names what it stands in. `nodes` are what it evaluates, `shape` its syntax: of a header without the body.
    """

    number: int
    place: str
    nodes: tuple[ast.AST, ...]
    shape: ast.AST
    first: int
    last: int
    column: int
    heads: tuple[int, ...]


class Method(NamedTuple):
    """A function of the module or of a class; `acting` is what of it acts when the file is imported.

    `is_test`: by its name and decorators; `is_free`: a test that can be nothing else, a fixture say.
    """

    name: str
    node: Function
    whole: Unit
    acting: Unit | None
    is_test: bool
    is_free: bool


class Suite(NamedTuple):
    """A class that holds tests. `statements` are those of its body that define neither functions nor such classes.

    `acts`: its head does when the file is imported; `calls_itself`: what it defines may be called then.
    """

    node: ast.ClassDef
    whole: Unit
    header: Unit
    statements: tuple[tuple[Unit, bool], ...]
    functions: tuple[Method, ...]
    inner: tuple[Suite, ...]
    acts: bool
    calls_itself: bool

    @property
    def name(self) -> str:
        return self.node.name
