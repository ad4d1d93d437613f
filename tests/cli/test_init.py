"""`ledgergate init` on real small projects: what it finds, writes and says."""

from __future__ import annotations

import json
import os

import pytest

from ledgergate.policy import Policy
from ledgergate.policy.model import Run
from support.adoption import COLLECTING, PROJECT, WRITTEN, init, policy, rows, untracked
from support.gate import SCRIPTS, gate
from support.project import sha256
from support.repo import Repo

POINTER = f"version https://git-lfs.github.com/spec/v1\noid {sha256('real')}\nsize 4\n"


@pytest.mark.slow
def test_a_project_is_set_up_and_holds(repo: Repo) -> None:
    done = init(repo, PROJECT, command=COLLECTING)
    assert done.status == 0
    assert untracked(repo) == WRITTEN
    assert {id_: row["artifact"] for id_, row in rows(repo).items()} == {
        "tests/test_app.py::test_case[one.txt]": "tests/goldens/one.txt",
        "tests/test_app.py::test_case[two.txt]": "tests/goldens/two.txt",
        "tests/goldens/three.txt::golden": "tests/goldens/three.txt",
    }
    assert rows(repo)["tests/test_app.py::test_case[one.txt]"]["digest"] == sha256("1\n")
    found = policy(repo)
    assert found._replace(run=Run(), lanes=()) == Policy(name="repo")
    assert [lane.command for lane in found.lanes] == ["python -m pytest --rootdir=. tests/ --ledgergate-lane=fixtures"]
    assert {"hypothesis", "pytest-xdist"} <= set(found.run.plugins)
    assert json.loads((repo.path / "tests/freeze_ledger.json").read_bytes())["required_lanes"] == ["fixtures"]
    assert "3 goldens in 3 rows" in done.out
    assert "1 golden with a row under a placeholder id, like tests/goldens/three.txt::golden" in done.out
    assert "Nothing is enforced until" in done.out


@pytest.mark.slow
@pytest.mark.parametrize(("ignored", "number"), [({}, 3), ({".gitignore": ".*\n"}, 4), ({".gitignore": "*\n"}, 3)])
def test_the_next_commands_work_as_they_stand(repo: Repo, ignored: dict[str, str], number: int) -> None:
    repo.env["PATH"] = f"{SCRIPTS}{os.pathsep}{repo.env['PATH']}"
    repo.stage(PROJECT)
    for path, text in ignored.items():
        repo.write(path, text)
    done = init(repo, {})
    commands = done.out.partition("Next:\n")[2].splitlines()
    assert len(commands) == number
    for command in commands:
        finished = repo.run("sh", "-c", command)
        assert finished.returncode == 0, (command, finished)
    assert untracked(repo) == set()
    assert {"pre-commit", "commit-msg", "pre-merge-commit"} <= {
        hook.name for hook in (repo.path / ".git/hooks").iterdir()
    }
    assert gate(repo, "verify").status == 0
    repo.stage({"tests/goldens/one.txt": "tampered\n"})
    assert "digest-mismatch" in gate(repo, "check", "--staged").out


@pytest.mark.slow
def test_helpers_that_pinned_tests_rest_on_are_said(repo: Repo) -> None:
    helper = "def assert_equal(a, b):\n    assert a == b\n"
    test = "from common import assert_equal\ndef test_a(): assert_equal(1 + 1, 2)\n"
    done = init(repo, {"test/common.py": helper, "test/test_a.py": test}, "--inline", command=COLLECTING)
    assert "1 pinned test checks only through helpers of other files" in done.out
    assert "test/common.py::assert_equal (1)" in done.out


LAYOUTS = {
    "tests beside the package": (
        {"app/tests/test_a.py": "", "app/tests/golden/a": "1"},
        ("app/tests/ledger.yaml", ("app/tests/**",), ("app/tests/golden/**",), "app/tests/agent_drafts/"),
    ),
    "snapshots beside the components": (
        {"src/ui/__snapshots__/a.snap": "1", "src/ui/a.test.tsx": "1"},
        ("tests/ledger.yaml", ("*.test.*",), ("src/ui/__snapshots__/**",), "tests/agent_drafts/"),
    ),
    "results among inputs": (
        {"test/data/a.in": "1", "test/data/a.expected": "1", "test/b.snap": "1", "test/run.js": ""},
        ("test/ledger.yaml", ("test/**",), ("test/**/*.snap", "test/data/**/*.expected"), "test/agent_drafts/"),
    ),
    "no goldens at all": (
        {"tests/test_a.py": "", "tests/data/a.json": "1"},
        ("tests/ledger.yaml", ("tests/**",), ("tests/goldens/**",), "tests/agent_drafts/"),
    ),
}


@pytest.mark.parametrize(("files", "expected"), LAYOUTS.values(), ids=LAYOUTS.keys())
def test_the_files_follow_the_layout(
    files: dict[str, str], expected: tuple[str, tuple[str, ...], tuple[str, ...], str], repo: Repo
) -> None:
    assert init(repo, files).status == 0
    ledger, tests, goldens, drafts = expected
    found = policy(repo)
    assert (found.ledger, found.tests, found.goldens, found.drafts) == ((ledger,), tests, goldens, drafts)
    repo.git("add", "-A")
    repo.commit()
    assert gate(repo, "verify").status == 0


SPECIAL = {
    "empty": ({"tests/goldens/a": ""}, {"allow_empty": True, "digest": sha256("")}),
    "in Git LFS": ({"tests/goldens/a": POINTER}, {"lfs": True, "digest": sha256("real")}),
    "hardly a pointer": ({"tests/goldens/a": POINTER.replace("size", "sizes")}, None),
    "spaces and quotes": ({"tests/goldens/a 'b' \"c\" #d": "1"}, {"artifact": "tests/goldens/a 'b' \"c\" #d"}),
    "another alphabet": ({"tests/goldens/é.txt": "1"}, {"artifact": "tests/goldens/é.txt"}),
    "a Python file": ({"tests/goldens/out.py": "1"}, {"id": "tests/goldens/::out.py"}),
    "line ends of Windows": ({"tests/goldens/a": "1\r\n"}, {"digest": sha256("1\r\n")}),
}


@pytest.mark.parametrize(("files", "expected"), SPECIAL.values(), ids=SPECIAL.keys())
def test_special_goldens(files: dict[str, str], expected: dict[str, object] | None, repo: Repo) -> None:
    done = init(repo, files)
    if expected is None:
        assert "tests/goldens/a has no row (it is no well-formed LFS pointer" in done.out
        return
    (row,) = rows(repo).values()
    assert {key: row[key] for key in expected} == expected
    repo.git("add", "-A")
    repo.commit()
    verified = gate(repo, "verify")
    assert verified.status == 0, verified


UNLISTED = {"newline": b"tests/goldens/a\nb", "tab": b"tests/goldens/a\tb", "Latin-1": b"tests/goldens/caf\xe9"}


@pytest.mark.parametrize("path", UNLISTED.values(), ids=UNLISTED.keys())
def test_a_golden_that_no_row_can_name_is_said(path: bytes, repo: Repo) -> None:
    repo.stage({"tests/goldens/plain": "1"})
    repo.stage_blob(path, b"1")
    done = gate(repo, "init", "--no-collect")
    assert done.status == 1
    assert len(rows(repo)) == 1
    assert "has no row (" in done.out
    assert "the hooks refuse it" in done.out
    assert "The hooks refuse a commit of this as it is:\n  golden-unclassified: " in done.out


LEFT_OUT = {
    "its path": {"tests/goldens/a::b": "1", "tests/goldens/a [1]::*": "1"},
    "its content": {"tests/goldens/a": POINTER.replace("size", "sizes")},
    "drafts' own": {"tests/agent_drafts/goldens/a": "1"},
}


@pytest.mark.parametrize("left_out", LEFT_OUT.values(), ids=LEFT_OUT.keys())
@pytest.mark.parametrize("globs", [(), ("--goldens", "tests/**/goldens/**")])
def test_a_golden_that_no_row_can_hold_is_left_out(
    left_out: dict[str, str], globs: tuple[str, ...], repo: Repo
) -> None:
    """What was written passes the hooks, and a golden that comes later is one."""
    done = init(repo, {"tests/goldens/plain": "1", **left_out}, *globs)
    assert len(rows(repo)) == 1
    assert "The hooks refuse" not in done.out
    repo.git("add", "-A")
    checked = gate(repo, "check", "--staged")
    assert checked.status == 0, checked
    repo.commit()
    repo.stage({"tests/goldens/later": "1"})
    assert "golden-unclassified" in gate(repo, "check", "--staged").out


def test_links_are_no_goldens(repo: Repo) -> None:
    repo.stage({"tests/goldens/a": "1"})
    repo.stage_blob("tests/goldens/link", b"a", "120000")
    assert gate(repo, "init", "--no-collect").status == 1
    assert [row["artifact"] for row in rows(repo).values()] == ["tests/goldens/a"]


def test_the_bytes_are_those_of_the_index(repo: Repo) -> None:
    repo.stage({"tests/goldens/a": "staged"})
    repo.write("tests/goldens/a", "on disk only")
    repo.write("tests/goldens/untracked", "x")
    assert gate(repo, "init", "--no-collect").status == 0
    assert [row["digest"] for row in rows(repo).values()] == [sha256("staged")]


def test_one_test_with_several_goldens_is_one_row(repo: Repo) -> None:
    collector = """\
import pytest
def pytest_collect_file(parent, file_path):
    if file_path.suffix == '.in':
        return Cases.from_parent(parent, path=file_path)
class Cases(pytest.File):
    def collect(self):
        yield Case.from_parent(self, name='')
class Case(pytest.Item):
    def runtest(self): pass
"""
    files = {"tests/conftest.py": collector, "tests/cases/a.in": "1", "tests/cases/a.in.output": "2"}
    assert init(repo, files, command=COLLECTING).status == 0
    (row,) = rows(repo).values()
    assert (row["id"], row["artifact"]) == ("tests/cases/a.in::", ["tests/cases/a.in", "tests/cases/a.in.output"])
    repo.git("add", "-A")
    repo.commit()
    assert gate(repo, "verify").status == 0


def test_options_say_what_is_what(repo: Repo) -> None:
    files = {"checks/a.py": "", "checks/data/a.json": "1", "checks/data/b.txt": "2", "checks/data/expected/c": "3"}
    options = ("--tests", "checks/**", "--goldens", "*.json", "--goldens", "checks/data/b.*", "--drafts", "sketches")
    assert init(repo, files, *options, "--name", "acme/app").status == 0
    found = policy(repo)
    assert (found.name, found.tests, found.goldens) == ("acme/app", ("checks/**",), ("*.json", "checks/data/b.*"))
    assert (found.drafts, found.ledger) == ("sketches/", ("checks/ledger.yaml",))
    assert {row["artifact"] for row in rows(repo, "checks/ledger.yaml").values()} == {
        "checks/data/a.json",
        "checks/data/b.txt",
    }


def test_a_guess_is_left_out_and_said(repo: Repo) -> None:
    family = {f"tests/data/{number}.json": str(number) for number in range(25)}
    done = init(repo, {**family, "tests/test_a.py": ""})
    assert rows(repo) == {}
    assert "tests/data/: 25 files named *.json, which may be goldens or inputs; left out" in done.out
    assert "No golden files were found" in done.out


NAMES = [
    ("git@example.org:acme/app.git", "acme/app"),
    ("https://example.org/acme/app", "acme/app"),
    ("https://example.org/group/acme/app.git/", "acme/app"),
    ("../app.git", "repo"),
    (None, "repo"),
]


@pytest.mark.parametrize(("url", "name"), NAMES)
def test_the_name_comes_from_the_remote(url: str | None, name: str, repo: Repo) -> None:
    if url:
        repo.git("remote", "add", "origin", url)
    assert init(repo, {"tests/test_a.py": ""}).status == 0
    assert policy(repo).name == name


def test_another_main_branch_is_protected(repo: Repo) -> None:
    repo.git("symbolic-ref", "HEAD", "refs/heads/trunk")
    assert init(repo, {"tests/test_a.py": ""}).status == 0
    assert policy(repo).protected_refs == (*Policy().protected_refs, "refs/heads/trunk")


def test_a_placeholder_holds_for_the_commit_and_for_the_whole_tree(repo: Repo) -> None:
    """Python files among them: their rows must not look like those of tests that are gone."""
    goldens = {"expected.py": "x = 1\n", "tests/goldens/a.py": "y = 1\n", "tests/goldens/b.txt": "b\n"}
    repo.commit({**goldens, "tests/test_a.py": "def test_a(): pass\n"})
    init(repo, {}, "--no-collect", "--goldens", "/expected.py", "--goldens", "tests/goldens/**")
    assert {row["artifact"] for row in rows(repo).values()} == set(goldens)
    repo.git("add", "-A")
    assert gate(repo, "check", "--staged").status == 0
    repo.commit()
    assert gate(repo, "verify").status == 0
