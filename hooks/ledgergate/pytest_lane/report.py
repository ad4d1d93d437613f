"""The lane report: what a run says about its lane, and how it gets onto the disk."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from ledgergate import __version__
from ledgergate.pytest_lane.cases import Case, Cases

TOOL = f"ledgergate {__version__}, pytest {pytest.__version__}"
# What pytest's exit status says about a run that came to its end.
_COMPLETE = (0, 1)
_NOTHING_COLLECTED = 5


class Run(NamedTuple):
    """A run of pytest as its end shows it.

    `planned` are the ids of the cases that were to run, None where nobody came to say so. `broken`: it was interrupted,
    or a process that ran tests was lost.
    """

    exit_status: int
    planned: Sequence[str] | None
    broken: bool
    cases: Cases


class Facts(NamedTuple):
    """What a report says beside the cases. `skipped_files` are modules that skipped themselves on import."""

    outside: Collection[str]
    plugins: Collection[str]
    tree: str | None
    seed: int | None
    duration_s: float
    late_differs: Sequence[tuple[str, str, str]] = ()
    skipped_files: Collection[str] = ()
    shard: tuple[int, int] | None = None


def status_of(run: Run) -> tuple[str, str | None]:
    """(`ok`, `empty` or `crash`; why it is not `ok`): whether every case that was to run came to its end."""
    if run.exit_status == _NOTHING_COLLECTED:
        return "empty", "pytest collected no test that counts"
    if run.broken:
        return "crash", "the run was interrupted, or a worker was lost"
    if run.exit_status not in _COMPLETE:
        return "crash", f"pytest ended with status {run.exit_status}"
    if run.planned is None:
        return "crash", "pytest did not come to the end of collecting"
    unfinished = [case for case in run.planned if _outcome(run.cases.by_id.get(case)) == "unfinished"]
    if len(unfinished) == len(run.planned):
        return "empty", "no test came to its end"
    if unfinished:
        return "crash", f"{len(unfinished)} of {len(run.planned)} tests did not come to their end"
    return "ok", None


def lane_report(run: Run, facts: Facts, signatures: Mapping[str, str]) -> dict[str, object]:
    """The lane's object. `signatures` are those of the lane's freezes, by their ids."""
    cases, order = run.cases, run.planned or ()
    skipped = [*cases.with_outcome("skipped", order), *sorted(facts.skipped_files)]
    ran = [id_ for id_ in cases.in_order(order) if cases.by_id[id_].ran and not cases.by_id[id_].skipped]
    status, reason = status_of(run)
    whys = {id_: cases.by_id[id_].why_skipped for id_ in skipped if id_ in cases.by_id}
    known = {
        "skip_reasons": {id_: why for id_, why in whys.items() if why} or None,
        "tree": facts.tree,
        "random_seed": facts.seed,
        "reason": reason,
    }
    return {
        "status": status,
        "executed": cases.executed(),
        "violations": _violations(run),
        "skipped": bool(skipped),
        "ran_case_ids": ran,
        "receipts": cases.receipts(signatures),
        "skipped_case_ids": skipped,
        "outside_evidence": sorted(facts.outside),
        "flaky_case_ids": [id_ for id_ in cases.in_order(order) if cases.by_id[id_].repeated],
        "differing_artifacts": _differing(cases, facts.late_differs),
        "plugins": sorted(facts.plugins),
        **{key: value for key, value in known.items() if value is not None},
        "duration_s": round(facts.duration_s, 3),
        **shard_keys(facts.shard),
        "tool": TOOL,
    }


def shard_keys(shard: tuple[int, int] | None) -> dict[str, int]:
    """The keys of a report that is a part of its lane: (which, from 1; of how many)."""
    return {} if shard is None else {"shard": shard[0], "shards": shard[1]}


def refused_report(option: str) -> dict[str, object]:
    """The object of a lane that did not run, since this option would have had it rewrite goldens."""
    return {
        "status": "crash",
        "executed": 0,
        "violations": [],
        "skipped": False,
        "ran_case_ids": [],
        "receipts": [],
        "golden_update": option,
        "reason": f"{option} would have had it rewrite goldens",
        "tool": TOOL,
    }


def write_json(path: Path, document: object) -> None:
    """Put a document at the path in one step, so that nobody reads half of it. Raises `OSError`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(json.dumps(document, indent=1) + "\n")
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _outcome(case: Case | None) -> str:
    return "unfinished" if case is None else case.outcome


def _violations(run: Run) -> list[dict[str, str]]:
    failed = [_violation(id_, run.cases.by_id[id_]) for id_ in run.cases.with_outcome("failed", run.planned or ())]
    if run.exit_status == 1 and not failed:
        # Another plugin's verdict, or an error that belongs to no case.
        return [{"message": "pytest ended with status 1, and no case failed"}]
    return failed


def _violation(id_: str, case: Case) -> dict[str, str]:
    violation = {"case": id_, "message": case.failure or "it failed"}
    return violation if case.counterexample is None else {**violation, "counterexample": case.counterexample}


def _differing(cases: Cases, late: Sequence[tuple[str, str, str]]) -> list[dict[str, str]]:
    own = [(id_, path, message) for id_ in sorted(cases.by_id) for path, message in cases.by_id[id_].differs]
    first: dict[tuple[str, str], str] = {}
    for id_, path, message in (*own, *sorted(late)):
        first.setdefault((id_, path), message)
    return [{"case": id_, "path": path, "message": message} for (id_, path), message in first.items()]
