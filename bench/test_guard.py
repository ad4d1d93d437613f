"""Time the guard on edited test files, and count the moves that it tells; beside checkwash, where that is installed.

Run: python bench/test_guard.py [--files 1000] [--runs 5] [--checkwash COMMAND]

Prints the time of one comparison of `--files` edited test files (the bar is 5 s for 1,000) beside that of parsing both
sides, the best of three each; that of one test of 60 rows with 20 checks, one or all of them changed; that of a check
of one staged test file as a whole process, beside the same check of a code file, and how much of it are the imports of
the guard (the bar is 20 ms beside start-up); and how many
of the moves and of their twins in tests/cases, and of the spellings in tests/guard, are told.
COMMAND is checkwash's own (version 0.9.0), called in a repository whose last commit is the move; its exit status
counts.
"""

from __future__ import annotations

import argparse
import ast
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from staged_check import commit, seconds

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from cases.moves import CODE, MOVES, RIGHT, WRONG, Files
from ledgergate.guard import Edit
from ledgergate.guard.compare import compare
from ledgergate.guard.production import aware_code
from ledgergate.guard.runs import changed_runs
from ledgergate.guard.settings import changed_settings
from support.repo import Repo
from support.spellings import findings_of, spellings

TESTS = Path(__file__).parents[1] / "tests"
_MAIN = "from ledgergate.cli.main import main; raise SystemExit(main())"
_CHECK = [sys.executable, "-c", _MAIN, "check", "--staged"]
_IMPORTS = """\
import time
import ledgergate.checks.losses, ledgergate.cli.main, ledgergate.hosts.pre_commit
begun = time.perf_counter()
import ledgergate.guard.compare, ledgergate.guard.pairs, ledgergate.guard.start
print(time.perf_counter() - begun)
"""
_POLICY = b'version = 1\nagent_write_paths = ["tests/**"]\n'
_HEAD = """\
import pytest

from app import add, read

CASES = [(1, 1, 2), (2, 3, 5)]


def load(text):
    return read(text)


"""
_TEST = """\
@pytest.mark.parametrize(("a", "b", "total"), CASES)
def test_case_{number}(a, b, total):
    result = add(a, b)
    data = load("{number}")
    assert result == total
    assert data == {{"name": "case-{number}", "total": {number}}}
    with pytest.raises(ValueError, match="no number"):
        read("x{number}")


"""


def suite(number: int, tests: int = 12) -> tuple[bytes, bytes]:
    """A test file of a hundred lines, and the same with one of its checks changed and one test more."""
    old = f"# File {number}.\n{_HEAD}" + "".join(_TEST.format(number=one) for one in range(tests))
    new = old.replace('"total": 3}', '"total": 4}') + "def test_more():\n    assert add(2, 2) == 4\n"
    return old.encode(), new.encode()


def table(expected: str, last: str) -> bytes:
    """A test of 60 rows with 20 checks."""
    rows = ", ".join(f"({number}, {number + 1})" for number in range(60))
    checks = "".join(f"    assert f{number}(a, b) == {expected.format(number)}\n" for number in range(19))
    head = f'import pytest\n\nfrom app import *\n\n\n@pytest.mark.parametrize(("a", "b"), [{rows}])\n'
    return f"{head}def test_all(a, b):\n{checks}    assert f19(a, b) == {last}\n".encode()


def compared(edits: Sequence[Edit]) -> float:
    """The seconds that a comparison takes, which must find something in every file."""
    begun = time.perf_counter()
    found = {loss.path for loss in compare(edits)}
    took = time.perf_counter() - begun
    assert len(found) == len(edits)
    return took


def imported(runs: int) -> list[float]:
    """The seconds that a process takes to import all of the guard that reads tests, run by run."""
    return [float(subprocess.check_output([sys.executable, "-c", _IMPORTS])) for _ in range(runs)]


def parsed(edits: Sequence[Edit]) -> float:
    """The seconds that it takes to parse both sides of each."""
    begun = time.perf_counter()
    for edit in edits:
        for data in (edit.old, edit.new):
            ast.parse(data or b"")
    return time.perf_counter() - begun


def staged(folder: Path, path: str, new: bytes) -> None:
    """A repository in which agents may edit tests, with one staged file."""
    old, _ = suite(0)
    commit(folder, [("tests/test_0.py", old), ("app.py", b"x = 1\n"), ("tests/ledger.yaml", b"version: 1\nrows: []\n")])
    (folder / "ledgergate.toml").write_bytes(_POLICY)
    git(folder, "commit", "-qam", "policy")
    (folder / path).write_bytes(new)
    git(folder, "add", path)


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=B", "-c", "user.email=b@example.org"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True)


def is_refused(before: Files, after: Files, code: str) -> bool:
    old, new = {CODE: code, **before}, {CODE: code, **before, **after}
    tests: list[Edit] = []
    found = False
    for path in sorted(old.keys() | new.keys()):
        sides = [None if text is None else text.encode() for text in (old.get(path), new.get(path))]
        if sides[0] == sides[1]:
            continue
        if path.startswith("tests/") and path.endswith(".py"):
            tests.append(Edit(path, *sides))
        elif path == CODE:
            found = found or any(aware_code(path, *sides))
        elif path.endswith(".ini"):
            found = found or any(changed_settings(path, *sides))
        elif path.endswith(".yml"):
            found = found or any(changed_runs(path, *sides))
    return found or any(compare(tests))


def is_refused_by(command: Sequence[str], before: Files, after: Files, code: str) -> bool:
    with tempfile.TemporaryDirectory(prefix="ledgergate-bench-") as name:
        folder = Path(name)
        old = {CODE: code, **before}
        commit(folder, [(path, text.encode()) for path, text in old.items() if text is not None])
        for path, text in after.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            if text is None:
                (folder / path).unlink()
            else:
                (folder / path).write_text(text)
        git(folder, "add", "-A")
        git(folder, "commit", "-qm", "edit")
        return subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode != 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--checkwash", type=shlex.split)
    options = parser.parse_args()
    edits = [Edit(f"tests/test_{number}.py", *suite(number)) for number in range(options.files)]
    # Whatever else the machine does only makes it longer.
    floor, took = (min(each) for each in zip(*((parsed(edits), compared(edits)) for _ in range(3)), strict=True))
    print(f"{options.files} edited test files of {suite(0)[0].count(10)} lines: {took:.2f} s (bar 5 s for 1000)")
    print(f"parsing their two sides: {floor:.2f} s; ratio {took / floor:.2f}")
    single = [compared([Edit("tests/test_x.py", *suite(-1 - number))]) for number in range(options.runs)]
    print(f"one: median {statistics.median(single) * 1000:.1f} ms")
    one, every = (
        compared([Edit("tests/test_x.py", table("{}", "0"), new)]) for new in (table("{}", "1"), table("1{}", "1"))
    )
    print(f"a test of 60 rows with 20 checks: {one * 1000:.0f} ms where one changed, {every:.1f} s where all did")
    old, new = suite(0)
    added = old + b"\n\ndef test_more():\n    assert f(3) == 4\n"
    for what, data in (("with a test more", added), ("with a check changed", new)):
        with tempfile.TemporaryDirectory(prefix="ledgergate-bench-") as name:
            folders = [Path(name) / kind for kind in ("test", "code")]
            for folder, edit in zip(folders, (("tests/test_0.py", data), ("app.py", b"x = 2\n")), strict=True):
                folder.mkdir()
                staged(folder, *edit)
            pairs = [[seconds(_CHECK, folder) for folder in folders] for _ in range(options.runs)]
        more = statistics.median(test - code for test, code in pairs)
        least = min(test for test, _ in pairs) - min(code for _, code in pairs)
        print(
            f"check --staged of one test file {what}: median {more * 1000:.0f} ms more than of one code file, between"
            f" the least of each {least * 1000:.0f} ms (bar 20 ms beside start-up)"
        )
    print(f"of these, imports where a check changed: least {min(imported(options.runs)) * 1000:.0f} ms")
    moves = sum(is_refused(one.before, one.after, WRONG) for one in MOVES.values())
    twins = sum(is_refused(one.twin_before, one.twin_after, RIGHT) for one in MOVES.values() if one.twin_after)
    print(f"moves told by the guard alone: {moves} of {len(MOVES)}; twins: {twins}")
    for name in ("spellings", "more_spellings", "natural_spellings"):
        with tempfile.TemporaryDirectory(prefix="ledgergate-bench-") as folder:
            found = list(spellings(TESTS / "guard" / name))
            told = sum(map(bool, findings_of(Repo(Path(folder) / "repo"), found)))
        print(f"further spellings told by the guard alone, {name}: {told} of {len(found)}")
    if options.checkwash:
        moves = sum(is_refused_by(options.checkwash, one.before, one.after, WRONG) for one in MOVES.values())
        kept = [one for one in MOVES.values() if one.twin_after]
        twins = sum(is_refused_by(options.checkwash, one.twin_before, one.twin_after or {}, RIGHT) for one in kept)
        print(f"moves refused by {options.checkwash[0]}: {moves} of {len(MOVES)}; twins: {twins}")


if __name__ == "__main__":
    main()
