"""The parts that steer tests, of files that are read line by line: requirements, variables, versions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ledgergate.policy import pins
from ledgergate.policy.pins import Part

_COMMENT = re.compile(r"(?:^|\s)#.*")
_CONTINUED = re.compile(r"\\\r?\n")
_CODING = re.compile(r"#.*coding[:=]\s*(?!utf-?8\b)[\w.-]")
_ASSIGNS = re.compile(r"\s*(?:export\s+)?([A-Za-z_][\w.]*)\s*[=:]")
# Variables that steer what runs the tests, their interpreter, or git, or that a test tool is known to go by.
_STEERS = re.compile(
    r"(?:PYTEST|_PYTEST|PY_|PYTHON|COVERAGE|COV_|HYPOTHESIS|TOX|NOX|HATCH|UV|PIP|POETRY|PDM|PIXI|PIPENV|MISE|GIT"
    r"|LEDGERGATE|PRE_COMMIT|PREK|LEFTHOOK|HUSKY|LD|DYLD|NODE|NPM|YARN|JEST|VITEST|CARGO|RUST|GO|MAKE|DJANGO_TEST)"
    r"(?:_.*|[A-Z]*FLAGS|PATH.*|OPT.*|HOME|HASHSEED|STARTUP|OPTIMIZE|WARNINGS)?"
    r"|PATH|CI|SKIP|SHELL|ENV|BASH_ENV|ZDOTDIR|VIRTUAL_ENV|(?:.*_)?(?:TEST|SNAPSHOT|GOLDEN)S?(?:_.*)?",
    re.IGNORECASE,
)
# A release of a tool, which may name it; never a path, an address or a revision.
_VERSION = re.compile(
    r"(?:\w[\w.+-]*@)?(?!(?:path|ref|sub|git|prefix)\b)[\w.+*-]*\d[\w.+*-]*|latest|lts(?:/[\w*]+)?|stable|system"
)


def is_plain_version(text: str) -> bool:
    """Whether what a tool is asked for is a version of it, and not where to take it from."""
    return _VERSION.fullmatch(text) is not None


def requirement_parts(text: str) -> Iterator[Part]:
    """The lines for pip that are a human's: guarded pins, options, and what names no package."""
    lines = [line.strip() for line in _CONTINUED.sub("", text).splitlines()]
    for line in lines[:2]:
        # pip reads a file in the encoding that it names, and may then find other lines than stand here.
        if _CODING.search(line):
            yield (line,), ""
    for line in pins.guarded_requirements(filter(None, (_COMMENT.sub("", line) for line in lines)), for_pip=True):
        yield (line,), ""


def variable_parts(text: str) -> Iterator[Part]:
    """The lines that set a variable by which tests, or what runs them, could go; and lines that set none."""
    for line in text.splitlines():
        stripped = line.strip()
        if stripped and not stripped.startswith("#"):
            found = _ASSIGNS.match(line)
            if found is None or _STEERS.fullmatch(found[1]):
                yield (stripped,), ""


def version_parts(text: str) -> Iterator[Part]:
    """The lines that name something else than versions: a path, an address, a revision."""
    for line in text.splitlines():
        words = _COMMENT.sub("", line).split()
        versions = words[1:] if len(words) > 1 else words
        if not all(map(is_plain_version, versions)):
            yield (" ".join(words),), ""
