"""How to go on, with the words that stand for something filled in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ledgergate.values import Finding, display_path

_GLOB_CHARACTERS = frozenset("*?[\\")
# More of them in a command are hard to read, and to type.
_MOST_NAMED = 3


def filled_remedy(findings: Sequence[Finding]) -> str:
    """The remedy that the findings share; paths and ids are filled in where few can be typed, and a single id.

    `PATH` becomes the paths themselves, `:PATH` git's names for them that hold in every folder, `ID` the subject.
    """
    paths = _typed({finding.path for finding in findings})
    filled = findings[0].remedy if paths else unfilled_remedy(findings[0].remedy)
    if paths:
        filled = _fill(filled, ":PATH", map(_from_the_top, paths))
        filled = _fill(filled, r"\bPATH", paths)
    subjects = _typed({finding.subject for finding in findings})
    return _fill(filled, r"\bID", subjects) if len(subjects) == 1 else filled


def unfilled_remedy(remedy: str) -> str:
    """The remedy as it reads where no single path is meant."""
    return remedy.replace(":PATH", "PATH")


def _typed(values: set[str | None]) -> list[str]:
    """The values in their order, if there are few, and each can be typed; else none."""
    known = sorted(value for value in values if value and display_path(value) == value)
    return known if len(known) == len(values) <= _MOST_NAMED else []


def _from_the_top(path: str) -> str:
    return f":(top,literal){path}" if _GLOB_CHARACTERS & set(path) else f":/{path}"


def _fill(remedy: str, word: str, values: Iterable[str]) -> str:
    from shlex import quote

    filled = " ".join(map(quote, values))
    return re.sub(rf"{word}\b", lambda _: filled, remedy)
