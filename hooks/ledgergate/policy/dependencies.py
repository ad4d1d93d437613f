"""The modules that a repository says it needs, by the names of packages in its files of dependencies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from ledgergate.policy.globs import fold_path
from ledgergate.policy.partly import form_of
from ledgergate.policy.relied_on import module_of
from ledgergate.source.documents import read_toml

_NAME = re.compile(r"\s*([A-Za-z0-9][\w.-]*)\s*(?:[\[<>=!~;@,]|$)")
_COMMENT = re.compile(r"(?:^|\s)#.*")
# Keys that hold a package of the repository itself, and not one that is installed.
_OWN = frozenset({"path", "workspace", "editable", "virtual", "directory"})


class Tree(Protocol):
    """The part of a snapshot that this takes."""

    def names(self, folder: str, /) -> tuple[str, ...]: ...

    def entry(self, path: str, /) -> Any: ...

    def read_entry(self, entry: Any, /) -> bytes: ...


def modules_needed(tree: Tree, plugins: Iterable[str]) -> frozenset[str]:
    """The names under which packages may be imported that the files at the root of a tree, or `plugins`, name.

    They are the packages' names in small letters with `_` for `-`; what their metadata says is not known. The project's
    own packages are none of them, and a file that cannot be read names none.
    """
    found = set(plugins)
    own: set[str] = set()
    for name in tree.names(""):
        reader = _reader_of(name)
        entry = tree.entry(name)
        if reader is None or entry is None or not entry.is_file:
            continue
        try:
            needed, own_here = reader(tree.read_entry(entry).decode("utf-8"))
        except (ValueError, RecursionError):
            continue
        found |= needed
        own |= own_here
    return frozenset(map(module_of, found)) - frozenset(map(module_of, own))


def _reader_of(name: str) -> Any:
    form = form_of(fold_path(name))
    readers = {"requirements": _of_lines, "a lock file": _of_a_lock, "an INI file": _of_an_ini, "TOML": _of_toml}
    return None if form is None or (form.reader == "TOML" and form.table) else readers.get(form.reader)


def _of_lines(text: str) -> tuple[set[str], set[str]]:
    return set(_named(_COMMENT.sub("", line) for line in text.splitlines())), set()


def _of_a_lock(text: str) -> tuple[set[str], set[str]]:
    from ledgergate.policy.steering_documents import locked_packages

    needed: set[str] = set()
    own: set[str] = set()
    for _, package in locked_packages(text):
        source = package.get("source")
        table = source if isinstance(source, dict) else {}
        is_own = not _OWN.isdisjoint({*package, *table}) or str(table.get("type")) in _OWN
        (own if is_own else needed).add(str(package.get("name")))
    return needed, own


def _of_an_ini(text: str) -> tuple[set[str], set[str]]:
    from configparser import ConfigParser, Error

    parser = ConfigParser(interpolation=None)
    try:
        parser.read_string(text)
    except Error as error:
        raise ValueError(str(error)) from error
    values = [
        value
        for section in parser.sections()
        for key, value in parser.items(section)
        if section == "options.extras_require" or key in ("install_requires", "tests_require", "deps")
    ]
    own = {parser.get("metadata", "name", fallback="")}
    return set(_named(line for value in values for line in value.splitlines())), own


def _of_toml(text: str) -> tuple[set[str], set[str]]:
    from ledgergate.policy.steering_toml import leaves, requirements_at

    needed: set[str] = set()
    own: set[str] = set()
    for path, value in leaves(read_toml(text), ()):
        place = requirements_at(path)
        if path in (("project", "name"), ("tool", "poetry", "name")):
            own.add(str(value))
        elif place is not None and isinstance(value, list):
            needed.update(_named(line for line in value if isinstance(line, str)))
        elif place is not None and path[place + 1 :]:
            (own if path[-1] in _OWN else needed).add(path[place + 1])
    return needed, own


def _named(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        found = _NAME.match(line)
        if found is not None:
            yield found[1]
