"""`write-path`: where agents may edit tests."""

from __future__ import annotations

import pytest

from ledgergate.report.remedy import filled_remedy
from ledgergate.values import Actor, State
from support.project import (
    AGENT,
    BASE,
    DRAFT,
    GOLDEN,
    HUMAN,
    LEDGER,
    LOCKED,
    OTHER_LOCKED,
    PROPERTY,
    QUARANTINE,
    ROWS,
    SEED,
    SIGNALLED,
    TEST_FILE,
    Edit,
    Project,
    ledger,
    sha256,
    states,
)
from support.repo import Repo

KEPT: list[tuple[str, Edit]] = [
    (
        "a test edited",
        {"tests/test_parse.py": TEST_FILE.replace("def test_header(): pass", "def test_header(): x = 1")},
    ),
    ("a test removed", {"tests/test_free.py": None}),
    ("a test added", {"tests/test_new.py": "def test_x(): pass\n"}),
    ("a helper", {"tests/helpers.py": "x = 1\n"}),
    ("a golden without a row removed", {"tests/goldens/unlisted.bin": None}),
    ("settings that steer nothing, among the tests", {"tests/data/setup.cfg": "[metadata]\nname = x\n"}),
    ("the folder in other case", {"Tests/test_x.py": "x\n"}),
]
LEFT_ALONE: list[tuple[str, Edit]] = [
    ("the drafts folder", {"tests/agent_drafts/test_x.py": "def test_x(): pass\n"}),
    ("production", {"src/app.py": "x = 2\n"}),
    ("grown seeds", {"tests/properties/seeds/length/2": "2"}),
    ("a pinned golden, which its digest judges", {GOLDEN: "new"}),
    ("a seed rewritten, which seeds-shrunk judges", {SEED: "2"}),
    ("a protected file, which protected-path judges", {"tests/conftest.py": "x = 1\n"}),
    ("an ack added", {".ledgergate/acks/new.json": "{}"}),
]


DOCUMENTED = 'def due(prices):\n    """Add up.\n\n    >>> due([2])\n    2\n    """\n    return sum(prices)\n'


@pytest.mark.parametrize(
    ("settings", "state"),
    [("[pytest]\naddopts = --doctest-modules\n", State.FAIL), ("[pytest]\naddopts = -ra\n", State.PASS)],
)
def test_examples_count_where_they_are_run(repo: Repo, settings: str, state: State) -> None:
    project = Project(repo, {**BASE, "pytest.ini": settings, "src/till.py": DOCUMENTED})
    edit: Edit = {"src/till.py": DOCUMENTED.replace("due([2])\n", "due([2])  # doctest: +SKIP\n")}
    report = project.staged(edit, AGENT, only="test-guard")
    assert (report.state, states(report, "skip-added")) == (state, {state} if state is State.FAIL else set())


@pytest.mark.parametrize(
    ("options", "state"),
    [
        ("-m 'not slow'", State.UNSCORED),
        ("-m 'not slow and not net'", State.UNSCORED),
        ("-m 'not due'", State.FAIL),
        ("-m 'not slow and not due'", State.FAIL),
        ("-m 'slow'", State.FAIL),
        ("-m 'not slow or net'", State.FAIL),
        ("-k 'not slow'", State.FAIL),
    ],
)
def test_marks_that_no_old_test_has(repo: Repo, options: str, state: State) -> None:
    test = "import pytest\n\n\n@pytest.mark.due\ndef test_due():\n    assert sum([2]) == 2\n"
    project = Project(repo, {**BASE, "pytest.ini": "[pytest]\naddopts = -ra\n", "tests/test_due.py": test})
    edit: Edit = {"pytest.ini": f"[pytest]\naddopts = -ra {options}\n"}
    assert states(project.staged(edit, AGENT, only="test-guard"), "collection-changed") == {state}


SCRIPT = "import subprocess, sys\n\ncode = subprocess.call([sys.executable, '-m', 'pytest'])\nsys.exit(code)\n"


@pytest.mark.parametrize(
    ("path", "old", "new", "state"),
    [
        ("compose.yml", "command: pytest -q\n", "command: sh -c 'pytest -q || true'\n", State.FAIL),
        ("docker-compose.test.yml", "command: pytest -q\n", "command: pytest -q || true\n", State.FAIL),
        ("docker/Dockerfile", "RUN pytest -q\n", "RUN pytest -q; exit 0\n", State.FAIL),
        ("Dockerfile", "RUN pytest -q\n", "RUN pytest -q -ra\n", State.PASS),
        ("tasks.py", "run('pytest')\n", "run('pytest || true')\n", State.FAIL),
        ("scripts/run_tests.py", SCRIPT, SCRIPT.replace("sys.exit(code)", "print(code)"), State.UNSCORED),
        ("run_tests.py", SCRIPT, SCRIPT.replace("sys.exit(code)", "raise SystemExit(code)"), State.PASS),
        ("src/run.py", SCRIPT, SCRIPT.replace("sys.exit(code)", "print(code)"), State.PASS),
    ],
)
def test_what_runs_tests_outside_of_ci(repo: Repo, path: str, old: str, new: str, state: State) -> None:
    report = Project(repo, {**BASE, path: old}).staged({path: new}, AGENT, only="test-guard")
    assert states(report, "collection-changed") == (set() if state is State.PASS else {state})


@pytest.mark.parametrize(
    ("file", "settings", "state"),
    [
        ("pytest.ini", "[pytest]\naddopts = -m 'not slow'\n", State.UNSCORED),
        ("pytest.ini", "[pytest]\naddopts = -k 'not slow'\n", State.UNSCORED),
        ("pyproject.toml", "[tool.pytest.ini_options]\naddopts = \"-m 'not slow'\"\n", State.UNSCORED),
        ("pyproject.toml", '[tool.pytest.ini_options]\naddopts = ["-m", "not slow"]\n', State.UNSCORED),
        ("pytest.ini", "[pytest]\naddopts = -ra\n", State.PASS),
    ],
)
def test_marks_count_where_they_are_left_out(repo: Repo, file: str, settings: str, state: State) -> None:
    test = "import pytest\n\n\ndef test_due():\n    assert sum([2]) == 2\n"
    policy = 'version = 1\nagent_write_paths = ["tests/unit/**"]\n'
    base = {**BASE, "ledgergate.toml": policy, file: settings, "tests/unit/test_due.py": test}
    project = Project(repo, base)
    edit: Edit = {"tests/unit/test_due.py": test.replace("def test", "@pytest.mark.slow\ndef test")}
    report = project.staged(edit, AGENT, only="test-guard")
    found = states(report, "skip-added")
    assert found == ({state} if state is State.UNSCORED else set())


SKIPPED = "import pytest\n\n\nclass TestDue:\n    def test_due(self):\n        assert sum([2]) == 2\n"


@pytest.mark.parametrize(
    ("new", "named"),
    [
        (
            SKIPPED.replace("    def", "    @pytest.mark.skip\n    def"),
            "quarantine tests/unit/test_due.py::TestDue::test_due ",
        ),
        (SKIPPED.replace("class", "@pytest.mark.skip\nclass"), "quarantine FILE::TEST... "),
        (SKIPPED.replace("\n\n\n", "\n\npytestmark = pytest.mark.skip\n\n"), "quarantine FILE::TEST... "),
        (f"{SKIPPED}\n@pytest.fixture(autouse=True)\ndef given():\n    pytest.skip()\n", "quarantine FILE::TEST... "),
    ],
    ids=["a test", "a class", "a file", "a fixture"],
)
def test_what_goes_into_quarantine_is_tests(repo: Repo, new: str, named: str) -> None:
    policy = 'version = 1\nagent_write_paths = ["tests/unit/**"]\n'
    project = Project(repo, {**BASE, "ledgergate.toml": policy, "tests/unit/test_due.py": SKIPPED})
    report = project.staged({"tests/unit/test_due.py": new}, AGENT, only="test-guard")
    (found,) = [one for one in report.findings if one.rule == "skip-added"]
    assert f"`ledgergate {named}--owner" in filled_remedy([found])


@pytest.mark.parametrize(
    "text",
    ["tool = 1", "[tool]\npytest = 1", "[tool.pytest]\nini_options = [1]", "a" + ".b" * 50_000 + " = 1"],
    ids=["no tables", "no table of pytest", "no table of options", "an endless key"],
)
@pytest.mark.parametrize("turned", [False, True], ids=["came", "went"])
def test_settings_that_nobody_can_read_wait_for_a_human(repo: Repo, text: str, turned: bool) -> None:
    broken, sound = f"{text}\n", "[project]\nname = 'x'\n"
    old, new = (broken, sound) if turned else (sound, broken)
    project = Project(repo, {**BASE, "pyproject.toml": old})
    report = project.staged({"pyproject.toml": new}, AGENT)
    assert report.state is not State.PASS
    assert all(seen.rule != "internal-error" for seen in report.findings)


DRAFT_FILE = "tests/agent_drafts/test_prefix.py"


def test_a_draft_row_without_its_file_is_a_note(repo: Repo) -> None:
    for actor in (AGENT, HUMAN):
        report = Project(repo).staged({DRAFT_FILE: None}, actor, only="test-guard")
        assert (states(report, "test-removed"), report.state) == ({State.PASS}, State.PASS)
        assert f"{DRAFT_FILE} goes, and the draft row of this test stays." in {note.message for note in report.notes}


def test_a_draft_that_goes_with_its_row_is_none(repo: Repo) -> None:
    edit = {DRAFT_FILE: None, LEDGER: ledger(*(row for row in ROWS if row != DRAFT))}
    assert states(Project(repo).staged(edit, HUMAN, only="test-guard"), "test-removed") == set()


@pytest.fixture
def project(repo: Repo) -> Project:
    return Project(repo, {**BASE, "tests/goldens/unlisted.bin": "x", "tests/test_free.py": "def test_free(): pass\n"})


@pytest.mark.parametrize("edit", [case[1] for case in KEPT], ids=[case[0] for case in KEPT])
def test_an_agent_is_refused(project: Project, edit: Edit) -> None:
    assert states(project.staged(edit, AGENT, only="test-guard"), "write-path") == {State.FAIL}


@pytest.mark.parametrize("edit", [case[1] for case in KEPT], ids=[case[0] for case in KEPT])
def test_for_a_human_it_is_a_note(project: Project, edit: Edit) -> None:
    report = project.staged(edit, HUMAN, only="test-guard")
    assert states(report, "write-path") == {State.PASS}
    assert report.state is State.PASS


@pytest.mark.parametrize("edit", [case[1] for case in KEPT], ids=[case[0] for case in KEPT])
def test_on_a_range_signals_decide(project: Project, edit: Edit) -> None:
    assert states(project.ranged(edit, only="test-guard"), "write-path") == set()
    project.repo.git("commit", "-q", "--amend", "--no-verify", "-m", f"edit\n\n{SIGNALLED}")
    assert states(project.between("main", "topic", only="test-guard"), "write-path") == {State.FAIL}


FLAKY_GOLDEN = "tests/goldens/reload.bin"
FLAKY = QUARANTINE.replace("    opened", f"    artifact: {FLAKY_GOLDEN}\n    opened")
PINNED_BY_ANOTHER = LOCKED.replace(GOLDEN, FLAKY_GOLDEN).replace(sha256("header"), sha256("reload"))


@pytest.fixture
def flaky(repo: Repo) -> Project:
    """A project with a quarantined test that a golden waits for, where agents may edit every test."""
    files = {FLAKY_GOLDEN: "reload", LEDGER: ledger(FLAKY, OTHER_LOCKED, PROPERTY, DRAFT)}
    return Project(repo, {**BASE, **files, "ledgergate.toml": 'version = 1\nagent_write_paths = ["tests/**"]\n'})


@pytest.mark.parametrize("new", ["loaded", None], ids=["edited", "removed"])
def test_the_golden_of_a_quarantined_test_waits_as_it_is(flaky: Project, new: str | None) -> None:
    report = flaky.staged({FLAKY_GOLDEN: new}, AGENT)
    assert states(report, "write-path") == {State.FAIL}
    assert "in quarantine" in report.findings[0].message
    assert states(flaky.staged({}, HUMAN), "write-path") == {State.PASS}
    flaky.repo.git("checkout", "-q", "-b", "topic")
    flaky.repo.commit(message="an agent's", trailers=(SIGNALLED,))
    assert states(flaky.between("main", "topic"), "write-path") == {State.FAIL}


@pytest.mark.parametrize(
    ("rows", "edit"),
    [
        ((FLAKY, OTHER_LOCKED), {"tests/goldens/unlisted.bin": "x"}),
        ((FLAKY, OTHER_LOCKED), {"tests/test_reload.py": "def test_reload(): assert sum([1]) == 1\n"}),
        ((FLAKY, PINNED_BY_ANOTHER), {FLAKY_GOLDEN: "loaded"}),
    ],
    ids=["another golden", "another test", "one that a digest holds as well"],
)
def test_what_no_quarantined_row_alone_names(repo: Repo, rows: tuple[str, ...], edit: Edit) -> None:
    policy = 'version = 1\nagent_write_paths = ["tests/**"]\n'
    base = {**BASE, FLAKY_GOLDEN: "reload", LEDGER: ledger(*rows), "ledgergate.toml": policy}
    assert states(Project(repo, base).staged(edit, AGENT), "write-path") == set()


@pytest.mark.parametrize("edit", [case[1] for case in LEFT_ALONE], ids=[case[0] for case in LEFT_ALONE])
def test_left_alone(project: Project, edit: Edit) -> None:
    report = project.staged(edit, AGENT, only="test-guard")
    assert (report.findings, report.notes) == ((), ())


@pytest.mark.parametrize(
    ("path", "mode"), [("Tests", "120000"), ("TESTS", "100644"), ("tests/unit/TEST_A.py", "100644")]
)
def test_what_stands_in_the_place_of_tests(repo: Repo, path: str, mode: str) -> None:
    policy = 'version = 1\nagent_write_paths = ["tests/unit/TEST_A.py"]\n'
    project = Project(repo, {**BASE, "ledgergate.toml": policy, "tests/unit/test_a.py": "x = 1\n"})
    repo.stage_blob(path, b"src", mode=mode)
    assert states(project.staged({}, AGENT), "write-path") == {State.FAIL}


@pytest.mark.parametrize("mode", ["120000", "160000"])
@pytest.mark.parametrize(("path", "refused"), [("checks", True), ("src/vendored", False)])
def test_a_folder_of_tests_that_lies_elsewhere(repo: Repo, path: str, mode: str, refused: bool) -> None:
    project = Project(repo, {**BASE, "ledgergate.toml": 'version = 1\ntests = ["tests/**", "checks/**"]\n'})
    for target in (b"real", b"fake"):
        oid = repo.git("hash-object", "-w", "--stdin", stdin=target) if mode == "120000" else repo.commit(message="x")
        repo.git("update-index", "--add", "--cacheinfo", f"{mode},{oid},{path}")
        report = project.staged({}, AGENT)
        assert (states(report, "write-path") == {State.FAIL}) is refused
        repo.commit(message="a human's")


def test_the_drafts_folder_is_no_link(repo: Repo) -> None:
    project = Project(repo, {path: data for path, data in BASE.items() if "agent_drafts" not in path})
    repo.stage_blob("tests/agent_drafts", b"../src", mode="120000")
    assert states(project.staged({}, AGENT), "write-path") == {State.FAIL}


def test_a_link_beside_the_tests_is_anyones(project: Project) -> None:
    project.repo.stage_blob("tests_data", b"src", mode="120000")
    assert project.staged({}, AGENT).findings == ()


def test_paths_that_policy_gives_to_agents(repo: Repo) -> None:
    project = Project(repo, {**BASE, "ledgergate.toml": 'version = 1\nagent_write_paths = ["tests/unit/**"]\n'})
    assert project.staged({"tests/unit/test_x.py": "x\n"}, AGENT, only="test-guard").findings == ()
    report = project.staged({"tests/unit/conftest.py": "x\n"}, AGENT)
    assert states(report, "protected-path") == {State.FAIL}


def test_the_policy_of_the_change_itself_gives_nothing(project: Project) -> None:
    edit = {"ledgergate.toml": 'version = 1\nagent_write_paths = ["tests/**"]\n', "tests/test_new.py": "x\n"}
    assert states(project.staged(edit, AGENT), "write-path") == {State.FAIL}


@pytest.mark.parametrize(
    ("path", "refused"),
    [
        ("tests/test_new.py", False),
        ("tests/new_test.py", False),
        ("tests/helpers.py", True),
        ("tests/conftest.py", True),
    ],
)
def test_new_test_files_where_policy_allows_them(repo: Repo, path: str, refused: bool) -> None:
    project = Project(repo, {**BASE, "ledgergate.toml": "version = 1\nagent_new_tests = true\n"})
    assert bool(project.staged({path: "x = 1\n"}, AGENT).findings) is refused


def test_an_old_test_is_not_new(repo: Repo) -> None:
    project = Project(repo, {**BASE, "ledgergate.toml": "version = 1\nagent_new_tests = true\n"})
    report = project.staged({"tests/test_parse.py": "x = 1\n"}, AGENT)
    assert states(report, "write-path") == {State.FAIL}


@pytest.mark.parametrize(
    ("content", "keeps"),
    [
        ("def test_header(): pass\n", False),
        ("def test_header():\n    assert 2 == 1 + 1\n", False),
        ("def test_header(): pass\ndef test_another(): pass\n", True),
        (None, False),
    ],
)
def test_only_what_was_added_is_to_be_kept(project: Project, content: str | None, keeps: bool) -> None:
    (found,) = project.staged({"tests/test_parse.py": content}, AGENT, only="test-guard").findings
    assert ("copy the tests that you added" in found.remedy) is keeps
    assert "git restore --staged --worktree :PATH" in found.remedy


def test_a_move_is_undone_as_one(project: Project) -> None:
    edit: Edit = {"tests/test_parse.py": None, "tests/test other.py": BASE["tests/test_parse.py"]}
    found = project.staged(edit, AGENT, only="test-guard").findings
    assert {one.path for one in found} == {"tests/test_parse.py", "tests/test other.py"}
    for one in found:
        assert "`git mv 'tests/test other.py' tests/test_parse.py`" in one.remedy


@pytest.mark.parametrize("signers", [True, False])
def test_a_human_who_names_the_agent_is_told_how_to_vouch(repo: Repo, signers: bool) -> None:
    base = BASE if signers else {path: data for path, data in BASE.items() if "signers" not in path}
    edit: Edit = {"tests/test_parse.py": "def test_header(): pass\n"}
    named = Actor("agent", ("trailer:Co-Authored-By: Claude",))
    (found,) = Project(repo, base).staged(edit, named, only="test-guard").findings
    assert ("git commit --no-verify" in found.remedy) is signers


def test_of_a_signal_in_the_message_the_message_is_spoken_of(project: Project) -> None:
    edit: Edit = {"tests/test_parse.py": "def test_header(): pass\n"}
    told = {}
    for signals in (("trailer:Co-Authored-By: Claude",), ("env:CLAUDECODE", "trailer:Co-Authored-By: Claude")):
        (found,) = project.staged(edit, Actor("agent", signals), only="test-guard").findings
        told[len(signals)] = found.remedy.splitlines()[-1]
    assert told == {
        1: "Human: commit it without `Co-Authored-By: Claude` in the message where no agent had a part in it; where "
        "one had, with `git commit --no-verify`, and approve it then (`ledgergate ack` says how).",
        2: "Human: commit it from a shell that no agent started.",
    }


def test_of_what_is_committed_the_approval_is_named(project: Project) -> None:
    edit: Edit = {"tests/test_parse.py": "def test_header(): pass\n"}
    told = [one.remedy.splitlines()[-1] for one in project.ranged(edit, trailers=(SIGNALLED,)).findings]
    assert (
        "Human: look at it; if it is right, let a signer approve it: `ledgergate ack --from main --to topic`." in told
    )
