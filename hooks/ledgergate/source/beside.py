"""Parses a file beside another version of it, and shares the statements that stand unchanged on the same lines."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import pairwise

from ledgergate.source.text import Source, Unreadable, parse, read_source_by

Span = tuple[int, int]


def read_source_beside(data: bytes, other: Source) -> Source | Unreadable:
    """As `read_source` reads it. Statements of the module that stand unchanged on the same lines are those of `other`.

    Most edits leave much of a file where it was, and to parse that again would be much of the time of a comparison.
    """
    return read_source_by(data, lambda text: _parsed(text, other))


def _parsed(text: str, other: Source) -> ast.Module:
    lines = text.split("\n")
    kept = list(_kept(lines, other))
    if not kept:
        return parse(text)
    for _, (first, last) in kept:
        lines[first - 1 : last] = [""] * (last - first + 1)
    try:
        tree = parse("\n".join(lines))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        # What is wrong with it is told of the whole.
        return parse(text)
    if _overlap([*(span for _, span in kept), *map(_span, tree.body)]):
        return parse(text)
    tree.body = sorted([*(node for node, _ in kept), *tree.body], key=lambda node: node.lineno)
    return tree


def _kept(lines: Sequence[str], other: Source) -> Iterator[tuple[ast.stmt, Span]]:
    """The statements of the other version that are the same here, with the lines up to where the next one begins.

    That one's first line has to be the same, too: an indented line, or an `else`, would belong to what stands before.
    """
    body, known = other.tree.body, other.text.split("\n")
    spans = [_span(node) for node in body]
    begins = [*(first for first, _ in spans), None]
    ends = [0, *(last for _, last in spans)]
    for node, (first, last), before, behind in zip(body, spans, ends, begins[1:], strict=False):
        is_alone = before < first and (behind is None or last < behind) and node.col_offset == 0
        is_same = is_alone and lines[first - 1 : behind] == known[first - 1 : behind]
        if is_same and not (first > 1 and lines[first - 2].endswith("\\")):
            yield node, (first, len(lines) if behind is None else behind - 1)


def _span(node: ast.stmt) -> Span:
    """The first and the last line of a statement, decorators included."""
    first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
    return first, node.end_lineno or node.lineno


def _overlap(spans: Sequence[Span]) -> bool:
    """Whether a statement reaches into another: a text in quotes goes on, or a decorator stands above what was kept."""
    return any(one[1] >= other[0] for one, other in pairwise(sorted(spans)))
