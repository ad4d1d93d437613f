"""`ledgergate gate --freezes`: what a freeze's receipt in a lane report excuses."""

from __future__ import annotations

import json
from typing import Any

import pytest

from support.evidence import case, held, judged, judged_files, quarantined, suite, written
from support.gate import gate
from support.lane_reports import CASE, OTHER, PATH, RECEIPT, frozen, lane
from support.repo import Repo

OTHER_CASE = f"{PATH}::test_other"
SKIPPED = lane(ran_case_ids=[OTHER_CASE], skipped=True, skipped_case_ids=[CASE], receipts=[RECEIPT])
LATER = "2999-01-01T00:00:00Z"
WITH = ("--freezes", "freeze.json")


@pytest.fixture
def repo(repo: Repo) -> Repo:
    repo.write(PATH, "def test_budget():\n    assert budget() <= 3\n\ndef test_other(): pass\n")
    freeze(repo)
    return repo


def freeze(repo: Repo, *freezes: dict[str, Any], **settings: Any) -> None:
    own = {"schema": "freeze-ledger.v1", "required_lanes": ["properties"], **settings}
    repo.write("freeze.json", json.dumps({**own, "freezes": list(freezes or [frozen(expires_utc=LATER)])}))


def report(**fields: Any) -> str:
    return json.dumps({"properties": {**SKIPPED, **fields}})


@pytest.mark.parametrize(("rows", "verdict"), [(held(CASE), "recorded"), (quarantined(CASE), "recorded")])
@pytest.mark.parametrize("junit", [False, True])
def test_a_right_receipt_excuses(repo: Repo, rows: str, verdict: str, junit: bool) -> None:
    """Also beside the JUnit report of the same run, which holds no receipts."""
    classname = PATH.removesuffix(".py").replace("/", ".")
    cases = suite(case("test_other", classname=classname), case("test_budget", "<skipped/>", classname))
    reports = [report(), cases] if junit else [report()]
    found = judged(repo, rows + held(OTHER_CASE), *reports, options=WITH)
    assert (found.state, found.verdicts) == ("PASS", {CASE: verdict, OTHER_CASE: "admitted"})


@pytest.mark.parametrize(("rows", "rule"), [(held(CASE), "case-missing"), (quarantined(CASE), "quarantine-skipped")])
@pytest.mark.parametrize(
    ("change", "receipts"),
    [
        pytest.param(None, [RECEIPT], id="no freeze ledger was named"),
        pytest.param({}, [], id="no receipt"),
        pytest.param({}, [RECEIPT, RECEIPT], id="two receipts"),
        pytest.param({}, [{**RECEIPT, "signature": OTHER}], id="another signature"),
        pytest.param({"expires_utc": "2026-01-01T00:00:00Z"}, [RECEIPT], id="expired"),
        pytest.param({"owner": None}, [RECEIPT], id="without an owner"),
        pytest.param({"case_id": "other"}, [RECEIPT], id="of another test"),
        pytest.param({"path": "tests/no.py"}, [RECEIPT], id="of a file that is not there"),
        pytest.param({"signature": OTHER}, [{**RECEIPT, "signature": OTHER}], id="of a check that is not there"),
    ],
)
def test_any_other_does_not(
    repo: Repo, rows: str, rule: str, change: dict[str, Any] | None, receipts: list[dict[str, str]]
) -> None:
    freeze(repo, frozen(**{"expires_utc": LATER, **(change or {})}))
    options = () if change is None else WITH
    found = judged(repo, rows + held(OTHER_CASE), report(receipts=receipts), options=options)
    assert (found.verdicts, rule in found.rules) == ({CASE: rule, OTHER_CASE: "admitted"}, True)


def test_a_lane_that_the_freeze_ledger_does_not_know_excuses_nothing(repo: Repo) -> None:
    freeze(repo, frozen(expires_utc=LATER, lane=None))
    assert judged(repo, held(CASE, OTHER_CASE), report(), options=WITH).state == "PASS"
    unknown = json.dumps({"unknown": SKIPPED})
    assert judged(repo, held(CASE, OTHER_CASE), unknown, options=WITH).verdicts[CASE] == "case-missing"


def test_a_failure_is_no_matter_of_receipts(repo: Repo) -> None:
    fields = {"violations": [{"case": CASE, "message": "no"}]}
    assert judged(repo, held(CASE, OTHER_CASE), report(**fields), options=WITH).verdicts[CASE] == "case-failed"


@pytest.mark.parametrize("settings", [{"required_lanes": []}, {"other": 1}, {"required_lanes": ["remote_review"]}])
def test_a_freeze_ledger_with_a_problem_excuses_nothing(repo: Repo, settings: dict[str, Any]) -> None:
    freeze(repo, **settings)
    found = judged(repo, held(CASE, OTHER_CASE), report(), options=WITH)
    assert found.rules >= {"freeze-invalid", "case-missing"}


@pytest.mark.parametrize("text", ["", "{", "[]", None])
def test_a_freeze_ledger_that_says_nothing_is_no_pass(repo: Repo, text: str | None) -> None:
    names = written(repo, held(OTHER_CASE), report(skipped=False, skipped_case_ids=[], receipts=[]))
    assert judged_files(repo, *names).state == "PASS"
    (repo.path / "freeze.json").unlink()
    if text is not None:
        repo.write("freeze.json", text)
    assert gate(repo, "gate", "ledger.yaml", *names, *WITH).status == 1
