"""`ledgergate report` on what the other commands really print."""

from __future__ import annotations

import pytest

from support.gate import gate
from support.lane_project import LENGTH_ID, evidence, project, run
from support.repo import Repo

pytestmark = pytest.mark.slow


@pytest.fixture
def folder(repo: Repo) -> Repo:
    """A run that held, and what every command says of it."""
    project(repo)
    assert run(repo).status == 0
    (kept,) = evidence(repo).values()
    reports = [str(path) for path in sorted((kept / "reports").iterdir())]
    for name, arguments in {
        "check": ("check", "--from", "HEAD", "--to", "HEAD"),
        "verify": ("verify",),
        "gate": ("gate", "tests/ledger.yaml", *reports),
        "status": ("status",),
        "score": ("score", "tests/freeze_ledger.json", *reports),
    }.items():
        repo.write(f".git/said/{name}.json", gate(repo, *arguments, "--format", "json").out)
    for path in kept.glob("reports/*"):
        repo.write(f".git/said/{path.name}", path.read_bytes())
    return repo


def test_the_note_of_a_good_run(folder: Repo) -> None:
    said = gate(folder, "report", *map(str, sorted((folder.path / ".git/said").iterdir())))
    assert (said.status, said.err) == (0, "")
    assert "### ledgergate: **allow**" in said.out
    assert "| `fixtures` | required | PASS | 1 | 1 |" in said.out
    assert "#### Admissible passes (2 of 3 rows of the ledger)" in said.out
    assert "| `property` | 0 | 1 | 1 |" in said.out
    assert "| `tests/test_a.py::test_flake` | `test-infra` |" in said.out


def test_a_failed_run_says_how_to_go_on(folder: Repo) -> None:
    said = run(folder, properties=f"report(violations=[{{'case': '{LENGTH_ID}', 'message': 'no'}}])")
    folder.write("score.json", said.out)
    shown = gate(folder, "report", "score.json")
    assert shown.status == 0
    assert "### ledgergate: **block**" in shown.out
    assert "Decision table: required lanes FAIL, whatever the optional ones are: block" in shown.out
    assert "- Agent: mend the code, not the check." in shown.out


@pytest.mark.parametrize(
    ("name", "reason"), [("gone.json", "No such file"), (".git", "folder"), ("src/app.py", "not valid JSON")]
)
def test_what_cannot_be_read_is_said_and_no_success(folder: Repo, name: str, reason: str) -> None:
    said = gate(folder, "report", ".git/said/score.json", name)
    assert said.status == 1
    assert "### ledgergate: **block**, for a check is UNSCORED" in said.out
    assert reason in said.out
