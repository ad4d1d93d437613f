"""Collection with a real pytest in a child process."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from ledgergate.adopt.collect import Collection, collect
from support.adoption import lay_out

pytestmark = pytest.mark.slow

TWO_TESTS = "import pytest\n@pytest.mark.parametrize('x', ['a', 'b c'])\ndef test_x(x): pass\n"
IDS = ("tests/test_a.py::test_x[a]", "tests/test_a.py::test_x[b c]")


OPTIONS = {
    "none": "",
    "verbose": "[pytest]\naddopts = -vv\n",
    "quiet": "[pytest]\naddopts = -qq\n",
    "last failed": "[pytest]\naddopts = --lf --color=yes\n",
}


@pytest.mark.parametrize("ini", OPTIONS.values(), ids=OPTIONS.keys())
def test_ids_are_exact_whatever_the_options(ini: str, tmp_path: Path) -> None:
    tracked = lay_out(tmp_path, {"tests/test_a.py": TWO_TESTS, "pytest.ini": ini})
    assert collect(sys.executable, tmp_path, tracked).ids == IDS
    left = {path.name for path in tmp_path.rglob("*")}
    assert left == {"tests", "test_a.py", "pytest.ini"}


def test_what_a_suite_prints_is_no_id(tmp_path: Path) -> None:
    noise = TWO_TESTS + "import warnings\nwarnings.warn('tests/test_a.py::test_y')\nprint('tests/test_b.py::test_z')\n"
    tracked = lay_out(tmp_path, {"tests/test_a.py": noise})
    assert collect(sys.executable, tmp_path, tracked).ids == IDS


PROBLEMS = [
    (
        {"tests/test_a.py": TWO_TESTS, "tests/test_b.py": "import no_such_module\n"},
        IDS,
        "1 module (tests/test_b.py): ModuleNotFoundError",
    ),
    ({"tests/test_a.py": "def test_x(:\n"}, (), "SyntaxError"),
    ({"tests/a.txt": ""}, (), "collects no tests"),
    ({"pytest.ini": "[pytest]\naddopts = --no-such-option\n"}, (), "status 4: "),
    ({"conftest.py": "import os\nos._exit(0)\n"}, (), None),
    ({"conftest.py": "raise RuntimeError('broken')\n"}, (), "broken"),
]


@pytest.mark.parametrize(("files", "ids", "problem"), PROBLEMS)
def test_a_collection_that_fails_says_why(
    files: dict[str, str], ids: tuple[str, ...], problem: str | None, tmp_path: Path
) -> None:
    tracked = lay_out(tmp_path, files)
    collection = collect(sys.executable, tmp_path, tracked)
    assert collection.ids == ids
    if problem is None:
        assert collection.problem == "pytest printed no test ids"
    else:
        assert problem in (collection.problem or "")
        assert "\n" not in (collection.problem or "")


@pytest.mark.parametrize("python", ["/no/such/python", "/"])
def test_an_interpreter_that_cannot_be_run(python: str, tmp_path: Path) -> None:
    assert "cannot be run" in (collect(python, tmp_path, frozenset()).problem or "")


def test_an_interpreter_without_pytest(tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    assert (collect(str(python), tmp_path, frozenset()).problem or "").endswith("has no pytest")


def test_a_suite_that_hangs_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    hang = "import pathlib, subprocess, sys, time\n"
    hang += "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
    hang += "pathlib.Path('child').write_text(str(child.pid))\ntime.sleep(60)\n"
    tracked = lay_out(tmp_path, {"conftest.py": hang})
    started = time.monotonic()
    collection = collect(sys.executable, tmp_path, tracked, time_limit_s=3)
    assert time.monotonic() - started < 30
    assert collection == Collection((), "pytest did not finish collecting within 3 seconds")
    assert is_ended(int((tmp_path / "child").read_text(encoding="utf-8")))


def is_ended(pid: int) -> bool:
    for _ in range(100):
        state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, check=False).stdout
        if not state.strip() or state.strip().startswith(b"Z"):
            return True
        time.sleep(0.05)
    return False


def test_the_child_gets_no_variable_of_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_PREFIX", "PYTEST_ADDOPTS"):
        monkeypatch.setenv(name, "-x")
    seen = "import os, pathlib\npathlib.Path('seen').write_text(' '.join(sorted(os.environ)))\n"
    collect(sys.executable, tmp_path, lay_out(tmp_path, {"conftest.py": seen}))
    names = (tmp_path / "seen").read_text(encoding="utf-8").split()
    assert [name for name in names if name.startswith(("GIT_D", "GIT_I", "GIT_W", "GIT_P", "PYTEST_A"))] == []
    assert "PATH" in names


def test_several_suites_are_one_collection(tmp_path: Path) -> None:
    test = "def test_x(): pass\n"
    files = {"a/tests/test_m.py": test, "b/tests/test_m.py": test, "c/setup.cfg": "", "a/setup.cfg": "[tool:pytest]\n"}
    tracked = lay_out(tmp_path, files)
    suites = [("a", ()), ("b", ("tests",)), ("c", ())]
    found = collect(sys.executable, tmp_path, tracked, suites=suites)
    assert (found.ids, found.problem) == (("a/tests/test_m.py::test_x", "b/tests/test_m.py::test_x"), None)
    empty = collect(sys.executable, tmp_path, tracked, suites=[("c", ()), ("c", ())])
    assert empty.problem == "pytest collects no tests here"
