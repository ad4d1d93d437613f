"""No golden changes together with the code that it checks, unless its row says so."""

from __future__ import annotations

import pytest

from ledgergate.values import State
from support.project import (
    AGENT,
    BASE,
    GOLDEN,
    HUMAN,
    LEDGER,
    LOCKED,
    OTHER_GOLDEN,
    ROWS,
    SEED,
    Edit,
    Project,
    edited,
    ledger,
    sha256,
    states,
)
from support.repo import Repo

RELOCKED = ledger(edited(LOCKED, sha256("header"), sha256("new")), *ROWS[1:])
CODE: Edit = {"src/app.py": "x = 2\n"}

TWO_SIDED: list[tuple[str, Edit]] = [
    ("golden and code", {GOLDEN: "new", **CODE}),
    ("golden and a blank line of code", {GOLDEN: "new", "src/app.py": "x = 1\n\n"}),
    ("golden and new code", {GOLDEN: "new", "lib/new.py": "y = 1\n"}),
    ("golden and removed code", {GOLDEN: "new", "src/app.py": None}),
    ("golden and renamed code", {GOLDEN: "new", "src/app.py": None, "src/application.py": "x = 1\n"}),
    ("removed golden and code", {GOLDEN: None, **CODE}),
    ("unclassified golden and code", {"tests/goldens/new.bin": "x", **CODE}),
    ("one of two relocked", {GOLDEN: "new", OTHER_GOLDEN: "new", LEDGER: RELOCKED, **CODE}),
]
ONE_SIDED: list[tuple[str, Edit]] = [
    ("golden alone", {GOLDEN: "new"}),
    ("code alone", CODE),
    ("golden and readme", {GOLDEN: "new", "README.md": "x\n"}),
    ("golden and docs", {GOLDEN: "new", "docs/x.md": "x\n"}),
    ("golden and a test", {GOLDEN: "new", "tests/test_other.py": ""}),
    ("golden, its row and code", {GOLDEN: "new", LEDGER: RELOCKED, **CODE}),
    ("golden retired with its row, and code", {GOLDEN: None, LEDGER: ledger(*ROWS[1:]), **CODE}),
    ("seeds and code", {SEED: "x", **CODE}),
    ("grown seeds and code", {"tests/properties/seeds/length/2": "x", **CODE}),
    ("a protected file and a golden", {GOLDEN: "new", "pytest.ini": "[pytest]\n"}),
]


@pytest.mark.parametrize("actor", [AGENT, HUMAN], ids=["agent", "human"])
@pytest.mark.parametrize("edit", [case[1] for case in TWO_SIDED], ids=[case[0] for case in TWO_SIDED])
def test_two_sided(repo: Repo, edit: Edit, actor: object) -> None:
    report = Project(repo).staged(edit, actor, only="two-sided-diff")  # type: ignore[arg-type]
    assert states(report, "two-sided") == {State.FAIL}


@pytest.mark.parametrize("edit", [case[1] for case in ONE_SIDED], ids=[case[0] for case in ONE_SIDED])
def test_one_sided(repo: Repo, edit: Edit) -> None:
    assert Project(repo).staged(edit, AGENT, only="two-sided-diff").findings == ()


def test_what_a_row_names_is_a_golden_wherever_it_lies(repo: Repo) -> None:
    elsewhere = edited(edited(LOCKED, GOLDEN, "docs/schema.json"), "test_header", "test_schema")
    project = Project(repo, {**BASE, "docs/schema.json": "header", LEDGER: ledger(*ROWS, elsewhere)})
    report = project.staged({"docs/schema.json": "x", **CODE}, only="two-sided-diff")
    assert [finding.subject for finding in report.findings] == ["docs/schema.json"]


def test_production_is_what_the_policy_says(repo: Repo) -> None:
    project = Project(repo, {**BASE, "ledgergate.toml": 'version = 1\nproduction = ["lib/**"]\n'})
    assert project.staged({GOLDEN: "new", **CODE}, only="two-sided-diff").findings == ()
    assert states(project.staged({"lib/x.py": "1"}, only="two-sided-diff"), "two-sided") == {State.FAIL}
