"""Which packages' pins and which scripts steer tests, wherever a file lists them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ledgergate.policy.relied_on import is_relied_on

# A part of a settings file that steers tests: where it stands (the last name is the key), and its canonical value.
Part = tuple[tuple[str, ...], str]

# pytest's own family by name, with what it is made of, and plugins of other names that can skip, retry or rewrite what
# a test compares with. Libraries that merely bring fixtures along (anyio, faker, ...) are not here: agents bump these
# for other reasons.
_GUARDED = re.compile(
    r"(?<![a-z0-9-])(?:(?:pytest|ledgergate|hypothesis)(?:-[a-z0-9-]+)?|[a-z0-9-]+-pytest|flaky|syrupy|inline-snapshot"
    r"|xdoctest|pluggy|iniconfig)(?![a-z0-9-])"
)
_RUNS_TESTS = re.compile(
    r"(?<!la)(?<!at)(?<!con)test|(?<![a-z])(?:tox|nox|cov|jest|mocha|karma|rspec|phpunit)"
    r"|ledgergate|hypothesis"
)
# Up to what may end the command, in a shell or in a text in JSON.
_LOOKS_AT_SOURCES = re.compile(
    r"(?<![\w-])(?:ruff|black|flake8|mypy|isort|pylint|pyright|autopep8|yapf|codespell|pyupgrade|bandit|vulture|prettier"
    r"|eslint|tsc)\s[^&|;$`\n\"\\]*"
)
_AROUND_SIGNS = re.compile(r"\s*([<>=!~,;()\[\]@])\s*")
_CONDITION = re.compile(r"(?<![\w!,.{}-])[\w!,.{}-]+:\s+")
# A folder, an archive or an address in place of a name; a name would stand before `@`, and extras before `[`.
_NAMELESS = re.compile(r"[^@;\[]*(?:/|\.(?:whl|zip|tar\.\w+|tgz)\b)")

_DIRECT = re.compile(r"([\w.-]+)(?:\[[^\]]*\])?@")


def guards(requirement: str) -> bool:
    """Whether a line or key names a package whose version is a human's: ledgergate, pytest, or one of its plugins."""
    return _GUARDED.search(re.sub(r"[._]+", "-", requirement.lower())) is not None


def is_in_the_way(package: str) -> bool:
    """Whether a package or module of this name would stand for a guarded one, or for what test tools import."""
    return guards(package) or is_relied_on(package)


def is_indirect(requirement: str) -> bool:
    """Whether a line brings in requirements that stand elsewhere, of which any could be guarded."""
    return requirement.startswith(("-", "{", "file:")) or "${" in requirement


def canonical_requirement(requirement: str) -> str:
    """The requirement without the white space that means nothing, so that layout is no difference."""
    return _AROUND_SIGNS.sub(r"\1", " ".join(requirement.split()))


def is_nameless(requirement: str) -> bool:
    """Whether a line for pip names no package, so that it could bring any, a guarded one too."""
    return _NAMELESS.match(_CONDITION.sub("", requirement, count=1)) is not None


def is_taken_elsewhere(requirement: str) -> bool:
    """Whether a canonical line says where to take a package from that test tools import, instead of a version of it."""
    found = _DIRECT.match(_CONDITION.sub("", requirement, count=1))
    return found is not None and is_relied_on(found[1])


def guarded_requirements(lines: Iterable[str], *, for_pip: bool = False) -> list[str]:
    """Of the lines of a list of requirements those that are a human's, without layout and order.

    Lists that pip reads may hold lines without a name (`for_pip`); other lists may not.
    """
    plain = (canonical_requirement(line) for line in lines)
    return sorted(
        line
        for line in plain
        if guards(line) or is_indirect(line) or is_taken_elsewhere(line) or (for_pip and is_nameless(line))
    )


def runs_tests(text: str) -> bool:
    """Whether the name or the command of a script is about running tests."""
    return _RUNS_TESTS.search(text.lower()) is not None


def says_tests(commands: str) -> bool:
    """Whether commands are about running tests. One that merely looks at the sources of tests is not."""
    return runs_tests(_LOOKS_AT_SOURCES.sub("", commands))
