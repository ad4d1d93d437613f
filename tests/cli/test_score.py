"""`ledgergate score` as CI calls it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from support.gate import Said, gate
from support.lane_reports import PATH, RECEIPT, frozen, lane
from support.repo import Repo
from support.score_schema import score_document

FREEZE_LEDGER = {
    "schema": "freeze-ledger.v1",
    "required_lanes": ["properties"],
    "optional_lanes": ["remote_review"],
    "cardinality_floor": {"properties": 2},
    "freezes": [frozen(expires_utc="2999-01-01T00:00:00Z")],
}
TEST = "def test_budget():\n    assert budget() <= 3\n"


@pytest.fixture
def folder(repo: Repo) -> Repo:
    repo.write("freeze.json", json.dumps(FREEZE_LEDGER))
    repo.write(PATH, TEST)
    return repo


def run(folder: Repo, report: object, *options: str) -> Said:
    folder.write("report.json", report if isinstance(report, bytes) else json.dumps(report))
    return gate(folder, "score", "freeze.json", "report.json", *options)


GOOD = {"properties": lane(receipts=[RECEIPT])}


def test_all_is_well(folder: Repo) -> None:
    found = score_document(run(folder, GOOD))
    assert found["decision"] == "allow"
    assert found["lanes"] == {"properties": "PASS"}
    assert found["optional"] == {"remote_review": "unexecuted"}
    assert found["floors"] == {"properties": {"floor": 2, "executed": 3}}
    assert found["freezes"] == {
        "fx-1": {"state": "active", "expires_utc": "2999-01-01T00:00:00Z", "owner": "test-infra"}
    }
    assert found["inputs"]["reports"]["report.json"].startswith("sha256:")


def test_the_same_inputs_give_the_same_bytes(folder: Repo) -> None:
    assert run(folder, GOOD).out == run(folder, GOOD).out


@pytest.mark.parametrize(
    ("report", "rule"),
    [
        ({}, "lane-incomplete"),
        (b"{", "lane-incomplete"),
        ({"other": lane()}, "lane-missing"),
        ({"properties": lane(executed=1, receipts=[RECEIPT])}, "floor-missed"),
        ({"properties": lane()}, "receipt-missing"),
        ({"properties": lane(violations=["no"], receipts=[RECEIPT])}, "lane-violation"),
    ],
)
def test_what_is_wrong_is_named(folder: Repo, report: object, rule: str) -> None:
    found = score_document(run(folder, report))
    assert found["decision"] == "block"
    assert rule in {finding["rule"] for finding in found["findings"]}


def test_the_frozen_check_was_edited(folder: Repo) -> None:
    folder.write(PATH, TEST.replace("3", "4"))
    assert {finding["rule"] for finding in score_document(run(folder, GOOD))["findings"]} == {"freeze-signature"}


def test_the_root_says_where_the_files_are(folder: Repo) -> None:
    folder.write(f"elsewhere/{PATH}", TEST)
    assert score_document(run(folder, GOOD, "--root", "elsewhere"))["decision"] == "allow"
    (folder.path / "elsewhere" / PATH).unlink()
    assert score_document(run(folder, GOOD, "--root", "elsewhere"))["decision"] == "block"


def test_a_link_is_no_file_of_the_root(folder: Repo) -> None:
    (folder.path / PATH).rename(folder.path / "moved.py")
    (folder.path / PATH).symlink_to(folder.path / "moved.py")
    assert score_document(run(folder, GOOD))["decision"] == "block"


def test_text_says_lanes_and_decision(folder: Repo) -> None:
    said = run(folder, {"properties": lane(executed=1, receipts=[RECEIPT])}, "--format", "text")
    assert said.status == 1
    assert "UNSCORED floor-missed" in said.out
    assert "UNSCORED   properties (required, 1 ran, floor 2)" in said.out
    assert said.out.endswith("ledgergate: block; required lanes UNSCORED\n")


def test_the_policy_decides_the_grey_rows(folder: Repo) -> None:
    folder.write("ledgergate.toml", 'version = 1\n[merge]\nunscored = "hold"\n')
    found = score_document(run(folder, {"properties": lane()}))
    assert found["decision"] == "hold"
    assert found["inputs"]["policy"] is not None


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("score", "freeze.json"), 2),
        (("score", "missing.json", "report.json"), 1),
        (("score", "freeze.json", "missing.json"), 1),
        (("score", "freeze.json", "report.json", "--root", "missing"), 2),
    ],
)
def test_what_is_missing_is_no_pass(folder: Repo, arguments: tuple[str, ...], status: int) -> None:
    folder.write("report.json", json.dumps(GOOD))
    assert gate(folder, *arguments).status == status


def test_a_policy_that_cannot_be_read_is_no_pass(folder: Repo) -> None:
    folder.write("ledgergate.toml", "version = 2\n")
    assert run(folder, GOOD).status == 1


@pytest.mark.parametrize("kind", ["folder", "pipe", "device"])
@pytest.mark.parametrize("place", ["report.json", "freeze.json", "ledgergate.toml"])
def test_what_is_no_regular_file_is_called_what_it_is(folder: Repo, place: str, kind: str) -> None:
    run(folder, GOOD)
    file = folder.path / place
    file.unlink(missing_ok=True)
    if kind == "folder":
        file.mkdir()
    elif kind == "pipe":
        os.mkfifo(file)
    else:
        file.symlink_to("/dev/null")
    said = gate(folder, "score", "freeze.json", "report.json")
    assert said.status == 1
    assert f"it is a {kind}" in said.everything


class TestWhoseTreeIsJudged:
    @pytest.fixture
    def folder(self, repo: Repo) -> Repo:
        repo.commit({"freeze.json": json.dumps(FREEZE_LEDGER), PATH: TEST, "src/app.py": "x = 1\n"})
        return repo

    def decision(self, folder: Repo, tree: str, **environment: str) -> str:
        folder.write("report.json", json.dumps({"properties": lane(receipts=[RECEIPT], tree=tree)}))
        found = score_document(gate(folder, "score", "freeze.json", "report.json", env=environment))
        assert found["inputs"]["tree"] == folder.git("rev-parse", "HEAD^{tree}")
        return str(found["decision"])

    @pytest.mark.parametrize(("tree", "is_said"), [(None, True), ("a" * 40, False)])
    def test_a_report_that_names_no_tree_is_told_how_to_name_one(
        self, folder: Repo, tree: str | None, is_said: bool
    ) -> None:
        said = run(folder, {"properties": lane(receipts=[RECEIPT], tree=tree)}, "--format", "text")
        assert said.status == 1
        assert "UNSCORED report-stale" in said.out
        assert ("LEDGERGATE_TREE" in said.out) == is_said

    def test_the_environment_names_another_clone(self, folder: Repo, tmp_path: Path) -> None:
        other = Repo(tmp_path / "other")
        other.commit({"src/app.py": "x = 2\n"})
        theirs, ours = (repo.git("rev-parse", "HEAD^{tree}") for repo in (other, folder))
        names = {"GIT_DIR": str(other.path / ".git"), "GIT_WORK_TREE": str(folder.path)}
        objects = {"GIT_OBJECT_DIRECTORY": str(other.path / ".git/objects")}
        for environment in ({}, {"GIT_DIR": names["GIT_DIR"]}, names, objects, {**names, **objects}):
            assert self.decision(folder, theirs, **environment) == "block"
            assert self.decision(folder, ours, **environment) == "allow"

    def test_the_environment_names_this_one(self, folder: Repo) -> None:
        tree = folder.git("rev-parse", "HEAD^{tree}")
        for name in (".git", str(folder.path / ".git")):
            assert self.decision(folder, tree, GIT_DIR=name) == "allow"
        folder.commit({"src/app.py": "x = 2\n"})
        assert self.decision(folder, tree, GIT_DIR=".git") == "block"

    def test_a_folder_in_no_repository_goes_by_the_one_that_is_named(self, folder: Repo) -> None:
        tree = folder.git("rev-parse", "HEAD^{tree}")
        store = folder.path.parent / "store.git"
        (folder.path / ".git").rename(store)
        folder.write("report.json", json.dumps({"properties": lane(receipts=[RECEIPT], tree="a" * 40)}))
        environment = {"GIT_DIR": str(store), "GIT_WORK_TREE": "."}
        found = score_document(gate(folder, "score", "freeze.json", "report.json", env=environment))
        assert (found["decision"], found["inputs"]["tree"]) == ("block", tree)
