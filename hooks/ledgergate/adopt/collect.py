"""The exact ids of a suite, as its own pytest collects them."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ledgergate.adopt.child import child_environment, run_child
from ledgergate.values import display_text

TIME_LIMIT_S = 300
# The level that `-q` means, whatever the project's own options add to it.
_ARGUMENTS = ("-m", "pytest", "--collect-only", "--verbosity=-1", "--color=no")
_TESTS_FAILED, _NOTHING_COLLECTED = 1, 5
_NO_TESTS = "pytest collects no tests here"
_ONLY_IDS = (
    "only the ids of the tests are known, and not which are skipped: pytest kept ledgergate's plugin from telling"
)
# The plugin's name in the child, and the file that it writes.
_PROBE = "_ledgergate_probe"
_PROBED = "probed.json"
_PLUGINS = "plugins"
# How pytest marks the lines of an error, and one of them that names it.
_MARKED = re.compile(r"(?:E  |INTERNALERROR>) +(.*)")
_EXCEPTION = re.compile(r"[\w.]+(?:Error|Exception|Warning)\b")
_LONGEST = 160
# So many files that cannot be imported are likelier broken than without their libraries.
_FEW_BROKEN = 3


class Item(NamedTuple):
    """One collected case.

    `function` is its id without parameters, and `file` the git path of what pytest collected it from. `defined_in` and
    `name` (qualified) say where its function stands, where that is known. `idle` says why it proves nothing today:
    "skipped", "expected to fail"; None where it runs. `is_function`: a Python function or method, no doctest, no data.
    """

    id: str
    function: str
    file: str
    defined_in: str | None = None
    name: str | None = None
    idle: str | None = None
    is_hypothesis: bool = False
    is_function: bool = True

    @classmethod
    def of_id(cls, id_: str) -> Item:
        """What an id alone tells."""
        file = id_.partition("::")[0]
        is_function = file.endswith(".py") and "::" in id_
        return cls(id_, id_.partition("[")[0] if is_function else id_, file, is_function=is_function)


class Collection(NamedTuple):
    """What was collected. `problem` says in one line why not everything was; None where all is well.

    `deselected` are ids that the suite's own options leave out, and `plugins` the names of the distributions (else
    modules) of the pytest plugins that were loaded. `broken` are the test files that could not be imported, where that
    is the whole problem; else empty.
    """

    items: tuple[Item, ...]
    problem: str | None = None
    deselected: tuple[str, ...] = ()
    plugins: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()

    @property
    def may_be_the_interpreter(self) -> bool:
        """Whether another interpreter could well collect what this one did not."""
        return self.problem is not None and (not self.items or not 0 < len(self.broken) <= _FEW_BROKEN)

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(item.id for item in self.items)


def collect(
    python: str,
    folder: Path,
    tracked: Container[str],
    *,
    suites: Sequence[tuple[str, Sequence[str]]] = (("", ()),),
    time_limit_s: float = TIME_LIMIT_S,
    meanwhile: Callable[[], None] = lambda: None,
) -> Collection:
    """Collect the suites of a repository with an interpreter that has pytest, each in a child process.

    A suite is the folder below `folder` (empty: itself) that pytest starts in, and the paths there that it is given. Of
    what the children find only tests in files of `tracked` count. Whatever goes wrong is the collection's `problem`.
    `meanwhile` is called while each child runs.
    """
    parts = [_collect(python, folder, start, paths, tracked, time_limit_s, meanwhile) for start, paths in suites]
    items = {item.id: item for part in parts for item in part.items}
    problems = dict.fromkeys(part.problem for part in parts if part.problem)
    if len(parts) > 1 and items:
        problems.pop(_NO_TESTS, None)
    deselected = dict.fromkeys(id_ for part in parts for id_ in part.deselected if id_ not in items)
    plugins = {name for part in parts for name in part.plugins}
    problem = "; ".join(problems) or (None if items else "pytest printed no test ids")
    is_import = bool(problems) and all(part.broken for part in parts if part.problem in problems)
    broken = tuple(path for part in parts for path in part.broken) if is_import else ()
    return Collection(tuple(items.values()), problem, tuple(deselected), tuple(sorted(plugins)), broken)


def _collect(
    python: str,
    root: Path,
    start: str,
    paths: Sequence[str],
    tracked: Container[str],
    time_limit_s: float,
    meanwhile: Callable[[], None],
) -> Collection:
    import tempfile

    with tempfile.TemporaryDirectory(prefix="ledgergate-") as name:
        scratch = Path(name)
        stdout, stderr = scratch / "stdout", scratch / "stderr"
        options = ("-p", _install_probe(scratch), f"--rootdir={root}", "-o", f"cache_dir={scratch}/cache")
        command = [python, *_ARGUMENTS, *options, *paths]
        variables = {"LEDGERGATE_PROBE": str(scratch / _PROBED), "LEDGERGATE_ROOT": str(root)}
        environment = child_environment(scratch / _PLUGINS, variables)
        try:
            status = run_child(command, root / start, environment, stdout, stderr, time_limit_s, meanwhile)
        except OSError as error:
            return Collection((), f"{python} cannot be run: {error.strerror or error}")
        printed, complained = _read(stdout), _read(stderr)
        probed = _read_probe(scratch / _PROBED, tracked)
    if status is None:
        return Collection((), f"pytest did not finish collecting within {time_limit_s:g} seconds")
    if probed is not None and probed.problem is None and status == _TESTS_FAILED:
        # A plugin's own verdict: syrupy's, for one, finds every snapshot unused where no test runs.
        return probed
    problem = _problem(python, status, printed, complained)
    if probed is not None:
        return probed._replace(problem=problem, broken=tuple(_broken(printed, tracked)))
    items = tuple(map(Item.of_id, dict.fromkeys(_ids(printed, tracked))))
    return Collection(items, problem or (_ONLY_IDS if items else None))


def _broken(printed: str, tracked: Container[str]) -> list[str]:
    """The files that could not be imported; none where an error was about anything else."""
    named = [line.removeprefix("ERROR ").partition(" - ")[0] for line in printed.splitlines() if _is_error(line)]
    return named if all(name in tracked for name in named) else []


def _is_error(line: str) -> bool:
    return line.startswith("ERROR ")


def _install_probe(scratch: Path) -> str:
    """Put the plugin where the child can import it; the name to load it by."""
    from importlib.resources import files

    folder = scratch / _PLUGINS
    folder.mkdir()
    (folder / f"{_PROBE}.py").write_bytes(files("ledgergate.adopt").joinpath("probe.py").read_bytes())
    return _PROBE


def _read_probe(path: Path, tracked: Container[str]) -> Collection | None:
    """What the plugin wrote; None where it came to nothing, and what pytest prints has to do."""
    import json

    try:
        found = json.loads(path.read_bytes())
        items, deselected = ([_item(*record) for record in found[key]] for key in ("items", "deselected"))
        plugins = tuple(map(str, found["plugins"]))
        errors = int(found["errors"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    kept = {item.id: item for item in items if _is_tracked(item.id, tracked)}
    left_out = tuple(item.id for item in deselected if _is_tracked(item.id, tracked))
    problem = f"pytest could not collect {errors} modules" if errors else None
    return Collection(tuple(kept.values()), problem, left_out, plugins)


def _item(
    id_: str,
    function: str,
    file: str,
    definition: tuple[str, str] | None,
    idle: str | None,
    is_hypothesis: bool,
    is_function: bool,
) -> Item:
    defined_in, name = definition or (None, None)
    return Item(id_, function, file, defined_in, name, idle, is_hypothesis, is_function)


def _is_tracked(id_: str, tracked: Container[str]) -> bool:
    return "::" in id_ and id_.partition("::")[0] in tracked


def _read(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "surrogateescape")


def _ids(printed: str, tracked: Container[str]) -> Iterator[str]:
    """The ids stand one a line, before the first empty line that follows them."""
    started = False
    for line in printed.splitlines():
        if _is_tracked(line, tracked):
            started = True
            yield line
        elif started and not line.strip():
            return


def _problem(python: str, status: int, printed: str, complained: str) -> str | None:
    if status == 0:
        return None
    if status == _NOTHING_COLLECTED:
        return _NO_TESTS
    if "No module named pytest" in complained:
        return f"{python} has no pytest"
    broken = [line for line in printed.splitlines() if _is_error(line)]
    marked = [found[1] for line in (*printed.splitlines(), *complained.splitlines()) if (found := _MARKED.match(line))]
    reason = next(filter(_EXCEPTION.match, marked), marked[0] if broken and marked else "")
    if broken:
        modules = "1 module" if len(broken) == 1 else f"{len(broken)} modules"
        named = broken[0].removeprefix("ERROR ").partition(" - ")[0] + (", ..." if len(broken) > 1 else "")
        return _short(f"pytest could not import {modules} ({named}): {reason or broken[0]}")
    lines = [line for line in (*printed.splitlines(), *complained.splitlines()) if line.strip()]
    return _short(f"pytest ended with status {status}: {reason or (lines[-1].strip() if lines else 'no output')}")


def _short(text: str) -> str:
    shown = display_text(text)
    return shown if len(shown) <= _LONGEST else f"{shown[: _LONGEST - 1]}…"
