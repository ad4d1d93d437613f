"""Which tests of a file an edit may have touched, so that only these are read."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ledgergate.guard.suite import Suite
from ledgergate.guard.well_known import SET_UPS
from ledgergate.source.syntax import Function, is_text

_WORD = re.compile(r"[^\W\d]\w*")
Piece = tuple[str, str]
_AROUND_ALL = frozenset({*map(str.lower, SET_UPS), "teardown", "teardownclass", "asyncteardown", "teardown_method"})


def touched_tests(old: Suite, new: Suite) -> frozenset[str]:
    """The names of tests whose text, or something of the file that they could lean on, differs between the sides."""
    before, after = (_pieces(suite) for suite in (old, new))
    changed = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    words = {word for name in changed for word in _WORD.findall(name.rpartition("::")[2])}
    if any(name.startswith(("?", "autouse ")) for name in changed):
        return frozenset(test.name for suite in (old, new) for test in suite.tests)
    texts = {**before, **after}
    found = set(changed)
    while True:
        more = {name for name, text in texts.items() if name not in found and _says(text, words)}
        if not more:
            return frozenset(test.name for suite in (old, new) for test in suite.tests if _is_touched(test.name, found))
        found |= more
        # What leans on a test does so only by name, and few do.
        words = {word for name in more for word in _WORD.findall(name.rpartition("::")[2])}


def _is_touched(name: str, found: set[str]) -> bool:
    parts = name.split("::")
    return name in found or any("::".join(parts[:number]) in found for number in range(1, len(parts)))


def _says(text: str, words: set[str]) -> bool:
    """Whether one of the words stands in a text, and not only as a part of another one."""
    return any(word in text for word in words) and not words.isdisjoint(_WORD.findall(text))


def _pieces(suite: Suite) -> dict[str, str]:
    """The statements of the module and its classes by what they define; what defines nothing counts for every test."""
    found: dict[str, str] = {}
    for name, text in _statements(suite, suite.tree.body, ""):
        found[name] = f"{found[name]}\n{text}" if name in found else text
    return found


def _statements(suite: Suite, body: list[ast.stmt], place: str) -> Iterator[Piece]:
    for node in body:
        if isinstance(node, Function):
            text = suite.text(node)
            is_for_all = ("autouse" in text and "fixture" in text) or node.name.lower() in _AROUND_ALL
            kind = "autouse " if is_for_all else ""
            yield f"{kind}{place}{node.name}", text
        elif isinstance(node, ast.ClassDef):
            yield from _statements(suite, node.body, f"{place}{node.name}::")
            first = node.body[0]
            head = suite.source.lines[node.lineno - 1 : first.lineno - 1] if first.lineno > node.lineno else ()
            marks = [ast.unparse(one) for one in node.decorator_list]
            yield f"{place}{node.name}", "\n".join((*marks, *(line.strip() for line in head)))
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                yield f"{place}{alias.asname or alias.name}", f"{getattr(node, 'module', '')} {alias.name}"
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)]
            known = [name for name in names if name != "pytestmark"]
            for name in known or [f"?{place}{suite.text(node)}"]:
                yield f"{place}{name}" if known else name, suite.text(node)
        elif not is_text(node):
            yield f"?{place}{suite.text(node)}", suite.text(node)
