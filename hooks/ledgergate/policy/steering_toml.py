"""The parts of a `pyproject.toml` that steer tests."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ledgergate.policy import pins
from ledgergate.policy.pins import Part
from ledgergate.policy.steering_ini import ini_parts

TablePath = tuple[str, ...]

# Tables in which a script, an environment or a task may be the one that runs the tests.
_RUNNERS: tuple[TablePath, ...] = (
    ("tool", "hatch", "envs"),
    ("tool", "poe"),
    ("tool", "pdm", "scripts"),
    ("tool", "taskipy"),
    ("tool", "rye", "scripts"),
    ("tool", "pixi"),
    ("tool", "cibuildwheel"),
    ("tool", "nox"),
)
# Where an installer takes packages from, those of the test run too.
_INDEXES = {
    ("tool", "uv"): ("index", "index-url", "extra-index-url", "find-links", "no-index", "index-strategy"),
    ("tool", "uv", "pip"): ("index-url", "extra-index-url", "find-links", "no-index", "index-strategy"),
    ("tool", "poetry"): ("source",),
    ("tool", "pdm"): ("source",),
}
# Of `[tool.setuptools.dynamic]`, what can hold requirements or entry points.
_READ_FROM_FILES = (("entry-points",), ("dependencies",), ("optional-dependencies",))
_SCRIPTS = ("scripts", "gui-scripts", "gui_scripts")
_LISTS_REQUIREMENTS = ("depend", "require", "deps", "constraint", "sources", "resolution")


def toml_parts(text: str) -> Iterator[Part]:
    """Each part that steers tests. Raises `ValueError` for what is no TOML.

    Such parts are: the tables of pytest, coverage, tox and the build system, `pytest11` entry points, scripts that run
    tests or take the name of a test tool, and the pins of ledgergate, pytest and pytest plugins, wherever they stand.
    """
    import tomllib

    for path, value in _leaves(tomllib.loads(text), ()):
        yield from _steering(path, value)


def _leaves(value: object, path: TablePath) -> Iterator[tuple[TablePath, object]]:
    """Every key whose value is no table with keys; an empty table counts, since pytest goes by its presence."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _leaves(inner, (*path, key))
    elif path:
        yield path, value


def _steering(path: TablePath, value: object) -> Iterator[Part]:
    if path[:2] == ("tool", "tox"):
        yield from _tox(path, value)
    elif _is_whole(path):
        yield path, _canonical(value)
    elif path[-1] in _INDEXES.get(path[:-1], ()):
        yield from _indexes(path, value)
    elif _is_runner(path, value):
        if pins.runs_tests(" ".join((*path[2:], _canonical(value)))):
            yield path, _canonical(value)
    elif _requirements_at(path) is not None:
        yield from _pins(path, value)
    elif any(name in _SCRIPTS for name in path) and pins.is_test_tool(path[-1]):
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
    if path[0] == "build-system" or "pytest11" in path or path[-1] == "entry-points-file":
        return True
    if path[:3] == ("tool", "setuptools", "dynamic") and path[3:4] in _READ_FROM_FILES:
        return True
    return path[0] == "tool" and len(path) > 1 and path[1].startswith(("pytest", "coverage"))


def _is_runner(path: TablePath, value: object) -> bool:
    """Whether the key belongs to a script or environment, and is no list or table of what that depends on."""
    if not any(path[: len(runner)] == runner for runner in _RUNNERS):
        return False
    # Only where requirements can stand: a script or environment may itself be called `deps`.
    listed = isinstance(value, list) and _requirements_at(path[-1:]) is not None
    return not listed and _requirements_at(path[-2:-1]) is None


def _requirements_at(path: TablePath) -> int | None:
    """The place in the path from which on it leads to requirements, or None where it leads elsewhere."""
    places = (place for place, name in enumerate(path) if any(word in name for word in _LISTS_REQUIREMENTS))
    return next(places, None)


def _pins(path: TablePath, value: object, *, for_pip: bool = False) -> Iterator[Part]:
    """The guarded pins at a key: those of a list of requirements, or the key itself where it is a package's name."""
    if isinstance(value, list) and not all(isinstance(entry, dict) for entry in value):
        lines = (entry if isinstance(entry, str) else _canonical(entry) for entry in value)
        guarded = pins.guarded_requirements(lines, for_pip=for_pip)
        if guarded:
            yield path, _canonical(guarded)
    elif any(map(pins.guards, path[(_requirements_at(path) or 0) + 1 :])):
        yield path, _canonical(value)


def _canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True, default=str)
