"""The merge note: what it says, and that it fits where it is shown."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from ledgergate.report import render
from ledgergate.report.documents import read_documents
from ledgergate.report.merge_note import MARK, render_merge_note
from ledgergate.rules import finding
from ledgergate.values import Cases, Finding, Item, JudgedCase, Report, State
from report.test_documents import BOARD, SCORE
from support.lane_reports import lane
from support.project import NOW, sha256
from support.report_examples import PASS, PLAIN_PASS, REFUSAL
from support.report_strategies import REPORTS

FITS = 65_536
GATED = PLAIN_PASS._replace(
    cases=Cases(
        4,
        2,
        1,
        (
            JudgedCase("tests/test_a.py::test_b", "locked_fixture", "passed", "admitted"),
            JudgedCase("tests/test_a.py::test_c", "property", "passed", "admitted"),
            JudgedCase("tests/test_a.py::test_d", "", "passed", "unclassified"),
            JudgedCase("tests/test_a.py::test_e", "draft", "passed", "recorded"),
        ),
    )
)
LANES = {
    "fixtures": lane(ran_case_ids=["tests/test_a.py::test_b"]),
    "props": lane(ran_case_ids=["tests/test_a.py::test_c[1]"]),
}


def note(*documents: Report | dict[str, Any] | bytes) -> str:
    def data(document: Report | dict[str, Any] | bytes) -> bytes:
        if isinstance(document, bytes):
            return document
        return (render(document, "json") if isinstance(document, Report) else json.dumps(document)).encode()

    read = read_documents((f"{number}.json", data(document)) for number, document in enumerate(documents))
    return render_merge_note(read, NOW)


def heading(shown: str) -> str:
    mark, line, *_ = shown.splitlines()
    assert mark == MARK
    return line.removeprefix("### ledgergate: ")


@pytest.mark.parametrize(
    ("documents", "said"),
    [
        ((PLAIN_PASS, SCORE), "**allow**"),
        ((PLAIN_PASS, {**SCORE, "decision": "hold"}), "**hold**"),
        ((REFUSAL, SCORE), "**block**, for a check is FAIL"),
        ((REFUSAL._replace(state=State.UNSCORED), {**SCORE, "decision": "hold"}), "**block**, for a check is UNSCORED"),
        ((PLAIN_PASS, SCORE, b"{"), "**block**, for a check is UNSCORED"),
        ((SCORE,), "**allow**"),
        ((PLAIN_PASS,), "**PASS**, and what the tests proved is not known"),
        ((PLAIN_PASS, b"{"), "**UNSCORED**, and what the tests proved is not known"),
        ((), "**UNSCORED**, and what the tests proved is not known"),
    ],
)
def test_the_worst_stands_on_top(documents: tuple[Report | dict[str, Any] | bytes, ...], said: str) -> None:
    assert heading(note(*documents)) == said


@pytest.mark.parametrize(
    ("changed", "row"),
    [
        ({}, "required lanes PASS, no optional lane ran: allow"),
        (
            {"optional": {"a": "PASS", "b": "FAIL"}, "decision": "block"},
            "required lanes PASS, optional lanes FAIL: block",
        ),
        ({"required_fold": "SKIP", "decision": "block"}, "required lanes SKIP, whatever the optional ones are: block"),
    ],
)
def test_the_row_of_the_decision_table(changed: dict[str, Any], row: str) -> None:
    assert f"Decision table: {row}" in note({**SCORE, **changed})


def test_lanes() -> None:
    shown = note({**SCORE, "floors": {"fixtures": {"floor": 1, "executed": None}}})
    assert "| `fixtures` | required | PASS | ? | 1 |" in shown
    assert "| `extra` | optional | not run |  |  |" in shown


def test_refusals_by_rule_worst_first_and_counted() -> None:
    shown = note(REFUSAL, REFUSAL)
    assert "#### Refused (23 findings)" in shown
    assert shown.index("**FAIL** `digest-changed`") < shown.index("**UNSCORED** `quarantine-removed`")
    assert "**FAIL** `golden-unclassified`: a golden has no row (20)" in shown
    assert "- ... and 17 more" in shown


def test_a_contract_shows_old_and_new_and_who_vouched() -> None:
    shown = note(PASS)
    assert "#### Contract (1 change, 1 not vouched for)" in shown
    row = "| row | `tests/test_parse.py::test_header_roundtrip` | `sha256:0123456789ab` | `sha256:fedcba987654` |"
    assert f"{row} nobody yet |" in shown
    document = json.loads(render(PASS, "json"))
    document["items"][0]["vouched_by"] = "kim@example.org"
    assert f"{row} `kim@example.org` |" in note(document)


def test_admissible_passes_by_class_and_lane() -> None:
    shown = note(GATED, LANES)
    assert "#### Admissible passes (2 of 3 rows of the ledger and 1 case without one)" in shown
    assert "| class | `fixtures` | `props` | all |" in shown
    assert "| `locked_fixture` | 1 | 0 | 1 |" in shown
    assert "| `property` | 0 | 1 | 1 |" in shown
    assert "No evidence: 1 `unclassified`" in shown


def test_freezes_and_quarantine_count_days() -> None:
    over = {"state": "expired", "expires_utc": "2020-01-01T00:00:00Z", "owner": None}
    soon = {"state": "active", "expires_utc": NOW.replace(day=NOW.day + 2).isoformat(), "owner": "kim"}
    shown = note({**SCORE, "freezes": {"fx-2": soon, "fx-1": over}})
    assert shown.index("| `fx-1` | `any` | `nobody` | **expired** |") < shown.index("| `fx-2` | `any` | `kim` | 2 |")
    entry = {**BOARD["quarantine"][0], "age_days": 90, "stale": True}
    shown = note({**BOARD, "quarantine": [*BOARD["quarantine"], {**entry, "id": "b"}]})
    assert shown.index("| `b` | `kim` | 90 **stale** |") < shown.index("| `a` | `kim` | 3 |")


def test_how_to_go_on_names_the_commands() -> None:
    shown = note(REFUSAL)
    assert (
        "- Human: if the new bytes are right, `git add :/tests/goldens/header.bin` and `ledgergate relock --staged`"
        in shown
    )
    assert "How to go on" not in note(PLAIN_PASS)


def vouched(items: tuple[Item, ...], *notes: Finding) -> str:
    """What is named as a next step where these items are vouched for."""
    report = PLAIN_PASS._replace(items=items, vouched=tuple((item, "kim") for item in items), notes=notes)
    return note(report).partition("#### How to go on")[2]


def test_what_is_vouched_for_is_no_next_step() -> None:
    row, old, new = "tests/test_a.py::test_b", sha256("a"), sha256("b")
    changed = finding(
        "digest-changed", "ledger-edits", "It changed.", state=State.PASS, remedy="Vouched for: kim.", subject=row
    )._replace(old=old, new=new)
    waiting = changed._replace(subject="tests/test_a.py::test_c", remedy="A signer approves it.")
    told = changed._replace(old=None, new=None, remedy="It ends soon.")
    item = Item("row", row, old, new)
    assert vouched((item,), changed) == ""
    assert "A signer approves it." in vouched((item,), changed, waiting)
    assert "It ends soon." in vouched((item,), told)
    assert "Vouched for" not in vouched((item,), changed, waiting)


def test_a_note_without_a_step_is_none() -> None:
    void = finding("ack-invalid", "ledger-edits", "It vouches for nothing.", state=State.PASS, remedy="", path="a")
    assert "ack-invalid" not in vouched((), void)


def test_many_files_with_one_fault_leave_room_for_other_remedies() -> None:
    broken = [
        finding("digest-mismatch", "fixture-digests", "It differs.", path=f"tests/goldens/{number}")
        for number in range(30)
    ]
    other = finding("row-duplicate", "ledger-schema", "Twice.", path="tests/ledger.yaml")
    how = note(PLAIN_PASS._replace(findings=(*broken, other), state=State.FAIL)).partition("#### How to go on")[2]
    assert [f"tests/goldens/{number}" in how for number in range(4)] == [True, True, True, False]
    assert "  - ... and 27 more\n" in how
    assert "- `row-duplicate`\n  - Agent: remove the row that you added." in how


@given(st.lists(REPORTS, max_size=4))
def test_nothing_that_a_repository_says_is_active(reports: list[Report]) -> None:
    tokens = MarkdownIt("commonmark").enable("table").parse(note(*reports))
    found = {child.type for token in tokens for child in (token, *(token.children or ()))}
    assert not found & {"link_open", "image", "html_inline", "fence", "code_block"}
    assert [token.content.strip() for token in tokens if token.type == "html_block"] == [MARK]


def test_it_fits_a_comment_however_much_there_is() -> None:
    long = "x " * 5000
    many = tuple(
        seen._replace(rule=rule, message=long, remedy=f"Human: {number} {long}")
        for number, seen in enumerate(REFUSAL.findings)
        for rule in ("two-sided", "digest-changed", f"rule-{number}")
    )
    shown = note(REFUSAL._replace(findings=many), SCORE)
    assert len(shown) < FITS
    assert shown.endswith("The rest is left out, for its length.\n")
