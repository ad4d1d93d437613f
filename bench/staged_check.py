"""Time a staged check of one changed production file in a large repository, beside the start-up that it cannot avoid.

Run: python bench/staged_check.py [--files 27000] [--rows 10000] [--runs 15]

Prints the wall time of `ledgergate check --staged` as a whole process, that of `python -c "import pygit2, yaml"`, and
the median of their ratios pair by pair (the bar is 2.5). The repository is made anew, the same each time.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from ledger_text import ledger_text

_FLOOR = [sys.executable, "-c", "import pygit2, yaml"]
_CHECK = [sys.executable, "-c", "from ledgergate.cli.main import main; raise SystemExit(main())", "check", "--staged"]
FREEZES = """{"schema": "freeze-ledger.v1", "required_lanes": ["fixtures"], "optional_lanes": [],
"cardinality_floor": {"fixtures": 1}, "freezes": []}"""


def build(folder: Path, files: int, rows: int) -> None:
    """A repository with `files` tracked files and a ledger of `rows` rows, and one production file staged."""
    text = ledger_text(rows)
    goldens = re.findall(r"artifact: (.*)", text)
    names = [f"src/p{number // 1000}/q{number // 50 % 20}/m{number}.py" for number in range(files - len(goldens) - 3)]
    entries = [(name, f"x = {number}\n".encode()) for number, name in enumerate(names)]
    entries += [(name, str(number).encode()) for number, name in enumerate(goldens)]
    commit(folder, [*entries, ("tests/ledger.yaml", text.encode())])
    (folder / names[0]).write_text("x = 'changed'\n")
    git(folder, "add", names[0])
    # What `git commit` does itself before it calls a hook: the index then knows the trees of its folders.
    git(folder, "write-tree", stdout=subprocess.DEVNULL)


def commit(folder: Path, entries: Sequence[tuple[str, bytes]]) -> None:
    """A repository whose one commit holds these files, a policy and a freeze ledger, checked out."""
    entries = [*entries, ("ledgergate.toml", b"version = 1\n"), ("tests/freeze_ledger.json", FREEZES.encode())]
    git(folder, "init", "-q", "-b", "main")
    stream = bytearray(b"commit refs/heads/main\ncommitter Bench <bench@example.org> 0 +0000\ndata 4\nbase\n")
    for name, content in entries:
        stream += b"M 100644 inline " + name.encode() + b"\ndata %d\n" % len(content) + content + b"\n"
    git(folder, "fast-import", "--quiet", stdin=bytes(stream))
    git(folder, "reset", "-q", "--hard")


def git(folder: Path, *arguments: str, stdin: bytes = b"", stdout: int | None = None) -> None:
    subprocess.run(["git", *arguments], cwd=folder, input=stdin, check=True, env=git_environment(), stdout=stdout)


def git_environment() -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if key in ("PATH", "HOME", "LANG", "VIRTUAL_ENV")}
    return {**kept, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}


def seconds(command: Sequence[str], folder: Path) -> float:
    """The wall time of one run, which must end in 0."""
    begun = time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, env=git_environment(), stdout=subprocess.DEVNULL)
    return time.perf_counter() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=27_000)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=15)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ledgergate-bench-") as name:
        folder = Path(name)
        build(folder, options.files, options.rows)
        seconds(_FLOOR, folder), seconds(_CHECK, folder)
        pairs = [(seconds(_CHECK, folder), seconds(_FLOOR, folder)) for _ in range(options.runs)]
    checks, floors = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    print(f"{options.files} files, {options.rows} rows, {options.runs} pairs of runs")
    print(f"check --staged:     median {statistics.median(checks) * 1000:6.1f} ms, least {min(checks) * 1000:6.1f} ms")
    print(f"import pygit2,yaml: median {statistics.median(floors) * 1000:6.1f} ms, least {min(floors) * 1000:6.1f} ms")
    print(f"ratio: median {statistics.median(check / floor for check, floor in pairs):.2f} (bar 2.5)")


if __name__ == "__main__":
    main()
