"""Whether code that runs when a file is imported can do more than make values."""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterable

from ledgergate.source.uses import MUTATORS, header_of, spellings

# What can reach into any namespace, whatever it is called on.
_FAR_REACHING = frozenset(
    (
        *(
            "exec",
            "eval",
            "compile",
            "setattr",
            "delattr",
            "globals",
            "locals",
            "vars",
            "__import__",
            "input",
            "breakpoint",
        ),
        *(
            "modules",
            "import_module",
            "reload",
            "setitem",
            "delitem",
            "settrace",
            "setprofile",
            "addaudithook",
            "register",
            "start",
            "throw",
            "methodcaller",
            "quit",
            "abort",
            "kill",
        ),
        *(
            "__dict__",
            "__globals__",
            "__builtins__",
            "__code__",
            "__defaults__",
            "__setattr__",
            "__setitem__",
            "__delattr__",
            "__enter__",
            "__call__",
            "enter_context",
        ),
    )
)
# Calls that end the import of the file, or let its tests be skipped; `pytest.mark.skip` and its kin are no such calls.
_ENDS = re.compile(r"\w*(?:skip|exit|fail|_Exit)")
_HOOKS = re.compile(r"__\w+__|pytest_\w+")
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def acts_when_defined(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, unseen: Container[str]) -> bool:
    """Whether the decorators, defaults, annotations or bases of a definition could change something.

    `unseen` are the functions and classes of the file that are not looked at otherwise: who mentions one may have it
    called. Calls of imported things, of other classes and of decorated functions make values (parameters, strategies,
    marks).
    """
    if any(isinstance(one, ast.Lambda) for one in node.decorator_list):
        return True
    if isinstance(node, ast.ClassDef) and node.keywords:
        return True
    return any(_acts(part, unseen) for part in _evaluated(node))


def statement_acts(statement: ast.stmt, unseen: Container[str]) -> bool:
    """Whether a statement of a class body does more than to bind a name of the class to a value."""
    if isinstance(statement, _DEFINITIONS):
        inner = statement.body if isinstance(statement, ast.ClassDef) else ()
        return acts_when_defined(statement, unseen) or any(statement_acts(child, unseen) for child in inner)
    if isinstance(statement, ast.Expr):
        return not isinstance(statement.value, ast.Constant)
    targets: Iterable[ast.expr]
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, ast.AnnAssign):
        targets = [statement.target]
    else:
        return not isinstance(statement, (ast.Pass, ast.Import, ast.ImportFrom))
    names = [target.id if isinstance(target, ast.Name) else "" for target in targets]
    return not all(names) or any(map(is_hook, names)) or _acts(statement, unseen)


def is_hook(name: str) -> bool:
    """Whether Python or pytest looks up the name in any class, asked or not."""
    return _HOOKS.fullmatch(name) is not None


def ends_a_run(name: str) -> bool:
    """Whether it is named like what ends a program, or the import of a file for a runner: `skip`, `exit`."""
    return _ENDS.fullmatch(name) is not None


def mentions_on_import(statement: ast.stmt, names: Container[str]) -> bool:
    """Whether one of the names is read while the statement of a class body runs."""
    if isinstance(statement, _DEFINITIONS):
        inner = statement.body if isinstance(statement, ast.ClassDef) else ()
        parts = header_of(statement)
        return any(_mentions(part, names) for part in parts) or any(mentions_on_import(one, names) for one in inner)
    return _mentions(statement, names)


def _evaluated(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> list[ast.AST]:
    """What of a definition is evaluated where it stands, but for the plain names of bases, which are not called."""
    bases = [base for base in getattr(node, "bases", ()) if isinstance(base, ast.Name)]
    return [part for part in header_of(node) if part not in bases]


def _mentions(part: ast.AST, names: Container[str]) -> bool:
    return any(isinstance(node, ast.Name) and _is_one(node.id, names) for node in ast.walk(part))


def _is_one(name: str, names: Container[str]) -> bool:
    return any(spelling in names for spelling in spellings(name))


def _acts(part: ast.AST, unseen: Container[str]) -> bool:
    marks = _marks_in(part)
    return any(node not in marks and _node_acts(node, unseen) for node in ast.walk(part))


def _node_acts(node: ast.AST, unseen: Container[str]) -> bool:
    if isinstance(node, (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)):
        return True
    if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
        return True
    if isinstance(node, ast.Call) and _call_acts(node.func):
        return True
    if isinstance(node, ast.Name):
        return node.id in _FAR_REACHING or ends_a_run(node.id) or _is_one(node.id, unseen)
    if isinstance(node, ast.Attribute):
        return node.attr in _FAR_REACHING or ends_a_run(node.attr)
    return False


def _marks_in(part: ast.AST) -> set[ast.AST]:
    """Attributes like `pytest.mark.skip`; and `unittest.skip`, which only decorates."""
    return {
        node
        for node in ast.walk(part)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Load)
        and node.attr not in _FAR_REACHING
        and _last(node.value) in ("mark", "unittest")
    }


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _call_acts(function: ast.expr) -> bool:
    if isinstance(function, ast.Attribute) and function.attr in MUTATORS:
        return True
    if _last(function) == "MonkeyPatch" or (isinstance(function, ast.Call) and _last(function.func) == "getattr"):
        return True
    while isinstance(function, (ast.Attribute, ast.Subscript, ast.Call)):
        function = function.func if isinstance(function, ast.Call) else function.value
    return isinstance(function, ast.Lambda)
