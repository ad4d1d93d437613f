"""Functions within a test that it names and does not call: whether anything may call them."""

from __future__ import annotations

import ast

from ledgergate.guard.well_known import LOOKING
from ledgergate.source.syntax import Function, children, last_name, walk

# What looks at a function, and gives nothing that holds it.
_LOOKING = LOOKING | {"callable", "hasattr", "bool"}
# What gives something that holds the function, and calls it only when somebody calls that or takes values from it.
_WRAPPING = frozenset(
    {
        *(
            "partial",
            "map",
            "filter",
            "starmap",
            "iter",
            "property",
            "staticmethod",
            "classmethod",
            "lru_cache",
            "cache",
        ),
        *("cached_property", "wraps", "contextmanager", "asynccontextmanager"),
    }
)
# What puts a function into what it is a method of.
_STORING = frozenset({"append", "appendleft", "add", "insert", "setdefault", "callback", "push", "push_async_callback"})
_STACKS = frozenset({"ExitStack", "AsyncExitStack", "list", "set", "deque", "dict"})
_HOLDING = (ast.Call, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.keyword, ast.Starred, ast.IfExp)


def is_wrapped(node: Function) -> bool:
    """Whether its decorators leave it to others to call it."""
    return all(last_name(one) in _WRAPPING for one in node.decorator_list)


def may_call(body: Function, name: str) -> bool:
    """Whether something in a function may call what `name` stands for in it, besides calls by that name."""
    above = {id(part): node for node in walk(body) for part in children(node)}
    return _is_taken(body, name, above, frozenset())


def _is_taken(body: Function, name: str, above: dict[int, ast.AST], seen: frozenset[str]) -> bool:
    if name in seen:
        return False
    found = [one for one in walk(body) if isinstance(one, ast.Name) and one.id == name]
    if seen and not _is_own(found, above):
        return True
    for one in found:
        holders = _holders(one, above, is_first=not seen) if isinstance(one.ctx, ast.Load) else []
        if holders is None or any(_is_taken(body, holder, above, seen | {name}) for holder in holders):
            return True
    return False


def _is_own(found: list[ast.Name], above: dict[int, ast.AST]) -> bool:
    """Whether a variable is one that the test alone sets, and no block or fixture does something with at its end."""
    setting = [above[id(one)] for one in found if isinstance(one.ctx, ast.Store)]
    return bool(setting) and all(isinstance(one, (ast.Assign, ast.AnnAssign, ast.NamedExpr)) for one in setting)


def _holders(node: ast.AST, above: dict[int, ast.AST], *, is_first: bool) -> list[str] | None:
    """The variables that hold what a name stands for; None where somebody else has it, or calls it."""
    if is_first and isinstance(above[id(node)], ast.Call) and above[id(node)].func is node:  # type: ignore[attr-defined]
        # A call by its name is followed where it stands.
        return []
    while True:
        inner, node = node, above[id(node)]
        if isinstance(node, ast.Call) and (inner is node.func or last_name(node.func) not in _WRAPPING):
            return None if inner is node.func else _handed_to(node)
        if isinstance(node, ast.Attribute):
            outer = above[id(node)]
            is_storing = node.attr in _STORING and isinstance(outer, ast.Call) and outer.func is node
            return [] if is_storing else None
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)):
            return _targets(node)
        if isinstance(node, (ast.Expr, ast.Assert, ast.Compare, ast.If)):
            return []
        if not isinstance(node, _HOLDING):
            return None


def _handed_to(call: ast.Call) -> list[str] | None:
    name = last_name(call.func)
    if name in _LOOKING:
        return []
    return _stored_in(call.func.value) if name in _STORING and isinstance(call.func, ast.Attribute) else None


def _stored_in(owner: ast.expr) -> list[str] | None:
    if isinstance(owner, ast.Name):
        return [owner.id]
    return [] if isinstance(owner, ast.Call) and last_name(owner) in _STACKS else None


def _targets(node: ast.Assign | ast.AnnAssign | ast.NamedExpr) -> list[str] | None:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    names = [one.id for one in targets if isinstance(one, ast.Name)]
    return names if len(names) == len(targets) else None
