"""The names of a file whose mention, when the file is imported, may do what nobody looked at."""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Iterator

from ledgergate.source.imported import ends_a_run, is_other_name_for_far, reaches_far
from ledgergate.source.kinds import holds_tests, is_test_function
from ledgergate.source.syntax import Scope, definitions, imports, spellings, stored_names, walk
from ledgergate.source.uses import Uses


def suspects_in(tree: ast.Module, uses: Callable[[ast.stmt], Uses]) -> frozenset[str]:
    """Functions and classes that are covered only where they are used; what changes things when it is called, and what
    mentions that; and other names for what reaches far.

    `uses` tells what a statement of the module uses.
    """
    unseen = {
        name for node in tree.body if isinstance(node, Scope) and _is_unseen(node) for name in spellings(node.name)
    }
    other_names = {
        one.asname for node, _ in imports(tree) for one in node.names if one.asname and reaches_far(one.name)
    }
    imported = {(one.asname or one.name).partition(".")[0] for node, _ in imports(tree) for one in node.names}
    return frozenset(unseen | other_names | _acting(tree, uses, imported))


def _is_unseen(node: Scope) -> bool:
    if isinstance(node, ast.ClassDef):
        return holds_tests(node)
    return not node.decorator_list or is_test_function(node)


def _acting(tree: ast.Module, uses: Callable[[ast.stmt], Uses], imported: set[str]) -> set[str]:
    """The names of definitions that change things, of other names for what does, and of all that mentions one."""
    own = {name for node in tree.body for name in _bound_by(node)}
    found: set[str] = set()
    mentioning: list[tuple[frozenset[str], set[str]]] = []
    for node in tree.body:
        if isinstance(node, Scope) and (
            is_test_function(node) or (isinstance(node, ast.ClassDef) and holds_tests(node))
        ):
            continue
        names = {spelling for name in _bound_by(node) for spelling in spellings(name)}
        if not names:
            continue
        if _changes_things(node, uses(node), own, imported):
            found |= names
        else:
            mentioning.append((uses(node).names, names))
    while found:
        more = {name for used, names in mentioning if not found.isdisjoint(used) for name in names} - found
        if not more:
            break
        found |= more
    return found


def _bound_by(node: ast.stmt) -> list[str]:
    if isinstance(node, Scope):
        return [node.name]
    return [*stored_names(node), *(one.name for one in definitions([node]))]


def _changes_things(node: ast.stmt, used: Uses, own: Container[str], imported: Container[str]) -> bool:
    """Whether calling what it binds could change what is not its own, or end the run."""
    if used.rebinds or used.is_dynamic or used.writes_modules or any(name in own for name in used.writes):
        return True
    if any(name in own or name in imported for name in used.stores):
        return True
    if isinstance(node, Scope):
        return any(ends_a_run(name) and not name.endswith("fail") for name in _names_in(node))
    return any(map(is_other_name_for_far, _values_of(node)))


def _values_of(node: ast.stmt) -> Iterator[ast.expr]:
    for one in walk(node):
        value = getattr(one, "value", None)
        if isinstance(one, (ast.Assign, ast.AnnAssign, ast.NamedExpr)) and value is not None:
            yield value


def _names_in(node: ast.stmt) -> Iterator[str]:
    for one in walk(node):
        if isinstance(one, ast.Name):
            yield one.id
        elif isinstance(one, ast.Attribute):
            yield one.attr
