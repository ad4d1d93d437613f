"""Which imported helpers a test leaves all its checking to."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from ledgergate.source.asserted import Asks
from ledgergate.source.cover import Target, find_target
from ledgergate.source.outline import Outline, outline_of
from ledgergate.source.strength import believed_imports
from ledgergate.source.syntax import imports
from ledgergate.source.text import Unreadable


class Lent(NamedTuple):
    """An imported helper: `from MODULE import NAME`, with as many dots before the module as `level` says.

    What is called through a module (`import MODULE`, then `MODULE.NAME()`) is meant as if it were imported so.
    """

    module: str
    level: int
    name: str


def lent_checks(source: bytes, names: Sequence[str]) -> tuple[Lent, ...]:
    """The imported helpers that a test checks with, where it holds no other check that can fail; else none."""
    outline = outline_of(source)
    target = None if isinstance(outline, Unreadable) else find_target(outline, names)
    if not isinstance(outline, Outline) or not isinstance(target, Target):
        return ()
    imported = _imported(outline.source.tree)
    asked, called = believed_imports(outline, target, frozenset(imported))
    return () if asked is Asks.MORE else tuple(_lent(name, imported) for name in sorted(called))


def _lent(called: str, imported: Mapping[str, Lent]) -> Lent:
    root, *path = called.split(".")
    module, level, name = imported[root]
    names = [*filter(None, (module, name)), *path]
    return Lent(".".join(names[:-1]), level, names[-1])


@lru_cache(maxsize=8)
def _imported(tree: ast.Module) -> Mapping[str, Lent]:
    """By the names that imports bind, what they are; of a module, with no `name`."""
    found: dict[str, Lent] = {}
    for node, _ in imports(tree):
        for alias in node.names:
            if isinstance(node, ast.ImportFrom):
                found[alias.asname or alias.name] = Lent(node.module or "", node.level, alias.name)
            elif alias.asname:
                found[alias.asname] = Lent(alias.name, 0, "")
            else:
                top = alias.name.partition(".")[0]
                found[top] = Lent(top, 0, "")
    return found
