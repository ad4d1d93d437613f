"""Time `ledgergate init` on a large suite, beside pytest's own collection of it.

Run: python bench/init_suite.py [--tests 5000] [--files 250] [--runs 5]

Each run times `ledgergate init --inline --owner x`, then `pytest --collect-only -q`, both as whole processes, and takes
their difference: what init needs beside the collection that it waits for. Prints the median of each, as time on the
clock and of processors, which a busy machine disturbs less (the bar is five seconds on the clock). The suite is made
anew, the same each time: plain tests, parametrised ones, classes, tests that read golden files, and a few that check
nothing.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

_INIT = [sys.executable, "-m", "ledgergate", "init", "--inline", "--owner", "x", "--dry-run"]
_COLLECT = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
_HEAD = """\
import json
import pathlib

import pytest

HERE = pathlib.Path(__file__).parent
LIMIT = 10


def load(name):
    return json.loads((HERE / "data" / name).read_text())


@pytest.fixture
def doubled():
    return [value * 2 for value in range(LIMIT)]


"""
_KINDS = (
    "def test_plain_{n}(doubled):\n    assert doubled[{n} % LIMIT] == {n} % LIMIT * 2\n",
    '@pytest.mark.parametrize("x", [1, 2, 3])\ndef test_many_{n}(x):\n    assert x * LIMIT == {n} * 0 + x * 10\n',
    "class TestGroup{n}:\n    size = {n}\n\n    def test_size(self):\n        assert self.size + LIMIT == {n} + 10\n",
    'def test_golden_{n}():\n    assert load("case_{n}.json") == {{"n": {n}}}\n',
    "def test_smoke_{n}():\n    load\n",
)


def build(folder: Path, tests: int, files: int) -> None:
    """A repository with so many test functions in so many files, all tracked."""
    each = -(-tests // files)
    number = 0
    for file in range(files):
        home = folder / "tests" / f"part{file % 20}"
        (home / "data").mkdir(parents=True, exist_ok=True)
        parts = [_HEAD]
        for _ in range(min(each, tests - number)):
            kind = number % 50 % 4 if number % 50 < 48 else 4
            parts.append(_KINDS[kind].format(n=number))
            if kind == 3:
                (home / "data" / f"case_{number}.json").write_text(f'{{"n": {number}}}')
            number += 1
        (home / f"test_file{file}.py").write_text("\n\n".join(parts))
    (folder / "src").mkdir()
    (folder / "src" / "app.py").write_text("x = 1\n")
    _run(["git", "init", "-q"], folder)
    _run(["git", "add", "-A"], folder)


def _run(command: Sequence[str], folder: Path) -> str:
    return subprocess.run(
        command,
        cwd=folder,
        env=_environment(),
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ).stdout


def _environment() -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if key in ("PATH", "HOME", "LANG", "VIRTUAL_ENV")}
    return {**kept, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "PYTHONDONTWRITEBYTECODE": "1"}


def seconds(command: Sequence[str], folder: Path) -> tuple[float, float]:
    """(time on the clock, time of processors) of one run with its children, which must end in 0."""
    begun, before = time.perf_counter(), _processor_time()
    _run(command, folder)
    return time.perf_counter() - begun, _processor_time() - before


def _processor_time() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tests", type=int, default=5000)
    parser.add_argument("--files", type=int, default=250)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ledgergate-bench-") as name:
        folder = Path(name)
        build(folder, options.tests, options.files)
        counts = _run(_INIT, folder).partition("by what a pass")
        print(counts[0].splitlines()[-1] + counts[1] + counts[2].partition("\n\n")[0])
        pairs = [(seconds(_INIT, folder), seconds(_COLLECT, folder)) for _ in range(options.runs)]
    print(f"{options.runs} pairs of runs; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    for place, kind in enumerate(("clock", "processors")):
        inits, collections = ([run[place] for run in runs] for runs in zip(*pairs, strict=True))
        difference = statistics.median(one - other for one, other in zip(inits, collections, strict=True))
        print(f"{kind:<11} init --inline {statistics.median(inits):6.2f} s", end="")
        print(
            f"   pytest --collect-only {statistics.median(collections):6.2f} s   difference {difference:5.2f} s (bar 5)"
        )


if __name__ == "__main__":
    main()
