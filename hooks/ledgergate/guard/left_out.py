"""Marks that the settings of the tests leave out: an old test that gets one does not run any more."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from ledgergate.guard.loss import Loss
from ledgergate.guard.skips import pytestmarks
from ledgergate.guard.suite import Suite, Test
from ledgergate.source.syntax import last_name, walk

_EXPRESSION = re.compile(r"""(?:^|\s)-m[\s=]*["']?(not\b[\w\s()]*)""")
_LEFT_OUT = re.compile(r"\bnot\s+(\w+)|\bnot\s*\(([\w\s]+)\)")
_WORDS = frozenset({"and", "or", "not"})


def left_out_marks(options: str) -> frozenset[str]:
    """The marks that pytest's options leave out, as in `-m "not slow and not (net or gui)"`."""
    found = (one for text in _EXPRESSION.findall(options) for pair in _LEFT_OUT.findall(text) for one in pair)
    return frozenset(word for one in found for word in one.split()) - _WORDS


def left_out(old: Suite, new: Suite, tests: Mapping[str, tuple[Test, Test]], marks: frozenset[str]) -> Iterator[Loss]:
    """The tests of a file that got one of the marks; `tests` gives what they were and are, by name."""
    if not any(map(new.mentions, marks)):
        return
    for name, (was, now) in tests.items():
        known = _marks(old, was)
        for mark, line in _marks(new, now).items():
            if mark in marks and mark not in known:
                message = f"The settings of the tests leave out what is marked `{mark}`"
                yield Loss("skip-added", new.path, message, name, line, None, new.line(line), waits=True)


def _marks(suite: Suite, test: Test) -> dict[str, int]:
    """The marks of a test, its classes, its file and the rows of its tables, with their lines."""
    found = [*test.node.decorator_list, *pytestmarks(suite.tree.body)]
    for one in suite.lineage(test.classes):
        found += [*one.decorator_list, *pytestmarks(one.body)]
    found = [suite.assigned.get(one.id, one) if isinstance(one, ast.Name) else one for one in found]
    parts = (part for one in found for part in walk(one))
    return {
        part.attr: part.lineno for part in parts if isinstance(part, ast.Attribute) and last_name(part.value) == "mark"
    }
