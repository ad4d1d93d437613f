"""Conditions under which a test may honestly not run: the platform, a version, an optional dependency."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache


@cache
def _about() -> re.Pattern[str]:
    return re.compile(
        r"\bsys\.(?:platform|version_info|version|implementation|hexversion|maxsize|byteorder|getwindowsversion|_is_gil_enabled"
        r"|flags)\b|\bos\.(?:name|uname|getuid|geteuid|fork)\b|\bplatform\.\w+|\b(?:system|machine|python_implementation|uname)\("
        r"|\b(?:platform|\w*version_info|\w*_version|pypy|cpython)\b"
        r"|\b(?:find_spec|find_loader|which|has_module|find_executable|importorskip)\(|\bImportError\b|\bModuleNotFoundError\b"
        r"|\bhasattr\((?:os|sys|socket|signal|time|select|asyncio|ast|inspect|typing)\b"
        r"|\b(?:__version__|Version\(|parse_version\(|version\()|\bget_config_var\("
    )


@cache
def _by_name() -> re.Pattern[str]:
    return re.compile(
        r"(?:.*\.)?_*(?:(?:is|on|not|no|has|have|with|without|only|running|supports?|skip|requires?|needs?|missing|py)_?)*"
        r"(?:win(?:dows|32|64)?|mac(?:os|osx)?|osx|darwin|linux|posix|unix|bsd|freebsd|cygwin|wsl|android|ios|emscripten|wasm"
        r"|pypy|cpython|jython|graalpy|free_?threaded|gil|py(?:thon)?_?\d+(?:_?\d+)*(?:_?(?:plus|or_?(?:higher|later|newer)))?"
        r"|big_?endian|little_?endian|32_?bit|64_?bit)(?:_?(?:only|or_?\w+|plus|platform))?",
        re.IGNORECASE,
    )


@cache
def _dependency() -> re.Pattern[str]:
    return re.compile(
        r"(?:.*\.)?_*(?:has|have|with|without|no|missing|use|using|needs?|requires?|supports?)_\w+|(?:.*\.)?\w+_(?:available|installed|missing|found|support(?:ed)?)",
        re.IGNORECASE,
    )


_PLATFORMS = frozenset(
    {
        *("win32", "linux", "darwin", "cygwin", "emscripten", "wasi", "aix", "android", "ios", "nt", "posix", "java"),
        *(
            "windows",
            "freebsd",
            "openbsd",
            "netbsd",
            "sunos5",
            "linux2",
            "pypy",
            "cpython",
            "jython",
            "graalpy",
            "graalvm",
        ),
    }
)
_NOT_ON = r"(?:sys\.platform|os\.name|\w*system\(\)|implementation\.name) != «'(\w*)'»"
_VERSION = r"version_info(?:\[«0»\]|\[<Slice.*?>\])? (<|<=|>|>=|!=|==) \(?«(\d+)»(?:, «(\d+)»)?"
_OLDEST, _NEWEST = (3, 9), (3, 40)


def is_harmless(condition: str, modules: frozenset[str] = frozenset()) -> bool:
    """Whether a condition, as a term, tells of the machine and not of the code under test.

    `modules` are the names that the file's imports bind: a name that is None is a dependency that is not there.
    """
    parts = list(_alternatives(condition))
    return bool(parts) and all(_needs_the_machine(one, modules) for one in parts)


def _needs_the_machine(part: str, modules: frozenset[str]) -> bool:
    """Whether the machine decides, if only as one of several things that have to hold."""
    inner = list(_split(part, " && "))
    return any(_is_about_the_machine(one, modules) for one in inner)


def _is_about_the_machine(part: str, modules: frozenset[str]) -> bool:
    if _is_always(part):
        return False
    bare = re.sub(r"^(?:\[! )+|\]+$", "", part)
    missing = re.fullmatch(r"\[?([\w.]+) [!=]== «None»\]*", bare)
    if missing is not None:
        # Where it is there, nothing is missing.
        is_there = ("!=" in missing[0]) is not part.startswith("[! ")
        return missing[1].partition(".")[0] in modules and not is_there
    if _about().search(part):
        return True
    name = bare.removesuffix("()").rpartition(".")[2]
    return re.fullmatch(r"[\w.]+", name) is not None and any(one.fullmatch(name) for one in (_by_name(), _dependency()))


# What holds where most runs are made: on Linux, with CPython.
_USUAL = (
    r"(?:sys\.platform|os\.name|\w*system\(\)|implementation\.name|python_implementation\(\)|os\.sep)"
    r" (?:== «'(?:linux|Linux|posix|cpython|CPython|/)'»|∈ [\[({].*«'(?:linux|Linux|posix|cpython)'».*"
    r"|!= «'(?!linux'|Linux'|posix'|cpython'|CPython')\w*'»)"
    r"|sys\.platform\.startswith\(«'lin\w*'»\)|sys\.(?:maxsize|hexversion) >=? «(?:0|1)»|sys\.byteorder ∈ "
    r"|version_info(?:\.major|\[«0»\]) (?:==|>=) «3»|version_info >=? \(?«(?:2|3)»(?:, «(?:\d|10)»)?\)?\]*$"
    r"|(?:find_spec|which|find_loader)\([^)]*\) !== «None»|__version__ >=? |^which\([^)]*\)$|^hasattr\("
)
_UNUSUAL = (
    r"(?:sys\.platform|os\.name|\w*system\(\)|implementation\.name)"
    r" == «'(?!linux'|Linux'|posix'|cpython'|CPython')\w*'»"
)


def holds_usually(condition: str) -> bool:
    """Whether a condition about the machine holds where most runs of tests are made."""
    for part in _alternatives(condition):
        bare = re.sub(r"^(?:\[! )+|\]+$", "", part)
        if re.search(_UNUSUAL if part.startswith("[! ") else _USUAL, bare.removeprefix("[")):
            return True
    return False


def _is_always(part: str) -> bool:
    """Whether it holds on every machine that could run the tests today."""
    unknown = re.search(_NOT_ON, part)
    if unknown is not None and unknown[1].lower() not in _PLATFORMS:
        return True
    if re.search(r"[!=]= (sys\.platform|os\.name)\b", part) and re.search(r"(sys\.platform|os\.name) [!=]=", part):
        return True
    found = re.search(_VERSION, part)
    if found is None:
        return False
    sign, version = found[1], (int(found[2]), int(found[3] or 0))
    if part.startswith("[! "):
        sign = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}.get(sign, sign)
    return (sign in (">", ">=") and version <= _OLDEST) or (sign in ("<", "<=") and version >= _NEWEST)


def holds_on_machines(left: str, operator: ast.cmpop, right: ast.expr) -> bool | None:
    """Whether a comparison with the platform or the version comes out alike on every machine that runs the tests."""
    value = getattr(right, "value", None)
    if left in ("sys.platform", "os.name") and isinstance(value, str) and value.lower() not in _PLATFORMS:
        return {ast.Eq: False, ast.NotEq: True}.get(type(operator))
    if not left.startswith("sys.version_info") or type(operator) not in _SIGNS:
        return None
    numbers = [getattr(one, "value", None) for one in getattr(right, "elts", [right])]
    if not numbers or not all(isinstance(one, int) for one in numbers) or len(numbers) > 2:
        return None
    term = f"[{left} {_SIGNS[type(operator)]} ({', '.join(f'«{one}»' for one in numbers)})]"
    return True if _is_always(term) else False if _is_always(f"[! {term}]") else None


_SIGNS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}


def _alternatives(condition: str) -> Iterator[str]:
    """The parts of which one is enough."""
    return _split(condition, " || ")


def _split(condition: str, operator: str) -> Iterator[str]:
    """The parts of a term that an operator joins, and their parts."""
    inner = condition[1:-1] if condition.startswith("[") and condition.endswith("]") else condition
    parts, depth, start, number = [], 0, 0, 0
    while number < len(inner):
        char = inner[number]
        if char == "«":
            number = inner.find("»", number)
            if number < 0:
                break
        elif char in "[({":
            depth += 1
        elif char in "])}":
            depth -= 1
        elif depth == 0 and inner.startswith(operator, number):
            parts.append(inner[start:number])
            start = number + len(operator)
        number += 1
    if not parts:
        yield condition
        return
    for part in (*parts, inner[start:]):
        yield from _split(part, operator)
