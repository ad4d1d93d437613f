"""Tests that ask nothing but that what they call does not raise."""

from __future__ import annotations

import ast
import builtins
import sys
from collections import Counter
from collections.abc import Container, Iterator, Sequence

from ledgergate.guard.caught import always_fails
from ledgergate.guard.loss import Loss
from ledgergate.guard.parts import root
from ledgergate.guard.reading import Reading
from ledgergate.guard.suite import Suite, Test
from ledgergate.guard.terms import calls, names
from ledgergate.source.syntax import last_name, walk


def lost_calls(old: Suite, was: Test, new: Suite, now: Test, readings: tuple[Reading, Reading]) -> Iterator[Loss]:
    """The first call of a test without checks that is gone, or whose failure nobody sees any more."""
    before, after = readings
    if after.skips or any(one.strength for one in before.facts):
        return
    own = {*old.functions, *old.methods(was.classes), *dir(builtins)}
    seen = _called([now.node]) - Counter(name for act in after.unseen for name in calls(act)) - _caught(now)
    was_caught = _caught(was).keys()
    elsewhere = {name for act in after.acts.keys() - after.unseen.keys() for name in calls(act)} - _called(
        [now.node]
    ).keys()
    for act, line in before.acts.items():
        gone = calls(act) - own - seen.keys() - was_caught - elsewhere
        is_own = was.node.lineno <= line <= (was.node.end_lineno or line)
        if act not in before.unseen and gone and is_own and _is_of_code(old, was, act, gone):
            why = next(
                (reason for one, reason in after.unseen.items() if gone & calls(one)), "it is not called any more"
            )
            message = f"The test asks only that `{min(gone)}` does not raise, and {why}"
            at = now.node.lineno
            yield Loss("assertion-removed", new.path, message, now.name, at, old.line(line), new.line(at), waits=True)
            return


def _is_of_code(suite: Suite, test: Test, act: str, called: Container[str]) -> bool:
    """Whether it is something of what is tested that is called, and not of Python or pytest."""
    foreign = {*sys.stdlib_module_names, "pytest"}
    own = {name for name, origin in suite.origins.items() if origin.module.partition(".")[0] not in foreign}
    modules = {name for name, module in suite.modules.items() if module.partition(".")[0] not in foreign}
    found = (one.func for one in walk(test.node) if isinstance(one, ast.Call) and last_name(one.func) in called)
    return not own.isdisjoint(names(act)) or any(root(one) in modules for one in found)


def _called(body: Sequence[ast.AST]) -> Counter[str]:
    return Counter(last_name(one.func) for node in body for one in walk(node) if isinstance(one, ast.Call))


def _caught(test: Test) -> Counter[str]:
    """What is called where something that it raises does not fail the test."""
    return sum((_called(node.body) for node in walk(test.node) if _catches(node)), Counter())  # type: ignore[attr-defined]


def _catches(node: ast.AST) -> bool:
    if isinstance(node, ast.Try):
        return not all(always_fails(one.body) for one in node.handlers)
    return isinstance(node, ast.With) and any(last_name(one.context_expr) == "suppress" for one in node.items)
