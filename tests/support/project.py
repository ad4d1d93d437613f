"""A small guarded project in a real repository, and the reports on what is done to it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from ledgergate.checks import judge
from ledgergate.git import Repository, between, staged
from ledgergate.policy import ACKS_FOLDER
from ledgergate.values import Actor, Finding, Report, State
from support.repo import Captured, Repo, captured, restore

NOW = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
LEDGER = "tests/ledger.yaml"
FREEZES = "tests/freeze_ledger.json"
GOLDEN = "tests/goldens/header.bin"
OTHER_GOLDEN = "tests/goldens/other.bin"
SEED = "tests/properties/seeds/length/1"
AGENT = Actor("agent", ("env:CLAUDECODE",))
HUMAN = Actor("human")
SIGNALLED = "Co-Authored-By: Claude <noreply@anthropic.com>"

Edit = Mapping[str, str | bytes | None]


def sha256(content: str | bytes) -> str:
    data = content.encode() if isinstance(content, str) else content
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


LOCKED = f"""\
  - id: tests/test_parse.py::test_header
    class: locked_fixture
    artifact: {GOLDEN}
    digest: {sha256("header")}
"""
OTHER_LOCKED = f"""\
  - id: tests/test_parse.py::test_other
    class: locked_fixture
    artifact: {OTHER_GOLDEN}
    digest: {sha256("other")}
"""
PROPERTY = """\
  - id: tests/test_parse.py::test_length
    class: property
    invariant: non_negative_length
    seeds: tests/properties/seeds/length/
"""
QUARANTINE = """\
  - id: tests/test_parse.py::test_reload
    class: quarantine
    opened: 2026-09-10
    reason: order-dependent
    owner: test-infra
"""
DRAFT = """\
  - id: tests/agent_drafts/test_prefix.py::test_strip
    class: draft
    source: agent
    proposed_class: property
    invariant: prefix_is_idempotent
"""
ROWS = (LOCKED, OTHER_LOCKED, PROPERTY, QUARANTINE, DRAFT)
FREEZE = {
    "id": "fx-1",
    "signature": sha256("assert x"),
    "path": "tests/test_parse.py",
    "case_id": "test_reload",
    "lane": "fixtures",
    "fixtures": [],
    "reason": "slow disk",
    "expires_utc": "2026-12-10T00:00:00Z",
    "owner": "test-infra",
}


def ledger(*rows: str) -> str:
    return "version: 1\nrows:\n" + "".join(rows) if rows else "version: 1\nrows: []\n"


def rows(*changed: tuple[str, str]) -> Edit:
    """The ledger of `BASE` with some rows put in the place of others; an empty one removes."""
    replaced = dict(changed)
    return {LEDGER: ledger(*filter(None, (replaced.get(row, row) for row in ROWS)))}


def freezes(*entries: Mapping[str, object], floor: int = 1) -> str:
    document = {
        "schema": "freeze-ledger.v1",
        "required_lanes": ["fixtures"],
        "optional_lanes": [],
        "cardinality_floor": {"fixtures": floor},
        "freezes": list(entries),
    }
    return json.dumps(document, indent=1)


SIGNERS = (
    'kim@example.org namespaces="ledgergate-ack" ssh-ed25519 '
    "AAAAC3NzaC1lZDI1NTE5AAAAICaueE0ZSldgRkNIMpr065/KKye7+CN0LJaKYVQ+OhFT\n"
)
OTHER_SIGNERS = (
    'eve namespaces="ledgergate-ack" ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIUmKt90UYu7cMfLlM1hWdkWaeWoHt8e/r1UPq29qfor\n'
)


def landed_ack(issued: str, expires: str) -> str:
    """An ack that has landed, of these two days; nobody looks at the signature of such."""
    ack = {
        "schema": "ledgergate-ack.v1",
        "repository": "",
        "target": "refs/heads/main",
        "issued_utc": f"{issued}T00:00:00Z",
        "expires_utc": f"{expires}T00:00:00Z",
        "signer": "kim@example.org",
        "changes": [{"kind": "file", "subject": "tests/conftest.py", "old": None, "new": sha256("")}],
        "signature": "-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----\n",
    }
    return json.dumps(ack)


TEST_FILE = """\
class TestInherited:
    def test_base(self): pass

class TestChild(TestInherited):
    pass

def test_header(): pass
def test_other(): pass
def test_length(): pass
def test_reload(): pass
def test_without_row(): pass
"""
BASE: Edit = {
    "ledgergate.toml": "version = 1\n",
    LEDGER: ledger(*ROWS),
    FREEZES: freezes(FREEZE),
    GOLDEN: "header",
    OTHER_GOLDEN: "other",
    SEED: "1",
    "tests/properties/seeds/length/.gitkeep": "",
    "tests/test_parse.py": TEST_FILE,
    "tests/agent_drafts/test_prefix.py": "def test_strip(): pass\n",
    "tests/conftest.py": "",
    "src/app.py": "x = 1\n",
    "pyproject.toml": '[project]\nname = "a"\ndependencies = ["click>=8"]\n[tool.pytest]\naddopts = "-ra"\n',
    ".pre-commit-config.yaml": "repos:\n- repo: https://example.org/ruff\n  rev: v0.1.0\n  hooks: [{id: ruff}]\n",
    ".ledgergate/allowed_signers": SIGNERS,
    ".ledgergate/acks/live.json": landed_ack("2026-11-30", "2026-12-09"),
    ".ledgergate/acks/expired.json": landed_ack("2026-10-25", "2026-11-01"),
    "README.md": "app\n",
}
# The same without the acks: what is new in a change has to be signed.
WITHOUT_ACKS: Edit = {path: content for path, content in BASE.items() if not path.startswith(ACKS_FOLDER)}
# The same, with a freeze whose check is still there: `ledgergate verify` passes it.
SOUND: Edit = {**BASE, FREEZES: freezes({**FREEZE, "signature": sha256("pass")})}


# The whole repository with `BASE` as its one commit, once there has been one.
_COMMITTED: Captured = {}


def _commit_base(repo: Repo) -> None:
    if _COMMITTED:
        restore(repo.path, _COMMITTED)
    else:
        repo.commit(BASE, "base")
        _COMMITTED.update(captured(repo.path))


class Project:
    """A repository that holds `BASE`, or another tree, as its one commit on main."""

    def __init__(self, repo: Repo, base: Edit | None = BASE) -> None:
        """`base` None leaves the repository as it is."""
        self.repo = repo
        if base is BASE and repo.is_as_new:
            _commit_base(repo)
        elif base is not None:
            repo.commit(base, "base")

    def staged(self, edit: Edit, actor: Actor = AGENT, *, only: str | None = None) -> Report:
        """The report on an edit that is staged on top of HEAD."""
        self.repo.stage(edit)
        return judge(staged(Repository(str(self.repo.path))), lambda _: actor, NOW, only=_names(only))

    def ranged(self, edit: Edit, *, trailers: tuple[str, ...] = (), only: str | None = None) -> Report:
        """The report on a branch off main with the edit as its one commit."""
        self.repo.git("checkout", "-q", "-b", "topic")
        self.repo.commit(edit, "edit", trailers=trailers)
        return self.between("main", "topic", only=only)

    def between(self, old: str, new: str, *, only: str | None = None) -> Report:
        change = between(Repository(str(self.repo.path)), old, new)
        return judge(change, lambda _: HUMAN, NOW, only=_names(only))


def _names(only: str | None) -> tuple[str, ...]:
    return () if only is None else (only,)


def rules(findings: tuple[Finding, ...]) -> set[str]:
    return {finding.rule for finding in findings}


def states(report: Report, rule: str) -> set[State]:
    return {finding.state for finding in (*report.findings, *report.notes) if finding.rule == rule}


def edited(row: str, old: str, new: str) -> str:
    assert old in row
    return row.replace(old, new)


Judge = Callable[[Project, Edit], Report]
