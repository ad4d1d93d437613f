"""Runs one entry point again and again, each time with another fault, and says how each run ended.

Called as a program with the arguments of `main` as JSON; writes a `Result` for each scenario as JSON. The process
loads ledgergate with hooks (`support.seams`), and makes it forget before each run what it remembers of the last one.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import shutil
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from support.seams import Recorder

Files = dict[str, tuple[int, bytes]]
Counts = dict[str, int]
_OWN_ERRORS = {
    "pygit2": ("GitError", "KeyError"),
    "_pygit2": ("GitError", "KeyError"),
    "foreign": ("GitError",),
    "yaml": ("YAMLError",),
    "import": ("ImportError",),
    "subprocess": ("FileNotFoundError", "PermissionError"),
}
_FILE_ERRORS = ("PermissionError", "FileNotFoundError")
_ANYTHING = ("ENOSPC", "RuntimeError", "MemoryError", "KeyboardInterrupt")
_IN_OWN_CODE = ("RuntimeError", "KeyError", "ValueError", "ENOSPC", "TypeError", "RecursionError")


@dataclass(frozen=True)
class Scenario:
    """`entry` is `module:function`, called without arguments as a console script is; `argv` are the command's own.

    `folder` holds the repository, copied for every run where the command writes. `temporary` is the TMPDIR, `stdin`
    what stands on standard input.
    """

    entry: str
    argv: list[str]
    folder: str
    temporary: str
    status: int
    writes: bool = False
    stdin: str = ""


class Fault(NamedTuple):
    place: str
    count: int
    error: str
    lasting: bool = False  # every later touch of that library fails, too, as on a full disk


class Ended(NamedTuple):
    status: int
    output: str
    said: str
    counts: Counts
    raised: list[str]
    escaped: bool


class Wrong(NamedTuple):
    argv: list[str]
    faults: list[Fault]
    problem: str
    said: str


@dataclass
class Result:
    """`seams` and `functions` are the places that a clean run passes; `wrong` says what went wrong in which run."""

    seams: int = 0
    functions: int = 0
    runs: int = 0
    wrong: list[Wrong] = field(default_factory=list)


def make_error(name: str) -> BaseException:
    if name == "ENOSPC":
        return OSError(28, "No space left on device")
    if name in ("FileNotFoundError", "PermissionError"):
        return {
            "FileNotFoundError": FileNotFoundError(2, "No such file"),
            "PermissionError": PermissionError(13, "No"),
        }[name]
    if name == "GitError":
        return importlib.import_module("pygit2").GitError("injected")  # type: ignore[no-any-return]
    if name == "YAMLError":
        return importlib.import_module("yaml").YAMLError("injected")  # type: ignore[no-any-return]
    error: BaseException = getattr(__import__("builtins"), name)("injected")
    return error


def library_of(place: str) -> str:
    """The library that a place touches; empty where it is the entry of a function of our own."""
    return place.rpartition("@")[2] if "@" in place else ""


def is_seam(place: str) -> bool:
    return library_of(place) != ""


def errors_for(place: str) -> tuple[str, ...]:
    """What can be raised there: the library's own errors first, then what can happen anywhere."""
    if not is_seam(place):
        return _IN_OWN_CODE
    return (*_OWN_ERRORS.get(library_of(place), _FILE_ERRORS), *_ANYTHING)


class Planner:
    """Which faults to try. `thorough`: every error at every place's first, a later and its last call.

    Otherwise a seam gets the library's own errors on its first call, another error, and one on its last call; every
    third seam that an earlier scenario has been through gets one fault, and so does every second function of
    ledgergate. Calls and errors take turns. What is `known` is tried elsewhere, as by an earlier scenario.
    """

    def __init__(self, *, thorough: bool) -> None:
        self._thorough = thorough
        self._seen: set[str] = set()
        self._turn = 0

    def know(self, counts: Counts) -> None:
        self._seen.update(counts)

    def plan(self, counts: Counts) -> Iterator[Fault]:
        libraries: set[str] = set()
        for place, count in counts.items():
            new = place not in self._seen
            yield from self._at(place, sorted({1, (count + 1) // 2, count}))
            library = library_of(place)
            if library and library not in libraries and (new or self._thorough):
                libraries.add(library)
                yield Fault(place, 1, "ENOSPC", lasting=True)

    def second(self, place: str) -> Iterator[Fault]:
        """Faults where something runs only because something else has failed."""
        yield from self._at(place, [1])

    def _at(self, place: str, calls: list[int]) -> Iterator[Fault]:
        errors = errors_for(place)
        if self._thorough:
            yield from (Fault(place, at, error) for at in calls for error in errors)
            return
        self._turn += 1
        turn, new = self._turn, place not in self._seen
        self._seen.add(place)
        if new and is_seam(place):
            yield from (Fault(place, 1, error) for error in errors[: -len(_ANYTHING)])
            yield Fault(place, calls[turn % len(calls)], _ANYTHING[turn % len(_ANYTHING)])
            if len(calls) > 1:
                yield Fault(place, calls[-1], errors[turn % len(errors)])
        elif turn % 2 == 0 if new else is_seam(place) and turn % 3 == 0:
            yield Fault(place, calls[turn // 3 % len(calls)], errors[turn // 3 % len(errors)])


class Runner:
    def __init__(self, scenario: Scenario, recorder: Recorder) -> None:
        self.scenario = scenario
        self.recorder = recorder
        module, _, name = scenario.entry.partition(":")
        self.entry: Callable[[], int] = getattr(importlib.import_module(module), name)
        self.original = self.files()
        self._forget: list[Callable[[], None]] = []

    def files(self) -> Files:
        return read_files(Path(self.scenario.folder), index_by_meaning=self.scenario.writes)

    def warm_up(self) -> None:
        """Run once, so that modules are loaded and patterns compiled, and find what remembers results."""
        self.run([])
        self._forget = [
            clear
            for name, module in list(sys.modules.items())
            if name.partition(".")[0] == "ledgergate"
            for value in vars(module).values()
            if (clear := getattr(value, "cache_clear", None))
        ]
        gc.collect()
        gc.freeze()

    def run(self, faults: list[Fault]) -> Ended:
        """Run the entry point in this process, with standard streams of its own, as if it were the first run."""
        for clear in self._forget:
            clear()
        files = [Path(self.scenario.temporary).parent / name for name in ("out", "err")]
        for number, file in enumerate(files, 1):
            handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(handle, number)
            os.close(handle)
        lines = Path(self.scenario.temporary).parent / "in"
        lines.write_text(self.scenario.stdin)
        handle = os.open(lines, os.O_RDONLY)
        os.dup2(handle, 0)
        os.close(handle)
        os.chdir(self.scenario.folder)
        os.umask(0o022)
        sys.argv = ["ledgergate", *self.scenario.argv]
        self.recorder.counts, self.recorder.raised, self.recorder.plan = {}, [], follow(faults)
        signal.alarm(60)
        escaped = True
        try:
            status = self.entry()
            escaped = False
        except BaseException:  # noqa: BLE001 - the boundary is what is tested
            traceback.print_exc()
            status = 1
        self.recorder.plan = follow([])
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError):
                stream.flush()
        output, said = (file.read_bytes().decode("utf-8", "replace") for file in files)
        return Ended(status, output, said, self.recorder.counts, self.recorder.raised, escaped)


def follow(faults: list[Fault]) -> Callable[[str, int], BaseException | None]:
    by_place = {(fault.place, fault.count): fault for fault in faults}
    lasting: list[str] = []

    def plan_(place: str, count: int) -> BaseException | None:
        fault = by_place.get((place, count))
        if fault is not None and fault.lasting:
            lasting.append(library_of(place))
        if fault is None and (not lasting or library_of(place) not in lasting):
            return None
        return make_error(fault.error if fault else "ENOSPC")

    return plan_


def read_files(folder: Path, *, index_by_meaning: bool = False) -> Files:
    """Everything in a repository but git's objects, which may grow.

    `index_by_meaning`: of the index what is staged, without the times that stand in it.
    """
    found: Files = {}
    for root, folders, names in os.walk(folder):
        if root.endswith(".git"):
            folders.remove("objects")
        for name in names:
            path = Path(root, name)
            found[str(path.relative_to(folder))] = (path.stat().st_mode, path.read_bytes())
    if index_by_meaning:
        listing = subprocess.run(["git", "ls-files", "--stage", "-z"], cwd=folder, capture_output=True, check=True)
        found[".git/index"] = (0, listing.stdout)
    return found


def problems(runner: Runner, faults: list[Fault], ended: Ended, allowed: list[Files]) -> Iterator[str]:
    """What is wrong with how a run with faults ended."""
    interrupted = any(fault.error == "KeyboardInterrupt" for fault in faults)
    if not ended.raised:
        yield "the fault did not happen"
    elif ended.status == 0:
        yield "it passed"
    elif ended.status not in ((130,) if interrupted and len(faults) == 1 else (1, 3, 130) if interrupted else (1, 3)):
        yield f"status {ended.status}"
    if ended.escaped:
        yield "an exception left the entry point"
    if not ended.output and not ended.said:
        yield "it said nothing"
    if "Traceback" in ended.said and not ended.said.startswith("ledgergate: "):
        yield "a traceback reached the terminal"
    yield from changed_files(runner.files(), runner.original, allowed)
    yield from left_behind(Path(runner.scenario.temporary))


def left_behind(temporary: Path) -> Iterator[str]:
    """What is still there once Python has tidied up as it does at its end; traces of bugs are meant to be."""
    if any(left.suffix != ".trace" for left in temporary.iterdir()):
        gc.collect()
    for left in temporary.iterdir():
        if left.suffix != ".trace":
            yield f"it left {left.name.partition('-')[0]}-* in TMPDIR"
        shutil.rmtree(left) if left.is_dir() else left.unlink()


def changed_files(now: Files, before: Files, allowed: list[Files]) -> Iterator[str]:
    for path in sorted(now.keys() | before.keys()):
        versions = [before.get(path), *(version.get(path) for version in allowed)]
        if now.get(path) not in versions:
            yield f"{path} is {'lost' if path not in now else 'new' if path not in before else 'changed'}"
    for version in allowed:
        # What only moves is at one of its places.
        kept = {data for _, data in before.values()} & {data for _, data in version.values()}
        if kept - {data for _, data in now.values()}:
            yield "a content is lost"


class Examination:
    """All runs of one scenario."""

    def __init__(self, scenario: Scenario, recorder: Recorder, planner: Planner) -> None:
        self._runner, self._planner, self._scenario = Runner(scenario, recorder), planner, scenario
        self._folder, self._pristine = Path(scenario.folder), Path(f"{scenario.folder}.pristine")
        self._allowed: list[Files] = []
        self._behind: dict[str, Fault] = {}
        self._clean: Counts = {}
        self.result = Result()

    def run(self) -> Result:
        if self._scenario.writes:
            subprocess.run(["cp", "-a", str(self._folder), str(self._pristine)], check=True)
        self._runner.warm_up()
        clean = self._once()
        if clean.status != self._scenario.status or clean.escaped:
            self._report([], f"a clean run ends as {clean.status}", clean.said or clean.output)
            return self.result
        self._allowed = [self._runner.files()] if self._scenario.writes else []
        self._clean = clean.counts
        self.result.seams = sum(map(is_seam, clean.counts))
        self.result.functions = len(clean.counts) - self.result.seams
        for fault in self._planner.plan(clean.counts):
            ended = self._attempt(fault)
            for place in ended.counts.keys() - self._clean.keys():
                self._behind.setdefault(place, fault)
        for place, first in sorted(self._behind.items()):
            for second in self._planner.second(place):
                self._attempt(first, second)
        return self.result

    def walk_through(self) -> None:
        """Let the planner know what a clean run passes. Raises `RuntimeError` where it does not end as it should."""
        self._runner.warm_up()
        clean = self._once()
        if clean.status != self._scenario.status or clean.escaped:
            raise RuntimeError(f"a clean run ends as {clean.status}: {clean.said}")
        self._planner.know(clean.counts)

    def _once(self, *faults: Fault) -> Ended:
        if self._scenario.writes and self._runner.files() != self._runner.original:
            shutil.rmtree(self._folder)
            subprocess.run(["cp", "-a", str(self._pristine), str(self._folder)], check=True)
        return self._runner.run(list(faults))

    def _attempt(self, *faults: Fault) -> Ended:
        ended = self._once(*faults)
        self.result.runs += 1
        for problem in problems(self._runner, list(faults), ended, self._allowed):
            self._report(list(faults), problem, ended.said[-1500:])
        return ended

    def _report(self, faults: list[Fault], problem: str, said: str) -> None:
        self.result.wrong.append(Wrong(self._scenario.argv, faults, problem, said))


def main(
    thorough: bool, results_file: str, scenarios: list[dict[str, Any]], known: Sequence[dict[str, Any]] = ()
) -> None:
    from support.seams import load_with_seams

    recorder, planner = load_with_seams(), Planner(thorough=thorough)
    for scenario in known:
        Examination(Scenario(**scenario), recorder, planner).walk_through()
    results = [Examination(Scenario(**scenario), recorder, planner).run() for scenario in scenarios]
    Path(results_file).write_text(json.dumps([asdict(result) for result in results]))


if __name__ == "__main__":
    main(**json.loads(sys.argv[1]))
