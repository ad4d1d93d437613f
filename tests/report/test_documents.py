"""JSON that ledgergate wrote, read again: all of it, or a reason."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledgergate.report import render
from ledgergate.report.documents import Documents, read_documents
from ledgergate.values import Report
from support.lane_reports import lane
from support.report_examples import REFUSAL
from support.report_strategies import REPORTS

SCORE: dict[str, Any] = {
    "schema": "ledgergate-score.v1",
    "lanes": {"fixtures": "PASS"},
    "required_fold": "PASS",
    "optional": {"extra": "unexecuted"},
    "decision": "allow",
    "findings": [],
    "floors": {"fixtures": {"floor": 1, "executed": 2}},
    "freezes": {"fx-1": {"state": "active", "expires_utc": "2026-12-20T00:00:00Z", "owner": "kim"}},
    "inputs": {},
}
BOARD: dict[str, Any] = {
    "schema": "ledgergate-status.v1",
    "quarantine": [{"id": "a", "owner": "kim", "opened": "2026-09-10", "reason": "r", "age_days": 3, "stale": False}],
    "freezes": [],
    "findings": [],
}


def read(*documents: object) -> Documents:
    return read_documents((f"{number}.json", json.dumps(value).encode()) for number, value in enumerate(documents))


@given(REPORTS)
def test_every_report_reads_again(report: Report) -> None:
    found = read_documents([("report.json", render(report, "json").encode())])
    assert found.unreadable == ()
    (seen,) = found.reports
    assert (seen.state, len(seen.findings), len(seen.notes)) == (report.state, len(report.findings), len(report.notes))
    assert [item.kind for item in seen.items] == [item.kind for item in report.items]
    assert len(seen.judged) == (0 if report.cases is None else len(report.cases.judged))


def test_each_kind_is_known() -> None:
    found = read(SCORE, BOARD, {"fixtures": lane()})
    assert found.score is not None
    assert found.score.optional == (("extra", None),)
    assert found.board is not None
    assert found.board.quarantine[0].age_days == 3
    assert [report.lane for report in found.lanes] == ["fixtures"]
    assert found.unreadable == ()


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        ({}, "names no lane"),
        ([], "no JSON object"),
        ({"schema": "ledgergate-lock.v1"}, "nothing is known"),
        ({"fixtures": {"status": "ok"}}, "missing"),
        ({**SCORE, "lanes": {"fixtures": "GREEN"}}, "`fixtures`"),
        ({**SCORE, "decision": "merge"}, "`decision`"),
        ({**SCORE, "optional": {"extra": "fine"}}, "extra"),
        ({**SCORE, "floors": {"fixtures": {"floor": True, "executed": 2}}}, "`floor`"),
        ({**SCORE, "freezes": {"fx-1": {"state": "active", "expires_utc": "soon", "owner": None}}}, "`expires_utc`"),
        ({**BOARD, "quarantine": [{"id": "a"}]}, "`owner`"),
        ({**BOARD, "findings": None}, "`findings`"),
        ({key: value for key, value in SCORE.items() if key != "required_fold"}, "`required_fold`"),
    ],
)
def test_what_does_not_count(document: object, reason: str) -> None:
    found = read(document)
    assert (found.reports, found.score, found.board) == ((), None, None)
    ((name, said),) = found.unreadable
    assert name == "0.json"
    assert reason in said


@pytest.mark.parametrize("data", [b"", b"{", b"\xff", b'{"a": 1, "a": 2}', "it cannot be read: gone"])
def test_what_is_no_json(data: bytes | str) -> None:
    found = read_documents([("x", data)])
    assert [name for name, _ in found.unreadable] == ["x"]


def test_two_scores_are_about_two_runs() -> None:
    found = read(SCORE, SCORE)
    assert found.score is None
    assert found.unreadable == (("scores", "there are 2, and a note is about one run"),)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["PASS", "ledgergate-score.v1", "allow", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*SCORE, *BOARD]), inner, max_size=6),
    max_leaves=12,
)


@given(st.sampled_from([SCORE, BOARD, json.loads(render(REFUSAL, "json"))]), st.data())
def test_a_broken_document_is_never_half_read(document: dict[str, Any], data: st.DataObject) -> None:
    key = data.draw(st.sampled_from(sorted(document)))
    found = read({**document, key: data.draw(JSON)})
    whole = (*found.reports, *filter(None, (found.score, found.board)))
    assert bool(whole) != bool(found.unreadable)
