"""The report as SARIF: what its schema asks for, whatever the texts and paths are."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import unquote_to_bytes

import pytest
from hypothesis import given

from ledgergate import __version__
from ledgergate.report import render
from ledgergate.report.sarif import render_sarif
from ledgergate.rules import RULES, finding
from ledgergate.values import Actor, Finding, Report, State
from support.report_strategies import REPORTS

# What a relative reference of RFC 3986 may hold, as a path whose first part has no colon.
_RELATIVE = re.compile(r"(?![^/]*:)(?!//)(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-F]{2})+")
_LEVELS = {State.PASS: "note", State.FAIL: "error", State.UNSCORED: "error", State.SKIP: "error"}


def report(*findings: Finding) -> Report:
    state = State.FAIL if findings else State.PASS
    return Report(state, (("c", state),), Actor("human"), None, None, None, (), (), findings)


def run_of(judged: Report) -> dict[str, Any]:
    document = json.loads(render_sarif(judged))
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    found: dict[str, Any] = run
    return found


@given(REPORTS.map(lambda judged: judged._replace(findings=tuple(map(_known, judged.findings)), notes=())))
def test_it_has_what_the_schema_asks_for(judged: Report) -> None:
    text = render(judged, "sarif")
    assert text.isascii()
    run = run_of(judged)
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("ledgergate", __version__)
    assert len(run["results"]) == len(judged.findings)
    ids = [rule["id"] for rule in driver["rules"]]
    assert len(set(ids)) == len(ids)
    for seen, result in zip(judged.findings, run["results"], strict=True):
        assert ids[result["ruleIndex"]] == result["ruleId"] == seen.rule
        assert result["level"] == _LEVELS[seen.state]
        assert result["message"]["text"]
        (location,) = result["locations"]
        place = location["physicalLocation"]
        assert _RELATIVE.fullmatch(place["artifactLocation"]["uri"]), place
        assert place["artifactLocation"]["uriBaseId"] in run["originalUriBaseIds"]
        assert place.get("region", {"startLine": 1})["startLine"] >= 1


def _known(seen: Finding) -> Finding:
    """The finding of a rule that exists, with a path that is not empty."""
    return seen._replace(rule=sorted(RULES)[len(seen.message) % len(RULES)], path=seen.path or None)


@pytest.mark.parametrize(
    "path",
    ["src/a.py", "a b.txt", "a:b", "100%", "café", "caf\udce9", "new\nline", "x?y#z", "[g]lob", "back\\slash", "-x"],
)
def test_paths_come_back(path: str) -> None:
    run = run_of(report(finding("two-sided", "c", "m", path=path, line=3)))
    place = run["results"][0]["locations"][0]["physicalLocation"]
    uri = place["artifactLocation"]["uri"]
    assert _RELATIVE.fullmatch(uri)
    assert unquote_to_bytes(uri) == path.encode("utf-8", "surrogateescape")
    assert place["region"] == {"startLine": 3}


def test_notes_are_notes_and_what_is_not_proven_is_an_error() -> None:
    note = finding("contract-change", "c", "for review", path="a")
    waits = finding("git-unreadable", "c", "gone")
    run = run_of(report(waits)._replace(notes=(note,)))
    assert [result["level"] for result in run["results"]] == ["error", "note"]
    assert run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "ledgergate.toml"
    assert run["properties"]["state"] == "FAIL"


def test_what_no_check_could_look_at_is_no_successful_run() -> None:
    waits = report(finding("git-unreadable", "rules", "gone"))
    assert run_of(waits)["invocations"] == [{"executionSuccessful": True}]
    assert run_of(waits._replace(checks=()))["invocations"] == [{"executionSuccessful": False}]


def test_a_rules_help_names_no_path_of_git() -> None:
    run = run_of(report(finding("digest-mismatch", "c", "m", path="a")))
    (rule,) = run["tool"]["driver"]["rules"]
    assert (":PATH" in rule["help"]["text"], "PATH" in rule["help"]["text"]) == (False, True)
