"""Context managers and decorators that let a failed check pass."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ledgergate.guard.caught import Keeps, Resolve, catches, kept_by, resolver
from ledgergate.guard.context import Context, Imported
from ledgergate.guard.parts import root
from ledgergate.guard.reading import Doubt
from ledgergate.guard.suite import Definition, Origin, Suite
from ledgergate.source.syntax import Function, last_name, walk

_DEEPEST = 6
_EXITS = ("__exit__", "__aexit__")
_CATCHING = ("AssertionError", "Exception", "failureException")


class Place(NamedTuple):
    """Where an expression is to be understood."""

    context: Context
    imported: Imported

    def resolve(self, node: ast.expr) -> ast.expr:
        """What a name stands for: by an assignment, or as a fixture."""
        if isinstance(node, ast.Name):
            known = self.context.nodes.get(node.id) or self.context.suite.assigned.get(node.id)
            return known if known is not None else node
        if isinstance(node, ast.Attribute) and root(node) in ("self", "cls"):
            return self.context.suite.values_set.get(node.attr, node)
        return node

    def definition(self, name: str) -> tuple[Suite, Definition] | None:
        """The function or class of a name, in the test, its file, or what that imports from other tests."""
        context, suite = self.context, self.context.suite
        found: Definition | None = context.local.get(name) or suite.functions.get(name) or suite.fixtures.get(name)
        found = found or context.methods.get(name) or suite.classes.get(name) or _class_inside(suite, name)
        if found is not None:
            return suite, found
        origin = suite.origins.get(name)
        return self.imported(suite, origin) if origin is not None else self._fixture_elsewhere(name)

    def _fixture_elsewhere(self, name: str) -> tuple[Suite, Definition] | None:
        """A fixture of a conftest beside the file, or in a folder above."""
        suite = self.context.of
        for level in range(1, suite.path.count("/") + 1):
            found = self.imported(suite, Origin("conftest", level, name))
            if found is not None:
                return found
        return None

    def inside(self, suite: Suite) -> Place:
        """The same, at the top of a file."""
        context = self.context
        if suite is context.suite:
            return self
        return Place(context._replace(suite=suite, nodes=dict(suite.assigned), local={}, methods={}), self.imported)


def keeps(entered: ast.expr, place: Place, depth: int = 0) -> Keeps:
    """Whether what a `with` enters keeps the failure of a check inside it: `suppress`, or something of the tests."""
    node = place.resolve(entered)
    if depth > _DEEPEST:
        return Keeps.MAYBE
    if isinstance(node, ast.IfExp):
        return max(keeps(one, place, depth + 1) for one in (node.body, node.orelse))
    if isinstance(node, ast.Name):
        return _given(node.id, place, depth)
    if not isinstance(node, ast.Call):
        return Keeps.NO
    function = place.resolve(node.func)
    if isinstance(function, ast.Lambda):
        return keeps(function.body, place, depth + 1)
    if isinstance(function, ast.Call) and last_name(function.func) == "partial" and function.args:
        whole = ast.Call(func=function.args[0], args=[*function.args[1:], *node.args], keywords=[])
        return keeps(whole, place, depth + 1)
    name = original_name(function, place.context.suite)
    if name == "suppress":
        # What the tested code raises is dropped as well, and no check behind it is made.
        return Keeps.YES if catches(node.args, place.resolve) else Keeps.MAYBE
    found = place.definition(name) if isinstance(function, ast.Name) or root(function) in ("self", "cls") else None
    return Keeps.NO if found is None else _of_definition(found[1], place.inside(found[0]), depth)


def _given(name: str, place: Place, depth: int) -> Keeps:
    """A name that nothing assigns: what a fixture gives, or an imported one stands for."""
    found = place.definition(name)
    if found is None:
        return Keeps.NO
    inner = place.inside(found[0])
    if isinstance(found[1], ast.expr):
        return keeps(found[1], inner, depth + 1)
    return _of_definition(found[1], inner, depth) if isinstance(found[1], Function) else Keeps.NO


def _of_definition(node: Definition, place: Place, depth: int) -> Keeps:
    if isinstance(node, ast.ClassDef):
        return class_keeps(node, place)
    if isinstance(node, ast.expr):
        called = node.body if isinstance(node, ast.Lambda) else ast.Call(func=node, args=[], keywords=[])
        return keeps(called, place, depth + 1)
    if any("contextmanager" in last_name(one) for one in node.decorator_list):
        return runner_keeps(node, place, depth=depth + 1)
    returned = [_called(one, node) for one in _given_back(node)]
    return max((keeps(one, place, depth + 1) for one in returned if one is not None), default=Keeps.NO)


def _given_back(node: Function) -> Iterator[ast.expr]:
    for one in walk(node):
        if isinstance(one, (ast.Return, ast.Yield)) and one.value is not None:
            yield one.value


def _called(value: ast.expr, around: Function) -> ast.expr | None:
    """What comes of a value, or of calling it where it is a function."""
    if isinstance(value, ast.Lambda):
        return value.body
    inner = [one for one in around.body if isinstance(one, Function) and one.name == getattr(value, "id", "")]
    if inner:
        return next(_given_back(inner[0]), None)
    return value


def callback_keeps(node: ast.expr, place: Place) -> bool:
    """Whether what `ExitStack.push` is given drops whatever is raised."""
    found = place.resolve(node)
    if isinstance(found, ast.Lambda):
        return isinstance(found.body, ast.Constant) and bool(found.body.value)
    function = place.definition(found.id) if isinstance(found, ast.Name) else None
    is_function = function is not None and isinstance(function[1], Function)
    return is_function and _exit_keeps(function[1]) is not Keeps.NO  # type: ignore[index, arg-type]


def class_keeps(node: ast.ClassDef, place: Place) -> Keeps:
    """Whether objects of a class keep what is raised in a `with` of them."""
    lineage = place.context.suite.lineage((node,)) or [node]
    for one in lineage:
        for part in one.body:
            names = [part.name] if isinstance(part, Function) else [last_name(t) for t in getattr(part, "targets", ())]
            if any(name in _EXITS for name in names):
                return _exit_keeps(part)
        if any(original_name(base, place.context.suite) == "suppress" for base in one.bases):
            return Keeps.YES
    return Keeps.NO


def _exit_keeps(node: ast.stmt) -> Keeps:
    """Whether an `__exit__` drops what was raised."""
    if isinstance(node, ast.Assign):
        returned: list[ast.expr | None] = [node.value.body] if isinstance(node.value, ast.Lambda) else []
    else:
        returned = [one.value for one in walk(node) if isinstance(one, ast.Return)]
    said = [one for one in returned if one is not None and not _is_no(one)]
    if not said:
        return Keeps.NO
    is_plain = all(isinstance(one, ast.Constant) for one in said) and len(said) == len(returned)
    named = {one.id for one in walk(node) if isinstance(one, ast.Name)}
    return Keeps.YES if is_plain or not named.isdisjoint(_CATCHING) else Keeps.MAYBE


def _is_no(value: ast.expr) -> bool:
    if isinstance(value, ast.Constant):
        return not value.value
    return isinstance(value, ast.Call) and last_name(value) in _EXITS


def runner_keeps(node: Function, place: Place, resolve: Resolve | None = None, depth: int = 0) -> Keeps:
    """Whether a function keeps what is raised by what it calls, or yields to."""
    found = [Keeps.NO]
    resolve = resolve or place.resolve
    for one in walk(node):
        if isinstance(one, (ast.Try, ast.TryStar)) and _runs_something(one.body):
            found += [kept_by(handler, resolve) for handler in one.handlers]
            found += [Keeps.YES for part in one.finalbody if isinstance(part, (ast.Return, ast.Break, ast.Continue))]
        elif isinstance(one, (ast.With, ast.AsyncWith)) and _runs_something(one.body):
            found += [keeps(item.context_expr, place, depth + 1) for item in one.items]
    return max(found)


def _runs_something(body: Sequence[ast.stmt]) -> bool:
    return any(isinstance(one, (ast.Yield, ast.Call)) for statement in body for one in walk(statement))


def kept_by_decorator(marks: Sequence[ast.expr], place: Place) -> str:
    """Why nothing that a test or helper asks counts, where one of its decorators is the reason; else empty."""
    for mark in marks:
        function = mark.func if isinstance(mark, ast.Call) else mark
        name = last_name(function)
        found = place.definition(name) if isinstance(function, ast.Name) else None
        if found is None:
            continue
        node, inner = found[1], place.inside(found[0])
        if isinstance(node, ast.ClassDef):
            kept = class_keeps(node, inner)
        elif isinstance(node, Function):
            if not _hands_on(node):
                return f"`{name}` does not run it"
            kept = max(
                (runner_keeps(one, inner, _with_arguments(node, mark, inner)) for one in _runners(node)),
                default=Keeps.NO,
            )
        else:
            continue
        if kept:
            return (
                f"what it raises is caught by `{name}`"
                if kept is Keeps.YES
                else Doubt(f"`{name}` may catch what it raises")
            )
    return ""


def _runners(node: Function) -> list[Function]:
    if any("contextmanager" in last_name(one) for one in node.decorator_list):
        return [node]
    return [one for one in walk(node) if isinstance(one, Function) and one is not node]


def _with_arguments(node: Function, mark: ast.expr, place: Place) -> Resolve:
    """What names stand for in a decorator that is given arguments."""
    if not isinstance(mark, ast.Call):
        return place.resolve
    parameters = [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
    known: dict[str, ast.expr] = dict(zip(parameters, mark.args, strict=False))
    known.update((one.arg, one.value) for one in mark.keywords if one.arg)
    if node.args.vararg is not None:
        known[node.args.vararg.arg] = ast.Tuple(elts=mark.args[len(parameters) :], ctx=ast.Load())
    named = resolver(known)
    return lambda one: place.resolve(named(one))


def _hands_on(node: Function) -> bool:
    """Whether a decorator does anything with the function that it is given."""
    if any("contextmanager" in last_name(one) for one in node.decorator_list):
        return True
    functions = [one for one in walk(node) if isinstance(one, Function)]
    parameters = {arg.arg for one in functions for arg in _parameters(one.args)}
    wrapping = {id(part) for one in functions for mark in one.decorator_list for part in walk(mark)}
    used = (one.id for one in walk(node) if isinstance(one, ast.Name) and id(one) not in wrapping)
    return not parameters or any(name in parameters for name in used)


def _parameters(arguments: ast.arguments) -> list[ast.arg]:
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]


def original_name(function: ast.expr, suite: Suite) -> str:
    """The name of what is called, as it is called where it comes from."""
    if isinstance(function, ast.Call) and last_name(function.func) == "getattr" and len(function.args) > 1:
        return str(getattr(function.args[1], "value", ""))
    name = last_name(function)
    origin = suite.origins.get(name)
    return origin.name if origin is not None else name


def _class_inside(suite: Suite, name: str) -> ast.ClassDef | None:
    """A class that a function defines."""
    if not name[:1].isupper() and not suite.mentions(f"class {name}"):
        return None
    return suite.classes_anywhere.get(name)
