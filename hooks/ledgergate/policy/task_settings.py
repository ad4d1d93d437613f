"""Tasks and environments that run tests, in `pyproject.toml` and its like, with the settings that apply to them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ledgergate.policy import pins

TablePath = tuple[str, ...]
# A runner, and the name of one of its tasks.
_Name = tuple[TablePath, str]

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
    ("tool", "pipenv", "scripts"),
    ("tool", "npm", "scripts"),
    ("tool", "task"),
    ("tool", "mise", "tasks"),
)
_LISTS_TASKS = frozenset({"tasks", "scripts", "extra-scripts"})
_TELLS_ONLY = frozenset({"help", "description", "cmd-help", "desc", "summary"})
_AROUND = ("pre_", "post_", "pre-", "post-", "pre", "post")
# What each script shares, or runs around all of them: pdm's own, and npm's.
_FOR_ALL = frozenset({"_", "pre_run", "post_run", "pre_install", "post_install"})
_FOR_ALL_OF_NPM = frozenset({"preinstall", "install", "postinstall", "prepare"})
# Between commands of one script, and what calls another script from a command.
_COMMANDS = re.compile(r"&&|\|\||[;|&\n]")
_CALLS = frozenset({"task", "run", "poe", "pdm", "make", "just", "npm", "yarn", "pnpm", "rye", "mise", "pipenv", "bun"})


def in_a_runner(path: TablePath) -> bool:
    """Whether a key belongs to a table in which scripts, environments or tasks are described."""
    return any(path[: len(runner)] == runner for runner in _RUNNERS)


def of_test_runs(leaves: Iterable[tuple[TablePath, object]]) -> frozenset[TablePath]:
    """Which keys of runners steer tests: those that speak of running tests, and what applies to the tasks that do.

    That is the other keys of such a task (its environment, its folder), the tasks of the same name in other tables,
    which may stand in for it, those that call it, those that it calls to run the tests, hooks that run around it, and
    the settings of the table that it stands in.
    """
    values = dict(leaves)
    speaking = {path for path, value in values.items() if _speaks_of_tests(path, value)}
    tasks = _connected({task for path in speaking if (task := _task(path)) is not None}, values)
    named = {(_runner(task), task[-1]) for task in tasks}
    owners = _with_parents({_owner(task) for task in tasks}, values)
    wheels = any(path[:2] == _WHEELS for path in speaking)
    return frozenset(
        path
        for path in values
        if path in speaking
        or (not _only_tells(path) and (_is_around(path, named) or _is_setting(path, owners)))
        or (wheels and _prepares_wheels(path))
    )


def _speaks_of_tests(path: TablePath, value: object) -> bool:
    if _only_tells(path):
        return False
    named = any(map(pins.runs_tests, path[2:]))
    return named or pins.says_tests(json.dumps(value, sort_keys=True, default=str))


def _connected(tasks: set[TablePath], values: Mapping[TablePath, object]) -> set[TablePath]:
    """With the tasks that call one of these, and those that one calls which does not itself say how to run tests."""
    bodies: dict[TablePath, list[str]] = {}
    for path, value in values.items():
        task = _task(path)
        if task is not None and not _only_tells(path):
            bodies.setdefault(task, []).extend(texts_in(value))
    calls = {task: {(_runner(task), name) for name in _called(texts)} for task, texts in bodies.items()}
    by_name: dict[_Name, set[TablePath]] = {}
    callers: dict[_Name, set[TablePath]] = {}
    for task, names in calls.items():
        by_name.setdefault((_runner(task), task[-1]), set()).add(task)
        for name in names:
            callers.setdefault(name, set()).add(task)
    found, newest = set(tasks), set(tasks)
    named: set[_Name] = set()
    while newest:
        names = {(_runner(task), task[-1]) for task in newest} - named
        named |= names
        # What says itself how to run tests, or calls what does, needs nothing else for it.
        silent = [
            task
            for task in newest
            if named.isdisjoint(calls.get(task, ())) and not pins.says_tests("\n".join(bodies.get(task, ())))
        ]
        called = {name for task in silent for name in calls.get(task, ())}
        joined = [by_name.get(name, set()) for name in names | called] + [callers.get(name, set()) for name in names]
        newest = set().union(*joined) - found
        found |= newest
    return found


def _called(texts: Iterable[str]) -> Iterator[str]:
    """The words of commands that may name another task: the first, and what follows one that runs tasks."""
    for text in texts:
        for command in _COMMANDS.split(text):
            words = command.split()
            yield from (word for at, word in enumerate(words) if at == 0 or words[at - 1] in _CALLS)


def texts_in(value: object) -> Iterator[str]:
    """Every text in a value, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from texts_in(inner)


def _task(path: TablePath) -> TablePath | None:
    """The place of the task that a key belongs to; None for a setting of an environment or of the runner."""
    start = len(_HATCH) + 1 if path[: len(_HATCH)] == _HATCH else len(_PIXI)
    places = (place for place in range(start, len(path) - 1) if path[place] in _LISTS_TASKS)
    place = next(places, None)
    return None if place is None else path[: place + 2]


def _only_tells(path: TablePath) -> bool:
    """Whether a key of a task says to people what it does."""
    task = _task(path)
    return path[-1] in _TELLS_ONLY and (task is None or len(path) > len(task))


def _runner(path: TablePath) -> TablePath:
    return path[:2]


def _owner(path: TablePath) -> TablePath:
    return path[: len(_HATCH) + 1] if path[: len(_HATCH)] == _HATCH else path[:2]


def _is_around(path: TablePath, named: set[tuple[TablePath, str]]) -> bool:
    """Whether a key is one of a task that runs tests, wherever it is described, or of what runs before or after it."""
    task = _task(path)
    if task is None:
        return False
    runner, name = _runner(task), task[-1]
    others = {(runner, name), *((runner, name.removeprefix(prefix)) for prefix in _AROUND)}
    for_all = name in _FOR_ALL or (runner == ("tool", "npm") and name in _FOR_ALL_OF_NPM)
    return bool(named & others) or (for_all and any(found[0] == runner for found in named))


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
