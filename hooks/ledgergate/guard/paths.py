"""Where a file of the tests has modules come from: what it puts before the code that is tested."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ledgergate.guard.came import came_to_do
from ledgergate.guard.exits import dotted
from ledgergate.guard.loss import Loss
from ledgergate.guard.settings import is_usual_folder
from ledgergate.guard.suite import Suite
from ledgergate.source.syntax import last_name, walk

_ADDING = frozenset({"insert", "append", "extend", "__setitem__"})
_TAKING_PLACE = frozenset({"update", "setdefault", "__setitem__"})
_PLAIN = r"[\w./\\-]*"


def other_modules(old: Suite | None, new: Suite) -> Iterator[Loss]:
    """What the file came to put where modules are looked for; whether it is of the tested ones no syntax can say."""
    found = came_to_do("subject-replaced", old, new, _found)
    yield from (one._replace(waits=True) for one in found)


def _found(suite: Suite) -> Iterator[tuple[str, int]]:
    for node in walk(suite.tree):
        if isinstance(node, (ast.Assign, ast.AugAssign)):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                bare = target.value if isinstance(target, ast.Subscript) else target
                if _is_path(bare, suite) or _is_python_path(target):
                    yield from ((what, node.lineno) for what in _folders(node.value, suite))
        elif isinstance(node, ast.Call):
            yield from ((what, node.lineno) for what in _called(node, suite))


def _called(call: ast.Call, suite: Suite) -> Iterator[str]:
    name = last_name(call.func)
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    is_adding = name in _ADDING and owner is not None and _is_path(owner, suite)
    is_setting = name == "setenv" and getattr(next(iter(call.args), None), "value", "") == "PYTHONPATH"
    if is_adding or is_setting or name in ("addsitedir", "syspath_prepend"):
        yield from _folders(call, suite)
    elif name in _TAKING_PLACE and owner is not None and dotted(owner, suite) == "sys.modules":
        yield f"other modules take the place of imported ones: {ast.unparse(call)[:60]}"
    elif name == "dict" and call.args and dotted(call.args[0], suite) == "sys.modules":
        values = [one for given in call.args[1:] for one in getattr(given, "values", [given])]
        if not all(isinstance(one, ast.Constant) for one in values) or not values:
            yield f"other modules take the place of imported ones: {ast.unparse(call)[:60]}"


def _is_path(node: ast.expr, suite: Suite) -> bool:
    return dotted(node, suite) == "sys.path" or (isinstance(node, ast.Attribute) and node.attr == "__path__")


def _is_python_path(target: ast.expr) -> bool:
    return isinstance(target, ast.Subscript) and getattr(target.slice, "value", "") == "PYTHONPATH"


def _folders(node: ast.expr, suite: Suite) -> Iterator[str]:
    """The folders in an expression that code to be tested does not usually lie in."""
    waiting: list[ast.AST] = [*node.args] if isinstance(node, ast.Call) else [node]
    for one in waiting:
        if isinstance(one, ast.Name) and one.id in suite.assigned and len(waiting) < 1000:
            waiting.append(suite.assigned[one.id])
        waiting += [part for part in walk(one) if part is not one and isinstance(part, (ast.Constant, ast.Name))]
    texts = {one.value for one in waiting if isinstance(one, ast.Constant) and isinstance(one.value, str)}
    unusual = sorted(one for one in texts if re.fullmatch(_PLAIN, one) and not is_usual_folder(one))
    if unusual and unusual != ["PYTHONPATH"]:
        yield f"modules of `{next(one for one in unusual if one != 'PYTHONPATH')}` come first now"
