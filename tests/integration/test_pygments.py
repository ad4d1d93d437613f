"""A real project of two thousand goldens under guard: what init makes of it, and commits through real hook managers."""

from __future__ import annotations

import re

import pytest

from ledgergate.ledger.edit import set_fields
from ledgergate.policy import read_policy
from support.gate import AS_AGENT, commit, gate, gate_process
from support.managers import Adopted, append, commit_all, refusal
from support.project import LEDGER, sha256
from support.repo import Repo

pytestmark = pytest.mark.slow

GOLDEN = "tests/snippets/json/test_basic.txt"
OTHER_GOLDEN = "tests/snippets/json/test_floats.txt"
ROW = f"{GOLDEN}::"
OUTPUT = "tests/examplefiles/abnf/abnf_example1.abnf.output"
PRODUCTION = "pygments/util.py"
QUARANTINE = """\
  - id: tests/test_util.py::test_xml
    class: quarantine
    opened: 2026-01-15
    reason: depends on the order of tests
    owner: test-infra
"""
DRAFT = """\
  - id: tests/agent_drafts/test_json_twice.py::test_lexing_twice
    class: draft
    source: agent
    proposed_class: property
    invariant: lexing_is_repeatable
"""


def tamper(repo: Repo, golden: str = GOLDEN) -> bytes:
    """Change a golden and stage it; its new bytes."""
    data = (repo.path / golden).read_bytes().replace(b"Punctuation", b"Operator")
    assert data != (repo.path / golden).read_bytes()
    repo.stage({golden: data})
    return data


def stage_digest(repo: Repo, data: bytes) -> None:
    """Write the digest of the bytes into the golden's row, and stage that."""
    ledger = (repo.path / LEDGER).read_bytes()
    repo.stage({LEDGER: set_fields(ledger, {ROW: {"digest": sha256(data)}})})


def add_quarantine_row(repo: Repo) -> None:
    append(repo, LEDGER, QUARANTINE)
    repo.git("add", LEDGER)


class TestSetUp:
    @pytest.fixture
    def repo(self, adopted_pygments: Adopted) -> Repo:
        return Repo(adopted_pygments.path, init=False)

    def test_every_golden_has_its_row(self, repo: Repo) -> None:
        verified = gate(repo, "verify")
        assert verified.status == 0, verified
        tracked = repo.git("ls-files", "tests/snippets", "tests/examplefiles").splitlines()
        inputs = [path for path in tracked if not path.endswith(("conftest.py", ".output", ".text"))]
        ledger = (repo.path / LEDGER).read_text(encoding="utf-8")
        assert len(inputs) == 1407
        assert [path for path in inputs if f"id: '{path}::'" not in ledger] == []
        assert f"- {OUTPUT}\n" in ledger

    def test_the_policy_follows_the_layout(self, repo: Repo) -> None:
        policy = read_policy((repo.path / "ledgergate.toml").read_bytes())
        assert policy.tests == ("tests/**",)
        assert policy.goldens == (
            "tests/dtds/**/*.soc",
            "tests/examplefiles/**",
            "tests/html_linenos_expected_output/**",
            "tests/snippets/**/*.txt",
        )

    def test_init_says_what_it_found_and_what_not(self, adopted_pygments: Adopted) -> None:
        said = adopted_pygments.said
        assert "2,197 goldens in 1,536 rows" in said
        assert "128 goldens with a row under a placeholder id" in said


class TestCommits:
    def test_an_agent_edits_a_golden(self, pygments: Repo) -> None:
        tamper(pygments)
        assert commit_all(pygments, env=AS_AGENT) == {"digest-mismatch"}

    def test_an_agent_edits_golden_and_digest(self, pygments: Repo) -> None:
        stage_digest(pygments, tamper(pygments))
        assert commit_all(pygments, env=AS_AGENT) == {"digest-changed"}

    def test_an_agent_deletes_a_quarantine_row(self, pygments: Repo) -> None:
        add_quarantine_row(pygments)
        assert commit_all(pygments) == set()
        ledger = (pygments.path / LEDGER).read_text(encoding="utf-8")
        pygments.stage({LEDGER: ledger.replace(QUARANTINE, "")})
        assert commit_all(pygments, env=AS_AGENT) == {"quarantine-removed"}

    def test_an_agent_appends_a_draft(self, pygments: Repo) -> None:
        append(pygments, LEDGER, DRAFT)
        pygments.stage({"tests/agent_drafts/test_json_twice.py": "def test_lexing_twice(): pass\n"})
        pygments.git("add", LEDGER)
        assert commit_all(pygments, env=AS_AGENT) == set()

    def test_an_agent_changes_production_code(self, pygments: Repo) -> None:
        append(pygments, PRODUCTION, "\n# honest work\n")
        assert commit_all(pygments, "-a", env=AS_AGENT) == set()

    def test_a_trailer_shows_an_agent_too(self, pygments: Repo) -> None:
        stage_digest(pygments, tamper(pygments))
        trailer = "Co-Authored-By: Claude <noreply@anthropic.com>"
        assert refusal(commit(pygments, message=f"Mend the lexer\n\n{trailer}")) == {"digest-changed"}

    def test_a_human_relocks(self, pygments: Repo) -> None:
        data = tamper(pygments)
        assert commit_all(pygments) == {"digest-mismatch"}
        shown = gate_process(pygments, "relock", "--staged")
        assert ROW in shown.out
        contract = re.search(r"--contract (sha256:[0-9a-f]{64})", shown.out)
        assert contract is not None, shown
        refused = gate_process(pygments, "relock", "--staged", "--yes", "--contract", contract[1], env=AS_AGENT)
        assert refused.status != 0
        assert sha256(data) not in (pygments.path / LEDGER).read_text(encoding="utf-8")
        written = gate_process(pygments, "relock", "--staged", "--yes", "--contract", contract[1])
        assert written.status == 0, written
        pygments.git("add", LEDGER)
        assert commit_all(pygments) == set()
        assert gate(pygments, "verify").status == 0

    def test_only_a_golden_is_deleted(self, pygments: Repo) -> None:
        pygments.git("rm", "-q", GOLDEN)
        assert commit_all(pygments) == {"artifact-missing"}

    def test_a_new_golden_waits_for_its_row(self, pygments: Repo) -> None:
        pygments.stage({"tests/snippets/json/test_new.txt": "---input---\n1\n\n---tokens---\n"})
        assert commit_all(pygments) == {"golden-unclassified"}


class TestCommitsOfPaths:
    """`git commit PATH` takes what stands in PATH alone, whatever else is staged."""

    def test_a_tampered_golden_that_is_only_staged_is_not_judged(self, pygments: Repo) -> None:
        tamper(pygments)
        append(pygments, PRODUCTION, "\n# honest work\n")
        assert commit_all(pygments, PRODUCTION, env=AS_AGENT) == set()
        assert pygments.git("diff", "--cached", "--name-only") == GOLDEN
        assert commit_all(pygments, env=AS_AGENT) == {"digest-mismatch"}

    def test_a_tampered_golden_that_is_named_is_judged(self, pygments: Repo) -> None:
        append(pygments, PRODUCTION, "\n# honest work\n")
        pygments.git("add", PRODUCTION)
        data = tamper(pygments)
        pygments.git("reset", "-q", GOLDEN)
        assert (pygments.path / GOLDEN).read_bytes() == data
        assert commit_all(pygments, GOLDEN, env=AS_AGENT) == {"digest-mismatch"}
        assert commit_all(pygments, env=AS_AGENT) == set()

    def test_the_other_golden_is_named_and_whole(self, pygments: Repo) -> None:
        tamper(pygments)
        pygments.stage({OTHER_GOLDEN: (pygments.path / OTHER_GOLDEN).read_bytes() + b"\n"})
        assert commit_all(pygments, GOLDEN, OTHER_GOLDEN, env=AS_AGENT) == {"digest-mismatch"}
        pygments.git("checkout", "-q", "HEAD", "--", OTHER_GOLDEN)
        assert commit_all(pygments, OTHER_GOLDEN, "--allow-empty", env=AS_AGENT) == set()
