"""Whether a strategy of Hypothesis draws no less than another one, where their texts alone tell."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ledgergate.guard.suite import Suite
from ledgergate.source.syntax import last_name, walk

_LOWER = frozenset({"min_value", "min_size", "start"})
_UPPER = frozenset({"max_value", "max_size", "end", "max_leaves"})
# Of these one value comes, or none.
_NARROW = frozenset({"just", "nothing", "none"})


def draws_nothing(node: ast.expr, suite: Suite) -> bool:
    """Whether next to nothing can come of a strategy."""
    node = _resolved(node, suite)
    if isinstance(node, ast.Call):
        name = last_name(node.func)
        if name == "filter" and isinstance(node.func, ast.Attribute):
            test = node.args[0] if node.args else None
            never = isinstance(test, ast.Lambda) and isinstance(test.body, ast.Constant) and not test.body.value
            return never or draws_nothing(node.func.value, suite)
        if name == "sampled_from" and node.args:
            values = _resolved(node.args[0], suite)
            return isinstance(values, (ast.List, ast.Tuple)) and len(values.elts) < 2
        bounds = {one.arg: ast.dump(one.value) for one in node.keywords}
        is_point = "min_value" in bounds and bounds["min_value"] == bounds.get("max_value")
        return is_point or name in _NARROW
    return False


def draws_no_less(old: ast.expr, new: ast.expr, before: Suite, after: Suite) -> bool:
    """Whether the new strategy is the old one, or wider by its bounds, its filters or its alternatives."""
    old, new = _resolved(old, before), _resolved(new, after)
    if ast.dump(old) == ast.dump(new):
        return not _leans_on_other(new, before, after)
    is_filtered = isinstance(old, ast.Call) and isinstance(old.func, ast.Attribute) and old.func.attr == "filter"
    if is_filtered and draws_no_less(old.func.value, new, before, after):  # type: ignore[attr-defined]
        return True
    was, now = _alternatives(old), _alternatives(new)
    if len(now) > 1 or len(was) > 1:
        return all(any(draws_no_less(one, other, before, after) for other in now) for one in was)
    if not (isinstance(old, ast.Call) and isinstance(new, ast.Call)) or last_name(old.func) != last_name(new.func):
        return False
    parts = [*zip(_parts(old), _parts(new), strict=False)]
    is_alike = len(_parts(old)) == len(_parts(new)) and all(_same(*pair, before, after) for pair in parts)
    return is_alike and _keywords(old, new, before, after)


def _parts(call: ast.Call) -> list[ast.expr]:
    """What a strategy is made of: its arguments, and the strategy that it is a method of."""
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    return [*([owner] if isinstance(owner, ast.Call) else []), *call.args]


def _same(old: ast.expr, new: ast.expr, before: Suite, after: Suite) -> bool:
    return ast.dump(old) == ast.dump(new) or (isinstance(old, ast.Call) and draws_no_less(old, new, before, after))


def _keywords(old: ast.Call, new: ast.Call, before: Suite, after: Suite) -> bool:
    was, now = ({one.arg: one.value for one in call.keywords} for call in (old, new))
    for name in was.keys() | now.keys():
        one, other = was.get(name), now.get(name)
        if one is not None and other is not None and ast.dump(one) == ast.dump(other):
            continue
        if name in _LOWER | _UPPER:
            if other is not None and not (one is not None and _is_past(name or "", one, other)):
                return False
        elif one is None or other is None or not draws_no_less(one, other, before, after):
            return False
    return True


def _is_past(name: str, old: ast.expr, new: ast.expr) -> bool:
    try:
        was, now = ast.literal_eval(old), ast.literal_eval(new)
        return bool(now <= was) if name in _LOWER else bool(now >= was)
    except (ValueError, TypeError):
        return False


def _alternatives(node: ast.expr) -> Sequence[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return [*_alternatives(node.left), *_alternatives(node.right)]
    if isinstance(node, ast.Call) and last_name(node.func) == "one_of":
        return node.args
    return [node]


def _resolved(node: ast.expr, suite: Suite) -> ast.expr:
    return suite.assigned.get(node.id, node) if isinstance(node, ast.Name) else node


def _leans_on_other(node: ast.expr, before: Suite, after: Suite) -> bool:
    """Whether a function or name of the file that a strategy is made of says something else now."""
    names = {one.id for one in walk(node) if isinstance(one, ast.Name)}
    for name in names & before.functions.keys() & after.functions.keys():
        if before.text(before.functions[name]) != after.text(after.functions[name]):
            return True
    return any(
        not draws_no_less(before.assigned[name], after.assigned[name], before, after)
        for name in names & before.assigned.keys() & after.assigned.keys()
    )
