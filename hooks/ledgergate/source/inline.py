"""The digest of a test's own source, and whether two of them differ in layout only."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Sequence

from ledgergate.source.cover import Cover, cover
from ledgergate.source.outline import Outline, outline_of
from ledgergate.source.text import Unreadable


def covered_text(source: bytes, names: Sequence[str]) -> str | Unreadable:
    """The lines that the contract of a test covers, without white space at their ends, joined by line feeds.

    `source` is the file, `names` the path to the function in it: (`TestX`, `test_y`). Unreadable: it is no Python, or
    does not define the function exactly once.
    """
    covered = cover(source, names)
    return covered if isinstance(covered, Unreadable) else _text(source, covered)


def inline_digest(source: bytes, names: Sequence[str]) -> str | Unreadable:
    """`sha256:<hex>` of the covered lines in UTF-8."""
    text = covered_text(source, names)
    if isinstance(text, Unreadable):
        return text
    return f"sha256:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def differ_in_layout_only(old: bytes, new: bytes, names: Sequence[str]) -> bool:
    """Whether the covered sources of a test have equal syntax trees in two states of its file; texts count, doc too."""
    before, after = cover(old, names), cover(new, names)
    if isinstance(before, Unreadable) or isinstance(after, Unreadable):
        return False
    try:
        return _trees(before) == _trees(after)
    except (RecursionError, MemoryError):
        return False


def _text(source: bytes, covered: Cover) -> str:
    outline = outline_of(source)
    if not isinstance(outline, Outline):
        raise TypeError("a cover of an unreadable file")
    lines = outline.source.lines
    return "\n".join(lines[number - 1] for number in covered.lines)


def _trees(covered: Cover) -> list[tuple[str, str]]:
    return [(unit.place, ast.dump(unit.shape)) for unit in covered.units]
