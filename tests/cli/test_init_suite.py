"""`ledgergate init` on a suite: a class for each test, and what is said of it."""

from __future__ import annotations

import json
import subprocess

import pytest

from support.adoption import COLLECTING, answer, init, policy, rows, untracked
from support.gate import gate
from support.repo import Repo

pytestmark = pytest.mark.slow

SUITE = """\
import pathlib, pytest
from hypothesis import given, strategies as st

HERE = pathlib.Path(__file__).parent

def test_golden(): assert (HERE / "odd/header.json").read_text() == "{}"
@pytest.mark.parametrize("x", [1, 2, pytest.param(3, marks=pytest.mark.xfail)])
def test_many(x): assert x < 3
@given(st.integers())
def test_length(n): assert abs(n) >= 0
@given(st.integers())
def test_plain_property(n): assert n == n + 0
def test_weak(): assert HERE is not None
def test_smoke(): HERE.exists()
@pytest.mark.skip(reason="later")
def test_later(): assert HERE.exists() is True
"""
FILES = {
    "src/app.py": "x = 1\n",
    "tests/test_app.py": SUITE,
    "tests/odd/header.json": "{}",
    "tests/seeds/length/1": "1",
    "tests/agent_drafts/test_new.py": "def test_new(): assert 1 == 1 + 0\n",
    ".github/workflows/ci.yml": "on: push\n",
    ".github/workflows/actions.lock": "{}\n",
}
T = "tests/test_app.py"


def classes(repo: Repo) -> dict[str, object]:
    return {id_.partition("::")[2]: row["class"] for id_, row in rows(repo).items()}


def test_every_test_gets_the_class_that_fits(repo: Repo) -> None:
    done = init(repo, FILES, "--inline", "--owner", "qa", command=COLLECTING)
    assert done.status == 0, done
    found = rows(repo)
    assert classes(repo) == {
        "test_new": "draft",
        "test_golden": "locked_fixture",
        "test_later": "quarantine",
        "test_length": "property",
        "test_many": "locked_fixture",
        "test_plain_property": "locked_fixture",
        "test_smoke": "quarantine",
        "test_weak": "quarantine",
    }
    assert found[f"{T}::test_golden"]["artifact"] == "tests/odd/header.json"
    assert (found[f"{T}::test_many"]["artifact"], found[f"{T}::test_many"]["params"]) == (f"{T}::test_many", 2)
    assert found[f"{T}::test_length"]["seeds"] == "tests/seeds/length/"
    assert found[f"{T}::test_later"]["reason"] == "skipped today"
    assert policy(repo).goldens == ("tests/odd/**",)
    freezes = json.loads((repo.path / "tests/freeze_ledger.json").read_bytes())
    assert freezes["cardinality_floor"] == {"fixtures": 4, "properties": 1}
    assert freezes["required_lanes"] == ["fixtures", "properties"]
    repo.git("add", "-A")
    repo.commit()
    verified = gate(repo, "verify")
    assert verified.status == 0, verified


def test_the_summary_says_it_all(repo: Repo) -> None:
    said = init(repo, FILES, "--inline", "--owner", "qa", command=COLLECTING).out
    assert "8 tests (10 cases with their parameters), by what a pass of it is held to:" in said
    for line in (
        "  1  locked_fixture  golden files",
        "  2  locked_fixture  their own source, inline",
        "  1  property        an invariant and a folder of seeds",
        "  3  quarantine      nothing: a pass is never evidence",
        "  1  draft           nothing: they lie below the drafts",
        "  1: checks only that something is true or there (`is True` or `== VALUE` would be a check)",
        f"    {T}::test_weak",
        "  production: src/",
        "  lanes: fixtures at least 4 properties at least 1",
        "CI (.github/workflows/ci.yml) is protected from agents, and runs no check of ledgergate:",
    ):
        assert f"{line}\n" in said, said
    assert len(said.partition("Next:\n")[2].splitlines()) == 3


def test_without_a_wish_only_goldens_and_seeds_get_rows(repo: Repo) -> None:
    said = init(repo, FILES, command=COLLECTING).out
    assert classes(repo) == {"test_new": "draft", "test_golden": "locked_fixture", "test_length": "property"}
    assert "  2  (no row)        has a check that can fail (--inline holds it to its own source)\n" in said
    assert "  1  (no row)        skipped today (--owner NAME puts it in quarantine)\n" in said
    assert "5 tests without a row: a pass of such a test is no evidence." in said


def test_a_terminal_is_asked(repo: Repo) -> None:
    repo.stage({"tests/test_app.py": SUITE, "tests/g/x.golden": "1"})
    status, shown = answer(repo, "y\nqa\n", *COLLECTING)
    assert status == 0, shown
    assert "4 tests have a check of their own. Hold each to its own source (inline)?" in shown
    assert "3 tests prove nothing today. Who owns them in quarantine" in shown
    assert set(classes(repo).values()) == {"locked_fixture", "quarantine"}
    assert {row["owner"] for row in rows(repo).values() if row["class"] == "quarantine"} == {"qa"}


def test_snapshots_of_plugins_are_held_by_their_tests(repo: Repo) -> None:
    files = {
        "tests/test_snap.py": "def test_a(): pass\ndef test_b(): pass\ndef test_c(): pass\n",
        "tests/__snapshots__/test_snap.ambr": "# name: test_a\n  1\n# ---\n# name: test_b.1\n  2\n# ---\n",
        "tests/test_snap/test_c.yml": "1\n",
        "tests/test_snap/test_c.obtained.yml": "1\n",
    }
    assert init(repo, files, command=COLLECTING).status == 0
    assert {id_.partition("::")[2]: row["artifact"] for id_, row in rows(repo).items()} == {
        "test_a": "tests/__snapshots__/test_snap.ambr",
        "test_b": "tests/__snapshots__/test_snap.ambr",
        "test_c": "tests/test_snap/test_c.yml",
    }


def test_projects_side_by_side_have_a_ledger_each(repo: Repo) -> None:
    test = "def test_x(): assert [1] == list(range(1, 2))\n"
    files = {
        "services/a/pyproject.toml": "",
        "services/a/tests/test_m.py": test,
        "services/b/pyproject.toml": "",
        "services/b/tests/test_m.py": test,
    }
    assert init(repo, files, "--inline", command=COLLECTING).status == 0
    found = policy(repo)
    assert found.ledger == ("services/*/tests/ledger.yaml",)
    assert (found.freeze_ledger, found.drafts) == ("tests/freeze_ledger.json", "tests/agent_drafts/")
    for name in "ab":
        assert list(rows(repo, f"services/{name}/tests/ledger.yaml")) == [f"services/{name}/tests/test_m.py::test_x"]
    repo.git("add", "-A")
    repo.commit()
    assert gate(repo, "verify").status == 0


OWNERS = "* @acme/all\n"


def test_code_owners_get_a_block(repo: Repo) -> None:
    done = init(repo, {"tests/test_a.py": "", ".github/CODEOWNERS": OWNERS}, "--owner", "@acme/qa")
    assert done.status == 0
    text = (repo.path / ".github/CODEOWNERS").read_text(encoding="utf-8")
    assert text.startswith(OWNERS)
    for path in ("tests/ledger.yaml", "tests/freeze_ledger.json", "ledgergate.toml", ".ledgergate/"):
        assert f"/{path} @acme/qa\n" in text
    assert ".github/CODEOWNERS" in done.out.partition("Next:")[2]


@pytest.mark.parametrize("options", [(), ("--owner", "qa")])
def test_code_owners_without_an_owner_that_a_forge_knows_stay(options: tuple[str, ...], repo: Repo) -> None:
    done = init(repo, {"tests/test_a.py": "", "CODEOWNERS": OWNERS}, *options)
    assert (repo.path / "CODEOWNERS").read_text(encoding="utf-8") == OWNERS
    assert "CODEOWNERS is left alone: `--owner @TEAM`" in done.out


def test_what_is_deselected_is_said(repo: Repo) -> None:
    files = {
        "tests/test_a.py": "import pytest\n@pytest.mark.slow\ndef test_x(): assert 1 == 1 + 0\ndef test_y(): pass\n",
        "pytest.ini": "[pytest]\nmarkers = slow\naddopts = -m 'not slow'\n",
    }
    done = init(repo, files, "--inline", command=COLLECTING)
    assert "1 case that the suite's own options deselect, so without a row" in done.out
    assert rows(repo) == {}


def test_a_dry_run_of_a_suite_writes_nothing(repo: Repo) -> None:
    done = init(repo, FILES, "--inline", "--owner", "qa", "--dry-run", command=COLLECTING)
    assert done.status == 0
    assert untracked(repo) == set()
    assert subprocess.run(["git", "-C", repo.path, "diff", "--quiet"], check=False).returncode == 0
    assert "Would write" in done.out
