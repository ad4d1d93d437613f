"""What pytest caught of a test's output, log and warnings, thrown away before it is looked at, or caught less of."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence

from ledgergate.guard.facts import Fact, way
from ledgergate.guard.loss import Loss
from ledgergate.guard.suite import Suite, Test
from ledgergate.guard.well_known import EMPTY
from ledgergate.source.believed import is_check, root_of
from ledgergate.source.syntax import last_name, walk

_CATCHING = frozenset({"caplog", "capsys", "capfd", "capsysbinary", "capfdbinary", "recwarn"})
_DRAINING = frozenset({"clear", "readouterr", "reset"})
_LEVELS = {"NOTSET": 0, "DEBUG": 10, "INFO": 20, "WARNING": 30, "WARN": 30, "ERROR": 40, "CRITICAL": 50, "FATAL": 50}
_NOTHING = EMPTY | {"«0»"}
_SETTING_LEVELS = frozenset({"at_level", "set_level", "assertNoLogs"})


def catches_less(was: Test, new: Suite, now: Test, asked: Iterable[Fact]) -> Iterator[Loss]:
    """What a test looks at less of than before, or at more where it `asked` for something that has to be there."""
    drains = _drained(now)
    if len(drains) > len(_drained(was)):
        name, line = drains[-1]
        message = f"What `{name}` caught is thrown away before the check looks at it"
        yield _loss(new, now, message, line)
    before, after = _levels(was), _levels(now)
    raised = [line for (level, _), (higher, line) in zip(before, after, strict=False) if higher > level]
    if raised and len(before) == len(after):
        yield _loss(new, now, "It no longer looks at log records of a lower level", raised[0])
    lowered = [line for (level, _), (lower, line) in zip(before, after, strict=False) if lower < level]
    if not before:
        lowered = [line for level, line in after if level < _LEVELS["WARNING"]]
    if lowered and len(before) in (0, len(after)) and any(map(_asks_for_records, asked)):
        yield _loss(new, now, "It looks at log records of a lower level, too", lowered[0])
    off = [one.lineno for one in _calls(now) if ast.unparse(one.func) == "logging.disable"]
    if off and not any(ast.unparse(one.func) == "logging.disable" for one in _calls(was)):
        yield _loss(new, now, "Nothing is logged any more while it runs", off[0])


def _loss(new: Suite, now: Test, message: str, line: int) -> Loss:
    return Loss("expectation-changed", new.path, message, now.name, line, None, new.line(line), waits=True)


def _asks_for_records(fact: Fact) -> bool:
    """Whether it asks for log records that have to be there: of a lower level there are more."""
    of_nothing = not _NOTHING.isdisjoint((fact.subject, fact.expected))
    return re.search(r"\bcaplog\b", fact.whole) is not None and way(fact) != "no" and not of_nothing


def _calls(test: Test) -> Iterator[ast.Call]:
    return (one for one in walk(test.node) if isinstance(one, ast.Call))


def _drained(test: Test) -> list[tuple[str, int]]:
    """The fixtures that are emptied with nothing but checks between that and a check of them, and the lines of that."""
    waiting: dict[str, int] = {}
    found = []
    for node in _in_order(test.node.body):
        drained = _drains(node)
        checks = is_check(node.value if isinstance(node, ast.Expr) else node)
        if drained:
            waiting[drained] = node.lineno
        elif checks:
            named = {one.id for one in walk(node) if isinstance(one, ast.Name)}
            found += [(name, line) for name, line in waiting.items() if name in named]
            waiting = {name: line for name, line in waiting.items() if name not in named}
        elif any(isinstance(one, ast.Call) and root_of(one) not in _CATCHING for one in walk(node)):
            waiting = {}
    return found


def _drains(node: ast.AST) -> str:
    """The fixture that a statement empties, throwing away what was in it."""
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr not in _DRAINING:
        return ""
    name = root_of(call.func.value)
    return name if name in _CATCHING else ""


def _in_order(body: Sequence[ast.stmt]) -> Iterator[ast.stmt | ast.expr]:
    """Statements as they stand, of blocks what these begin with and what is in them."""
    for node in body:
        inner = [getattr(node, field, None) or [] for field in ("body", "orelse", "finalbody")]
        if not any(inner):
            yield node
            continue
        yield from (item.context_expr for item in getattr(node, "items", ()))
        yield from filter(None, (getattr(node, field, None) for field in ("test", "iter")))
        for block in inner:
            yield from _in_order(block)


def _levels(test: Test) -> list[tuple[int, int]]:
    """The levels from which on log records are caught, with their lines."""
    found = []
    for call in sorted(_calls(test), key=lambda one: (one.lineno, one.col_offset)):
        if last_name(call.func) in _SETTING_LEVELS:
            given = [*call.args, *(one.value for one in call.keywords if one.arg == "level")]
            found += [(level, call.lineno) for level in map(_level, given) if level is not None]
    return found


def _level(node: ast.expr) -> int | None:
    value = node.value if isinstance(node, ast.Constant) else last_name(node)
    return value if type(value) is int else _LEVELS.get(str(value).upper())
