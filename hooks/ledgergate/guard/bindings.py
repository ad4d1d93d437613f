"""What a module or a class binds or deletes, other than by definitions and imports: by statements, and by hand."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ledgergate.source.syntax import DEFINITIONS, dotted_name, last_name, stored_names, walk

UNKNOWN = "?"
_BY_METHOD = frozenset({"pop", "setdefault", "__setitem__", "__delitem__"})
_COMPOUND = (ast.If, ast.For, ast.While, ast.With, ast.Try, ast.TryStar, ast.Match)
_SCOPES = (*DEFINITIONS, ast.Lambda)


def bindings(body: Sequence[ast.stmt]) -> Iterator[tuple[str, int]]:
    """(name, line) in the order of the lines; `a.b` where an attribute is set, `?` where the name is only computed.

    What stands where an import fails is left out.
    """
    for node in body:
        if isinstance(node, DEFINITIONS):
            if isinstance(node, ast.ClassDef):
                yield node.name, node.lineno
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from ((one.asname or one.name, node.lineno) for one in node.names)
        elif isinstance(node, _COMPOUND):
            yield from _inside(node)
        elif isinstance(node, ast.Delete):
            yield from ((name, node.lineno) for target in node.targets for name in stored(target))
        else:
            yield from _of_expression(node)


def _inside(node: ast.stmt) -> Iterator[tuple[str, int]]:
    heads = [getattr(node, field, None) for field in ("test", "target", "iter", "subject")]
    heads += [part for item in getattr(node, "items", ()) for part in (item.context_expr, item.optional_vars)]
    for head in heads:
        yield from _of_expression(head) if head is not None else ()
    for case in getattr(node, "cases", ()):
        yield from ((name, node.lineno) for name in stored_names(case.pattern))
        yield from bindings(case.body)
    for field in ("body", "orelse", "finalbody"):
        yield from bindings(getattr(node, field, ()))
    for handler in getattr(node, "handlers", ()):
        caught = ast.unparse(handler.type) if handler.type is not None else ""
        if "ImportError" not in caught and "ModuleNotFoundError" not in caught:
            yield from [(handler.name, handler.lineno)] if handler.name else []
            yield from bindings(handler.body)


def _of_expression(node: ast.AST) -> Iterator[tuple[str, int]]:
    if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if node.value is not None:
            yield from ((name, node.lineno) for target in targets for name in stored(target))
    elif isinstance(node, ast.expr) and isinstance(getattr(node, "ctx", None), ast.Store):
        yield from ((name, node.lineno) for name in stored(node))
    waiting: list[ast.AST] = [node]
    for one in waiting:
        if isinstance(one, ast.NamedExpr):
            yield one.target.id, one.lineno
        elif isinstance(one, ast.Call):
            yield from ((name, one.lineno) for name in bound_by_call(one))
        if not isinstance(one, _SCOPES):
            waiting += ast.iter_child_nodes(one)


def stored(target: ast.expr) -> Iterator[str]:
    """The names that a target of an assignment binds, dotted where it is an attribute or stands in a namespace."""
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, (ast.Tuple, ast.List)):
        for one in target.elts:
            yield from stored(one)
    elif isinstance(target, ast.Starred):
        yield from stored(target.value)
    elif isinstance(target, ast.Attribute):
        owner = _owner(target.value)
        yield from [_joined(owner, target.attr)] if owner is not None else []
    elif isinstance(target, ast.Subscript):
        owner = namespace_of(target.value)
        yield from [_joined(owner, _text(target.slice))] if owner is not None else []


def bound_by_call(call: ast.Call) -> Iterator[str]:
    """The names that `setattr`, `delattr`, `globals().pop` and their like bind or delete."""
    function = call.func
    if isinstance(function, ast.Name) and function.id in ("setattr", "delattr") and len(call.args) > 1:
        owner = _owner(call.args[0])
        yield from [_joined(owner, _text(call.args[1]))] if owner is not None else []
    elif isinstance(function, ast.Attribute):
        owner = namespace_of(function.value)
        if owner is None:
            return
        if function.attr in _BY_METHOD and call.args:
            yield _joined(owner, _text(call.args[0]))
        elif function.attr == "update":
            given = [_text(key) for one in call.args for key in getattr(one, "keys", [None])]
            given += [one.arg or UNKNOWN for one in call.keywords]
            yield from (_joined(owner, name) for name in given)


def namespace_of(node: ast.expr) -> str | None:
    """Whose names a mapping holds: those of this module (empty), or of what is given as a dotted name; else None."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id in ("globals", "locals") or (node.func.id == "vars" and not node.args):
            return ""
        return _owner(node.args[0]) if node.func.id == "vars" else None
    if isinstance(node, ast.Attribute) and node.attr == "__dict__":
        return _owner(node.value)
    return "" if isinstance(node, ast.Attribute) and node.attr == "__globals__" else None


def _owner(node: ast.expr) -> str | None:
    """A dotted name; also of `import_module("a.b")`, and of `sys.modules["a.b"]`."""
    if isinstance(node, ast.Subscript) and last_name(node.value) == "modules":
        if isinstance(node.slice, ast.Name) and node.slice.id == "__name__":
            return ""
        return _text(node.slice)
    if isinstance(node, ast.Call) and last_name(node.func) in ("import_module", "__import__") and node.args:
        return _text(node.args[0])
    if isinstance(node, ast.Attribute):
        owner = _owner(node.value)
        return None if owner is None else _joined(owner, node.attr)
    return dotted_name(node) or None


def _joined(owner: str, name: str) -> str:
    return f"{owner}.{name}" if owner else name


def _text(node: ast.expr | None) -> str:
    """A text that stands there, also in several parts; `?` for any other expression."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        parts = _text(node.left), _text(node.right)
        return UNKNOWN if UNKNOWN in parts else "".join(parts)
    return UNKNOWN


def runs_text(body: Sequence[ast.stmt]) -> Iterator[int]:
    """The lines outside of functions on which a text is run as code."""
    for node in body:
        if not isinstance(node, DEFINITIONS):
            for one in walk(node):
                if isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id == "exec":
                    yield one.lineno
