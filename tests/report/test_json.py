"""JSON for programs: the keys that scripts rely on, and any report against the schema that is shipped."""

from __future__ import annotations

import json
from pathlib import Path
from shlex import quote
from typing import Any

import jsonschema
import pytest
from hypothesis import given

import ledgergate.report
from ledgergate.report import render
from ledgergate.rules import RULES, finding
from ledgergate.values import Report, State
from support.report_examples import NEW, OLD, PLAIN_PASS, REFUSAL, TEST
from support.report_strategies import REPORTS

SCHEMA = json.loads((Path(ledgergate.report.__file__).parent / "report.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def document(report: Report) -> dict[str, Any]:
    return json.loads(render(report, "json").encode("utf-8"))  # type: ignore[no-any-return]


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@given(REPORTS)
def test_any_report_is_valid(report: Report) -> None:
    VALIDATOR.validate(document(report))


def test_keys_and_their_order_are_fixed() -> None:
    shown = document(REFUSAL)
    assert list(shown) == [
        "schema",
        "state",
        "checks",
        "actor",
        "base",
        "head",
        "contract",
        "items",
        "notes",
        "findings",
    ]
    assert shown["schema"] == "ledgergate-report.v1"
    assert shown["checks"] == {"ledger-edits": "FAIL", "fixture-digests": "FAIL", "two-sided-diff": "PASS"}
    assert shown["actor"] == {"kind": "agent", "signals": list(REFUSAL.actor.signals)}
    assert (shown["base"], shown["head"], shown["contract"]) == ("a" * 40, "b" * 40, NEW)
    assert shown["items"] == [{"kind": "row", "subject": TEST, "old": OLD, "new": NEW, "vouched_by": None}]
    assert len(shown["notes"]) == 1
    assert len(shown["findings"]) == 23
    assert shown["findings"][1] == {
        "rule": "digest-changed",
        "state": "FAIL",
        "check": "ledger-edits",
        "path": "tests/ledger.yaml",
        "line": 14,
        "subject": TEST,
        "old": OLD,
        "new": NEW,
        "message": "The digest of a golden changed.",
        "remedy": RULES["digest-changed"].remedy.replace("relock ID`", f"relock {quote(TEST)}`"),
    }


def test_what_is_not_known_is_null() -> None:
    seen = document(PLAIN_PASS._replace(findings=(finding("git-unreadable", "rules", "m"),), base=None))
    assert seen["base"] is None
    assert {key for key, value in seen["findings"][0].items() if value is None} == {
        "path",
        "line",
        "subject",
        "old",
        "new",
    }


@pytest.mark.parametrize(
    ("path", "shown"),
    [("größe", "größe"), ("a\udcffb", "a%FFb"), ("50%", "50%"), ("a\nb", "a\nb"), ("\ud800", "\\ud800")],
)
def test_texts_are_valid_unicode(path: str, shown: str) -> None:
    seen = document(REFUSAL._replace(findings=(finding("artifact-empty", "fixture-digests", "m", path=path),)))
    assert seen["findings"][0]["path"] == shown


@pytest.mark.parametrize(
    "change",
    [
        {"state": "pass"},
        {"extra": 1},
        {"schema": "ledgergate-report.v2"},
        {"contract": "sha256:12"},
        {"head": "HEAD"},
        {"checks": {"ledger-edits": "OK"}},
        {"actor": {"kind": "bot", "signals": []}},
        {"findings": [{"rule": "two-sided"}]},
    ],
)
def test_the_schema_refuses_what_is_no_report(change: dict[str, Any]) -> None:
    assert not VALIDATOR.is_valid({**document(PLAIN_PASS), **change})


def test_the_schema_tells_notes_from_findings() -> None:
    note = finding("contract-change", "fixture-digests", "m")
    fail = note._replace(state=State.FAIL)
    assert VALIDATOR.is_valid(document(PLAIN_PASS._replace(notes=(note,), findings=(fail,))))
    assert not VALIDATOR.is_valid(document(PLAIN_PASS._replace(notes=(fail,))))
    assert not VALIDATOR.is_valid(document(PLAIN_PASS._replace(findings=(note,))))
