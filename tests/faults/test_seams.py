"""Whatever raises, wherever it raises: no run of any entry point passes, is silent, or harms a file.

Every place where ledgergate touches a library, and every function of its own, raises in turn in a real run of each
entry point (`support.seams` finds the places, `support.fault_runs` makes the runs).
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from support import lane_project
from support.harmless_faults import is_harmless
from support.project import (
    BASE,
    DRAFT,
    FREEZE,
    FREEZES,
    GOLDEN,
    LEDGER,
    LOCKED,
    ROWS,
    SIGNALLED,
    Edit,
    Project,
    edited,
    freezes,
    ledger,
    sha256,
)
from support.repo import Repo

SOON = (datetime.now(UTC) + timedelta(days=9)).strftime("%Y-%m-%dT00:00:00Z")
POINTER = f"version https://git-lfs.github.com/spec/v1\noid {sha256('real')}\nsize 4\n"
FOLDER_DIGEST = sha256(f"{sha256('b').removeprefix('sha256:')}  b\n")
# In a form that only the strict reader takes.
OTHER_LEDGER = f"""\
version: 1
rows:
  - {{id: services/a/test_a.py::test_folder, class: locked_fixture, artifact: services/a/golden/,
     digest: "{FOLDER_DIGEST}"}}
  - {{id: services/a/test_a.py::test_lfs, class: locked_fixture, artifact: services/a/big, lfs: true,
     digest: "{sha256("real")}"}}
  - id: services/a/test_a.py::test_parts
    class: locked_fixture
    artifact: [services/a/one, services/a/two]
    digest: ["{sha256("1")}", "{sha256("2")}"]
"""
POLICY = """\
version = 1
ledger = ["tests/ledger.yaml", "services/*/ledger.yaml"]
not_production = ["/docs/[a-z]*.md"]
[identity]
agents = ["env:ROBOT"]
"""
RICH: Edit = {
    **BASE,
    "ledgergate.toml": POLICY,
    FREEZES: freezes({**FREEZE, "expires_utc": SOON, "signature": sha256("pass")}),
    "services/a/ledger.yaml": OTHER_LEDGER,
    "services/a/golden/b": "b",
    "services/a/big": POINTER,
    "services/a/one": "1",
    "services/a/two": "2",
    "services/a/test_a.py": "def test_folder(): pass\ndef test_lfs(): pass\ndef test_parts(): pass\n",
    "tox.ini": "[testenv]\ncommands = pytest\n",
    "docs/a.md": "a",
}
NEW_DRAFT = edited(DRAFT, "test_prefix.py::test_strip", "test_more.py::test_more")
NEW_ROWS = ledger(edited(LOCKED, sha256("header"), sha256("new")), *ROWS[1:], NEW_DRAFT)
HUMANS_WORK: Edit = {
    GOLDEN: "new",
    LEDGER: NEW_ROWS,
    FREEZES: freezes({**FREEZE, "expires_utc": SOON, "reason": "slower disk"}),
    "services/a/golden/b": "c",
    "services/a/ledger.yaml": OTHER_LEDGER.replace(
        FOLDER_DIGEST, sha256(f"{sha256('c').removeprefix('sha256:')}  b\n")
    ),
    "tests/properties/seeds/length/2": "2",
    "tests/agent_drafts/test_more.py": "def test_more(): pass\n",
    "pyproject.toml": edited(str(BASE["pyproject.toml"]), '"-ra"', '"-rA"'),
    ".pre-commit-config.yaml": edited(str(BASE[".pre-commit-config.yaml"]), "v0.1.0", "v0.2.0"),
    ".ledgergate/acks/expired.json": None,
    "tox.ini": "[testenv]\ncommands = pytest -q\n",
    "src/app.py": "x = 2\n",
    "docs/a.md": "b",
}
HONEST_WORK: Edit = {
    "src/app.py": "x = 2\n",
    "tests/properties/seeds/length/2": "2",
    "tests/agent_drafts/test_more.py": "def test_more(): pass\n",
    LEDGER: ledger(*ROWS, NEW_DRAFT),
    "pyproject.toml": edited(str(BASE["pyproject.toml"]), "click>=8", "click>=9"),
    "services/a/ledger.yaml": OTHER_LEDGER + "# layout\n",
}
HOOK = "ledgergate.hosts.single_checks:"
MAIN = "ledgergate.cli.main:main"


def rich(path: Path, base: Edit = RICH) -> Repo:
    repo = Repo(path)
    Project(repo, base)
    return repo


def scenario(repo: Repo, status: int, entry: str, *argv: str, writes: bool = False, stdin: str = "") -> dict[str, Any]:
    temporary = repo.path.parent / "tmp"
    temporary.mkdir(exist_ok=True)
    return {
        "entry": entry,
        "argv": argv,
        "folder": str(repo.path),
        "temporary": str(temporary),
        "status": status,
        "writes": writes,
        "stdin": stdin,
    }


def staged(path: Path) -> Iterator[dict[str, Any]]:
    repo = rich(path / "repo")
    repo.stage(HUMANS_WORK)
    message = repo.write(".git/COMMIT_EDITMSG", "Relock\n\nSigned-off-by: Kim <kim@example.org>\n")
    yield scenario(repo, 0, MAIN, "check", "--staged")
    yield scenario(repo, 0, MAIN, "check", "--format", "json")
    yield scenario(repo, 0, MAIN, "check", "--format", "github", "--all")
    yield scenario(repo, 0, "ledgergate.hosts.commit_msg:main", str(message))


def single(path: Path) -> Iterator[dict[str, Any]]:
    repo = rich(path / "repo")
    repo.stage(HUMANS_WORK)
    for name in ("ledger_schema", "ledger_edits", "fixture_digests", "two_sided_diff"):
        yield scenario(repo, 0, HOOK + name, "tests/ledger.yaml")
    yield scenario(repo, 0, MAIN, "explain", "digest-changed")


def merging(path: Path) -> Iterator[dict[str, Any]]:
    repo = rich(path / "repo")
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit(HUMANS_WORK)
    repo.git("checkout", "-q", "main")
    repo.commit({"src/other.py": "x = 1\n"})
    repo.git("merge", "-q", "--no-commit", "--no-ff", "topic")
    yield scenario(repo, 0, MAIN, "check")


def ranges(path: Path) -> Iterator[dict[str, Any]]:
    repo = rich(path / "repo")
    repo.git("checkout", "-q", "-b", "honest")
    repo.commit(HONEST_WORK)
    repo.git("checkout", "-q", "-b", "tampered", "main")
    repo.commit(HUMANS_WORK, trailers=(SIGNALLED,))
    repo.git("checkout", "-q", "main")
    repo.commit({"README.md": "diverged\n"})
    yield scenario(repo, 0, MAIN, "check", "--from", "main", "--to", "honest")
    yield scenario(repo, 1, MAIN, "check", "--from", "main", "--to", "tampered")
    yield scenario(repo, 0, MAIN, "verify")


def relocking(path: Path) -> Iterator[dict[str, Any]]:
    repo = rich(path / "repo")
    repo.stage({GOLDEN: "new", "services/a/one": "other", "services/a/golden/b": "c"})
    for which in ("--staged", "--all"):
        shown = repo.run(sys.executable, "-m", "ledgergate", "relock", which)
        contract = re.search(rb"--contract (sha256:[0-9a-f]{64})", shown.stdout)
        assert contract is not None, shown
        yield scenario(repo, 0, MAIN, "relock", which, "--yes", "--contract", contract[1].decode(), writes=True)


def amending(path: Path) -> Iterator[dict[str, Any]]:
    draft = "tests/agent_drafts/test_prefix.py::test_strip"
    row = edited(
        DRAFT, "property\n    invariant: prefix_is_idempotent", "locked_fixture\n    artifact: tests/agent_drafts/g"
    )
    base = {**RICH, LEDGER: ledger(*ROWS[:-1], row), "tests/agent_drafts/g": "g", "tests/agent_drafts/x/y": "y"}
    seeds = (
        "--class",
        "property",
        "--invariant",
        "i",
        "--seeds",
        "tests/agent_drafts/x/",
        "--seeds-to",
        "tests/seeds/",
    )
    for number, argv in enumerate(
        (
            ("draft", "tests/agent_drafts/test_more.py::test_more", "--invariant", "i"),
            ("promote", draft, "--golden-to", "tests/goldens/new/g"),
            ("promote", draft, *seeds),
            ("quarantine", "services/a/test_a.py::test_parts", "--reason", "r", "--owner", "o"),
            ("release", "tests/test_parse.py::test_reload", "--artifact", GOLDEN),
            ("freeze", "tests/test_parse.py::test_header", "--assertion", "pass", "--reason", "r", "--owner", "o"),
            ("thaw", "fx-1"),
        )
    ):
        repo = rich(path / str(number) / "repo", base)
        repo.write("tests/agent_drafts/test_more.py", "def test_more(): pass\n")
        approval: tuple[str, ...] = ()
        if argv[0] != "draft":
            shown = repo.run(sys.executable, "-m", "ledgergate", *argv)
            contract = re.search(rb"--contract (sha256:[0-9a-f]{64})", shown.stdout)
            assert contract is not None, shown
            approval = ("--yes", "--contract", contract[1].decode())
        yield scenario(repo, 0, MAIN, *argv, *approval, writes=True)


UNGUARDED: Edit = {
    "tests/test_app.py": "def test_one(): pass\n",
    "tests/goldens/test_one.txt": "one\n",
    "src/app.py": "",
    ".pre-commit-config.yaml": BASE[".pre-commit-config.yaml"],
}


def initialising(path: Path) -> Iterator[dict[str, Any]]:
    repo = rich(path / "repo", UNGUARDED)
    yield scenario(repo, 0, MAIN, "init", "--no-collect", writes=True)


def collecting(path: Path) -> Iterator[dict[str, Any]]:
    repo = rich(path / "repo", UNGUARDED)
    yield scenario(repo, 0, MAIN, "init", writes=True)


def demonstrating(path: Path) -> Iterator[dict[str, Any]]:
    yield scenario(rich(path / "repo", UNGUARDED), 0, MAIN, "demo")


def scoring(path: Path) -> Iterator[dict[str, Any]]:
    repo = lane_project.project(Repo(path / "repo"))
    assert repo.run(sys.executable, "-m", "ledgergate", "run").returncode == 0
    kept = lane_project.evidence(repo)[lane_project.tree(repo)] / "reports"
    yield scenario(repo, 0, "ledgergate.hosts.lane_score:main")
    yield scenario(repo, 0, "ledgergate.hosts.junit_evidence:main", *map(str, sorted(kept.iterdir())))
    yield scenario(repo, 0, MAIN, "lock")


def pushing(path: Path) -> Iterator[dict[str, Any]]:
    repo = lane_project.project(Repo(path / "repo"))
    remote = Repo(path / "remote.git", bare=True)
    repo.git("remote", "add", "origin", str(remote.path))
    repo.git("push", "-q", "origin", "main")
    old = repo.git("rev-parse", "main")
    new = repo.commit({"src/app.py": "x = 2\n"})
    assert repo.run(sys.executable, "-m", "ledgergate", "run").returncode == 0
    bad = repo.commit({"tests/conftest.py": "import os\n"}, trailers=(SIGNALLED,))
    for status, tip in ((0, new), (1, bad)):
        line = f"refs/heads/main {tip} refs/heads/main {old}\n"
        yield scenario(repo, status, "ledgergate.hosts.pre_push:main", "--git", "origin", "url", stdin=line)


def receiving(path: Path) -> Iterator[dict[str, Any]]:
    repo = rich(path / "repo")
    old = repo.git("rev-parse", "main")
    repo.git("checkout", "-q", "--detach")
    new = repo.commit(HONEST_WORK)
    bad = repo.commit({"tests/conftest.py": "import os\n"}, trailers=(SIGNALLED,))
    (path / "signers").write_text(str(BASE[".ledgergate/allowed_signers"]))
    config = path / "server.toml"
    config.write_text('version = 1\nsigners = "signers"\ndeadline_s = 60\n')
    line = f"{old} {new} refs/heads/main\n"
    yield scenario(repo, 0, "support.receiving:main", str(config), stdin=line)
    others = f"{'0' * 40} {bad} refs/heads/topic\n{old} {'0' * 40} refs/heads/release/1\n"
    yield scenario(repo, 1, "support.receiving:main", str(config), stdin=line + others)
    yield scenario(repo, 0, MAIN, "pre-receive", "--config", str(config), stdin=line)


def running(path: Path) -> Iterator[dict[str, Any]]:
    repo = lane_project.project(Repo(path / "repo"))
    yield scenario(repo, 0, MAIN, "run", writes=True)


def of_the_client(path: Path) -> Iterator[dict[str, Any]]:
    for make in (staged, single, merging):
        yield from make(path / make.__name__)


def of_ranges_and_humans(path: Path) -> Iterator[dict[str, Any]]:
    for make in (ranges, relocking, initialising):
        yield from make(path / make.__name__)


Scenarios = Callable[[Path], Iterator[dict[str, Any]]]


def check(make: Scenarios, path: Path, *, thorough: bool, known: Scenarios | None = None) -> None:
    """Fails where a fault passes or harms. What the `known` scenarios go through has been tried with them."""
    program = Path(__file__).parents[1] / "support" / "fault_runs.py"
    scenarios, found = list(make(path)), path / "results.json"
    passed = [] if known is None else list(known(path / "known"))
    settings = {"thorough": thorough, "results_file": str(found), "scenarios": scenarios, "known": passed}
    arguments = json.dumps(settings)
    done = subprocess.run(
        [sys.executable, str(program), arguments],
        env={**os.environ, "TMPDIR": scenarios[0]["temporary"], "PYTHONPATH": str(program.parents[1])},
        check=False,
    )
    assert done.returncode == 0
    results = json.loads(found.read_text())
    wrong = [wrong for result in results for wrong in result["wrong"] if not is_harmless(wrong)]
    assert not wrong, "\n".join(
        f"{problem}: {faults} {argv}\n    {said[-300:]}" for argv, faults, problem, said in wrong[:60]
    )
    assert results[0]["runs"] > results[0]["seams"] > 20
    assert all(result["seams"] for result in results)


@pytest.mark.slow
@pytest.mark.parametrize("make", [of_the_client, of_ranges_and_humans, amending, scoring, pushing, receiving])
def test_no_fault_passes_or_harms(make: Scenarios, tmp_path: Path) -> None:
    check(make, tmp_path, thorough=False, known=None if make is of_the_client else staged)


@pytest.mark.slow
@pytest.mark.exhaustive
@pytest.mark.parametrize("make", [staged, single, merging, ranges, relocking, amending, initialising])
def test_no_fault_of_any_kind_passes_or_harms(make: Scenarios, tmp_path: Path) -> None:
    check(make, tmp_path, thorough=True)


@pytest.mark.slow
@pytest.mark.exhaustive
@pytest.mark.parametrize("make", [collecting, demonstrating, running])
def test_no_fault_passes_or_harms_beside_other_programs(make: Scenarios, tmp_path: Path) -> None:
    check(make, tmp_path, thorough=False)
