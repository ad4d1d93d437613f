"""What the pytest plugin costs a suite of some thousand tests: without it, inert, and as a lane.

Usage: python bench/plugin_cost.py [ROUNDS]

A third of the tests read a golden file that a row locks. Each round runs all three ways, one after the other, and
prints the processor time of each; the ratios at the end are between the medians, and between the best of each.
"""

from __future__ import annotations

import hashlib
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

FILES, TESTS = 60, 60
WAYS = {
    "without": ["-p", "no:ledgergate"],
    "inert": [],
    "active": ["--ledgergate-lane=bench"],
}
# Nothing but what pytest itself brings.
OTHERS = ["-p", "no:xdist", "-p", "no:hypothesispytest", "-p", "no:cacheprovider"]


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    with tempfile.TemporaryDirectory() as folder:
        write_suite(Path(folder))
        for options in WAYS.values():
            cost(folder, options)
        took: dict[str, list[float]] = {way: [] for way in WAYS}
        for number in range(rounds):
            # In turns, so that whatever else the machine does meets all of them alike.
            order = list(WAYS)[number % 3 :] + list(WAYS)[: number % 3]
            for way in order:
                took[way].append(cost(folder, WAYS[way]))
            print("  ".join(f"{way} {took[way][-1]:.2f} s" for way in WAYS), flush=True)
    print(f"{FILES * TESTS:,} tests, {rounds} rounds, processor time")
    for way in ("inert", "active"):
        medians = statistics.median(took[way]) / statistics.median(took["without"])
        print(f"{way} / without: median {medians:.3f}, best {min(took[way]) / min(took['without']):.3f}")


def cost(folder: str, options: list[str]) -> float:
    """Seconds of processor time of one run, the system's part included."""
    command = [sys.executable, "-m", "pytest", "-q", "--no-header", *OTHERS, *options]
    before = os.times()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    after = os.times()
    assert done.returncode == 0, done.stdout + done.stderr
    return after.children_user + after.children_system - before.children_user - before.children_system


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
