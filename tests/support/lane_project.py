"""A small guarded project whose lanes are run by a fake: it does what a test tells it to, and writes a lane report."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from support.gate import Said, gate, gate_process
from support.lane_reports import ASSERTION, SIGNATURE, frozen
from support.project import sha256
from support.repo import Repo

GOLDEN_ID, LENGTH_ID = "tests/test_a.py::test_golden", "tests/test_a.py::test_length"
FLAKE_ID = "tests/test_a.py::test_flake"
GOLDEN = "tests/goldens/a.txt"
LEDGER = f"""\
version: 1
rows:
  - id: {GOLDEN_ID}
    class: locked_fixture
    artifact: {GOLDEN}
    digest: {sha256("1")}
  - id: {LENGTH_ID}
    class: property
    invariant: length
    seeds: tests/seeds/
  - id: {FLAKE_ID}
    class: quarantine
    opened: 2026-09-10
    reason: depends on a clock
    owner: test-infra
"""
FREEZES = {
    "schema": "freeze-ledger.v1",
    "required_lanes": ["fixtures", "properties"],
    "optional_lanes": ["extra"],
    "cardinality_floor": {"properties": 1},
    "freezes": [],
}
# What each lane does: Python that `FAKE_<lane>` holds, or writes a good report.
FAKE = """\
import json, os, signal, subprocess, sys, time
lane = sys.argv[1]
cases = {"fixtures": ["tests/test_a.py::test_golden"], "properties": ["tests/test_a.py::test_length"]}.get(lane, [])
def report(**fields):
    ran = fields.get("ran_case_ids", cases)
    good = {"status": "ok", "executed": max(len(cases), len(ran)), "violations": [], "skipped": False,
            "ran_case_ids": ran, "receipts": [], "outside_evidence": ["tests/test_a.py::test_flake"]}
    whole = {key: value for key, value in {**good, **fields}.items() if value is not None}
    with open(os.environ["LEDGERGATE_REPORT"], "w") as file:
        json.dump({lane: whole}, file)
exec(os.environ.get("FAKE_" + lane, "report()"))
"""


def policy(lanes: tuple[str, ...] = ("properties", "fixtures"), *, cap_s: int = 60, more: str = "") -> str:
    commands = (
        f"[lanes.{lane}]\ncommand = '{sys.executable} -S fake.py {lane}'\ntimeout_s = {cap_s}\n" for lane in lanes
    )
    return f"version = 1\nname = 'acme/app'\n{more}" + "".join(commands)


def files() -> dict[str, str | bytes]:
    """The project's files by their paths."""
    return {
        "ledgergate.toml": policy(),
        "tests/ledger.yaml": LEDGER,
        "tests/freeze_ledger.json": json.dumps(FREEZES),
        GOLDEN: "1",
        "tests/seeds/one": "1",
        "tests/test_a.py": "def test_golden(): pass\ndef test_length(): pass\ndef test_flake(): pass\n",
        "src/app.py": "x = 1\n",
        "fake.py": FAKE,
        "README.md": "app\n",
        ".gitignore": "ignored/\n*.log\n",
    }


# A freeze of `LENGTH_ID`, and what the lane then does.
SKIPS_LENGTH = (
    f"report(ran_case_ids=['{GOLDEN_ID}'], skipped=True, skipped_case_ids=['{LENGTH_ID}'],"
    f" receipts=[{{'id': 'fx-1', 'signature': '{SIGNATURE}'}}])"
)


def frozen_length(**fields: Any) -> dict[str, str | bytes | None]:
    """The files that freeze `LENGTH_ID`."""
    own = {"path": "tests/test_a.py", "case_id": "test_length", "expires_utc": "2998-01-01T00:00:00Z", **fields}
    tests = f"def test_golden(): pass\ndef test_length():\n    {ASSERTION}\ndef test_flake(): pass\n"
    return {"tests/test_a.py": tests, "tests/freeze_ledger.json": freezes(freezes=[frozen(**own)])}


def project(repo: Repo, edit: Mapping[str, str | bytes | None] | None = None) -> Repo:
    """The project as the first commit of main, with some files in the place of others (None: without)."""
    whole = {**files(), **(edit or {})}
    repo.commit({path: content for path, content in whole.items() if content is not None}, "base")
    return repo


def freezes(**changed: Any) -> str:
    return json.dumps({**FREEZES, **changed})


def run(repo: Repo, *options: str, process: bool = False, **fakes: str) -> Said:
    """`ledgergate run`; keywords say what the fake of a lane does."""
    env = {f"FAKE_{lane}": code for lane, code in fakes.items()}
    return (gate_process if process else gate)(repo, "run", "--format", "json", *options, env=env)


def evidence(repo: Repo) -> dict[str, Path]:
    """The folders of kept evidence by their names."""
    folder = repo.path / ".git/ledgergate/evidence"
    return {found.name: found for found in folder.iterdir()} if folder.is_dir() else {}


def tree(repo: Repo) -> str:
    return repo.git("rev-parse", "HEAD^{tree}")
