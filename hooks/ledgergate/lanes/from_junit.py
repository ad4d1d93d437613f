"""A lane report from the JUnit reports of a lane whose command writes no other."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ledgergate.errors import LedgergateError
from ledgergate.evidence import JUnitReport, read_junit
from ledgergate.evidence.junit import Name, Outcome, Result
from ledgergate.evidence.names import Ambiguous, Names
from ledgergate.ledger import Row
from ledgergate.policy.model import POLICY_PATH, Lane


def junit_files(folder: Path, globs: Iterable[str]) -> list[Path]:
    """The regular files below a folder that one of the globs matches, in order."""
    try:
        found = {path for glob in globs for path in folder.glob(glob)}
    except (ValueError, NotImplementedError) as error:
        message = f"a glob of JUnit reports cannot be used: {error}"
        raise LedgergateError("policy-unreadable", message, path=POLICY_PATH) from error
    return sorted(path for path in found if stat.S_ISREG(path.lstat().st_mode))


def lane_report(lane: Lane, folder: Path, since_ns: int, rows: Sequence[Row]) -> bytes | None:
    """The lane report that the lane's JUnit files amount to; None where there are none.

    A file that is older than `since_ns` (nanoseconds of the file system's clock), that cannot be read whole, or whose
    cases cannot be told apart makes the lane a `parse_error`.
    """
    files = junit_files(folder, lane.junit)
    if not files:
        return None
    reports = [_read(folder, path, since_ns) for path in files]
    return json.dumps({lane.name: _fields(reports, Names(rows))}).encode("utf-8", "surrogateescape")


def _read(folder: Path, path: Path, since_ns: int) -> JUnitReport:
    source = os.fsdecode(path.relative_to(folder))
    try:
        if path.stat().st_mtime_ns < since_ns:
            return JUnitReport(source, {}, (), None, "it is older than this run; let the command remove old reports")
        with path.open("rb") as stream:
            return read_junit(source, stream)
    except OSError as error:
        return JUnitReport(source, {}, (), None, f"{error.strerror or error}")


def _fields(reports: Sequence[JUnitReport], names: Names) -> dict[str, Any]:
    cases: dict[str, list[Result]] = {}
    problems = [f"{report.source}: {report.problem}" for report in reports if report.problem is not None]
    for report in reports:
        for name, result in report.cases.items():
            id_ = _id(name, names)
            if id_ is None:
                problems.append(f"{report.source}: it is not clear which test {name.classname}::{name.name} is")
            else:
                cases.setdefault(id_, []).append(result)
    ran = {id_: results for id_, results in cases.items() if any(r.outcome is not Outcome.SKIPPED for r in results)}
    skipped = [id_ for id_ in cases if id_ not in ran]
    return {
        "status": "parse_error" if problems else "ok",
        **({"reason": "; ".join(problems[:3])} if problems else {}),
        "executed": len(ran),
        "violations": list(_violations(cases)),
        "skipped": bool(skipped),
        "ran_case_ids": list(ran),
        "skipped_case_ids": skipped,
        "receipts": [],
        "outside_evidence": sorted({id_ for report in reports for id_ in report.outside_evidence}),
        "flaky_case_ids": [id_ for id_, results in cases.items() if any(r.outcome is Outcome.FLAKY for r in results)],
    }


def _violations(cases: dict[str, list[Result]]) -> Iterator[dict[str, str]]:
    for id_, results in cases.items():
        failed = next((result for result in results if result.outcome is Outcome.FAILED), None)
        if failed is not None:
            yield {"case": id_, "message": failed.why or "It failed."}


def _id(name: Name, names: Names) -> str | None:
    """The exact id of a case: its own, that of its row, or what it is called where it has none; None: ambiguous."""
    row = names.row_of(name)
    if isinstance(row, Ambiguous):
        return None
    if name.nodeid:
        return name.nodeid
    if row is None:
        return f"{name.file or name.classname}::{name.name}"
    _, bracket, parameters = name.name.partition("[")
    return row.id if "[" in row.id or "params" not in row.fields else f"{row.id}{bracket}{parameters}"
