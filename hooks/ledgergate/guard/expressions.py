"""Reads the expressions of a test: what is asked of which value, what is called, and what names stand for."""

from __future__ import annotations

import ast
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence

from ledgergate.guard.caught import Keeps, catches
from ledgergate.guard.context import Context, Given, Imported
from ledgergate.guard.facts import Claim, Fact, Strength, called_claim, unittest_claims
from ledgergate.guard.known import truth_of
from ledgergate.guard.looped import is_filled, looped_over
from ledgergate.guard.parts import (
    SKIPPING,
    Comprehension,
    calls_in,
    elements,
    patched_by,
    root,
    variable,
    yields,
)
from ledgergate.guard.reading import Doubt, Patch, Reading, Skip
from ledgergate.guard.suite import Suite
from ledgergate.guard.swallowed import Place, callback_keeps, keeps, kept_by_decorator
from ledgergate.guard.terms import is_literal
from ledgergate.source.believed import is_check
from ledgergate.source.syntax import Function, last_name, walk

_DEEPEST = 6
_MARKING = ("add_marker", "applymarker")
RAISING = frozenset({"raises", "assertRaises", "assertRaisesRegex", "RaisesGroup"})
WARNING = frozenset({"warns", "deprecated_call", "assertWarns", "assertWarnsRegex", "assertLogs", "assertNoLogs"})
SUPPRESSED = "what it raises is suppressed"
EXPECTED = "what it raises is expected"
EMPTY = "its loop runs over nothing"
UNSEEN = Doubt("nobody may see what it raises there")
# What runs a function where its failure does not fail the test.
DETACHED = frozenset(
    {
        *("Thread", "Timer", "Process", "submit", "create_task", "ensure_future", "call_soon", "call_later", "wait"),
        *("run_in_executor", "apply_async", "start_new_thread", "finalize", "run_coroutine_threadsafe"),
    }
)
_FAKES = frozenset({"Mock", "MagicMock", "AsyncMock", "NonCallableMock", "NonCallableMagicMock", "create_autospec"})
_LITERAL = re.compile("«[^»]*»")
_MARKS = {ord("«"): None, ord("»"): None}


class ExpressionReader(ABC):
    """What is found goes into a `Reading`, and comes from a file or from one that it imports."""

    def __init__(self, found: Reading, imported: Imported) -> None:
        self._found = found
        self._imported = imported
        self._steps = 0
        self._active: list[int] = []
        # Functions that a helper was given, which alone says whether they run.
        self._handed: set[int] = set()

    @abstractmethod
    def function(self, node: Function, context: Context) -> None:
        """Read the body of a function."""

    def _ask(self, asked: Iterator[Claim], line: int, context: Context) -> None:
        for kind, strength, subject, expected in asked:
            if context.lost:
                self._found.lost[f"{kind} {subject} {expected}"] = (context.lost, line)
                continue
            text = context.suite.line(line) or ""
            is_elsewhere = context.suite is not context.of
            fact = Fact(kind, strength, subject, expected, line, context.guards, text, is_elsewhere)
            self._found.facts.append(fact)
            if not context.is_looped:
                self._found.surely.add(fact.key)

    def _compared(self, node: ast.expr, context: Context) -> ast.expr:
        """What a name stands for where that is a comparison: `ok = x == 3; assert ok` asks for x."""
        found = self._resolved(node, context)
        return found if isinstance(found, (ast.Compare, ast.BoolOp, ast.UnaryOp)) else node

    def _resolving(self, context: Context) -> Callable[[ast.expr], ast.expr]:
        return lambda node: self._resolved(node, context)

    def _writing(self, context: Context) -> Callable[[ast.expr], str]:
        return lambda node: context.suite.writer.term(node, context.environment)

    def _condition(self, node: ast.expr, context: Context) -> str:
        """A condition with all names replaced, so that it tells what it is about."""
        return context.suite.writer.term(node, {**context.suite.full_environment, **context.environment})

    def _truth(self, node: ast.expr, context: Context) -> bool | None:
        """Whether a condition holds, as far as the text tells."""

        def look(name: str) -> ast.expr | str | None:
            term = context.environment.get(name)
            if term is not None and is_literal(term):
                return term.translate(_MARKS)
            return context.nodes.get(name) if term is None or name in context.nodes else None

        return truth_of(node, look)

    def _enters(self, call: ast.Call, context: Context) -> bool:
        """Whether a stack of contexts takes in something that keeps what is raised from here on."""
        place, name = Place(context, self._imported), last_name(call.func)
        if not call.args:
            return False
        if name in ("enter_context", "enter_async_context", "enterContext"):
            return keeps(call.args[0], place) is not Keeps.NO
        return name == "push" and callback_keeps(call.args[0], place)

    def _expression(self, node: ast.expr, context: Context) -> str:
        is_awaited = False
        while isinstance(node, (ast.Await, ast.YieldFrom, ast.Yield)) and node.value is not None:
            node, is_awaited = node.value, True
        self._bind_walrus(node, context)
        if isinstance(node, ast.BoolOp):
            return self._short_circuit(node, context)
        if isinstance(node, ast.IfExp):
            condition = self._condition(node.test, context)
            self._calls(node.test, context)
            self._expression(node.body, context._replace(guards=(*context.guards, condition)))
            self._expression(node.orelse, context._replace(guards=(*context.guards, f"[! {condition}]")))
            return ""
        if isinstance(node, ast.Call):
            name = self._called_name(node, context)
            if self._enters(node, context):
                return SUPPRESSED
            if (name == "assume" and node.args) or (name == "reject" and _is_of(node, context.suite, "hypothesis")):
                return self._assume(node, context)
            self._emptied(node, context)
            if name in SKIPPING and name != "importorskip":
                self._skip(node, context, name)
                return "yes"
            if name == "fail" or (name == "exit" and getattr(node.func, "value", None) is not None):
                self._failing(node, context)
                return "yes" if name == "fail" else ""
            context = context._replace(lost=context.lost or self._unseen(node, context, is_awaited=is_awaited))
        known = self._count
        self._calls(node, _as_run(node, context))
        if known == self._count and not isinstance(node, ast.Constant):
            self._found.acts.setdefault(context.suite.writer.term(node, context.environment), node.lineno)
        return ""

    def _unseen(self, call: ast.Call, context: Context, *, is_awaited: bool) -> str:
        """Why nobody sees what a call as a statement raises, if that is so."""
        name = last_name(call.func)
        if isinstance(call.func, ast.Attribute) and name == "close" and isinstance(call.func.value, ast.Call):
            call = call.func.value
        found = self._function_of(call, context)
        if found is not None and not is_awaited:
            if isinstance(found[1], ast.AsyncFunctionDef):
                return "nothing awaits it"
            if yields(found[1]):
                return "nothing runs it: it is a generator"
        if name == "gather" and any(one.arg == "return_exceptions" for one in call.keywords):
            return "what it raises is given back, and nobody looks at it"
        return UNSEEN if name in DETACHED and (not is_awaited or name == "wait") else ""

    def _short_circuit(self, node: ast.BoolOp, context: Context) -> str:
        """`a and f()` and `a or f()` as statements: what comes last stands behind the others."""
        guards = []
        for one in node.values[:-1]:
            self._calls(one, context)
            condition = self._condition(one, context)
            guards.append(condition if isinstance(node.op, ast.And) else f"[! {condition}]")
        self._expression(node.values[-1], context._replace(guards=(*context.guards, *guards)))
        return ""

    def _assume(self, call: ast.Call, context: Context) -> str:
        """What follows is only tried where this holds; behind `reject()` nothing is."""
        if not call.args:
            self._found.assumed.setdefault(f"[! {' && '.join(context.guards)}]", call.lineno)
            return "yes"
        condition = self._condition(call.args[0], context)
        self._found.assumed.setdefault(condition, call.lineno)
        return "yes" if self._truth(call.args[0], context) is False else condition

    def _emptied(self, call: ast.Call, context: Context) -> None:
        """`CASES.clear()`: there is nothing in it from here on."""
        owner = getattr(call.func, "value", None)
        if last_name(call.func) == "clear" and isinstance(owner, ast.Name) and owner.id in context.nodes:
            context.nodes[owner.id] = ast.List(elts=[], ctx=ast.Load())

    def _failing(self, node: ast.AST, context: Context) -> None:
        """A failure that is raised by hand: what keeps it from being reached has to hold."""
        if context.guards and not context.lost:
            strength = _refusing(context.guards[-1])
            self._ask(iter([("fails", strength, context.guards[-1], "")]), node.lineno, context)  # type: ignore[attr-defined]

    def _skip(self, call: ast.Call, context: Context, name: str = "") -> None:
        arguments = context.suite.writer.term(call, context.environment)
        self._found.skips.append(Skip(name or last_name(call.func), context.guards, arguments, call.lineno))

    def _called_name(self, call: ast.Call, context: Context) -> str:
        """What is called, by the name that pytest gives it: `from pytest import skip as s`, `s = pytest.skip`."""
        if not isinstance(call.func, ast.Name):
            return last_name(call.func)
        known = self._resolved(call.func, context)
        if isinstance(known, ast.Attribute) and root(known) == "pytest":
            return known.attr
        origin = context.suite.origins.get(call.func.id)
        return origin.name if origin is not None and origin.module in ("pytest", "unittest") else call.func.id

    def _or_else(self, node: ast.Assert, context: Context) -> None:
        """`assert x, pytest.skip()` and `assert x or pytest.skip()`: what is done where the check does not hold."""
        guarded = context._replace(guards=(*context.guards, f"[! {self._condition(node.test, context)}]"))
        parts = [node.msg] if node.msg is not None else []
        if isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.Or):
            parts += node.test.values[1:]
        for call in (one for part in parts for one in calls_in(part)):
            if last_name(call.func) in SKIPPING and _is_of_framework(call, context.suite):
                self._skip(call, guarded)

    def _calls(self, node: ast.AST, context: Context, *, in_assert: bool = False) -> None:
        """Read the calls in an expression: those that check, and helpers of the file that do."""
        comprehensions: list[Comprehension] = []
        calls = list(calls_in(node, comprehensions))
        within = self._comprehended(comprehensions, context) if comprehensions else {}
        outer = context
        for call in calls:
            name, context = last_name(call.func), within.get(id(call), outer)
            if name in RAISING | WARNING and len(call.args) > 1:
                self._raises(call, [call], context)
            elif (
                name == "importorskip"
                or (name in _MARKING and _marks_skip(next(iter(call.args), call)))
                or _is_hidden_skip(call)
            ):
                self._skip(call, context)
            elif name in ("patch", "object", "setattr", "dict", "setitem", "multiple"):
                self.patch(call, context)
            elif not self._helper(call, context) and not in_assert:
                self._checking(call, context)

    def _comprehended(self, comprehensions: Sequence[Comprehension], context: Context) -> dict[int, Context]:
        """Where the calls of comprehensions stand that may run over nothing."""
        resolve = self._resolving(context)
        found: dict[int, Context] = {}
        for one in comprehensions:
            is_empty = looped_over(one, context.suite, resolve) == []
            if is_empty or not is_filled(one, context.suite, resolve):
                first = {id(part) for part in walk(one.generators[0].iter)}
                for part in walk(one):
                    if isinstance(part, ast.Call) and id(part) not in first:
                        at = found.get(id(part), context)
                        lost = at.lost or (EMPTY if is_empty else "")
                        found[id(part)] = at._replace(lost=lost, is_looped=True)
        return found

    def _checking(self, call: ast.Call, context: Context) -> None:
        name = last_name(call.func)
        write = self._writing(context)
        if name.startswith("assert") and root(call.func) in ("self", "cls"):
            self._ask(unittest_claims(call, write, context.suite.always_equal), call.lineno, context)
        elif is_check(call) and name not in RAISING | WARNING and name != "fail":
            self._ask(iter([called_claim(call, write)]), call.lineno, context)

    def _helper(self, call: ast.Call, context: Context) -> bool:
        """Follow a call into a function of the file, of the test's class, or of a file of the tests that is at hand."""
        given = context.given.get(getattr(call.func, "id", ""))
        if given is not None:
            return self._run(given, context)
        found = self._function_of(call, context)
        if found is None or context.depth >= _DEEPEST or id(found[1]) in self._active:
            return False
        suite, node = found
        self._found.helpers.add(node.name)
        bound = context.suite.writer.bound(node.args, call, context.environment)
        around = context.environment if suite is context.suite and node.name not in suite.functions else {}
        kept = {name: term for name, term in context.environment.items() if name.startswith("self.")}
        environment = {**suite.environment, **around, **kept, **bound}
        nodes = {name: value for name, value in suite.assigned.items() if name not in bound}
        lost = context.lost or (kept_by_decorator(node.decorator_list, Place(context, self._imported).inside(suite)))
        inner = context._replace(
            environment=environment,
            nodes=nodes,
            suite=suite,
            depth=context.depth + 1,
            lost=lost,
            given=self._handed_on(call, node, context),
        )
        known = self._count
        self.function(node, inner)
        return known != self._count

    def _handed_on(self, call: ast.Call, node: Function, context: Context) -> dict[str, Given]:
        """The functions that a helper is given, by the names of its parameters."""
        parameters = [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
        parameters = parameters[1:] if parameters[:1] in (["self"], ["cls"]) else parameters
        pairs = [*zip(parameters, call.args, strict=False), *((one.arg or "", one.value) for one in call.keywords)]
        found = {name: self._as_function(value, context) for name, value in pairs}
        handed = {name: Given(value, context) for name, value in found.items() if value is not None}
        self._handed.update(id(one.node) for one in handed.values())
        return handed

    def _as_function(self, value: ast.expr, context: Context) -> Function | None:
        if isinstance(value, ast.Lambda):
            body = ast.copy_location(ast.Expr(value=value.body), value.body)
            made = ast.FunctionDef(name="<lambda>", args=value.args, body=[body], decorator_list=[])
            return ast.copy_location(made, value)
        if not isinstance(value, ast.Name):
            return None
        return context.local.get(value.id) or context.suite.functions.get(value.id)

    def _run(self, given: Given, context: Context) -> bool:
        """Read a function that a helper was given, where the helper calls it."""
        if context.depth >= _DEEPEST or id(given.node) in self._active:
            return False
        known = self._count
        around = given.context
        self.function(
            given.node,
            around._replace(
                lost=context.lost or around.lost,
                guards=(*around.guards, *context.guards),
                kept=(*around.kept, *context.kept),
                depth=context.depth + 1,
                is_looped=around.is_looped or context.is_looped,
            ),
        )
        return known != self._count

    @property
    def _count(self) -> tuple[int, int, int]:
        return len(self._found.facts), len(self._found.skips), len(self._found.lost)

    def _function_of(self, call: ast.Call, context: Context) -> tuple[Suite, Function] | None:
        function = call.func
        if isinstance(function, ast.Attribute) and root(function) in ("self", "cls"):
            is_set = f"{root(function)}.{function.attr}" in context.nodes
            node = None if is_set else context.methods.get(function.attr)
            return None if node is None else (context.suite, node)
        if not isinstance(function, ast.Name):
            return None
        name = function.id
        other = context.nodes.get(name)
        if other is not None:
            # `run = check; run()`, and `check = print; check()`
            if not isinstance(other, ast.Name) or other.id in context.nodes:
                return None
            name = other.id
        node = context.local.get(name) or context.suite.functions.get(name)
        if node is not None:
            return context.suite, node
        origin = context.suite.origins.get(name)
        found = self._imported(context.suite, origin) if origin is not None else None
        return (found[0], found[1]) if found is not None and isinstance(found[1], Function) else None

    def patch(self, call: ast.Call, context: Context) -> None:
        """Notice what is put in the place of what: `patch("a.b")`, `patch.object(a, "b")`, `setattr(a, "b", c)`."""
        for target in patched_by(call, self._writing(context)):
            self._found.patches.append(Patch(target, call.lineno))

    def _raises(self, call: ast.Call, body: Sequence[ast.AST], context: Context, *, is_own: bool = False) -> None:
        """A block, or a call, that has to raise; `is_own`: the block does so itself."""
        write = self._writing(context)
        name = last_name(call.func)
        of = [write(one) for one in call.args[1:]] if body == [call] else []
        if body != [call]:
            of += [write(one) for node in body for one in calls_in(node)]
        kind = "raises" if name in RAISING else "warns"
        classes = self._condition(call.args[0], context) if call.args else ""
        match = next((write(one.value) for one in call.keywords if one.arg in ("match", "expected_regex")), "")
        if name.endswith("Regex") and len(call.args) > 1:
            match = write(call.args[1])
        if body == [call] and name in RAISING and catches(call.args[:1]):
            self._expected(call.args[1:2], context)
        asks_nothing = is_own or (kind == "warns" and classes == "«None»")
        strength = Strength.NOTHING if asks_nothing else Strength.EXACT if kind == "raises" else Strength.LOOSE
        self._ask(iter([(kind, strength, "; ".join(of), f"{classes} ~ {match}")]), call.lineno, context)

    def _expected(self, functions: Sequence[ast.expr], context: Context) -> None:
        """`pytest.raises(AssertionError, check)`: what the function asks has to fail."""
        for node in (self._as_function(one, context) for one in functions):
            if node is not None:
                self._handed.add(id(node))
                self._run(Given(node, context), context._replace(lost=context.lost or EXPECTED))

    def _bind(self, target: ast.expr, term: str, context: Context, node: ast.expr | None = None) -> None:
        name = variable(target)
        if _is_fake_part(target, node):
            # What is asked of it is still asked of a part of that object.
            context.environment.pop(name, None)
            context.nodes.pop(name, None)
            self._assigned_elsewhere(target, context)  # type: ignore[arg-type]
        elif name:
            context.environment[name] = term
            context.nodes.pop(name, None)
            if node is not None:
                context.nodes[name] = node
            if isinstance(target, ast.Attribute):
                self._assigned_elsewhere(target, context)
        elif isinstance(target, (ast.Tuple, ast.List)):
            parts = elements(node) if node is not None else None
            for number, element in enumerate(target.elts):
                inner = parts[number] if parts is not None and len(parts) == len(target.elts) else None
                written = (
                    f"{term}[{number}]" if inner is None else context.suite.writer.term(inner, context.environment)
                )
                self._bind(element, written, context, inner)
        elif isinstance(target, (ast.Attribute, ast.Subscript)):
            if (part := ast.unparse(target)) in context.environment:
                context.environment[part] = term
            self._found.acts.setdefault(
                f"{context.suite.writer.term(target, context.environment)} = {term}", target.lineno
            )

    def _assigned_elsewhere(self, target: ast.Attribute, context: Context) -> None:
        """`app.total = fake`: an attribute of a module is put in place."""
        if isinstance(target.value, ast.Name) and target.value.id in context.suite.imported:
            self._found.patches.append(Patch(f"{target.value.id}.{target.attr}", target.lineno))

    def _bind_walrus(self, node: ast.expr, context: Context) -> None:
        for one in walk(node) if context.suite.has_walrus else ():
            if isinstance(one, ast.NamedExpr) and isinstance(one.target, ast.Name):
                context.environment[one.target.id] = context.suite.writer.term(one.value, context.environment)

    def _resolved(self, node: ast.expr, context: Context) -> ast.expr:
        return context.nodes.get(node.id, node) if isinstance(node, ast.Name) else node


def _is_fake_part(target: ast.expr, value: ast.expr | None) -> bool:
    """`conn.commit = Mock()`"""
    is_part = isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name)
    return (
        is_part and root(target) not in ("self", "cls") and isinstance(value, ast.Call) and last_name(value) in _FAKES
    )


def _as_run(node: ast.expr, context: Context) -> Context:
    """Where the calls of a statement stand: nothing runs those of a generator that nobody takes values from."""
    if not isinstance(node, ast.GeneratorExp):
        return context
    return context._replace(lost=context.lost or "nothing runs it: it stands in a generator")


def _refusing(condition: str) -> Strength:
    """How much it asks that a condition does not hold: least where that leaves more than one value."""
    inner = condition[1:-1] if condition.startswith("[") else condition
    depth, signs = 0, _LITERAL.sub("", inner)
    top = "".join(
        sign for sign in signs if (depth := depth + (sign in "[({") - (sign in "])}")) == 0 and sign not in "])}"
    )
    is_loose = any(f" {sign} " in top for sign in ("<", "<=", ">", ">=", "∉", "∈", "==", "==="))
    return Strength.LOOSE if is_loose and " && " not in top and " || " not in top else Strength.EXACT


def _marks_skip(mark: ast.expr) -> bool:
    return last_name(mark) in SKIPPING or (last_name(mark) == "getattr" and _names_skip(mark))


def _names_skip(call: ast.expr) -> bool:
    """`getattr(pytest, "skip")`, and where the name is only computed."""
    while isinstance(call, ast.Call) and not isinstance(call.func, ast.Name):
        call = call.func
    if not isinstance(call, ast.Call) or len(call.args) < 2:
        return False
    return not isinstance(call.args[1], ast.Constant) or call.args[1].value in SKIPPING


def _is_hidden_skip(call: ast.Call) -> bool:
    """`getattr(pytest, "skip")(...)`"""
    inner = call.func
    if not isinstance(inner, ast.Call) or getattr(inner.func, "id", "") != "getattr" or not inner.args:
        return False
    return root(inner.args[0]) in ("pytest", "self") and _names_skip(inner)


def _is_of(call: ast.Call, suite: Suite, *modules: str) -> bool:
    first = root(call.func)
    origin = suite.origins.get(first)
    return first in modules or (origin is not None and origin.module in modules)


def _is_of_framework(call: ast.Call, suite: Suite) -> bool:
    return root(call.func) == "self" or _is_of(call, suite, "pytest", "unittest")
