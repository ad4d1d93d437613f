"""`.pre-commit-hooks.yaml` through the real framework, which builds an environment from this project's files."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from support.gate import AS_AGENT, SCRIPTS, Said, guarded, said
from support.managers import install_manager, refusal
from support.project import LEDGER, ledger
from support.repo import Repo

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
NEEDED = ("hooks", "pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml")
REVISION = "v0.0.1"
ALONE = ("ledger-schema", "ledger-edits", "fixture-digests", "two-sided-diff", "test-guard")
GOLDEN = "tests/goldens/a.txt"


@pytest.fixture
def hook_repository(tmp_path: Path) -> Repo:
    """This project's own files as a repository of hooks with a release."""
    source = Repo(tmp_path / "ledgergate")
    for name in NEEDED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source.path / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copyfile(ROOT / name, source.path / name)
    source.git("add", "-A")
    source.commit()
    source.git("tag", REVISION)
    return source


def test_the_manifests_hooks_are_built_and_judge(
    hook_repository: Repo, repo: Repo, pip_settings: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in pip_settings.items():
        monkeypatch.setenv(name, value)
    config = f"repos:\n- repo: {hook_repository.path}\n  rev: {REVISION}\n  hooks:\n"
    config += "".join(f"  - id: {name}\n" for name in ALONE)
    guarded(repo, {GOLDEN: "1\n"}, files={".pre-commit-config.yaml": config})
    repo.git("rm", "-q", "ledgergate.toml", LEDGER, "tests/freeze_ledger.json")
    repo.commit()
    init = said(
        repo,
        [str(SCRIPTS / "ledgergate"), "init", "--no-collect", "--repo", str(hook_repository.path), "--rev", REVISION],
    )
    assert init.status == 0, init
    install_manager(repo, "pre-commit")
    # The hooks come from the environment that the framework builds, not from the one that runs this test.
    repo.env |= {**pip_settings, "PATH": os.pathsep.join([str(shims(repo)), os.defpath])}
    built = repo.run("pre-commit", "install-hooks")
    assert built.returncode == 0, f"The environment needs a network or an index that pip reaches: {built}"
    repo.git("add", "-A")
    assert refusal(try_commit(repo)) == set()

    repo.stage({GOLDEN: "tampered\n"})
    done = try_commit(repo, AS_AGENT)
    assert refusal(done) == {"digest-mismatch"}
    assert {line.split(".")[0] for line in done.everything.splitlines() if line.endswith("Failed")} == {
        "ledgergate",
        "fixture-digests",
    }
    repo.stage({GOLDEN: "1\n", "src/app.py": "x = 2\n"})
    trailer = "change\n\nCo-Authored-By: Claude <noreply@anthropic.com>"
    assert refusal(try_commit(repo, message=trailer)) == set()
    repo.stage({LEDGER: ledger(), GOLDEN: None})
    done = try_commit(repo, message=trailer)
    assert refusal(done) == {"row-removed"}
    assert "ledgergate (commit message)" in done.everything


def shims(repo: Repo) -> Path:
    """A folder with nothing of this environment but the framework itself."""
    folder = repo.path.parent / "bin"
    folder.mkdir()
    (folder / "pre-commit").symlink_to(SCRIPTS / "pre-commit")
    return folder


def try_commit(repo: Repo, env: dict[str, str] | None = None, message: str = "change") -> Said:
    return said(repo, ["git", "commit", "-q", "-m", message], env)
