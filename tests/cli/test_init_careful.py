"""`ledgergate init` where it must hold back: refusals, files of others, failures, questions."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from support.adoption import COLLECTING, PROJECT, WRITTEN, answer, init, policy, rows, untracked
from support.gate import gate
from support.repo import Repo

pytestmark = pytest.mark.slow

REFUSALS = {
    "an owner without a name": ({"tests/a": ""}, {}, ("--owner", " "), "--owner is empty"),
    "drafts without a name": ({"tests/a": ""}, {}, ("--drafts", ""), "--drafts is empty"),
    "a repository without a name": ({"tests/a": ""}, {}, ("--name", " "), "--name is empty"),
    "an interpreter without a name": ({"tests/a": ""}, {}, ("--python", ""), "--python is empty"),
    "tests without a name": ({"tests/a": ""}, {}, ("--tests", ""), "is empty"),
    "tests in a bracket": ({"tests/a": ""}, {}, ("--tests", "["), "cannot be read as a glob"),
    "a ledger of something else": ({"tests/ledger.yaml": "a: b\n"}, {}, (), "would be overwritten"),
    "an untracked freeze ledger": ({"tests/a": ""}, {"tests/freeze_ledger.json": ""}, (), "would be overwritten"),
    "no tracked files": ({}, {"tests/a": ""}, (), "tracks no files"),
    "a glob without a match": ({"tests/a": ""}, {}, ("--goldens", "nothing/**"), "matches no file"),
    "a glob that is none": ({"tests/a": ""}, {}, ("--goldens", "../x"), "segment"),
    "tests that are no glob": ({"tests/a": ""}, {}, ("--tests", "a//b"), "segment"),
    "drafts everywhere": ({"tests/a": ""}, {}, ("--drafts", "."), "whole repository"),
    "drafts over the ledgers": ({"tests/a": ""}, {}, ("--drafts", "tests"), "tests/ledger.yaml"),
    "drafts over workflows": ({".github/workflows/a.yml": "on: push\n"}, {}, ("--drafts", ".github"), "a.yml"),
    "drafts in the place of a file": ({"tests/a": "1"}, {}, ("--drafts", "tests/a"), "tests/a"),
    "drafts over goldens": ({"tests/goldens/a": "1"}, {}, ("--drafts", "tests/goldens/"), "tests/goldens/a"),
    "drafts over a golden": ({"tests/goldens/a/b": "1"}, {}, ("--drafts", "tests/goldens/a"), "--drafts"),
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


@pytest.mark.parametrize("in_index", [False, True])
def test_a_second_run_changes_nothing(in_index: bool, repo: Repo) -> None:
    init(repo, PROJECT)
    if in_index:
        repo.git("add", "-A")
        (repo.path / "ledgergate.toml").unlink()
        repo.git("restore", "ledgergate.toml")
    before = {path: (repo.path / path).read_bytes() for path in WRITTEN}
    done = gate(repo, "init", "--inline", "--goldens", "src/**")
    assert done.status == 0
    assert "has been set up; nothing was written" in done.out
    assert {path: (repo.path / path).read_bytes() for path in WRITTEN} == before


def test_a_policy_that_cannot_be_used_is_no_set_up(repo: Repo) -> None:
    repo.write("ledgergate.toml", "versions = 1\n")
    done = init(repo, PROJECT)
    assert done.status == 1
    assert "unknown key" in done.err
    assert untracked(repo) == {"ledgergate.toml"}


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
    said = "could not import 1 module (tests/test_broken.py): ModuleNotFoundError: No module named 'no_such_module'"
    assert said in done.out
    assert "--python PATH" not in done.out
    other = Repo(repo.path.parent / "other")
    done = init(other, PROJECT, command=("init", "--python", "/no/such/python"))
    assert done.status == 0
    assert len(rows(other)) == 3
    assert "cannot be run" in done.out


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
