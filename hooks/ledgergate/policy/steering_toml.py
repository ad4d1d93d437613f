"""The parts of a `pyproject.toml` that steer tests."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise

from ledgergate.policy import pins
from ledgergate.policy.import_roots import moved_modules
from ledgergate.policy.installed import is_open_folder, is_standing_command, is_test_group, stands_in
from ledgergate.policy.pins import Part
from ledgergate.policy.relied_on import is_npm_runner, is_npm_version, is_relied_on
from ledgergate.policy.steering_ini import ini_parts
from ledgergate.policy.steering_lines import is_plain_version
from ledgergate.policy.task_settings import TablePath, in_a_runner, of_test_runs, texts_in
from ledgergate.source.documents import read_toml

# Where entry points are declared, and what tells which files a package installs.
_ENTRY_POINTS: tuple[TablePath, ...] = (
    ("project", "entry-points"),
    ("tool", "poetry", "plugins"),
    ("tool", "flit", "entrypoints"),
    ("tool", "pdm", "entry-points"),
)
_PACKAGING: tuple[TablePath, ...] = (
    ("tool", "setuptools"),
    ("tool", "hatch", "build"),
    ("tool", "poetry", "include"),
    ("tool", "poetry", "packages"),
    ("tool", "pdm", "build"),
    ("tool", "flit"),
    ("tool", "scikit-build"),
    ("tool", "maturin"),
)
# Below `[tool.hatch.build]`: from a path here to one in the installation.
_MAPS = frozenset({"force-include", "shared-data", "shared-scripts"})
# Where an installer takes packages from, those of the test run too.
_INDEXES = {
    ("tool", "uv"): ("index", "index-url", "extra-index-url", "find-links", "no-index", "index-strategy"),
    ("tool", "uv", "pip"): ("index-url", "extra-index-url", "find-links", "no-index", "index-strategy"),
    ("tool", "poetry"): ("source",),
    ("tool", "pdm"): ("source",),
    ("tool", "pipenv"): ("source",),
}
# Of `[tool.setuptools.dynamic]`, what can hold requirements or entry points.
_READ_FROM_FILES = (("entry-points",), ("dependencies",), ("optional-dependencies",))
_SCRIPTS = ("scripts", "console_scripts", "gui-scripts", "gui_scripts", "tasks", "extra-scripts")
# Tables that steer tests as a whole, beside those whose names begin with `pytest` and `coverage`.
_WHOLE: tuple[TablePath, ...] = (
    *(("tool", name) for name in ("nose", "unittest", "stestr", "behave", "robot", "ward")),
    ("tool", "hatch", "env"),
    *(("tool", "npm", name) for name in ("jest", "vitest", "mocha", "ava", "nyc", "c8", "tap", "karma", "babel")),
    *(("tool", "mise", name) for name in ("env", "hooks", "settings", "plugins", "alias", "tool_alias", "vars")),
)
# What a package is called: one with the name of a guarded one would be installed in its place.
_NAMES = (("project", "name"), ("tool", "poetry", "name"))
# Of a Pipfile, the tables that are no group of packages.
_NO_PACKAGES = (("source",), ("scripts",), ("requires",), ("pipenv",))
_NPM = ("tool", "npm")
_NPM_PACKAGES = (("dependencies",), ("devDependencies",), ("optionalDependencies",), ("overrides",), ("resolutions",))
# Keys of a requirement that say where else to take it from than from the index.
_ELSEWHERE = frozenset({"path", "git", "url", "file", "workspace", "index", "source"})
_LISTS_REQUIREMENTS = ("depend", "require", "deps", "constraint", "sources", "resolution")


def toml_parts(text: str, table: TablePath = ()) -> Iterator[Part]:
    """Each part that steers tests, of a TOML file that stands for this table of a `pyproject.toml`.

    Such parts are: the tables of pytest, coverage, tox and the build system, entry points that test tools load, files
    that a package installs in the place of one or for Python to read when it starts, tasks that run tests with what
    applies to them, and the pins of ledgergate, pytest and pytest plugins, wherever they stand.
    Raises `ValueError` for what is no TOML.
    """
    return table_parts(read_toml(text), table)


def table_parts(document: object, table: TablePath) -> Iterator[Part]:
    """The same of a document that has been read."""
    found = list(leaves(document, table))
    tasks = [(path, value) for path, value in found if in_a_runner(path) and not _lists_requirements(path, value)]
    running = of_test_runs(tasks) if tasks else frozenset()
    runners = {path for path, _ in tasks}
    for path, value in found:
        if path not in runners:
            yield from _steering(path, value)
        elif path in running or _is_command(path) or _is_channel(path):
            yield path, _canonical(value)


def leaves(value: object, path: TablePath) -> Iterator[tuple[TablePath, object]]:
    """Every key whose value is no table with keys; an empty table counts, since pytest goes by its presence."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from leaves(inner, (*path, str(key)))
    elif path:
        yield path, value


def _steering(path: TablePath, value: object) -> Iterator[Part]:
    if path[:2] == ("tool", "tox"):
        yield from _tox(path, value)
    elif _is_whole(path) or _is_tool_elsewhere(path, value) or (path[:2] == _NPM and _is_npm_elsewhere(path, value)):
        yield path, _canonical(value)
    elif path[-1] in _INDEXES.get(path[:-1], ()):
        yield from _indexes(path, value)
    elif (moved := moved_modules(path, value)) is not None and not _installs(path, value):
        yield path, moved
    elif requirements_at(path) is not None:
        yield from _pins(path, value)
    elif _is_command(path) or _installs(path, value) or (path in _NAMES and pins.is_in_the_way(str(value))):
        yield path, _canonical(value)


def _tox(path: TablePath, value: object) -> Iterator[Part]:
    if path[-1] == "legacy_tox_ini" and isinstance(value, str):
        yield from ((path + inner, part) for inner, part in ini_parts(value))
    elif path[-1] == "deps" and isinstance(value, list):
        yield from _pins(path, value, for_pip=True)
    else:
        yield path, _canonical(value)


def _indexes(path: TablePath, value: object) -> Iterator[Part]:
    """The indexes that serve any package. One that only serves those that name it shows where they do."""
    if isinstance(value, list):
        value = [index for index in value if not (isinstance(index, dict) and _is_explicit(index))]
    if value or not isinstance(value, list):
        yield path, _canonical(value)


def _is_explicit(index: dict[str, object]) -> bool:
    return index.get("explicit") is True or index.get("priority") == "explicit"


def _is_whole(path: TablePath) -> bool:
    if path[0] == "build-system" or "pytest11" in path or path[-1] == "entry-points-file" or _is_plugin(path):
        return True
    if path[:3] == ("tool", "setuptools", "dynamic") and path[3:4] in _READ_FROM_FILES:
        return True
    if path[0] == "tool" and len(path) > 1 and (path[1].startswith(("pytest", "coverage")) or pins.guards(path[1])):
        return True
    return any(path[: len(table)] == table for table in _WHOLE)


def _is_tool_elsewhere(path: TablePath, value: object) -> bool:
    """Whether mise is told of a guarded tool, or to take one from somewhere instead of a version of it."""
    if path[:3] != ("tool", "mise", "tools"):
        return False
    return any(map(pins.guards, path[3:])) or not all(map(is_plain_version, texts_in(value)))


def _is_npm_elsewhere(path: TablePath, value: object) -> bool:
    """Whether a runner of npm's is taken from elsewhere than the index, or the package is itself called like one."""
    if path[2:] == ("name",):
        return is_npm_runner(str(value))
    start = 4 if path[2:4] == ("pnpm", "overrides") else 3
    packages = path[start:] if start == 4 or path[2:3] in _NPM_PACKAGES else ()
    return any(map(is_npm_runner, packages)) and not is_npm_version(value)


def _is_plugin(path: TablePath) -> bool:
    places = (len(table) for table in _ENTRY_POINTS if path[: len(table)] == table)
    # The last name is the entry's, but for a group that is empty.
    return any(is_test_group(".".join(path[place:-1] or path[place:])) for place in places)


def _is_command(path: TablePath) -> bool:
    """Whether a script or task has the name of a command that tests rely on."""
    lists = (*_SCRIPTS, "bin") if path[:2] == ("tool", "npm") else _SCRIPTS
    return any(name in lists and is_standing_command(called) for name, called in pairwise(path))


def _is_channel(path: TablePath) -> bool:
    """Whether a key of pixi says where packages come from."""
    return path[:2] == ("tool", "pixi") and (path[-1] in ("channels", "channel-priority") or "pypi-options" in path)


def _installs(path: TablePath, value: object) -> bool:
    """Whether a package's settings may put a test tool's command, or what Python reads at its start, into place."""
    table = next((table for table in _PACKAGING if path[: len(table)] == table), None)
    if table is None or any(name.startswith(("exclude", "package-data")) for name in path):
        return False
    texts = list(texts_in(value))
    if "external-data" in path or (path[-2] in _MAPS and any(map(is_open_folder, texts))):
        return True
    is_command = path[-1] in ("script-files", "scripts") or (path[-2] == "data-files" and is_open_folder(path[-1]))
    return any(stands_in(text, as_command=is_command) for text in (*path[len(table) :], *texts))


def _lists_requirements(path: TablePath, value: object) -> bool:
    """Whether a key of a script or environment is a list or table of what that depends on."""
    # Only where requirements can stand: a script or environment may itself be called `deps`.
    listed = isinstance(value, list) and requirements_at(path[-1:]) is not None
    return listed or requirements_at(path[-2:-1]) is not None


def requirements_at(path: TablePath) -> int | None:
    """The place in the path from which on it leads to requirements, or None where it leads elsewhere."""
    if path[:2] == ("tool", "pipenv") and path[2:3] not in _NO_PACKAGES:
        return 2
    places = (place for place, name in enumerate(path) if any(word in name for word in _LISTS_REQUIREMENTS))
    return next(places, None)


def _pins(path: TablePath, value: object, *, for_pip: bool = False) -> Iterator[Part]:
    """The guarded pins at a key: those of a list of requirements, or the key itself where it is a package's name."""
    if isinstance(value, list) and not all(isinstance(entry, dict) for entry in value):
        lines = (entry if isinstance(entry, str) else _canonical(entry) for entry in value)
        guarded = pins.guarded_requirements(lines, for_pip=for_pip)
        if guarded:
            yield path, _canonical(guarded)
        return
    names = path[(requirements_at(path) or 0) + 1 :]
    if any(map(pins.guards, names)) or (any(map(is_relied_on, names)) and _is_elsewhere(path, value)):
        yield path, _canonical(value)


def _is_elsewhere(path: TablePath, value: object) -> bool:
    entries = value if isinstance(value, list) else ()
    return path[-1] in _ELSEWHERE or any(not _ELSEWHERE.isdisjoint(entry) for entry in entries)


def _canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True, default=str)
