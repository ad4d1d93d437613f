"""`ledgergate lock`: what a run takes as given."""

from __future__ import annotations

import json

from support.gate import gate
from support.lane_project import FREEZES, GOLDEN, LEDGER, policy, project, tree
from support.project import sha256
from support.repo import Repo


def test_the_lock_of_a_commit(repo: Repo) -> None:
    project(repo, {"docs/pinned.md": "kept", "tests/ledger.yaml": LEDGER.replace(GOLDEN, "docs/pinned.md")})
    said = gate(repo, "lock")
    found = json.loads(said.out)
    commit = repo.git("rev-parse", "HEAD")
    assert said.status == 0
    assert (found["schema"], found["commit"], found["tree"], found["base"]) == (
        "ledgergate-lock.v1",
        commit,
        tree(repo),
        commit,
    )
    assert found["random_seed"] == 0
    assert found["inputs"]["docs/pinned.md"] == sha256("kept")
    assert found["inputs"]["ledgergate.toml"] == sha256(policy())
    assert found["inputs"]["tests/freeze_ledger.json"] == sha256(json.dumps(FREEZES))
    assert {"tests/seeds/one", "tests/test_a.py", "tests/ledger.yaml"} <= set(found["inputs"])
    assert {"src/app.py", "README.md"} & set(found["inputs"]) == set()
    assert gate(repo, "lock").out == said.out


def test_a_working_tree_that_is_not_what_it_says(repo: Repo) -> None:
    project(repo)
    locked = gate(repo, "lock")
    repo.write(GOLDEN, "2")
    said = gate(repo, "lock")
    assert (said.status, said.out) == (1, locked.out)
    assert f"report-stale: a report is about another tree\n  {GOLDEN}" in said.err


def test_without_a_policy(repo: Repo) -> None:
    repo.commit({"a": "1"})
    assert gate(repo, "lock").status == 1
