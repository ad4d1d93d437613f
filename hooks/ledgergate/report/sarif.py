"""The report as SARIF 2.1.0, which forges and editors show beside the lines that it names."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from ledgergate import __version__
from ledgergate.policy.model import POLICY_PATH
from ledgergate.report.escape import encodable
from ledgergate.report.github import body
from ledgergate.report.remedy import unfilled_remedy
from ledgergate.rules import RULES, Rule
from ledgergate.values import Finding, Report, State

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render_sarif(report: Report) -> str:
    """One run with a result for each finding and note, all ASCII, ending in a line break.

    Whatever is no pass is an `error`, UNSCORED too: a viewer that blocks on errors alone must not let it through.
    """
    seen = (*report.findings, *report.notes)
    rules = sorted({finding.rule for finding in seen})
    run: dict[str, Any] = {
        "tool": {
            "driver": {"name": "ledgergate", "version": __version__, "rules": [_rule(RULES[name]) for name in rules]}
        },
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"SRCROOT": {"description": {"text": "The root of the repository."}}},
        "invocations": [{"executionSuccessful": bool(report.checks) or report.state is State.PASS}],
        "results": [_result(finding, rules.index(finding.rule)) for finding in seen],
        "properties": {"state": report.state.value, "contract": report.contract},
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.name,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.why},
        "help": {"text": unfilled_remedy(rule.remedy)},
    }


def _result(finding: Finding, rule_index: int) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": rule_index,
        "level": "note" if finding.is_note else "error",
        "message": {"text": encodable(body(finding))},
        "locations": [{"physicalLocation": _place(finding)}],
    }
    told = {"state": finding.state.value, "check": finding.check, "subject": finding.subject}
    result["properties"] = {name: encodable(text) for name, text in told.items() if text is not None}
    return result


def _place(finding: Finding) -> dict[str, Any]:
    """Where it is; what is about no file stands at the policy, since viewers refuse a result without a place."""
    path = POLICY_PATH if finding.path is None else finding.path
    place: dict[str, Any] = {"artifactLocation": {"uri": _uri(path), "uriBaseId": "SRCROOT"}}
    if finding.path is not None and finding.line is not None:
        place["region"] = {"startLine": finding.line}
    return place


def _uri(path: str) -> str:
    """A git path as a relative reference: each byte that may not stand there as `%XX`."""
    return quote(path.encode("utf-8", "surrogateescape") if _is_bytes(path) else encodable(path).encode(), safe="/")


def _is_bytes(path: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" and not "\udc80" <= char <= "\udcff" for char in path)
