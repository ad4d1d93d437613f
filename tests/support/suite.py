"""A small suite in a folder of its own, run by a real pytest in a child process."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from support.project import ledger, sha256
from support.repo import clean_environment

A = "tests/test_a.py"
FINE = "def test_one(): assert 1 + 1 == 2\n"


def ids(*names: str) -> list[str]:
    """The ids of tests in `A`."""
    return [f"{A}::{name}" for name in names]


class Done(NamedTuple):
    """How pytest ended, what it printed, and the lane's object (None: there is no report)."""

    status: int
    output: str
    lane: dict[str, Any] | None

    @property
    def whole(self) -> dict[str, Any]:
        assert self.lane is not None, self.output
        return self.lane


class Suite:
    """Files below a root with a policy and a ledger, and runs of them."""

    def __init__(self, root: Path, files: Mapping[str, str | bytes], *rows: str) -> None:
        self.root = root
        self.write({"ledgergate.toml": "version = 1\n", "tests/ledger.yaml": ledger(*rows), **files})

    def write(self, files: Mapping[str, str | bytes]) -> None:
        for name, content in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)

    def lane(self, *options: str, name: str = "fixtures", **variables: str) -> Done:
        """Run the suite as a lane."""
        status, output = self.run(f"--ledgergate-lane={name}", *options, **variables)
        report = self.root / f".ledgergate/reports/{name}.json"
        return Done(status, output, json.loads(report.read_bytes())[name] if report.exists() else None)

    def run(self, *options: str, **variables: str) -> tuple[int, str]:
        """(exit status, output) of pytest."""
        environment = {**clean_environment(self.root.parent), "PYTHONDONTWRITEBYTECODE": "1", **variables}
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=short", *options]
        done = subprocess.run(
            command,
            cwd=self.root,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        return done.returncode, done.stdout + done.stderr

    def read(self, name: str) -> str:
        return (self.root / name).read_text(encoding="utf-8")


def quarantine(test: str) -> str:
    return f"  - id: {test}\n    class: quarantine\n    opened: 2026-01-01\n    reason: slow\n    owner: kim\n"


def draft(test: str) -> str:
    return (
        f"  - id: {test}\n    class: draft\n    source: agent\n    proposed_class: property\n    invariant: it_holds\n"
    )


def locked(test: str, artifact: str, digest: str) -> str:
    return f"  - id: {test}\n    class: locked_fixture\n    artifact: {artifact}\n    digest: {digest}\n"


GOLDEN = "tests/goldens/a.txt"
READS = f"""\
from pathlib import Path

def test_golden():
    assert Path("{GOLDEN}").read_text() == "golden\\n"
"""
LOCKED = locked(f"{A}::test_golden", GOLDEN, sha256("golden\n"))
LOUD = "raise SystemExit('a draft was imported')\n"
