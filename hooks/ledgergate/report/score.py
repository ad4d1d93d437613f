"""The score of a run, for programs (`ledgergate-score.v1`, described by `score.schema.json`) and for people."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from ledgergate.lanes.inputs import Inputs
from ledgergate.report.escape import encodable
from ledgergate.report.json import finding_object
from ledgergate.report.text import findings_lines
from ledgergate.score import Decision, FreezeScore, Score
from ledgergate.values import State, display_text

SCHEMA = "ledgergate-score.v1"


def render_score_json(score: Score, inputs: Inputs) -> str:
    """The score object; the same score and inputs give the same bytes, all ASCII, ending in a line break."""
    document: dict[str, Any] = {
        "schema": SCHEMA,
        "lanes": {encodable(lane): state.value for lane, state in score.lanes},
        "required_fold": score.required_fold.value,
        "optional": {encodable(lane): _optional(state) for lane, state in score.optional},
        "decision": score.decision.value,
        "findings": [finding_object(finding) for finding in score.findings],
        "floors": {encodable(lane): {"floor": floor.floor, "executed": floor.executed} for lane, floor in score.floors},
        "freezes": {encodable(freeze.id): _freeze(freeze) for freeze in score.freezes},
        "inputs": {**inputs._asdict(), "reports": {encodable(name): digest for name, digest in inputs.reports}},
    }
    return json.dumps(document, indent=2) + "\n"


def _optional(state: State | None) -> str:
    return "unexecuted" if state is None else state.value


def _freeze(freeze: FreezeScore) -> dict[str, Any]:
    return {
        "state": "expired" if freeze.expired else "active",
        "expires_utc": None if freeze.expires_utc is None else _timestamp(freeze.expires_utc),
        "owner": None if freeze.owner is None else encodable(freeze.owner),
    }


def _timestamp(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def render_score_text(score: Score, *, all_findings: bool, colour: bool) -> str:
    """The lanes, what is wrong with them, and the decision, as lines of text."""
    lines = [*findings_lines(score.findings, all_findings=all_findings, colour=colour), *_lanes(score)]
    lines.append(f"ledgergate: {score.decision.value}; required lanes {score.required_fold.value}")
    return "\n".join(lines) + "\n"


def _lanes(score: Score) -> Iterator[str]:
    floors = dict(score.floors)
    optional = [(lane, _optional(state), "optional") for lane, state in score.optional]
    for lane, state, kind in (*((lane, state.value, "required") for lane, state in score.lanes), *optional):
        floor = floors.get(lane)
        ran = "" if floor is None or floor.executed is None else f", {floor.executed} ran, floor {floor.floor}"
        yield f"  {state:<10} {display_text(lane)} ({kind}{ran})"


def is_green(score: Score) -> bool:
    """Whether the run may merge: only `allow` says so."""
    return score.decision is Decision.ALLOW
