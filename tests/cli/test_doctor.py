"""`ledgergate doctor` on real repositories: it says what is there, and runs nothing of it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import ledgergate.doctor
from ledgergate.adopt.push_script import push_script
from ledgergate.doctor.diagnosis import NO_GATE
from ledgergate.doctor.rendering import render_json, render_text
from support.doctor import CONFIG, OWNERS, SIGNER, WORKFLOWS, diagnosis
from support.documents import ROOT, section
from support.gate import gate
from support.lane_project import project
from support.repo import Repo

SCHEMA = json.loads((Path(ledgergate.doctor.__file__).parent / "doctor.schema.json").read_text(encoding="utf-8"))
HOOK = "#!/bin/sh\n# pre-commit\ntouch ran\n"
HOOKS = dict.fromkeys(("pre-commit", "pre-merge-commit", "commit-msg"), HOOK) | {"pre-push": push_script("/opt/x")}


def doctor(repo: Repo, expected: int) -> dict[str, Any]:
    done = gate(repo, "doctor", "--format", "json")
    assert done.status == expected, done.out
    document: dict[str, Any] = json.loads(done.out)
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    assert gate(repo, "doctor").status == expected
    return document


def topics(document: dict[str, Any]) -> dict[str, str]:
    return {line["topic"]: line["state"] for line in document["lines"] if line["state"] != "ok"}


def set_up(repo: Repo, **more: str | bytes) -> None:
    """All that a doctor looks for."""
    files = {".pre-commit-config.yaml": CONFIG, ".ledgergate/allowed_signers": SIGNER, "CODEOWNERS": OWNERS}
    project(repo, {**files, **WORKFLOWS, **more})
    for name, script in HOOKS.items():
        repo.write(f".git/hooks/{name}", script).chmod(0o755)


def test_all_is_well(repo: Repo) -> None:
    set_up(repo)
    document = doctor(repo, 0)
    assert document["healthy"] is True
    assert document["no_gate"] == []
    assert gate(repo, "doctor").out.splitlines()[-1].startswith("ledgergate: ")


def test_the_key_that_git_signs_with(repo: Repo, tmp_path: Path) -> None:
    """It is read from the file beside it, and nobody is asked for a pass phrase."""
    set_up(repo)
    repo.git("config", "gpg.format", "ssh")
    repo.git("config", "user.signingkey", str(tmp_path / "own"))
    (tmp_path / "own").write_text("no key\n")
    assert topics(doctor(repo, 1)) == {"signing-key": "unknown"}
    (tmp_path / "own.pub").write_bytes(SIGNER.partition(b'-ack" ')[2])
    (line,) = (line for line in doctor(repo, 0)["lines"] if line["topic"] == "signing-key")
    assert "is that of kim@example.org" in line["message"]


def test_nothing_is_there(repo: Repo) -> None:
    repo.commit({"a": "1"})
    found = topics(doctor(repo, 1))
    assert {"policy", "default-branch", "hook-configuration", "git-hook pre-commit", "ci-check"} <= set(found)
    assert set(found.values()) == {"missing"}
    assert NO_GATE in gate(repo, "doctor").out


def test_before_the_first_commit(repo: Repo) -> None:
    assert topics(doctor(repo, 1))["policy"] == "missing"


def test_outside_of_a_repository(tmp_path: Path) -> None:
    folder = tmp_path / "none"
    folder.mkdir()
    assert gate(Repo(folder, init=False), "doctor").status == 2


@pytest.mark.parametrize(
    ("path", "content", "topic"),
    [
        ("ledgergate.toml", "version = 1\nsauce = 2\n", "policy"),
        ("tests/ledger.yaml", "rows: [", "ledgers"),
        ("tests/freeze_ledger.json", "{", "ledgers"),
    ],
)
def test_what_cannot_be_read_is_unknown(repo: Repo, path: str, content: str, topic: str) -> None:
    set_up(repo, **{path: content})
    assert topics(doctor(repo, 1))[topic] == "unknown"


def test_a_default_branch_without_a_policy(repo: Repo) -> None:
    repo.commit({"a": "1"})
    repo.git("checkout", "-q", "-b", "topic")
    set_up(repo)
    found = topics(doctor(repo, 1))
    assert found == dict.fromkeys(("default-branch", "ci-check", "ci-evidence", "ci-push", "codeowners"), "missing")


def test_hooks_elsewhere(repo: Repo) -> None:
    set_up(repo)
    repo.git("config", "core.hooksPath", "own-hooks")
    assert set(topics(doctor(repo, 1))) == {f"git-hook {name}" for name in HOOKS}
    for name, script in HOOKS.items():
        repo.write(f"own-hooks/{name}", script).chmod(0o755)
    doctor(repo, 0)
    (repo.path / "own-hooks/commit-msg").chmod(0o644)
    assert topics(doctor(repo, 1)) == {"git-hook commit-msg": "missing"}


def test_nothing_of_the_repository_is_run(repo: Repo) -> None:
    set_up(repo, **{"conftest.py": "open('ran', 'w')\n", "sitecustomize.py": "open('ran', 'w')\n"})
    doctor(repo, 0)
    assert (
        subprocess.run(["git", "status", "--porcelain"], cwd=repo.path, capture_output=True, check=True).stdout == b""
    )


def test_a_bare_repository(repo: Repo, tmp_path: Path) -> None:
    set_up(repo)
    repo.git("clone", "-q", "--bare", ".", str(tmp_path / "bare"))
    found = topics(doctor(Repo(tmp_path / "bare", init=False), 1))
    assert {topic.partition(" ")[0] for topic in found} == {"server-hook"}


def test_hostile_names_are_shown_and_not_acted_upon() -> None:
    found = diagnosis(default_ref="refs/heads/\x1b[2J", ledger_problems=("a\x1b[2J.yaml: bad",))
    assert "\x1b" not in render_text(found) + render_json(found, "0.1.0")


def test_every_key_is_on_the_page() -> None:
    page = section(ROOT / "docs" / "formats.md", "Doctor")
    assert [name for name in SCHEMA["required"] if f"`{name}`" not in page] == []
