"""A flaky check from the freeze of a human to the verdict of CI: with pytest, its plugin, `gate` and `score`."""

from __future__ import annotations

import json
from importlib.metadata import distributions
from pathlib import Path

import pytest

from support.evidence import Judged, held, judged_files, quarantined
from support.gate import approved, gate
from support.repo import Repo
from support.suite import A, Done, Suite, draft, ids

pytestmark = pytest.mark.slow

TESTS = """\
import os

import pytest


def test_sound(): assert 1 + 1 == 2


def test_flaky():
    assert os.environ.get("FLAKE") is None, "it depends on its surroundings"


@pytest.mark.parametrize("number", [1, 2])
def test_numbers(number):
    assert number
    assert os.environ.get("FLAKE") is None


@pytest.mark.xfail(os.environ.get("FLAKE") is not None, reason="flaky")
def test_expected(): assert 1 + 1 == 2


def test_known(): assert False
"""
SOUND, FLAKY, NUMBERS, EXPECTED, KNOWN = ids("test_sound", "test_flaky", "test_numbers", "test_expected", "test_known")
DRAFT = "tests/agent_drafts/test_d.py::test_d"
FREEZES = "tests/freeze_ledger.json"
OWN = {
    "schema": "freeze-ledger.v1",
    "required_lanes": ["fixtures"],
    "optional_lanes": [],
    "cardinality_floor": {"fixtures": 1},
    "freezes": [],
}
ROWS = held(SOUND, FLAKY, EXPECTED) + held(NUMBERS, params=2) + quarantined(KNOWN) + draft(DRAFT)
LANE, JUNIT = ".ledgergate/reports/fixtures.json", ".ledgergate/reports/junit.xml"


class Project(Suite):
    """The suite in a repository, whose ledgers a human changes by commands."""

    def __init__(self, root: Path) -> None:
        self.repo = Repo(root)
        files = {
            A: TESTS,
            "tests/seeds/one": "1",
            FREEZES: json.dumps(OWN, indent=2),
            DRAFT.partition("::")[0]: "raise OSError\n",
        }
        super().__init__(root, files, ROWS)
        self.write({"ledgergate.toml": f"version = 1\n[run]\nplugins = {json.dumps(_plugins())}\n"})
        self.commit()

    def commit(self) -> None:
        """All that is there, as a human who skips the hooks."""
        self.repo.git("add", "-A")
        self.repo.commit(message="all")

    def freeze(self, id_: str, *options: str) -> None:
        assert approved(self.repo, "freeze", id_, "--reason", "r", "--owner", "o", *options).status == 0

    def flaky_run(self) -> Done:
        """A run of what is there, committed, where the flake fails."""
        self.commit()
        return self.lane(f"--junitxml={JUNIT}", A, FLAKE="1", LEDGERGATE_TREE=self.repo.git("rev-parse", "HEAD^{tree}"))

    def judged(self, *reports: str, freezes: bool = True) -> Judged:
        (self.root / "ledger.yaml").write_bytes((self.root / "tests/ledger.yaml").read_bytes())
        return judged_files(self.repo, *reports, options=("--freezes", FREEZES) if freezes else ())

    def decision(self) -> tuple[str, set[str]]:
        found = json.loads(gate(self.repo, "score", FREEZES, LANE).out)
        return found["decision"], {seen["rule"] for seen in found["findings"]}


def _plugins() -> list[str]:
    """The distributions here that bring a plugin for pytest."""
    found = (d.name for d in distributions() if any(entry.group == "pytest11" for entry in d.entry_points))
    return sorted({*found} - {"ledgergate"})


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "repo")


def freeze_all(project: Project) -> None:
    project.freeze(FLAKY)
    project.freeze(NUMBERS, "--assertion", "FLAKE", "--lane", "fixtures")


def test_without_a_freeze_the_flake_fails(project: Project) -> None:
    done = project.flaky_run()
    assert {violation["case"] for violation in done.whole["violations"]} == {FLAKY, f"{NUMBERS}[1]", f"{NUMBERS}[2]"}
    assert project.decision()[0] == "block"


def test_what_is_frozen_is_skipped_and_the_rest_is_evidence(project: Project) -> None:
    freeze_all(project)
    done = project.flaky_run()
    assert (done.status, done.whole["violations"]) == (0, [])
    found = project.judged(LANE)
    assert {id_: found.verdicts[id_] for id_ in (SOUND, FLAKY, NUMBERS, KNOWN, DRAFT)} == {
        SOUND: "admitted",
        FLAKY: "recorded",
        NUMBERS: "recorded",
        KNOWN: "recorded",
        DRAFT: "recorded",
    }


def test_a_pass_that_was_not_expected_is_none(project: Project) -> None:
    """The mark holds under a condition, so that only the run itself can tell, and says so in the lane report."""
    freeze_all(project)
    project.flaky_run()
    assert project.decision() == ("block", {"receipt-missing"})
    found = project.judged(LANE)
    assert (found.state, found.verdicts[EXPECTED], found.rules) == ("UNSCORED", "case-missing", {"case-missing"})


def steady(project: Project) -> None:
    """Without the test that is expected to fail."""
    project.write({A: TESTS.replace('@pytest.mark.xfail(os.environ.get("FLAKE") is not None, reason="flaky")\n', "")})


def test_the_whole_run_passes(project: Project) -> None:
    freeze_all(project)
    steady(project)
    project.flaky_run()
    assert project.decision() == ("allow", set())
    assert project.judged(LANE).state == "PASS"
    assert project.judged(LANE, JUNIT).state == "PASS"


def test_a_junit_report_alone_holds_no_receipts(project: Project) -> None:
    """It names what was kept out, a quarantined test and a draft, and nobody misses those."""
    freeze_all(project)
    steady(project)
    project.flaky_run()
    found = project.judged(JUNIT)
    assert (found.state, found.rules) == ("UNSCORED", {"case-missing"})
    assert {id_ for id_, verdict in found.verdicts.items() if verdict == "case-missing"} == {FLAKY, NUMBERS}
    assert '<property name="outside_evidence"' in (project.root / JUNIT).read_text()


def test_without_the_freeze_ledger_no_receipt_counts(project: Project) -> None:
    freeze_all(project)
    steady(project)
    project.flaky_run()
    assert project.judged(LANE, freezes=False).rules == {"case-missing"}


def test_an_edited_check_runs_again(project: Project) -> None:
    freeze_all(project)
    steady(project)
    project.write({A: (project.root / A).read_text().replace('None, "it', 'None or True, "it')})
    done = project.flaky_run()
    assert FLAKY in done.whole["ran_case_ids"]
    assert "freeze-signature" in gate(project.repo, "verify").out


def test_a_receipt_of_before_the_edit_is_none(project: Project) -> None:
    """The report was right when it was made; the check is another one now."""
    freeze_all(project)
    steady(project)
    project.flaky_run()
    project.write({A: (project.root / A).read_text().replace('None, "it', 'None or True, "it')})
    assert project.decision() == ("block", {"freeze-signature"})
    assert project.judged(LANE).verdicts[FLAKY] == "case-missing"


def test_a_thawed_test_runs_again(project: Project) -> None:
    freeze_all(project)
    steady(project)
    assert approved(project.repo, "thaw", FLAKY).status == 0
    done = project.flaky_run()
    assert [violation["case"] for violation in done.whole["violations"]] == [FLAKY]
    assert [receipt["id"] for receipt in done.whole["receipts"]] == [
        freeze["id"] for freeze in json.loads((project.root / FREEZES).read_text())["freezes"]
    ]
