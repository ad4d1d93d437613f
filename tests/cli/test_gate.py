"""`ledgergate gate` as CI calls it, on what pytest really writes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from support.gate import VALIDATOR, Said, gate
from support.lane_reports import lane
from support.project import sha256
from support.repo import Repo

pytestmark = pytest.mark.slow

SUITE = """\
from pathlib import Path

import pytest


def test_golden():
    assert Path("tests/golden.txt").read_text() == "1"


@pytest.mark.parametrize("x", [1, 2])
def test_cases(x):
    assert x


def test_flake():
    assert not Path("broken").exists()
"""
LEDGER = f"""\
version: 1
rows:
  - id: tests/test_a.py::test_golden
    class: locked_fixture
    artifact: tests/golden.txt
    digest: {sha256("1")}
  - id: tests/test_a.py::test_cases
    class: property
    invariant: truth
    seeds: tests/seeds/
    params: 2
  - id: tests/test_a.py::test_flake
    class: quarantine
    opened: 2026-09-10
    reason: depends on a file
    owner: test-infra
"""


FILES = {
    "tests/test_a.py": SUITE,
    "tests/golden.txt": "1",
    "tests/seeds/one": "1",
    "tests/ledger.yaml": LEDGER,
}


@pytest.fixture
def folder(repo: Repo) -> Repo:
    for path, content in FILES.items():
        repo.write(path, content)
    return repo


def run_tests(folder: Repo, *options: str, report: str = "report.xml") -> str:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}", *options]
    env = {**os.environ, "PYTEST_ADDOPTS": "", "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, cwd=folder.path, env=env, capture_output=True, text=True, check=False).stdout


def run(folder: Repo, *arguments: str) -> Said:
    return gate(folder, "gate", "tests/ledger.yaml", *(arguments or ("report.xml",)))


def document(said: Said) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(said.out)
    VALIDATOR.validate(found)
    assert (said.status == 0) == (found["state"] == "PASS")
    return found


def test_honest_evidence_passes(folder: Repo) -> None:
    run_tests(folder, "--deselect", "tests/test_a.py::test_flake")
    listed = run_tests(folder, "--collect-only", report="other.xml")
    folder.write("collected.txt", listed)
    said = run(folder, "report.xml", "--collected", "collected.txt")
    assert said.status == 0, said
    assert "3 cases reported; 2 rows admitted; 1 check" in said.out
    found = document(run(folder, "report.xml", "--collected", "collected.txt", "--format", "json"))
    assert {case["id"]: case["verdict"] for case in found["cases"]["judged"]} == {
        "tests/test_a.py::test_golden": "admitted",
        "tests/test_a.py::test_cases": "admitted",
        "tests/test_a.py::test_flake": "recorded",
    }


@pytest.mark.parametrize(
    ("files", "options", "rules"),
    [
        ({}, (), {"quarantine-cited"}),
        ({"broken": ""}, (), set()),
        (
            {"tests/golden.txt": "2"},
            ("--deselect", "tests/test_a.py::test_golden"),
            {"case-missing", "quarantine-cited"},
        ),
        ({"broken": "", "tests/golden.txt": "2"}, (), {"case-failed"}),
        ({"broken": ""}, ("-k", "not test_cases"), {"case-missing"}),
        ({"broken": ""}, ("-k", "not test_flake"), {"quarantine-skipped"}),
        ({"broken": "", "tests/seeds/one": ""}, (), {"seeds-empty"}),
        ({"broken": "", "tests/test_b.py": "def test_new(): pass\n"}, (), {"unclassified"}),
        ({"broken": ""}, ("-k", "nothing"), {"report-empty", "case-missing", "quarantine-skipped"}),
    ],
)
def test_what_a_run_proves(folder: Repo, files: dict[str, str], options: tuple[str, ...], rules: set[str]) -> None:
    for path, content in files.items():
        folder.write(path, content)
    run_tests(folder, *options)
    assert {seen["rule"] for seen in document(run(folder, "report.xml", "--format", "json"))["findings"]} == rules


def test_a_golden_that_changed_after_the_run(folder: Repo) -> None:
    folder.write("broken", "")
    run_tests(folder)
    folder.write("tests/golden.txt", "3")
    found = document(run(folder, "report.xml", "--format", "json"))
    assert {seen["rule"] for seen in found["findings"]} == {"digest-mismatch"}


def test_the_reports_are_judged_together(folder: Repo) -> None:
    folder.write("broken", "")
    run_tests(folder, "-k", "golden or flake")
    run_tests(folder, "-k", "cases", report="other.xml")
    assert run(folder, "report.xml").status == 1
    assert run(folder, "report.xml", "other.xml").status == 0


def test_a_report_that_was_cut(folder: Repo) -> None:
    folder.write("broken", "")
    run_tests(folder)
    report = folder.path / "report.xml"
    report.write_bytes(report.read_bytes()[:-20])
    assert "report-unreadable" in run(folder).out


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("gate", "tests/ledger.yaml"), 2),
        (("gate", "missing.yaml", "report.xml"), 1),
        (("gate", "tests/ledger.yaml", "missing.xml"), 1),
        (("gate", "tests/ledger.yaml", "report.xml", "--collected", "missing"), 1),
        (("gate", "tests/ledger.yaml", "report.xml", "--collected", "/dev/zero"), 1),
        (("gate", "tests/ledger.yaml", "report.xml", "--root", "missing"), 2),
    ],
)
def test_what_is_missing_is_no_pass(folder: Repo, arguments: tuple[str, ...], status: int) -> None:
    folder.write("broken", "")
    run_tests(folder)
    assert gate(folder, *arguments).status == status


def test_a_ledger_with_a_problem_is_no_pass(folder: Repo) -> None:
    folder.write("broken", "")
    run_tests(folder)
    folder.write("tests/ledger.yaml", LEDGER.replace("params: 2", "params: two"))
    assert run(folder).status == 1


def test_a_lane_report_does_as_well(folder: Repo) -> None:
    report = lane(
        ran_case_ids=["tests/test_a.py::test_golden", *(f"tests/test_a.py::test_cases[{n}]" for n in (1, 2))],
        outside_evidence=["tests/test_a.py::test_flake"],
    )
    folder.write("lanes.json", json.dumps({"all": report}))
    assert run(folder, "lanes.json").status == 0
    folder.write("lanes.json", json.dumps({"all": {**report, "status": "timeout"}}))
    assert run(folder, "lanes.json").status == 1


@pytest.mark.parametrize(
    ("fields", "policy", "rules"),
    [
        ({"plugins": ["pytest-sugar"]}, "version = 1\n", {"plugin-unlisted"}),
        ({"plugins": ["pytest_sugar", "ledgergate"]}, 'version = 1\n[run]\nplugins = ["pytest-sugar"]\n', set()),
        ({"executed": 0}, "version = 1\n", {"report-unreadable", "case-missing", "quarantine-skipped"}),
        ({"executed": 3}, "version = 1\n", set()),
    ],
)
def test_what_a_lane_report_says_of_its_run(folder: Repo, fields: dict[str, Any], policy: str, rules: set[str]) -> None:
    ran = ["tests/test_a.py::test_golden", *(f"tests/test_a.py::test_cases[{n}]" for n in (1, 2))]
    report = lane(ran_case_ids=ran, outside_evidence=["tests/test_a.py::test_flake"], **fields)
    folder.write("ledgergate.toml", policy)
    folder.write("lanes.json", json.dumps({"all": report}))
    assert {seen["rule"] for seen in document(run(folder, "lanes.json", "--format", "json"))["findings"]} == rules


class TestWhichTreeAReportIsAbout:
    @pytest.fixture
    def folder(self, repo: Repo) -> Repo:
        own = {"tests/test_a.py": SUITE, "tests/golden.txt": "1", "tests/seeds/one": "1", "tests/ledger.yaml": LEDGER}
        repo.commit({**own, "src/app.py": "x = 1\n", "README.md": "app\n"})
        self.write(repo, repo.git("rev-parse", "HEAD^{tree}"))
        return repo

    def write(self, repo: Repo, tree: str | None, name: str = "lanes.json") -> None:
        ran = ["tests/test_a.py::test_golden", *(f"tests/test_a.py::test_cases[{n}]" for n in (1, 2))]
        report = lane(ran_case_ids=ran, outside_evidence=["tests/test_a.py::test_flake"], tree=tree)
        repo.write(name, json.dumps({"all": report}))

    def rules(self, repo: Repo, *paths: str) -> set[str]:
        found = document(run(repo, *(paths or ("lanes.json",)), "--format", "json"))
        return {seen["rule"] for seen in found["findings"]}

    def test_the_one_that_is_checked_out(self, folder: Repo) -> None:
        assert self.rules(folder) == set()
        folder.commit({"README.md": "better\n"})
        assert self.rules(folder) == set()
        folder.commit({"src/app.py": "x = 2\n"})
        assert self.rules(folder) == {"report-stale"}

    def test_a_report_that_names_none(self, folder: Repo) -> None:
        self.write(folder, None)
        assert self.rules(folder) == set()

    def test_without_a_commit_all_have_to_agree(self, repo: Repo) -> None:
        for path, content in FILES.items():
            repo.write(path, content)
        self.write(repo, "a" * 40)
        self.write(repo, "a" * 40, "same.json")
        self.write(repo, "b" * 40, "other.json")
        assert self.rules(repo, "lanes.json", "same.json") == set()
        assert self.rules(repo, "lanes.json", "other.json") == {"report-stale"}


def test_what_was_skipped_is_taken_out_by_the_reports_that_say_so(folder: Repo) -> None:
    text = (
        '<testsuite name="s" tests="1" skipped="1"><testcase classname="tests.test_a" name="test_golden">'
        "<skipped/></testcase></testsuite>"
    )
    for name in ("one.xml", "the other.xml"):
        folder.write(name, text)
    said = gate(folder, "gate", "--format", "json", "tests/ledger.yaml", "one.xml", "the other.xml")
    remedies = {seen["subject"]: seen["remedy"] for seen in json.loads(said.out)["findings"]}
    step = remedies["tests/test_a.py::test_golden"]
    assert "`ledgergate quarantine --skipped-in one.xml --skipped-in 'the other.xml' --owner NAME" in step
