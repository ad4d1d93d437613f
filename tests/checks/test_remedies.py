"""What a refusal tells to do next: it mends, it loses no work, and one fault is told once."""

from __future__ import annotations

import pytest

from ledgergate.values import Finding, Report
from support.project import (
    AGENT,
    BASE,
    DRAFT,
    GOLDEN,
    HUMAN,
    LEDGER,
    LOCKED,
    OTHER_LOCKED,
    QUARANTINE,
    ROWS,
    Edit,
    Project,
    edited,
    ledger,
    sha256,
)
from support.repo import Repo

NEW = "tests/goldens/new.bin"
NEW_ROW = edited(edited(LOCKED, "test_header", "test_without_row"), GOLDEN, NEW)


def only(report: Report, rule: str) -> Finding:
    (found,) = (seen for seen in report.findings if seen.rule == rule)
    return found


@pytest.mark.parametrize(
    ("edit", "rule"),
    [
        ({NEW: "x", LEDGER: ledger(*ROWS, NEW_ROW)}, "digest-mismatch"),
        ({NEW: "x", "src/app.py": "x = 2\n"}, "two-sided"),
        ({"src/conftest.py": "import sys\n"}, "protected-path"),
    ],
)
def test_what_is_new_is_left_out_and_never_deleted(repo: Repo, edit: Edit, rule: str) -> None:
    remedy = only(Project(repo).staged(edit), rule).remedy
    assert "`git restore --staged :PATH`" in remedy
    assert "--worktree" not in remedy


@pytest.mark.parametrize(
    ("edit", "rule"),
    [
        ({GOLDEN: "x"}, "digest-mismatch"),
        ({"tests/conftest.py": "import sys\n"}, "protected-path"),
    ],
)
def test_what_was_there_is_undone_and_the_cost_is_said(repo: Repo, edit: Edit, rule: str) -> None:
    remedy = only(Project(repo).staged(edit), rule).remedy
    assert "`git restore --staged --worktree :PATH` (unstaged edits of it are lost, too)" in remedy


def test_what_is_committed_is_relocked_and_not_staged(repo: Repo) -> None:
    remedy = only(Project(repo).ranged({GOLDEN: "x"}), "digest-mismatch").remedy
    assert "`ledgergate relock ID`" in remedy
    assert "then commit, and check the range again." in remedy
    assert "git add" not in remedy


def test_a_golden_that_was_only_announced_is_to_be_added(repo: Repo) -> None:
    project = Project(repo)
    repo.write(NEW, "header")
    repo.git("add", "-N", NEW)
    found = only(project.staged({LEDGER: ledger(*ROWS, NEW_ROW)}), "artifact-missing")
    assert "`git add :PATH`" in found.remedy
    assert "restore" not in found.remedy


def test_a_new_golden_that_is_empty_is_to_be_written(repo: Repo) -> None:
    row = edited(NEW_ROW, sha256("header"), sha256(""))
    found = only(Project(repo).staged({NEW: "", LEDGER: ledger(*ROWS, row)}), "artifact-empty")
    assert "write its content" in found.remedy
    assert "restore" not in found.remedy


def test_an_old_golden_that_is_gone_is_brought_back(repo: Repo) -> None:
    assert "--worktree :PATH" in only(Project(repo).staged({GOLDEN: None}), "artifact-missing").remedy


def test_a_draft_in_the_place_of_a_test_is_told_once(repo: Repo) -> None:
    row = edited(DRAFT, "tests/agent_drafts/test_prefix.py::test_strip", "tests/test_parse.py::test_without_row")
    edit = {LEDGER: ledger(*ROWS, row)}
    project = Project(repo)
    assert [seen.rule for seen in project.staged(edit).findings] == ["row-shadowed"]
    # Each of the two checks refuses it where it runs alone.
    for check in ("ledger-schema", "ledger-edits"):
        assert [seen.rule for seen in project.staged({}, only=check).findings] == ["row-shadowed"]


def test_a_draft_in_the_wrong_place_with_another_fault_is_told_both(repo: Repo) -> None:
    row = edited(DRAFT, "tests/agent_drafts/test_prefix.py::test_strip", "tests/test_parse.py::test_without_row")
    report = Project(repo).staged({LEDGER: ledger(*ROWS, edited(row, "    invariant: prefix_is_idempotent\n", ""))})
    assert sorted(seen.rule for seen in report.findings) == ["row-invalid", "row-shadowed"]


@pytest.mark.parametrize(
    ("rows", "line"),
    [
        ((*ROWS, DRAFT), 25),
        ((*ROWS, edited(DRAFT, "prefix_is_idempotent", "other")), 25),
        ((edited(DRAFT, "prefix_is_idempotent", "other"), *ROWS), 3),
    ],
    ids=["a copy", "another below", "another above"],
)
def test_of_two_rows_the_one_that_came_new_is_named(repo: Repo, rows: tuple[str, ...], line: int) -> None:
    found = only(Project(repo).staged({LEDGER: ledger(*rows)}), "row-duplicate")
    assert f"remove the row that you added, {LEDGER}:{line}." in found.remedy


def test_of_two_rows_in_two_ledgers_the_one_that_came_new_is_named(repo: Repo) -> None:
    other = "a/tests/ledger.yaml"
    policy = f'version = 1\nledger = ["{LEDGER}", "{other}"]\n'
    project = Project(repo, {**BASE, "ledgergate.toml": policy, other: ledger()})
    found = only(project.staged({other: ledger(DRAFT)}), "row-duplicate")
    assert f"remove the row that you added, {other}:3." in found.remedy


def test_two_new_rows_for_one_id_leave_the_choice_open(repo: Repo) -> None:
    row = edited(DRAFT, "test_strip", "test_new")
    assert "you added" not in only(Project(repo).staged({LEDGER: ledger(*ROWS, row, row)}), "row-duplicate").remedy


def test_two_goldens_of_one_test_belong_into_one_row(repo: Repo) -> None:
    second = edited(edited(OTHER_LOCKED, "test_other", "test_header"), "other.bin", "more.bin")
    found = only(Project(repo).staged({LEDGER: ledger(*ROWS, second)}, HUMAN), "row-duplicate")
    assert f"`artifact: [{GOLDEN}, tests/goldens/more.bin]`" in found.remedy


def test_an_agent_is_shown_the_draft_row_of_a_golden_and_a_human_is_not(repo: Repo) -> None:
    project = Project(repo)
    agents = only(project.staged({NEW: "x"}, AGENT), "golden-unclassified").remedy
    assert "      proposed_class: locked_fixture\n      artifact: tests/agent_drafts/new.bin\n" in agents
    humans = only(project.staged({}, HUMAN), "golden-unclassified").remedy
    assert "class: locked_fixture\n" in humans
    assert "draft" not in humans


def test_the_row_of_a_golden_names_the_folder_of_the_tests(repo: Repo) -> None:
    policy = 'version = 1\ntests = ["src/t/**"]\ngoldens = ["src/t/g/**"]\ndrafts = "src/t/new/"\n'
    project = Project(repo, {**BASE, "ledgergate.toml": policy})
    found = only(project.staged({"src/t/g/x.txt": "x"}, HUMAN), "golden-unclassified")
    assert "- id: src/t/FILE.py::NAME\n" in found.remedy


@pytest.mark.parametrize(
    ("before", "edit", "said"),
    [
        (None, "import sys\n", "A protected file was added."),
        ("import os\n", None, "A protected file was removed."),
        ("import os\n", "import sys\n", "A protected file changed (its content)."),
    ],
)
def test_what_became_of_a_protected_file(repo: Repo, before: str | None, edit: str | None, said: str) -> None:
    project = Project(repo, BASE if before is None else {**BASE, "src/conftest.py": before})
    assert only(project.staged({"src/conftest.py": edit}), "protected-path").message == said


def test_the_row_of_the_test_that_a_golden_is_named_for_is_to_grow(repo: Repo) -> None:
    golden = "tests/goldens/test_parse/test_header.1.yml"
    row = edited(LOCKED, GOLDEN, "tests/goldens/test_parse/test_header.yml")
    row = row.replace("tests/test_parse.py", "tests/goldens/test_parse.py")
    base = {**BASE, LEDGER: ledger(row, QUARANTINE), "tests/goldens/test_parse/test_header.yml": "header"}
    found = only(Project(repo, base).staged({golden: "x"}, HUMAN), "golden-unclassified")
    assert f"has a row already, {LEDGER}:3; if it reads {golden}" in found.remedy
    assert f"      digest:\n        - {sha256('header')}\n        - {sha256('x')}" in found.remedy
    assert "FILE.py::NAME" not in found.remedy


def test_a_row_copied_from_a_message_still_needs_its_id(repo: Repo) -> None:
    row = edited(DRAFT, "test_prefix.py::test_strip", "FILE.py::NAME")
    assert "copied from" in only(Project(repo).staged({LEDGER: ledger(*ROWS, row)}), "row-invalid").message
