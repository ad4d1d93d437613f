"""Whether code that runs when a file is imported can do more than make values."""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterable

from ledgergate.source.changes import CHANGERS, MUTATORS
from ledgergate.source.syntax import DEFINITIONS, Function, header_of, last_name, spellings, walk
from ledgergate.source.unasked import is_hook

# What can reach into any namespace, whatever it is called on.
_FAR_REACHING = CHANGERS | frozenset(
    (
        *("exec", "eval", "globals", "locals", "vars", "__import__", "import_module", "modules", "reload"),
        *("CodeType", "FunctionType", "MethodType", "MonkeyPatch", "enter_context", "methodcaller", "start", "throw"),
        *("addaudithook", "breakpoint", "ctypes", "gc", "input", "marshal", "pickle", "set_trace"),
        *("_getframe", "currentframe", "f_back", "f_globals", "f_locals", "gi_frame", "tb_frame"),
        *("abort", "alarm", "kill", "main", "quit", "anext", "attrgetter", "getattr", "next", "send"),
        *("__builtins__", "__closure__", "__code__", "__defaults__", "__dict__", "__func__", "__globals__"),
        *("__kwdefaults__", "__loader__", "__self__", "__spec__", "__wrapped__"),
        *("__call__", "__delattr__", "__enter__", "__get__", "__getattribute__", "__init__", "__init_subclass__"),
        *("__next__", "__set__", "__set_name__", "__setattr__", "__setitem__"),
    )
)
# What changes the process that all tests run in, or files, by its name.
_DOING = re.compile(
    r"(?:activate|disable|enable|install|register|run|write)(?:_\w+)?|set(?!s$|tings?$|up$|diff)\w+|del(?:attr|env|item)|"
    r"(?:exec[lv]|fork|spawn|start_new)\w*|add\w*Cleanup|addsitedir|popen|check_call|check_output|f?chdir|submit|"
    r"(?:put|unset)env|\w+_prepend|rmtree|rmdir|truncate|unlink|symlink\w*|hardlink_to|touch|writelines|load_profile|"
    r"(?:filter|reset)warnings|simplefilter"
)
# And the like of only these.
_DOING_MEMBERS = frozenset(
    (
        *(
            ("os", name)
            for name in ("chmod", "close", "dup2", "link", "mkdir", "makedirs", "rename", "replace", "system")
        ),
        *(("shutil", name) for name in ("copy", "copy2", "copyfile", "copytree", "move", "unpack_archive")),
        *(("random", "seed"), ("signal", "signal")),
    )
)
# No other expression acts by itself.
_ACTING = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
_WRITING = re.compile(r"(?=.*[wax+])[rwaxbt+]{1,4}")
# Calls that end the import of the file, or let its tests be skipped; `pytest.mark.skip` and its kin are no such calls.
_ENDS = re.compile(r"\w*(?:skip|exit|fail|_Exit)|SkipTest")


def acts_when_defined(node: Function | ast.ClassDef, suspects: Container[str]) -> bool:
    """Whether the decorators, defaults, annotations or bases of a definition could change something.

    `suspects` are names whose mention is enough: who mentions a function may have it called. Calls of anything else
    (imported things, other classes) make values: parameters, strategies, marks.
    """
    if any(isinstance(one, ast.Lambda) for one in node.decorator_list):
        return True
    if isinstance(node, ast.ClassDef) and node.keywords:
        return True
    return any(acts(part, suspects) for part in _evaluated(node))


def statement_acts(statement: ast.stmt, suspects: Container[str]) -> bool:
    """Whether a statement of a class body does more than to bind a name of the class to a value."""
    if isinstance(statement, DEFINITIONS):
        inner = statement.body if isinstance(statement, ast.ClassDef) else ()
        return acts_when_defined(statement, suspects) or any(statement_acts(child, suspects) for child in inner)
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
    return not all(names) or any(map(is_hook, names)) or acts(statement, suspects)


def acts(part: ast.AST, suspects: Container[str]) -> bool:
    """Whether an expression could change something, or mentions what could."""
    nodes = walk(part)
    marks = _marks_in(nodes)
    return any(node not in marks and _node_acts(node, suspects) for node in nodes)


def reaches_far(name: str) -> bool:
    """Whether it is named like what can change anything, ends a program, or the import of a file for a runner."""
    return name in _FAR_REACHING or any(pattern.fullmatch(name) for pattern in (_ENDS, _DOING))


def is_other_name_for_far(value: ast.expr) -> bool:
    """Whether a value holds what reaches far, or what calls it, to be called later: `pytest.skip`, `partial(exec)`."""
    nodes = walk(value)
    marks = _marks_in(nodes)
    called = {node.func for node in nodes if isinstance(node, ast.Call)}
    return any(
        acts(node, ()) if isinstance(node, ast.Lambda) else _is_far(node) and node not in marks and node not in called
        for node in nodes
    )


def ends_a_run(name: str) -> bool:
    """Whether it is named like what ends a program, or the import of a file for a runner: `skip`, `exit`."""
    return _ENDS.fullmatch(name) is not None


def mentions_on_import(statement: ast.stmt, names: Container[str]) -> bool:
    """Whether one of the names is read while the statement of a class body runs."""
    if isinstance(statement, DEFINITIONS):
        inner = statement.body if isinstance(statement, ast.ClassDef) else ()
        parts = header_of(statement)
        return any(mentions(part, names) for part in parts) or any(mentions_on_import(one, names) for one in inner)
    return mentions(statement, names)


def mentions(part: ast.AST, names: Container[str]) -> bool:
    """Whether one of the names stands in it."""
    return any(isinstance(node, ast.Name) and _is_one(node.id, names) for node in walk(part))


def _evaluated(node: Function | ast.ClassDef) -> list[ast.AST]:
    """What of a definition is evaluated where it stands, but for the plain names of bases, which are not called."""
    bases = [base for base in getattr(node, "bases", ()) if isinstance(base, ast.Name)]
    return [part for part in header_of(node) if part not in bases]


def _is_one(name: str, names: Container[str]) -> bool:
    return any(spelling in names for spelling in spellings(name))


def _node_acts(node: ast.AST, suspects: Container[str]) -> bool:
    if not isinstance(node, _ACTING):
        return False
    if isinstance(node, (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)):
        return True
    if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
        return True
    if isinstance(node, ast.Call) and (_call_acts(node.func) or _opens_to_write(node)):
        return True
    if isinstance(node, ast.Attribute) and node.attr in MUTATORS and _owner(node.value) != "operator":
        return True
    return _is_far(node) or (isinstance(node, ast.Name) and _is_one(node.id, suspects))


def _is_far(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        return reaches_far(node.attr) or node.attr == "gen" or (_owner(node.value), node.attr) in _DOING_MEMBERS
    return isinstance(node, ast.Name) and reaches_far(node.id)


def _marks_in(nodes: Iterable[ast.AST]) -> set[ast.AST]:
    """Attributes like `pytest.mark.skip`; and `unittest.skip`, which only decorates."""
    return {
        node
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and _only_marks(node)
    }


def _only_marks(node: ast.Attribute) -> bool:
    owner = _owner(node.value)
    return (owner == "mark" and node.attr not in _FAR_REACHING) or (owner == "unittest" and node.attr == "skip")


def _owner(node: ast.expr) -> str:
    return "" if isinstance(node, ast.Call) else last_name(node)


def _opens_to_write(node: ast.Call) -> bool:
    arguments = (*node.args, *(keyword.value for keyword in node.keywords))
    texts = [one.value for one in arguments if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return last_name(node.func) == "open" and any(_WRITING.fullmatch(text) for text in texts)


def _call_acts(function: ast.expr) -> bool:
    while isinstance(function, (ast.Attribute, ast.Subscript, ast.Call)):
        function = function.func if isinstance(function, ast.Call) else function.value
    return isinstance(function, ast.Lambda)
