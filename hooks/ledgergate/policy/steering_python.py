"""The parts of a `setup.py` that declare, in so many words, what test tools load or what stands in for one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ledgergate.policy.installed import is_open_folder, is_standing_command, is_test_group, stands_in
from ledgergate.policy.pins import Part

if TYPE_CHECKING:
    import ast

# Group names that can mean nothing else, wherever they stand. `"tox": [...]` may also be how an extra is named.
_UNMISTAKABLE = re.compile(r"pytest11|coverage\.plugins|pytest_randomly\.random_seeder")
_SECTION = re.compile(r"^\s*\[([\w.]+)\]\s*$", re.MULTILINE)
_ENTRY_POINT = re.compile(r"^\s*([\w.-]+)\s*=\s*[A-Za-z_][\w.]*\s*(?::|$)", re.MULTILINE)
# A bare name is a requirement more often than a command.
_FILE_OR_MODULE = re.compile(r"[\w./\\-]*[./\\][\w./\\-]*|(?:site|user)customize")


def python_parts(text: str) -> Iterator[Part]:
    """Each part that steers tests, by the texts in the file; what a program puts together cannot be seen.

    Such parts are: entry points that test tools load, commands that take the name of one, and files that Python reads
    when it starts. Raises `ValueError` for what is no Python.
    """
    import ast

    try:
        nodes = list(ast.walk(ast.parse(text)))
    except (SyntaxError, MemoryError) as error:
        raise ValueError(str(error)) from error
    groups: dict[str, list[str]] = {}
    for node in nodes:
        for name, value in _named(node):
            if is_test_group(name) and any(map(_ENTRY_POINT.search, _texts(value))):
                groups.setdefault(name, []).append(ast.dump(value))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _tells(node.value):
            yield (" ".join(node.value.split()),), ""
    yield from (((name, "entries"), "\n".join(sorted(found))) for name, found in groups.items())


def _named(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """What has a name here: the values of a dictionary, or an argument."""
    import ast

    if isinstance(node, ast.keyword) and node.arg is not None:
        yield node.arg, node.value
    elif isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            yield from ((name, value) for name in (_texts(key) if key is not None else ()))


def _texts(node: ast.AST) -> Iterator[str]:
    import ast

    yield from (x.value for x in ast.walk(node) if isinstance(x, ast.Constant) and isinstance(x.value, str))


def _tells(text: str) -> bool:
    """Whether a text declares such a part: the name of a group, a list of entry points, a command, a file's path."""
    if _UNMISTAKABLE.search(text) or any(map(is_test_group, _SECTION.findall(text))):
        return True
    if any(stands_in(name) or is_standing_command(name) for name in _ENTRY_POINT.findall(text)):
        return True
    folder = text.replace("\\", "/").rpartition("/")[0]
    return _FILE_OR_MODULE.fullmatch(text) is not None and stands_in(text, as_command=is_open_folder(folder))
