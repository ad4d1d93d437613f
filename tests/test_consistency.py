"""What is said in several places is the same in all of them: manifest, scripts, README, rules, versions."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import tomllib
from functools import cache
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

import ledgergate
from ledgergate.checks import CHECKS
from ledgergate.cli import commands
from ledgergate.errors import ExitCode
from ledgergate.rules import RULES
from ledgergate.values import State
from support.documents import README, ROOT, blocks, section, table

SOURCE = ROOT / "hooks" / "ledgergate"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
MANIFEST = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
# Who passes a rule's name on to a finding or an error, always as the first argument.
_EMITTERS = {"finding", "Problem", "LedgergateError", "Fault", "read_regular"}
_STATES = {None: "by maker", State.PASS: "note", State.FAIL: "FAIL", State.UNSCORED: "UNSCORED"}

hooks = pytest.mark.parametrize("hook", MANIFEST, ids=[hook["id"] for hook in MANIFEST])


def tracked_files() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [path for name in listed.rstrip("\0").split("\0") if (path := ROOT / name).is_file()]


# -- hooks and commands ------------------------------------------------------------------------------------------------


@hooks
def test_every_hook_runs_a_console_script_that_knows_its_arguments(hook: dict[str, object]) -> None:
    script, *arguments = str(hook["entry"]).split()
    assert script in PROJECT["scripts"]
    assert arguments in ([], ["check", "--staged"])
    assert not arguments or CliRunner().invoke(commands._group, ["check", "--help"]).exit_code == 0


@hooks
def test_every_hook_judges_commits_that_only_delete_and_alone(hook: dict[str, object]) -> None:
    assert hook["always_run"] is True
    assert hook["require_serial"] is True
    assert hook["pass_filenames"] is (hook["stages"] == ["commit-msg"])


def test_every_hook_has_its_section_in_the_readme_that_names_its_stages() -> None:
    parts = re.split(r"^### (.+)$", section(README, "Hooks"), flags=re.MULTILINE)[1:]
    said = dict(zip(parts[::2], parts[1::2], strict=True))
    assert list(said) == [hook["id"] for hook in MANIFEST]
    for hook in MANIFEST:
        assert set(hook["stages"]) == set(re.findall(r"[a-z]+(?:-[a-z]+)+|\bmanual\b", said[hook["id"]].split(".")[0]))


@pytest.mark.parametrize("target", PROJECT["scripts"].values(), ids=list(PROJECT["scripts"]))
def test_every_console_script_can_be_imported(target: str) -> None:
    module, _, function = target.partition(":")
    assert callable(getattr(importlib.import_module(module), function))


def test_every_command_is_in_the_readme_with_an_example_that_parses() -> None:
    rows = table(section(README, "Commands"))
    assert {row[0].strip("`") for row in rows} == set(commands._COMMANDS)
    for name, _, example in rows:
        script, command, *arguments = example.strip("`").split()
        assert (script, command) == ("ledgergate", name.strip("`"))
        parsed = commands._group.get_command(None, command)  # type: ignore[arg-type]
        assert parsed is not None
        parsed.make_context(command, arguments)


def test_every_option_in_the_readme_exists() -> None:
    known = {
        "--no-verify",
        "--worktree",
        "--source",
        "--collect-only",
        "--quiet",
        "--editable",
        "--junitxml",
        "--snapshot-update",
        "--force-regen",
        "--staged",
        "--version",
    }
    known.update(re.findall(r'"(--ledgergate-[a-z]+)"', (SOURCE / "pytest_plugin.py").read_text(encoding="utf-8")))
    for name in commands._COMMANDS:
        command = commands._group.get_command(None, name)  # type: ignore[arg-type]
        assert command is not None
        known.update(option for parameter in command.params for option in parameter.opts)
    assert set(re.findall(r"--[a-z][a-z-]+", README.read_text(encoding="utf-8"))) <= known


def test_every_exit_status_is_in_the_readme() -> None:
    assert [row[0] for row in table(section(README, "Exit status"))] == [str(int(code)) for code in ExitCode]


def test_the_readme_and_ci_run_the_same_tests() -> None:
    _, tests = blocks(section(README, "Two commands"), "sh")
    *setup, install, script = tests.strip().split(" && ")
    lines = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert [step in (line.strip() for line in lines) for step in (*setup, install)] == [True] * (len(setup) + 1)
    assert [line for line in lines if line.startswith(script)] == [f"{script} 2>&1 </dev/null | tee build/test.log"]


# -- rules -------------------------------------------------------------------------------------------------------------


def test_the_rules_in_the_readme_are_those_of_the_catalogue() -> None:
    assert table(section(README, "Rules")) == [
        (f"`{rule.name}`", rule.title, _STATES[rule.state]) for rule in RULES.values()
    ]


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_is_explained_on_the_command_line(rule: str) -> None:
    shown = CliRunner().invoke(commands._group, ["explain", rule])
    assert shown.exit_code == 0
    assert shown.output.startswith(f"{rule}: {RULES[rule].title}\n")


@cache
def nodes() -> list[tuple[Path, ast.AST]]:
    """Every node of every module, with its file."""
    paths = sorted(SOURCE.rglob("*.py"))
    return [(path, node) for path in paths for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))]


def test_every_rule_that_the_code_names_is_in_the_catalogue() -> None:
    named = [
        (path.name, node.lineno, first.value)
        for path, node in nodes()
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in _EMITTERS
        for first in node.args
        if isinstance(first, ast.Constant) and re.fullmatch(r"[a-z]+(-[a-z]+)*", str(first.value))
    ]
    assert len(named) > 20
    assert [place for place in named if place[2] not in RULES and place[2] not in CHECKS] == []


def test_every_rule_of_the_catalogue_is_emitted_somewhere() -> None:
    texts = [
        node.value
        for path, node in nodes()
        if path.parent.name != "rules"
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    emitted = {rule for rule in RULES for text in texts if text == rule or f" {rule}:" in text}
    assert set(RULES) - emitted == set()


# -- the whole project -------------------------------------------------------------------------------------------------


def test_the_newest_version_of_the_changelog_is_this_one() -> None:
    versions = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert versions[0] == ledgergate.__version__ == PROJECT["version"]


# Written so that this file does not hold what it looks for.
_ABSENT = re.compile(
    r"py[p]i\.org|pythonhoste[d]\.org|/simpl[e]/|/wor[k]/|/tm[p]/(?:v|lg)\b|/roo[t]/|/hom[e]/(?!jules)"
)


def test_no_tracked_file_names_a_package_index_or_a_path_of_one_machine() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {hit[0]}"
        for path in tracked_files()
        for hit in _ABSENT.finditer(path.read_text(encoding="utf-8", errors="replace"))
    ]
    assert found == []
