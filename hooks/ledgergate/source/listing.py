"""Which tests a file holds."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ledgergate.source.kinds import fixture_names
from ledgergate.source.outline import Outline, outline_of
from ledgergate.source.syntax import Scope, last_name
from ledgergate.source.text import Unreadable, read_source
from ledgergate.source.units import Suite


def listed_tests(source: bytes) -> list[tuple[str, ...]] | Unreadable:
    """The paths to the test functions that the file's own text defines: functions, then those of classes."""
    outline = outline_of(source)
    if not isinstance(outline, Outline):
        return outline
    functions = [(method.name,) for method in outline.functions if method.is_test]
    return [*functions, *(name for suite in outline.suites for name in _methods(suite, ()))]


def kind_of_no_test(source: bytes, names: tuple[str, ...]) -> str | None:
    """What a file defines under a name, where that is surely no test: a class, or a fixture. None for all else."""
    parsed = read_source(source)
    if isinstance(parsed, Unreadable):
        return None
    body: list[ast.stmt] = parsed.tree.body
    for name in names[:-1]:
        body = [node for one in body if isinstance(one, ast.ClassDef) and one.name == name for node in one.body]
    found = [one for one in body if isinstance(one, Scope) and one.name == names[-1]]
    if found and all(isinstance(one, ast.ClassDef) for one in found):
        return "a class"
    fixtures = fixture_names(parsed)
    marks = [{last_name(mark) for mark in one.decorator_list} for one in found]
    is_fixture = found and all("fixture" in names or not fixtures.isdisjoint(names) for names in marks)
    return "a fixture" if is_fixture else None


def _methods(suite: Suite, place: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    inside = (*place, suite.name)
    yield from ((*inside, method.name) for method in suite.functions if method.is_test)
    for inner in suite.inner:
        yield from _methods(inner, inside)
