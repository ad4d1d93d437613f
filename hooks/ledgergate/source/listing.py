"""Which tests a file holds."""

from __future__ import annotations

from collections.abc import Iterator

from ledgergate.source.outline import Outline, outline_of
from ledgergate.source.text import Unreadable
from ledgergate.source.units import Suite


def listed_tests(source: bytes) -> list[tuple[str, ...]] | Unreadable:
    """The paths to the test functions that the file's own text defines: functions, then those of classes."""
    outline = outline_of(source)
    if not isinstance(outline, Outline):
        return outline
    functions = [(method.name,) for method in outline.functions if method.is_test]
    return [*functions, *(name for suite in outline.suites for name in _methods(suite, ()))]


def _methods(suite: Suite, place: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    inside = (*place, suite.name)
    yield from ((*inside, method.name) for method in suite.functions if method.is_test)
    for inner in suite.inner:
        yield from _methods(inner, inside)
