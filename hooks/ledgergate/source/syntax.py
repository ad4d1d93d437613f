"""Small questions about syntax trees."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import lru_cache

Function = ast.FunctionDef | ast.AsyncFunctionDef
Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_BRANCHING = (
    *(ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith),
    *(ast.Try, ast.TryStar, ast.Match),
)


# Fields that hold no code of their own, only how that of their node is meant; and those that hold no node at all.
_MEANINGS = frozenset({"ctx", "op", "ops"})
_TEXTS = frozenset({"arg", "asname", "attr", "conversion", "id", "is_async", "kind", "level", "module", "type_comment"})
_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {
    kind: () if kind is ast.Constant else tuple(field for field in kind._fields if field not in _MEANINGS | _TEXTS)
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.AST)
}
_BLOCKS = {
    kind: tuple(field for field in ("body", "orelse", "finalbody", "handlers", "cases") if field in fields)
    for kind, fields in _FIELDS.items()
}
# Lists of nodes, in whatever node; others may hold texts, or None.
_NODE_LISTS = frozenset({"args", "body", "comparators", "decorator_list", "elts", "keywords", "orelse", "targets"})


def children(node: ast.AST) -> list[ast.AST]:
    """The parts of a node in their order, as `ast.iter_child_nodes` has them, without operators and contexts.

    Much of the time that pinned tests take goes by here, and this is several times faster.
    """
    found: list[ast.AST] = []
    for field in _FIELDS[type(node)]:
        part = getattr(node, field, None)
        if not isinstance(part, list):
            if isinstance(part, ast.AST):
                found.append(part)
        elif part:
            found += part if field in _NODE_LISTS else [one for one in part if isinstance(one, ast.AST)]
    return found


def walk(node: ast.AST, *, around: type[ast.AST] | None = None) -> list[ast.AST]:
    """The node and everything in it, in no particular order; operators and contexts are left out.

    Of nodes of the kind `around` nothing that stands inside is there.
    """
    found = [node]
    for one in found:
        kind = type(one)
        if kind is not around and _FIELDS[kind]:
            found += children(one)
    return found


def is_text(node: ast.stmt) -> bool:
    """Whether a statement is a constant alone, as a docstring is: it does nothing."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def last_name(expression: ast.expr) -> str:
    """The last part of a dotted name, called or not; empty for any other expression."""
    while type(expression) is ast.Call:
        expression = expression.func
    return expression.attr if type(expression) is ast.Attribute else getattr(expression, "id", "")


def dotted_name(expression: ast.expr) -> str:
    """A name with the attributes behind it, like `a.b.c`; empty for any other expression."""
    parts: list[str] = []
    while isinstance(expression, ast.Attribute):
        parts.append(expression.attr)
        expression = expression.value
    return ".".join([expression.id, *reversed(parts)]) if isinstance(expression, ast.Name) else ""


def base_name(base: ast.expr) -> str:
    """The name of a base class without what stands in brackets behind it."""
    while isinstance(base, ast.Subscript):
        base = base.value
    return last_name(base) if isinstance(base, (ast.Name, ast.Attribute)) else ""


def spellings(name: str) -> tuple[str, ...]:
    """The name, and as `__h` what could be the private name `_C__h` of a class, which is written `__h` in it."""
    if not name.startswith("_") or name.startswith("__") or name.endswith("__"):
        return (name,)
    return (name, *(name[at:] for at in range(2, len(name)) if name.startswith("__", at)))


def header_of(node: ast.AST) -> list[ast.AST]:
    """What of a function or class is evaluated where it stands, before and beside its body."""
    parts: list[ast.AST] = [*getattr(node, "type_params", ())]
    if isinstance(node, ast.ClassDef):
        return [*node.decorator_list, *node.bases, *node.keywords, *parts]
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        return []
    arguments = node.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    parts += [argument.annotation for argument in every if argument is not None and argument.annotation is not None]
    parts += [default for default in (*arguments.defaults, *arguments.kw_defaults) if default is not None]
    if not isinstance(node, ast.Lambda):
        parts += [*node.decorator_list, *([node.returns] if node.returns else [])]
    return parts


def definitions(body: Sequence[ast.stmt]) -> Iterator[Scope]:
    """The functions and classes which a scope's own statements define, in its branches too."""
    for node in body:
        if isinstance(node, DEFINITIONS):
            yield node
        elif isinstance(node, _BRANCHING):
            for field in ("body", "orelse", "finalbody"):
                yield from definitions(getattr(node, field, ()))
            for branch in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
                yield from definitions(branch.body)


def stored_names(node: ast.AST) -> list[str]:
    """The names that stand in it to be bound, other than by definitions and imports."""
    found: list[str | None] = []
    for one in walk(node):
        if isinstance(one, ast.Name):
            found += [one.id] if isinstance(one.ctx, ast.Store) else []
        elif isinstance(one, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
            found.append(one.name)
        elif isinstance(one, ast.MatchMapping):
            found.append(one.rest)
    return [name for name in found if name is not None]


@lru_cache(maxsize=8)
def imports(tree: ast.Module) -> tuple[tuple[ast.Import | ast.ImportFrom, tuple[Scope, ...]], ...]:
    """Every import of the file, in no particular order, with the functions and classes around it, outermost first."""
    found: list[tuple[ast.Import | ast.ImportFrom, tuple[Scope, ...]]] = []
    waiting: list[tuple[ast.AST, tuple[Scope, ...]]] = [(tree, ())]
    while waiting:
        node, around = waiting.pop()
        # An import is a statement, and no expression holds one: so most of the tree need not be looked at.
        blocks = _BLOCKS[type(node)]
        if not blocks:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                found.append((node, around))
            continue
        if isinstance(node, DEFINITIONS):
            around = (*around, node)
        for field in blocks:
            waiting += [(child, around) for child in getattr(node, field)]
    return tuple(found)
