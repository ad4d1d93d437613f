"""What gives the names in examples of doctest their meaning: an example before them may come to give another one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from ledgergate.guard.parts import root
from ledgergate.source.syntax import DEFINITIONS, stored_names, walk
from ledgergate.source.text import Unreadable, read_source

# What is set here changes how all output is printed or compared, or what a name means everywhere.
_OF_THE_RUN = re.compile(r"\b(?:sys\.displayhook|doctest\.[\w.]+|(?:__)?builtins(?:__)?\.\w+)\s*=(?!=)")


class Step(NamedTuple):
    """An example as far as names go: its source, its output, what it shares its names with, and its line."""

    source: str
    wanted: str
    scope: int
    line: int


_Binders = Mapping[str, Step]


def plain_source(source: str) -> str:
    """The source in one way of writing, so that another format of it is no other example."""
    read = read_source(source.encode())
    try:
        return source if isinstance(read, Unreadable) else ast.unparse(read.tree)
    except RecursionError:
        return source


def sets_the_run(source: str) -> bool:
    """Whether an example sets how output is printed or compared, or a builtin."""
    return _OF_THE_RUN.search(source) is not None


def rebound(before: Sequence[Step], after: Sequence[Step]) -> Iterator[tuple[str, Step]]:
    """The names that old examples take from another one now, each with that one."""
    kept = {one.source for one in after}
    found: dict[tuple[str, str], list[_Binders]] = {}
    for step, binders in _bound(after):
        found.setdefault((step.source, step.wanted), []).append(binders)
    for step, was in _bound(before):
        others = [list(_other_binders(was, now, kept)) for now in found.get((step.source, step.wanted), ())]
        if others and all(others):
            yield others[0][0]


def _other_binders(was: _Binders, now: _Binders, kept: set[str]) -> Iterator[tuple[str, Step]]:
    """The names with another origin; an import that took the place of another one, or of none, is no other origin."""
    for name, binder in now.items():
        old = was.get(name)
        is_moved = _facts(binder.source).is_import and (old is None or old.source not in kept)
        if not is_moved and (old is None or old.source != binder.source):
            yield name, binder


def _bound(steps: Sequence[Step]) -> Iterator[tuple[Step, _Binders]]:
    """Each example with the ones that last gave a meaning to its names."""
    binders: dict[tuple[int, str], Step] = {}
    for step in steps:
        facts = _facts(step.source)
        yield step, {name: binders[step.scope, name] for name in facts.loaded if (step.scope, name) in binders}
        binders.update(((step.scope, name), step) for name in facts.bound)


class _Facts(NamedTuple):
    loaded: tuple[str, ...]
    bound: tuple[str, ...]
    is_import: bool


@lru_cache(maxsize=4096)
def _facts(source: str) -> _Facts:
    """The names that an example reads and binds; one whose attribute or element it sets counts as bound."""
    read = read_source(source.encode())
    if isinstance(read, Unreadable):
        return _Facts((), (), is_import=False)
    tree = read.tree
    loaded, bound, is_import = [], stored_names(tree), bool(tree.body)
    for one in tree.body:
        is_import = is_import and isinstance(one, (ast.Import, ast.ImportFrom))
        bound += [one.name] if isinstance(one, DEFINITIONS) else []
    for node in walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            bound += [alias.asname or alias.name.partition(".")[0] for alias in node.names]
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            loaded.append(node.id)
        elif isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Store):
            bound.append(root(node))
    return _Facts(tuple(loaded), tuple(bound), is_import)
