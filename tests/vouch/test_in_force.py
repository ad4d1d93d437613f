"""What is in force for a run: base's rows and freezes, but for differences that anyone may make."""

from __future__ import annotations

import pytest

from ledgergate.errors import LedgergateError
from ledgergate.git import Repository, between, straight
from ledgergate.values import Actor
from ledgergate.vouch import Case, InForce, rules_for
from support import acks
from support.project import (
    BASE,
    DRAFT,
    FREEZE,
    FREEZES,
    LEDGER,
    LOCKED,
    NOW,
    OTHER_LOCKED,
    PROPERTY,
    QUARANTINE,
    ROWS,
    SIGNALLED,
    Edit,
    Project,
    edited,
    freezes,
    ledger,
    rows,
    sha256,
)
from support.repo import Repo

NEW = """\
  - id: tests/test_parse.py::test_new
    class: property
    invariant: x
    seeds: tests/properties/seeds/length/
"""
NEW_DRAFT = DRAFT.replace("test_strip", "test_more")
BASE_IDS = {line.removeprefix("  - id: ") for row in ROWS for line in row.splitlines() if "- id:" in line}


def in_force(repo: Repo, edit: Edit, base: Edit = BASE) -> InForce:
    Project(repo, base)
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit(edit)
    change = between(Repository(str(repo.path)), "main", "topic", exact=True)
    rules = rules_for(change, Actor("human"))
    assert rules is not None
    return InForce(Case(change, rules, NOW, Actor("human")))


def fields(found: InForce, id_: str) -> dict[str, object]:
    (row,) = (row for row in found.rows if row.id == id_)
    return dict(row.fields)


def test_nothing_differs(repo: Repo) -> None:
    found = in_force(repo, {"src/app.py": "x = 2\n"})
    assert {row.id for row in found.rows} == BASE_IDS


@pytest.mark.parametrize(
    ("edit", "id_"),
    [
        (rows((LOCKED, edited(LOCKED, sha256("header"), sha256("other")))), "tests/test_parse.py::test_header"),
        (rows((LOCKED, "")), "tests/test_parse.py::test_header"),
        (rows((PROPERTY, edited(PROPERTY, "non_negative_length", "other"))), "tests/test_parse.py::test_length"),
        (rows((QUARANTINE, "")), "tests/test_parse.py::test_reload"),
        (rows((LOCKED, edited(LOCKED, "test_header", "test_renamed"))), "tests/test_parse.py::test_header"),
    ],
)
def test_a_humans_difference_waits(repo: Repo, edit: Edit, id_: str) -> None:
    found = in_force(repo, edit)
    assert {row.id for row in found.rows} == BASE_IDS
    assert fields(found, id_)["class"] in ("locked_fixture", "property", "quarantine")


def test_a_new_row_waits_and_a_draft_does_not(repo: Repo) -> None:
    found = in_force(repo, {LEDGER: ledger(*ROWS, NEW, NEW_DRAFT)})
    assert {row.id for row in found.rows} == BASE_IDS | {"tests/agent_drafts/test_prefix.py::test_more"}
    assert found.is_waiting("tests/test_parse.py::test_new")
    assert not found.is_waiting("tests/agent_drafts/test_prefix.py::test_more")
    assert not found.is_waiting("tests/test_parse.py::test_header")


@pytest.mark.parametrize("edit", [{FREEZES: freezes(floor=0)}, {FREEZES: freezes({**FREEZE, "owner": "me"}, floor=9)}])
def test_the_freeze_ledger_is_bases(repo: Repo, edit: Edit) -> None:
    found = in_force(repo, edit).freeze
    assert found.settings is not None
    assert (found.settings.floor("fixtures"), [freeze.owner for freeze in found.freezes]) == (1, ["test-infra"])


def test_base_has_no_freeze_ledger(repo: Repo) -> None:
    base = {path: content for path, content in BASE.items() if path != FREEZES}
    found = in_force(repo, {FREEZES: freezes(floor=0)}, base)
    with pytest.raises(LedgergateError, match="no lane is required"):
        _ = found.freeze


def test_the_first_policy(repo: Repo) -> None:
    found = in_force(repo, BASE, {"src/app.py": "x = 1\n"})
    assert found.is_first
    assert {row.id for row in found.rows} == BASE_IDS
    assert found.freeze.settings is not None


@pytest.mark.parametrize(
    ("path", "matters"),
    [
        ("src/app.py", True),
        ("tests/test_parse.py", True),
        ("tests/goldens/x", True),
        ("conftest.py", True),
        ("README.md", False),
        ("docs/pinned.md", True),
        ("docs/other.md", False),
        ("docs/impl.py", True),
        ("LICENSE_impl.PY", True),
        (".ledgergate/acks/x.json", False),
    ],
)
def test_what_matters_to_a_run(repo: Repo, path: str, matters: bool) -> None:
    pinned = LOCKED.replace("tests/goldens/header.bin", "docs/pinned.md")
    found = in_force(repo, {}, {**BASE, LEDGER: ledger(pinned), "docs/pinned.md": "header"})
    assert found.matters(path) is matters


@pytest.mark.parametrize(
    ("edit", "changed"),
    [
        ({"src/app.py": "x = 2\n"}, True),
        ({"src/new.py": ""}, True),
        ({"README.md": "other\n"}, False),
        ({"tests/test_new.py": ""}, False),
        ({"tests/goldens/header.bin": "2"}, False),
    ],
)
def test_whether_production_changed(repo: Repo, edit: Edit, changed: bool) -> None:
    assert in_force(repo, edit).is_production_changed is changed


class TestVouched:
    """What somebody has vouched for is in force as head has it."""

    def judged(self, repo: Repo, edit: Edit, *, target: str = acks.MAIN) -> InForce:
        Project(repo, {**BASE, acks.SIGNERS_PATH: acks.signers(acks.KIM)})
        repo.git("checkout", "-q", "-b", "topic")
        repo.commit(edit)
        items = self.case(repo).items
        repo.commit(acks.files(acks.ack(items, target=target)))
        return InForce(self.case(repo))

    @staticmethod
    def case(repo: Repo) -> Case:
        repository = Repository(str(repo.path))
        change = straight(repository, repository.commit_id("main"), repository.commit_id("topic"))
        rules = rules_for(change, Actor("human"))
        assert rules is not None
        return Case(change, rules, NOW, Actor("human"), acks.TO_MAIN)

    def test_rows(self, repo: Repo) -> None:
        found = self.judged(repo, rows((LOCKED, edited(LOCKED, sha256("header"), sha256("new")))) | {"x": "1"})
        assert fields(found, "tests/test_parse.py::test_header")["digest"] == sha256("new")
        assert not found.is_waiting("tests/test_parse.py::test_header")

    def test_but_not_for_another_branch(self, repo: Repo) -> None:
        changed = rows((LOCKED, edited(LOCKED, sha256("header"), sha256("new"))))
        found = self.judged(repo, changed, target="refs/heads/other")
        assert fields(found, "tests/test_parse.py::test_header")["digest"] == sha256("header")
        assert found.is_waiting("tests/test_parse.py::test_header")

    def test_freezes(self, repo: Repo) -> None:
        found = self.judged(repo, {FREEZES: freezes({**FREEZE, "owner": "kim"})})
        assert [freeze.owner for freeze in found.freeze.freezes] == ["kim"]

    def test_with_signals_only_what_no_agent_made(self, repo: Repo) -> None:
        Project(repo, {**BASE, "ledgergate.toml": 'version = 1\n[vouch]\nmode = "signals"\n'})
        repo.git("checkout", "-q", "-b", "topic")
        changed = edited(LOCKED, sha256("header"), sha256("new"))
        repo.commit(rows((LOCKED, changed)), trailers=[SIGNALLED])
        other = edited(OTHER_LOCKED, sha256("other"), sha256("more"))
        repo.commit(rows((LOCKED, changed), (OTHER_LOCKED, other)))
        found = InForce(self.case(repo))
        assert fields(found, "tests/test_parse.py::test_header")["digest"] == sha256("header")
        assert fields(found, "tests/test_parse.py::test_other")["digest"] == sha256("more")
