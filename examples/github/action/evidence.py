"""Brings what the evidence workflow left for a commit: lane reports, which are data and nothing else.

Usage: evidence.py FOLDER. It waits until the workflow has ended. Reports are written below FOLDER, which must not be
there, under the plain names that they have; whatever else is in the artefact, or wrong with it, ends with 1.
"""

from __future__ import annotations

import io
import os
import re
import sys
import time
import zipfile
import zlib
from pathlib import Path
from typing import Any
from urllib.parse import quote

from forge import ForgeError, ask, field, get_all, setting

ARTEFACT = "ledgergate-evidence"
_EVENTS = ("pull_request", "merge_group")
_NAME = re.compile(r"[A-Za-z0-9_%~-][A-Za-z0-9_.%~-]{0,100}\.json")
_MOST_FILES = 64
_MOST_BYTES = 32 * 1024 * 1024


def main() -> int:
    folder = Path(sys.argv[1])
    try:
        runs = wait_for_runs(float(setting("WAIT_MINUTES")) * 60, float(os.environ.get("POLL_SECONDS") or 15))
        newest = max(runs, key=lambda run: field(run, "id", int))
        reports = unpack(download(newest["id"]))
    except (ForgeError, ValueError) as error:
        print(f"::error title=ledgergate::there is no evidence: {error}")
        return 1
    folder.mkdir()
    for name, data in reports.items():
        (folder / name).write_bytes(data)
    print(f"reports of run {newest['id']}: {', '.join(sorted(reports))}")
    # Of several runs for one commit none may have failed: one may have tested it for another branch.
    failed = [run["id"] for run in runs if run.get("conclusion") != "success"]
    if failed:
        print(f"::error title=ledgergate::these runs of the evidence workflow did not succeed: {failed}")
    return 1 if failed else 0


def wait_for_runs(patience_s: float, pause_s: float) -> list[dict[str, Any]]:
    """All runs of the evidence workflow for the commit, at least one and each ended."""
    deadline = time.monotonic() + patience_s
    while True:
        runs = runs_of(setting("TO"))
        if runs and all(field(run, "status", str) == "completed" for run in runs):
            return runs
        if time.monotonic() >= deadline:
            raise ForgeError("the evidence workflow has not ended" if runs else "the evidence workflow has not run")
        time.sleep(pause_s)


def runs_of(commit: str) -> list[dict[str, Any]]:
    repository, workflow = setting("GITHUB_REPOSITORY"), quote(setting("WORKFLOW"), safe="")
    path = f"/repos/{repository}/actions/workflows/{workflow}/runs?head_sha={quote(commit, safe='')}"
    runs = get_all(path, "workflow_runs")
    return [run for run in runs if run.get("head_sha") == commit and run.get("event") in _EVENTS]


def download(run: int) -> bytes:
    repository = setting("GITHUB_REPOSITORY")
    artefacts = get_all(f"/repos/{repository}/actions/runs/{run}/artifacts", "artifacts")
    named = [field(one, "id", int) for one in artefacts if one.get("name") == ARTEFACT and one.get("expired") is False]
    if not named:
        raise ForgeError(f"run {run} left no artefact {ARTEFACT}")
    return ask(f"/repos/{repository}/actions/artifacts/{max(named)}/zip", limit=_MOST_BYTES)


def unpack(data: bytes) -> dict[str, bytes]:
    """The files of an archive by their names, of which none may be a path."""
    found: dict[str, bytes] = {}
    room = _MOST_BYTES
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            if not 0 < len(entries) <= _MOST_FILES:
                raise ForgeError(f"the artefact holds {len(entries)} files")
            for entry in entries:
                if not _NAME.fullmatch(entry.filename) or entry.filename in found:
                    raise ForgeError(f"the artefact holds a file with the name {entry.filename!a}")
                with archive.open(entry) as file:
                    found[entry.filename] = file.read(room + 1)
                room -= len(found[entry.filename])
                if room < 0:
                    raise ForgeError(f"the artefact holds more than {_MOST_BYTES} bytes")
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError) as error:
        raise ForgeError("the artefact is no archive that can be read") from error
    return found


if __name__ == "__main__":
    sys.exit(main())
