"""With `[vouch] tests = true` every other file of the tests waits for an approval, whoever edits it."""

from __future__ import annotations

import pytest

from ledgergate.values import Actor, State
from support.acks import GUARDED, KIM, ack, contract, files, ranged
from support.project import (
    AGENT,
    DRAFT,
    GOLDEN,
    HUMAN,
    LEDGER,
    LOCKED,
    ROWS,
    SEED,
    SIGNALLED,
    Edit,
    Project,
    edited,
    ledger,
    rows,
    sha256,
    states,
)
from support.repo import Repo

pytestmark = pytest.mark.slow

ON = "version = 1\nagent_write_paths = ['tests/free/**']\n[vouch]\ntests = true\n"
TESTS: Edit = {
    **GUARDED,
    "ledgergate.toml": ON,
    "tests/data/rows.txt": "1",
    "tests/free/test_a.py": "def test_a(): pass\n",
}
PARSE = "tests/test_parse.py"

NAMING = edited(edited(LOCKED, "_header", "_rows"), GOLDEN, "tests/data/rows.txt").replace(
    sha256("header"), sha256("2")
)

# Edits, and what of them has to be approved as a file.
EDITED: dict[str, tuple[Edit, set[str]]] = {
    "a test": ({PARSE: f"{TESTS[PARSE]}\nX = 1\n"}, {PARSE}),
    "a new test": ({"tests/test_new.py": "def test_a(): pass\n"}, {"tests/test_new.py"}),
    "a file that goes": ({"tests/data/rows.txt": None}, {"tests/data/rows.txt"}),
    "where agents may write": ({"tests/free/test_a.py": "def test_a(): 1\n"}, {"tests/free/test_a.py"}),
    "in another case": ({"Tests/test_new.py": "x = 1\n"}, {"Tests/test_new.py"}),
    "a protected file": ({"tests/conftest.py": "x = 1\n"}, {"tests/conftest.py"}),
    "a seed that goes": ({SEED: None, "tests/properties/seeds/length/2": "2"}, {SEED}),
    "what is protected in part": ({"tests/data/pyproject.toml": "[tool.black]\n"}, {"tests/data/pyproject.toml"}),
    "a golden": ({GOLDEN: "new", **rows((LOCKED, edited(LOCKED, sha256("header"), sha256("new"))))}, set()),
    "a new seed": ({"tests/properties/seeds/length/2": "2"}, set()),
    "a new draft": (
        {
            LEDGER: ledger(*ROWS, edited(DRAFT, "test_strip", "test_more")),
            "tests/agent_drafts/test_prefix.py": "def test_strip(): pass\ndef test_more(): pass\n",
        },
        set(),
    ),
    "what a row names": (
        {
            "tests/data/rows.txt": "2",
            LEDGER: ledger(*ROWS, NAMING),
        },
        set(),
    ),
    "production": ({"src/app.py": "x = 2\n"}, set()),
}
every_edit = pytest.mark.parametrize(("edit", "wanted"), EDITED.values(), ids=EDITED)


@every_edit
@pytest.mark.parametrize("trailers", [(), (SIGNALLED,)], ids=["human", "agent"])
def test_what_has_to_be_approved(repo: Repo, edit: Edit, wanted: set[str], trailers: tuple[str, ...]) -> None:
    project = Project(repo, TESTS)
    report = project.ranged(edit, trailers=trailers)
    assert {item.subject for item in report.items if item.kind == "file"} >= wanted
    if not trailers:
        assert {item.subject for item in report.items if item.kind == "file"} == wanted
    if report.items:
        assert report.state is not State.PASS
        repo.commit(files(ack(contract(repo))))
        assert ranged(repo).state is State.PASS, ranged(repo).findings


@pytest.mark.parametrize("actor", [HUMAN, AGENT], ids=["human", "agent"])
def test_a_commit_is_let_be(repo: Repo, actor: Actor) -> None:
    report = Project(repo, TESTS).staged(EDITED["where agents may write"][0], actor)
    assert (report.state, states(report, "test-edited")) == (State.PASS, {State.PASS})


def test_an_agent_waits_where_it_may_write_and_is_refused_elsewhere(repo: Repo) -> None:
    project = Project(repo, TESTS)
    report = project.ranged(EDITED["where agents may write"][0], trailers=(SIGNALLED,))
    assert (report.state, states(report, "test-edited")) == (State.UNSCORED, {State.UNSCORED})
    repo.commit(EDITED["a test"][0], trailers=(SIGNALLED,))
    assert ranged(repo).state is State.FAIL


@pytest.mark.parametrize("on", [True, False])
def test_bases_policy_decides(repo: Repo, on: bool) -> None:
    """Neither does a change switch it off for itself, nor on."""
    other = str(ON).replace("true", "false")
    project = Project(repo, {**TESTS, "ledgergate.toml": ON if on else other})
    report = project.ranged({**EDITED["a test"][0], "ledgergate.toml": other if on else ON})
    assert (PARSE in {item.subject for item in report.items}) is on


def test_a_link_waits_and_no_ack_answers_it(repo: Repo) -> None:
    """Its bytes are not those that a test would read."""
    Project(repo, TESTS)
    repo.git("checkout", "-q", "-b", "topic")
    repo.stage_blob("tests/data/rows.txt", b"../../src/app.py", "120000")
    repo.git("commit", "-q", "-m", "a link")
    items = contract(repo)
    assert {item.subject for item in items} == {"tests/data/rows.txt"}
    repo.git("reset", "-q", "--hard")
    repo.commit(files(ack(items)))
    assert ranged(repo).state is State.UNSCORED


def test_an_edit_after_the_approval_voids_it(repo: Repo) -> None:
    Project(repo, TESTS).ranged(EDITED["a test"][0])
    repo.commit(files(ack(contract(repo), signer=KIM)))
    assert ranged(repo).state is State.PASS
    repo.commit({PARSE: "def test_header(): pass\n"})
    assert ranged(repo).state is not State.PASS
