"""100,000 rows against a report of 100,000 cases, beside the plainest implementation: time and peak memory.

Run by hand: `python bench/gate_reports.py`. Each side runs in a process of its own.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

OURS = """
from datetime import date
from ledgergate.evidence import Run, judge, read_junit
from ledgergate.ledger import read_ledger
ledger = read_ledger("ledger.yaml", open("ledger.yaml", "rb").read(), today=date.max)
report = read_junit("report.xml", open("report.xml", "rb"))
cases, findings = judge(ledger.rows, Run((report,)), lambda row: ())
assert cases.admitted == len(ledger.rows) and not findings
"""
PLAIN = """
import re
import xml.etree.ElementTree as ElementTree
import yaml
rows = {row["id"]: row for row in yaml.safe_load(open("ledger.yaml", "rb"))["rows"]}
pairs = {}
for id_ in rows:
    file, *names = id_.split("::")
    pairs[(".".join([re.sub("[.]py$", "", file.replace("/", ".")), *names[:-1]]), names[-1])] = id_
admitted = 0
for case in ElementTree.parse("report.xml").iter("testcase"):
    id_ = pairs.get((case.get("classname"), case.get("name")))
    if id_ is not None and not len(case) and rows[id_]["class"] in ("locked_fixture", "property"):
        admitted += 1
assert admitted == len(rows)
"""
MEASURE = """
import resource, sys, time
start = time.perf_counter()
exec(sys.argv[1])
print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--runs", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        write_inputs(Path(folder), options.rows)
        ours = min(measure(folder, OURS) for _ in range(options.runs))
        plain = min(measure(folder, PLAIN) for _ in range(options.runs))
    print(f"ledgergate                        {ours[0]:7.2f} s  {ours[1] / 1024:7.0f} MB")
    print(f"yaml.safe_load, ElementTree, dict {plain[0]:7.2f} s  {plain[1] / 1024:7.0f} MB")
    print(f"faster by {plain[0] / ours[0]:.1f} (bar: 12), memory {ours[1] / plain[1]:.2f} of it (bar: 0.5)")
    return 0


def write_inputs(folder: Path, rows: int) -> None:
    ids = [f"tests/area_{number % 97}/test_file_{number % 991}.py::test_case_{number}" for number in range(rows)]
    with (folder / "ledger.yaml").open("w") as ledger:
        ledger.write("version: 1\nrows:\n")
        for number, id_ in enumerate(ids):
            ledger.write(f"  - id: {id_}\n    class: locked_fixture\n    artifact: tests/goldens/{number}.txt\n")
            ledger.write(f"    digest: sha256:{number:064x}\n")
    with (folder / "report.xml").open("w") as report:
        report.write(f'<testsuites><testsuite name="pytest" tests="{rows}">')
        for id_ in ids:
            path, _, name = id_.partition("::")
            classname = path.removesuffix(".py").replace("/", ".")
            report.write(f'<testcase classname="{classname}" name="{name}" time="0.001" />')
        report.write("</testsuite></testsuites>")


def measure(folder: str, code: str) -> tuple[float, int]:
    """(seconds, peak kilobytes) of the code in a process of its own."""
    done = subprocess.run([sys.executable, "-c", MEASURE, code], cwd=folder, capture_output=True, text=True, check=True)
    seconds, peak = done.stdout.split()
    return float(seconds), int(peak)


if __name__ == "__main__":
    raise SystemExit(main())
