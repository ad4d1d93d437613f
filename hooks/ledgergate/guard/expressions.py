"""Reads the expressions of a test: what is asked of which value, and what is called."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ledgergate.guard.caught import Keeps, catches
from ledgergate.guard.context import Context, Given
from ledgergate.guard.facts import Claim, Fact, Strength, called_claim, unittest_claims
from ledgergate.guard.following import Follower
from ledgergate.guard.looped import is_filled, looped_over
from ledgergate.guard.parts import (
    SKIPPING,
    Comprehension,
    calls_in,
    is_failure,
    is_hidden_skip,
    marks_skip,
    patched_by,
    root,
    yields,
)
from ledgergate.guard.reading import Doubt, Patch, Skip
from ledgergate.guard.suite import Suite
from ledgergate.guard.swallowed import Place, callback_keeps, keeps
from ledgergate.guard.terms import without_literals
from ledgergate.guard.well_known import OF_OTHERS, RAISING, SETTLING
from ledgergate.source.believed import is_check
from ledgergate.source.syntax import last_name, walk

_CLEANING = frozenset({"addCleanup", "addClassCleanup", "addModuleCleanup", "addfinalizer"})
_MARKING = ("add_marker", "applymarker")
EXPECTING_ERRORS = RAISING | {"RaisesGroup"}
WARNING = frozenset({"warns", "deprecated_call", "assertWarns", "assertWarnsRegex", "assertLogs", "assertNoLogs"})
# The arguments that ask for the text of what is raised or told.
MATCHING = ("match", "expected_regex")
SUPPRESSED = "what it raises is suppressed"
EXPECTED = "what it raises is expected"
NEVER = "its condition never holds"
EMPTY = "its loop runs over nothing"
UNSEEN = Doubt("nobody may see what it raises there")
# What runs a function where its failure does not fail the test.
DETACHED = frozenset(
    {
        *("Thread", "Timer", "Process", "submit", "create_task", "ensure_future", "call_soon", "call_later", "wait"),
        *("run_in_executor", "apply_async", "start_new_thread", "finalize", "run_coroutine_threadsafe"),
    }
)


class ExpressionReader(Follower):
    """Reads expressions, wherever in a statement they stand."""

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
        found = context.resolved(node)
        return found if isinstance(found, (ast.Compare, ast.BoolOp, ast.UnaryOp)) else node

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
        context.bind_walrus(node)
        if isinstance(node, ast.BoolOp):
            return self._short_circuit(node, context)
        if isinstance(node, ast.IfExp):
            condition = context.condition(node.test)
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
            if _is_failure(node, name, context):
                self._failing(node, context)
                return "" if name == "exit" else "yes"
            context = context._replace(lost=context.lost or self._unseen(node, context, is_awaited=is_awaited))
            self._settled(node, name, context)
            self._warned(node, name, context)
        known = self._count
        self._calls(node, _as_run(node, context))
        if known == self._count and not isinstance(node, ast.Constant):
            self._does(node, context)
        return ""

    def _does(self, node: ast.expr, context: Context) -> None:
        act = context.term(node)
        self._found.acts.setdefault(act, node.lineno)
        if context.lost:
            self._found.unseen[act] = context.lost

    def _warned(self, call: ast.Call, name: str, context: Context) -> None:
        """`recwarn.pop(UserWarning)` fails where there was no such warning."""
        if name == "pop" and getattr(getattr(call.func, "value", None), "id", "") == "recwarn":
            classes = context.condition(call.args[0]) if call.args else ""
            self._ask(iter([("warns", Strength.LOOSE, context.term(call.func), f"{classes} ~ ")]), call.lineno, context)

    def _settled(self, call: ast.Call, name: str, context: Context) -> None:
        """`response.raise_for_status()` as a statement is a check."""
        if name in SETTLING:
            self._ask(iter([called_claim(call, context.term)]), call.lineno, context)

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
            condition = context.condition(one)
            guards.append(condition if isinstance(node.op, ast.And) else f"[! {condition}]")
        self._expression(node.values[-1], context._replace(guards=(*context.guards, *guards)))
        return ""

    def _assume(self, call: ast.Call, context: Context) -> str:
        """What follows is only tried where this holds; behind `reject()` nothing is."""
        if not call.args:
            self._found.assumed.setdefault(f"[! {' && '.join(context.guards)}]", call.lineno)
            return "yes"
        condition = context.condition(call.args[0])
        self._found.assumed.setdefault(condition, call.lineno)
        return "yes" if context.truth(call.args[0]) is False else condition

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
        if context.lost != NEVER:
            arguments = context.term(call)
            self._found.skips.append(Skip(name or last_name(call.func), context.guards, arguments, call.lineno))

    def _called_name(self, call: ast.Call, context: Context) -> str:
        """What is called, by the name that pytest gives it: `from pytest import skip as s`, `s = pytest.skip`."""
        if not isinstance(call.func, ast.Name):
            return last_name(call.func)
        known = context.resolved(call.func)
        if isinstance(known, ast.Attribute) and root(known) == "pytest":
            return known.attr
        origin = context.suite.origins.get(call.func.id)
        return origin.name if origin is not None and origin.module in ("pytest", "unittest") else call.func.id

    def _or_else(self, node: ast.Assert, context: Context) -> None:
        """`assert x, pytest.skip()` and `assert x or pytest.skip()`: what is done where the check does not hold."""
        guarded = context._replace(guards=(*context.guards, f"[! {context.condition(node.test)}]"))
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
            if name in EXPECTING_ERRORS | WARNING and len(call.args) > 1 and not self._is_own(call, name, context):
                self._raises(call, [call], context)
            elif (
                name == "importorskip"
                or (name in _MARKING and marks_skip(next(iter(call.args), call)))
                or is_hidden_skip(call)
            ):
                self._skip(call, context)
            elif name in ("patch", "object", "setattr", "dict", "setitem", "multiple"):
                self.patch(call, context)
            elif name in _CLEANING and call.args:
                self._run_later(call, context)
            elif not self._helper(call, context) and not in_assert:
                self._checking(call, context)

    def _is_own(self, call: ast.Call, name: str, context: Context) -> bool:
        """Whether what is called like what expects errors is a helper that can be followed."""
        return name in OF_OTHERS and self._function_of(call, context) is not None

    def _run_later(self, call: ast.Call, context: Context) -> None:
        """`self.addCleanup(check, x)` runs `check(x)`, in the end."""
        function, *given = call.args
        if isinstance(function, ast.Lambda):
            node = self._as_function(function, context)
            if node is not None:
                self._run(Given(node, context), context)
        else:
            self._calls(ast.copy_location(ast.Call(func=function, args=given, keywords=call.keywords), call), context)

    def _comprehended(self, comprehensions: Sequence[Comprehension], context: Context) -> dict[int, Context]:
        """Where the calls of comprehensions stand that may run over nothing."""
        resolve = context.resolved
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
        write = context.term
        if name.startswith("assert") and root(call.func) in ("self", "cls"):
            self._ask(unittest_claims(call, write, context.suite.always_equal), call.lineno, context)
        elif is_check(call) and name not in EXPECTING_ERRORS | WARNING and name != "fail":
            self._ask(iter([called_claim(call, write)]), call.lineno, context)

    def patch(self, call: ast.Call, context: Context) -> None:
        """Notice what is put in the place of what: `patch("a.b")`, `patch.object(a, "b")`, `setattr(a, "b", c)`."""
        for target in patched_by(call, context.term):
            self._found.patches.append(Patch(target, call.lineno))

    def _raises(self, call: ast.Call, body: Sequence[ast.AST], context: Context, *, is_own: bool = False) -> None:
        """A block, or a call, that has to raise; `is_own`: the block does so itself."""
        write = context.term
        name = last_name(call.func)
        of = self._called_in(_given_to_call(call) if body == [call] else body, context)
        kind = "raises" if name in EXPECTING_ERRORS else "warns"
        classes = context.condition(call.args[0]) if call.args else ""
        match = next((write(one.value) for one in call.keywords if one.arg in MATCHING), "")
        if name.endswith("Regex") and len(call.args) > 1:
            match = write(call.args[1])
        if body == [call] and name in EXPECTING_ERRORS and catches(call.args[:1]):
            self._expected(call.args[1:2], context)
        asks_nothing = is_own or (kind == "warns" and classes == "«None»")
        strength = Strength.NOTHING if asks_nothing else Strength.EXACT if kind == "raises" else Strength.LOOSE
        self._ask(iter([(kind, strength, "; ".join(of), f"{classes} ~ {match}")]), call.lineno, context)

    def _called_in(self, body: Sequence[ast.AST], context: Context) -> list[str]:
        entered = set(_expecting(body))
        return [context.term(one) for node in body for one in calls_in(node) if id(one) not in entered]

    def _raised(self, wanted: ast.expr, body: Sequence[ast.AST], context: Context) -> None:
        """A block that has to raise something of a class, told otherwise than by `pytest.raises`."""
        of, expected = self._called_in(body, context), f"{context.condition(wanted)} ~ "
        self._ask(iter([("raises", Strength.EXACT, "; ".join(of), expected)]), wanted.lineno, context)

    def _expected(self, functions: Sequence[ast.expr], context: Context) -> None:
        """`pytest.raises(AssertionError, check)`: what the function asks has to fail."""
        for node in (self._as_function(one, context) for one in functions):
            if node is not None:
                self._handed.add(id(node))
                self._run(Given(node, context), context._replace(lost=context.lost or EXPECTED))


def _given_to_call(call: ast.Call) -> list[ast.AST]:
    """What `raises(Refused, due, None)` calls, or what it is that a lambda there does."""
    if len(call.args) < 2:
        return []
    function, *given = call.args[1:]
    if isinstance(function, ast.Lambda):
        return [function.body]
    keywords = [one for one in call.keywords if one.arg not in (*MATCHING, "msg")]
    return [ast.copy_location(ast.Call(function, given, keywords), call)]


def _expecting(body: Sequence[ast.AST]) -> Iterator[int]:
    """The calls of a block that only say what else has to be raised or warned of in it."""
    for node in body:
        for one in walk(node):
            for item in one.items if isinstance(one, (ast.With, ast.AsyncWith)) else ():
                if last_name(item.context_expr) in WARNING:
                    yield id(item.context_expr)


def _as_run(node: ast.expr, context: Context) -> Context:
    """Where the calls of a statement stand: nothing runs those of a generator that nobody takes values from."""
    if not isinstance(node, ast.GeneratorExp):
        return context
    return context._replace(lost=context.lost or "nothing runs it: it stands in a generator")


def _refusing(condition: str) -> Strength:
    """How much it asks that a condition does not hold: least where that leaves more than one value."""
    inner = condition[1:-1] if condition.startswith("[") else condition
    depth, signs = 0, without_literals(inner)
    top = "".join(
        sign for sign in signs if (depth := depth + (sign in "[({") - (sign in "])}")) == 0 and sign not in "])}"
    )
    is_loose = any(f" {sign} " in top for sign in ("<", "<=", ">", ">=", "∉", "∈", "==", "==="))
    return Strength.LOOSE if is_loose and " && " not in top and " || " not in top else Strength.EXACT


def _is_of(call: ast.Call, suite: Suite, *modules: str) -> bool:
    first = root(call.func)
    origin = suite.origins.get(first)
    return first in modules or (origin is not None and origin.module in modules)


def _is_failure(call: ast.Call, name: str, context: Context) -> bool:
    """Whether a call fails the test; `job.fail()` does not, where the test made the job."""
    if is_failure(call) and name != "fail":
        return True
    if name == "fail":
        return not (isinstance(call.func, ast.Attribute) and "(" in context.environment.get(root(call.func), ""))
    return name == "exit" and getattr(call.func, "value", None) is not None


def _is_of_framework(call: ast.Call, suite: Suite) -> bool:
    return root(call.func) == "self" or _is_of(call, suite, "pytest", "unittest")
