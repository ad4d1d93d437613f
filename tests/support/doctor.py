"""A repository that nothing is wrong with, as far as a doctor sees."""

from __future__ import annotations

import base64
from datetime import UTC, datetime
from typing import Any

from ledgergate.adopt.codeowners import add_block
from ledgergate.adopt.hook_config import add_hooks, hooks_block
from ledgergate.adopt.push_script import push_script
from ledgergate.doctor import Diagnosis, Line, Seen, diagnose
from ledgergate.policy.model import Policy
from support.documents import ROOT

NOW = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
KEY, OLD_KEY = (b"\0\0\0\x0bssh-ed25519\0\0\0\x20" + letter * 32 for letter in (b"k", b"o"))
SIGNER = b'kim@example.org namespaces="ledgergate-ack" ssh-ed25519 ' + base64.b64encode(KEY) + b"\n"
_GITHUB = ROOT / "examples/github/workflows"
CHECK, EVIDENCE = ".github/workflows/ledgergate.yml", ".github/workflows/ledgergate-evidence.yml"
# As they stand in the examples, with the commit named that these leave open.
WORKFLOWS = {
    path: (_GITHUB / path.rpartition("/")[2]).read_bytes().replace(b"@" + b"0" * 40, b"@" + b"1" * 40)
    for path in (CHECK, EVIDENCE)
}
CONTRACTS = ["ledgergate.toml", ".ledgergate/", "tests/ledger.yaml", "tests/freeze_ledger.json"]
OWNERS = add_block(b"* @acme/all\n", CONTRACTS, "@acme/tests")
CONFIG = add_hooks(None, hooks_block(None, None)).data
MAIN = "refs/heads/main"
SCRIPT = b"#!/bin/sh\nexec pre-commit hook-impl\n"
HEALTHY = Seen(
    version="0.1.0",
    git="git version 2.43.0",
    libgit2="libgit2 1.9.0, pygit2 1.19.0",
    has_ssh_keygen=True,
    has_command=True,
    policy=Policy(),
    ledger_problems=(),
    hook_config=CONFIG,
    hooks_folder=".git/hooks",
    scripts={
        **dict.fromkeys(("pre-commit", "pre-merge-commit", "commit-msg"), SCRIPT),
        "pre-push": push_script("/opt/ledgergate-pre-push").encode(),
    },
    is_bare=False,
    default_ref=MAIN,
    default_shown="origin/main",
    default_policy=Policy(),
    default_signers=SIGNER,
    branches=(MAIN, "refs/heads/topic"),
    workflows=WORKFLOWS,
    pipelines={},
    code_owners={"CODEOWNERS": OWNERS},
)


def diagnosis(**changed: Any) -> Diagnosis:
    return diagnose(HEALTHY._replace(**changed), NOW)


def bad(**changed: Any) -> list[Line]:
    """The lines that are not ok where some things are otherwise."""
    return [line for line in diagnosis(**changed).lines if line.health != "ok"]
