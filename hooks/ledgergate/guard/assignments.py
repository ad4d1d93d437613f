"""Reads what a test assigns: names that stand for something else, and objects that it puts in the place of others."""

from __future__ import annotations

import ast

from ledgergate.guard.context import Context
from ledgergate.guard.expressions import ExpressionReader
from ledgergate.guard.parts import elements, fake_by, root, variable
from ledgergate.guard.reading import Patch
from ledgergate.source.syntax import last_name

_FAKES = frozenset({"Mock", "MagicMock", "AsyncMock", "NonCallableMock", "NonCallableMagicMock", "create_autospec"})


class AssignmentReader(ExpressionReader):
    """Reads statements that bind names, or delete what they stand for."""

    def _assignment(self, node: ast.Assign | ast.AnnAssign | ast.AugAssign, context: Context) -> None:
        if node.value is None:
            return
        context.bind_walrus(node.value)
        self._calls(node.value, context)
        term = fake_by(node.value, context.term) or context.term(node.value)
        if isinstance(node, ast.AugAssign):
            part = ast.unparse(node.target)
            name = variable(node.target) or (part if part in context.environment else "")
            if name:
                context.environment[name] = f"[{context.environment.get(name, name)} + {term}]"
                context.nodes.pop(name, None)
            return
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            value = context.resolved(node.value) if isinstance(node.value, ast.Subscript) else node.value
            self._bind(target, term, context, value)

    def _deleted(self, node: ast.Delete, context: Context) -> None:
        """`del CASES[:]`: nobody can say what is left, if anything."""
        for target in node.targets:
            name = getattr(target.value, "id", "") if isinstance(target, ast.Subscript) else getattr(target, "id", "")
            is_whole = isinstance(target, ast.Subscript) and ast.unparse(target.slice) == ":"
            if name in context.nodes:
                context.nodes.pop(name)
                context.environment.pop(name, None)
                if is_whole:
                    context.nodes[name] = ast.List(elts=[], ctx=ast.Load())

    def _bind(self, target: ast.expr, term: str, context: Context, node: ast.expr | None = None) -> None:
        name = variable(target)
        if _is_fake_part(target, node):
            # What is asked of it is still asked of a part of that object.
            context.environment.pop(name, None)
            context.nodes.pop(name, None)
            self._assigned_elsewhere(target, context)  # type: ignore[arg-type]
        elif name:
            context.environment[name] = term
            context.nodes.pop(name, None)
            if node is not None:
                context.nodes[name] = node
            if isinstance(target, ast.Attribute):
                self._assigned_elsewhere(target, context)
        elif isinstance(target, (ast.Tuple, ast.List)):
            parts = elements(node) if node is not None else None
            for number, element in enumerate(target.elts):
                inner = parts[number] if parts is not None and len(parts) == len(target.elts) else None
                written = f"{term}[{number}]" if inner is None else context.term(inner)
                self._bind(element, written, context, inner)
        elif isinstance(target, (ast.Attribute, ast.Subscript)):
            if (part := ast.unparse(target)) in context.environment:
                context.environment[part] = term
            self._found.acts.setdefault(f"{context.term(target)} = {term}", target.lineno)

    def _assigned_elsewhere(self, target: ast.Attribute, context: Context) -> None:
        """`app.total = fake`: an attribute of a module is put in place."""
        if isinstance(target.value, ast.Name) and target.value.id in context.suite.imported:
            self._found.patches.append(Patch(f"{target.value.id}.{target.attr}", target.lineno))


def _is_fake_part(target: ast.expr, value: ast.expr | None) -> bool:
    """`conn.commit = Mock()`"""
    is_part = isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name)
    return (
        is_part and root(target) not in ("self", "cls") and isinstance(value, ast.Call) and last_name(value) in _FAKES
    )
