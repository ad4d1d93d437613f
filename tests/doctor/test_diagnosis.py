"""What a doctor says of what was seen: one thing out of order gives one line, and each has its honest twin."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from ledgergate.adopt.hook_config import add_hooks, hooks_block
from ledgergate.doctor.diagnosis import NOT_SEEN
from ledgergate.errors import LedgergateError
from ledgergate.policy.model import Policy, Vouch
from support.doctor import (
    CHECK,
    EVIDENCE,
    HEALTHY,
    KEY,
    MAIN,
    OLD_KEY,
    OWNERS,
    SCRIPT,
    SIGNER,
    WORKFLOWS,
    bad,
    diagnosis,
)

SIGNALS = Policy(vouch=Vouch(mode="signals"))
HUMANS = Policy(vouch=Vouch(humans=("github:1",)))
EXPIRED = SIGNER.replace(b'ledgergate-ack"', b'ledgergate-ack",valid-before="20260101"')
OLD = EXPIRED.replace(base64.b64encode(KEY), base64.b64encode(OLD_KEY))
RENEWED = SIGNER.replace(b'ledgergate-ack"', b'ledgergate-ack",valid-after="20260101",valid-before="20270101Z"')
BY_HAND = b"/ledgergate.toml @acme/tests # policy\n.ledgergate/ @kim\n/tests/*.yaml @kim\n/tests/*.json a@b.c\n"
REMOTE = "https://example.org/ledgergate"
BROKEN = LedgergateError("policy-unreadable", "it cannot be read\nat all")


def config(url: str | None = None, revision: str | None = None) -> bytes | None:
    return add_hooks(b"repos: []\n", hooks_block(url, revision)).data


OTHER_ENTRY = (config() or b"").replace(b"entry: ledgergate check --staged", b'entry: "true"')


def workflows(**changed: Any) -> dict[str, bytes]:
    return {**WORKFLOWS, **changed}


def on(trigger: str, *steps: str, path: str = CHECK) -> dict[str, bytes]:
    """The workflows, with one that a trigger starts in the place of another."""
    listed = "".join(f"      - {step}\n" for step in steps)
    return {**WORKFLOWS, path: f"on: {trigger}\njobs:\n  one:\n    steps:\n{listed}".encode()}


ZEROS = b"# OWNER/ledgergate@" + b"0" * 40 + b"\n"
RUNS_CHECK = "run: ledgergate check --from a --to b --facts f\n      - run: ledgergate verify"
TAKES_HEAD = "uses: actions/checkout@v4\n        with: {ref: '${{ github.event.pull_request.head.sha }}'}"
TAKES_BASE = "uses: actions/checkout@v4\n        with: {ref: '${{ github.event.pull_request.base.sha }}'}"


def test_a_healthy_repository() -> None:
    found = diagnosis()
    assert [line for line in found.lines if line.health != "ok"] == []
    assert found.is_healthy
    assert found.no_gate == ()
    assert found.notes == NOT_SEEN


@pytest.mark.parametrize(
    ("changed", "topic", "health"),
    [
        ({"git": "git version 2.30.2"}, "git", "stale"),
        ({"git": ""}, "git", "unknown"),
        ({"has_command": False}, "command", "missing"),
        ({"has_ssh_keygen": False}, "ssh-keygen", "missing"),
        ({"policy": None}, "policy", "missing"),
        ({"policy": BROKEN}, "policy", "unknown"),
        ({"default_policy": None}, "default-branch", "missing"),
        ({"default_policy": BROKEN}, "default-branch", "unknown"),
        ({"ledger_problems": ("tests/ledger.yaml: bad",)}, "ledgers", "unknown"),
        ({"default_signers": None}, "vouching", "missing"),
        ({"default_signers": b""}, "vouching", "stale"),
        ({"default_signers": b"# nobody\n"}, "vouching", "stale"),
        ({"default_signers": EXPIRED}, "vouching", "stale"),
        ({"default_signers": b"kim@example.org ssh-ed25519 AAAA\n"}, "vouching", "unknown"),
        ({"default_policy": SIGNALS}, "vouching", "stale"),
        ({"signing_key": BROKEN}, "signing-key", "unknown"),
        ({"default_signers": SIGNER + OLD, "signing_key": OLD_KEY}, "signing-key", "stale"),
        ({"default_ref": "refs/heads/dev"}, "protected-refs", "missing"),
        ({"branches": (MAIN, "refs/heads/stable/1")}, "protected-refs", "missing"),
        ({"branches": ("refs/heads/topic",)}, "protected-refs", "stale"),
        ({"hook_config": None}, "hook-configuration", "missing"),
        ({"hook_config": b"repos: ["}, "hook-configuration", "unknown"),
        ({"hook_config": b"repos: {}\n"}, "hook-configuration", "unknown"),
        ({"hook_config": b"repos: []\n"}, "hook-configuration", "missing"),
        ({"hook_config": config(REMOTE, "v0.0.9")}, "hook-configuration", "stale"),
        ({"hook_config": OTHER_ENTRY}, "hook-configuration", "stale"),
        *(
            ({"scripts": {k: v for k, v in HEALTHY.scripts.items() if k != name}}, f"git-hook {name}", "missing")
            for name in HEALTHY.scripts
        ),
        ({"scripts": {**HEALTHY.scripts, "pre-commit": b"#!/bin/sh\nexit 0\n"}}, "git-hook pre-commit", "stale"),
        ({"scripts": {**HEALTHY.scripts, "pre-push": SCRIPT}}, "git-hook pre-push", "stale"),
        ({"scripts": {**HEALTHY.scripts, "pre-push": b"#!/bin/sh\nexit 0\n"}}, "git-hook pre-push", "stale"),
        ({"workflows": {EVIDENCE: WORKFLOWS[EVIDENCE]}}, "ci-check", "missing"),
        ({"workflows": on("[pull_request, push]", RUNS_CHECK)}, "ci-check", "stale"),
        ({"workflows": on("[pull_request_target, push]", TAKES_HEAD, RUNS_CHECK)}, "ci-check", "stale"),
        (
            {"workflows": on("[pull_request_target, push]", 'run: git checkout "refs/pull/$N/head"', RUNS_CHECK)},
            "ci-check",
            "stale",
        ),
        (
            {
                "default_policy": HUMANS,
                "workflows": on("[pull_request_target, push]", RUNS_CHECK.replace(" --facts f", "")),
            },
            "ci-check",
            "stale",
        ),
        ({"workflows": {CHECK: WORKFLOWS[CHECK]}}, "ci-evidence", "missing"),
        ({"workflows": {**WORKFLOWS, CHECK: WORKFLOWS[CHECK] + ZEROS}}, "ci-check", "stale"),
        ({"workflows": {**WORKFLOWS, EVIDENCE: WORKFLOWS[EVIDENCE] + ZEROS}}, "ci-evidence", "stale"),
        ({"workflows": on("push", "run: ledgergate run", path=EVIDENCE)}, "ci-evidence", "missing"),
        ({"workflows": on("pull_request_target", "run: ledgergate run", path=EVIDENCE)}, "ci-evidence", "stale"),
        ({"workflows": on("pull_request_target", RUNS_CHECK)}, "ci-push", "missing"),
        ({"code_owners": {}}, "codeowners", "missing"),
        ({"code_owners": {"CODEOWNERS": b"* @acme/all\n"}}, "codeowners", "missing"),
        ({"code_owners": {"CODEOWNERS": OWNERS + b"/ledgergate.toml\n"}}, "codeowners", "missing"),
        ({"code_owners": {"CODEOWNERS": BY_HAND.replace(b" @acme/tests", b"")}}, "codeowners", "missing"),
        ({"is_bare": True}, "server-hook", "missing"),
    ],
)
def test_one_thing_is_out_of_order(changed: dict[str, Any], topic: str, health: str) -> None:
    found = [line for line in bad(**changed) if line.topic == topic]
    assert [line.health for line in found] == [health]
    assert found[0].remedy
    assert not diagnosis(**changed).is_healthy


@pytest.mark.parametrize(
    "changed",
    [
        {"git": "git version 3.0"},
        {"code_owners": {"CODEOWNERS": BY_HAND}},
        {"code_owners": {"CODEOWNERS": b"[Contracts] @acme/tests\n^[x]\n" + BY_HAND}},
        {"is_bare": True, "scripts": {"pre-receive": b"#!/bin/sh\nexec python -m ledgergate pre-receive"}},
        {"has_ssh_keygen": False, "default_policy": SIGNALS, "default_signers": None},
        {"default_policy": HUMANS, "default_signers": None},
        {"default_signers": SIGNER + EXPIRED},
        {"default_signers": RENEWED},
        {"branches": (MAIN, "refs/heads/release/1")},
        {"hook_config": config(REMOTE, "v0.1.0")},
        {"hook_config": config(REMOTE, "0.1.0")},
        {"hook_config": config(REMOTE, "a" * 40)},
        {"scripts": {**HEALTHY.scripts, "pre-push": SCRIPT, "pre-push.legacy": HEALTHY.scripts["pre-push"]}},
        {"workflows": on("[pull_request_target, push]", RUNS_CHECK)},
        {"workflows": on("{pull_request_target: {branches: [main]}, push: }", TAKES_BASE, RUNS_CHECK)},
        {"workflows": on("[merge_group, push]", RUNS_CHECK)},
        {"workflows": {**WORKFLOWS, ".github/workflows/x.yml": b"on: [", "b.yml": b"on: push\njobs: 1\n"}},
        {
            "workflows": {
                **WORKFLOWS,
                ".github/workflows/x.yml": b"on: pull_request\njobs: {a: {steps: [{run: tox}]}}\n",
            }
        },
    ],
)
def test_what_is_in_order_too(changed: dict[str, Any]) -> None:
    expected = ["vouching"] if changed.get("default_policy") is SIGNALS else []
    assert [line.topic for line in bad(**changed)] == expected


def test_a_workflow_that_cannot_be_read_and_names_ledgergate() -> None:
    (line,) = bad(workflows={**WORKFLOWS, "a.yml": b"on: [\n# ledgergate\n"})
    assert (line.topic, line.health) == ("ci-check", "unknown")


def test_another_kind_of_ci() -> None:
    (line,) = bad(workflows={}, pipelines={".gitlab-ci.yml": b"script: [ledgergate check]\n"})
    assert (line.topic, line.health) == ("ci-check", "unknown")
    assert ".gitlab-ci.yml" in line.message


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"default_policy": None}, "nothing is enforced on the default branch"),
        ({"workflows": {EVIDENCE: WORKFLOWS[EVIDENCE]}}, "no check that changes cannot alter"),
        ({"default_policy": SIGNALS}, "nobody can prove to be the human"),
        ({"workflows": {CHECK: WORKFLOWS[CHECK]}}, "only red or green"),
    ],
)
def test_what_should_not_be_called_a_gate(changed: dict[str, Any], reason: str) -> None:
    (said,) = diagnosis(**changed).no_gate
    assert reason in said


def test_a_server_that_judges_pushes_is_a_gate_without_a_check() -> None:
    server = {"pre-receive": b"#!/bin/sh\nexec python -m ledgergate pre-receive"}
    assert diagnosis(is_bare=True, scripts=server, workflows={}).no_gate == (
        "of a run of the tests only red or green is known",
    )
    assert len(diagnosis(is_bare=True, scripts={}, workflows={}).no_gate) == 2


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({}, "git signs with no SSH key here"),
        ({"signing_key": KEY}, "is that of kim@example.org, and approves"),
        ({"signing_key": OLD_KEY}, "is no signer's in .ledgergate/allowed_signers"),
        ({"signing_key": KEY, "default_signers": SIGNER + EXPIRED}, "and approves"),
        ({"signing_key": KEY, "default_policy": SIGNALS}, None),
        ({"signing_key": KEY, "default_signers": None}, None),
        ({"signing_key": KEY, "is_bare": True}, None),
    ],
)
def test_whether_gits_own_key_approves(changed: dict[str, Any], said: str | None) -> None:
    found = [line for line in diagnosis(**changed).lines if line.topic == "signing-key"]
    assert [line.health for line in found] == ([] if said is None else ["ok"])
    assert said is None or said in found[0].message
