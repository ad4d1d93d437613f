"""`before = len(rows)`, what must not change it, `assert len(rows) == before`: whether that is still between."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ledgergate.guard.loss import Loss
from ledgergate.guard.parts import calls_in
from ledgergate.guard.suite import Suite, Test
from ledgergate.source.syntax import walk


class _Kept(NamedTuple):
    """A value that is kept under a name and compared with what it was taken from."""

    source: str
    line: int
    is_done: bool


def taken_late(old: Suite, was: Test, new: Suite, now: Test) -> Iterator[Loss]:
    """A check that compares with a value which is taken only when all is done."""
    known = list(_kept(was.node.body))
    before = {one.source for one in known if one.is_done}
    if not before:
        return
    idle = Counter(one.source for one in known if not one.is_done)
    for one in _kept(now.node.body):
        if one.source in before and not one.is_done:
            idle[one.source] -= 1
            if idle[one.source] >= 0:
                continue
            message = f"`{one.source}` is compared with itself: between the two nothing is done any more"
            line = new.line(one.line)
            yield Loss("assertion-tautology", new.path, message, now.name, one.line, old.line(one.line), line)
            return


def _kept(body: Sequence[ast.stmt]) -> Iterator[_Kept]:
    """The values that a block keeps, and whether something is called before they are compared, in it or further in."""
    names: dict[str, tuple[str, int]] = {}
    for number, node in enumerate(body):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            if not isinstance(node.value, (ast.Constant, ast.Name)):
                names[node.targets[0].id] = ast.unparse(node.value), number
        elif isinstance(node, (ast.Assert, ast.Expr)):
            for name in {one.id for one in walk(node) if isinstance(one, ast.Name)} & names.keys():
                source, at = names[name]
                if source in ast.unparse(node):
                    between = body[at + 1 : number]
                    is_done = any(map(_sets, between)) or any(_does_more(one, source) for one in (*between, node))
                    yield _Kept(source, node.lineno, is_done)


def _sets(node: ast.stmt) -> bool:
    """Whether a statement sets an attribute or an item."""
    stored = (one for one in walk(node) if isinstance(getattr(one, "ctx", None), ast.Store))
    return any(not isinstance(one, ast.Name) for one in stored)


def _does_more(node: ast.stmt, source: str) -> bool:
    """Whether a statement calls something beside what is compared: a method of unittest is none."""
    calls = [one for one in calls_in(node) if not ast.unparse(one.func).startswith("self.assert")]
    return any(ast.unparse(one) not in source for one in calls)
