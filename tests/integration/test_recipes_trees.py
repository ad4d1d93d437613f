"""What a tree shows of how it came about, and what a disk shows of a tree: renames, and files that are hidden."""

from __future__ import annotations

import shutil

import pytest

from support.gate import (
    AS_AGENT,
    accepted,
    commit,
    guarded,
    install_hooks,
    verdict,
)
from support.project import LEDGER
from support.repo import Repo

pytestmark = pytest.mark.slow

A, B = "tests/goldens/a.txt", "tests/goldens/b.txt"
LINES = "".join(f"line {number}\n" for number in range(30))
EDITED = LINES.replace("line 7\n", "line seven\n")


@pytest.mark.parametrize("renames", ["true", "false", "copies"])
class TestRenames:
    """Whether git calls it a rename depends on its settings and on how alike two files are; the verdict does not."""

    @pytest.fixture
    def project(self, repo: Repo, renames: str) -> Repo:
        guarded(repo, {A: LINES, B: "other\n"}, files={"src/lib.py": LINES})
        repo.git("config", "diff.renames", renames)
        install_hooks(repo)
        return repo

    def move(self, repo: Repo, old: str, new: str) -> None:
        (repo.path / new).parent.mkdir(parents=True, exist_ok=True)
        repo.git("mv", old, new)

    def test_moved_and_edited(self, project: Repo) -> None:
        self.move(project, A, "tests/goldens/y.txt")
        project.stage({"tests/goldens/y.txt": EDITED})
        seen = verdict(project)
        assert seen.paths("artifact-missing") == {A}
        assert seen.paths("golden-unclassified") == {"tests/goldens/y.txt"}
        assert not accepted(commit(project))

    def test_moved_with_its_row(self, project: Repo) -> None:
        self.move(project, A, "tests/goldens/y.txt")
        project.stage({LEDGER: (project.path / LEDGER).read_text().replace("a.txt", "y.txt")})
        assert [seen["state"] for seen in verdict(project).seen("artifact-changed")] == ["PASS"]
        assert not accepted(commit(project, env=AS_AGENT))
        assert accepted(commit(project))

    def test_moved_with_its_row_and_edited(self, project: Repo) -> None:
        self.move(project, A, "tests/goldens/y.txt")
        ledger_text = (project.path / LEDGER).read_text().replace("a.txt", "y.txt")
        project.stage({LEDGER: ledger_text, "tests/goldens/y.txt": EDITED})
        assert verdict(project).paths("digest-mismatch") == {"tests/goldens/y.txt"}

    def test_two_names_swapped(self, project: Repo) -> None:
        project.stage({A: "other\n", B: LINES})
        assert verdict(project).paths("digest-mismatch") == {A, B}
        assert not accepted(commit(project))

    def test_two_names_swapped_with_their_rows(self, project: Repo) -> None:
        text = (project.path / LEDGER).read_text()
        swapped = text.replace("a.txt", "?").replace("b.txt", "a.txt").replace("?", "b.txt")
        project.stage({A: "other\n", B: LINES, LEDGER: swapped})
        assert len(verdict(project).seen("artifact-changed")) == 2
        assert accepted(commit(project))

    @pytest.mark.parametrize("target", ["docs/a.txt", "src/a.txt", "tests/other/a.txt", "tests/agent_drafts/a.txt"])
    def test_moved_out_of_the_goldens(self, project: Repo, target: str) -> None:
        self.move(project, A, target)
        assert verdict(project, env=AS_AGENT).paths("artifact-missing") == {A}

    def test_a_name_in_another_case(self, project: Repo) -> None:
        self.move(project, A, "tests/goldens/A.txt")
        seen = verdict(project)
        assert seen.paths("artifact-missing") == {A}
        assert "differs only by case" in seen.message("artifact-missing")

    def test_copied(self, project: Repo) -> None:
        project.stage({"tests/goldens/copy.txt": LINES})
        assert verdict(project).paths("golden-unclassified") == {"tests/goldens/copy.txt"}

    def test_a_whole_folder_moved(self, project: Repo) -> None:
        project.git("mv", "tests/goldens", "tests/expected")
        assert verdict(project).paths("artifact-missing") == {A, B}
        assert not accepted(commit(project))

    def test_moved_and_a_link_left_behind(self, project: Repo) -> None:
        self.move(project, A, "tests/expected/a.txt")
        (project.path / A).symlink_to("../expected/a.txt")
        project.git("add", A)
        assert verdict(project).paths("artifact-missing") == {A}

    def test_moved_production_code_is_production_code(self, project: Repo) -> None:
        self.move(project, "src/lib.py", "src/core/lib.py")
        assert accepted(commit(project, env=AS_AGENT))
        self.move(project, "src/core/lib.py", "src/lib.py")
        project.stage({A: EDITED})
        assert verdict(project).paths("two-sided") == {A}


class TestHiddenFiles:
    """The disk is not the commit: what is hidden from it is there, and what it was told to overlook does not count."""

    @pytest.fixture(params=["--no-sparse-index", "--sparse-index"])
    def sparse(self, repo: Repo, request: pytest.FixtureRequest) -> Repo:
        guarded(repo, {A: LINES, B: "other\n"}, files={"docs/x": "x"})
        install_hooks(repo)
        repo.git("sparse-checkout", "set", "--cone", request.param, "src")
        assert not (repo.path / "tests").exists()
        return repo

    def test_hidden_is_not_deleted(self, sparse: Repo) -> None:
        sparse.stage({"src/app.py": "x = 2\n"})
        assert verdict(sparse).document["notes"] == []
        assert accepted(commit(sparse, env=AS_AGENT))
        assert verdict(sparse, "verify").refusals <= {"test-removed"}

    def test_deleted_where_it_is_hidden(self, sparse: Repo) -> None:
        sparse.git("rm", "-q", "--cached", "--sparse", A)
        assert verdict(sparse).paths("artifact-missing") == {A}
        assert not accepted(commit(sparse))

    def test_rewritten_where_it_is_hidden(self, sparse: Repo) -> None:
        """Into a sparse index git may put a file beside its folder, and the tree that it writes then holds both."""
        sparse.stage_blob(A, EDITED.encode())
        assert verdict(sparse).refusals & {"digest-mismatch", "git-unreadable"}
        assert not accepted(commit(sparse))

    @pytest.mark.parametrize("flag", ["--assume-unchanged", "--skip-worktree"])
    def test_told_to_overlook_an_edit_on_disk(self, repo: Repo, flag: str) -> None:
        guarded(repo, {A: LINES})
        install_hooks(repo)
        repo.git("update-index", flag, A)
        repo.write(A, EDITED)
        repo.write("src/app.py", "x = 2\n")
        assert accepted(commit(repo, "-a", env=AS_AGENT))
        assert repo.git("show", f"HEAD:{A}") + "\n" == LINES

    @pytest.mark.parametrize("flag", ["--assume-unchanged", "--skip-worktree"])
    def test_told_to_overlook_and_staged_all_the_same(self, repo: Repo, flag: str) -> None:
        guarded(repo, {A: LINES})
        install_hooks(repo)
        repo.stage_blob(A, EDITED.encode())
        repo.git("update-index", flag, A)
        assert (repo.path / A).read_text() == LINES
        assert not accepted(commit(repo))

    def test_a_working_tree_that_lost_everything(self, repo: Repo) -> None:
        guarded(repo, {A: LINES})
        shutil.rmtree(repo.path / "tests")
        repo.stage({"src/app.py": "x = 2\n"})
        assert verdict(repo).state == "PASS"
