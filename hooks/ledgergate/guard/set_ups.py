"""Fixtures and set-ups that came to skip the tests they run before, or to run them with fewer parameters."""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterator, Sequence

from ledgergate.guard.conditions import is_harmless
from ledgergate.guard.loss import Loss
from ledgergate.guard.parts import SKIPPING, calls_in
from ledgergate.guard.skips import IsOwn, is_needed
from ledgergate.guard.suite import Suite
from ledgergate.guard.well_known import SET_UPS
from ledgergate.source.syntax import Function, last_name


def changed_set_ups(old: Suite | None, new: Suite, is_own: IsOwn) -> Iterator[Loss]:
    """What a file's fixtures and set-ups came to keep from running; those of new tests are theirs to skip.

    `is_own`: whether a module is one of those that are tested.
    """
    before = _functions(old) if old is not None else {}
    for name, node in _functions(new).items():
        was = before.get(name)
        if was is not None and old is not None:
            yield from _parameters(old, new, name, was, node)
        if not (was is not None or _serves_old_tests(old, new, node)):
            continue
        known = {skip[1] for skip in _skips(old, was.body)} if was is not None and old is not None else set()
        for line, condition in _skips(new, node.body):
            if condition not in known:
                message = "What runs before the tests skips them now"
                yield Loss("skip-added", new.path, message, name, line, None, new.line(line), bool(condition))
        if not new.path.endswith("conftest.py"):
            yield from _missing(
                new, name, node, [ast.unparse(one) for one in _imports(was)] if was is not None else (), is_own
            )


def _missing(suite: Suite, name: str, node: Function, known: Container[str], is_own: IsOwn) -> Iterator[Loss]:
    """Modules that a fixture came to skip without, though nothing else in the file needs them."""
    for call in _imports(node):
        if ast.unparse(call) not in known and not is_needed(suite, call, is_own):
            message = "What runs before the tests skips them where a module is not there, which nothing else needs"
            yield Loss("skip-added", suite.path, message, name, call.lineno, None, suite.line(call.lineno), True)


def _imports(node: Function) -> list[ast.Call]:
    return [one for part in node.body for one in calls_in(part) if last_name(one.func) == "importorskip"]


def _functions(suite: Suite) -> dict[str, Function]:
    """Fixtures and set-ups by their classes and names."""
    return {
        "::".join([*(each.name for each in one.classes), one.node.name]): one.node
        for one in suite.placed
        if isinstance(one.node, Function) and (one.node.name in SET_UPS or _fixture(one.node) is not None)
    }


def _fixture(node: Function) -> ast.expr | None:
    """The decorator that makes a fixture of a function."""
    marks = (one for one in node.decorator_list if last_name(one).endswith("fixture"))
    return next(marks, None)


def _serves_old_tests(old: Suite | None, new: Suite, node: Function) -> bool:
    """Whether tests that were there before get what is new."""
    mark = _fixture(node)
    if mark is not None and "autouse=True" not in ast.unparse(mark):
        known = {test.name for test in old.tests} if old is not None else set()
        asking = (test for test in new.tests if test.name in known)
        return any(_asks(test.node, node.name) for test in asking) or new.mentions(f'usefixtures("{node.name}"')
    return bool(new.path.endswith("conftest.py") or (old is not None and old.tests))


def _asks(test: Function, name: str) -> bool:
    return any(one.arg == name for one in (*test.args.args, *test.args.kwonlyargs))


def _skips(
    suite: Suite | None, body: Sequence[ast.stmt], conditions: tuple[str, ...] = ()
) -> Iterator[tuple[int, str]]:
    """Where statements skip, and under which conditions; not where the machine decides."""
    if suite is None:
        return
    for node in body:
        if _is_skip(node):
            yield node.lineno, " && ".join(conditions)
        elif isinstance(node, ast.If):
            condition = suite.writer.term(node.test, suite.full_environment)
            if not is_harmless(condition, suite.imported):
                yield from _skips(suite, node.body, (*conditions, condition))
            yield from _skips(suite, node.orelse, (*conditions, f"[! {condition}]"))
        elif isinstance(node, ast.Try):
            yield from _skips(suite, [*node.body, *node.orelse, *node.finalbody], conditions)
            for handler in node.handlers:
                caught = ast.unparse(handler.type) if handler.type is not None else ""
                if "ImportError" not in caught and "ModuleNotFoundError" not in caught:
                    yield from _skips(suite, handler.body, (*conditions, f"except {caught}"))
        elif isinstance(node, (ast.With, ast.AsyncWith, ast.For, ast.While)):
            yield from _skips(suite, node.body, conditions)


def _is_skip(node: ast.stmt) -> bool:
    if isinstance(node, ast.Raise):
        return node.exc is not None and (last_name(node.exc) in SKIPPING or "skip.Exception" in ast.unparse(node.exc))
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call):
        return False
    if last_name(call.func) in ("add_marker", "applymarker") and call.args:
        return not SKIPPING.isdisjoint(re.findall(r"\w+", ast.unparse(call.args[0])))
    return last_name(call.func) in SKIPPING - {"importorskip"}


def _parameters(old: Suite, new: Suite, name: str, was: Function, now: Function) -> Iterator[Loss]:
    """Parameters of a fixture that are gone, and that no others took the place of."""
    before, after = _params(old, was), _params(new, now)
    if before is None:
        return
    lost = [one for one in before if after is None or one not in after]
    if not lost:
        return
    shown = lost[0].replace("«", "").replace("»", "")
    if len(lost) > len([one for one in after or () if one not in before]):
        yield Loss("test-removed", new.path, f"Parameters of the fixture are gone: {shown}", name, now.lineno, shown)
    else:
        message, line = f"A parameter of the fixture is another one now: {shown}", new.line(now.lineno)
        yield Loss("expectation-changed", new.path, message, name, now.lineno, shown, line, waits=True)


def _given(parameter: ast.expr) -> Sequence[ast.expr]:
    """What a parameter gives, without what `pytest.param` says about it."""
    return parameter.args if isinstance(parameter, ast.Call) and last_name(parameter) == "param" else (parameter,)


def _params(suite: Suite, node: Function) -> list[str] | None:
    mark = _fixture(node)
    for one in mark.keywords if isinstance(mark, ast.Call) else ():
        value = suite.assigned.get(one.value.id, one.value) if isinstance(one.value, ast.Name) else one.value
        if one.arg == "params" and isinstance(value, (ast.List, ast.Tuple)):
            return [
                ", ".join(suite.writer.term(part, suite.environment) for part in _given(each)) for each in value.elts
            ]
    return None
