"""Reads a test statement by statement: the facts it asks, where it stops, and what it puts in the place of things."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ledgergate.guard.assignments import AssignmentReader
from ledgergate.guard.caught import Keeps, always_fails, catches, kept_by, kinds, leaves
from ledgergate.guard.context import Context
from ledgergate.guard.expressions import (
    DETACHED,
    EMPTY,
    EXPECTED,
    EXPECTING_ERRORS,
    MATCHING,
    NEVER,
    SUPPRESSED,
    UNSEEN,
    WARNING,
)
from ledgergate.guard.facts import claims
from ledgergate.guard.handled import DOING, called_alone, deeds
from ledgergate.guard.looped import is_filled, looped_over
from ledgergate.guard.parts import SKIPPING, calls_in, fake_by, is_failing, name_of, only_fails, root
from ledgergate.guard.reading import Bounded, Deed, Doubt, Handler, Patch, Skip
from ledgergate.guard.swallowed import Place, keeps, original_name
from ledgergate.source.believed import FAILING, is_check
from ledgergate.source.syntax import Function, last_name, walk

_MOST_STEPS = 20_000
_MOST_ELEMENTS = 64
UNCALLED = Doubt("nothing seems to call it")
UNREACHED = "it is never reached"
# The condition of what stands behind a handler that leaves the test.
_NOT_CAUGHT = "[! except]"
RAISED_BEFORE = "it stands in a block behind what has to raise"


class Reader(AssignmentReader):
    def function(self, node: Function, context: Context) -> None:
        """Read the body of a function, and functions within it that something other than a plain call may run."""
        local = {one.name: one for one in node.body if isinstance(one, Function)}
        for name in local.keys() & context.of.origins.keys():
            self._found.patches.append(Patch(f"{context.of.origins[name].module}.{name}", local[name].lineno))
        given = [one.arg for one in node.args.args[len(node.args.args) - len(node.args.defaults) :]]
        for name in given if context.depth == 0 else ():
            if name in context.of.origins:
                self._found.patches.append(Patch(f"{context.of.origins[name].module}.{name}", node.lineno))
        context = context._replace(local={**context.local, **local}) if local else context
        if local or any(isinstance(getattr(one, "value", None), ast.Lambda) for one in node.body):
            from ledgergate.guard.within import returns_within

            context = context._replace(inner=context.writer.within(returns_within(node, local)))
        self._active.append(id(node))
        self.block(node.body, context)
        self._active.pop()
        if local:
            self._inner_functions(node, local, context)

    def _inner_functions(self, node: Function, local: dict[str, Function], context: Context) -> None:
        """Read functions within one that something other than a plain call may run."""
        from ledgergate.guard.handed_on import is_wrapped, may_call

        calls = [one for one in walk(node) if isinstance(one, ast.Call)]
        called = {id(one.func) for one in calls}
        sees_results = any(last_name(one.func) in ("result", "get", "gather") for one in calls)
        detached = {
            id(part) for one in calls if last_name(one.func) in DETACHED and not sees_results for part in walk(one)
        }
        handed_on: dict[str, bool] = {}
        for one in walk(node):
            if isinstance(one, ast.Name) and one.id in local and id(one) not in called:
                handed_on[one.id] = handed_on.get(one.id, True) and id(one) in detached
        for name, inner in local.items():
            is_run = name in handed_on or inner.decorator_list
            if is_run and id(inner) not in self._active and id(inner) not in self._handed:
                lost = UNSEEN if handed_on.get(name, False) else ""
                if is_wrapped(inner) and not may_call(node, name):
                    lost = UNCALLED
                self.function(inner, context._replace(lost=context.lost or lost))

    def block(self, body: Sequence[ast.stmt], context: Context) -> bool:
        """Read statements in turn; whether the block is left at its end, whatever follows it."""
        for number, statement in enumerate(body):
            self._steps += 1
            if self._steps > _MOST_STEPS:
                raise Bounded
            left = self._statement(statement, self._retrying(statement, body[number + 1 :], context))
            if left == "yes":
                self._unreachable(body[number + 1 :], context)
                return True
            if left == SUPPRESSED:
                context = context._replace(lost=context.lost or SUPPRESSED)
            elif left and not (left == _NOT_CAUGHT and always_fails(body[number + 1 :])):
                context = context._replace(guards=(*context.guards, left))
        return False

    def _retrying(self, node: ast.stmt, rest: Sequence[ast.stmt], context: Context) -> Context:
        """A loop that tries again may catch what fails, if a failure stands at its end."""
        is_loop = isinstance(node, (ast.For, ast.AsyncFor, ast.While))
        is_tried = is_loop and (always_fails(rest) or always_fails(node.orelse))  # type: ignore[attr-defined]
        return context._replace(is_retried=True) if is_tried else context

    def _unreachable(self, rest: Sequence[ast.stmt], context: Context) -> None:
        if rest:
            self.block(rest, context._replace(lost=context.lost or UNREACHED))

    def _statement(self, node: ast.stmt, context: Context) -> str:
        """Read a statement: `yes` where nothing behind it runs, or the condition under which what follows does."""
        self.notice(node, context)
        if isinstance(node, ast.Assert) and isinstance(node.test, ast.Constant) and not node.test.value:
            self._failing(node, context)
            return "yes"
        if isinstance(node, ast.Assert):
            context.bind_walrus(node.test)
            test = self._compared(node.test, context)
            self._ask(claims(test, context.term, context.suite.always_equal), node.lineno, context)
            self._calls(node.test, context, in_assert=True)
            self._or_else(node, context)
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

    def notice(self, node: ast.stmt, context: Context) -> None:
        """Keep what a statement does to objects; what a helper does that is followed is seen in its body."""
        if not isinstance(node, DOING) or context.lost in (NEVER, UNREACHED):
            return
        if isinstance(node, ast.Expr):
            call = called_alone(node)
            if call is None or self._function_of(call, context) is not None:
                return
        found = self._found
        for of, name, act in deeds(node, context):
            text = (context.suite.line(node.lineno) or "").strip()
            is_elsewhere = context.suite is not context.of
            at, row = len(found.facts), len(found.starts)
            found.deeds.append(Deed(of, name, act, node.lineno, text, is_elsewhere, at, row))

    def _compound(self, node: ast.stmt, context: Context) -> str:
        if isinstance(node, ast.If):
            return self._if(node, context)
        if isinstance(node, (ast.With, ast.AsyncWith)):
            return "yes" if self._with(node, context) else ""
        if isinstance(node, (ast.For, ast.AsyncFor)):
            return "yes" if self._for(node, context) else ""
        if isinstance(node, ast.While):
            return "yes" if self._while(node, context) else ""
        if isinstance(node, ast.Delete):
            self._deleted(node, context)
        elif isinstance(node, (ast.Try, ast.TryStar)):
            return self._try(node, context)
        elif isinstance(node, ast.Match):
            return "yes" if self._match(node, context) else ""
        return ""

    def _leaving(self, node: ast.Return | ast.Raise, context: Context) -> str:
        if isinstance(node, ast.Return):
            if node.value is not None:
                self._calls(node.value, context)
            return "yes"
        name = last_name(node.exc) if node.exc is not None else ""
        origin = context.suite.origins.get(name)
        name = origin.name if origin is not None and name == root(node.exc or ast.Name(id="")) else name
        if name == "Exception" and node.exc is not None:
            name = next((one for one in ("skip", "xfail") if f"{one}.Exception" in ast.unparse(node.exc)), name)
        if name in FAILING:
            self._failing(node, context)
        elif name in SKIPPING and context.lost != NEVER:
            arguments = "" if node.exc is None else context.term(node.exc)
            self._found.skips.append(Skip(name, context.guards, arguments, node.lineno))
        return "yes"

    def _if(self, node: ast.If, context: Context) -> str:
        condition = context.condition(node.test)
        holds = context.truth(node.test)
        if holds is not None:
            taken, other = (node.body, node.orelse) if holds else (node.orelse, node.body)
            lost = context._replace(lost=context.lost or NEVER)
            self.block(other, lost._replace(environment=dict(context.environment)))
            return "yes" if self.block(taken, context) else ""
        self._calls(node.test, context)
        inside = (*context.guards, condition)
        known = context.kept_names()
        left = self.block(node.body, context._replace(guards=inside))
        opposite = f"[! {condition}]"
        of_body = context.kept_names()
        context.restore(known)
        right = self.block(node.orelse, context._replace(guards=(*context.guards, opposite)))
        if right and not left:
            context.restore(of_body)
        elif not left:
            context.join(node.test, condition, of_body)
        if left and right:
            return "yes"
        if left and not only_fails(node.body):
            return opposite
        return condition if right and not only_fails(node.orelse) else ""

    def _while(self, node: ast.While, context: Context) -> bool:
        condition = context.condition(node.test)
        holds = context.truth(node.test)
        inside = context
        if holds is None:
            inside = context._replace(guards=(*context.guards, condition))
        elif not holds:
            inside = context._replace(lost=context.lost or NEVER)
        left = self.block(node.body, inside) and bool(holds)
        is_broken = left and _end(node.body) == "break"
        self.block(node.orelse, context._replace(lost=context.lost or UNREACHED) if is_broken else context)
        return left and _end(node.body) == "return"

    def _match(self, node: ast.Match, context: Context) -> bool:
        """Whether every case leaves the block, and one of them takes whatever there is."""
        subject, left, takes_all = context.condition(node.subject), True, False
        for case in node.cases:
            is_any = isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None and case.guard is None
            guard = f"[{subject} ~ {ast.unparse(case.pattern)}]"
            guards = context.guards if is_any and len(node.cases) == 1 else (*context.guards, guard)
            left = self.block(case.body, context._replace(guards=guards)) and left
            takes_all = takes_all or is_any
        return left and takes_all

    def _with(self, node: ast.With | ast.AsyncWith, context: Context) -> bool:
        is_raising = False
        for item in node.items:
            call = self._entered(item.context_expr, context)
            name = original_name(call, context.suite)
            if (
                isinstance(call, ast.Call)
                and name in EXPECTING_ERRORS | WARNING
                and not self._is_own(call, name, context)
            ):
                is_raising = is_raising or name in EXPECTING_ERRORS
                is_own = len(node.items) == 1 and _raises_itself(node.body)
                self._raises(call, node.body, context, is_own=is_own)
                resolve = Place(context, self._imported).resolve
                if name in EXPECTING_ERRORS and catches([*call.args, *(one.value for one in call.keywords)], resolve):
                    context = context._replace(lost=context.lost or EXPECTED)
            elif kept := keeps(call, Place(context, self._imported)):
                lost = SUPPRESSED if kept is Keeps.YES else Doubt(f"`{name}` may keep what it raises")
                context = context._replace(lost=context.lost or lost)
            else:
                self._calls(call, context)
            if item.optional_vars is not None:
                given = fake_by(call, context.term) or context.term(_without_text(call))
                self._bind(item.optional_vars, given, context)
        known = len(self._found.deeds)
        at = _behind_raising(node.body) if is_raising else len(node.body)
        left = self.block(node.body[:at], context)
        if at < len(node.body):
            self.block(node.body[at:], context._replace(lost=context.lost or RAISED_BEFORE))
        if is_raising:
            # What was refused did nothing.
            del self._found.deeds[known:]
        return left

    def _entered(self, node: ast.expr, context: Context) -> ast.expr:
        """What a `with` enters: what a name stands for, and of two the one that something has to be raised in."""
        found = context.resolved(node)
        both = (found.body, found.orelse) if isinstance(found, ast.IfExp) else (found,)
        return next((one for one in both if isinstance(one, ast.Call) and last_name(one) in EXPECTING_ERRORS), node)

    def _for(self, node: ast.For | ast.AsyncFor, context: Context) -> bool:
        resolve = context.resolved
        values = looped_over(node.iter, context.suite, resolve)
        self._calls(node.iter, context)
        if values is None or len(values) > _MOST_ELEMENTS:
            self._bind(node.target, f"each[{context.term(node.iter)}]", context)
            is_known = values is not None or is_filled(node.iter, context.suite, resolve)
            self.block(node.body, context._replace(is_looped=context.is_looped or not is_known))
            self.block(node.orelse, context)
            return False
        left = False
        if not values:
            self.block(node.body, context._replace(lost=context.lost or EMPTY))
        for element in values:
            self._bind(node.target, context.term(element), context, element)
            left = self.block(node.body, context)
        is_broken = left and _end(node.body) == "break"
        self.block(node.orelse, context._replace(lost=context.lost or UNREACHED) if is_broken else context)
        return left and _end(node.body) == "return"

    def _try(self, node: ast.Try | ast.TryStar, context: Context) -> str:
        of = frozenset(
            last_name(one.func) for statement in node.body for one in walk(statement) if isinstance(one, ast.Call)
        )
        for handler in node.handlers:
            classes = frozenset(last_name(kind) for kind in kinds(handler)) or frozenset({"BaseException"})
            self._found.handlers.append(Handler(of, classes, handler.lineno))
        self._has_to_raise(node, context)
        left = self.block(node.body, self._guarded(node, context))
        missing = any(
            last_name(kind) in ("ImportError", "ModuleNotFoundError") for one in node.handlers for kind in kinds(one)
        )
        for handler in node.handlers:
            guard = "ImportError" if missing else f"except {' '.join(sorted(last_name(one) for one in kinds(handler)))}"
            guarded = context._replace(guards=(*context.guards, guard))
            if not left and any(map(is_failing, handler.body)):
                continue
            self.block(handler.body, guarded)
        behind = self.block(node.orelse, context._replace(lost=context.lost or UNREACHED) if left else context)
        ends = (left or (bool(node.orelse) and behind)) and all(leaves(one.body) for one in node.handlers)
        if self.block(node.finalbody, context) or ends:
            return "yes"
        return "" if missing or context.is_retried or not any(map(_ends_early, node.handlers)) else _NOT_CAUGHT

    def _has_to_raise(self, node: ast.Try | ast.TryStar, context: Context) -> None:
        """A `try` that fails by hand where nothing was raised asks what `pytest.raises` asks."""
        handler = node.handlers[0] if len(node.handlers) == 1 else None
        if handler is None or handler.type is None or always_fails(handler.body):
            return
        body = node.body
        if is_failing(body[-1]):
            body = body[:-1]
            fails = not catches([handler.type], Place(context, self._imported).resolve)
        else:
            fails = always_fails(node.orelse)
        if body and fails:
            self._raised(handler.type, body, context)

    def _guarded(self, node: ast.Try | ast.TryStar, context: Context) -> Context:
        """Where the statements of a `try` stand: what they raise may be caught, or dropped."""
        if any(isinstance(one, (ast.Return, ast.Break, ast.Continue)) for one in node.finalbody):
            return context._replace(lost=context.lost or "what stands behind `finally` drops it")
        resolve = Place(context, self._imported).resolve
        kept = max((kept_by(one, resolve, context.kept) for one in node.handlers), default=Keeps.NO)
        if kept and not context.is_retried:
            lost = "what it raises is caught" if kept is Keeps.YES else Doubt("what it raises may be caught")
            context = context._replace(lost=context.lost or lost)
        outer = [last_name(kind) for one in node.handlers if not always_fails(one.body) for kind in kinds(one)]
        return context._replace(kept=(*context.kept, *outer))


def _ends_early(handler: ast.ExceptHandler) -> bool:
    """Whether a handler leaves the test, or the round of its loop, without a failure."""
    return bool(handler.body) and isinstance(handler.body[-1], (ast.Return, ast.Continue, ast.Break))


def _without_text(call: ast.expr) -> ast.expr:
    """What a block enters, but for the text that is asked of what is raised: that is the same whatever is asked."""
    if not isinstance(call, ast.Call) or last_name(call) not in EXPECTING_ERRORS | WARNING:
        return call
    others = [one for one in call.keywords if one.arg not in (*MATCHING, "msg")]
    of_errors = last_name(call) in EXPECTING_ERRORS and call.args
    function = ast.copy_location(ast.Name("raises", ast.Load()), call) if of_errors else call.func
    return ast.copy_location(ast.Call(function, call.args[:1] if of_errors else call.args, others), call)


def _behind_raising(body: Sequence[ast.stmt]) -> int:
    """Where the checks begin that end a block which has to raise, behind what does that; its length if none do."""
    at = len(body)
    while at and _only_checks(body[at - 1]):
        at -= 1
    is_behind = any(isinstance(one, ast.Raise) or next(calls_in(one), None) is not None for one in body[:at])
    return at if is_behind else len(body)


def _only_checks(node: ast.stmt) -> bool:
    return is_check(node.value) and name_of(node) != "fail" if isinstance(node, ast.Expr) else is_check(node)


def _raises_itself(body: Sequence[ast.stmt]) -> bool:
    """Whether a block raises something whatever the tested code does: by itself, or where that raised anything."""
    handlers = [one for node in body if isinstance(node, ast.Try) for one in node.handlers]
    raised = [one for part in (body, *(handler.body for handler in handlers)) for one in part]
    return any(isinstance(one, ast.Raise) and one.exc is not None for one in raised)


def _end(body: Sequence[ast.stmt]) -> str:
    """How a block is left that is always left: by the first statement that does it, if that is none within another."""
    for node in body:
        if isinstance(node, ast.Break):
            return "break"
        if isinstance(node, (ast.Return, ast.Raise)):
            return "return"
        if isinstance(node, ast.Continue):
            return ""
    return ""
