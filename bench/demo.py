"""Time the demonstration, beside the bare git commands that it cannot do without.

Run: python bench/demo.py [--runs 5]

Prints the wall time of `ledgergate demo` as a whole process (the bar is 10 s), that of making a repository with as many
commits, and the median of their ratios pair by pair.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

from staged_check import seconds

_DEMO = [sys.executable, "-c", "from ledgergate.cli.main import main; raise SystemExit(main())", "demo"]
_COMMITS = 6
_BARE = [
    sys.executable,
    "-c",
    f"""
import pathlib, subprocess
git = ["git", "-c", "user.name=x", "-c", "user.email=x@x.example"]
subprocess.run([*git, "init", "-q"], check=True)
for number in range({_COMMITS}):
    pathlib.Path("file").write_text(str(number))
    subprocess.run([*git, "add", "file"], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "x"], check=True)
""",
]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    pairs: list[tuple[float, float]] = []
    for _ in range(runs):
        with tempfile.TemporaryDirectory(prefix="ledgergate-bench-") as folder:
            pairs.append((seconds(_DEMO, Path(folder)), seconds(_BARE, Path(folder))))
    demo, bare = (statistics.median(each) for each in zip(*pairs, strict=True))
    ratio = statistics.median(one / other for one, other in pairs)
    print(f"demo: {demo:.2f} s (bar 10 s); {_COMMITS} bare commits: {bare:.2f} s; ratio {ratio:.1f}")
    return 0 if demo < 10 else 1


if __name__ == "__main__":
    raise SystemExit(main())
