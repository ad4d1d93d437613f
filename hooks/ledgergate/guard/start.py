"""A test as it begins: its rows, and what its names stand for before its first statement."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from ledgergate.guard.body import Reader
from ledgergate.guard.context import Context, Imported
from ledgergate.guard.expressions import NEVER
from ledgergate.guard.parts import calls_in, fake_by, is_autouse, variable
from ledgergate.guard.reading import Reading
from ledgergate.guard.row_parts import row_parts
from ledgergate.guard.suite import Suite, Test
from ledgergate.guard.swallowed import Place, kept_by_decorator
from ledgergate.guard.tables import rows_of
from ledgergate.source.syntax import Function

_MOST_ROWS = 64
_DEEPEST = 6
_SETTING_UP = ("setUp", "setup_method", "asyncSetUp")


def read_test(suite: Suite, test: Test, imported: Imported) -> Reading:
    """What a test asks and does. Raises `Bounded` where it is too much to read."""
    found = Reading()
    reader = Reader(found, imported)
    methods = suite.methods(test.classes)
    environment = _around(suite, test, methods)
    marks = [*test.node.decorator_list, *(mark for one in test.classes for mark in one.decorator_list)]
    rows = rows_of(suite, marks, _MOST_ROWS) or [{}]
    for row in rows:
        found.starts.append(len(found.facts))
        given = {**row, **row_parts(suite, test.node, row)}
        written = {name: suite.writer.term(node, suite.environment) for name, node in given.items()}
        nodes = {**suite.assigned, **_defaults(test.node), **given}
        context = Context({**environment, **written}, nodes, suite, suite, methods, {})
        for mark in marks:
            if isinstance(mark, ast.Call):
                reader.patch(mark, context)
        for node in _before_it(suite, test, methods):
            for call in (one for statement in node.body for one in calls_in(statement)):
                reader.patch(call, context)
            _notice(reader, node, suite, context)
        lost = kept_by_decorator(marks, Place(context, imported))
        reader.function(test.node, context._replace(lost=lost))
    if len(rows) > 1:
        # What one row does not ask another one may.
        found.lost = {key: why for key, why in found.lost.items() if why[0] != NEVER}
    return found


def _notice(reader: Reader, node: Function, suite: Suite, context: Context) -> None:
    """What a set-up or a fixture does to objects before it gives them."""
    is_fixture = node.name in suite.fixtures
    environment = _begun(suite, node) if is_fixture else dict(suite.environment)
    inner = context._replace(environment=environment)
    for statement in node.body:
        if isinstance(getattr(statement, "value", None), ast.Yield):
            return
        reader.notice(statement, inner)
        name = _only_target(statement)
        if name and isinstance(statement, ast.Assign):
            environment[name] = suite.writer.term(statement.value, environment)


def _defaults(node: Function) -> Mapping[str, ast.expr]:
    """What a test's arguments stand for that no fixture gives."""
    named = node.args.args[len(node.args.args) - len(node.args.defaults) :]
    return {one.arg: value for one, value in zip(named, node.args.defaults, strict=True)}


def _before_it(suite: Suite, test: Test, methods: Mapping[str, Function]) -> Iterator[Function]:
    """What the file runs before a test: its set-ups, and the fixtures that it asks for or gets unasked."""
    yield from (methods[name] for name in _SETTING_UP if name in methods)
    asked = {one.arg for one in (*test.node.args.args, *test.node.args.kwonlyargs)}
    for name, node in suite.fixtures.items():
        if name in asked or any("autouse" in ast.unparse(one) for one in node.decorator_list):
            yield node


def read_helper(suite: Suite, function: Function, imported: Imported, methods: Mapping[str, Function]) -> Reading:
    """What a function asks that tests may call, of whatever it is given."""
    found = Reading()
    context = Context(dict(suite.environment), dict(suite.assigned), suite, suite, methods, {})
    Reader(found, imported).function(function, context)
    return found


def _around(suite: Suite, test: Test, methods: Mapping[str, Function]) -> dict[str, str]:
    """What the test's names stand for when it begins: constants, fixtures of the file, and what is set up before."""
    found = dict(suite.environment)
    for one in suite.lineage(test.classes):
        for node in one.body:
            name = _only_target(node)
            if isinstance(node, ast.Assign) and name:
                found.setdefault(f"self.{name}", suite.writer.term(node.value, suite.environment))
    for method in _SETTING_UP:
        for node in methods[method].body if method in methods else ():
            name = _only_target(node)
            if isinstance(node, ast.Assign) and name:
                found[name] = suite.writer.term(node.value, found)
    found.update(_patched_around(suite, test, methods))
    for argument in (*test.node.args.args, *test.node.args.kwonlyargs):
        given = _given(suite, argument.arg, 0)
        if given is not None:
            found[argument.arg] = given
    return found


def _patched_around(suite: Suite, test: Test, methods: Mapping[str, Function]) -> Iterator[tuple[str, str]]:
    """The fakes that decorators give a test, and that fixtures of its class put into `self` around it."""

    def write(node: ast.expr) -> str:
        return suite.writer.term(node, suite.environment)

    marks = [*reversed(test.node.decorator_list), *(mark for one in test.classes for mark in one.decorator_list)]
    given = [term for mark in marks if (term := fake_by(mark, write))]
    names = [one.arg for one in test.node.args.args if one.arg not in ("self", "cls")]
    yield from zip(names, given, strict=False)
    for fixture in methods.values() if test.classes and suite.mentions("autouse") else ():
        for node in fixture.body if is_autouse(fixture) else ():
            for item in node.items if isinstance(node, ast.With) else ():
                name = variable(item.optional_vars) if item.optional_vars is not None else ""
                if name.startswith("self.") and (term := fake_by(item.context_expr, write)):
                    yield name, term


def _only_target(node: ast.stmt) -> str:
    """What an assignment binds, if that is one name, or one attribute of a name."""
    return variable(node.targets[0]) if isinstance(node, ast.Assign) and len(node.targets) == 1 else ""


def _given(suite: Suite, name: str, depth: int) -> str | None:
    """What a fixture of the file gives, where it is one expression."""
    node = suite.fixtures.get(name)
    if node is None or depth > _DEEPEST:
        return None
    environment = _begun(suite, node, depth)
    for statement in node.body:
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            environment[statement.targets[0].id] = suite.writer.term(statement.value, environment)
        value = getattr(statement, "value", None)
        if isinstance(statement, ast.Expr) and isinstance(value, ast.Yield):
            value = value.value
        elif not isinstance(statement, ast.Return):
            continue
        return None if value is None else suite.writer.term(value, environment)
    return None


def _begun(suite: Suite, node: Function, depth: int = 0) -> dict[str, str]:
    """What the names of a fixture stand for when it begins."""
    environment = dict(suite.environment)
    for argument in node.args.args:
        inner = _given(suite, argument.arg, depth + 1) if argument.arg != node.name else None
        if inner is not None:
            environment[argument.arg] = inner
    return environment
