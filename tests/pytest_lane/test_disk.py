"""Goldens, drafts and freezes as they lie on the disk while a lane runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledgergate.freeze.signature import signature_of
from support.project import freezes, sha256
from support.suite import FINE, GOLDEN, LOCKED, LOUD, READS, A, Suite, draft, ids, quarantine

pytestmark = pytest.mark.slow


# -- goldens on the disk -----------------------------------------------------------------------------------------------

WRITES = f'Path("{GOLDEN}").write_text("golden\\n")'
DIFFERING = {
    "line ends": ({GOLDEN: "golden\r\n"}, "only its line ends differ"),
    "an LFS pointer": (
        {GOLDEN: f"version https://git-lfs.github.com/spec/v1\noid {sha256('golden')}\nsize 7\n"},
        "Git LFS pointer",
    ),
    "other bytes": ({GOLDEN: "another\n"}, "not those of its row"),
    "nothing": ({A: "def test_golden(): pass\n"}, "is not there"),
    "written while it is imported": ({A: f"{READS}{WRITES}\n"}, "written while the tests ran"),
    "written by its own test": ({A: f"{READS}    {WRITES}\n"}, "written while the tests ran"),
    "written by another test": ({A: f"{READS}\ndef test_last(): {WRITES}\n"}, "written while the tests ran"),
    "rewritten and put back": (
        {
            A: f"""\
import os, shutil
from pathlib import Path
def test_golden():
    golden = Path("{GOLDEN}")
    before = golden.stat()
    golden.write_text("wrong!\\n")
    assert golden.read_text() == "wrong!\\n"
    golden.write_text("golden\\n")
    os.utime(golden, ns=(before.st_atime_ns, before.st_mtime_ns))
"""
        },
        "written while the tests ran",
    ),
}


@pytest.mark.parametrize("kind", DIFFERING)
def test_a_golden_that_is_not_what_its_row_says_is_told(tmp_path: Path, kind: str) -> None:
    files, said = DIFFERING[kind]
    suite = Suite(tmp_path, {A: READS, **({} if kind == "nothing" else {GOLDEN: "golden\n"}), **files}, LOCKED)
    lane = suite.lane().whole
    (found,) = lane["differing_artifacts"]
    assert (found["case"], found["path"]) == (f"{A}::test_golden", GOLDEN)
    assert said in found["message"]


FOLDER = "tests/goldens/set/"
LISTING = "".join(f"{sha256(text)[7:]}  {name}\n" for name, text in (("a", "1\n"), ("sub/b", "2\n")))


@pytest.mark.parametrize("extra", [{}, {f"{FOLDER}c": "3\n"}, {f"{FOLDER}a": "x\n"}])
def test_folders_and_lists_are_measured_as_well(tmp_path: Path, extra: dict[str, str]) -> None:
    both = f"  - id: {A}::test_golden\n    class: locked_fixture\n    artifact: [{GOLDEN}, {FOLDER}]\n"
    row = f"{both}    digest: [{sha256('golden' + chr(10))}, {sha256(LISTING)}]\n"
    files = {A: READS, GOLDEN: "golden\n", f"{FOLDER}a": "1\n", f"{FOLDER}sub/b": "2\n", **extra}
    lane = Suite(tmp_path, files, row).lane().whole
    assert [found["path"] for found in lane["differing_artifacts"]] == ([FOLDER] if extra else [])
    assert lane["status"] == "ok"


# -- drafts ------------------------------------------------------------------------------------------------------------


def test_drafts_are_refused_as_arguments_before_their_conftest_is_read(tmp_path: Path) -> None:
    files = {A: FINE, "tests/agent_drafts/conftest.py": LOUD, "tests/agent_drafts/test_d.py": LOUD}
    suite = Suite(tmp_path, files)
    assert suite.lane("tests").whole["status"] == "ok"
    for argument in ("tests/agent_drafts", "tests/agent_drafts/test_d.py::test_d"):
        refused = suite.lane(argument)
        assert (refused.status, refused.lane) == (4, None)
        assert "a draft was imported" not in refused.output


def test_new_files_of_agents_are_not_imported_where_policy_lets_them_be(tmp_path: Path) -> None:
    files = {
        A: FINE,
        "tests/test_new.py": LOUD,
        "tests/test_draft.py": LOUD,
        "ledgergate.toml": "version = 1\nagent_new_tests = true\n",
    }
    rows = (quarantine(f"{A}::test_other"), draft("tests/test_draft.py::test_d"))
    suite = Suite(tmp_path, files, *rows)
    lane = suite.lane().whole
    assert (lane["status"], lane["ran_case_ids"]) == ("ok", ids("test_one"))
    assert lane["outside_evidence"] == ["tests/test_draft.py::test_d"]
    assert suite.lane("tests/test_new.py").lane is None


def test_a_link_into_the_drafts_folder_is_no_way_around(tmp_path: Path) -> None:
    suite = Suite(tmp_path, {A: FINE, "tests/agent_drafts/test_d.py": LOUD})
    (tmp_path / "tests/test_link.py").symlink_to("agent_drafts/test_d.py")
    assert suite.lane().whole["ran_case_ids"] == ids("test_one")


# -- freezes -----------------------------------------------------------------------------------------------------------

SIGNATURE = signature_of("assert 1 == 2")
FROZEN = "import pytest\n@pytest.fixture\ndef dear(): raise OSError\ndef test_flake(dear):\n    assert 1 == 2\n" + FINE
FREEZE = {
    "id": "fx-1",
    "signature": SIGNATURE,
    "path": A,
    "case_id": "flake",
    "lane": "fixtures",
    "fixtures": [],
    "reason": "slow disk",
    "expires_utc": "2099-12-10T00:00:00Z",
    "owner": "test-infra",
}


def test_a_frozen_case_is_skipped_with_a_receipt(tmp_path: Path) -> None:
    lane = Suite(tmp_path, {A: FROZEN, "tests/freeze_ledger.json": freezes(FREEZE)}).lane().whole
    assert lane["receipts"] == [{"id": "fx-1", "signature": SIGNATURE}]
    assert (lane["skipped"], lane["skipped_case_ids"]) == (True, ids("test_flake"))
    assert (lane["violations"], lane["executed"]) == ([], 1)


@pytest.mark.parametrize(
    "entries",
    [
        [{**FREEZE, "expires_utc": "2026-01-01T00:00:00Z"}],
        [{key: value for key, value in FREEZE.items() if key != "owner"}],
        [{**FREEZE, "signature": signature_of("assert 1 == 3")}],
        [FREEZE, {**FREEZE, "id": "fx-2"}],
        [{**FREEZE, "case_id": "test_one", "signature": signature_of("assert 1 + 1 == 3")}],
    ],
    ids=["expired", "without owner", "edited", "two for one case", "another case"],
)
def test_a_case_whose_freeze_does_not_hold_runs(tmp_path: Path, entries: list[dict[str, object]]) -> None:
    lane = Suite(tmp_path, {A: FROZEN, "tests/freeze_ledger.json": freezes(*entries)}).lane().whole
    assert [violation["case"] for violation in lane["violations"]] == ids("test_flake")
    assert lane["receipts"] == []


def test_a_freeze_of_another_lane_skips_nothing(tmp_path: Path) -> None:
    suite = Suite(tmp_path, {A: FROZEN, "tests/freeze_ledger.json": freezes(FREEZE)})
    assert suite.lane(name="other").whole["receipts"] == []
