"""How to go on, with the words that stand for something filled in."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ledgergate.values import Finding, display_path

_GLOB_CHARACTERS = frozenset("*?[\\")


def filled_remedy(findings: Sequence[Finding]) -> str:
    """The remedy that the findings share; paths and ids are filled in where there is just one that can be typed.

    `PATH` becomes the path itself, `:PATH` git's name for it that holds in every folder, `ID` the subject.
    """
    path = _only({finding.path for finding in findings})
    filled = findings[0].remedy if path else unfilled_remedy(findings[0].remedy)
    if path:
        filled = _fill(filled, ":PATH", _from_the_top(path))
        filled = _fill(filled, r"\bPATH", path)
    subject = _only({finding.subject for finding in findings})
    return filled if subject is None else _fill(filled, r"\bID", subject)


def unfilled_remedy(remedy: str) -> str:
    """The remedy as it reads where no single path is meant."""
    return remedy.replace(":PATH", "PATH")


def _only(values: set[str | None]) -> str | None:
    value = values.pop() if len(values) == 1 else None
    return value if value and display_path(value) == value else None


def _from_the_top(path: str) -> str:
    return f":(top,literal){path}" if _GLOB_CHARACTERS & set(path) else f":/{path}"


def _fill(remedy: str, word: str, value: str) -> str:
    from shlex import quote

    return re.sub(rf"{word}\b", lambda _: quote(value), remedy)
