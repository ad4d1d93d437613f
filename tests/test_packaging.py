"""What a newcomer gets: the wheel, and the README's commands on a fresh clone."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from support.documents import README, ROOT, blocks, section
from support.gate import SCRIPTS
from support.repo import Repo, clean_environment

pytestmark = pytest.mark.slow

# Before any test pins it: pip finds the package index by the settings of whoever runs the tests.
_MACHINE = dict(os.environ)
_VARIABLES_OF_AN_ENVIRONMENT = ("VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME")


def run(*command: str | Path, cwd: Path, env: dict[str, str] | None = None) -> str:
    own = {key: value for key, value in (env or _MACHINE).items() if key not in _VARIABLES_OF_AN_ENVIRONMENT}
    done = subprocess.run(command, cwd=cwd, env=own, capture_output=True, text=True, check=False, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    run("git", "clone", "-q", ROOT, tmp_path / "clone", cwd=tmp_path)
    return tmp_path / "clone"


def test_the_wheel_holds_the_package_its_data_and_nothing_else(clone: Path, tmp_path: Path) -> None:
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--wheel-dir", tmp_path, clone, cwd=tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"ledgergate"}
    tracked = run("git", "ls-files", "hooks/ledgergate", cwd=clone).splitlines()
    assert {name for name in names if ".dist-info/" not in name} == {name.removeprefix("hooks/") for name in tracked}
    assert {"actors/signals.json", "report/report.schema.json", "report/score.schema.json", "py.typed"} <= {
        name.removeprefix("ledgergate/") for name in names
    }


def test_the_first_command_sets_up_everything_and_shows_it(clone: Path) -> None:
    command, _ = blocks(section(clone / "README.md", "Two commands"), "sh")
    assert "\nAll as expected." in run("bash", "-c", command, cwd=clone)


def test_a_repository_is_set_up_as_the_readme_says_and_its_examples_work(repo: Repo) -> None:
    repo.commit({"tests/test_a.py": "def test_a(): pass\n", "tests/goldens/a.txt": "a\n", "src/a.py": "a = 1\n"})
    env = clean_environment(repo.path.parent)
    env["PATH"] = f"{SCRIPTS}{os.pathsep}{env['PATH']}"
    (setup,) = blocks(section(README, "In your own repository"), "sh")
    run("bash", "-euc", setup, cwd=repo.path, env=env)
    assert repo.git("status", "--short") == ""
    assert (repo.path / ".git/hooks/pre-commit").exists()
    for example in re.findall(r"\| `(ledgergate .+?)` \|", section(README, "Commands")):
        # Set up already; and what names a test or a report needs one, as a run needs lanes and an approval a key.
        # Doctor finds that nobody has a key yet. There is no server.
        if not re.search(r" init | run | ack | doctor| ID\b| --config | PATH\.git\b|\.xml\b|\.json\b", example):
            run("bash", "-euc", example, cwd=repo.path, env=env)
