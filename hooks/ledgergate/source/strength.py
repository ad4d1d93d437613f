"""Whether a test holds a check that can fail, as far as its text tells."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from enum import Enum
from functools import lru_cache

from ledgergate.source.asserted import Asks, asks, asks_equal, asks_not
from ledgergate.source.believed import EXPECTING, FAILING, is_believed, root_of
from ledgergate.source.cover import Target, find_target
from ledgergate.source.marks import is_skipped
from ledgergate.source.outline import Outline, outline_of
from ledgergate.source.syntax import Function, dotted_name, last_name, stored_names, walk
from ledgergate.source.text import Unreadable


class Strength(Enum):
    """What the checks of a test are worth.

    `WEAK`: they only ask that there is something (not None, true). `NONE`: there is no check, or none that could ever
    fail. `SKIPPED`: a mark keeps the test from running, or from passing. `UNKNOWN`: the test cannot be read or found.
    """

    CAN_FAIL = "can fail"
    WEAK = "weak"
    NONE = "none"
    SKIPPED = "skipped"
    UNKNOWN = "unknown"


_STRENGTHS = {Asks.MORE: Strength.CAN_FAIL, Asks.SOMETHING: Strength.WEAK, Asks.NOTHING: Strength.NONE}
_CAUGHT = frozenset({"AssertionError", "Exception", "BaseException"})
_LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue)


def check_strength(source: bytes, names: Sequence[str]) -> Strength:
    """What the checks of the test function at the end of `names` are worth; `source` is its file."""
    outline, target = _found(source, names)
    if outline is None or target is None:
        return Strength.UNKNOWN
    return Strength.SKIPPED if is_skipped(outline.source.tree, target) else _checked(outline, target)


def strength_without_marks(source: bytes, names: Sequence[str]) -> Strength:
    """The same, were the test not skipped."""
    outline, target = _found(source, names)
    return Strength.UNKNOWN if outline is None or target is None else _checked(outline, target)


def believed_imports(outline: Outline, target: Target, imported: frozenset[str]) -> tuple[Asks, frozenset[str]]:
    """What a test asks where no imported function is believed, and which of them it calls that would be.

    `imported` are names that imports bind; of what is called through one (`common.assert_equal`) the whole is given.
    """
    checks = _new_reader(outline, target.classes, imported)
    return checks.of_function(target.node), frozenset(checks.unbelieved)


def _found(source: bytes, names: Sequence[str]) -> tuple[Outline | None, Target | None]:
    outline = outline_of(source)
    if isinstance(outline, Unreadable):
        return None, None
    target = find_target(outline, names)
    return outline, None if isinstance(target, Unreadable) else target


def _checked(outline: Outline, target: Target) -> Strength:
    return _STRENGTHS[_reader(outline, target.classes).of_function(target.node)]


@lru_cache(maxsize=64)
def _reader(outline: Outline, classes: tuple[ast.ClassDef, ...]) -> _Checks:
    return _new_reader(outline, classes, frozenset())


def _new_reader(outline: Outline, classes: tuple[ast.ClassDef, ...], doubted: frozenset[str]) -> _Checks:
    methods: dict[str, list[Function]] = {}
    for node in classes:
        for name, functions in _functions(outline, node).items():
            methods.setdefault(name, []).extend(functions)
    return _Checks(outline, _functions(outline, outline.source.tree), methods, doubted)


@lru_cache(maxsize=64)
def _functions(outline: Outline, scope: ast.Module | ast.ClassDef | Function) -> Mapping[str, list[Function]]:
    return {
        name: [node for node in nodes if isinstance(node, Function)]
        for name, nodes in outline.defined_in(scope).items()
        if isinstance(nodes[0], Function)
    }


class _Checks:
    """Follows a test through its statements, and into the helpers of its file."""

    def __init__(
        self,
        outline: Outline,
        functions: Mapping[str, list[Function]],
        methods: Mapping[str, list[Function]],
        doubted: frozenset[str],
    ) -> None:
        self._outline = outline
        self._functions = functions
        self._methods = methods
        self._known: dict[int, Asks] = {}
        # Functions that are not believed by their name, and those of them that were called.
        self._doubted = doubted
        self.unbelieved: set[str] = set()
        # Functions within functions that something else may call: passed on, or registered by a decorator.
        self._handed_on: frozenset[str] = frozenset()
        # The functions that are being read, the innermost last.
        self._within: list[Function] = []

    def of_function(self, node: Function) -> Asks:
        if id(node) not in self._known:
            self._known[id(node)] = Asks.NOTHING
            decorated = any(last_name(decorator) == "raises" for decorator in node.decorator_list)
            self._within.append(node)
            self._known[id(node)] = Asks.MORE if decorated else self._inside(node).of_block(node.body)
            self._within.pop()
        return self._known[id(node)]

    def _inside(self, node: Function) -> _Checks:
        """The same, knowing the functions within a function."""
        nested = _functions(self._outline, node)
        if not nested:
            return self
        inside = _Checks(self._outline, {**self._functions, **nested}, self._methods, self._doubted)
        inside._known, inside.unbelieved, inside._within = self._known, self.unbelieved, self._within
        inside._handed_on = self._handed_on | _read_names(node)
        return inside

    def of_block(self, body: Sequence[ast.stmt]) -> Asks:
        most = Asks.NOTHING
        for statement in body:
            most = max(most, self._of_statement(statement))
            if most is Asks.MORE or isinstance(statement, _LEAVING):
                break
        return most

    def _of_statement(self, node: ast.stmt) -> Asks:
        if isinstance(node, ast.Assert):
            asked = asks(node.test)
            return asked if asked is Asks.MORE else max(asked, self._of_calls(node.test, in_assert=True))
        if isinstance(node, ast.Raise):
            return Asks.MORE if node.exc is not None and last_name(node.exc) in FAILING else Asks.NOTHING
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            is_called = bool(node.decorator_list) or node.name in self._handed_on
            return self.of_function(node) if is_called else Asks.NOTHING
        if isinstance(node, ast.ClassDef):
            return Asks.NOTHING
        return self._of_compound(node)

    def _of_compound(self, node: ast.stmt) -> Asks:
        if isinstance(node, (ast.Try, ast.TryStar)):
            return self._of_try(node)
        if isinstance(node, (ast.With, ast.AsyncWith)):
            return self._of_with(node)
        if isinstance(node, (ast.If, ast.While)):
            branches = [node.body] if _is_never(node.test) is False else [node.orelse]
            if _is_never(node.test) is None:
                branches = [node.body, node.orelse]
            return max(self._of_calls(node.test), *map(self.of_block, branches))
        if isinstance(node, (ast.For, ast.AsyncFor)):
            body = [] if isinstance(node.iter, (ast.List, ast.Tuple)) and not node.iter.elts else node.body
            return max(self._of_calls(node.iter), self.of_block(body), self.of_block(node.orelse))
        if isinstance(node, ast.Match):
            return max((self.of_block(case.body) for case in node.cases), default=Asks.NOTHING)
        return self._of_calls(node)

    def _of_try(self, node: ast.Try | ast.TryStar) -> Asks:
        inner = max([self.of_block(handler.body) for handler in node.handlers], default=Asks.NOTHING)
        outer = max(inner, self.of_block(node.orelse), self.of_block(node.finalbody))
        if any(isinstance(statement, ast.Return) for statement in node.finalbody):
            return Asks.NOTHING
        if any(_swallows(handler) for handler in node.handlers):
            return outer
        return max(outer, self.of_block(node.body))

    def _of_with(self, node: ast.With | ast.AsyncWith) -> Asks:
        contexts = [item.context_expr for item in node.items]
        entered = max(self._of_calls(context) for context in contexts)
        if any(_suppresses(context) for context in contexts):
            return entered
        return max(entered, self.of_block(node.body))

    def _of_calls(self, node: ast.AST, *, in_assert: bool = False) -> Asks:
        return max((self._of_call(call, in_assert=in_assert) for call in _calls(node)), default=Asks.NOTHING)

    def _of_call(self, call: ast.Call, *, in_assert: bool) -> Asks:
        function = call.func
        name = last_name(function)
        own = isinstance(function, ast.Attribute) and root_of(function) in ("self", "cls")
        if isinstance(function, ast.Attribute):
            followed = self._methods if own else self._methods_of(function.value)
        else:
            followed = self._functions if isinstance(function, ast.Name) else {}
        if name in followed:
            return max(self.of_function(node) for node in followed[name])
        if name in EXPECTING:
            return Asks.MORE
        if own and name.startswith("assert"):
            return _unittest(name, call.args)
        if in_assert:
            # What an assert calls is asked for by the assert.
            return Asks.NOTHING
        if not is_believed(function, name):
            return Asks.NOTHING
        dotted = dotted_name(function)
        if dotted.partition(".")[0] in self._doubted:
            self.unbelieved.add(dotted)
            return Asks.NOTHING
        return Asks.MORE

    def _methods_of(self, value: ast.expr) -> Mapping[str, list[Function]]:
        """The methods of an object that a fixture of the file makes from a class of the file; else none.

        It has to be what the function that is being read is given, and nothing else under that name.
        """
        if not isinstance(value, ast.Name) or not self._within:
            return {}
        reader, makers = self._within[-1], self._functions.get(value.id, [])
        given = {one.arg for one in (*reader.args.args, *reader.args.kwonlyargs)} - set(stored_names(reader))
        if value.id not in given or len(makers) != 1 or not _is_fixture(makers[0]):
            return {}
        made = {_made(node.value) for node in walk(makers[0]) if isinstance(node, (ast.Return, ast.Yield))}
        classes = self._outline.defined_in(self._outline.source.tree).get(next(iter(made), ""), ())
        if len(made) != 1 or len(classes) != 1 or not isinstance(classes[0], ast.ClassDef):
            return {}
        return _functions(self._outline, classes[0])


def _is_fixture(node: Function) -> bool:
    return any("fixture" in last_name(decorator) for decorator in node.decorator_list)


def _made(value: ast.expr | None) -> str:
    """The name that is called to make a value; empty for anything else."""
    return value.func.id if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) else ""


def _unittest(name: str, arguments: Sequence[ast.expr]) -> Asks:
    if name in ("assertTrue", "assert_") and arguments:
        return asks(arguments[0])
    if name == "assertFalse" and arguments:
        return asks_not(arguments[0])
    if name == "assertIsNotNone":
        return Asks.SOMETHING
    if name in ("assertEqual", "assertEquals", "assertIs") and len(arguments) > 1:
        return asks_equal(arguments[0], arguments[1])
    return Asks.MORE


def _calls(node: ast.AST) -> list[ast.Call]:
    """The calls that a statement makes itself, not those of a lambda in it."""
    return [one for one in walk(node, around=ast.Lambda) if isinstance(one, ast.Call)]


def _read_names(node: Function) -> frozenset[str]:
    return frozenset(
        child.id for child in walk(node) if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Load)
    )


def _is_never(test: ast.expr) -> bool | None:
    """True where a condition never holds, False where it always does, None where the text does not tell."""
    if isinstance(test, ast.Constant):
        return not test.value
    return True if last_name(test) == "TYPE_CHECKING" else None


def _swallows(handler: ast.ExceptHandler) -> bool:
    """Whether a handler catches what a failed check raises, and does not raise again."""
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type] if handler.type else []
    catches = handler.type is None or any(last_name(kind) in _CAUGHT for kind in kinds)
    return catches and not any(isinstance(node, ast.Raise) for node in walk(handler))


def _suppresses(context: ast.expr) -> bool:
    if not isinstance(context, ast.Call) or last_name(context) != "suppress":
        return False
    return any(last_name(kind) in _CAUGHT for kind in context.args)
