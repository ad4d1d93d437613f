"""Examples of doctest in docstrings and in documents: gone, skipped, or compared with less."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ledgergate.guard.loss import Loss

_PROMPT = re.compile(r"^(?P<indent>\s*)>>> (?P<source>.*)$")
_OPTIONS = re.compile(r"#\s*doctest:\s*([^\n]*)")
_LOOSE = (
    "ELLIPSIS",
    "NORMALIZE_WHITESPACE",
    "IGNORE_EXCEPTION_DETAIL",
    "DONT_ACCEPT_TRUE_FOR_1",
    "NUMBER",
    "ALLOW_UNICODE",
)


class Example(NamedTuple):
    """One example: its source without options, what it has to print, the options that are switched on, its line."""

    source: str
    wanted: str
    options: frozenset[str]
    line: int


def changed_examples(path: str, old: bytes | None, new: bytes | None) -> Iterator[Loss]:
    """What examples lost. `path` is that of a file whose examples are run; one that goes with its file is told too."""
    texts = [(data or b"").decode("utf-8", "replace").splitlines() for data in (old, new)]
    before, after = examples(texts[0]), examples(texts[1])
    rest = list(after)
    for was in before:
        now = next((one for one in rest if one.source == was.source and one.wanted == was.wanted), None)
        now = now or next((one for one in rest if one.source == was.source), None)
        if now is None:
            continue
        rest.remove(now)
        for rule, message, waits in _compared(was, now):
            shown = texts[1][now.line - 1].strip()
            yield Loss(rule, path, message, None, now.line, texts[0][was.line - 1].strip(), shown, waits)
    gone = [one for one in before if one.source not in {other.source for other in after}]
    if len(before) > len(after) and gone:
        more = f" (and {len(gone) - 1} more)" if len(gone) > 1 else ""
        yield Loss("test-removed", path, f"An example is gone{more}", None, None, f">>> {gone[0].source}", waits=True)


def examples(lines: Sequence[str]) -> list[Example]:
    """The examples of a text in their order."""
    found: list[Example] = []
    number = 0
    while number < len(lines):
        begun = _PROMPT.match(lines[number])
        number += 1
        if begun is None:
            continue
        indent, source, line = begun["indent"], [begun["source"]], number
        while number < len(lines) and re.match(rf"{re.escape(indent)}\.\.\.(?: |$)", lines[number]):
            source.append(lines[number][len(indent) + 4 :])
            number += 1
        wanted: list[str] = []
        while number < len(lines) and lines[number].strip() and not _ends(lines[number]):
            wanted.append(lines[number].removeprefix(indent).rstrip())
            number += 1
        text = "\n".join(source)
        options = frozenset(re.findall(r"\+(\w+)", " ".join(_OPTIONS.findall(text))))
        found.append(Example(_OPTIONS.sub("", text).rstrip(), "\n".join(wanted), options, line))
    return found


def _ends(line: str) -> bool:
    """Whether a line is none of what an example prints: the next one, or the end of the docstring or block."""
    bare = line.strip()
    return _PROMPT.match(line) is not None or bare in ('"""', "'''", "```") or bare.endswith(('"""', "'''"))


def _compared(was: Example, now: Example) -> Iterator[tuple[str, str, bool]]:
    if "SKIP" in now.options - was.options:
        yield "skip-added", "The example is skipped now", False
    loose = sorted((now.options - was.options).intersection(_LOOSE))
    if loose:
        waits = now.wanted == was.wanted and "..." not in now.wanted
        yield "assertion-weakened", f"Its output is compared with less care now ({loose[0]})", waits
    elif was.wanted and not now.wanted:
        yield "assertion-removed", "Nothing has to be printed any more", False
    elif was.wanted != now.wanted:
        if _is_hidden(was.wanted, now):
            yield "assertion-weakened", "Part of its output is left out now", False
        else:
            yield "expectation-changed", "Another output is wanted now", True


def _is_hidden(was: str, now: Example) -> bool:
    """Whether the output only differs by what `...` stands for now."""
    if "..." not in now.wanted or "ELLIPSIS" not in now.options:
        return False
    pattern = ".*".join(re.escape(one.strip()) for one in now.wanted.split("..."))
    return re.fullmatch(rf"\s*{pattern}\s*", was, re.DOTALL) is not None
