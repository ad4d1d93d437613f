"""What the pytest plugin costs a suite of some thousand tests: without it, inert, and as a lane.

Usage: python bench/plugin_cost.py [ROUNDS]
       python bench/plugin_cost.py --count

A third of the tests read a golden file that a row locks. Each round runs all three ways, one after the other, and
prints the processor time and the clock of each; the ratios at the end are medians over the rounds, each round compared
with itself, so that whatever else the machine does meets all three alike. On a machine that is never calm, `--count`
has valgrind count the instructions of one run of each, which no neighbour changes; it takes minutes.
"""

from __future__ import annotations

import hashlib
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

FILES, TESTS = 60, 60
WAYS = {
    "without": ["-p", "no:ledgergate"],
    "inert": [],
    "active": ["--ledgergate-lane=bench"],
}
# Nothing but what pytest itself brings.
OTHERS = ["-p", "no:xdist", "-p", "no:hypothesispytest", "-p", "no:cacheprovider"]


class Cost(NamedTuple):
    """Seconds of one run: of processor time, the system's part included, and by the clock."""

    processor: float
    clock: float


def main() -> None:
    # Compiled modules are kept, as they are for whoever runs a suite twice.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as folder:
        write_suite(Path(folder))
        for options in WAYS.values():
            cost(folder, options)
        if sys.argv[1:] == ["--count"]:
            count(folder)
        else:
            measure(folder, int(sys.argv[1]) if len(sys.argv) > 1 else 9)


def measure(folder: str, rounds: int) -> None:
    """Print what each way costs, round by round, and the ratios."""
    took: dict[str, list[Cost]] = {way: [] for way in WAYS}
    for number in range(rounds):
        for way in [*WAYS][number % 3 :] + [*WAYS][: number % 3]:
            took[way].append(cost(folder, WAYS[way]))
        last = {way: costs[-1] for way, costs in took.items()}
        print("  ".join(f"{way} {one.processor:.2f} s ({one.clock:.2f})" for way, one in last.items()), flush=True)
    print(f"{FILES * TESTS:,} tests, {rounds} rounds")
    for way in ("inert", "active"):
        for kind in Cost._fields:
            pairs = zip(took[way], took["without"], strict=True)
            ratios = [getattr(one, kind) / getattr(other, kind) for one, other in pairs]
            print(f"{way} / without, {kind}: median {statistics.median(ratios):.3f}, best {min(ratios):.3f}")


def count(folder: str) -> None:
    """Print how many instructions each way takes, and the ratios."""
    tool = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    counts: dict[str, int] = {}
    for way, options in WAYS.items():
        done = run(folder, options, tool, PYTHONHASHSEED="0")
        found = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)
        assert found is not None, done.stderr
        counts[way] = int(found[1].replace(",", ""))
        print(
            f"{way}: {counts[way] / 1e6:,.0f} million instructions, {counts[way] / counts['without']:.3f}", flush=True
        )


def cost(folder: str, options: Sequence[str]) -> Cost:
    before, started = os.times(), time.perf_counter()
    run(folder, options)
    after, clock = os.times(), time.perf_counter() - started
    processor = after.children_user + after.children_system - before.children_user - before.children_system
    return Cost(processor, clock)


def run(
    folder: str, options: Sequence[str], prefix: Sequence[str] = (), **variables: str
) -> subprocess.CompletedProcess[str]:
    command = [*prefix, sys.executable, "-m", "pytest", "-q", "--no-header", *OTHERS, *options]
    environment = {**os.environ, **variables}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def write_suite(folder: Path) -> None:
    (folder / "tests/goldens").mkdir(parents=True)
    rows = []
    for file in range(FILES):
        lines = ["from pathlib import Path", ""]
        for test in range(TESTS):
            name, golden = f"test_{file:02d}_{test:02d}", f"tests/goldens/{file:02d}_{test:02d}.txt"
            lines.append(f"def {name}(tmp_path):" if test % 10 == 0 else f"def {name}():")
            if test % 3:
                lines.append(f"    assert sorted([{test}, 3, 1]) == sorted([3, 1, {test}])")
                continue
            content = f"{name}\n" * 40
            (folder / golden).write_text(content)
            digest = hashlib.sha256(content.encode()).hexdigest()
            lines.append(f'    assert Path("{golden}").read_text() == "{name}\\n" * 40')
            rows.append(
                f"  - id: tests/test_{file:02d}.py::{name}\n    class: locked_fixture\n"
                f"    artifact: {golden}\n    digest: sha256:{digest}\n"
            )
        (folder / f"tests/test_{file:02d}.py").write_text("\n".join(lines) + "\n")
    (folder / "tests/ledger.yaml").write_text("version: 1\nrows:\n" + "".join(rows))
    (folder / "ledgergate.toml").write_text("version = 1\n")


if __name__ == "__main__":
    main()
