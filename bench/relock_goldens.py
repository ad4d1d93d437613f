"""What an honest change of 3,000 goldens takes to relock: seconds, groups, lines on the screen.

Usage: python bench/relock_goldens.py
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ledgergate.cli.main import main as ledgergate
from ledgergate.ledger.digests import file_digest

NUMBER = 3_000
SCREEN = 50


def content(number: int) -> str:
    rows = "".join(f'    {{"name": "item {number}-{row}", "size": {number * row}}},\n' for row in range(number % 7 + 1))
    return f'{{\n  "case": {number},\n  "version": 1,\n  "took_ms": {number % 97},\n  "items": [\n{rows}  ]\n}}\n'


CHANGES: dict[str, Callable[[str, int], str]] = {
    "the same line in each": lambda text, _: text.replace('"version": 1', '"version": 2'),
    "a key renamed in lines of all kinds": lambda text, _: text.replace('"size"', '"length"'),
    "another time in each": lambda text, number: re.sub(r'"took_ms": \d+', f'"took_ms": {number * 31 % 89}', text),
}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name in [name for name in os.environ if name.startswith(("CLAUDE", "AI_AGENT"))]:
            del os.environ[name]
        _write_project()
        for label, change in CHANGES.items():
            for number in range(NUMBER):
                Path(f"tests/goldens/{number}.json").write_text(change(content(number), number))
            out = io.StringIO()
            start = time.perf_counter()
            with contextlib.redirect_stdout(out):
                ledgergate(["relock", "--all"])
            took = time.perf_counter() - start
            lines = out.getvalue().splitlines()
            groups = sum(bool(re.match(r"[\d,]+ files?\b", line)) for line in lines)
            print(f"{label}: {took:.1f} s, {groups} groups, {len(lines)} lines, {len(lines) / SCREEN:.0f} screens")


def _write_project() -> None:
    Path("tests/goldens").mkdir(parents=True)
    rows = []
    for number in range(NUMBER):
        path = f"tests/goldens/{number}.json"
        Path(path).write_text(content(number))
        digest = file_digest(content(number).encode())
        rows.append(
            f"  - id: tests/test_a.py::test_{number:05d}\n    class: locked_fixture\n"
            f"    artifact: {path}\n    digest: {digest}\n"
        )
    Path("tests/ledger.yaml").write_text("version: 1\nrows:\n" + "".join(rows))
    Path("ledgergate.toml").write_text("version = 1\n")
    for arguments in (
        ["init", "-q"],
        ["add", "-A"],
        ["-c", "user.name=K", "-c", "user.email=k@x.org", "commit", "-qm", "b"],
    ):
        subprocess.run(["git", *arguments], check=True)


if __name__ == "__main__":
    main()
