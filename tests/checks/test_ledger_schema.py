"""Head's ledgers and policy are well-formed, whoever made them; a broken one is never a pass."""

from __future__ import annotations

import pytest

from ledgergate.values import Actor, State
from support.project import (
    AGENT,
    BASE,
    DRAFT,
    FREEZE,
    FREEZES,
    GOLDEN,
    HUMAN,
    LEDGER,
    LOCKED,
    PROPERTY,
    QUARANTINE,
    ROWS,
    Edit,
    Project,
    edited,
    freezes,
    ledger,
    rules,
    states,
)
from support.repo import Repo

ONLY = "ledger-schema"


def row(text: str) -> Edit:
    return {LEDGER: ledger(*ROWS, text)}


NEW_DRAFT = edited(DRAFT, "test_strip", "test_again")

# (name, edit, rule, state)
BROKEN: list[tuple[str, Edit, str, State]] = [
    ("no YAML", {LEDGER: "version: 1\nrows: [\n"}, "ledger-unreadable", State.UNSCORED),
    ("empty", {LEDGER: ""}, "ledger-unreadable", State.UNSCORED),
    ("no version", {LEDGER: "rows: []\n"}, "ledger-unreadable", State.UNSCORED),
    ("two documents", {LEDGER: ledger(*ROWS) + "---\nversion: 1\nrows: []\n"}, "ledger-unreadable", State.UNSCORED),
    ("binary", {LEDGER: b"\x00\xff"}, "ledger-unreadable", State.UNSCORED),
    ("removed", {LEDGER: None}, "ledger-missing", State.UNSCORED),
    ("doubled id", row(LOCKED), "row-duplicate", State.FAIL),
    ("unknown class", row(edited(NEW_DRAFT, "class: draft", "class: drafty")), "row-invalid", State.FAIL),
    ("unknown field", row(NEW_DRAFT + "    colour: red\n"), "row-invalid", State.FAIL),
    (
        "draft without its contract",
        row(edited(NEW_DRAFT, "    invariant: prefix_is_idempotent\n", "")),
        "row-invalid",
        State.FAIL,
    ),
    (
        "draft outside the drafts folder",
        row(edited(NEW_DRAFT, "tests/agent_drafts/test_prefix.py", "tests/test_new.py")),
        "row-invalid",
        State.FAIL,
    ),
    (
        "opened in the future",
        row(edited(edited(QUARANTINE, "test_reload", "x"), "2026-09-10", "2026-12-02")),
        "row-invalid",
        State.FAIL,
    ),
    (
        "artifact outside",
        row(edited(edited(LOCKED, "test_header", "x"), GOLDEN, "../x")),
        "artifact-outside",
        State.FAIL,
    ),
    (
        "classified id among drafts",
        row(edited(LOCKED, "tests/test_parse.py", "tests/agent_drafts/test_x.py")),
        "row-invalid",
        State.FAIL,
    ),
    (
        "classified artifact among drafts",
        row(edited(edited(LOCKED, "test_header", "x"), GOLDEN, "tests/agent_drafts/x")),
        "row-invalid",
        State.FAIL,
    ),
    (
        "classified seeds among drafts",
        row(edited(edited(PROPERTY, "test_length", "x"), "tests/properties/seeds/length/", "tests/agent_drafts/s/")),
        "row-invalid",
        State.FAIL,
    ),
    ("no JSON", {FREEZES: "{"}, "freeze-unreadable", State.UNSCORED),
    ("doubled key", {FREEZES: '{"schema": "a", "schema": "b"}'}, "freeze-unreadable", State.UNSCORED),
    ("freezes removed", {FREEZES: None}, "ledger-missing", State.UNSCORED),
    ("no required lane", {FREEZES: freezes(FREEZE).replace('"fixtures"\n', "\n", 1)}, "freeze-invalid", State.FAIL),
    (
        "freeze too long",
        {FREEZES: freezes({**FREEZE, "expires_utc": "2027-01-01T00:00:00Z"})},
        "freeze-invalid",
        State.FAIL,
    ),
    ("no TOML", {"ledgergate.toml": "version = "}, "policy-unreadable", State.UNSCORED),
    ("unknown key", {"ledgergate.toml": "version = 1\ngolden = []\n"}, "policy-unreadable", State.UNSCORED),
    (
        "no signal",
        {"ledgergate.toml": 'version = 1\n[identity]\nagents = ["x"]\n'},
        "policy-unreadable",
        State.UNSCORED,
    ),
]


@pytest.mark.parametrize("actor", [AGENT, HUMAN], ids=["agent", "human"])
@pytest.mark.parametrize(("edit", "rule", "state"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN])
def test_broken_whoever_made_it(repo: Repo, edit: Edit, rule: str, state: State, actor: Actor) -> None:
    report = Project(repo).staged(edit, actor, only=ONLY)
    assert states(report, rule) == {state}
    seen = next(finding for finding in report.findings if finding.rule == rule)
    assert seen.path in edit
    assert seen.message
    assert seen.remedy


@pytest.mark.parametrize(("path", "shown"), [(LEDGER, "`rows: []`"), (FREEZES, '"schema": "freeze-ledger.v1"')])
def test_what_never_was_there_is_not_to_be_brought_back(repo: Repo, path: str, shown: str) -> None:
    project = Project(repo, {key: value for key, value in BASE.items() if key != path})
    base = repo.git("rev-parse", "HEAD")
    for report in (project.staged({"src/more.py": "x = 1\n"}), project.between(base, repo.commit({"a": "1"}))):
        (seen,) = (finding for finding in report.findings if finding.rule == "ledger-missing" and finding.path == path)
        assert shown in seen.remedy
        assert "git restore" not in seen.remedy


ALL_OF_IT: Edit = {LEDGER: None, FREEZES: None, "ledgergate.toml": None}


@pytest.mark.parametrize(("actor", "state"), [(AGENT, State.FAIL), (HUMAN, State.PASS)], ids=["agent", "human"])
def test_whoever_takes_all_of_it_away_is_asked_for_nothing_that_was_there(
    repo: Repo, actor: Actor, state: State
) -> None:
    report = Project(repo).staged(ALL_OF_IT, actor)
    assert report.state is state
    told = rules((*report.findings, *report.notes))
    assert told >= {"policy-edited", "row-removed", "freeze-edited"}
    assert told.isdisjoint({"ledger-missing", "golden-unclassified"})


@pytest.mark.parametrize("path", [LEDGER, FREEZES, "ledgergate.toml", ".ledgergate/allowed_signers"])
@pytest.mark.parametrize("mode", ["120000", "160000"], ids=["link", "submodule"])
def test_what_rules_must_be_a_regular_file(repo: Repo, path: str, mode: str) -> None:
    project = Project(repo)
    oid = repo.git("rev-parse", "HEAD" if mode == "160000" else f"HEAD:{path}")
    repo.git("update-index", "--cacheinfo", f"{mode},{oid},{path}")
    assert project.staged({}, HUMAN, only=ONLY).state is State.UNSCORED


@pytest.mark.parametrize("path", [LEDGER, FREEZES, "ledgergate.toml", ".ledgergate/allowed_signers"])
def test_nor_a_folder(repo: Repo, path: str) -> None:
    project = Project(repo)
    report = project.staged({path: None}, HUMAN)
    repo.stage_blob(f"{path}/x", b"version = 1\n")
    report = project.staged({}, HUMAN)
    assert report.state is not State.PASS


SOUND: list[tuple[str, Edit]] = [
    ("an empty ledger", {LEDGER: ledger()}),
    ("a new draft", row(NEW_DRAFT)),
    (
        "a draft of a golden",
        row(
            edited(
                edited(NEW_DRAFT, "property", "locked_fixture"),
                "invariant: prefix_is_idempotent",
                "artifact: tests/agent_drafts/g.bin",
            )
        ),
    ),
    ("opened today", row(edited(edited(QUARANTINE, "test_reload", "x"), "2026-09-10", "2026-12-01"))),
    ("no freezes", {FREEZES: freezes()}),
    ("an old freeze that outlasts the limit", {"src/app.py": "x = 2\n"}),
]


@pytest.mark.parametrize("edit", [case[1] for case in SOUND], ids=[case[0] for case in SOUND])
def test_sound(repo: Repo, edit: Edit) -> None:
    base = {**BASE, FREEZES: freezes({**FREEZE, "expires_utc": "2027-06-01T00:00:00Z"})}
    assert Project(repo, base).staged(edit, HUMAN, only=ONLY).findings == ()


@pytest.mark.parametrize(("limit", "stale"), [(0, False), (81, True), (82, False)])
def test_stale_quarantine(repo: Repo, limit: int, stale: bool) -> None:
    policy = f"version = 1\n[quarantine]\nmax_age_days = {limit}\n"
    project = Project(repo, {**BASE, "ledgergate.toml": policy})
    # Whoever commits something else is told, and can go on.
    assert states(project.staged({"src/app.py": "x = 2\n"}, HUMAN, only=ONLY), "quarantine-stale") == (
        {State.PASS} if stale else set()
    )
    touched = project.staged({LEDGER: ledger(*ROWS).replace("order-dependent", "unknown")}, HUMAN, only=ONLY)
    assert states(touched, "quarantine-stale") == ({State.UNSCORED} if stale else set())
    repo.git("reset", "-q", "--hard")
    ranged = project.ranged({"src/app.py": "x = 2\n"}, only=ONLY)
    assert states(ranged, "quarantine-stale") == ({State.UNSCORED} if stale else set())


class TestSeveralLedgers:
    POLICY = 'version = 1\nledger = ["tests/ledger.yaml", "services/*/ledger.yaml"]\n'

    @pytest.fixture
    def project(self, repo: Repo) -> Project:
        return Project(repo, {**BASE, "ledgergate.toml": self.POLICY, "services/a/ledger.yaml": ledger()})

    def test_an_id_has_one_row_in_all_of_them(self, project: Project) -> None:
        report = project.staged({"services/b/ledger.yaml": ledger(LOCKED)}, HUMAN)
        assert states(report, "row-duplicate") == {State.FAIL}

    def test_a_new_ledger_of_drafts_is_an_append(self, project: Project) -> None:
        assert project.staged({"services/b/ledger.yaml": ledger(NEW_DRAFT)}, AGENT).findings == ()

    def test_a_row_that_moves_to_another_ledger_is_no_change(self, project: Project) -> None:
        edit = {LEDGER: ledger(*ROWS[1:]), "services/a/ledger.yaml": ledger(LOCKED)}
        report = project.staged(edit, AGENT)
        assert (report.findings, report.items) == ((), ())

    def test_a_removed_ledger_loses_its_rows(self, project: Project) -> None:
        project.repo.commit({"services/a/ledger.yaml": ledger(edited(LOCKED, "test_header", "test_a"))})
        report = project.staged({"services/a/ledger.yaml": None}, AGENT)
        assert states(report, "row-removed") == {State.FAIL}

    def test_a_ledger_that_the_change_itself_declares_counts(self, repo: Repo) -> None:
        project = Project(repo)
        edit = {
            "ledgergate.toml": 'version = 1\nledger = ["tests/ledger.yaml", "more.yaml"]\n',
            "more.yaml": ledger(edited(LOCKED, "test_header", "test_more")),
        }
        assert states(project.staged(edit, AGENT), "row-added-classified") == {State.FAIL}
