"""Lanes of a real project, with pytest and Hypothesis: an honest run, and every way in which one can be dishonest."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.adoption import without_lanes
from support.gate import SCRIPTS, Said, approved, gate, gate_process
from support.repo import Repo
from support.score_schema import score_document
from support.sdists import Sdist, unpack

pytestmark = pytest.mark.slow

ATTRS = Sdist("attrs", "25.3.0", "75d7cefc7fb576747b2c81b4442d4d4a1ce0900973527c011d1030fd3bf4af1b")
# A small part of the suite: what is run again and again here takes seconds.
KEPT = (
    "__init__.py",
    "attr_import_star.py",
    *(f"test_{name}.py" for name in ("functional", "version_info", "filters", "import")),
)
PROPERTY = "tests/test_functional.py::TestFunctional::test_programmatic"
FROZEN = "tests/test_version_info.py::TestVersionInfo::test_order"
CHECK = "assert vi > (0,)"
# It holds no check that can fail, so that `init` puts it into quarantine.
FLAKE = "tests/test_import.py::TestImportStar::test_from_attr_import_star"
DRAFT = "tests/agent_drafts/test_draft.py::test_draft"
# A draft that is imported patches what others test, and tells on itself.
DRAFT_FILE = """\
import pathlib
import attr

pathlib.Path("draft-was-imported").touch()
attr.VersionInfo.__lt__ = lambda *_: True


def test_draft():
    assert attr.VersionInfo
"""
ONLY_FIXTURES = ("tests/test_version_info.py", "tests/test_filters.py", "tests/test_import.py")
LANES = {
    "fixtures": " ".join(ONLY_FIXTURES),
    # The folder holds the draft, too.
    "properties": " ".join(("tests", *(f"--ignore={path}" for path in ONLY_FIXTURES))),
}
FLOORS = {"fixtures": 20, "properties": 60}

# A plugin's option, as pytest-regressions has it.
OPTION = 'def pytest_addoption(parser):\n    parser.addoption("--force-regen", action="store_true")\n\n\n'
# What else is said of a lane's cases where it has no report.
UNSEEN = ("case-missing", "quarantine-skipped")


def run_lanes(repo: Repo, *options: str) -> Said:
    return gate_process(repo, "run", "--format", "json", *options, patience=600)


def lane(name: str) -> str:
    command = f"{sys.executable} -m pytest -q -o pythonpath=src {LANES[name]} --ledgergate-lane={name}"
    return f'[lanes.{name}]\ncommand = "{command}"\ntimeout_s = 300\n'


def replace(repo: Repo, path: str, old: str, new: str) -> None:
    file = repo.path / path
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture(scope="module")
def adopted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """attrs under guard: lanes, floors, a property, a quarantined case, a draft, a frozen case, and evidence."""
    with pytest.MonkeyPatch.context() as patch:
        for name in set(os.environ) - {"PATH", "HOME", "TMPDIR"}:
            patch.delenv(name)
        repo = Repo(unpack(ATTRS, tmp_path_factory.mktemp("attrs")))
        for name, value in repo.env.items():
            patch.setenv(name, value)
        set_up(repo)
    return repo.path


def set_up(repo: Repo) -> None:
    for file in (repo.path / "tests").iterdir():
        if file.name not in KEPT:
            file.unlink()
    # A busy machine is no failure.
    replace(repo, "conftest.py", "timedelta(milliseconds=400)", "timedelta(seconds=90)")
    repo.git("add", "-A", "-f")
    repo.commit(message="attrs as released")
    repo.env["PYTHONPATH"] = str(repo.path / "src")
    init = repo.run(str(SCRIPTS / "ledgergate"), "init", "--inline", "--owner", "core", "--python", sys.executable)
    assert init.returncode == 0, init
    policy = without_lanes((repo.path / "ledgergate.toml").read_text(encoding="utf-8"))
    repo.write("ledgergate.toml", policy + "".join(map(lane, LANES)))
    settings = {"required_lanes": list(LANES), "optional_lanes": [], "cardinality_floor": FLOORS}
    repo.write("tests/freeze_ledger.json", json.dumps({"schema": "freeze-ledger.v1", **settings, "freezes": []}))
    repo.write("tests/seeds/make_class/two", "PC a b\n")
    as_property(repo, PROPERTY)
    repo.write("tests/agent_drafts/test_draft.py", DRAFT_FILE)
    repo.git("add", "-A")
    repo.commit(message="Guard the tests")
    why = ("--reason", "depends on the order of imports", "--owner", "core")
    done = approved(repo, "freeze", FROZEN, *why, "--assertion", CHECK, "--lane", "fixtures", "--days", "9")
    assert done.status == 0, done
    done = gate(repo, "draft", DRAFT)
    assert done.status == 0, done
    repo.git("add", "-A")
    repo.commit(message="Tell flakes from tests")
    ran = run_lanes(repo)
    assert score_document(ran)["decision"] == "allow", ran


def as_property(repo: Repo, id_: str) -> None:
    """Hold a test to seeds instead of its own source."""
    held = f"    artifact: {id_}\n    digest: sha256:[0-9a-f]{{64}}\n"
    ledger = (repo.path / "tests/ledger.yaml").read_text(encoding="utf-8")
    other = "    invariant: made_classes_are_as_written_ones\n    seeds: tests/seeds/make_class/\n"
    text, count = re.subn(
        f"(  - id: {re.escape(id_)}\n    class: )locked_fixture\n{held}", rf"\1property\n{other}", ledger
    )
    assert count == 1
    repo.write("tests/ledger.yaml", text)


@pytest.fixture
def attrs(adopted: Path, tmp_path: Path) -> Repo:
    """A copy of the guarded project, with the evidence of an honest run."""
    copy = tmp_path / "attrs"
    shutil.copytree(adopted, copy, symlinks=True)
    return Repo(copy, init=False)


def tree(repo: Repo) -> str:
    return repo.git("rev-parse", "HEAD^{tree}")


def kept(repo: Repo) -> Path:
    return repo.path / ".git/ledgergate/evidence" / tree(repo)


def report(repo: Repo, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((kept(repo) / f"reports/{name}.json").read_text(encoding="utf-8"))
    return found[name]  # type: ignore[no-any-return]


def judged(repo: Repo) -> Said:
    """The hook `lane-score` on what is kept."""
    return gate_process(repo, script="lane-score")


_NAMED = re.compile(r"^(?:FAIL|UNSCORED) ([a-z-]+):|UNSCORED: ([a-z-]+):", re.MULTILINE)


def names(said: Said) -> set[str]:
    """The rules that a refusal names."""
    assert said.status == 1, said
    return {one or other for one, other in _NAMED.findall(said.everything)}


def run(repo: Repo, *options: str) -> set[str]:
    """The rules that a run of all lanes names."""
    said = run_lanes(repo, *options)
    found = score_document(said)
    assert found["decision"] == "block", said
    return {seen["rule"] for seen in found["findings"]}


class TestAnHonestRun:
    def test_what_ran_and_what_did_not(self, attrs: Repo) -> None:
        fixtures, properties = report(attrs, "fixtures"), report(attrs, "properties")
        assert PROPERTY in properties["ran_case_ids"]
        # Examples that really ran, and not test functions.
        assert properties["executed"] > len(properties["ran_case_ids"])
        assert FROZEN in fixtures["skipped_case_ids"]
        assert [receipt["id"] for receipt in fixtures["receipts"]] == [freeze(attrs)["id"]]
        assert FLAKE in fixtures["outside_evidence"]
        assert not {FLAKE, DRAFT, FROZEN} & {*fixtures["ran_case_ids"], *properties["ran_case_ids"]}
        assert not (attrs.path / "draft-was-imported").exists()
        assert fixtures["tree"] == properties["tree"] == tree(attrs)
        assert judged(attrs).status == 0

    def test_a_checkout_of_its_own(self, attrs: Repo) -> None:
        attrs.write("src/attr/_version_info.py", "raise SystemExit\n")
        attrs.write("junk.txt", "")
        said = run_lanes(attrs, "--clean")
        assert score_document(said)["decision"] == "allow", said

    def test_a_bug_in_the_code(self, attrs: Repo) -> None:
        replace(attrs, "src/attr/filters.py", "value.__class__ in cls", "value.__class__ not in cls")
        attrs.commit({"src/attr/filters.py": (attrs.path / "src/attr/filters.py").read_text(encoding="utf-8")})
        assert run(attrs) == {"lane-violation", "case-failed"}
        assert names(judged(attrs)) == {"lane-violation", "case-failed"}


def freeze(repo: Repo) -> dict[str, Any]:
    (found,) = json.loads((repo.path / "tests/freeze_ledger.json").read_text(encoding="utf-8"))["freezes"]
    return dict(found)


def edit_report(repo: Repo, name: str, change: Callable[[dict[str, Any]], object]) -> None:
    path = kept(repo) / f"reports/{name}.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    change(document[name])
    path.write_text(json.dumps(document), encoding="utf-8")


class TestDishonestEvidence:
    """What is kept, or handed in, is only data."""

    def test_a_receipt_is_dropped(self, attrs: Repo) -> None:
        edit_report(attrs, "fixtures", lambda lane: lane.update(receipts=[]))
        assert names(judged(attrs)) == {"receipt-missing", "case-missing"}

    def test_the_executed_count_is_lowered(self, attrs: Repo) -> None:
        edit_report(attrs, "properties", lambda lane: lane.update(executed=FLOORS["properties"] - 1))
        assert names(judged(attrs)) >= {"lane-incomplete"}

    def test_the_executed_count_is_lowered_and_a_case_goes_with_it(self, attrs: Repo) -> None:
        def lower(lane: dict[str, Any]) -> None:
            lane.update(
                executed=FLOORS["properties"] - 1, ran_case_ids=lane["ran_case_ids"][: FLOORS["properties"] - 1]
            )

        edit_report(attrs, "properties", lower)
        assert names(judged(attrs)) >= {"floor-missed", "case-missing"}

    def test_a_lane_is_missing(self, attrs: Repo) -> None:
        (kept(attrs) / "reports/fixtures.json").unlink()
        assert names(judged(attrs)) >= {"lane-missing", "case-missing"}

    def test_a_report_is_truncated(self, attrs: Repo) -> None:
        path = kept(attrs) / "reports/fixtures.json"
        path.write_bytes(path.read_bytes()[: path.stat().st_size * 6 // 10])
        assert names(judged(attrs)) >= {"lane-missing", "lane-incomplete"}

    def test_reports_of_the_commit_before(self, attrs: Repo) -> None:
        before = kept(attrs)
        attrs.commit({"src/attr/filters.py": "# empty\n"})
        assert names(judged(attrs)) == {"lane-missing"}
        shutil.copytree(before, kept(attrs))
        assert names(judged(attrs)) == {"report-stale"}
        reports = [str(path) for path in sorted((kept(attrs) / "reports").iterdir())]
        said = gate_process(attrs, "score", "tests/freeze_ledger.json", *reports, "--format", "text")
        assert names(said) == {"report-stale"}

    def test_a_junit_report_is_truncated(self, attrs: Repo) -> None:
        junit = attrs.path.parent / "junit.xml"
        command = [sys.executable, "-m", "pytest", "-q", "-o", "pythonpath=src", "tests", f"--junitxml={junit}"]
        attrs.run(*command, "--ledgergate-lane=all", f"--ledgergate-report={attrs.path.parent}/all.json")
        whole = gate_process(attrs, "gate", "tests/ledger.yaml", str(junit), str(attrs.path.parent / "all.json"))
        assert "report-unreadable" not in whole.everything
        junit.write_bytes(junit.read_bytes()[: junit.stat().st_size * 6 // 10])
        assert "report-unreadable" in names(gate_process(attrs, "gate", "tests/ledger.yaml", str(junit)))


class TestDishonestRuns:
    def commit(self, repo: Repo, path: str) -> None:
        repo.git("add", "--", path)
        repo.commit()

    def test_the_runner_is_killed_at_half(self, attrs: Repo) -> None:
        """The whole of `ledgergate run`: it leaves no evidence, and takes what was there."""
        command, nothing = [str(SCRIPTS / "ledgergate"), "run"], subprocess.DEVNULL
        child = subprocess.Popen(command, cwd=attrs.path, env=attrs.env, stdout=nothing, stderr=subprocess.PIPE)
        assert child.stderr is not None
        for line in child.stderr:
            if b"lane properties" in line:
                break
        child.kill()
        child.communicate(timeout=30)
        assert not kept(attrs).exists()
        assert names(judged(attrs)) == {"lane-missing"}

    @pytest.mark.parametrize("end", ["os.kill(os.getpid(), 9)", "os._exit(0)"])
    def test_pytest_ends_at_half(self, attrs: Repo, end: str) -> None:
        # The tests of another module have run by then.
        replace(attrs, "src/attr/filters.py", "    cls, names, attrs = _split_what(what)\n", f"    import os; {end}\n")
        self.commit(attrs, "src/attr/filters.py")
        assert run(attrs) == {"lane-incomplete", *UNSEEN}

    def test_the_frozen_test_is_renamed(self, attrs: Repo) -> None:
        replace(attrs, "tests/test_version_info.py", "def test_order(", "def test_ordering(")
        self.commit(attrs, "tests/test_version_info.py")
        honest = {"receipt-missing", "case-missing", "unclassified"}
        assert run(attrs) == honest
        self.forge_receipt(attrs)
        assert names(judged(attrs)) == {"freeze-signature", "case-missing", "unclassified"}

    def test_the_frozen_check_is_edited(self, attrs: Repo) -> None:
        replace(attrs, "tests/test_version_info.py", CHECK, "assert vi != (0,)")
        self.commit(attrs, "tests/test_version_info.py")
        assert "digest-mismatch" in run(attrs)
        self.forge_receipt(attrs)
        assert names(judged(attrs)) >= {"freeze-signature"}

    def forge_receipt(self, repo: Repo) -> None:
        """Let the report say that the frozen case was skipped for its freeze."""
        receipt = {key: freeze(repo)[key] for key in ("id", "signature")}

        def forge(lane: dict[str, Any]) -> None:
            ran = [case for case in lane["ran_case_ids"] if case != FROZEN]
            lane.update(receipts=[receipt], skipped=True, skipped_case_ids=[FROZEN], ran_case_ids=ran)

        edit_report(repo, "fixtures", forge)

    def test_the_freeze_expires(self, attrs: Repo) -> None:
        replace(attrs, "tests/freeze_ledger.json", freeze(attrs)["expires_utc"], "2026-01-01T00:00:00Z")
        self.commit(attrs, "tests/freeze_ledger.json")
        said = run_lanes(attrs)
        # It runs again, as an expired freeze wants.
        assert score_document(said)["decision"] == "allow"
        assert FROZEN in report(attrs, "fixtures")["ran_case_ids"]
        edit_report(attrs, "fixtures", lambda lane: lane["ran_case_ids"].remove(FROZEN))
        assert names(judged(attrs)) == {"freeze-expired", "case-missing"}

    def test_a_run_that_would_rewrite_goldens(self, attrs: Repo) -> None:
        replace(attrs, "ledgergate.toml", "--ledgergate-lane=fixtures", "--ledgergate-lane=fixtures --force-regen")
        attrs.write("conftest.py", OPTION + (attrs.path / "conftest.py").read_text(encoding="utf-8"))
        attrs.git("add", "ledgergate.toml", "conftest.py")
        attrs.commit()
        assert run(attrs) == {"golden-update-run", "lane-incomplete", *UNSEEN}

    def test_a_plugin_that_nobody_named(self, attrs: Repo) -> None:
        text = (attrs.path / "ledgergate.toml").read_text(encoding="utf-8")
        attrs.write("ledgergate.toml", re.sub(r"(?m)^plugins = .*$", "plugins = []", text))
        self.commit(attrs, "ledgergate.toml")
        assert run(attrs) == {"plugin-unlisted"}

    def test_a_lane_that_nobody_runs(self, attrs: Repo) -> None:
        text = (attrs.path / "ledgergate.toml").read_text(encoding="utf-8")
        attrs.write("ledgergate.toml", text[: text.index("[lanes.properties]")])
        self.commit(attrs, "ledgergate.toml")
        assert run(attrs) == {"lane-missing", *UNSEEN}
