"""Lanes of a real project of goldens: runs that write what they are compared with, or read other bytes."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from support.adoption import without_lanes
from support.gate import SCRIPTS, gate_process
from support.repo import Repo
from support.score_schema import score_document
from support.sdists import PYGMENTS, unpack

pytestmark = pytest.mark.slow

# A small part of the suite: two lexers' goldens, and tests of plain functions.
KEPT = ("__init__.py", "conftest.py", "test_util.py", "snippets/conftest.py", "snippets/json/", "snippets/ini/")
GOLDEN = "tests/snippets/json/test_basic.txt"
LEXER = "pygments/lexers/data.py"
COMMAND = f"{sys.executable} -m pytest -q tests --ledgergate-lane=fixtures"


@pytest.fixture(scope="module")
def adopted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pygments under guard, with one lane."""
    with pytest.MonkeyPatch.context() as patch:
        for name in set(os.environ) - {"PATH", "HOME", "TMPDIR"}:
            patch.delenv(name)
        repo = Repo(unpack(PYGMENTS, tmp_path_factory.mktemp("pygments")))
        for file in (repo.path / "tests").rglob("*"):
            if file.is_file() and not str(file.relative_to(repo.path / "tests")).startswith(KEPT):
                file.unlink()
        repo.git("add", "-A", "-f")
        repo.commit(message="Pygments as released")
        command = [str(SCRIPTS / "ledgergate"), "init", "--inline", "--owner", "core", "--python", sys.executable]
        done = repo.run(*command)
        assert done.returncode == 0, done
        policy = without_lanes((repo.path / "ledgergate.toml").read_text(encoding="utf-8"))
        repo.write("ledgergate.toml", f'{policy}\n[lanes.fixtures]\ncommand = "{COMMAND}"\ntimeout_s = 300\n')
        repo.git("add", "-A")
        repo.commit(message="Guard the goldens")
    return repo.path


@pytest.fixture
def pygments(adopted: Path, tmp_path: Path) -> Repo:
    copy = tmp_path / "pygments"
    shutil.copytree(adopted, copy, symlinks=True)
    return Repo(copy, init=False)


def score(repo: Repo, *options: str) -> dict[str, Any]:
    return score_document(gate_process(repo, "run", "--format", "json", *options, patience=600))


def rules(found: dict[str, Any]) -> set[str]:
    return {seen["rule"] for seen in found["findings"]}


def test_an_honest_run(pygments: Repo) -> None:
    found = score(pygments)
    assert (found["decision"], rules(found)) == ("allow", set())
    required = json.loads((pygments.path / "tests/freeze_ledger.json").read_text(encoding="utf-8"))
    assert found["floors"]["fixtures"]["executed"] >= required["cardinality_floor"]["fixtures"] > 17


def test_a_run_that_would_rewrite_its_goldens(pygments: Repo) -> None:
    policy = (pygments.path / "ledgergate.toml").read_text(encoding="utf-8")
    pygments.commit({"ledgergate.toml": policy.replace(COMMAND, f"{COMMAND} --update-goldens")})
    assert rules(score(pygments)) >= {"golden-update-run", "lane-incomplete"}


def test_code_that_writes_the_golden_it_is_compared_with(pygments: Repo) -> None:
    code = (pygments.path / LEXER).read_text(encoding="utf-8")
    # The lexer prints other tokens, and whoever imports it finds a golden that agrees.
    tampering = f"""\
import pathlib
_golden = pathlib.Path(__file__).parents[2] / {GOLDEN!r}
if _golden.exists():
    _golden.write_text(_golden.read_text().replace("Punctuation", "Operator"))
"""
    assert "Punctuation" in (pygments.path / GOLDEN).read_text(encoding="utf-8")
    pygments.commit({LEXER: f"{code.replace('Punctuation', 'Operator')}\n{tampering}"})
    for options in ((), ("--clean",)):
        found = score(pygments, *options)
        assert found["decision"] == "block"
        assert GOLDEN in {seen["path"] for seen in found["findings"] if seen["rule"] == "report-stale"}
        assert "artifact-differs" in rules(found)
        pygments.git("checkout", "-q", "--", GOLDEN)


def test_a_checkout_that_converts_line_ends(pygments: Repo) -> None:
    pygments.commit({".gitattributes": "tests/snippets/json/*.txt text eol=crlf\n"})
    found = score(pygments, "--clean")
    assert found["decision"] == "block"
    assert "artifact-differs" in rules(found)
