"""Blocks in which something has to be raised: what else in them may raise it now."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ledgergate.guard.loss import Loss
from ledgergate.guard.parts import calls_in, root
from ledgergate.guard.suite import Suite, Test
from ledgergate.guard.well_known import RAISING
from ledgergate.source.syntax import Function, last_name, walk

_ANYTHING = frozenset({"Exception", "BaseException"})
_OPERATED = frozenset({"TypeError", *_ANYTHING})
_DIVIDED = frozenset({"ZeroDivisionError", "ArithmeticError", "OverflowError", *_OPERATED})
_LOOKED_UP = frozenset({"LookupError", "KeyError", "IndexError", *_OPERATED})
_GOT = frozenset({"AttributeError", *_ANYTHING})
_DIVISIONS = (ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.LShift)
# What raises nothing, whatever plain values it is given.
_QUIET = frozenset(
    {
        *(
            "str",
            "repr",
            "list",
            "tuple",
            "dict",
            "set",
            "frozenset",
            "bool",
            "len",
            "range",
            "print",
            "object",
            "type",
        ),
        *("Mock", "MagicMock", "AsyncMock", "SimpleNamespace", "Path", "BytesIO", "StringIO", "partial", "warns"),
    }
)
# What is raised in these may be what the tested code has to let through, or never leave them.
_INNER = (ast.With, ast.AsyncWith, ast.Try, ast.TryStar, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_MOST_FOLLOWED = 20
_RAISE = r"\braise\b"


class _Block(NamedTuple):
    """Statements that have to raise one of the classes, as the file writes them."""

    wanted: str
    body: Sequence[ast.AST]
    line: int
    classes: frozenset[str]
    dumped: str

    @property
    def parts(self) -> list[ast.AST]:
        return [part for node in self.body for part in walk(node)]


def raised_by_others(old: Suite, was: Test, new: Suite, now: Test) -> Iterator[Loss]:
    """What came into the blocks of a test that may raise what the tested code had to raise before."""
    before = _blocks(was) if any(map(old.mentions, RAISING)) else []
    if not before:
        return
    of_before: set[str] = set()
    after = _blocks(now)
    raises_more = new.count("raise") > old.count("raise") or re.search(_RAISE, new.text_since(old)) is not None
    for known, block in _paired(before, after):
        if known.dumped == block.dumped and not raises_more:
            continue
        line = _raises_itself(old, was, known, new, now, block)
        if line is not None:
            message = "The test raises itself what the tested code had to raise"
            yield Loss("assertion-tautology", new.path, message, now.name, line, old.line(known.line), new.line(line))
            continue
        if known.dumped == block.dumped:
            continue
        of_before = of_before or {ast.dump(part) for part in walk(was.node) if isinstance(part, ast.expr)}
        other = _other(known, block, of_before)
        if other is not None:
            message = f"`{ast.unparse(other)[:60]}` came into the block, and may raise that as well"
            line = getattr(other, "lineno", block.line)
            at = old.line(known.line), new.line(line)
            yield Loss("expectation-changed", new.path, message, now.name, line, *at, waits=True)


def _blocks(test: Test) -> list[_Block]:
    found = []
    for node in walk(test.node):
        for item in node.items if isinstance(node, (ast.With, ast.AsyncWith)) else ():
            call = item.context_expr
            if isinstance(call, ast.Call) and last_name(call) in RAISING and call.args:
                found.append(_block(call.args[0], node.body, node.lineno))  # type: ignore[attr-defined]
        if isinstance(node, ast.Call) and last_name(node) in RAISING and len(node.args) > 1:
            bodies = [one.body for one in node.args[1:] if isinstance(one, ast.Lambda)]
            if bodies:
                found.append(_block(node.args[0], bodies, node.lineno))
    return sorted(found, key=lambda one: one.line)


def _block(wanted: ast.expr, body: Sequence[ast.AST], line: int) -> _Block:
    classes = wanted.elts if isinstance(wanted, ast.Tuple) else [wanted]
    return _Block(ast.unparse(wanted), body, line, frozenset(map(last_name, classes)), "\n".join(map(ast.dump, body)))


def _paired(before: Sequence[_Block], after: Sequence[_Block]) -> Iterator[tuple[_Block, _Block]]:
    """Each new block with the old one that it most likely was: the same one, else the next of the same classes."""
    left = list(before)
    changed = []
    for block in after:
        same = next((one for one in left if (one.wanted, one.dumped) == (block.wanted, block.dumped)), None)
        if same is None:
            changed.append(block)
        else:
            left.remove(same)
            yield same, block
    for block in changed:
        known = next((one for one in left if one.wanted == block.wanted), None)
        if known is not None:
            left.remove(known)
            yield known, block


def _raises_itself(old: Suite, was: Test, known: _Block, new: Suite, now: Test, block: _Block) -> int | None:
    """The line of the block from which the test raises one of the classes itself, where it did not before."""
    if _own(known, known.body) or any(isinstance(one, ast.Raise) for one in known.parts):
        return None
    calls = Counter(last_name(one) for node in known.body for one in calls_in(node))
    if calls - Counter(last_name(one) for node in block.body for one in calls_in(node)):
        return None
    for one in _own(block, block.body):
        return one.lineno
    raising_before = {name for name, _, node in _helpers(old, was, known) if _own(known, node.body)}
    for name, line, node in _helpers(new, now, block):
        if name not in raising_before and _own(block, node.body):
            return line
    return None


def _own(block: _Block, body: Sequence[ast.AST]) -> list[ast.Raise]:
    """The `raise` statements of the classes among statements, but for those that other code stands around."""
    waiting, found = list(body), []
    for node in waiting:
        if isinstance(node, ast.Raise) and node.exc is not None and last_name(node.exc) in block.classes:
            found.append(node)
        if isinstance(node, ast.stmt) and not isinstance(node, _INNER):
            waiting += [one for one in ast.iter_child_nodes(node) if isinstance(one, ast.stmt)]
    return found


def _helpers(suite: Suite, test: Test, block: _Block) -> Iterator[tuple[str, int, Function]]:
    """The functions of the file that a block calls, with the line of the call; those that these call as well."""
    functions = {**suite.functions, **{one.name: one for one in walk(test.node) if isinstance(one, Function)}}
    methods = suite.methods(test.classes)
    told: set[str] = set()
    waiting = [(one, one.lineno) for node in block.body for one in calls_in(node)]
    for call, line in waiting:
        name = last_name(call)
        is_own = root(call.func) in ("self", "cls") and isinstance(call.func, ast.Attribute)
        node = methods.get(name) if is_own else functions.get(name) if isinstance(call.func, ast.Name) else None
        if node is None or name in told or len(told) > _MOST_FOLLOWED:
            continue
        told.add(name)
        yield name, line, node
        waiting += [(one, line) for statement in node.body for one in calls_in(statement)]


def _other(known: _Block, block: _Block, of_before: set[str]) -> ast.AST | None:
    """Something beside the old calls of a block that may raise one of its classes, and was nowhere in the test."""
    classes = block.classes
    made = {id(part) for one in block.parts if isinstance(one, ast.Raise) for part in walk(one)}
    for one in block.parts:
        if isinstance(one, ast.expr) and _operates(one, classes) and ast.dump(one) not in of_before:
            return one
        if isinstance(one, ast.Raise) and not any(isinstance(part, ast.Raise) for part in known.parts):
            return one
    was = Counter(last_name(one) for node in known.body for one in calls_in(node))
    now = [one for node in block.body for one in calls_in(node)]
    more = Counter(map(last_name, now)) - was
    if was - Counter(map(last_name, now)):
        return None
    may_raise = (one for one in now if last_name(one) in more and last_name(one) not in _QUIET and id(one) not in made)
    return next((one for one in may_raise if ast.dump(one) not in of_before), None)


def _operates(node: ast.expr, classes: frozenset[str]) -> bool:
    """Whether an operation may raise one of the classes by itself."""
    if isinstance(node, ast.BinOp):
        is_text = isinstance(node.left, (ast.Constant, ast.JoinedStr)) and isinstance(
            getattr(node.left, "value", ""), str
        )
        is_divided = isinstance(node.op, _DIVISIONS) and not is_text
        return not classes.isdisjoint(_DIVIDED if is_divided else _OPERATED)
    if isinstance(node, ast.Subscript):
        return not classes.isdisjoint(_LOOKED_UP)
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Call) and not classes.isdisjoint(_GOT)
