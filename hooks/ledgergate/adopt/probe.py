"""A pytest plugin that runs in the suite's own interpreter and writes what pytest collected there.

That interpreter may be old, and has no ledgergate: this file is copied into a folder of its own, and imports nothing
that Python 3.7 and pytest 6 do not have. It writes JSON to the file that `LEDGERGATE_PROBE` names: `items` and
`deselected` (lists of what `_record` makes), `plugins` (names of what was loaded beside pytest itself) and `errors`
(how many modules could not be collected).
"""

from __future__ import annotations

import inspect
import json
import os
from functools import lru_cache
from pathlib import Path
from typing import Any, Iterable, Iterator  # noqa: UP035 - Python 3.7 subscripts no other

_deselected: list[Any] = []
# Whose plugins are part of every run.
_OWN = ("_pytest", "pytest", "ledgergate")
# Modules whose objects need no name of their own: conftests, and what pytest-xdist sends to its workers.
_NO_PLUGIN = ("conftest", "__channelexec__")


def pytest_deselected(items: list[Any]) -> None:
    """Keep what the suite's own options leave out."""
    _deselected.extend(items)


def pytest_collection_finish(session: Any) -> None:
    """Write the file, whole or not at all."""
    kept = {id(item) for item in session.items}
    found = {
        "items": [_record(item) for item in session.items],
        "deselected": [_record(item) for item in _deselected if id(item) not in kept],
        "plugins": sorted(set(plugin_names(session.config.pluginmanager))),
        "errors": session.testsfailed,
    }
    path = Path(os.environ["LEDGERGATE_PROBE"])
    part = path.with_suffix(".part")
    part.write_text(json.dumps(found), encoding="ascii")
    part.replace(path)


def _record(item: Any) -> list[Any]:
    """Id; id without parameters; file; [file, qualified name] of the definition; why idle; Hypothesis; a function."""
    test = getattr(item, "obj", None)
    is_function = inspect.isroutine(test) and hasattr(item, "originalname")
    return [
        item.nodeid,
        _without_parameters(item),
        _relative(str(getattr(item, "path", None) or getattr(item, "fspath", ""))),
        _definition(test) if is_function else None,
        _idle(item, test),
        bool(getattr(test, "is_hypothesis_test", False)),
        is_function,
    ]


def _without_parameters(item: Any) -> str:
    nodeid = str(item.nodeid)
    callspec = getattr(item, "callspec", None)
    ending = f"[{getattr(callspec, 'id', '')}]"
    return nodeid[: -len(ending)] if callspec is not None and nodeid.endswith(ending) else nodeid


def _definition(test: Any) -> list[str] | None:
    return _place(getattr(test, "__func__", test))


@lru_cache(maxsize=None)  # noqa: UP033 - Python 3.8 has no `cache`
def _place(function: Any) -> list[str] | None:
    try:
        function = inspect.unwrap(function)
        # Hypothesis keeps the test itself inside of what it shows to pytest.
        function = inspect.unwrap(getattr(getattr(function, "hypothesis", None), "inner_test", function))
        return [_relative(function.__code__.co_filename), function.__qualname__]
    except (AttributeError, ValueError):
        return None


@lru_cache(maxsize=None)  # noqa: UP033 - Python 3.8 has no `cache`
def _relative(path: str) -> str:
    root = os.path.realpath(os.environ["LEDGERGATE_ROOT"])
    try:
        return os.path.relpath(os.path.realpath(path), root).replace(os.sep, "/")
    except ValueError:
        return path


def _idle(item: Any, test: Any) -> str | None:
    """Why the test proves nothing today: it is skipped, or expected to fail; None where it runs."""
    if getattr(test, "__unittest_skip__", False) or getattr(getattr(item, "cls", None), "__unittest_skip__", False):
        return "skipped"
    if getattr(test, "__unittest_expecting_failure__", False):
        return "expected to fail"
    marks = {mark.name for mark in item.iter_markers()} & {"skip", "skipif", "xfail"}
    if not marks:
        return None
    try:
        from _pytest.skipping import evaluate_skip_marks, evaluate_xfail_marks

        if evaluate_skip_marks(item):
            return "skipped"
        return "expected to fail" if evaluate_xfail_marks(item) else None
    except ImportError:
        return "skipped" if marks & {"skip", "skipif"} else "expected to fail" if "xfail" in marks else None
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - what pytest raises for a condition that cannot be evaluated is no Exception
        return "skipped, on a condition that cannot be evaluated"


def plugin_names(manager: Any) -> Iterator[str]:
    """`names_of` the plugins that are registered now."""
    return names_of((plugin for _, plugin in manager.list_name_plugin() if plugin is not None), manager)


def names_of(plugins: Iterable[Any], manager: Any) -> Iterator[str]:
    """The distributions of plugins, else their modules; neither pytest's and ledgergate's own nor conftests.

    An object that a distribution's plugin registers belongs to it; one of any other module is named by that.
    """
    known = manager.list_plugin_distinfo()
    distributions = {id(plugin): dist for plugin, dist in known}
    packages = {_module(plugin).split(".")[0] for plugin, _ in known}
    for plugin in plugins:
        module = _module(plugin)
        package = module.split(".")[0]
        if module == __name__ or package in _OWN:
            continue
        if id(plugin) in distributions:
            yield distributions[id(plugin)].project_name
        elif inspect.ismodule(plugin):
            if Path(getattr(plugin, "__file__", None) or "").name != "conftest.py":
                yield module
        elif package not in packages and module.split(".")[-1] not in _NO_PLUGIN:
            yield module


def _module(plugin: Any) -> str:
    if inspect.ismodule(plugin):
        return plugin.__name__
    return str((plugin if isinstance(plugin, type) else type(plugin)).__module__)
