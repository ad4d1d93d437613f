"""Values that a test takes apart: `a, b = f()` fails where there are more than two, `a, *_ = f()` does not."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ledgergate.guard.loss import Loss
from ledgergate.guard.suite import Suite, Test
from ledgergate.source.syntax import walk


def takes_more(was: Test, new: Suite, now: Test) -> Iterator[Loss]:
    """The first value that may hold more than before."""
    counted = {ast.dump(node.value) for node, targets in _taken_apart(was) if not _is_open(targets)}
    for node, targets in _taken_apart(now):
        if _is_open(targets) and ast.dump(node.value) in counted:
            message, line = "What it takes apart may hold any more now", node.lineno
            yield Loss("expectation-changed", new.path, message, now.name, line, None, new.line(line), waits=True)
            return


def _taken_apart(test: Test) -> Iterator[tuple[ast.Assign, list[ast.expr]]]:
    for node in walk(test.node):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], (ast.Tuple, ast.List)):
            yield node, node.targets[0].elts


def _is_open(targets: list[ast.expr]) -> bool:
    return any(isinstance(one, ast.Starred) for one in targets)
