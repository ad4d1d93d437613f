"""Tasks and environments of `pyproject.toml` that run tests, with the settings that apply to them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from ledgergate.policy import pins

TablePath = tuple[str, ...]

_HATCH = ("tool", "hatch", "envs")
_PIXI = ("tool", "pixi")
_WHEELS = ("tool", "cibuildwheel")
# Tables in which a script, an environment or a task may be the one that runs the tests.
_RUNNERS: tuple[TablePath, ...] = (
    _HATCH,
    _PIXI,
    _WHEELS,
    ("tool", "poe"),
    ("tool", "pdm", "scripts"),
    ("tool", "taskipy"),
    ("tool", "rye", "scripts"),
    ("tool", "nox"),
)
_LISTS_TASKS = frozenset({"tasks", "scripts", "extra-scripts"})
_TELLS_ONLY = frozenset({"help", "description", "cmd-help"})
_AROUND = ("pre_", "post_", "pre-", "post-")
# pdm's own: what each script shares, and what runs beside all of them.
_FOR_ALL = frozenset({"_", "pre_run", "post_run", "pre_install", "post_install"})


def in_a_runner(path: TablePath) -> bool:
    """Whether a key belongs to a table in which scripts, environments or tasks are described."""
    return any(path[: len(runner)] == runner for runner in _RUNNERS)


def of_test_runs(leaves: Iterable[tuple[TablePath, object]]) -> frozenset[TablePath]:
    """Which keys of runners steer tests: those that speak of running tests, and what applies to the tasks that do.

    That is the other keys of such a task (its environment, its folder), hooks that run around it, and the settings of
    the table that it stands in.
    """
    values = dict(leaves)
    speaking = {path for path, value in values.items() if _speaks_of_tests(path, value)}
    tasks = {task for path in speaking if (task := _task(path)) is not None}
    owners = _with_parents({_owner(task) for task in tasks}, values)
    wheels = any(path[:2] == _WHEELS for path in speaking)
    return frozenset(
        path
        for path in values
        if path in speaking
        or (path[-1] not in _TELLS_ONLY and (_is_around(path, tasks) or _is_setting(path, owners)))
        or (wheels and _prepares_wheels(path))
    )


def _speaks_of_tests(path: TablePath, value: object) -> bool:
    return pins.runs_tests(" ".join((*path[2:], json.dumps(value, sort_keys=True, default=str))))


def _task(path: TablePath) -> TablePath | None:
    """The place of the task that a key belongs to; None for a setting of an environment or of the runner."""
    start = len(_HATCH) + 1 if path[: len(_HATCH)] == _HATCH else len(_PIXI)
    places = (place for place in range(start, len(path) - 1) if path[place] in _LISTS_TASKS)
    place = next(places, None)
    return None if place is None else path[: place + 2]


def _owner(path: TablePath) -> TablePath:
    return path[: len(_HATCH) + 1] if path[: len(_HATCH)] == _HATCH else path[:2]


def _is_around(path: TablePath, tasks: set[TablePath]) -> bool:
    """Whether a key is one of a task that runs tests, or of what runs before or after it."""
    task = _task(path)
    if task is None:
        return False
    *table, name = task
    others = {(*table, name.removeprefix(prefix)) for prefix in _AROUND}
    return bool(tasks & {task, *others}) or (name in _FOR_ALL and any(found[:-1] == task[:-1] for found in tasks))


def _is_setting(path: TablePath, owners: set[TablePath]) -> bool:
    if _task(path) is not None or _owner(path) not in owners:
        return False
    return path[:2] != _PIXI or "activation" in path


def _prepares_wheels(path: TablePath) -> bool:
    return path[:2] == _WHEELS and any(name.startswith(("environment", "before-")) for name in path[2:])


def _with_parents(owners: set[TablePath], values: Mapping[TablePath, Any]) -> set[TablePath]:
    """With the environments of hatch that these inherit from: the one they name, or else the default one."""
    found = set(owners)
    waiting = [owner for owner in owners if owner[: len(_HATCH)] == _HATCH]
    while waiting:
        owner = waiting.pop()
        if values.get((*owner, "detached")) is True:
            continue
        parent = (*_HATCH, str(values.get((*owner, "template"), "default")))
        if parent not in found:
            found.add(parent)
            waiting.append(parent)
    return found
