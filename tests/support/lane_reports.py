"""Lane reports, freezes and freeze ledgers for tests, good unless a test says otherwise."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from ledgergate.freeze import Freeze, FreezeLedger, read_freeze_ledger
from ledgergate.freeze.signature import signature_of
from ledgergate.policy import Policy
from ledgergate.score import LaneReport, Unreadable, read_lane_reports, score
from ledgergate.score.score import Score

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
LATER, BEFORE = "2026-12-20T00:00:00Z", "2026-11-20T00:00:00Z"
PATH = "tests/test_retry.py"
CASE = f"{PATH}::test_budget"
ASSERTION = "assert budget() <= 3"
SIGNATURE = signature_of(ASSERTION)
OTHER = signature_of("assert True")
RECEIPT = {"id": "fx-1", "signature": SIGNATURE}


def lane(**fields: Any) -> dict[str, Any]:
    """A lane's object as a report holds it; a field that is None is left out."""
    skipped = bool(fields.get("skipped_case_ids"))
    good = {"status": "ok", "executed": 3, "violations": [], "skipped": skipped, "ran_case_ids": ["a"], "receipts": []}
    return {key: value for key, value in {**good, **fields}.items() if value is not None}


def read(lanes: dict[str, Any], source: str = "report.json") -> tuple[LaneReport | Unreadable, ...]:
    return read_lane_reports(source, json.dumps(lanes).encode())


def frozen(**fields: Any) -> dict[str, Any]:
    """A freeze of `CASE` that holds and has an owner; a field that is None is left out."""
    good = {
        "id": "fx-1",
        "signature": SIGNATURE,
        "path": PATH,
        "case_id": "budget",
        "lane": "properties",
        "fixtures": [],
        "reason": "depends on the clock",
        "expires_utc": LATER,
        "owner": "test-infra",
    }
    return {key: value for key, value in {**good, **fields}.items() if value is not None}


def ledger(*freezes: dict[str, Any], **settings: Any) -> FreezeLedger:
    document = {
        "schema": "freeze-ledger.v1",
        "required_lanes": ["properties"],
        "optional_lanes": [],
        "cardinality_floor": {},
        **settings,
        "freezes": list(freezes),
    }
    return read_freeze_ledger("freeze.json", json.dumps(document).encode(), remote_lanes=frozenset({"remote_review"}))


def judge(
    own: FreezeLedger,
    *reports: dict[str, Any],
    policy: Policy | None = None,
    broken: Iterable[str] = (),
    now: datetime = NOW,
) -> Score:
    """The score of these reports, each a mapping of lanes; `broken` are the freezes whose signature does not hold."""
    names = set(broken)

    def why(freeze: Freeze) -> str | None:
        return "The check was edited." if freeze.id in names else None

    parsed = [one for number, lanes in enumerate(reports) for one in read(lanes, f"{number}.json")]
    return score(own, parsed, policy or Policy(), now, why)
