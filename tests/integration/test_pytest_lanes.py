"""`ledgergate run` with lanes of a real pytest: an honest run, and some that prove nothing."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from ledgergate.freeze.signature import signature_of
from support.gate import gate
from support.project import FREEZES, LEDGER, ledger, sha256
from support.repo import Repo
from support.suite import GOLDEN, LOUD, A, draft, locked, quarantine

pytestmark = pytest.mark.slow

PLUGINS = ("hypothesis", "platformdirs", "pytest-xdist")
TESTS = f"""\
import os
from pathlib import Path
from hypothesis import given, settings, strategies as st

def test_golden():
    assert Path("{GOLDEN}").read_text() == "golden\\n"

@settings(max_examples=50)
@given(st.integers())
def test_length(number):
    assert number == number

def test_frozen():
    assert 1 == 2

def test_flaky():
    assert False
"""
PROPERTY = f"  - id: {A}::test_length\n    class: property\n    invariant: same\n    seeds: tests/seeds/\n"
FREEZE = {
    "id": "fx-1",
    "signature": signature_of("assert 1 == 2"),
    "path": A,
    "case_id": "test_frozen",
    "fixtures": [],
    "reason": "slow disk",
    "expires_utc": "2099-12-10T00:00:00Z",
    "owner": "test-infra",
}


def policy(options: str = "", plugins: tuple[str, ...] = PLUGINS) -> str:
    command = f"{sys.executable} -m pytest -q -p no:cacheprovider --ledgergate-lane=all {options} tests"
    return f"version = 1\n[run]\nplugins = {json.dumps(plugins)}\n[lanes.all]\ncommand = {json.dumps(command)}\n"


def base(repo: Repo, **changed: str) -> Repo:
    files = {
        "ledgergate.toml": policy(),
        A: TESTS,
        GOLDEN: "golden\n",
        "tests/seeds/1": "1\n",
        "tests/agent_drafts/test_d.py": LOUD,
        "src/app.py": "x = 1\n",
        LEDGER: ledger(
            locked(f"{A}::test_golden", GOLDEN, sha256("golden\n")),
            PROPERTY,
            locked(f"{A}::test_frozen", A, sha256(changed.get("tests", TESTS))),
            quarantine(f"{A}::test_flaky"),
            draft("tests/agent_drafts/test_d.py::test_d"),
        ),
        FREEZES: json.dumps(
            {
                "schema": "freeze-ledger.v1",
                "required_lanes": ["all"],
                "cardinality_floor": {"all": 51},
                "freezes": [FREEZE],
            }
        ),
    }
    names = {"tests": A, "policy": "ledgergate.toml"}
    repo.commit({**files, **{names[key]: content for key, content in changed.items()}})
    repo.commit({"src/app.py": "x = 2\n"})
    return repo


def score_of(repo: Repo) -> dict[str, Any]:
    said = gate(repo, "run", "--format", "json", "--clean", "--base", "HEAD~1")
    document: dict[str, Any] = json.loads(said.out)
    assert (said.status == 0) == (document["decision"] == "allow"), said
    return document


def test_an_honest_run_is_allowed(repo: Repo) -> None:
    found = score_of(base(repo))
    assert (found["findings"], found["decision"]) == ([], "allow")
    assert found["floors"]["all"] == {"floor": 51, "executed": 51}


@pytest.mark.parametrize(
    ("changed", "rule"),
    [
        ({"policy": policy("-n2")}, None),
        ({"policy": policy(plugins=PLUGINS[:2])}, "plugin-unlisted"),
        ({"policy": policy("--hypothesis-show-statistics -k golden")}, "floor-missed"),
        ({"tests": f"{TESTS}    os.environ\ndef test_new(): pass\n"}, "unclassified"),
        ({"tests": f'{TESTS}Path("{GOLDEN}").write_text("golden\\n")\n'}, "artifact-differs"),
        ({"tests": f"{TESTS}def test_exit(): os._exit(0)\n"}, "lane-incomplete"),
        ({"tests": TESTS.replace("1 == 2", "1 == 3")}, "lane-violation"),
        ({"tests": TESTS.replace("number == number", "number < 100")}, "lane-violation"),
    ],
    ids=["workers", "plugin", "selection", "unclassified", "golden", "exit", "frozen check", "failure"],
)
def test_each_kind_of_dishonesty_has_its_name(repo: Repo, changed: dict[str, str], rule: str | None) -> None:
    found = score_of(base(repo, **changed))
    rules = {finding["rule"] for finding in found["findings"]}
    assert rule in rules if rule else not rules, found
