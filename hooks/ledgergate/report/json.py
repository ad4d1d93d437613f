"""The report for programs: the object that `report.schema.json` describes."""

from __future__ import annotations

import json
from typing import Any

from ledgergate.report.escape import encodable
from ledgergate.report.remedy import filled_remedy
from ledgergate.values import Cases, Finding, Item, Report

SCHEMA = "ledgergate-report.v1"


def render_json(report: Report) -> str:
    """The report as one JSON object, keys and list entries in a fixed order, ending in a line break.

    It is ASCII, so that a terminal of any encoding can carry it.
    """
    vouched = dict(report.vouched)
    document: dict[str, Any] = {
        "schema": SCHEMA,
        "state": report.state.value,
        "checks": {encodable(check): state.value for check, state in report.checks},
        "actor": {"kind": report.actor.kind, "signals": [encodable(signal) for signal in report.actor.signals]},
        "base": report.base,
        "head": report.head,
        "contract": report.contract,
        "items": [_item(item, vouched.get(item)) for item in report.items],
        "notes": [finding_object(note) for note in report.notes],
        "findings": [finding_object(finding) for finding in report.findings],
    }
    if report.cases is not None:
        document["cases"] = _cases(report.cases)
    return json.dumps(document, indent=2) + "\n"


def _cases(cases: Cases) -> dict[str, Any]:
    judged = [
        {
            "id": encodable(case.id),
            "class": case.class_ or None,
            "outcome": case.outcome or None,
            "verdict": case.verdict,
        }
        for case in cases.judged
    ]
    return {"total": cases.total, "admitted": cases.admitted, "refused": cases.refused, "judged": judged}


def _item(item: Item, vouched_by: str | None) -> dict[str, Any]:
    subject = encodable(item.subject)
    return {
        "kind": item.kind,
        "subject": subject,
        "old": item.old,
        "new": item.new,
        "vouched_by": _optional(vouched_by),
    }


def finding_object(finding: Finding) -> dict[str, Any]:
    """A finding as it stands in every JSON document."""
    return {
        "rule": finding.rule,
        "state": finding.state.value,
        "check": encodable(finding.check),
        "path": _optional(finding.path),
        "line": finding.line,
        "subject": _optional(finding.subject),
        "old": _optional(finding.old),
        "new": _optional(finding.new),
        "message": encodable(finding.message),
        "remedy": encodable(filled_remedy([finding])),
    }


def _optional(text: str | None) -> str | None:
    return None if text is None else encodable(text)
