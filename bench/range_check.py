"""Time `ledgergate check --from main --to BRANCH` over a long branch of a large repository.

Run: python bench/range_check.py [--files 27000] [--commits 10000] [--rows 10000] [--runs 5]

A tenth of the branch's commits carry an agent's trailer, some of those append a draft, the branch has taken in main
once, and main has gone on since. Three branches are judged: one that changes no contract; one in which a human gives a
golden other bytes and its row another digest; one in which an agent does. Prints the wall time of each whole process,
and that of `python -c "import pygit2, yaml"`. The bars: 2 s with a contract change; without one, 0.5 s more than that.
The repository is made anew, the same each time.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ledger_text import ledger_text
from staged_check import FREEZES, git, git_environment

_FLOOR = [sys.executable, "-c", "import pygit2, yaml"]
_CHECK = [sys.executable, "-c", "from ledgergate.cli.main import main; raise SystemExit(main())", "check"]
_LEDGER = "tests/ledger.yaml"
_GOLDEN = "tests/goldens/parse/case_000001.json"
_AGENT = "\n\nCo-Authored-By: Claude <noreply@anthropic.com>"
_DRAFT = """\
  - id: tests/agent_drafts/test_new_{0}.py::test_new
    class: draft
    source: agent
    proposed_class: property
    invariant: holds
"""
# The branch's name, who changes the contract on it, and how the check must end.
_BRANCHES = (("plain", None, 0), ("by-human", "human", 1), ("by-agent", "agent", 1))


class Commit(NamedTuple):
    """A commit of the stream. `files` are contents by path; `merged` is a mark that it takes in."""

    branch: str
    mark: int
    parent: int | None
    files: dict[str, str]
    by_agent: bool = False
    merged: int | None = None


def stream(files: int, commits: int, rows: int) -> Iterator[bytes]:
    """The repository as `git fast-import` takes it: main, and the three branches off it."""
    ledger, names, base = start(files, rows)
    yield encode(Commit("main", 1, None, base))
    yield encode(Commit("main", 2, 1, {names[-1]: "y = 1\n"}))
    yield encode(Commit("main", 3, 2, {names[-2]: "y = 2\n"}))
    for number, (branch, who, _) in enumerate(_BRANCHES, 1):
        for commit in topic(branch, who, commits, names, ledger):
            # Each branch has marks of its own.
            yield encode(commit, number * 1_000_000)


def start(files: int, rows: int) -> tuple[str, list[str], dict[str, str]]:
    """The ledger, the names of the production files, and all files of the first commit."""
    ledger = ledger_text(rows)
    assert _GOLDEN in ledger
    goldens = re.findall(r"artifact: (.*)", ledger)
    names = [f"src/p{number // 1000}/q{number // 50 % 20}/m{number}.py" for number in range(files - len(goldens) - 3)]
    base = {name: f"x = {number}\n" for number, name in enumerate(names)}
    # The digests of `ledger_text` are those of the numbers.
    base |= {name: str(int(name[-11:-5])) for name in goldens}
    base |= {_LEDGER: ledger, "ledgergate.toml": "version = 1\n", "tests/freeze_ledger.json": FREEZES}
    return ledger, names, base


def topic(
    branch: str, who: str | None, commits: int, names: list[str], ledger: str, *, drafts: bool = True
) -> Iterator[Commit]:
    """The commits of one branch off main's first one; without `drafts` they leave the ledger alone."""
    parent = 1
    for number in range(commits):
        mark, by_agent = number + 10, number % 10 == 3
        files = {names[number * 7 % (len(names) - 2) // 8 * 8]: f"x = 'changed {number}'\n"}
        if drafts and by_agent and number % (commits // 20) < 10:
            ledger += _DRAFT.format(number)
            files[_LEDGER] = ledger
        if who and number == commits // 2 + 5:
            by_agent = who == "agent"
            ledger = ledger.replace(hashlib.sha256(b"1").hexdigest(), hashlib.sha256(b"new").hexdigest())
            files = {_GOLDEN: "new", _LEDGER: ledger}
        yield Commit(branch, mark, parent, files, by_agent, 2 if number == commits // 2 else None)
        parent = mark


def encode(commit: Commit, shift: int = 0) -> bytes:
    """One commit of the stream; the marks below ten are main's."""

    def mark(number: int) -> int:
        return number + shift if number >= 10 else number

    message = f"Commit {commit.mark}{_AGENT if commit.by_agent else ''}\n".encode()
    lines = [f"commit refs/heads/{commit.branch}", f"mark :{mark(commit.mark)}"]
    lines += [f"committer Bench <bench@example.org> {1_700_000_000 + commit.mark} +0000", f"data {len(message)}"]
    header = "\n".join(lines).encode() + b"\n" + message
    parents = [("from", commit.parent), ("merge", commit.merged)]
    header += b"".join(f"{word} :{mark(found)}\n".encode() for word, found in parents if found)
    return header + b"".join(
        f"M 100644 inline {name}\ndata {len(content)}\n{content}\n".encode() for name, content in commit.files.items()
    )


def build(folder: Path, files: int, commits: int, rows: int) -> None:
    git(folder, "init", "-q", "-b", "main")
    git(folder, "fast-import", "--quiet", stdin=b"".join(stream(files, commits, rows)))


def seconds(command: list[str], folder: Path, status: int) -> float:
    """The wall time of one run, which must end as expected."""
    begun = time.perf_counter()
    done = subprocess.run(command, cwd=folder, check=False, env=git_environment(), capture_output=True)
    taken = time.perf_counter() - begun
    assert done.returncode == status, (done.stdout[-2000:], done.stderr[-2000:])
    return taken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=27_000)
    parser.add_argument("--commits", type=int, default=10_000)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ledgergate-bench-") as name:
        folder = Path(name)
        build(folder, options.files, options.commits, options.rows)
        print(f"{options.files} files, {options.commits} commits, {options.rows} rows, {options.runs} runs each")
        show("import pygit2, yaml", [seconds(_FLOOR, folder, 0) for _ in range(options.runs)])
        for branch, _, status in _BRANCHES:
            command = [*_CHECK, "--from", "main", "--to", branch]
            show(f"check, {branch}", [seconds(command, folder, status) for _ in range(options.runs)])


def show(what: str, taken: list[float]) -> None:
    print(f"{what + ':':<22} median {statistics.median(taken) * 1000:7.0f} ms, least {min(taken) * 1000:7.0f} ms")


if __name__ == "__main__":
    main()
