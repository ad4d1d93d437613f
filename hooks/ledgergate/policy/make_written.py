"""Text that a makefile writes for make to read: `$(eval)` and its like work wherever they stand, in recipes too."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

_GAP = r"[\s\\]+"
# Functions that make reads the result of; `call` takes the name of a function as well, and one that is put together.
_WRITES = rf"\$[({{](?:(?:call{_GAP})?(?:eval|guile)(?=[\s\\,])|call{_GAP}[^,(){{}}\s]*\$)"
_WRITER = re.compile(_WRITES)
_WRITER_OR_VARIABLE = re.compile(rf"{_WRITES}|\$(?:[({{](?:call{_GAP})?([\w.-]+)|(\w))")
_EVAL = re.compile(rf"\$[({{](?:eval{_GAP}|call{_GAP}eval\s*,)")
# What may bring in any text, lines included: a file, another language, a variable whose name is put together.
_BRINGS_ANY = re.compile(rf"\$[({{](?:(?:file|guile|value|eval)\b|call{_GAP}[^,]*(?:\$|eval\b)|[\w.-]*\$)")
_DEFINES = re.compile(
    r"^[ \t]*(?:(?:override|export)[ \t]+)*define[ \t]+([\w.-]+)(.*?)(?:^[ \t]*endef\b|\Z)", re.MULTILINE | re.DOTALL
)
_WORD = re.compile(r"[\w.-]+")
_BRACKETS = {"(": re.compile(r"[()]"), "{": re.compile(r"[{}]")}

Variable = tuple[frozenset[str], str]


class Written(NamedTuple):
    """What one function writes; where that cannot be told (`is_known` is false), the function itself, on one line."""

    text: str
    is_known: bool


def written_text(text: str, variables: Sequence[Variable]) -> Iterator[Written]:
    """What each outermost function of a makefile writes for make to read, in their order.

    `variables` are the names and the text of each variable. One that writes what cannot be told does so where it is
    taken, too.
    """
    if not _WRITER.search(text):
        return
    defined = [(frozenset((name,)), body) for name, body in _DEFINES.findall(text)]
    both = [*variables, *defined]
    of_lines = _leading_to(both, {name for names, _ in defined for name in names})
    open_ones = (names for names, value in both if any(not one.is_known for one in _written(value, of_lines, set())))
    writers = _leading_to(both, {name for names in open_ones for name in names})
    yield from _written(text, of_lines | writers, writers)


def _leading_to(variables: Iterable[Variable], names: set[str]) -> set[str]:
    """These names with those of the variables that mention them, however far."""
    by_word: dict[str, set[str]] = {}
    for own, text in variables if names else ():
        for word in set(_WORD.findall(text)):
            by_word.setdefault(word, set()).update(own)
    found, waiting = set(names), list(names)
    while waiting:
        new = by_word.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found


def _written(text: str, loose: set[str], writers: set[str]) -> Iterator[Written]:
    end = 0
    for found in _WRITER_OR_VARIABLE.finditer(text):
        name = found[1] or found[2]
        if found.start() < end or (name is not None and name not in writers):
            continue
        end = _end(text, found.start())
        function = " ".join(text[found.start() : end].replace("\\\n", " ").split())
        started = _EVAL.match(text, found.start(), end)
        if name is not None or started is None:
            yield Written(f"$(eval {function})", is_known=False)
        else:
            argument = text[started.end() : end - 1].strip()
            is_known = _is_known(argument, loose)
            yield Written(argument if is_known else function, is_known)


def _is_known(argument: str, loose: set[str]) -> bool:
    head = re.split("[:=]", argument, maxsplit=1)[0]
    return "$" not in head and not _BRINGS_ANY.search(argument) and loose.isdisjoint(_WORD.findall(argument))


def _end(text: str, start: int) -> int:
    """Where a function or variable ends: make counts the kind of bracket that it begins with, and no other."""
    opens = text[start + 1]
    if opens not in _BRACKETS:
        return start + 2
    depth = 0
    for at in _BRACKETS[opens].finditer(text, start):
        depth += 1 if at[0] == opens else -1
        if depth == 0:
            return at.end()
    return len(text)
