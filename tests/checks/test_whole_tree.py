"""`verify`: everything that a commit's ledgers say, recomputed."""

from __future__ import annotations

import pytest

from ledgergate.checks.whole_tree import verify
from ledgergate.git import Repository
from ledgergate.source.inline import inline_digest
from ledgergate.source.text import read_source
from ledgergate.values import Report, State
from support.project import (
    FREEZE,
    FREEZES,
    GOLDEN,
    LEDGER,
    LOCKED,
    NOW,
    ROWS,
    SEED,
    SOUND,
    TEST_FILE,
    Edit,
    edited,
    freezes,
    ledger,
    rules,
    sha256,
    states,
)
from support.repo import Repo


def verified(repo: Repo, tree: Edit) -> Report:
    commit = repo.commit({path: content for path, content in tree.items() if content is not None})
    repository = Repository(str(repo.path))
    return verify(repository.snapshot(None), repository.snapshot(commit), NOW, lambda rows: rows)


def test_a_sound_tree(repo: Repo) -> None:
    report = verified(repo, SOUND)
    assert (report.state, report.findings, report.notes) == (State.PASS, (), ())
    assert dict(report.checks) == dict.fromkeys(("ledger-schema", "fixture-digests", "verify"), State.PASS)


FROZEN = "freeze-signature"
BROKEN: list[tuple[str, Edit, str]] = [
    ("golden", {GOLDEN: "x"}, "digest-mismatch"),
    ("golden gone", {GOLDEN: None}, "artifact-missing"),
    ("seeds gone", {SEED: None}, "seeds-empty"),
    ("unclassified golden", {"tests/goldens/x": "x"}, "golden-unclassified"),
    ("case twins", {"tests/goldens/Header.bin": "x"}, "artifact-collision"),
    ("test file gone", {"tests/test_parse.py": None}, "test-removed"),
    ("test function gone", {"tests/test_parse.py": "def test_header(): pass\n"}, "test-removed"),
    ("draft's test gone", {"tests/agent_drafts/test_prefix.py": "x = 1\n"}, "test-removed"),
    ("a frozen check edited", {"tests/test_parse.py": TEST_FILE.replace("reload(): pass", "reload(): x")}, FROZEN),
    ("a frozen test renamed", {FREEZES: freezes({**FREEZE, "case_id": "test_no"})}, FROZEN),
    ("a frozen test's file gone", {FREEZES: freezes({**FREEZE, "path": "tests/test_no.py"})}, FROZEN),
    ("a fixture gone", {FREEZES: freezes({**FREEZE, "signature": sha256("pass"), "fixtures": ["no"]})}, FROZEN),
    ("an expired freeze", {FREEZES: freezes({**FREEZE, "expires_utc": "2026-01-01T00:00:00Z"})}, FROZEN),
    ("ledger gone", {LEDGER: None}, "ledger-missing"),
    ("no policy", {"ledgergate.toml": None}, "ledger-missing"),
    ("broken policy", {"ledgergate.toml": "?"}, "policy-unreadable"),
    ("broken ledger", {LEDGER: "?"}, "ledger-unreadable"),
]


@pytest.mark.parametrize(("edit", "rule"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN])
def test_broken(repo: Repo, edit: Edit, rule: str) -> None:
    report = verified(repo, {**SOUND, **edit})
    assert rule in rules(report.findings)
    assert report.state is not State.PASS


def test_a_malformed_freeze_is_told_once(repo: Repo) -> None:
    report = verified(repo, {**SOUND, FREEZES: freezes({**FREEZE, "path": "../x"})})
    assert rules(report.findings) == {"freeze-invalid"}


def test_a_test_that_is_made_at_run_time_is_a_note(repo: Repo) -> None:
    report = verified(repo, {**SOUND, FREEZES: freezes(), "tests/test_parse.py": "from helpers import *\n"})
    assert states(report, "test-removed") == {State.PASS}
    assert {note.remedy for note in report.notes if note.rule == "test-removed"} == {""}
    assert report.state is State.PASS


def test_ids_of_other_runners_are_taken_as_they_are(repo: Repo) -> None:
    foreign = edited(LOCKED, "tests/test_parse.py::test_header", "com.acme.ParserTest::parses")
    assert verified(repo, {**SOUND, LEDGER: ledger(*ROWS, foreign)}).state is State.PASS


def test_each_file_is_parsed_once_in_whatever_order_its_rows_are(repo: Repo) -> None:
    two = "def test_a(): assert f() == NUMBER\ndef test_b(): assert f() == 2\n"
    files = {f"tests/test_{number}.py": f"NUMBER = {number}\n{two}" for number in range(100)}
    tests = [(path, name) for name in ("test_a", "test_b") for path in files]
    rows = [
        f"  - id: {path}::{name}\n    class: locked_fixture\n    artifact: {path}::{name}\n"
        f"    digest: {inline_digest(files[path].encode(), (name,))}\n"
        for path, name in tests
    ]
    read_source.cache_clear()
    report = verified(repo, {**SOUND, **files, LEDGER: ledger(*ROWS, *rows)})
    assert report.state is State.PASS, report.findings
    of_the_others = {path for path in SOUND if path.endswith(".py")}
    assert read_source.cache_info().misses <= len(files) + len(of_the_others)
