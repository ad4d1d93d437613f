"""Pushes through git's own hook, as `ledgergate install --pre-push` writes it, alone and beside hook managers."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from support.gate import SCRIPTS, Said, gate, honest, said
from support.lane_project import policy, project, run
from support.managers import MANAGERS, install_manager
from support.project import BASE, GOLDEN, LOCKED, SIGNALLED, SOUND, Edit, Project, edited, rows, sha256
from support.pushes import hook_config, push, pushed
from support.repo import Repo

pytestmark = pytest.mark.slow

CI = 'version = 1\nprotected_refs = ["refs/heads/main", "refs/tags/v*"]\n[push]\nevidence = "ci"\n'
RELOCKED = rows((LOCKED, edited(LOCKED, sha256("header"), sha256("new")))) | {GOLDEN: "new"}
HONEST: Edit = {"src/app.py": "x = 2\n"}


def with_remote(repo: Repo) -> Repo:
    remote = Repo(repo.path.parent / "remote.git", bare=True)
    repo.git("remote", "add", "origin", f"file://{remote.path}")
    repo.git("push", "-q", "--no-verify", "-u", "origin", "main")
    repo.env["PATH"] = f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}"
    return repo


def install(repo: Repo, *, cwd: str = ".") -> Said:
    done = repo.run("sh", "-c", f"cd {cwd} && ledgergate install --pre-push")
    return Said(done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.fixture
def clone(repo: Repo) -> Repo:
    Project(repo, {**SOUND, "ledgergate.toml": CI})
    with_remote(repo)
    assert install(repo).status == 0
    return repo


class TestRefs:
    def test_an_honest_push(self, clone: Repo) -> None:
        clone.commit(HONEST, trailers=[SIGNALLED])
        done = push(clone)
        assert done.status == 0, done
        assert "ledgergate: PASS" in done.everything
        assert pushed(clone) == clone.git("rev-parse", "HEAD")

    def test_a_contract_change_is_refused(self, clone: Repo) -> None:
        before = pushed(clone)
        clone.commit(RELOCKED, trailers=[SIGNALLED])
        done = push(clone)
        assert done.status != 0
        assert "FAIL digest-changed" in done.everything
        assert pushed(clone) == before

    def test_as_a_proposal_it_is_pushed(self, clone: Repo) -> None:
        clone.commit(RELOCKED, trailers=[SIGNALLED])
        done = push(clone, "HEAD:refs/heads/topic")
        assert done.status == 0, done
        assert "refs/heads/topic is not protected" in done.everything
        assert "  > " not in done.everything, "of a proposal one command is named, and no remedies"
        (printed,) = re.findall("`ledgergate (check [^`]*)` says how to go on", done.everything)
        shown = gate(clone, *printed.split())
        assert (shown.status, "FAIL digest-changed" in shown.out, "  > " in shown.out) == (1, True, True)

    @pytest.mark.parametrize(
        "refs",
        [
            ["HEAD:refs/heads/a", "HEAD:refs/heads/main"],
            ["HEAD:refs/heads/main", "HEAD:refs/heads/z"],
            [":refs/heads/gone", "HEAD:refs/heads/main"],
            ["HEAD:refs/heads/main", ":refs/heads/gone"],
            ["--all"],
            ["--force", "HEAD:refs/heads/main"],
            ["HEAD:refs/tags/v1"],
            ["--mirror"],
        ],
        ids=" ".join,
    )
    def test_every_ref_is_judged(self, clone: Repo, refs: list[str]) -> None:
        clone.git("push", "-q", "--no-verify", "origin", "main:refs/heads/gone")
        before = pushed(clone)
        clone.commit(RELOCKED)
        assert push(clone, *refs).status != 0
        assert pushed(clone) == before

    def test_deletions(self, clone: Repo) -> None:
        clone.git("push", "-q", "--no-verify", "origin", "main:refs/heads/gone")
        assert push(clone, ":refs/heads/gone").status == 0
        done = push(clone, ":refs/heads/main")
        assert "UNSCORED ref-deleted" in done.everything
        assert pushed(clone)

    def test_nothing_to_push(self, clone: Repo) -> None:
        assert push(clone).status == 0

    def test_annotated_tags(self, clone: Repo) -> None:
        clone.git("tag", "-a", "-m", "v1", "v1")
        assert push(clone, "v1").status == 0
        clone.commit(RELOCKED)
        clone.git("tag", "-a", "-m", "v2", "v2")
        clone.git("tag", "-a", "-m", "v3", "v3", "v2")
        assert push(clone, "v2").status != 0
        assert push(clone, "v3").status != 0

    def test_what_somebody_else_has_pushed_meanwhile(self, clone: Repo) -> None:
        other = Repo(clone.path.parent / "other", init=False)
        clone.git("clone", "-q", f"file://{clone.path.parent}/remote.git", str(other.path))
        other.configure()
        other.commit({"src/other.py": "y = 1\n"})
        other.git("push", "-q", "origin", "HEAD")
        clone.commit(HONEST)
        done = push(clone, "--force")
        assert done.status != 0
        assert "git fetch origin" in done.everything

    def test_from_a_linked_worktree_and_a_subfolder(self, clone: Repo) -> None:
        clone.git("worktree", "add", "-q", "-b", "side", "../linked")
        linked = Repo(clone.path.parent / "linked", init=False)
        linked.env = clone.env
        linked.commit(RELOCKED)
        assert push(linked, "HEAD:refs/heads/main").status != 0
        done = linked.run("sh", "-c", "cd src && git push -q origin HEAD:refs/heads/main")
        assert done.returncode != 0
        assert b"digest-changed" in done.stdout + done.stderr


class TestInstalling:
    def test_twice_is_once(self, clone: Repo) -> None:
        script = clone.path / ".git/hooks/pre-push"
        before = script.read_bytes(), script.stat().st_mode
        again = install(clone)
        assert (again.status, again.out.startswith("it is there already")) == (0, True)
        assert (script.read_bytes(), script.stat().st_mode) == before
        script.chmod(0o644)
        assert install(clone).out.startswith("wrote")
        assert os.access(script, os.X_OK)

    def test_another_hook_is_kept_and_called(self, clone: Repo) -> None:
        script = clone.path / ".git/hooks/pre-push"
        script.write_text('#!/bin/sh\necho "own hook: $1"; cat; exit "${OWN_STATUS:-0}"\n')
        script.chmod(0o755)
        done = install(clone)
        assert "is called by it" in done.out
        assert install(clone).status == 0
        clone.commit(HONEST)
        refused = honest(said(clone, ["git", "push", "-q", "origin", "HEAD"], env={"OWN_STATUS": "7"}))
        assert refused.status != 0
        done = push(clone)
        assert done.status == 0
        assert "own hook: origin" in done.everything
        assert f"{clone.git('rev-parse', 'HEAD')} refs/heads/main" in done.everything
        clone.commit(RELOCKED)
        done = push(clone)
        assert done.status != 0
        assert "own hook" not in done.everything

    def test_two_foreign_hooks_are_left_alone(self, clone: Repo) -> None:
        folder = clone.path / ".git/hooks"
        for name in ("pre-push", "pre-push.before-ledgergate"):
            (folder / name).write_text(f"#!/bin/sh\n# {name}\n")
        done = install(clone)
        assert done.status == 2
        assert (folder / "pre-push").read_text() == "#!/bin/sh\n# pre-push\n"
        assert (folder / "pre-push.before-ledgergate").read_text() == "#!/bin/sh\n# pre-push.before-ledgergate\n"

    def test_a_link_is_left_alone(self, clone: Repo) -> None:
        script = clone.path / ".git/hooks/pre-push"
        script.unlink()
        script.symlink_to("/bin/true")
        assert install(clone).status == 2
        assert script.is_symlink()

    def test_a_folder_of_hooks_in_the_repository(self, clone: Repo) -> None:
        clone.git("config", "core.hooksPath", ".hooks")
        assert install(clone, cwd="src").status == 0
        assert (clone.path / ".hooks/pre-push").exists()
        clone.commit(RELOCKED)
        assert push(clone).status != 0

    @pytest.mark.parametrize("how", ["config", "link"])
    def test_a_folder_that_others_may_share(self, clone: Repo, tmp_path: Path, how: str) -> None:
        shared = tmp_path / "shared"
        shared.mkdir()
        if how == "config":
            clone.git("config", "core.hooksPath", str(shared))
        else:
            (clone.path / ".git/hooks").rename(tmp_path / "before")
            (clone.path / ".git/hooks").symlink_to(shared)
        done = install(clone)
        assert done.status == 2
        assert "others may take theirs" in done.err
        assert list(shared.iterdir()) == []

    def test_from_a_linked_worktree(self, repo: Repo) -> None:
        Project(repo, {**SOUND, "ledgergate.toml": CI})
        with_remote(repo)
        repo.git("worktree", "add", "-q", "-b", "side", "../linked")
        assert install(repo, cwd="../linked").status == 0
        assert (repo.path / ".git/hooks/pre-push").exists()
        repo.commit(RELOCKED)
        assert push(repo).status != 0

    def test_without_the_command_nothing_is_pushed(self, clone: Repo) -> None:
        script = clone.path / ".git/hooks/pre-push"
        script.write_text(script.read_text().replace(str(SCRIPTS), "/nowhere"))
        clone.env["PATH"] = "/usr/local/bin:/usr/bin:/bin"
        clone.commit(HONEST)
        done = push(clone)
        assert done.status != 0
        assert "is not installed here" in done.everything

    def test_what_is_asked_of_it(self, clone: Repo) -> None:
        assert gate(clone, "install").status == 2


@pytest.mark.parametrize("manager", MANAGERS)
class TestManagers:
    @pytest.fixture
    def managed(self, repo: Repo, manager: str) -> Repo:
        config = hook_config("ledgergate-pre-push")
        Project(repo, {**SOUND, "ledgergate.toml": CI, ".pre-commit-config.yaml": config})
        with_remote(repo)
        install_manager(repo, manager)
        return repo

    def test_the_first_ref_is_judged(self, managed: Repo) -> None:
        managed.commit(HONEST)
        assert push(managed).status == 0
        managed.commit(RELOCKED)
        done = push(managed)
        assert done.status != 0
        assert "digest-changed" in done.everything
        assert "named refs/heads/main, and no other ref" in done.everything.replace("\n", " ")

    def test_a_proposal(self, managed: Repo) -> None:
        managed.commit(RELOCKED)
        assert push(managed, "HEAD:refs/heads/topic").status == 0

    def test_others_need_gits_own_hook(self, managed: Repo) -> None:
        """Which ref comes first is git's to say; with its own hook beside the manager's all are judged."""
        assert install(managed).status == 0
        managed.commit(RELOCKED)
        assert push(managed, "HEAD:refs/heads/a", "HEAD:refs/heads/main").status != 0
        assert push(managed, "HEAD:refs/heads/main", "HEAD:refs/heads/z").status != 0
        assert pushed(managed) == managed.git("rev-parse", "HEAD~1")

    def test_a_manager_that_comes_later_keeps_it(self, managed: Repo, manager: str) -> None:
        (managed.path / ".git/hooks/pre-push").unlink()
        assert install(managed).status == 0
        install_manager(managed, manager)
        assert install(managed).status == 0
        managed.commit(RELOCKED)
        assert push(managed, "HEAD:refs/heads/a", "HEAD:refs/heads/main").status != 0
        managed.git("reset", "-q", "--hard", "HEAD~1")
        managed.commit(HONEST)
        assert push(managed).status == 0

    def test_two_sided_diff_alone(self, repo: Repo, manager: str) -> None:
        Project(repo, {**BASE, "ledgergate.toml": CI, ".pre-commit-config.yaml": hook_config("two-sided-diff")})
        with_remote(repo)
        install_manager(repo, manager)
        repo.commit({"src/app.py": "x = 2\n"})
        assert push(repo).status == 0
        repo.commit({GOLDEN: "new", "src/app.py": "x = 3\n"})
        done = push(repo)
        assert done.status != 0
        assert "two-sided" in done.everything


class TestEvidence:
    """Production changes wait for a run of their tree, as the policy says."""

    def start(self, repo: Repo, evidence: str) -> Repo:
        project(repo, {"ledgergate.toml": policy(more=f'[push]\nevidence = "{evidence}"\n')})
        with_remote(repo)
        assert install(repo).status == 0
        return repo

    def test_required(self, repo: Repo) -> None:
        self.start(repo, "require")
        repo.commit({"README.md": "better\n"})
        assert push(repo).status == 0
        repo.commit({"src/app.py": "x = 2\n"})
        done = push(repo)
        assert done.status != 0
        assert "UNSCORED lane-missing" in done.everything
        assert "`ledgergate run --clean`" in done.everything
        assert push(repo, "HEAD:refs/heads/topic").status == 0
        assert run(repo).status == 0
        done = push(repo)
        assert done.status == 0, done
        assert "ledgergate: allow" in done.everything

    def test_evidence_of_a_failure(self, repo: Repo) -> None:
        self.start(repo, "require")
        repo.commit({"src/app.py": "x = 2\n"})
        assert run(repo, fixtures="report(violations=[{'case': cases[0], 'message': 'no'}])").status == 1
        assert push(repo).status != 0
        assert push(repo, "HEAD:refs/heads/topic").status == 0

    def test_of_the_tree_before(self, repo: Repo) -> None:
        self.start(repo, "require")
        repo.commit({"src/app.py": "x = 2\n"})
        assert run(repo).status == 0
        repo.commit({"src/app.py": "x = 3\n"})
        assert push(repo).status != 0

    def test_run_at_the_push(self, repo: Repo) -> None:
        self.start(repo, "run")
        repo.commit({"src/app.py": "x = 2\n"})
        repo.write("src/app.py", "x = 'not committed'\n")
        refused = honest(said(repo, ["git", "push", "-q", "origin", "HEAD"], env={"FAKE_fixtures": "sys.exit(1)"}))
        assert refused.status != 0
        done = push(repo)
        assert done.status == 0, done
        assert "ledgergate: allow" in done.everything

    @pytest.mark.parametrize("evidence", ["ci", "off"])
    def test_elsewhere(self, repo: Repo, evidence: str) -> None:
        self.start(repo, evidence)
        repo.commit({"src/app.py": "x = 2\n"})
        assert push(repo).status == 0
        repo.commit({"tests/conftest.py": "import os\n"})
        assert push(repo).status != 0

    def test_the_pushed_policy_cannot_do_without(self, repo: Repo) -> None:
        self.start(repo, "require")
        repo.commit({"ledgergate.toml": policy(more='[push]\nevidence = "off"\n'), "src/app.py": "x = 2\n"})
        done = push(repo)
        assert "lane-missing" in done.everything
        assert "policy-edited" in done.everything
