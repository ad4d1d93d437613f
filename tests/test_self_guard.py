"""The project keeps its own goldens with its own hooks."""

from __future__ import annotations

import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
import yaml

from ledgergate.cli.main import main
from ledgergate.ledger import Ledger, read_ledger
from support.documents import ROOT
from support.gate import AS_AGENT, SCRIPTS
from support.repo import Repo

_LEDGER = "tests/ledger.yaml"


@pytest.fixture
def ledger() -> Ledger:
    return read_ledger(_LEDGER, (ROOT / _LEDGER).read_bytes(), today=date(2026, 12, 1))


def test_what_is_committed_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert main(["verify"]) == 0


def test_every_golden_has_a_row(ledger: Ledger) -> None:
    goldens = {str(path.relative_to(ROOT)) for path in (ROOT / "tests/goldens").rglob("*") if path.is_file()}
    assert {artifact for row in ledger.rows for artifact in row.artifacts} == goldens


@pytest.mark.slow
def test_every_row_has_the_exact_id_of_a_test(ledger: Ledger) -> None:
    files = sorted({row.id.partition("::")[0] for row in ledger.rows})
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    done = subprocess.run([*command, *files], cwd=ROOT, capture_output=True, text=True, check=True)
    assert {row.id for row in ledger.rows} <= set(done.stdout.splitlines())


def test_the_hooks_of_this_project_are_those_that_it_offers() -> None:
    offered = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())
    own = {hook["id"]: hook for repo in config["repos"] if repo["repo"] == "local" for hook in repo["hooks"]}
    assert set(own) == {"ledgergate", "ledgergate-commit-msg"}
    for name, hook in own.items():
        assert {**hook, "language": "python"} == {key: offered[name][key] for key in hook}
    assert set(config["default_install_hook_types"]) == {stage for hook in own.values() for stage in hook["stages"]}


@pytest.mark.parametrize("path", ["tests/goldens/report/explain.txt", "tests/ledger.yaml", "tests/conftest.py"])
def test_an_agent_cannot_edit_what_is_guarded_here(path: str, tmp_path: Path) -> None:
    subprocess.run(["git", "clone", "-q", ROOT, tmp_path / "clone"], check=True)
    repo = Repo(tmp_path / "clone", init=False)
    text = (repo.path / path).read_text(encoding="utf-8")
    repo.stage({path: text.replace("[pass]", "[passed]") + "\n"})
    done = repo.run(str(SCRIPTS / "ledgergate"), "check", env=AS_AGENT)
    assert done.returncode == 1, done
    assert done.stdout.startswith(b"FAIL ")
