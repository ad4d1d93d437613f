"""Tasks that could stand in for one that runs the tests: of the same name, calling it, or called by it."""

from __future__ import annotations

import pytest

from ledgergate.policy.protected import protected_difference

PYPROJECT = """\
[tool.pixi.tasks]
check = "pytest"
docs = "mkdocs build"
[tool.pixi.workspace]
platforms = ["linux-64"]
[tool.poe.tasks]
check = "pytest"
lint = "ruff check . tests"
verify = ["lint", "check"]
inner = "python run.py"
test = ["inner"]
docs = "mkdocs build"
[tool.pdm.scripts]
check = "pytest"
docs = "mkdocs build"
[tool.hatch.envs.default.scripts]
check = "pytest"
docs = "mkdocs build"
[tool.hatch.envs.docs]
detached = true
"""


def added(table: str, entry: str, text: str = PYPROJECT) -> str | None:
    heading = f"[{table}]\n"
    new = text.replace(heading, f"{heading}{entry}\n") if heading in text else f"{text}{heading}{entry}\n"
    return protected_difference("pyproject.toml", text.encode(), new.encode())


@pytest.mark.parametrize(
    ("table", "entry"),
    [
        ("tool.pixi.target.linux-64.tasks", 'check = "true"'),
        ("tool.pixi.feature.dev.tasks", 'check = "true"'),
        ("tool.pixi.feature.dev.target.linux.tasks", 'check = { cmd = "true" }'),
        ("tool.pixi.feature.dev.tasks", 'python = "true"'),
        ("tool.pixi.workspace", 'channels = ["https://example.org"]'),
        ("tool.pixi.pypi-options", 'index-url = "https://example.org"'),
        ("tool.poe.tasks", 'all = ["docs", "check"]'),
        ("tool.poe.tasks", 'all = "poe docs && poe check"'),
        ("tool.hatch.envs.ci.scripts", 'check = "true"'),
        ("tool.hatch.envs.docs.scripts", 'check = "true"'),
        ("tool.hatch.envs.default.overrides.env.CI.scripts", 'check = "true"'),
        ("tool.hatch.envs.default.overrides.platform.linux", 'scripts = ["check=true"]'),
        ("tool.hatch.env", 'requires = ["hatch-fake"]'),
        ("tool.hatch.env.collectors.custom", 'path = "fake.py"'),
        ("tool.pdm.scripts", 'pytest = "true"'),
        ("tool.pdm.scripts", 'python = "true"'),
        ("tool.inline-snapshot", 'default-flags = ["fix"]'),
        ("tool.xdoctest", 'options = "+SKIP"'),
        ("project", 'name = "pytest"'),
        ("project", 'dependencies = ["pluggy @ https://example.org/p.whl"]'),
        ("project.scripts", 'git = "app:main"'),
        ("project.scripts", 'python3 = "app:main"'),
        ("project.scripts", 'pre-commit = "app:main"'),
        ("project.gui-scripts", 'prek = "app:main"'),
        ("tool.poetry.scripts", 'uv = "app:main"'),
        ("project.scripts", 'ledgergate-commit-msg = "app:main"'),
    ],
)
def test_a_humans(table: str, entry: str) -> None:
    assert added(table, entry)


@pytest.mark.parametrize(
    ("table", "entry"),
    [
        ("tool.pixi.target.linux-64.tasks", 'docs = "true"'),
        ("tool.pixi.feature.dev.tasks", 'serve = "mkdocs serve"'),
        ("tool.pixi.feature.dev.dependencies", 'rich = "*"'),
        ("tool.poe.tasks", 'all = ["docs", "lint"]'),
        ("tool.poe.tasks", 'site = "mkdocs build --check docs"'),
        ("tool.hatch.envs.docs.scripts", 'docs = "mkdocs build -q"'),
        ("tool.hatch.envs.lint", 'dependencies = ["ruff"]'),
        ("project", 'name = "app"'),
        ("project.scripts", 'gitlike = "app:main"'),
        ("project.scripts", 'app-env = "app:main"'),
        ("tool.robotpy", 'version = "1"'),
    ],
)
def test_anyones(table: str, entry: str) -> None:
    assert added(table, entry) is None


@pytest.mark.parametrize(
    ("old", "new", "is_humans"),
    [
        ('inner = "python run.py"', 'inner = "true"', True),
        ('verify = ["lint", "check"]', 'verify = ["lint"]', True),
        ('lint = "ruff check . tests"', 'lint = "ruff check src tests"', False),
        ('lint = "ruff check . tests"', 'lint = "ruff check . && pytest"', True),
        ('lint = "ruff check . tests"', 'lint = ["ruff check .", "pytest"]', True),
        ('lint = "ruff check . tests"', 'lint = "ruff check .\\npytest"', True),
        ('docs = "mkdocs build"', 'docs = "mkdocs build -q"', False),
    ],
)
def test_tasks_that_call_each_other(old: str, new: str, is_humans: bool) -> None:
    text = PYPROJECT.replace(old, new)
    assert text != PYPROJECT
    assert bool(protected_difference("pyproject.toml", PYPROJECT.encode(), text.encode())) is is_humans


PACKAGE = '{"name": "a", "scripts": {"check": "jest", "test": "run-s check", "build": "tsc"}, "dependencies": {}}'


@pytest.mark.parametrize(
    ("old", "new", "is_humans"),
    [
        ('"test": "run-s check"', '"test": "true"', True),
        ('"check": "jest"', '"check": "jest", "precheck": "rm x"', True),
        ('"build": "tsc"', '"build": "tsc", "postinstall": "rm x"', True),
        ('"name": "a"', '"name": "a", "jest": {"testMatch": []}', True),
        ('"name": "a"', '"name": "a", "bin": {"jest": "x.js"}', True),
        ('"build": "tsc"', '"build": "tsc", "build": "tsc"', True),
        ('"build": "tsc"', '"build": "tsc -p ."', False),
        ('"dependencies": {}', '"dependencies": {"zod": "^3"}', False),
        ('"name": "a"', '"name": "a", "bin": {"a": "x.js"}', False),
    ],
)
def test_scripts_of_npm(old: str, new: str, is_humans: bool) -> None:
    assert old in PACKAGE
    found = protected_difference("package.json", PACKAGE.encode(), PACKAGE.replace(old, new).encode())
    assert bool(found) is is_humans


TASKFILE = """\
version: '3'
tasks:
  test:
    cmds: [pytest]
  docs:
    cmds: [mkdocs build]
"""


@pytest.mark.parametrize(
    ("old", "new", "is_humans"),
    [
        ("[pytest]", "['true']", True),
        ("version: '3'", "version: '3'\nincludes: {a: b.yml}", True),
        ("version: '3'", "version: '3'\nenv: {PYTEST_ADDOPTS: -x}", True),
        ("  docs:", "  lint: &x\n    cmds: [ruff]\n  more: *x\n  docs:", True),
        ("mkdocs build", "mkdocs build -q", False),
        ("  docs:", "  lint:\n    cmds: [ruff]\n  docs:", False),
    ],
)
def test_tasks_in_yaml(old: str, new: str, is_humans: bool) -> None:
    assert old in TASKFILE
    found = protected_difference("Taskfile.yml", TASKFILE.encode(), TASKFILE.replace(old, new).encode())
    assert bool(found) is is_humans
