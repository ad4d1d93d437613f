"""Where a statement of a test stands: what names stand for there, and behind what."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import NamedTuple

from ledgergate.guard.known import truth_of
from ledgergate.guard.suite import Definition, Origin, Suite
from ledgergate.guard.terms import Writer, either, is_literal
from ledgergate.source.syntax import Function, walk

_MARKS = {ord("«"): None, ord("»"): None}
# What a name imported from a file of the tests stands for there.
Imported = Callable[[Suite, Origin], "tuple[Suite, Definition] | None"]


# What names stand for, as terms and as what was written.
Names = tuple[dict[str, str], dict[str, ast.expr]]


class Context(NamedTuple):
    """Where a statement stands."""

    environment: dict[str, str]
    nodes: dict[str, ast.expr]
    suite: Suite
    # The file of the test, where `suite` is that of a helper.
    of: Suite
    methods: Mapping[str, Function]
    local: dict[str, Function]
    guards: tuple[str, ...] = ()
    # Why a check here counts for nothing, where it does.
    lost: str = ""
    depth: int = 0
    # What handlers around it keep, by the names of the classes.
    kept: tuple[str, ...] = ()
    # In a loop that tries again, and fails in the end.
    is_retried: bool = False
    # In a loop of which nobody can say how often it runs.
    is_looped: bool = False
    # Functions that a helper was given, by the names of its parameters.
    given: Mapping[str, Given] = {}
    # What writes terms inside of a function that makes others for itself; else the file's own.
    inner: Writer | None = None

    @property
    def writer(self) -> Writer:
        return self.inner or self.suite.writer

    def term(self, node: ast.AST) -> str:
        """The term of an expression here."""
        return self.writer.term(node, self.environment)

    def condition(self, node: ast.expr) -> str:
        """A condition with all names replaced, so that it tells what it is about."""
        return self.writer.term(node, {**self.suite.full_environment, **self.environment})

    def resolved(self, node: ast.expr) -> ast.expr:
        """What a name stands for, or what is looked up by one in a table, where that is known."""
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and isinstance(node.slice, ast.Name):
            return self.nodes.get(f"{node.value.id}[{node.slice.id}]", node)
        return self.nodes.get(node.id, node) if isinstance(node, ast.Name) else node

    def truth(self, node: ast.expr) -> bool | None:
        """Whether a condition holds, as far as the text tells."""
        return truth_of(node, self._known)

    def _known(self, name: str) -> ast.expr | str | None:
        term = self.environment.get(name)
        if term is not None and is_literal(term):
            return term.translate(_MARKS)
        return self.nodes.get(name) if term is None or name in self.nodes else None

    def kept_names(self) -> Names:
        """What names stand for here, to come back to it."""
        return dict(self.environment), dict(self.nodes)

    def restore(self, names: Names) -> None:
        environment, nodes = names
        self.environment.clear()
        self.environment.update(environment)
        self.nodes.clear()
        self.nodes.update(nodes)

    def join(self, test: ast.expr, condition: str, names: Names) -> None:
        """Let names stand for what they did in `names` where a condition holds, and else for what they do now."""
        environment, nodes = names
        for name in environment.keys() | self.environment.keys():
            holds, fails = environment.get(name, name), self.environment.get(name, name)
            if holds != fails:
                self.environment[name] = either(condition, holds, fails)
        for name in nodes.keys() | self.nodes.keys():
            was, now = nodes.get(name), self.nodes.get(name)
            if was is now:
                continue
            self.nodes.pop(name, None)
            if was is not None and now is not None:
                self.nodes[name] = ast.copy_location(ast.IfExp(test, was, now), test)

    def bind_walrus(self, node: ast.expr) -> None:
        """Let the names of `:=` in an expression stand for what they are given."""
        for one in walk(node) if self.suite.has_walrus else ():
            if isinstance(one, ast.NamedExpr) and isinstance(one.target, ast.Name):
                self.environment[one.target.id] = self.term(one.value)


class Given(NamedTuple):
    """A function that is handed on, and where it was made."""

    node: Function
    context: Context
