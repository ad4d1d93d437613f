"""The rules for agents: each statement of the text holds before the real gate, and a file keeps every other byte."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ledgergate.adopt.agent_rules import BEGIN, END, may, may_not, render, spliced
from ledgergate.errors import UsageError
from ledgergate.policy import read_policy
from ledgergate.values import State
from support.gate import AS_AGENT, gate
from support.project import (
    BASE,
    DRAFT,
    FREEZE,
    FREEZES,
    GOLDEN,
    HUMAN,
    LEDGER,
    LOCKED,
    OTHER_SIGNERS,
    PROPERTY,
    ROWS,
    SEED,
    TEST_FILE,
    Edit,
    Project,
    edited,
    freezes,
    ledger,
)
from support.repo import Repo

pytestmark = pytest.mark.slow

POLICIES = {
    "the defaults": "version = 1\n",
    "agents edit tests": 'version = 1\nagent_write_paths = ["tests/unit/**"]\n',
    "agents add tests": "version = 1\nagent_new_tests = true\n",
    "more is protected": 'version = 1\nprotected = ["/scripts/**"]\n',
}
OWN_DRAFT = edited(DRAFT, "test_strip", "test_new")
DRAFT_FILE = "tests/agent_drafts/test_prefix.py"
DRAFTED = {DRAFT_FILE: "def test_strip(): pass\ndef test_new(): pass\n"}

KEPT, CHECKED = "tests/unit/test_kept.py", "def test_kept():\n    assert sum([1, 1]) == 2\n"

MAY: dict[str, list[Edit]] = {
    "code": [{"src/app.py": "x = 2\n"}, {"README.md": "new\n"}],
    "draft": [{**DRAFTED, LEDGER: ledger(*ROWS, OWN_DRAFT)}],
    "own draft": [{LEDGER: ledger(*ROWS, edited(OWN_DRAFT, "prefix_is_idempotent", "other"))}, {LEDGER: ledger(*ROWS)}],
    "seed": [{"tests/properties/seeds/length/2": "2"}],
    "write path": [{"tests/unit/test_a.py": "def test_a(): assert 1 + 1 == 2\n"}],
    "new test": [
        {
            "tests/test_more.py": "def test_more(): pass\n",
            LEDGER: ledger(*ROWS, edited(DRAFT, "agent_drafts/test_prefix.py::test_strip", "test_more.py::test_more")),
        }
    ],
}
MAY_NOT: dict[str, list[Edit]] = {
    "golden": [{GOLDEN: "x"}, {GOLDEN: None}, {"tests/goldens/new.bin": "x"}],
    "row": [
        {LEDGER: ledger(*ROWS, edited(LOCKED, "test_header", "test_without_row"))},
        {LEDGER: ledger(*(row for row in ROWS if row != PROPERTY))},
        {LEDGER: ledger(*(row for row in ROWS if row != DRAFT))},
    ],
    "seed gone": [{SEED: "other"}, {SEED: None}, {"tests/properties/seeds/length/x.py": "x"}],
    "test": [{"tests/test_parse.py": TEST_FILE + "x = 1\n"}, {"tests/test_parse.py": None}, {"tests/data.txt": "x"}],
    "guard": [
        {KEPT: None},
        {KEPT: CHECKED.replace(" == 2", "")},
        {KEPT: CHECKED.replace("def", "import pytest\n\n@pytest.mark.skip\ndef")},
    ],
    "policy": [
        {"ledgergate.toml": 'version = 1\nagent_write_paths = ["tests/**"]\n'},
        {FREEZES: freezes(FREEZE, {**FREEZE, "id": "fx-2"})},
        {".ledgergate/allowed_signers": OTHER_SIGNERS},
        {".ledgergate/acks/live.json": None},
    ],
    "steering": [
        {"tests/conftest.py": "x = 1\n"},
        {".pre-commit-config.yaml": "repos: []\n"},
        {".github/workflows/ci.yml": "on: push\n"},
        {".gitattributes": "* text\n"},
        {"pytest.ini": "[pytest]\n"},
        {"pyproject.toml": str(BASE["pyproject.toml"]).replace("-ra", "-x")},
        {"tox.ini": "[testenv]\n"},
        {"setup.cfg": "[tool:pytest]\naddopts = -x\n"},
    ],
}


def project(repo: Repo, policy: str) -> Project:
    return Project(repo, {**BASE, "ledgergate.toml": policy, KEPT: CHECKED})


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_what_an_agent_may_do_passes(repo: Repo, policy: str) -> None:
    guarded = project(repo, policy)
    for statement in may(read_policy(policy.encode())):
        for edit in MAY[statement.name]:
            report = guarded.staged(edit)
            assert report.state is State.PASS, (statement, report.findings)
            if statement.name == "draft":
                # What follows is about a row that stands on the branch already, and not on main.
                repo.git("checkout", "-q", "-b", "topic")
                repo.commit(message="draft")
            repo.git("reset", "-q", "--hard")


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_what_an_agent_may_not_do_is_refused(repo: Repo, policy: str) -> None:
    guarded = project(repo, policy)
    more: Edit = {"scripts/test": "x\n"}
    for statement in may_not(read_policy(policy.encode())):
        edits = MAY_NOT.get(statement.name, [])
        for edit in [*edits, *([more] if statement.name == "steering" and "scripts" in policy else [])]:
            assert guarded.staged(edit).state is State.FAIL, (statement, edit)
            repo.git("reset", "-q", "--hard")
    assert "refused" in gate(repo, "relock", "--all", env=AS_AGENT).err
    assert "refused" in gate(repo, "ack", env=AS_AGENT).err


def test_every_statement_is_tried() -> None:
    policies = [read_policy(text.encode()) for text in POLICIES.values()]
    assert {statement.name for policy in policies for statement in may(policy)} == set(MAY)
    assert {statement.name for policy in policies for statement in may_not(policy)} == {*MAY_NOT, "relock"}


def test_skipping_the_hooks_does_not_help(repo: Repo) -> None:
    guarded = project(repo, POLICIES["the defaults"])
    report = guarded.ranged({GOLDEN: "x"}, trailers=("Co-Authored-By: Claude <noreply@anthropic.com>",))
    assert report.state is State.FAIL


def test_the_row_of_the_text_is_one_that_passes(repo: Repo) -> None:
    block = render(read_policy(b"version = 1\n"))
    found = re.search(r"```yaml\n(.*?)```", block, re.DOTALL)
    assert found is not None
    row = found[1].replace("test_NAME.py::test_NAME", "test_prefix.py::test_new")
    assert project(repo, "version = 1\n").staged({**DRAFTED, LEDGER: ledger(*ROWS, row)}).state is State.PASS


def test_the_text_names_the_paths_of_the_policy() -> None:
    text = render(
        read_policy(
            b'version = 1\nledger = ["a/l.yaml"]\nfreeze_ledger = "a/f.json"\ntests = ["a/**"]\n'
            b'goldens = ["a/gold/**"]\ndrafts = "a/new/"\nprotected = ["/tool"]\n'
        )
    )
    assert [name for name in ("a/l.yaml", "a/f.json", "a/**", "a/gold/**", "a/new/", "/tool") if name not in text] == []
    assert "tests/" not in text


class TestWriting:
    def test_into_a_file_and_again(self, repo: Repo) -> None:
        project(repo, "version = 1\n")
        repo.write("AGENTS.md", "# For agents\n")
        assert "Wrote" in gate(repo, "agent-rules", "--write", "AGENTS.md").out
        printed = gate(repo, "agent-rules").out
        assert (repo.path / "AGENTS.md").read_text() == f"# For agents\n\n{printed}"
        assert "already" in gate(repo, "agent-rules", "--write", "AGENTS.md").out

    def test_a_new_file(self, repo: Repo) -> None:
        project(repo, "version = 1\n")
        assert gate(repo, "agent-rules", "--write", "docs/AGENTS.md").status == 0
        assert (repo.path / "docs/AGENTS.md").read_text().startswith(BEGIN)

    def test_without_a_policy(self, repo: Repo) -> None:
        repo.commit({"a": "1"})
        done = gate(repo, "agent-rules", "--write", "AGENTS.md")
        assert (done.status, (repo.path / "AGENTS.md").exists()) == (2, False)
        assert "ledgergate init" in done.err

    def test_a_policy_that_cannot_be_read(self, repo: Repo) -> None:
        project(repo, "version = 2\n")
        done = gate(repo, "agent-rules")
        assert (done.status, done.out) == (1, "")

    @pytest.mark.parametrize("left", [BEGIN, END, f"{END}\n{BEGIN}", f"{BEGIN}\n{BEGIN}\n{END}"])
    def test_marks_that_are_broken(self, repo: Repo, left: str) -> None:
        project(repo, "version = 1\n")
        repo.write("AGENTS.md", left)
        done = gate(repo, "agent-rules", "--write", "AGENTS.md")
        assert (done.status, (repo.path / "AGENTS.md").read_text()) == (2, left)
        assert "left alone" in done.err

    @pytest.mark.parametrize("place", ["link.md", "out/AGENTS.md", "../AGENTS.md", ".git/hooks/x", "src/.GIT/x"])
    def test_no_place_but_a_file_of_the_repository(self, repo: Repo, place: str) -> None:
        project(repo, "version = 1\n")
        outside = repo.path.parent / "outside"
        outside.mkdir()
        (repo.path / "out").symlink_to(outside)
        (repo.path / "link.md").symlink_to("ledgergate.toml")
        before = (repo.path / "ledgergate.toml").read_bytes()
        done = gate(repo, "agent-rules", "--write", place)
        assert (done.status, done.out) == (2, "")
        assert "left alone" in done.err
        assert (repo.path / "ledgergate.toml").read_bytes() == before
        assert [*outside.iterdir(), *repo.path.parent.glob("*.md"), *repo.path.glob(".git/hooks/x")] == []
        assert not (repo.path / "src/.GIT").exists()

    def test_below_a_folder_that_links_inside(self, repo: Repo) -> None:
        project(repo, "version = 1\n")
        (repo.path / "docs").mkdir()
        (repo.path / "also").symlink_to("docs")
        assert gate(repo, "agent-rules", "--write", "also/AGENTS.md").status == 0
        assert (repo.path / "docs/AGENTS.md").read_text().startswith(BEGIN)

    def test_a_folder(self, repo: Repo) -> None:
        project(repo, "version = 1\n")
        assert gate(repo, "agent-rules", "--write", "src").status == 2


TEXTS = st.binary().filter(lambda data: b"<!--" not in data)


@given(TEXTS, TEXTS, st.sampled_from([b"\n", b"\r\n"]))
def test_no_other_byte_changes(before: bytes, after: bytes, newline: bytes) -> None:
    old, new = (f"{BEGIN}\n{text}\n{END}\n".encode() for text in ("old", "new"))
    start = before if not before or before.endswith(b"\n") else before + b"\n"
    data = start + old.replace(b"\n", newline) + after
    written = spliced(data, new.decode())
    assert written == start + new.replace(b"\n", newline) + after
    assert spliced(written, new.decode()) == written


@given(TEXTS)
@example(b"\r")
def test_a_file_without_the_block_gets_it_at_its_end(data: bytes) -> None:
    block = f"{BEGIN}\nnew\n{END}\n"
    written = spliced(data, block)
    assert written.startswith(data)
    assert spliced(written, block) == written


def test_two_begin_marks_are_no_block() -> None:
    with pytest.raises(UsageError):
        spliced(f"{BEGIN}\n{END}\n{BEGIN}\n{END}\n".encode(), f"{BEGIN}\n{END}\n")


def test_a_human_is_not_kept_from_anything_of_it(repo: Repo) -> None:
    guarded = project(repo, "version = 1\n")
    assert guarded.staged({"tests/test_parse.py": TEST_FILE + "x = 1\n"}, HUMAN).state is State.PASS
