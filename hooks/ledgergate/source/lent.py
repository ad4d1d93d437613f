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
    """An imported helper: `from MODULE import NAME`, with as many dots before the module as `level` says."""

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
    return () if asked is Asks.MORE else tuple(imported[name] for name in sorted(called))


@lru_cache(maxsize=8)
def _imported(tree: ast.Module) -> Mapping[str, Lent]:
    return {
        alias.asname or alias.name: Lent(node.module or "", node.level, alias.name)
        for node, _ in imports(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
