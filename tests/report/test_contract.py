"""What each item of a contract is shown as: all that an approval of it stands for, and no more."""

from __future__ import annotations

import pytest

from ledgergate.git import Repository, between
from ledgergate.report.alike import FileChange
from ledgergate.report.contract import contract_changes
from ledgergate.source.inline import inline_digest
from ledgergate.values import Item
from ledgergate.vouch import Case, rules_for
from support.project import (
    FREEZE,
    FREEZES,
    GOLDEN,
    HUMAN,
    LEDGER,
    LOCKED,
    NOW,
    OTHER_LOCKED,
    PROPERTY,
    ROWS,
    SEED,
    WITHOUT_ACKS,
    Edit,
    Project,
    edited,
    freezes,
    ledger,
    rows,
    sha256,
)
from support.repo import Repo

HEADER, LENGTH = "tests/test_parse.py::test_header", "tests/test_parse.py::test_length"


def judged(repo: Repo) -> Case:
    change = between(Repository(str(repo.path)), "main", "topic")
    rules = rules_for(change, HUMAN)
    assert rules is not None
    return Case(change, rules, NOW, HUMAN)


def shown(repo: Repo, edit: Edit, base: Edit = WITHOUT_ACKS) -> dict[str, FileChange]:
    """What is shown of an edit's contract, by its name."""
    Project(repo, base)
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit(edit)
    case = judged(repo)
    found = list(contract_changes(case, case.items))
    assert len({one.path for one in found}) == len(found)
    return {one.path: one for one in found}


RELOCKED = edited(LOCKED, sha256("header"), sha256("new"))


def test_a_row_and_the_golden_that_it_pins(repo: Repo) -> None:
    found = shown(repo, {GOLDEN: "new", **rows((LOCKED, RELOCKED))})
    assert list(found) == [HEADER, GOLDEN]
    assert (found[HEADER].old, found[HEADER].new) == (LOCKED.encode(), RELOCKED.encode())
    assert (found[GOLDEN].old, found[GOLDEN].new) == (b"header", b"new")
    assert (found[HEADER].noun, found[GOLDEN].noun) == ("row", "file")
    assert found[GOLDEN].note == f"{sha256('header')[:19]} -> {sha256('new')[:19]}"


def test_a_golden_of_several_rows_is_shown_once(repo: Repo) -> None:
    twin = edited(LOCKED, "test_header", "test_twin")
    base = {**WITHOUT_ACKS, LEDGER: ledger(*ROWS, twin)}
    new = ledger(*(edited(row, sha256("header"), sha256("new")) if GOLDEN in row else row for row in (*ROWS, twin)))
    found = shown(repo, {GOLDEN: "new", LEDGER: new}, base)
    assert list(found) == [HEADER, "tests/test_parse.py::test_twin", GOLDEN]


@pytest.mark.parametrize("gone", [True, False])
def test_what_comes_and_what_goes(repo: Repo, gone: bool) -> None:
    less = {**WITHOUT_ACKS, **rows((LOCKED, "")), GOLDEN: None}
    base = WITHOUT_ACKS if gone else {path: text for path, text in less.items() if text is not None}
    found = shown(repo, {**rows((LOCKED, "")), GOLDEN: None} if gone else {**rows(), GOLDEN: "header"}, base)
    row, golden = found[HEADER], found[GOLDEN]
    sides = [(row.old, row.new), (golden.old, golden.new)]
    assert sides == (
        [(LOCKED.encode(), None), (b"header", None)] if gone else [(None, LOCKED.encode()), (None, b"header")]
    )
    assert "nothing" in row.note


def test_a_row_of_a_folder_shows_the_files_in_it_that_differ(repo: Repo) -> None:
    files = {"tests/goldens/all/a": "a", "tests/goldens/all/b": "b"}
    text = sha256("".join(f"{sha256(name).removeprefix('sha256:')}  {name}\n" for name in "ab"))
    row = edited(edited(edited(LOCKED, "_header", "_all"), GOLDEN, "tests/goldens/all/"), sha256("header"), text)
    base = {**WITHOUT_ACKS, **files, LEDGER: ledger(*ROWS, row)}
    found = shown(repo, {"tests/goldens/all/b": "c", LEDGER: ledger(*ROWS, edited(row, text, sha256("x")))}, base)
    assert list(found) == ["tests/test_parse.py::test_all", "tests/goldens/all/b"]


def test_of_a_pinned_test_its_own_lines(repo: Repo) -> None:
    source, weaker = "def test_sum():\n    assert 1 + 1 == 2\n", "def test_sum():\n    assert 1 + 1\n"
    before, after = (inline_digest(text.encode(), ("test_sum",)) for text in (source, weaker))
    name = "tests/test_sum.py::test_sum"
    row = edited(edited(edited(LOCKED, HEADER, name), GOLDEN, name), sha256("header"), str(before))
    base = {**WITHOUT_ACKS, "tests/test_sum.py": source, LEDGER: ledger(*ROWS, row)}
    new = ledger(*ROWS, edited(row, str(before), str(after)))
    Project(repo, base)
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit({"tests/test_sum.py": weaker, LEDGER: new})
    case = judged(repo)
    row_change, test = contract_changes(case, case.items)
    assert (row_change.noun, test.noun, test.path) == ("row", "test", name)
    assert (test.old, test.new) == (source.encode(), weaker.encode())


def test_freezes_and_settings_key_by_key(repo: Repo) -> None:
    found = shown(repo, {FREEZES: freezes({**FREEZE, "reason": "über"}, floor=0)})
    assert list(found) == ["fx-1", FREEZES]
    new = found["fx-1"].new
    assert new is not None
    assert 'reason: "über"\n' in new.decode()
    assert (found["fx-1"].noun, found[FREEZES].noun) == ("freeze", "settings")
    assert b"freezes" not in (found[FREEZES].new or b"freezes")


def test_a_freeze_ledger_that_goes(repo: Repo) -> None:
    found = shown(repo, {FREEZES: None})
    assert found
    assert all(one.new is None and one.old for one in found.values())


def test_files(repo: Repo) -> None:
    found = shown(repo, {"tests/conftest.py": "x = 1\n", SEED: None, "pytest.ini": "[pytest]\n"})
    assert found["tests/conftest.py"][1:3] == (b"", b"x = 1\n")
    assert found[SEED][1:3] == (b"1", None)
    assert found["pytest.ini"][1:3] == (None, b"[pytest]\n")


def test_the_mode_is_told_where_it_changes_or_is_odd(repo: Repo) -> None:
    Project(repo, WITHOUT_ACKS)
    repo.git("checkout", "-q", "-b", "topic")
    repo.git("update-index", "--chmod=+x", "tests/conftest.py")
    repo.commit({"pytest.ini": "[pytest]\n"})
    case = judged(repo)
    notes = {one.path: one.note for one in contract_changes(case, case.items)}
    assert notes["tests/conftest.py"].endswith("  mode 100644 -> 100755")
    assert "mode" not in notes["pytest.ini"]


def test_a_submodule_by_its_commit(repo: Repo) -> None:
    Project(repo, WITHOUT_ACKS)
    repo.git("checkout", "-q", "-b", "topic")
    commit = repo.git("rev-parse", "HEAD")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{commit},conftest")
    repo.git("commit", "-q", "-m", "a submodule")
    case = judged(repo)
    (found,) = contract_changes(case, [Item("file", "conftest", None, sha256(commit))])
    assert found.new == f"(the submodule commit {commit})\n".encode()
    assert found.note.endswith("  mode 160000")


def test_rows_that_pin_nothing_show_only_themselves(repo: Repo) -> None:
    found = shown(repo, rows((PROPERTY, edited(PROPERTY, "non_negative_", "")), (OTHER_LOCKED, "")))
    assert list(found) == [LENGTH, "tests/test_parse.py::test_other"]
