"""Tests that runners call and then do not run: coroutines that nothing awaits, and generators."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ledgergate.guard.loss import Loss
from ledgergate.guard.parts import yields
from ledgergate.guard.suite import Suite, Test
from ledgergate.source.syntax import base_name, last_name, walk

_AWAITING = ("asyncio", "anyio", "trio", "curio", "tornado", "gen_test", "async", "twisted", "inlineCallbacks", "coro")


def not_run(old: Suite, was: Test, new: Suite, now: Test) -> Iterator[Loss]:
    """A test that came to be a generator, or a coroutine that nothing awaits as far as its file tells."""
    if yields(now.node) and not yields(was.node) and isinstance(now.node, ast.FunctionDef):
        if not any(_says_of_awaiting(mark) for mark in now.node.decorator_list):
            message = "The test is a generator now, which runners do not run"
            yield _loss(new, now, message, waits=False)
        return
    if isinstance(now.node, ast.AsyncFunctionDef) and not _is_awaited(new, now):
        if not isinstance(was.node, ast.AsyncFunctionDef) and not _awaits(now):
            yield _loss(new, now, "The test is a coroutine now and awaits nothing; it may not be run", waits=True)
        elif not isinstance(was.node, ast.AsyncFunctionDef) and _is_of_plain_case(now):
            yield _loss(new, now, "The test is a coroutine now, which a plain TestCase does not run", waits=False)
        elif isinstance(was.node, ast.AsyncFunctionDef) and _is_awaited(old, was):
            yield _loss(new, now, "The mark that has it awaited is gone", waits=True)


def _is_awaited(suite: Suite, test: Test) -> bool:
    """Whether a mark of the test, its class or its file, or its class, has somebody await it."""
    marks: list[ast.expr] = [*test.node.decorator_list, *(mark for one in test.classes for mark in one.decorator_list)]
    scopes: Sequence[ast.Module | ast.ClassDef] = (suite.tree, *test.classes)
    for scope in scopes:
        assigned = (node for node in scope.body if isinstance(node, ast.Assign))
        marks += [node.value for node in assigned if any(last_name(one) == "pytestmark" for one in node.targets)]
    bases = [base for one in test.classes for base in one.bases]
    return any(map(_says_of_awaiting, (*marks, *bases)))


def _says_of_awaiting(mark: ast.expr) -> bool:
    text = ast.unparse(mark)
    return any(word in text or word in text.lower() for word in _AWAITING)


def _awaits(test: Test) -> bool:
    return any(isinstance(one, (ast.Await, ast.AsyncWith, ast.AsyncFor)) for one in walk(test.node))


def _is_of_plain_case(test: Test) -> bool:
    return any(base_name(base) == "TestCase" for one in test.classes for base in one.bases)


def _loss(suite: Suite, test: Test, message: str, *, waits: bool) -> Loss:
    line = test.node.lineno
    return Loss("assertion-removed", suite.path, message, test.name, line, None, suite.line(line), waits)
