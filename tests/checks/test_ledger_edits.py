"""The table of changes, cell by cell: each difference that belongs to a human, by who made it and how it arrives."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ledgergate.values import Actor, Report, State
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
    OTHER_LOCKED,
    OTHER_SIGNERS,
    PROPERTY,
    QUARANTINE,
    ROWS,
    SEED,
    SIGNALLED,
    Edit,
    Project,
    edited,
    freezes,
    ledger,
    rows,
    sha256,
    states,
)
from support.repo import Repo

NEW_LOCKED = edited(edited(LOCKED, "test_header", "test_new"), GOLDEN, "tests/goldens/new.bin")
RENAMED = edited(LOCKED, "test_header", "test_heading")


# (name, edit, rule, subject)
HUMANS = [
    (
        "row added",
        {LEDGER: ledger(*ROWS, NEW_LOCKED), "tests/goldens/new.bin": "header"},
        "row-added-classified",
        "tests/test_parse.py::test_new",
    ),
    (
        "class changed",
        rows((PROPERTY, edited(QUARANTINE, "test_reload", "test_length"))),
        "class-changed",
        "tests/test_parse.py::test_length",
    ),
    (
        "draft promoted in place",
        rows(
            (
                DRAFT,
                edited(PROPERTY, "tests/test_parse.py::test_length", "tests/agent_drafts/test_prefix.py::test_strip"),
            )
        ),
        "class-changed",
        "tests/agent_drafts/test_prefix.py::test_strip",
    ),
    (
        "golden and digest",
        {GOLDEN: "new", **rows((LOCKED, edited(LOCKED, sha256("header"), sha256("new"))))},
        "digest-changed",
        "tests/test_parse.py::test_header",
    ),
    (
        "artifact moved with its row",
        {
            GOLDEN: None,
            "tests/goldens/moved.bin": "header",
            **rows((LOCKED, edited(LOCKED, GOLDEN, "tests/goldens/moved.bin"))),
        },
        "artifact-changed",
        "tests/test_parse.py::test_header",
    ),
    (
        "invariant",
        rows((PROPERTY, edited(PROPERTY, "non_negative_length", "length"))),
        "invariant-changed",
        "tests/test_parse.py::test_length",
    ),
    (
        "seeds",
        {"tests/properties/seeds/other/1": "1", **rows((PROPERTY, edited(PROPERTY, "seeds/length/", "seeds/other/")))},
        "seeds-changed",
        "tests/test_parse.py::test_length",
    ),
    (
        "quarantine edited",
        rows((QUARANTINE, edited(QUARANTINE, "2026-09-10", "2026-11-30"))),
        "quarantine-edited",
        "tests/test_parse.py::test_reload",
    ),
    ("quarantine removed", rows((QUARANTINE, "")), "quarantine-removed", "tests/test_parse.py::test_reload"),
    ("row removed", rows((PROPERTY, "")), "row-removed", "tests/test_parse.py::test_length"),
    ("row renamed", rows((LOCKED, RENAMED)), "row-removed", "tests/test_parse.py::test_heading"),
    ("params", rows((LOCKED, LOCKED + "    params: 3\n")), "row-edited", "tests/test_parse.py::test_header"),
    (
        "allow_empty",
        rows((LOCKED, LOCKED + "    allow_empty: true\n")),
        "row-edited",
        "tests/test_parse.py::test_header",
    ),
    (
        "landed draft edited",
        rows((DRAFT, edited(DRAFT, "prefix_is_idempotent", "other"))),
        "draft-edited",
        "tests/agent_drafts/test_prefix.py::test_strip",
    ),
    ("landed draft removed", rows((DRAFT, "")), "draft-edited", "tests/agent_drafts/test_prefix.py::test_strip"),
    ("floor lowered", {FREEZES: freezes(FREEZE, floor=0)}, "freeze-edited", FREEZES),
    ("freeze added", {FREEZES: freezes(FREEZE, {**FREEZE, "id": "fx-2"})}, "freeze-edited", "fx-2"),
    ("freeze removed", {FREEZES: freezes()}, "freeze-edited", "fx-1"),
    ("policy", {"ledgergate.toml": 'version = 1\ndrafts = "tests/"\n'}, "policy-edited", "ledgergate.toml"),
    ("policy removed", {"ledgergate.toml": None}, "policy-edited", "ledgergate.toml"),
    (
        "signers",
        {".ledgergate/allowed_signers": OTHER_SIGNERS},
        "signers-edited",
        ".ledgergate/allowed_signers",
    ),
    ("conftest", {"tests/conftest.py": "collect_ignore = ['x']\n"}, "protected-path", "tests/conftest.py"),
    ("nested conftest added", {"src/conftest.py": "x = 1\n"}, "protected-path", "src/conftest.py"),
    (
        "conftest in drafts",
        {"tests/agent_drafts/conftest.py": "x\n"},
        "protected-path",
        "tests/agent_drafts/conftest.py",
    ),
    ("conftest in other case", {"tests/Conftest.py": "x = 1\n"}, "protected-path", "tests/Conftest.py"),
    ("pytest.ini", {"pytest.ini": "[pytest]\n"}, "protected-path", "pytest.ini"),
    ("attributes", {".gitattributes": "* text=auto\n"}, "protected-path", ".gitattributes"),
    ("workflow", {".github/workflows/ci.yml": "on: push\n"}, "protected-path", ".github/workflows/ci.yml"),
    (
        "addopts",
        {"pyproject.toml": str(BASE["pyproject.toml"]).replace("-ra", "-ra --deselect tests/test_parse.py")},
        "protected-path",
        "pyproject.toml",
    ),
    (
        "hooks disarmed",
        {".pre-commit-config.yaml": "repos: []\n"},
        "protected-path",
        ".pre-commit-config.yaml",
    ),
    ("coverage settings", {".coveragerc": "[run]\nomit = *\n"}, "protected-path", ".coveragerc"),
    ("tox settings", {"tox.toml": "x = 1\n"}, "protected-path", "tox.toml"),
    ("a folder named conftest", {"conftest/__init__.py": "x\n"}, "protected-path", "conftest/__init__.py"),
    (
        "a compiled conftest",
        {"tests/conftest.cpython-311.so": "x\n"},
        "protected-path",
        "tests/conftest.cpython-311.so",
    ),
    (
        "a plugin's metadata",
        {"evil.egg-info/entry_points.txt": "[pytest11]\n"},
        "protected-path",
        "evil.egg-info/entry_points.txt",
    ),
    ("live ack removed", {".ledgergate/acks/live.json": None}, "ack-removed", ".ledgergate/acks/live.json"),
    ("ack edited", {".ledgergate/acks/expired.json": "{}"}, "ack-removed", ".ledgergate/acks/expired.json"),
    ("seed removed", {SEED: None, "tests/properties/seeds/length/2": "2"}, "seeds-shrunk", SEED),
    ("seed rewritten", {SEED: "another"}, "seeds-shrunk", SEED),
    (
        "importable seed",
        {"tests/properties/seeds/length/conftest.py": "x"},
        "protected-path",
        "tests/properties/seeds/length/conftest.py",
    ),
    (
        "module among the seeds",
        {"tests/properties/seeds/length/sitecustomize.py": "x"},
        "protected-path",
        "tests/properties/seeds/length/sitecustomize.py",
    ),
]

SEEDS = "tests/properties/seeds/length/"
COLLECTED = ("test_1.txt", "Test1.TXT", "deep/testing.rst", "test.md", "test_a.yaml", "test-a.tavern.yml", "a.feature")
HUMANS += [
    (f"{name} among the seeds", {SEEDS + name: "2"}, "protected-path", SEEDS + name)
    for name in (*COLLECTED, "a.robot", "a.ipynb")
]

Moment = Callable[[Project, Edit], Report]
CELLS: list[tuple[str, Moment, State]] = [
    ("agent stages", lambda project, edit: project.staged(edit, AGENT), State.FAIL),
    ("human stages", lambda project, edit: project.staged(edit, HUMAN), State.PASS),
    ("signalled range", lambda project, edit: project.ranged(edit, trailers=(SIGNALLED,)), State.FAIL),
    ("unsigned range", lambda project, edit: project.ranged(edit), State.UNSCORED),
]


@pytest.mark.parametrize(("moment", "state"), [cell[1:] for cell in CELLS], ids=[cell[0] for cell in CELLS])
@pytest.mark.parametrize(("edit", "rule", "subject"), [case[1:] for case in HUMANS], ids=[case[0] for case in HUMANS])
def test_each_cell_of_the_table(repo: Repo, edit: Edit, rule: str, subject: str, moment: Moment, state: State) -> None:
    report = moment(Project(repo), edit)
    assert states(report, rule) == {state}
    seen = [f for f in (*report.findings, *report.notes) if f.rule == rule]
    assert [f.subject for f in seen] == [subject]
    assert report.contract is not None
    assert subject in {item.subject for item in report.items}
    if state is not State.PASS:
        assert report.state is not State.PASS


def without_owner(row: str) -> str:
    return row.replace("    owner: test-infra\n", "")


# Edits that look alike and are free to an agent.
FREE: list[tuple[str, Edit]] = [
    ("production code", {"src/app.py": "x = 2\n"}),
    (
        "a new draft row and its test",
        {
            LEDGER: ledger(*ROWS, edited(DRAFT, "test_strip", "test_again")),
            "tests/agent_drafts/test_prefix.py": "def test_strip(): pass\ndef test_again(): pass\n",
        },
    ),
    ("rows in another order", {LEDGER: ledger(*reversed(ROWS))}),
    ("comments and blank lines", {LEDGER: ledger(*ROWS).replace("  - id", "\n  # why\n  - id")}),
    ("other quoting", {LEDGER: ledger(*ROWS).replace("reason: order-dependent", 'reason: "order-dependent"')}),
    ("CRLF and BOM", {LEDGER: b"\xef\xbb\xbf" + ledger(*ROWS).replace("\n", "\r\n").encode()}),
    ("freezes re-indented", {FREEZES: freezes(FREEZE).replace("\n ", "\n     ")}),
    ("a grown seed folder", {"tests/properties/seeds/length/2": "2"}),
    *(
        (f"{name} among the seeds", {SEEDS + name: "2"})
        for name in (
            "1.txt",
            "contest.txt",
            "latest.rst",
            "a.test.txt",
            "testing.yaml",
            "case.yml",
            "test_1.bin",
            "test",
        )
    ),
    ("a dotfile among the seeds", {"tests/properties/seeds/length/.note": "2"}),
    ("a dependency added", {"pyproject.toml": str(BASE["pyproject.toml"]).replace('"click>=8"', '"click>=8", "rich"')}),
    ("ruff configured", {"pyproject.toml": str(BASE["pyproject.toml"]) + "[tool.ruff]\nline-length = 99\n"}),
    ("a pin moved", {".pre-commit-config.yaml": str(BASE[".pre-commit-config.yaml"]).replace("v0.1.0", "v0.2.0")}),
    ("an expired ack removed", {".ledgergate/acks/expired.json": None}),
    ("documentation", {"README.md": "better\n", "docs/x.md": "new\n"}),
    ("a file in the drafts folder", {"tests/agent_drafts/test_other.py": "def test_x(): pass\n"}),
    (
        "a second ledger of drafts",
        {
            "ledgergate.toml": BASE["ledgergate.toml"],
            "tests/agent_drafts/data.yaml": ledger(edited(DRAFT, "test_strip", "test_z")),
        },
    ),
]


@pytest.mark.parametrize("edit", [case[1] for case in FREE], ids=[case[0] for case in FREE])
def test_free_to_an_agent(repo: Repo, edit: Edit) -> None:
    report = Project(repo).staged(edit, AGENT)
    assert report.findings == ()
    assert report.state is State.PASS
    assert report.items == ()
    assert report.contract is None


@pytest.mark.parametrize("edit", [case[1] for case in FREE], ids=[case[0] for case in FREE])
def test_free_on_a_range(repo: Repo, edit: Edit) -> None:
    report = Project(repo).ranged(edit, trailers=(SIGNALLED,))
    assert report.findings == ()
    assert report.state is State.PASS


def test_a_seed_that_became_a_link_has_left(repo: Repo) -> None:
    project = Project(repo)
    repo.git("update-index", "--cacheinfo", f"120000,{repo.git('rev-parse', f'HEAD:{SEED}')},{SEED}")
    assert states(project.staged({}, AGENT), "seeds-shrunk") == {State.FAIL}


@pytest.mark.parametrize("path", ["x.egg-info", "conftest", ".circleci", ".github", "tests/agent_drafts/conftest"])
def test_a_link_stands_for_a_protected_folder(repo: Repo, path: str) -> None:
    project = Project(repo)
    repo.stage_blob(path, b"src", mode="120000")
    assert states(project.staged({}, AGENT), "protected-path") == {State.FAIL}


@pytest.mark.parametrize("actor", [AGENT, HUMAN])
@pytest.mark.parametrize("mode", ["100644", "120000", "160000"])
@pytest.mark.parametrize("path", [".ledgergate/acks", ".LedgerGate/acks", ".ledgergate"])
def test_nothing_takes_the_place_of_the_folder_of_acks(repo: Repo, path: str, mode: str, actor: Actor) -> None:
    project = Project(repo)
    oid = repo.git("rev-parse", "HEAD" if mode == "160000" else f"HEAD:{SEED}")
    repo.git("rm", "-q", "-r", "--cached", "--ignore-unmatch", path)
    repo.git("update-index", "--add", "--cacheinfo", f"{mode},{oid},{path}")
    report = project.staged({}, actor)
    assert states(report, "ack-invalid") == {State.FAIL}
    (told,) = (found for found in report.findings if found.rule == "ack-invalid")
    assert (told.path, "git rm -f :PATH" in (told.remedy or "")) == (path, True)


@pytest.mark.parametrize(
    "path", [".ledgergate/acks.md", ".ledgergate/notes", "docs/.ledgergate", "src/acks", ".ledgergater"]
)
def test_neighbours_of_that_folder_are_free(repo: Repo, path: str) -> None:
    assert Project(repo).staged({path: "x"}, AGENT).findings == ()


def test_what_took_its_place_before_may_go(repo: Repo) -> None:
    others = {path: content for path, content in BASE.items() if not path.startswith(".ledgergate/acks/")}
    project = Project(repo, {**others, ".ledgergate/acks": "x"})
    assert project.staged({".ledgergate/acks": None}, AGENT).findings == ()


@pytest.mark.parametrize("path", ["docs/conftest.md", "src/myconftest.py", "src/egg-info.py", "docs/circleci.md"])
def test_neighbours_of_protected_names_are_free(repo: Repo, path: str) -> None:
    assert Project(repo).staged({path: "x"}, AGENT).findings == ()


def test_the_mode_of_a_seed_is_not_its_content(repo: Repo) -> None:
    project = Project(repo)
    repo.git("update-index", "--chmod=+x", SEED)
    assert project.staged({}, AGENT).findings == ()


def test_a_row_that_gains_two_faults_is_two_findings_and_one_item(repo: Repo) -> None:
    both = edited(edited(LOCKED, sha256("header"), sha256("new")), GOLDEN, "tests/goldens/moved.bin")
    report = Project(repo).staged({GOLDEN: None, "tests/goldens/moved.bin": "new", **rows((LOCKED, both))})
    assert {"digest-changed", "artifact-changed"} <= {finding.rule for finding in report.findings}
    assert [item.subject for item in report.items] == ["tests/test_parse.py::test_header"]


def test_a_rename_is_one_finding_that_names_both_ids_and_two_items(repo: Repo) -> None:
    report = Project(repo).staged(rows((LOCKED, RENAMED)))
    (removed,) = [finding for finding in report.findings if finding.rule == "row-removed"]
    assert (removed.old, removed.new) == ("tests/test_parse.py::test_header", "tests/test_parse.py::test_heading")
    assert [(item.subject, item.old is None) for item in report.items] == [
        ("tests/test_parse.py::test_header", False),
        ("tests/test_parse.py::test_heading", True),
    ]


class TestDrafts:
    """An agent's own draft is free until it has reached the branch that it is meant for."""

    @pytest.fixture
    def project(self, repo: Repo) -> Project:
        project = Project(repo, {**BASE, LEDGER: ledger(LOCKED, OTHER_LOCKED, PROPERTY, QUARANTINE)})
        repo.git("checkout", "-q", "-b", "topic")
        repo.commit({LEDGER: ledger(*ROWS)}, "a draft")
        return project

    def test_not_landed_yet_and_the_agents_own(self, project: Project) -> None:
        assert project.staged(rows((DRAFT, edited(DRAFT, "prefix_is_idempotent", "better")))).findings == ()

    def test_not_landed_yet_and_removed(self, project: Project) -> None:
        assert project.staged(rows((DRAFT, ""))).findings == ()

    def test_not_landed_yet_and_a_humans(self, project: Project) -> None:
        project.repo.commit(rows((DRAFT, edited(DRAFT, "source: agent", "source: human"))))
        report = project.staged(rows((DRAFT, "")))
        assert states(report, "draft-edited") == {State.FAIL}

    def test_landed(self, project: Project) -> None:
        project.repo.git("branch", "-f", "main", "topic")
        report = project.staged(rows((DRAFT, "")))
        assert states(report, "draft-edited") == {State.FAIL}


SHADOWING = [
    ("a test that base defines", "tests/test_parse.py::test_without_row"),
    ("a parameter of it", "tests/test_parse.py::test_without_row[a::b]"),
    ("an inherited test", "tests/test_parse.py::TestChild::test_base"),
    ("a test with a row", "tests/test_parse.py::test_header[x]"),
    ("a quarantined test", "tests/test_parse.py::test_reload[x]"),
]


@pytest.mark.parametrize("actor", [AGENT, HUMAN], ids=["agent", "human"])
@pytest.mark.parametrize("test_id", [case[1] for case in SHADOWING], ids=[case[0] for case in SHADOWING])
def test_a_draft_may_not_shadow(repo: Repo, test_id: str, actor: object) -> None:
    draft = edited(DRAFT, "tests/agent_drafts/test_prefix.py::test_strip", f"'{test_id}'")
    report = Project(repo).staged({LEDGER: ledger(*ROWS, draft)}, actor)  # type: ignore[arg-type]
    assert states(report, "row-shadowed") == {State.FAIL}


@pytest.mark.parametrize(
    "test_id",
    [
        "tests/test_parse.py::test_brand_new",
        "tests/test_parse.py::TestChild::test_new",
        "tests/test_new.py::test_header",
    ],
)
def test_a_draft_for_a_new_test_shadows_nothing(repo: Repo, test_id: str) -> None:
    draft = edited(DRAFT, "tests/agent_drafts/test_prefix.py::test_strip", test_id)
    project = Project(repo, {**BASE, "ledgergate.toml": "version = 1\nagent_new_tests = true\n"})
    assert states(project.staged({LEDGER: ledger(*ROWS, draft)}), "row-shadowed") == set()


def test_an_old_draft_is_not_judged_again(repo: Repo) -> None:
    draft = edited(DRAFT, "tests/agent_drafts/test_prefix.py::test_strip", "tests/test_parse.py::test_without_row")
    project = Project(repo, {**BASE, LEDGER: ledger(*ROWS, draft)})
    assert project.staged({"src/app.py": "x = 3\n"}).findings == ()


class TestRangeAttribution:
    """A difference is an agent's where a commit that made it carries a signal; another commit's signal is not it."""

    def test_only_the_commits_that_made_it_count(self, repo: Repo) -> None:
        project = Project(repo)
        repo.git("checkout", "-q", "-b", "topic")
        repo.commit(rows((QUARANTINE, "")), "a human's")
        repo.commit({"src/app.py": "x = 5\n", "tests/agent_drafts/y.py": ""}, "an agent's", trailers=(SIGNALLED,))
        report = project.between("main", "topic")
        assert states(report, "quarantine-removed") == {State.UNSCORED}

    def test_another_row_of_the_same_file_is_another_difference(self, repo: Repo) -> None:
        project = Project(repo)
        repo.git("checkout", "-q", "-b", "topic")
        repo.commit(rows((QUARANTINE, "")), "a human's")
        changed = edited(PROPERTY, "non_negative_length", "x")
        repo.commit(rows((QUARANTINE, ""), (PROPERTY, changed)), "an agent's", trailers=(SIGNALLED,))
        report = project.between("main", "topic")
        assert states(report, "quarantine-removed") == {State.UNSCORED}
        assert states(report, "invariant-changed") == {State.FAIL}
        assert report.actor.kind == "agent"

    def test_an_agents_change_taken_back_is_no_difference(self, repo: Repo) -> None:
        project = Project(repo)
        repo.git("checkout", "-q", "-b", "topic")
        repo.commit(rows((QUARANTINE, "")), "an agent's", trailers=(SIGNALLED,))
        repo.commit({LEDGER: ledger(*ROWS)}, "taken back")
        assert project.between("main", "topic").state is State.PASS

    def test_a_merge_by_an_agent_is_not_the_author_of_what_it_merges(self, repo: Repo) -> None:
        project = Project(repo)
        repo.git("checkout", "-q", "-b", "human")
        repo.commit(rows((QUARANTINE, "")), "a human's")
        repo.git("checkout", "-q", "-b", "topic", "main")
        repo.commit({"src/app.py": "x = 5\n"}, "an agent's", trailers=(SIGNALLED,))
        repo.git("merge", "-q", "--no-ff", "-m", f"merge\n\n{SIGNALLED}", "human")
        report = project.between("main", "topic")
        assert states(report, "quarantine-removed") == {State.UNSCORED}

    @pytest.mark.parametrize("path", [LEDGER, "tests/test_parse.py"])
    def test_a_merge_by_an_agent_that_undoes_a_humans_change_is_the_agents(self, repo: Repo, path: str) -> None:
        project = Project(repo)
        repo.git("checkout", "-q", "-b", "topic")
        repo.commit({"src/app.py": "x = 5\n"}, "code")
        repo.git("checkout", "-q", "main")
        humans = {LEDGER: ledger(*ROWS, edited(LOCKED, "test_header", "test_more")), "tests/test_parse.py": "x = 1\n"}
        repo.commit({path: humans[path]}, "a human's")
        repo.git("checkout", "-q", "topic")
        repo.git("merge", "-q", "-s", "ours", "-m", f"merge\n\n{SIGNALLED}", "main")
        report = project.between("main", "topic")
        assert report.state is State.FAIL
        assert report.actor.kind == "agent"


@pytest.mark.parametrize(
    ("path", "mode", "refused"),
    [
        ("pytest.py", "100644", True),
        ("bin/git", "100755", True),
        ("bin/git", "100644", False),
        ("yaml", "120000", True),
        ("src/app/yaml.py", "100644", True),
        ("src/yamlish.py", "100644", False),
    ],
)
def test_new_files_in_place_of_what_runs_the_tests(repo: Repo, path: str, mode: str, refused: bool) -> None:
    project = Project(repo)
    repo.stage_blob(path, b"src", mode=mode)
    found = states(project.staged({}, AGENT), "protected-path")
    assert found == ({State.FAIL} if refused else set())
    repo.commit(message="a human's")
    repo.stage_blob(path, b"other", mode=mode)
    assert states(project.staged({}, AGENT), "protected-path") == set()


def test_a_file_that_becomes_a_program(repo: Repo) -> None:
    project = Project(repo)
    repo.stage_blob("bin/git", b"src")
    repo.commit(message="not to be run")
    repo.stage_blob("bin/git", b"src", mode="100755")
    assert states(project.staged({}, AGENT), "protected-path") == {State.FAIL}


def test_settings_of_pytest_under_another_name(repo: Repo) -> None:
    project = Project(repo)
    edit: Edit = {"ci.ini": "[pytest]\naddopts = -k none\n", "app.ini": "[app]\nx = 1\n"}
    report = project.staged(edit, AGENT)
    assert [found.path for found in report.findings] == ["ci.ini"]
