from __future__ import annotations

import pytest

from ledgergate.adopt.policy_file import render_policy
from ledgergate.policy import Policy, read_policy
from ledgergate.policy.model import Lane, Run

POLICIES = {
    "defaults": Policy(name="acme/app"),
    "odd texts": Policy(name='a"b\\c é', goldens=(r"tests/\[g]/**", "!tests/x", "é")),
    "another layout": Policy(
        name="x",
        ledger=("test/ledger.yaml",),
        freeze_ledger="test/freeze_ledger.json",
        tests=("test/**",),
        drafts="test/d/",
    ),
    "everything that is found": Policy(
        name="x",
        not_production=("/doc/**",),
        protected_refs=("refs/heads/trunk",),
        goldens=tuple(f"tests/g{n}/**" for n in range(30)),
        run=Run(("hypothesis", "pytest-xdist")),
        lanes=(Lane("fixtures", "python -m pytest 'a b/' --ledgergate-lane=fixtures"), Lane("properties", "x")),
    ),
}


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES.keys())
def test_the_file_says_the_policy(policy: Policy) -> None:
    assert read_policy(render_policy(policy)) == policy


def test_defaults_are_not_repeated() -> None:
    text = render_policy(POLICIES["defaults"]).decode()
    keys = [line.partition(" =")[0] for line in text.splitlines() if " = " in line and line[0] != "#"]
    assert keys == ["version", "name", "tests", "goldens", "drafts"]
