"""Time the verifying of rows that pin tests, beside parsing the same files once.

Run: python bench/inline_rows.py [--files 500] [--rows 10000] [--runs 3]

Prints the wall time of `ledgergate verify` as a whole process (the bar is 10 s for 10000 rows in 500 files), that of a
process which parses each file once with `ast.parse`, and the median of their ratios pair by pair; then the time of
`ledgergate check --staged` for one changed test file. The repository is made anew, the same each time.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from staged_check import commit, seconds

from ledgergate.source.inline import inline_digest

_MAIN = "from ledgergate.cli.main import main; raise SystemExit(main())"
_VERIFY = [sys.executable, "-c", _MAIN, "verify"]
_CHECK = [sys.executable, "-c", _MAIN, "check", "--staged"]
_FLOOR = [
    sys.executable,
    "-c",
    "import ast, pathlib\nfor path in pathlib.Path('tests').rglob('test_*.py'):\n    ast.parse(path.read_bytes())",
]
_HEAD = """\
import json

import pytest
from app import add, read

CASES = [(1, 1, 2), (2, 3, 5)]


def load(text):
    return clean(json.loads(text))


def clean(data):
    return {key: value for key, value in data.items() if value is not None}


@pytest.fixture
def numbers():
    return [1, 2, 3]


"""
_TEST = """\
@pytest.mark.parametrize(("a", "b", "total"), CASES)
def test_case_{number}(a, b, total, numbers):
    result = add(a, b)
    data = load(read("{number}"))
    expected = {{"name": "case-{number}", "total": {number}}}
    assert result == total
    assert data == expected
    assert [value + {number} for value in numbers] == [1 + {number}, 2 + {number}, 3 + {number}]


"""


def build(folder: Path, files: int, rows: int) -> None:
    """A repository with `rows` pinned tests in `files` files, and one of the files staged with another test in it."""
    each = rows // files
    entries: list[tuple[str, bytes]] = []
    ledger = ["version: 1\nrows:\n"]
    for number in range(files):
        path = f"tests/p{number // 50}/test_m{number}.py"
        # Alike files would be read only once.
        source = (f"# File {number}.\n{_HEAD}" + "".join(_TEST.format(number=test) for test in range(each))).encode()
        entries.append((path, source))
        for test in range(each):
            name = f"{path}::test_case_{test}"
            digest = inline_digest(source, (f"test_case_{test}",))
            ledger.append(f"  - id: {name}\n    class: locked_fixture\n    artifact: {name}\n    digest: {digest}\n")
    commit(folder, [*entries, ("tests/ledger.yaml", "".join(ledger).encode())])
    changed = entries[0][0]
    with (folder / changed).open("a") as file:
        file.write("def test_more():\n    assert add(1, 1) == 2\n")
    subprocess.run(["git", "add", changed], cwd=folder, check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=500)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ledgergate-bench-") as name:
        folder = Path(name)
        build(folder, options.files, options.rows)
        seconds(_FLOOR, folder)
        pairs = [(seconds(_VERIFY, folder), seconds(_FLOOR, folder)) for _ in range(options.runs)]
        staged = [seconds(_CHECK, folder) for _ in range(options.runs)]
    verified, floors = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    print(f"{options.rows} rows that pin tests in {options.files} files, {options.runs} pairs of runs")
    print(f"verify:         median {statistics.median(verified):6.2f} s, least {min(verified):6.2f} s (bar 10 s)")
    print(f"ast.parse once: median {statistics.median(floors):6.2f} s, least {min(floors):6.2f} s")
    print(f"ratio: median {statistics.median(verify / floor for verify, floor in pairs):.2f}")
    print(f"check --staged, one test file changed: median {statistics.median(staged) * 1000:.0f} ms")


if __name__ == "__main__":
    main()
