"""Reads a test statement by statement: the facts it asks, where it stops, and what it puts in the place of things."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ledgergate.guard.facts import Claim, Fact, Strength, called_claim, claims, unittest_claims
from ledgergate.guard.looped import looped_over
from ledgergate.guard.parts import (
    SKIPPING,
    calls_in,
    catches,
    elements,
    is_failing,
    kinds,
    known_truth,
    leaves,
    only_fails,
    patched_by,
    root,
    swallows,
    variable,
)
from ledgergate.guard.reading import Bounded, Handler, Patch, Reading, Skip
from ledgergate.guard.suite import Origin, Suite
from ledgergate.guard.swallowed import is_swallowing
from ledgergate.source.believed import is_check
from ledgergate.source.syntax import Function, last_name, walk

Imported = Callable[[Suite, Origin], "tuple[Suite, Function] | None"]

_MOST_STEPS = 20_000
_MOST_ELEMENTS = 64
_DEEPEST = 6
_MARKING = ("add_marker", "applymarker")
_RAISING = frozenset({"raises", "assertRaises", "assertRaisesRegex", "RaisesGroup"})
_WARNING = frozenset({"warns", "deprecated_call", "assertWarns", "assertWarnsRegex", "assertLogs", "assertNoLogs"})
NEVER = "its condition never holds"
_SUPPRESSED = "what it raises is suppressed"
_FAILED = frozenset({"AssertionError", "Failed", "failureException"})


class Context(NamedTuple):
    """Where a statement stands."""

    environment: dict[str, str]
    nodes: dict[str, ast.expr]
    suite: Suite
    # The file of the test, where `suite` is that of a helper.
    of: Suite
    methods: Mapping[str, Function]
    local: dict[str, Function]
    guards: tuple[str, ...] = ()
    # Why a check here counts for nothing, where it does.
    lost: str = ""
    depth: int = 0


class Reader:
    def __init__(self, found: Reading, imported: Imported) -> None:
        self._found = found
        self._imported = imported
        self._steps = 0
        self._active: list[int] = []

    def function(self, node: Function, context: Context) -> None:
        """Read the body of a function, and functions within it that something other than a plain call may run."""
        local = {one.name: one for one in node.body if isinstance(one, Function)}
        for name in local.keys() & context.of.origins.keys():
            self._found.patches.append(Patch(f"{context.of.origins[name].module}.{name}", local[name].lineno))
        context = context._replace(local={**context.local, **local}) if local else context
        self._active.append(id(node))
        self.block(node.body, context)
        self._active.pop()
        if local:
            called = {id(one.func) for one in walk(node) if isinstance(one, ast.Call)}
            handed_on = {
                one.id for one in walk(node) if isinstance(one, ast.Name) and one.id in local and id(one) not in called
            }
            for name, inner in local.items():
                if (name in handed_on or inner.decorator_list) and id(inner) not in self._active:
                    self.function(inner, context)

    def block(self, body: Sequence[ast.stmt], context: Context) -> bool:
        """Read statements in turn; whether the block is left at its end, whatever follows it."""
        for number, statement in enumerate(body):
            self._steps += 1
            if self._steps > _MOST_STEPS:
                raise Bounded
            left = self._statement(statement, context)
            if left == "yes":
                self._unreachable(body[number + 1 :], context)
                return True
            if left == _SUPPRESSED:
                context = context._replace(lost=context.lost or _SUPPRESSED)
            elif left:
                context = context._replace(guards=(*context.guards, left))
        return False

    def _unreachable(self, rest: Sequence[ast.stmt], context: Context) -> None:
        if rest:
            self.block(rest, context._replace(lost=context.lost or "it is never reached"))

    def _statement(self, node: ast.stmt, context: Context) -> str:
        """Read a statement: `yes` where nothing behind it runs, or the condition under which what follows does."""
        if isinstance(node, ast.Assert) and isinstance(node.test, ast.Constant) and not node.test.value:
            self._failing(node, context)
            return "yes"
        if isinstance(node, ast.Assert):
            self._bind_walrus(node.test, context)
            test = self._compared(node.test, context)
            self._ask(claims(test, self._writing(context), context.suite.always_equal), node.lineno, context)
            self._calls(node.test, context, in_assert=True)
            return ""
        if isinstance(node, (ast.Return, ast.Raise)):
            return self._leaving(node, context)
        if isinstance(node, (ast.Continue, ast.Break)):
            return "yes"
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            self._assignment(node, context)
        elif isinstance(node, ast.Expr):
            return self._expression(node.value, context)
        else:
            return self._compound(node, context)
        return ""

    def _compound(self, node: ast.stmt, context: Context) -> str:
        if isinstance(node, ast.If):
            return self._if(node, context)
        if isinstance(node, (ast.With, ast.AsyncWith)):
            return "yes" if self._with(node, context) else ""
        if isinstance(node, (ast.For, ast.AsyncFor)):
            self._for(node, context)
        elif isinstance(node, ast.While):
            self._while(node, context)
        elif isinstance(node, (ast.Try, ast.TryStar)):
            return "yes" if self._try(node, context) else ""
        elif isinstance(node, ast.Match):
            return "yes" if self._match(node, context) else ""
        return ""

    # -- what is asked ------------------------------------------------------------------------------------------------

    def _ask(self, asked: Iterator[Claim], line: int, context: Context) -> None:
        for kind, strength, subject, expected in asked:
            if context.lost:
                self._found.lost[f"{kind} {subject} {expected}"] = (context.lost, line)
                continue
            text = context.suite.line(line) or ""
            is_elsewhere = context.suite is not context.of
            self._found.facts.append(Fact(kind, strength, subject, expected, line, context.guards, text, is_elsewhere))

    def _compared(self, node: ast.expr, context: Context) -> ast.expr:
        """What a name stands for where that is a comparison: `ok = x == 3; assert ok` asks for x."""
        found = self._resolved(node, context)
        return found if isinstance(found, (ast.Compare, ast.BoolOp, ast.UnaryOp)) else node

    def _writing(self, context: Context) -> Callable[[ast.expr], str]:
        return lambda node: context.suite.writer.term(node, context.environment)

    def _condition(self, node: ast.expr, context: Context) -> str:
        """A condition with all names replaced, so that it tells what it is about."""
        return context.suite.writer.term(node, {**context.suite.full_environment, **context.environment})

    def _expression(self, node: ast.expr, context: Context) -> str:
        while isinstance(node, (ast.Await, ast.YieldFrom, ast.Yield)) and node.value is not None:
            node = node.value
        self._bind_walrus(node, context)
        if isinstance(node, ast.BoolOp):
            return self._short_circuit(node, context)
        if isinstance(node, ast.Call):
            name = last_name(node.func)
            if name == "enter_context" and node.args and is_swallowing(node.args[0], context.suite):
                return _SUPPRESSED
            if name == "assume" and node.args:
                return self._assume(node, context)
            self._emptied(node, context)
            if name in SKIPPING and name != "importorskip":
                self._skip(node, context)
                return "yes"
            if name == "fail" or (name == "exit" and getattr(node.func, "value", None) is not None):
                self._failing(node, context)
                return "yes" if name == "fail" else ""
        known = self._count
        self._calls(node, context)
        if known == self._count and not isinstance(node, ast.Constant):
            self._found.acts.setdefault(context.suite.writer.term(node, context.environment), node.lineno)
        return ""

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
        """What follows is only tried where this holds."""
        condition = self._condition(call.args[0], context)
        self._found.assumed.setdefault(condition, call.lineno)
        return "yes" if known_truth(call.args[0], condition) is False else condition

    def _emptied(self, call: ast.Call, context: Context) -> None:
        """`CASES.clear()`: there is nothing in it from here on."""
        owner = getattr(call.func, "value", None)
        if last_name(call.func) == "clear" and isinstance(owner, ast.Name) and owner.id in context.nodes:
            context.nodes[owner.id] = ast.List(elts=[], ctx=ast.Load())

    def _failing(self, node: ast.AST, context: Context) -> None:
        """A failure that is raised by hand: what keeps it from being reached has to hold."""
        if context.guards and not context.lost:
            self._ask(iter([("fails", Strength.EXACT, context.guards[-1], "")]), node.lineno, context)  # type: ignore[attr-defined]

    def _leaving(self, node: ast.Return | ast.Raise, context: Context) -> str:
        if isinstance(node, ast.Return):
            if node.value is not None:
                self._calls(node.value, context)
            return "yes"
        name = last_name(node.exc) if node.exc is not None else ""
        if name == "Exception" and "skip" in ast.unparse(node.exc or node):
            name = "skip"
        if name in _FAILED:
            self._failing(node, context)
        elif name in SKIPPING:
            arguments = "" if node.exc is None else context.suite.writer.term(node.exc, context.environment)
            self._found.skips.append(Skip(name, context.guards, arguments, node.lineno))
        return "yes"

    def _skip(self, call: ast.Call, context: Context) -> None:
        arguments = context.suite.writer.term(call, context.environment)
        self._found.skips.append(Skip(last_name(call.func), context.guards, arguments, call.lineno))

    # -- calls ---------------------------------------------------------------------------------------------------------

    def _calls(self, node: ast.AST, context: Context, *, in_assert: bool = False) -> None:
        """Read the calls in an expression: those that check, and helpers of the file that do."""
        for call in calls_in(node):
            name = last_name(call.func)
            if name in _RAISING | _WARNING and len(call.args) > 1:
                self._raises(call, [call], context)
            elif name == "importorskip" or (name in _MARKING and last_name(next(iter(call.args), call)) in SKIPPING):
                self._skip(call, context)
            elif name in ("patch", "object", "setattr", "dict", "setitem"):
                self.patch(call, context)
            elif not self._helper(call, context) and not in_assert:
                self._checking(call, context)

    def _checking(self, call: ast.Call, context: Context) -> None:
        name = last_name(call.func)
        write = self._writing(context)
        if name.startswith("assert") and root(call.func) in ("self", "cls"):
            self._ask(unittest_claims(call, write, context.suite.always_equal), call.lineno, context)
        elif is_check(call) and name not in _RAISING | _WARNING and name != "fail":
            self._ask(iter([called_claim(call, write)]), call.lineno, context)

    def _helper(self, call: ast.Call, context: Context) -> bool:
        """Follow a call into a function of the file, of the test's class, or of a file of the tests that is at hand."""
        found = self._function_of(call, context)
        if found is None or context.depth >= _DEEPEST or id(found[1]) in self._active:
            return False
        suite, node = found
        bound = context.suite.writer.bound(node.args, call, context.environment)
        around = context.environment if suite is context.suite and node.name not in suite.functions else {}
        kept = {name: term for name, term in context.environment.items() if name.startswith("self.")}
        environment = {**suite.environment, **around, **kept, **bound}
        nodes = dict(suite.assigned)
        inner = context._replace(environment=environment, nodes=nodes, suite=suite, depth=context.depth + 1)
        known = self._count
        self.function(node, inner)
        return known != self._count

    @property
    def _count(self) -> tuple[int, int, int]:
        return len(self._found.facts), len(self._found.skips), len(self._found.lost)

    def _function_of(self, call: ast.Call, context: Context) -> tuple[Suite, Function] | None:
        function = call.func
        if isinstance(function, ast.Attribute) and root(function) in ("self", "cls"):
            node = context.methods.get(function.attr)
            return None if node is None else (context.suite, node)
        if not isinstance(function, ast.Name):
            return None
        node = context.local.get(function.id) or context.suite.functions.get(function.id)
        if node is not None:
            return context.suite, node
        origin = context.suite.origins.get(function.id)
        return None if origin is None else self._imported(context.suite, origin)

    def patch(self, call: ast.Call, context: Context) -> None:
        """Notice what is put in the place of what: `patch("a.b")`, `patch.object(a, "b")`, `setattr(a, "b", c)`."""
        target = patched_by(call, self._writing(context))
        if target:
            self._found.patches.append(Patch(target, call.lineno))

    # -- compound statements -------------------------------------------------------------------------------------------

    def _assignment(self, node: ast.Assign | ast.AnnAssign | ast.AugAssign, context: Context) -> None:
        if node.value is None:
            return
        self._bind_walrus(node.value, context)
        self._calls(node.value, context)
        term = context.suite.writer.term(node.value, context.environment)
        if isinstance(node, ast.AugAssign):
            name = variable(node.target)
            if name:
                context.environment[name] = f"[{context.environment.get(name, name)} + {term}]"
                context.nodes.pop(name, None)
            return
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            self._bind(target, term, context, node.value)

    def _bind(self, target: ast.expr, term: str, context: Context, node: ast.expr | None = None) -> None:
        name = variable(target)
        if name:
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
            self._found.acts.setdefault(
                f"{context.suite.writer.term(target, context.environment)} = {term}", target.lineno
            )

    def _assigned_elsewhere(self, target: ast.Attribute, context: Context) -> None:
        """`app.total = fake`: an attribute of a module is put in place."""
        if isinstance(target.value, ast.Name) and target.value.id in (*context.suite.modules, *context.suite.origins):
            self._found.patches.append(Patch(f"{target.value.id}.{target.attr}", target.lineno))

    def _bind_walrus(self, node: ast.expr, context: Context) -> None:
        for one in walk(node):
            if isinstance(one, ast.NamedExpr) and isinstance(one.target, ast.Name):
                context.environment[one.target.id] = context.suite.writer.term(one.value, context.environment)

    def _if(self, node: ast.If, context: Context) -> str:
        condition = self._condition(node.test, context)
        holds = known_truth(node.test, condition)
        if holds is not None:
            taken, other = (node.body, node.orelse) if holds else (node.orelse, node.body)
            lost = context._replace(lost=context.lost or NEVER)
            self.block(other, lost._replace(environment=dict(context.environment)))
            return "yes" if self.block(taken, context) else ""
        self._calls(node.test, context)
        inside = (*context.guards, condition)
        left = self.block(node.body, context._replace(guards=inside))
        opposite = f"[! {condition}]"
        right = self.block(node.orelse, context._replace(guards=(*context.guards, opposite)))
        if left and right:
            return "yes"
        if left and not only_fails(node.body):
            return opposite
        return condition if right and not only_fails(node.orelse) else ""

    def _while(self, node: ast.While, context: Context) -> None:
        condition = self._condition(node.test, context)
        holds = known_truth(node.test, condition)
        if holds is None:
            context = context._replace(guards=(*context.guards, condition))
        elif not holds:
            context = context._replace(lost=context.lost or NEVER)
        self.block(node.body, context)

    def _match(self, node: ast.Match, context: Context) -> bool:
        """Whether every case leaves the block, and one of them takes whatever there is."""
        subject, left, takes_all = self._condition(node.subject, context), True, False
        for case in node.cases:
            is_any = isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None and case.guard is None
            guard = f"[{subject} ~ {ast.unparse(case.pattern)}]"
            guards = context.guards if is_any and len(node.cases) == 1 else (*context.guards, guard)
            left = self.block(case.body, context._replace(guards=guards)) and left
            takes_all = takes_all or is_any
        return left and takes_all

    def _with(self, node: ast.With | ast.AsyncWith, context: Context) -> bool:
        for item in node.items:
            call = self._entered(item.context_expr, context)
            name = last_name(call)
            if isinstance(call, ast.Call) and name in _RAISING | _WARNING:
                is_own = len(node.items) == 1 and any(isinstance(one, ast.Raise) for one in node.body)
                self._raises(call, node.body, context, is_own=is_own)
                if name in _RAISING and catches([*call.args, *(one.value for one in call.keywords)]):
                    context = context._replace(lost=context.lost or "what it raises is expected")
            elif is_swallowing(call, context.suite):
                context = context._replace(lost=context.lost or _SUPPRESSED)
            else:
                self._calls(call, context)
            if item.optional_vars is not None:
                self._bind(item.optional_vars, context.suite.writer.term(call, context.environment), context)
        return self.block(node.body, context)

    def _entered(self, node: ast.expr, context: Context) -> ast.expr:
        """What a `with` enters: what a name stands for, and of two the one that something has to be raised in."""
        found = self._resolved(node, context)
        both = (found.body, found.orelse) if isinstance(found, ast.IfExp) else (found,)
        return next((one for one in both if isinstance(one, ast.Call) and last_name(one) in _RAISING), node)

    def _raises(self, call: ast.Call, body: Sequence[ast.AST], context: Context, *, is_own: bool = False) -> None:
        """A block, or a call, that has to raise; `is_own`: the block does so itself."""
        write = self._writing(context)
        name = last_name(call.func)
        of = [write(one) for one in call.args[1:]] if body == [call] else []
        if body != [call]:
            of += [write(one) for node in body for one in calls_in(node)]
        kind = "raises" if name in _RAISING else "warns"
        classes = self._condition(call.args[0], context) if call.args else ""
        match = next((write(one.value) for one in call.keywords if one.arg in ("match", "expected_regex")), "")
        if name.endswith("Regex") and len(call.args) > 1:
            match = write(call.args[1])
        asks_nothing = is_own or (kind == "warns" and classes == "«None»")
        strength = Strength.NOTHING if asks_nothing else Strength.EXACT if kind == "raises" else Strength.LOOSE
        self._ask(iter([(kind, strength, "; ".join(of), f"{classes} ~ {match}")]), call.lineno, context)

    def _for(self, node: ast.For | ast.AsyncFor, context: Context) -> None:
        values = looped_over(node.iter, context.suite, lambda one: self._resolved(one, context))
        self._calls(node.iter, context)
        if values is not None and len(values) <= _MOST_ELEMENTS:
            if not values:
                self.block(node.body, context._replace(lost=context.lost or "its loop runs over nothing"))
            for element in values:
                self._bind(node.target, context.suite.writer.term(element, context.environment), context, element)
                self.block(node.body, context)
        else:
            term = context.suite.writer.term(node.iter, context.environment)
            is_empty = term == "range(«0»)"
            self._bind(node.target, f"each[{term}]", context)
            self.block(node.body, context._replace(lost="its loop runs over nothing") if is_empty else context)
        self.block(node.orelse, context)

    def _resolved(self, node: ast.expr, context: Context) -> ast.expr:
        return context.nodes.get(node.id, node) if isinstance(node, ast.Name) else node

    def _try(self, node: ast.Try | ast.TryStar, context: Context) -> bool:
        of = frozenset(
            last_name(one.func) for statement in node.body for one in walk(statement) if isinstance(one, ast.Call)
        )
        for handler in node.handlers:
            classes = frozenset(last_name(kind) for kind in kinds(handler)) or frozenset({"BaseException"})
            self._found.handlers.append(Handler(of, classes, handler.lineno))
        inside = context
        if any(swallows(handler) for handler in node.handlers):
            inside = context._replace(lost=context.lost or "what it raises is caught")
        if any(isinstance(one, ast.Return) for one in node.finalbody):
            inside = context._replace(lost=context.lost or "a return behind `finally` drops it")
        left = self.block(node.body, inside)
        missing = any(
            last_name(kind) in ("ImportError", "ModuleNotFoundError") for one in node.handlers for kind in kinds(one)
        )
        for handler in node.handlers:
            guard = "ImportError" if missing else f"except {' '.join(sorted(last_name(one) for one in kinds(handler)))}"
            guarded = context._replace(guards=(*context.guards, guard))
            if not left and any(map(is_failing, handler.body)):
                continue
            self.block(handler.body, guarded)
        self.block(node.orelse, context)
        return self.block(node.finalbody, context) or (left and all(leaves(one.body) for one in node.handlers))
