"""`ledgergate promote`: tests, goldens and seeds leave the drafts folder with their rows, and nothing is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledgergate.cli import moves, working
from support.gate import AS_AGENT, Said, accepted, approved, commit, gate, install_hooks, verdict
from support.project import LEDGER, SOUND, Project, ledger, sha256
from support.repo import Repo

pytestmark = pytest.mark.slow

DRAFTS = "tests/agent_drafts/"
ONE, TWO = f"{DRAFTS}test_new.py::test_one", f"{DRAFTS}test_new.py::TestNew::test_two"
SOURCE = "def helper(): pass\ndef test_one(): pass\nclass TestNew:\n    def test_two(self): pass\n"
GOLDEN = f"{DRAFTS}new.txt"
SEED = f"{DRAFTS}seeds/a"
PREFIX = f"{DRAFTS}test_prefix.py::test_strip"


def draft(id_: str, proposed: str) -> str:
    class_ = "locked_fixture" if "artifact" in proposed else "property"
    return f"  - id: {id_}\n    class: draft\n    source: agent\n    proposed_class: {class_}\n    {proposed}\n"


ROW_ONE, ROW_TWO = draft(ONE, f"artifact: {GOLDEN}"), draft(TWO, f"invariant: i\n    seeds: {DRAFTS}seeds/")


@pytest.fixture
def repo(repo: Repo) -> Repo:
    """A project with three drafts: of a golden and of a property in one file, and that of the base project."""
    rows = str(SOUND[LEDGER]).replace(f"  - id: {PREFIX}", f"{ROW_TWO}{ROW_ONE}  - id: {PREFIX}")
    files = {f"{DRAFTS}test_new.py": SOURCE, GOLDEN: "golden\n", SEED: "1", f"{DRAFTS}seeds/b": "2"}
    Project(repo, {**SOUND, LEDGER: rows, **files})
    return repo


def tracked(repo: Repo) -> set[str]:
    return set(repo.git("ls-files").split())


def committed_by_a_human(repo: Repo) -> Said:
    install_hooks(repo)
    report = verdict(repo)
    assert (report.state, report.refusals) == ("PASS", set()), report.document
    done = commit(repo)
    assert accepted(done)
    assert gate(repo, "verify").status == 0
    assert repo.git("status", "--short") == ""
    return done


def test_a_helper_of_another_file_is_said(repo: Repo) -> None:
    repo.write("tests/common.py", "def assert_equal(a, b):\n    assert a == b\n")
    repo.write(f"{DRAFTS}test_lent.py", "from common import assert_equal\ndef test_lent(): assert_equal(len('a'), 1)\n")
    id_ = f"{DRAFTS}test_lent.py::test_lent"
    repo.git("add", "-A")
    assert gate(repo, "draft", id_).status == 0
    said = gate(repo, "promote", id_)
    assert "1 pinned test checks only through helpers of other files" in said.out
    assert "tests/common.py::assert_equal (1)" in said.out


class TestAWholeFile:
    def test_a_property(self, repo: Repo) -> None:
        said = approved(repo, "promote", PREFIX, "--seeds", "tests/properties/seeds/length/")
        assert said.status == 0, said
        assert "move tests/agent_drafts/test_prefix.py -> tests/test_prefix.py\n" in said.out
        assert said.out.endswith("Staged it.\nNext:\n  pytest tests/test_prefix.py::test_strip\n  git commit\n")
        text = (repo.path / LEDGER).read_text()
        assert text.endswith(
            "  - id: tests/test_prefix.py::test_strip\n    class: property\n    invariant: prefix_is_idempotent\n"
            "    seeds: tests/properties/seeds/length/\n"
        )
        assert (repo.path / "tests/test_prefix.py").read_text() == SOUND[f"{DRAFTS}test_prefix.py"]
        assert f"{DRAFTS}test_prefix.py" not in tracked(repo)
        notes = {note["rule"] for note in verdict(repo).document["notes"]}
        assert {"row-added-classified", "draft-edited"} <= notes
        committed_by_a_human(repo)

    def test_a_golden_moves_along(self, repo: Repo) -> None:
        repo.commit({LEDGER: str(SOUND[LEDGER]) + ROW_ONE, f"{DRAFTS}test_new.py": "def test_one(): pass\n"})
        said = approved(repo, "promote", ONE, "--golden-to", "tests/goldens/")
        assert f"Next:\n  see that tests/test_new.py reads tests/goldens/new.txt, and no longer {GOLDEN}\n" in said.out
        assert f"move {GOLDEN} -> tests/goldens/new.txt" in said.out
        assert "+golden" in said.out
        assert f"+    artifact: tests/goldens/new.txt\n+    digest: {sha256(b'golden' + bytes([10]))}\n" in said.out
        committed_by_a_human(repo)

    @pytest.mark.parametrize(
        ("line", "step"),
        [
            ("GOLDEN = Path(__file__).parent / 'goldens' / 'new.txt'", None),
            ("GOLDEN = Path('tests/agent_drafts/goldens/new.txt')", "edit tests/test_new.py:1: "),
            ("GOLDEN = ROOT / 'tests' / 'agent_drafts' / 'goldens' / NAME", "edit tests/test_new.py:1: "),
        ],
    )
    def test_a_golden_that_stays_beside_its_test(self, repo: Repo, line: str, step: str | None) -> None:
        golden = f"{DRAFTS}goldens/new.txt"
        row = draft(ONE, f"artifact: {golden}")
        files = {f"{DRAFTS}test_new.py": f"{line}\ndef test_one(): assert GOLDEN\n", golden: "golden\n"}
        repo.commit({LEDGER: str(SOUND[LEDGER]) + row, **files})
        said = approved(repo, "promote", ONE, "--golden-to", "tests/goldens/")
        assert said.status == 0, said
        told = said.out.partition("Next:\n  ")[2]
        assert told.startswith(step or "pytest tests/test_new.py::test_one\n")

    def test_two_tests_of_one_file_go_together(self, repo: Repo) -> None:
        repo.git("mv", GOLDEN, "tests/goldens/new.txt")
        repo.git("mv", f"{DRAFTS}seeds", "tests/properties/seeds/new")
        text = (repo.path / LEDGER).read_text()
        text = text.replace(GOLDEN, "tests/goldens/new.txt").replace(f"{DRAFTS}seeds/", "tests/properties/seeds/new/")
        repo.commit({LEDGER: text})
        said = approved(repo, "promote", ONE, TWO)
        assert "2 rows would change" in said.out
        assert "pytest tests/test_new.py::test_one tests/test_new.py::TestNew::test_two\n" in said.out
        committed_by_a_human(repo)
        assert (repo.path / "tests/test_new.py").read_text() == SOURCE

    def test_with_a_golden_and_a_property_without_seeds(self, repo: Repo) -> None:
        text = (
            "import x\ndef test_one(): assert x.f() == 1\nclass TestNew:\n    def test_two(self): assert x.f() == 1\n"
        )
        drafted = str(SOUND[LEDGER]) + ROW_ONE + draft(TWO, "invariant: i")
        repo.commit({LEDGER: drafted, f"{DRAFTS}test_new.py": text})
        said = approved(repo, "promote", ONE, TWO, "--golden-to", "tests/goldens/", "--class", "locked_fixture")
        assert said.status == 0, said
        assert "+    artifact: tests/goldens/new.txt\n" in said.out
        assert "+    artifact: tests/test_new.py::TestNew::test_two\n" in said.out
        committed_by_a_human(repo)

    def test_a_file_that_git_does_not_know_yet(self, repo: Repo) -> None:
        repo.write(f"{DRAFTS}test_fresh.py", "def test_fresh(): pass\n")
        assert gate(repo, "draft", f"{DRAFTS}test_fresh.py::test_fresh", "--invariant", "i").status == 0
        id_ = f"{DRAFTS}test_fresh.py::test_fresh"
        said = approved(repo, "promote", id_, "--seeds", "tests/properties/seeds/length/")
        assert "  git add -- tests/test_fresh.py\n  git commit\n" in said.out
        assert not (repo.path / DRAFTS / "test_fresh.py").exists()
        repo.git("add", "tests/test_fresh.py")
        committed_by_a_human(repo)

    def test_to_another_place(self, repo: Repo) -> None:
        new = "tests/unit/strip/test_it.py::test_strip"
        said = approved(repo, "promote", PREFIX, "--to", new, "--seeds", "tests/properties/seeds/length/")
        assert said.status == 0, said
        assert "tests/unit/strip/test_it.py" in tracked(repo)
        committed_by_a_human(repo)

    def test_seeds_move_along(self, repo: Repo) -> None:
        repo.commit(
            {LEDGER: str(SOUND[LEDGER]) + ROW_TWO, f"{DRAFTS}test_new.py": SOURCE.replace("def test_one", "def one")}
        )
        assert approved(repo, "promote", TWO, "--seeds-to", "tests/properties/seeds/new").status == 0
        assert {"tests/properties/seeds/new/a", "tests/properties/seeds/new/b"} < tracked(repo)
        committed_by_a_human(repo)

    def test_what_the_class_becomes_can_be_said(self, repo: Repo) -> None:
        said = approved(repo, "promote", PREFIX, "--artifact", "tests/goldens/other.bin")
        assert "    class: locked_fixture\n" in (repo.path / LEDGER).read_text().split("tests/test_prefix")[1]
        assert said.status == 0
        committed_by_a_human(repo)


class TestAGoldenAndItsTest:
    TEXT = "HERE = 'tests/agent_drafts/new.txt'\n\ndef test_one():\n    assert open(HERE).read() == 'golden'\n"

    def test_the_line_that_reads_the_old_place_is_named(self, repo: Repo) -> None:
        repo.commit({LEDGER: str(SOUND[LEDGER]) + ROW_ONE, f"{DRAFTS}test_new.py": self.TEXT})
        said = approved(repo, "promote", ONE, "--golden-to", "tests/goldens/new.txt", "--inline")
        told = f"  edit tests/test_new.py:1: what it reads as {GOLDEN} is tests/goldens/new.txt now\n"
        again = "  git add -- tests/test_new.py && ledgergate relock --staged\n  pytest tests/test_new.py::test_one\n"
        assert f"Next:\n{told}{again}" in said.out
        assert "+      - tests/goldens/new.txt\n+      - tests/test_new.py::test_one\n" in said.out
        repo.write("tests/test_new.py", self.TEXT.replace("agent_drafts", "goldens"))
        repo.git("add", "-A")
        assert approved(repo, "relock", "--staged").status == 0
        committed_by_a_human(repo)


class TestItsOwnSource:
    ID = f"{DRAFTS}test_plain.py::TestPlain::test_plain"
    TEXT = "import x\n\nclass TestPlain:\n    def test_plain(self):\n        assert x.f() == 3\n"

    def test_it_moves_along(self, repo: Repo) -> None:
        repo.commit({f"{DRAFTS}test_plain.py": self.TEXT})
        assert gate(repo, "draft", self.ID, env=AS_AGENT).status == 0
        repo.commit()
        said = approved(repo, "promote", self.ID)
        assert "    +        assert x.f() == 3\n" in said.out
        assert "+    artifact: tests/test_plain.py::TestPlain::test_plain\n" in said.out
        committed_by_a_human(repo)

    def test_moved_by_hand(self, repo: Repo) -> None:
        repo.commit({f"{DRAFTS}test_plain.py": self.TEXT + "def test_other(): pass\n"})
        assert gate(repo, "draft", self.ID, env=AS_AGENT).status == 0
        repo.stage({f"{DRAFTS}test_plain.py": "def test_other(): pass\n", "tests/test_plain.py": self.TEXT})
        assert approved(repo, "promote", self.ID).status == 0
        committed_by_a_human(repo)

    def test_one_that_cannot_fail(self, repo: Repo) -> None:
        before = snapshot(repo)
        said = gate(repo, "promote", PREFIX, "--class", "locked_fixture")
        assert (said.status, "holds no check that can fail" in said.err) == (1, True), said
        assert "row at" not in said.err
        assert snapshot(repo) == before

    def test_one_that_is_skipped(self, repo: Repo) -> None:
        path = PREFIX.partition("::")[0]
        repo.write(path, "import pytest\n\n@pytest.mark.skip\ndef test_strip():\n    assert f() == 1\n")
        said = gate(repo, "promote", PREFIX, "--class", "locked_fixture")
        assert (said.status, "still marked to be skipped" in said.err) == (2, True), said


class TestByHand:
    """Where the file cannot move as a whole, the command says what to move; a second run then finds it done."""

    def test_other_tests_stay(self, repo: Repo) -> None:
        repo.commit({LEDGER: str(SOUND[LEDGER]) + ROW_ONE})
        said = gate(repo, "promote", ONE, "--golden-to", "tests/goldens/new.txt")
        assert said.status == 2
        assert "holds other tests (TestNew::test_two). Move test_one from" in said.err
        repo.stage({"tests/test_new.py": "def test_one(): pass\n", f"{DRAFTS}test_new.py": "class TestNew: pass\n"})
        said = approved(repo, "promote", ONE, "--golden-to", "tests/goldens/new.txt")
        assert "test_new.py ->" not in said.out
        committed_by_a_human(repo)

    @pytest.mark.parametrize(
        ("arguments", "files", "message"),
        [
            ((ONE,), {}, "--golden-to PATH moves it"),
            ((TWO,), {}, "--seeds-to FOLDER/ moves it"),
            (
                (ONE, "--artifact", "src/app.py"),
                {},
                f"holds other drafts: promote them all at once (`ledgergate promote {ONE} {TWO}`)",
            ),
            (
                (ONE, "--artifact", "src/app.py"),
                {"tests/test_new.py": ""},
                "nothing is overwritten",
            ),
            ((ONE, "--artifact", "src/app.py"), {"tests/test_new.py": SOURCE}, "take it out of one of them first"),
            ((ONE, "--artifact", "src/app.py"), {f"{DRAFTS}test_new.py": "x = 1\n"}, "neither"),
            ((ONE, "--artifact", "src/app.py"), {f"{DRAFTS}test_new.py": "def test_one(:\n"}, "cannot be parsed"),
            ((ONE, "--artifact", "src/app.py", "--to", "tests/test_new.py::test_1"), {}, "gets another name"),
            ((PREFIX, "--artifact", "no.txt"), {}, "cannot be locked: no.txt is not there"),
            ((PREFIX, "--artifact", "tests/conftest.py"), {}, "has no bytes"),
            ((PREFIX, "--to", "../x.py::t", "--artifact", "src/app.py"), {}, "../x.py climbs out"),
            ((PREFIX,), {}, "--seeds FOLDER/"),
            ((PREFIX, "--seeds", "src/no/"), {}, "holds no seed"),
            ((PREFIX, "--to", "tests/test_parse.py::test_header"), {}, "has a locked_fixture row already"),
            ((PREFIX, "--to", f"{DRAFTS}test_x.py::test_strip"), {}, "lies below the drafts folder"),
            (("tests/test_parse.py::test_header",), {}, "is a locked_fixture row already"),
            (("tests/test_parse.py::test_heade",), {}, "no row has the id"),
            ((ONE, TWO, "--to", "x.py::t"), {}, "go with one id"),
            ((ONE, TWO, "--golden-to", "tests/goldens/x"), {}, "go with one id"),
            ((PREFIX, "--seeds", "src/", "--artifact", "x"), {}, "not both"),
        ],
    )
    def test_what_is_said(self, repo: Repo, arguments: tuple[str, ...], files: dict[str, str], message: str) -> None:
        for path, content in files.items():
            repo.write(path, content)
        before = snapshot(repo)
        said = gate(repo, "promote", *arguments)
        assert (said.status, message in said.err) == (2, True), said
        assert snapshot(repo) == before


def snapshot(repo: Repo) -> dict[str, bytes]:
    files = {
        str(path): path.read_bytes() for path in repo.path.rglob("*") if path.is_file() and ".git/" not in str(path)
    }
    return {**files, "index": repo.git("ls-files", "--stage").encode()}


class TestNothingIsLost:
    ARGUMENTS = ("promote", PREFIX, "--seeds", "tests/properties/seeds/length/")

    def test_an_agent_is_refused(self, repo: Repo) -> None:
        before = snapshot(repo)
        said = gate(repo, *self.ARGUMENTS, env=AS_AGENT)
        assert said.status == 1
        assert "`ledgergate promote` is for humans" in said.err
        assert snapshot(repo) == before

    def test_the_same_edit_by_an_agent_is_refused(self, repo: Repo) -> None:
        assert approved(repo, *self.ARGUMENTS).status == 0
        install_hooks(repo)
        assert not accepted(commit(repo, env=AS_AGENT))
        assert {"row-added-classified", "draft-edited", "write-path"} <= verdict(repo, env=AS_AGENT).refusals

    def test_another_contract(self, repo: Repo) -> None:
        before = snapshot(repo)
        said = gate(repo, *self.ARGUMENTS, "--yes", "--contract", sha256("x"))
        assert (said.status, "not what was approved" in said.err) == (1, True)
        assert snapshot(repo) == before

    def test_an_ignored_file_at_the_target_is_not_overwritten(self, repo: Repo) -> None:
        repo.write(".git/info/exclude", "tests/new_golden.txt\n")
        repo.write("tests/new_golden.txt", "mine")
        repo.commit({LEDGER: str(SOUND[LEDGER]) + ROW_ONE, f"{DRAFTS}test_new.py": "def test_one(): pass\n"})
        before = snapshot(repo)
        said = approved(repo, "promote", ONE, "--golden-to", "tests/new_golden.txt")
        assert (said.status, "nothing is overwritten" in said.err) == (1, True), said
        assert snapshot(repo) == before

    @pytest.mark.parametrize("failing", ["ledger", "second move"])
    def test_moves_are_taken_back(self, repo: Repo, monkeypatch: pytest.MonkeyPatch, failing: str) -> None:
        repo.commit({LEDGER: str(SOUND[LEDGER]) + ROW_ONE, f"{DRAFTS}test_new.py": "def test_one(): pass\n"})
        before = snapshot(repo)
        real, calls = moves._move, iter(range(9))

        def fail(*_: object) -> None:
            raise OSError(28, "No space left on device")

        def move(*arguments: object) -> None:
            if next(calls) == 1:
                fail()
            real(*arguments)  # type: ignore[arg-type]

        if failing == "ledger":
            monkeypatch.setattr(working, "replace_file", fail)
        else:
            monkeypatch.setattr(moves, "_move", move)
        assert approved(repo, "promote", ONE, "--golden-to", "tests/goldens/new.txt").status == 1
        assert snapshot(repo) == before

    def test_bytes_that_git_stores_otherwise_at_the_new_place(self, repo: Repo) -> None:
        files = {
            GOLDEN: b"a\r\nb\r\n",
            ".gitattributes": "tests/goldens/* text\n",
            f"{DRAFTS}test_new.py": "def test_one(): pass\n",
        }
        repo.commit({LEDGER: str(SOUND[LEDGER]) + ROW_ONE, **files})
        before = snapshot(repo)
        said = approved(repo, "promote", ONE, "--golden-to", "tests/goldens/new.txt")
        assert (said.status, "is not what was shown" in said.err) == (1, True), said
        assert snapshot(repo) == before


def test_tests_of_other_languages(repo: Repo) -> None:
    row = draft(f"{DRAFTS}new_test.go::TestNew", "artifact: src/app.py")
    repo.commit({LEDGER: ledger(row), f"{DRAFTS}new_test.go": "func TestNew() {}\n"})
    said = approved(repo, "promote", f"{DRAFTS}new_test.go::TestNew")
    assert said.status == 0, said
    assert "pytest" not in said.out
    assert Path(repo.path / "tests/new_test.go").exists()
