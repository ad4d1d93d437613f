"""What rows pin is there and is what they say, whoever changed it; and the honest edits that look alike."""

from __future__ import annotations

import pytest

from ledgergate.values import Actor, State
from support.project import (
    AGENT,
    BASE,
    DRAFT,
    GOLDEN,
    HUMAN,
    LEDGER,
    LOCKED,
    OTHER_GOLDEN,
    PROPERTY,
    ROWS,
    SEED,
    Edit,
    Project,
    edited,
    ledger,
    sha256,
    states,
)
from support.repo import Repo

ONLY = "fixture-digests"
POINTER = "version https://git-lfs.github.com/spec/v1\noid {oid}\nsize {size}\n"
RELOCKED = edited(LOCKED, sha256("header"), sha256("new"))
EMPTIED = edited(LOCKED, sha256("header"), sha256(""))
LFS = LOCKED + "    lfs: true\n"


def pointer_to(content: str, size: int) -> str:
    return POINTER.format(oid=sha256(content), size=size)


def with_row(row: str, instead_of: str = LOCKED) -> Edit:
    return {LEDGER: ledger(*(row if old == instead_of else old for old in ROWS))}


# (name, edit, rule): FAIL for agent and human alike
BROKEN: list[tuple[str, Edit, str]] = [
    ("golden edited", {GOLDEN: "new"}, "digest-mismatch"),
    ("golden's last line break lost", {GOLDEN: "header\n"}, "digest-mismatch"),
    ("digest edited", with_row(RELOCKED), "digest-mismatch"),
    (
        "wrong new row",
        {LEDGER: ledger(*ROWS, edited(LOCKED, "test_header", "test_x").replace(sha256("header"), sha256("x")))},
        "digest-mismatch",
    ),
    ("golden removed", {GOLDEN: None}, "artifact-missing"),
    ("golden renamed, row left behind", {GOLDEN: None, "tests/goldens/moved.bin": "header"}, "artifact-missing"),
    ("golden emptied with its digest", {GOLDEN: "", **with_row(EMPTIED)}, "artifact-empty"),
    ("pointer of other bytes", {GOLDEN: POINTER.format(oid=sha256("x"), size=1), **with_row(LFS)}, "digest-mismatch"),
    ("lfs row, raw bytes", {GOLDEN: "new", **with_row(LFS)}, "lfs-pointer-invalid"),
    ("seeds gone", {SEED: None}, "seeds-empty"),
    ("seeds emptied", {SEED: ""}, "seeds-empty"),
    ("new golden without a row", {"tests/goldens/new.bin": "x"}, "golden-unclassified"),
    (
        "golden named by a draft only",
        {
            "tests/goldens/new.bin": "x",
            LEDGER: ledger(
                *ROWS,
                edited(DRAFT, "test_strip", "test_x")
                .replace("property", "locked_fixture")
                .replace("invariant: prefix_is_idempotent", "artifact: tests/goldens/new.bin"),
            ),
        },
        "golden-unclassified",
    ),
    ("case twin of a golden", {"tests/goldens/Header.bin": "x"}, "artifact-collision"),
    ("case twin of the ledger", {"tests/Ledger.yaml": "x"}, "artifact-collision"),
    ("case twin of the policy", {"LedgerGate.toml": "x"}, "artifact-collision"),
    ("case twin of its folder", {"tests/Goldens/header.bin": "x"}, "artifact-collision"),
    ("a folder where a golden is", {"tests/goldens/HEADER.BIN/x": "x"}, "artifact-collision"),
]


@pytest.mark.parametrize("actor", [AGENT, HUMAN], ids=["agent", "human"])
@pytest.mark.parametrize(("edit", "rule"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN])
def test_broken_whoever_did_it(repo: Repo, edit: Edit, rule: str, actor: Actor) -> None:
    report = Project(repo).staged(edit, actor, only=ONLY)
    assert states(report, rule) == {State.FAIL}
    assert report.state is State.FAIL


@pytest.mark.parametrize(("mode", "became"), [("120000", "link"), ("160000", "submodule")], ids=["link", "submodule"])
def test_a_golden_that_became_something_else(repo: Repo, mode: str, became: str) -> None:
    project = Project(repo)
    oid = repo.git("rev-parse", "HEAD") if mode == "160000" else repo.git("rev-parse", f"HEAD:{OTHER_GOLDEN}")
    repo.git("update-index", "--cacheinfo", f"{mode},{oid},{GOLDEN}")
    report = project.staged({}, HUMAN, only=ONLY)
    (missing,) = [finding for finding in report.findings if finding.rule == "artifact-missing"]
    assert became in missing.message


def test_a_golden_that_is_only_intended_to_be_added_is_missing(repo: Repo) -> None:
    without = {path: content for path, content in BASE.items() if path != GOLDEN}
    project = Project(repo, {**without, LEDGER: ledger(*ROWS[1:])})
    repo.write(GOLDEN, "header")
    repo.git("add", "-N", GOLDEN)
    report = project.staged({LEDGER: ledger(*ROWS)}, HUMAN, only=ONLY)
    assert states(report, "artifact-missing") == {State.FAIL}


HONEST: list[tuple[str, Edit]] = [
    ("golden and row relocked", {GOLDEN: "new", **with_row(RELOCKED)}),
    (
        "golden and row moved",
        {
            GOLDEN: None,
            "tests/goldens/moved.bin": "header",
            **with_row(edited(LOCKED, GOLDEN, "tests/goldens/moved.bin")),
        },
    ),
    ("golden and row removed", {GOLDEN: None, LEDGER: ledger(*ROWS[1:])}),
    (
        "names swapped, rows following",
        {
            GOLDEN: "other",
            OTHER_GOLDEN: "header",
            LEDGER: ledger(edited(LOCKED, GOLDEN, OTHER_GOLDEN), edited(ROWS[1], OTHER_GOLDEN, GOLDEN), *ROWS[2:]),
        },
    ),
    ("empty on purpose", {GOLDEN: "", **with_row(EMPTIED + "    allow_empty: true\n")}),
    ("a pointer of the same bytes", {GOLDEN: POINTER.format(oid=sha256("header"), size=6), **with_row(LFS)}),
    (
        "new golden with its row",
        {
            "tests/goldens/new.bin": "header",
            LEDGER: ledger(*ROWS, edited(edited(LOCKED, "test_header", "test_new"), GOLDEN, "tests/goldens/new.bin")),
        },
    ),
    ("seeds grown", {"tests/properties/seeds/length/2": "2"}),
    ("another property's file gone, one left", {SEED: None, "tests/properties/seeds/length/2": "2"}),
    ("twin of a file that nothing pins", {"src/App.py": "x = 1\n"}),
    ("a file beside a golden", {"tests/goldens.txt": "x"}),
    ("production code", {"src/app.py": "x = 2\n"}),
]


@pytest.mark.parametrize("edit", [case[1] for case in HONEST], ids=[case[0] for case in HONEST])
def test_honest_edits_pass_this_check(repo: Repo, edit: Edit) -> None:
    assert Project(repo).staged(edit, HUMAN, only=ONLY).findings == ()


def test_only_what_changed_is_measured(repo: Repo) -> None:
    """A golden that was broken before is `verify`'s business, until something touches it."""
    project = Project(repo, {**BASE, GOLDEN: "broken long ago"})
    assert project.staged({"src/app.py": "x = 3\n"}, HUMAN).state is State.PASS
    assert states(project.staged({GOLDEN: "broken again"}, HUMAN), "digest-mismatch") == {State.FAIL}


def test_the_executable_bit_is_not_content(repo: Repo) -> None:
    project = Project(repo, {**BASE, "tests/goldens/unlisted.bin": "x"})
    repo.git("update-index", "--chmod=+x", GOLDEN, "tests/goldens/unlisted.bin")
    assert project.staged({}, HUMAN, only=ONLY).findings == ()


def test_several_rows_of_one_artifact_all_have_to_follow(repo: Repo) -> None:
    second = edited(LOCKED, "test_header", "test_header_again")
    project = Project(repo, {**BASE, LEDGER: ledger(*ROWS, second)})
    report = project.staged({GOLDEN: "new", LEDGER: ledger(RELOCKED, *ROWS[1:], second)}, HUMAN, only=ONLY)
    assert [finding.subject for finding in report.findings] == ["tests/test_parse.py::test_header_again"]


class TestFolders:
    FOLDER = """\
  - id: tests/test_parse.py::test_folder
    class: locked_fixture
    artifact: tests/goldens/set/
    digest: {digest}
"""

    def folder_row(self, **files: str) -> str:
        lines = "".join(f"{sha256(text).removeprefix('sha256:')}  {name}\n" for name, text in sorted(files.items()))
        return self.FOLDER.format(digest=sha256(lines))

    @pytest.fixture
    def project(self, repo: Repo) -> Project:
        files = {"tests/goldens/set/a": "1", "tests/goldens/set/b": "2"}
        return Project(repo, {**BASE, **files, LEDGER: ledger(*ROWS, self.folder_row(a="1", b="2"))})

    @pytest.mark.parametrize(
        "edit",
        [{"tests/goldens/set/a": "x"}, {"tests/goldens/set/a": None}, {"tests/goldens/set/c": "3"}],
        ids=["edited", "removed", "added"],
    )
    def test_any_change_inside_counts(self, project: Project, edit: Edit) -> None:
        assert states(project.staged(edit, HUMAN), "digest-mismatch") == {State.FAIL}

    def test_relocked(self, project: Project) -> None:
        edit = {"tests/goldens/set/c": "3", LEDGER: ledger(*ROWS, self.folder_row(a="1", b="2", c="3"))}
        assert project.staged(edit, HUMAN).findings == ()

    def test_a_link_inside(self, project: Project) -> None:
        project.repo.stage_blob("tests/goldens/set/c", b"a", mode="120000")
        assert states(project.staged({}, HUMAN), "artifact-missing") == {State.FAIL}


class TestContractChanges:
    """A line for review, old and new, whatever becomes of the change."""

    @pytest.mark.parametrize(
        "edit",
        [
            {GOLDEN: "new", **with_row(RELOCKED)},
            with_row(edited(PROPERTY, "non_negative_length", "other"), PROPERTY),
            {"tests/s/1": "1", **with_row(edited(PROPERTY, "tests/properties/seeds/length/", "tests/s/"), PROPERTY)},
        ],
        ids=["digest", "invariant", "seeds"],
    )
    def test_each_is_listed(self, repo: Repo, edit: Edit) -> None:
        report = Project(repo).staged(edit, HUMAN, only=ONLY)
        (note,) = [note for note in report.notes if note.rule == "contract-change" and note.old]
        assert note.old
        assert note.new
        assert note.old != note.new

    def test_grown_seeds_are_listed(self, repo: Repo) -> None:
        report = Project(repo).staged({"tests/properties/seeds/length/2": "2"}, AGENT, only=ONLY)
        assert [note.message for note in report.notes] == ["The seed folder grew by 1 file."]
        assert report.state is State.PASS


@pytest.mark.parametrize(
    ("new", "row", "expected"),
    [
        (pointer_to("real", 5), None, {State.FAIL}),
        (pointer_to("real", 4), None, set()),
        (pointer_to("newer", 5), edited(LFS, sha256("header"), sha256("newer")), set()),
        ("real", edited(LOCKED, sha256("header"), sha256("real")), set()),
    ],
    ids=["another size of one oid", "the same", "another oid", "out of LFS"],
)
def test_the_size_of_an_lfs_golden(repo: Repo, new: str, row: str | None, expected: set[State]) -> None:
    locked = edited(LFS, sha256("header"), sha256("real"))
    project = Project(repo, {**BASE, GOLDEN: pointer_to("real", 4), **with_row(locked)})
    report = project.staged({GOLDEN: new, "src/app.py": "x = 2\n", **with_row(row or locked)}, HUMAN, only=ONLY)
    assert states(report, "lfs-pointer-invalid") == expected
    assert [(found.old, found.new) for found in report.findings] == [("size 4", "size 5")] * len(expected)
