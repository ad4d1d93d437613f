"""`ledgergate init` on real small projects: what it finds, writes, says and leaves alone."""

from __future__ import annotations

import json
import os
import pty
import select
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from ledgergate.policy import Policy, read_policy
from support.gate import SCRIPTS, Said, gate
from support.project import sha256
from support.repo import Repo

COLLECTING = ("init", "--python", sys.executable)
POINTER = f"version https://git-lfs.github.com/spec/v1\noid {sha256('real')}\nsize 4\n"
READS_GOLDENS = "import pytest\n@pytest.mark.parametrize('case', ['one.txt', 'two.txt'])\ndef test_case(case): pass\n"
PROJECT = {
    "src/app.py": "x = 1\n",
    "tests/test_app.py": READS_GOLDENS,
    "tests/goldens/one.txt": "1\n",
    "tests/goldens/two.txt": "2\n",
    "tests/goldens/three.txt": "3\n",
}
WRITTEN = {"ledgergate.toml", "tests/ledger.yaml", "tests/freeze_ledger.json", ".pre-commit-config.yaml"}


def init(
    repo: Repo, files: Mapping[str, str | bytes], *options: str, command: tuple[str, ...] = ("init", "--no-collect")
) -> Said:
    repo.stage(files)
    return gate(repo, *command, *options)


def rows(repo: Repo, ledger: str = "tests/ledger.yaml") -> dict[str, dict[str, object]]:
    document = yaml.safe_load((repo.path / ledger).read_bytes())
    return {row["id"]: row for row in document["rows"]}


def policy(repo: Repo) -> Policy:
    return read_policy((repo.path / "ledgergate.toml").read_bytes())


def untracked(repo: Repo) -> set[str]:
    return set(repo.git("ls-files", "--others", "--exclude-standard").splitlines())


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
    assert policy(repo) == Policy(name="repo")
    assert json.loads((repo.path / "tests/freeze_ledger.json").read_bytes())["required_lanes"] == ["fixtures"]
    assert "3 goldens in 3 rows" in done.out
    assert "1 golden with a row under a placeholder id, like tests/goldens/three.txt::golden" in done.out
    assert "Nothing is enforced until" in done.out


def test_the_next_commands_work_as_they_stand(repo: Repo) -> None:
    repo.env["PATH"] = f"{SCRIPTS}{os.pathsep}{repo.env['PATH']}"
    done = init(repo, PROJECT)
    commands = done.out.partition("Next:\n")[2].splitlines()
    assert len(commands) == 3
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
        assert "tests/goldens/a has no row: it is no well-formed LFS pointer" in done.out
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
    assert done.status == 0
    assert len(rows(repo)) == 1
    assert "has no row: " in done.out


def test_links_are_no_goldens(repo: Repo) -> None:
    repo.stage({"tests/goldens/a": "1"})
    repo.stage_blob("tests/goldens/link", b"a", "120000")
    assert gate(repo, "init", "--no-collect").status == 0
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


REFUSALS = {
    "a policy on disk": ({"tests/a": ""}, {"ledgergate.toml": "version = 1\n"}, (), "has been set up"),
    "a policy in the index": ({"tests/a": "", "ledgergate.toml": "version = 1\n"}, {}, (), "has been set up"),
    "a ledger of something else": ({"tests/ledger.yaml": "a: b\n"}, {}, (), "would be overwritten"),
    "an untracked freeze ledger": ({"tests/a": ""}, {"tests/freeze_ledger.json": ""}, (), "would be overwritten"),
    "no tracked files": ({}, {"tests/a": ""}, (), "tracks no files"),
    "a glob without a match": ({"tests/a": ""}, {}, ("--goldens", "nothing/**"), "matches no file"),
    "a glob that is none": ({"tests/a": ""}, {}, ("--goldens", "../x"), "segment"),
    "tests that are no glob": ({"tests/a": ""}, {}, ("--tests", "a//b"), "segment"),
    "drafts everywhere": ({"tests/a": ""}, {}, ("--drafts", "."), "whole repository"),
    "half a remote entry": ({"tests/a": ""}, {}, ("--repo", "https://example.org/x"), "go together"),
}


@pytest.mark.parametrize(("staged", "written", "options", "reason"), REFUSALS.values(), ids=REFUSALS.keys())
def test_refusals_write_nothing(
    staged: dict[str, str], written: dict[str, str], options: tuple[str, ...], reason: str, repo: Repo
) -> None:
    for path, text in written.items():
        repo.write(path, text)
    before = {**staged, **written}
    done = init(repo, staged, *options)
    assert done.status == 2
    assert reason in done.err
    assert {path: (repo.path / path).read_text(encoding="utf-8") for path in before} == before
    assert untracked(repo) == set(written)


def test_outside_of_a_repository(tmp_path: Path) -> None:
    assert gate(Repo(tmp_path, init=False), "init").status == 2


def test_a_dry_run_prints_and_writes_nothing(repo: Repo) -> None:
    done = init(repo, PROJECT, "--dry-run")
    assert done.status == 0
    assert untracked(repo) == set()
    for path in WRITTEN:
        assert f"--- {path}\n" in done.out
    assert 'name = "repo"' in done.out
    assert "Would write" in done.out
    assert "Next:" not in done.out


def test_hooks_join_an_existing_configuration(repo: Repo) -> None:
    text = "# ours\nrepos:\n  - repo: meta\n    hooks:\n      - id: identity  # kept\n"
    init(repo, {**PROJECT, ".pre-commit-config.yaml": text})
    edited = (repo.path / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    assert text.removeprefix("# ours\n") in edited
    assert [hook["id"] for entry in yaml.safe_load(edited)["repos"] for hook in entry["hooks"]] == [
        "identity",
        "ledgergate",
        "ledgergate-commit-msg",
    ]


PASTED = {
    "on one line": {".pre-commit-config.yaml": "repos: [{repo: meta, hooks: [{id: identity}]}]\n"},
    "prek's own": {"prek.toml": "[[repos]]\nrepo = 'meta'\n"},
    "prek's spelling": {".pre-commit-config.yml": "repos: []\n"},
}


@pytest.mark.parametrize("config", PASTED.values(), ids=PASTED.keys())
def test_a_configuration_that_is_left_alone_comes_with_the_block_to_paste(config: dict[str, str], repo: Repo) -> None:
    done = init(repo, {**PROJECT, **config})
    assert done.status == 0
    ((path, text),) = config.items()
    assert (repo.path / path).read_text(encoding="utf-8") == text
    assert untracked(repo) == WRITTEN - {".pre-commit-config.yaml"}
    assert "entry: ledgergate check --staged" in done.out
    assert "left alone" in done.out


def test_hooks_of_a_remote_repository(repo: Repo) -> None:
    init(repo, PROJECT, "--repo", "https://example.org/ledgergate", "--rev", "v1.0")
    (entry,) = yaml.safe_load((repo.path / ".pre-commit-config.yaml").read_bytes())["repos"]
    assert (entry["repo"], entry["rev"]) == ("https://example.org/ledgergate", "v1.0")


@pytest.mark.parametrize("failing", range(4))
def test_a_write_that_fails_leaves_everything_as_it_was(
    failing: int, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = "repos: []\n"
    repo.stage({**PROJECT, ".pre-commit-config.yaml": config})
    calls: list[Path] = []
    replace = Path.replace

    def full(path: Path, target: Path) -> Path:
        calls.append(path)
        if len(calls) == failing + 1:
            raise OSError(28, "No space left on device")
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", full)
    done = gate(repo, "init", "--no-collect")
    assert done.status == 2
    assert "No space left" in done.err
    assert "nothing is changed" in done.err
    assert untracked(repo) == set()
    assert (repo.path / ".pre-commit-config.yaml").read_text(encoding="utf-8") == config


def test_a_failed_collection_is_said_and_costs_no_row(repo: Repo) -> None:
    done = init(repo, {**PROJECT, "tests/test_broken.py": "import no_such_module\n"}, command=COLLECTING)
    assert done.status == 0
    assert len(rows(repo)) == 3
    assert "tests/test_app.py::test_case[one.txt]" in rows(repo)
    assert "could not import 1 module: ModuleNotFoundError: No module named 'no_such_module'" in done.out
    other = Repo(repo.path.parent / "other")
    done = init(other, PROJECT, command=("init", "--python", "/no/such/python"))
    assert done.status == 0
    assert len(rows(other)) == 3
    assert "cannot be run" in done.out


def answer(repo: Repo, answers: str) -> tuple[int, str]:
    """Run init on a terminal and type the answers; its status and all that the terminal showed."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(repo.path)
        os.execve(SCRIPTS / "ledgergate", ["ledgergate", "init", "--no-collect"], repo.env)  # noqa: S606
    os.write(terminal, answers.encode())
    shown = b""
    while select.select([terminal], [], [], 30)[0]:
        try:
            data = os.read(terminal, 65536)
        except OSError:
            break
        if not data:
            break
        shown += data
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), shown.decode()


def test_on_a_terminal_it_asks_what_it_is_not_sure_of(repo: Repo) -> None:
    family = {f"tests/data/{number}.json": str(number) for number in range(25)}
    repo.stage({**family, "tests/test_a.py": "", "src/test_b.py": ""})
    status, shown = answer(repo, "checks/** tests/**\ny\n")
    assert status == 0, shown
    assert "some tests stand beside the code" in shown
    assert policy(repo).tests == ("checks/**", "tests/**")
    assert len(rows(repo, "checks/ledger.yaml")) == 25


def test_on_a_terminal_it_asks_for_goldens_where_there_are_none(repo: Repo) -> None:
    repo.stage({"tests/test_a.py": "", "tests/x.json": "1"})
    status, shown = answer(repo, "tests/*.json\n")
    assert status == 0, shown
    assert policy(repo).goldens == ("tests/*.json",)
    assert len(rows(repo)) == 1
