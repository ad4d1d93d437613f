"""`ledgergate status`: the board says what is there, judges nothing, and is no success where it could not read all."""

from __future__ import annotations

import io
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import ledgergate.report
from ledgergate.cli import status
from ledgergate.ledger import Row
from ledgergate.report.board import Board, Frozen, Quarantined, unclassified
from ledgergate.report.board_text import print_board_tables
from support.documents import ROOT, section
from support.gate import Said, gate
from support.project import (
    BASE,
    FREEZE,
    FREEZES,
    LEDGER,
    LOCKED,
    NOW,
    QUARANTINE,
    ROWS,
    Project,
    edited,
    freezes,
    ledger,
)
from support.repo import Repo

SCHEMA = json.loads((Path(ledgergate.report.__file__).parent / "status.schema.json").read_text(encoding="utf-8"))
POLICY = "version = 1\nname = 'acme/app'\n[quarantine]\nmax_age_days = 90\n"
OLD = edited(edited(QUARANTINE, "test_reload", "test_old"), "2026-09-10", "2026-06-01")
OVER = {**FREEZE, "id": "fx-0", "expires_utc": "2026-11-30T00:00:00Z"}


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(status, "now", lambda: NOW)


def board(repo: Repo, *options: str, expected: int = 0) -> dict[str, Any]:
    done = gate(repo, "status", "--format", "json", *options)
    assert done.status == expected, done
    document: dict[str, Any] = json.loads(done.out)
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    return document


def guarded(repo: Repo, **files: str) -> Said:
    more = {"tests/goldens/loose.bin": "x", FREEZES: freezes(FREEZE, OVER), LEDGER: ledger(*ROWS, OLD)}
    Project(repo, {**BASE, "ledgergate.toml": POLICY, **more, **files})
    return gate(repo, "status")


def test_what_is_there(repo: Repo) -> None:
    guarded(repo)
    said = board(repo)
    assert said["name"] == "acme/app"
    assert said["rows"] == {"golden": 2, "inline": 0, "property": 1, "quarantine": 2, "draft": 1}
    assert said["goldens"] == {"files": 3, "unclassified": ["tests/goldens/loose.bin"]}
    assert [(entry["id"], entry["age_days"], entry["stale"]) for entry in said["quarantine"]] == [
        ("tests/test_parse.py::test_old", 183, True),
        ("tests/test_parse.py::test_reload", 82, False),
    ]
    assert [(entry["id"], entry["days_left"]) for entry in said["freezes"]] == [("fx-0", -2), ("fx-1", 8)]
    assert said["unclassified_tests"] is None
    assert said["findings"] == []


def test_inline_rows_are_counted_apart(repo: Repo) -> None:
    row = edited(
        edited(LOCKED, "test_header", "test_inline"), "tests/goldens/header.bin", "tests/test_parse.py::test_inline"
    )
    guarded(repo, **{LEDGER: ledger(*ROWS, row)})
    assert board(repo)["rows"] | {"golden": 2, "inline": 1} == board(repo)["rows"]


def test_the_text(repo: Repo) -> None:
    lines = guarded(repo).out.splitlines()
    assert lines[1:5] == [
        "rows: 2 golden, 0 inline, 1 property, 2 quarantine, 1 draft",
        "goldens: 3 files, 1 without a row",
        "  tests/goldens/loose.bin",
        "tests without a row: not known (`ledgergate collect` says)",
    ]
    assert "  tests/test_parse.py::test_old     test-infra  2026-06-01  183   order-dependent  stale" in lines
    assert "  fx-0    test_reload  fixtures  test-infra  2026-11-30T00:00:00Z  -2         expired" in lines
    assert lines[-1].endswith("judges nothing; `ledgergate verify` does")


def test_the_golden_of_a_quarantined_test_has_a_row(repo: Repo) -> None:
    flaky = QUARANTINE.replace("    opened", "    artifact: tests/goldens/loose.bin\n    opened")
    guarded(repo, **{LEDGER: ledger(LOCKED, flaky)})
    assert board(repo)["goldens"] == {"files": 3, "unclassified": ["tests/goldens/other.bin"]}


def test_tests_without_a_row(repo: Repo) -> None:
    guarded(repo)
    ids = "tests/test_parse.py::test_header\ntests/test_parse.py::test_new[a b]\n\n1 test collected in 0.1s\n"
    repo.write("ids.txt", ids)
    assert board(repo, "--collected", "ids.txt")["unclassified_tests"] == ["tests/test_parse.py::test_new[a b]"]


def test_rows_for_a_function_cover_its_cases() -> None:
    rows = [
        Row.of({"id": "a.py::f", "class": "property", "params": "2"}),
        Row.of({"id": "a.py::g", "class": "property"}),
    ]
    assert unclassified(["a.py::f[1]", "a.py::f", "a.py::g[1]", "a.py::g", "a.py::g[1]"], rows) == ("a.py::g[1]",)


@pytest.mark.parametrize("content", [None, "", "no tests ran\n"])
def test_a_list_that_holds_no_id_is_none(repo: Repo, content: str | None) -> None:
    guarded(repo)
    if content is not None:
        repo.write("ids.txt", content)
    assert gate(repo, "status", "--collected", "ids.txt").status == 2


@pytest.mark.parametrize(
    ("path", "content", "rule"),
    [
        (LEDGER, "rows: [", "ledger-unreadable"),
        (LEDGER, ledger(*ROWS).replace("source: agent", "sauce: agent"), "row-invalid"),
        (FREEZES, "{", "freeze-unreadable"),
    ],
)
def test_what_cannot_be_read_is_no_success(repo: Repo, path: str, content: str, rule: str) -> None:
    done = guarded(repo, **{path: content})
    assert done.status == 1
    assert rule in done.out
    assert "not all could be read" in done.out
    assert [seen["rule"] for seen in board(repo, expected=1)["findings"]] == [rule]


def test_a_ledger_that_is_missing_is_no_success(repo: Repo) -> None:
    guarded(repo)
    repo.commit({LEDGER: None})
    assert [seen["rule"] for seen in board(repo, expected=1)["findings"]] == ["ledger-missing"]


def test_without_a_policy(repo: Repo) -> None:
    repo.commit({"a": "1"})
    done = gate(repo, "status")
    assert (done.status, done.out) == (1, "")
    assert "ledgergate init" in done.err


def test_another_commit(repo: Repo) -> None:
    guarded(repo)
    repo.commit({LEDGER: ledger()})
    assert board(repo, "--at", "HEAD~1")["rows"]["draft"] == 1
    assert board(repo)["rows"]["draft"] == 0


def test_tables_hold_what_is_said() -> None:
    past = datetime(2026, 1, 1, tzinfo=UTC)
    shown = Board(
        "a" * 40,
        "b" * 40,
        "[bold]app",
        (("golden", 1),),
        0,
        (),
        (Quarantined("t.py::x[red]", "kim", "2026-01-01", 3, True, "[/] why"),),
        (Frozen("fx", "case", None, None, past + timedelta(days=1), -9),),
        (),
        (),
    )
    stream = io.StringIO()
    print_board_tables(shown, stream)
    assert [
        text for text in ("[bold]app", "t.py::x[red]", "[/] why", "stale", "expired") if text not in stream.getvalue()
    ] == []


def test_every_key_is_on_the_page() -> None:
    page = section(ROOT / "docs" / "formats.md", "Status")
    assert [name for name in SCHEMA["required"] if f"`{name}`" not in page] == []
