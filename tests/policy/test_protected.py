"""Which changes of protected files belong to a human, each with the honest change that looks like it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledgergate.policy.protected import difference_elsewhere, has_settings, protected_difference
from support.settings import edit

PYPROJECT = """\
[build-system]
requires = ["hatchling"]

[project]
name = "app"
dependencies = ["click>=8", "requests"]
[project.optional-dependencies]
test = ["pytest>=8", "pytest-cov"]
[project.scripts]
app = "app:main"

[dependency-groups]
dev = ["ruff", "ledgergate==1.0", { include-group = "docs" }]
docs = ["sphinx"]

[tool.ruff]
line-length = 100

[tool.coverage.run]
branch = true

[tool.hatch.envs.default]
dependencies = ["rich"]
[tool.hatch.envs.default.scripts]
check = "pytest tests"
docs = "sphinx-build docs"

[tool.poetry.group.dev.dependencies]
black = "^24"
pytest = "^8"

[tool.tox.env_run_base]
deps = ["pytest", "rich"]
commands = [["pytest"]]

[tool.pytest.ini_options]
addopts = "-ra"
testpaths = ["tests"]
"""

TOX = """\
[tox]
env_list = py311

[testenv]
deps =
    pytest>=8
    rich
commands = {[base]commands}

[base]
commands = pytest

[flake8]
max-line-length = 100
"""

SETUP = """\
[metadata]
name = app

[options]
install_requires =
    click
    pytest-mock
[options.extras_require]
test =
    pytest
    rich
[options.entry_points]
console_scripts =
    app = app:main
pytest11 =
    app = app.plugin

[tool:pytest]
addopts = -ra

[coverage:run]
branch = true
"""


# What a package could install for a test tool or Python to pick up: the table, an entry, and what is said of it.
INSTALLING = [
    ("[project.entry-points.hypothesis]", '_ = "app.x"', "[project.entry-points.hypothesis] _"),
    ('[project.entry-points."coverage.plugins"]', 'x = "app.x"', "coverage.plugins] x"),
    ("[project.entry-points]", '"pytest_randomly.random_seeder" = {x = "app:x"}', "random_seeder] x"),
    ("[project.entry-points.tox]", 'x = "app.x"', "[project.entry-points.tox] x"),
    ("[project.entry-points]", "hypothesis = {}", "[project.entry-points] hypothesis"),
    ("[project.entry-points.console_scripts]", 'pytest = "app:x"', "console_scripts] pytest"),
    ("[tool.poetry.plugins.hypothesis]", '_ = "app.x"', "[tool.poetry.plugins.hypothesis] _"),
    ('[tool.flit.entrypoints."coverage.plugins"]', 'x = "app.x"', "coverage.plugins] x"),
    ("[tool.poetry.scripts.pytest]", 'reference = "bin/x"\ntype = "file"', "[tool.poetry.scripts.pytest] reference"),
    ("[tool.poetry]", 'include = [{ path = "src/evil.pth", format = "wheel" }]', "[tool.poetry] include"),
    ("[tool.poetry]", 'packages = [{ include = "sitecustomize.py" }]', "[tool.poetry] packages"),
    ("[tool.setuptools]", 'script-files = ["bin/pytest"]', "[tool.setuptools] script-files"),
    ("[tool.setuptools]", 'script-files = ["bin/*"]', "[tool.setuptools] script-files"),
    ("[tool.setuptools]", 'py-modules = ["sitecustomize"]', "[tool.setuptools] py-modules"),
    ("[tool.setuptools]", 'packages = ["app", "_pytest"]', "[tool.setuptools] packages"),
    ("[tool.setuptools.data-files]", 'bin = ["x/Pytest.exe"]', "[tool.setuptools.data-files] bin"),
    ("[tool.setuptools.data-files]", 'bin = ["x/p*"]', "[tool.setuptools.data-files] bin"),
    ("[tool.setuptools.data-files]", '"lib/python3.11/site-packages" = ["x.pth"]', "site-packages"),
    ("[tool.hatch.build.targets.wheel.shared-scripts]", '"x" = "pytest"', "shared-scripts] x"),
    ("[tool.hatch.build.targets.wheel.shared-data]", '"x" = "bin/tox"', "shared-data] x"),
    ("[tool.hatch.build.targets.wheel.shared-data]", '"x" = "bin"', "shared-data] x"),
    ("[tool.hatch.build.targets.wheel.force-include]", '"x" = "sitecustomize.py"', "force-include] x"),
    ("[tool.hatch.build.targets.wheel.force-include]", '"x" = "evil.pth"', "force-include] x"),
    ("[tool.hatch.build.targets.wheel.force-include]", '"x" = "/"', "force-include] x"),
    ("[tool.hatch.build.force-include]", '"src/x.pth" = "app/x"', "force-include] src/x.pth"),
    ("[tool.setuptools.packages.find]", 'where = ["src", "src/app/vendor"]', "packages.find] where"),
    ("[tool.setuptools.package-dir]", '"" = "src/app/vendor"', "package-dir]"),
    ("[tool.setuptools.package-dir]", 'attr = "src/app/vendor/attr"', "package-dir] attr"),
    ("[tool.hatch.build.targets.wheel]", 'packages = ["src/app", "src/app/vendor/attr"]', "wheel] packages"),
    ("[tool.hatch.build.targets.wheel]", 'sources = ["src/app"]', "wheel] sources"),
    ("[tool.hatch.build.targets.wheel.sources]", '"src/app/vendor" = ""', "wheel.sources] src/app/vendor"),
    ("[tool.hatch.build.targets.wheel.force-include]", '"src/app/x" = "pygments"', "force-include] src/app/x"),
    ("[tool.hatch.build]", 'dev-mode-dirs = ["src/app/vendor"]', "[tool.hatch.build] dev-mode-dirs"),
    ("[tool.uv.build-backend]", 'module-root = "src/app/vendor"', "build-backend] module-root"),
    ("[tool.uv.build-backend]", 'module-name = ["app", "attr"]', "build-backend] module-name"),
    ("[tool.uv.build-backend.data]", 'purelib = "x"', "build-backend.data] purelib"),
    ("[tool.pdm.build]", 'package-dir = "x"', "[tool.pdm.build] package-dir"),
    ("[tool.poetry]", 'packages = [{ include = "attr", from = "src/app/vendor" }]', "[tool.poetry] packages"),
    ("[tool.maturin]", 'python-source = "x"', "[tool.maturin] python-source"),
    ("[tool.flit.module]", 'name = "pygments"', "[tool.flit.module] name"),
    ('[project.entry-points."distutils.commands"]', 'install = "app:x"', "distutils.commands] install"),
    ("[tool.uv.sources]", 'pygments = { path = "x" }', "[tool.uv.sources.pygments] path"),
    ("[tool.uv.sources]", 'Typing-Extensions = [{ git = "x" }]', "[tool.uv.sources] Typing-Extensions"),
    ("[tool.poetry.group.x.dependencies]", 'colorama = { git = "x" }', "dependencies.colorama] git"),
    ("[tool.pdm.build.wheel-data]", 'scripts = ["bin/pytest"]', "[tool.pdm.build.wheel-data] scripts"),
    ("[tool.flit.external-data]", 'directory = "data"', "[tool.flit.external-data] directory"),
]

# An environment of tox that runs no tests.
LINT = "[testenv:lint]\ndescription = looks at code and tests\ndeps = ruff\ncommands = ruff check src tests\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"requests"', '"requests", "httpx>=0.27"'),
        ('"click>=8"', '"click>=8.1"'),
        ('"click>=8", "requests"', '"requests", "click>=8"'),
        ("line-length = 100", "line-length = 120"),
        ("[tool.ruff]", "# wide lines\n[tool.ruff]"),
        ('addopts = "-ra"\ntestpaths = ["tests"]', "testpaths = ['tests']\naddopts = '-ra'"),
        ('"pytest>=8", "pytest-cov"', '"pytest-cov",\n "pytest >= 8",'),
        ('test = ["pytest>=8"', 'test = ["rich", "pytest>=8"'),
        ('"sphinx"', '"sphinx", "furo"'),
        ('"sphinx"]', '"sphinx"]\nlint = ["mypy"]'),
        ('dependencies = ["rich"]', 'dependencies = ["rich", "mypy"]'),
        ("sphinx-build docs", "sphinx-build -W docs"),
        ('docs = "sphinx-build docs"', 'docs = "sphinx-build docs"\nlatest = "sphinx-build --discover"'),
        ("[tool.ruff]", '[tool.pixi.feature.test.dependencies]\nrich = "*"\n[tool.ruff]'),
        ('black = "^24"', 'black = "^25"'),
        ('deps = ["pytest", "rich"]', 'deps = ["pytest", "rich", "anyio"]'),
        ('app = "app:main"', 'app = "app:main"\nattest = "app:attest"'),
        ('name = "app"', 'name = "app"\nkeywords = ["pytest"]'),
        ("[tool.ruff]", '[[tool.mypy.overrides]]\nmodule = ["pytest.*"]\n\n[tool.ruff]'),
        ('name = "app"', 'name = "app"\nrequires-python = ">=3.12"'),
        ("[tool.ruff]", '[project.gui-scripts]\nviewer = "app:view"\n[tool.ruff]'),
        ("[tool.ruff]", '[tool.setuptools.dynamic]\nversion = { attr = "app.version" }\n[tool.ruff]'),
        ("[tool.ruff]", '[[tool.uv.index]]\nname = "torch"\nurl = "u"\nexplicit = true\n[tool.ruff]'),
        ("[tool.ruff]", '[[tool.poetry.source]]\nname = "t"\nurl = "u"\npriority = "explicit"\n[tool.ruff]'),
        ("[tool.ruff]", '[tool.uv.sources]\ntorch = { index = "torch" }\n[tool.ruff]'),
        ("[tool.ruff]", '[tool.uv]\ndev-dependencies = ["mypy"]\n[tool.ruff]'),
        ("[tool.ruff]", '[tool.hatch.build.targets.wheel]\nsources = ["src"]\n[tool.ruff]'),
        ('"requests"', '"requests", "own @ https://example.org/own.whl"'),
        ('"requests"', '"requests", "colorama>=0.4", "pygments[plugins]"'),
        ("[tool.ruff]", '[tool.poetry.dependencies]\ncolorama = { version = "^0.4", optional = true }\n[tool.ruff]'),
        ("[tool.ruff]", '[tool.uv.sources]\nown = { path = "libs/own" }\n[tool.ruff]'),
        ("[tool.ruff]", '[tool.setuptools.packages.find]\nwhere = ["src"]\ninclude = ["app*"]\n[tool.ruff]'),
        ("[tool.ruff]", '[tool.setuptools.package-dir]\n"" = "src"\napp = "src/app"\n[tool.ruff]'),
        ("[tool.ruff]", '[tool.poetry]\npackages = [{ include = "app", from = "src" }]\n[tool.ruff]'),
        ("[tool.ruff]", '[tool.uv.build-backend]\nmodule-root = ""\nmodule-name = "app"\n[tool.ruff]'),
        ("[tool.ruff]", '[project.entry-points."app.plugins"]\nx = "app.x"\n[tool.ruff]'),
        ("[tool.ruff]", '[project.entry-points."flake8.extension"]\nX = "app.x"\n[tool.ruff]'),
        ("[tool.ruff]", '[tool.poetry.plugins.toxic]\nx = "app.x"\n[tool.ruff]'),
        ("[tool.ruff]", '[tool.poetry.scripts.run]\nreference = "bin/run"\ntype = "file"\n[tool.ruff]'),
        ("[tool.ruff]", '[tool.setuptools]\nscript-files = ["bin/app"]\npackages = ["app"]\n[tool.ruff]'),
        ("[tool.ruff]", '[tool.setuptools.data-files]\n"share/app" = ["data/*"]\nbin = ["bin/app"]\n[tool.ruff]'),
        ("[tool.ruff]", '[tool.setuptools.package-data]\napp = ["weights/*.pth"]\n[tool.ruff]'),
        ("[tool.ruff]", '[tool.hatch.build.targets.wheel]\npackages = ["src/app"]\n[tool.ruff]'),
        ("[tool.ruff]", '[tool.hatch.build.targets.wheel.force-include]\n"data" = "app/data"\n[tool.ruff]'),
        ("[tool.ruff]", '[tool.hatch.build.targets.wheel.shared-scripts]\n"bin/x" = "x"\n[tool.ruff]'),
        ("[tool.ruff]", '[tool.hatch.build.targets.sdist]\nexclude = ["noxfile.py", "/tox"]\n[tool.ruff]'),
        ("[tool.ruff]", '[tool.hatch.build.targets.sdist]\ninclude = ["tests", "tox.ini"]\n[tool.ruff]'),
        ("[tool.ruff]", '[tool.pdm.build]\nincludes = ["src/app", "tests/conftest.py"]\n[tool.ruff]'),
    ],
)
def test_pyproject_changes_that_are_anyones(old: str, new: str) -> None:
    assert edit("pyproject.toml", PYPROJECT, old, new) is None


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('addopts = "-ra"', 'addopts = "-ra -k fast"', "[tool.pytest.ini_options] addopts"),
        ('testpaths = ["tests"]', "", "[tool.pytest.ini_options] testpaths"),
        ('addopts = "-ra"', 'addopts = "-ra"\nrequired_plugins = ["a"]', "[tool.pytest.ini_options] required_plugins"),
        ("[tool.ruff]", '[tool.pytest_env]\nCI = "1"\n[tool.ruff]', "[tool.pytest_env] CI"),
        ("[tool.ruff]", '[tool.pytest]\naddopts = ["-x"]\n[tool.ruff]', "[tool.pytest] addopts"),
        ("branch = true", "branch = false", "[tool.coverage.run] branch"),
        ('requires = ["hatchling"]', 'requires = ["hatchling", "evil"]', "[build-system] requires"),
        ('"pytest>=8"', '"pytest>=7"', "[project.optional-dependencies] test"),
        (', "pytest-cov"', "", "[project.optional-dependencies] test"),
        ('"requests"', '"requests", "Pytest_Randomly"', "[project] dependencies"),
        ('"requests"', '"requests", "allure-pytest"', "[project] dependencies"),
        ('"requests"', '"requests", "hypothesis @ https://example.org/h.whl"', "[project] dependencies"),
        ("ledgergate==1.0", "ledgergate==0.1", "[dependency-groups] dev"),
        (', { include-group = "docs" }', "", "[dependency-groups] dev"),
        ('pytest = "^8"', 'pytest = "^7"', "[tool.poetry.group.dev.dependencies] pytest"),
        ("[tool.ruff]", '[tool.uv.sources]\npytest = { path = "fake" }\n[tool.ruff]', "[tool.uv.sources.pytest] path"),
        (
            "[tool.ruff]",
            '[tool.uv]\noverride-dependencies = ["pytest==1"]\n[tool.ruff]',
            "[tool.uv] override-dependencies",
        ),
        (
            "[tool.ruff]",
            '[project.entry-points.pytest11]\nx = "app.x"\n[tool.ruff]',
            "[project.entry-points.pytest11] x",
        ),
        ("[tool.ruff]", '[tool.poetry.plugins.pytest11]\nx = "app.x"\n[tool.ruff]', "[tool.poetry.plugins.pytest11] x"),
        ('app = "app:main"', 'app = "app:main"\npytest = "app:fake"', "[project.scripts] pytest"),
        ('app = "app:main"', 'app = "app:main"\n"py.test" = "app:fake"', "[project.scripts] py.test"),
        ('check = "pytest tests"', 'check = "true"', "[tool.hatch.envs.default.scripts] check"),
        ("[tool.ruff]", '[tool.poe.tasks]\ntest-deps = "pytest x"\n[tool.ruff]', "[tool.poe.tasks] test-deps"),
        (
            "[tool.ruff]",
            '[tool.hatch.envs.deps.scripts]\nx = "pytest"\n[tool.ruff]',
            "[tool.hatch.envs.deps.scripts] x",
        ),
        ("[tool.ruff]", '[tool.pixi.feature.test.dependencies]\npytest = "*"\n[tool.ruff]', "dependencies] pytest"),
        ("[tool.ruff]", '[tool.poe.tasks]\ntest = "true"\n[tool.ruff]', "[tool.poe.tasks] test"),
        ("[tool.ruff]", '[tool.pdm.scripts]\nall = "tox -q"\n[tool.ruff]', "[tool.pdm.scripts] all"),
        ('commands = [["pytest"]]', 'commands = [["true"]]', "[tool.tox.env_run_base] commands"),
        ('deps = ["pytest", "rich"]', 'deps = ["rich"]', "[tool.tox.env_run_base] deps"),
        ("[tool.ruff]", '[project.gui-scripts]\npytest = "app:fake"\n[tool.ruff]', "[project.gui-scripts] pytest"),
        (
            "[tool.ruff]",
            '[tool.setuptools.dynamic]\ndependencies = { file = ["r.txt"] }\n[tool.ruff]',
            "[tool.setuptools.dynamic.dependencies] file",
        ),
        (
            "[tool.ruff]",
            '[tool.setuptools.dynamic.optional-dependencies]\ntest = { file = ["r.txt"] }\n[tool.ruff]',
            "[tool.setuptools.dynamic.optional-dependencies.test] file",
        ),
        ("[tool.ruff]", '[[tool.uv.index]]\nname = "x"\nurl = "u"\n[tool.ruff]', "[tool.uv] index"),
        ("[tool.ruff]", '[tool.uv]\nindex-url = "u"\n[tool.ruff]', "[tool.uv] index-url"),
        ("[tool.ruff]", '[tool.uv.pip]\nfind-links = ["u"]\n[tool.ruff]', "[tool.uv.pip] find-links"),
        ("[tool.ruff]", '[[tool.poetry.source]]\nname = "x"\nurl = "u"\n[tool.ruff]', "[tool.poetry] source"),
        ("[tool.ruff]", '[[tool.pdm.source]]\nname = "x"\nurl = "u"\n[tool.ruff]', "[tool.pdm] source"),
        (
            "[tool.ruff]",
            '[tool.uv.sources]\npytest-mock = { index = "x" }\n[tool.ruff]',
            "[tool.uv.sources.pytest-mock]",
        ),
        (
            "[tool.ruff]",
            '[tool.uv.sources]\nledgergate = { git = "x" }\n[tool.ruff]',
            "[tool.uv.sources.ledgergate] git",
        ),
        ('deps = ["pytest", "rich"]', 'deps = ["pytest", "rich", "./fake"]', "[tool.tox.env_run_base] deps"),
        ("line-length = 100", "line-length = ", "cannot be read as TOML"),
        ('"requests"', '"requests", "Pygments[x] @ file:./x"', "[project] dependencies"),
        *(("[tool.ruff]", f"{table}\n{entry}\n[tool.ruff]", said) for table, entry, said in INSTALLING),
    ],
)
def test_pyproject_changes_that_are_a_humans(old: str, new: str, said: str) -> None:
    assert said in (edit("pyproject.toml", PYPROJECT, old, new) or "")


def test_a_quoted_table_name_does_not_stand_in_for_the_real_one() -> None:
    new = PYPROJECT.replace('addopts = "-ra"', 'addopts = "-k x"') + '[tool."pytest.ini_options"]\naddopts = "-ra"\n'
    assert protected_difference("pyproject.toml", PYPROJECT.encode(), new.encode())


def test_old_tox_settings_inside_pyproject_are_read_too() -> None:
    text = f'[tool.tox]\nlegacy_tox_ini = """\n{TOX}"""\n'
    assert edit("pyproject.toml", text, "    rich", "    rich\n    anyio") is None
    assert (
        edit("pyproject.toml", text, "commands = pytest", "commands = true")
        == "[tool.tox.legacy_tox_ini.base] commands"
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    rich", "    rich\n    anyio>=4"),
        ("max-line-length = 100", "max-line-length = 120"),
        ("[flake8]", "# style\n[flake8]"),
        ("    pytest>=8\n    rich", "    rich\n    pytest >= 8"),
        ("[flake8]", "[isort]\nprofile = black\n\n[flake8]"),
        ("env_list = py311\n", "env_list = py311\r\n"),
        ("    rich", "    rich\n    ."),
        ("    rich", "    rich\n    .[extra]"),
        ("    rich", "    rich\n    py311: httpx[http2] >= 0.27 ; python_version > '3.10'"),
        ("    rich", "    rich\n    own @ https://example.org/own.whl"),
        ("pytest>=8", "pytest  >= 8"),
        ("[flake8]", f"{LINT}[flake8]"),
        ("env_list = py311\n\n", f"env_list = py311, lint\n\n{LINT}"),
        ("env_list = py311\n\n", f"env_list = lint, py311\n\n{LINT}"),
        ("[flake8]", "[testenv:docs-html]\ndeps = sphinx\ncommands = sphinx-build -W docs out\n[flake8]"),
    ],
)
def test_tox_changes_that_are_anyones(old: str, new: str) -> None:
    assert edit("tox.ini", TOX, old, new) is None


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("env_list = py311", "env_list =", "[tox] env_list"),
        ("pytest>=8", "pytest>=7", "[testenv] deps"),
        ("    rich", "    rich\n    -r more.txt", "[testenv] deps"),
        ("    rich", "    rich\n    py311: pytest-randomly", "[testenv] deps"),
        ("    rich", "    rich\n    https://example.org/fake.whl", "[testenv] deps"),
        ("    rich", "    rich\n    git+ssh://git@example.org/fake", "[testenv] deps"),
        ("    rich", "    rich\n    py311: ./fake[extra]", "[testenv] deps"),
        ("    rich", "    rich\n    fake-1.0.tar.gz", "[testenv] deps"),
        ("pytest>=8", "py test>=8", "[testenv] deps"),
        ("    rich", "    -r a b.txt", "[testenv] deps"),
        ("commands = pytest", "commands = true", "[base] commands"),
        ("commands = pytest", "deps = x\ncommands = - pytest", "[base] commands"),
        ("[flake8]", "[testenv:unit]\nskip_install = true\n[flake8]", "[testenv:unit]"),
        ("[flake8]", "[testenv:lint]\ncommands = python -m pytest --co\n[flake8]", "[testenv:lint]"),
        ("[flake8]", "[testenv:lint]\ncommands = {[testenv]commands}\n[flake8]", "[testenv:lint]"),
        ("[flake8]", "[testenv:lint]\nenvdir = {toxworkdir}/py311\ncommands = true\n[flake8]", "[testenv:lint]"),
        ("[flake8]", "[testenv:lint]\ndeps = -r x.txt\ncommands = true\n[flake8]", "[testenv:lint]"),
        ("[flake8]", "[testenv:py311]\ncommands = true\n[flake8]", "[testenv:py311]"),
        ("[flake8]", "[testenv:py312-lint]\ncommands = true\n[flake8]", "[testenv:py312-lint]"),
        ("[flake8]", "[testenv:3.12]\ncommands = true\n[flake8]", "[testenv:3.12]"),
        ("[flake8]", "[testenv:unittest]\ncommands = true\n[flake8]", "[testenv:unittest]"),
        ("env_list = py311\n\n[testenv]", f"env_list = py311\n{LINT}\n[testenv]\nskip_install = true", "skip_install"),
        ("env_list = py311\n\n", f"env_list = lint\n\n{LINT}", "[tox] env_list"),
        ("env_list = py311\n\n", f"env_list = py311, lint, py312\n\n{LINT}", "[tox] env_list"),
        ("[flake8]", "[pytest]\n[flake8]", "[pytest]"),
        ("[flake8]", "[pytest] # ]\naddopts = -k x\n[flake8]", "addopts"),
        ("[flake8]", "[coverage:run]\nomit = src/*\n[flake8]", "[coverage:run]"),
        ("[flake8]", "[DEFAULT]\nignore_outcome = true\n[flake8]", "ignore_outcome"),
        ("[flake8]", "[flake8]\nx = 1\x0c[pytest]\x0caddopts = -k x", "unusual line separator"),
        ("[flake8]", "[flake8]\nx = 1\u2028[pytest]", "unusual line separator"),
        ("[flake8]", "flake8]", "cannot be read as an INI file"),
        ("[flake8]", "[tox]\n[flake8]", "cannot be read as an INI file"),
    ],
)
def test_tox_changes_that_are_a_humans(old: str, new: str, said: str) -> None:
    assert said in (edit("sub/tox.ini", TOX, old, new) or "")


@pytest.mark.parametrize(
    ("name", "body"),
    [("check", "commands = make check"), ("unit", "commands = true"), ("lint", "commands = ruff check")],
)
def test_environments_that_something_uses_already(name: str, body: str) -> None:
    used = TOX.replace("env_list = py311", "env_list = py311-unit, check").replace(
        "    rich", "    rich\n    lint: ruff"
    )
    assert f"[testenv:{name}]" in (edit("tox.ini", used, "[flake8]", f"[testenv:{name}]\n{body}\n[flake8]") or "")


def test_an_environment_that_stands_is_guarded() -> None:
    standing = f"{TOX}\n{LINT}"
    assert edit("tox.ini", standing, "ruff check src", "ruff check other") == "[testenv:lint] commands"
    assert "[testenv:lint]" in (edit("tox.ini", standing, LINT, "") or "")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    click", "    click>=8\n    httpx"),
        ("    app = app:main", "    app = app:main\n    app2 = app:other"),
        ("[options]\n", "[options.packages.find]\nwhere = src\n[options]\npackage_dir =\n    = src\n"),
        ("name = app", "name = app\nversion = 2"),
        ("    rich", "    rich\n    faker"),
        ("[options.entry_points]", "[options.data_files]\nshare/app = data/*\nbin = bin/app\n[options.entry_points]"),
        ("[options.extras_require]", "scripts = bin/app\npy_modules = app\n[options.extras_require]"),
        ("    app = app:main", "    app = app:main\nflake8.extension =\n    X = app.x"),
    ],
)
def test_setup_cfg_changes_that_are_anyones(old: str, new: str) -> None:
    assert edit("setup.cfg", SETUP, old, new) is None


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("addopts = -ra", "addopts = -ra -x", "[tool:pytest] addopts"),
        ("    pytest-mock", "", "[options] install_requires"),
        ("    pytest\n", "    pytest<8\n", "[options.extras_require] test"),
        ("    app = app.plugin", "    app = app.other", "[options.entry_points] pytest11"),
        ("    app = app:main", "    app = app:main\n    pytest = app:fake", "[options.entry_points] console_scripts"),
        ("install_requires =", "tests-require = pytest\ninstall_requires =", "[options] tests-require"),
        ("install_requires =", "setup_requires = evil\ninstall_requires =", "[options] setup_requires"),
        ("[options.extras_require]", "[aliases]\ntest = true\n[options.extras_require]", "[aliases] test"),
        ("branch = true", "branch = false", "[coverage:run] branch"),
        ("pytest11 =", "hypothesis =\n    _ = app.x\npytest11 =", "[options.entry_points] hypothesis"),
        ("pytest11 =", "coverage.plugins =\n    x = app.x\npytest11 =", "[options.entry_points] coverage.plugins"),
        ("[metadata]", "[entry_points]\npytest11 =\n    x = app.x\n[metadata]", "[entry_points] pytest11"),
        ("[options]\n", "[options]\nscripts = bin/pytest\n", "[options] scripts"),
        ("[options]\n", "[options]\nscripts = bin/*\n", "[options] scripts"),
        ("[options]\n", "[options]\npy_modules =\n    app\n    sitecustomize\n", "[options] py_modules"),
        ("[options]\n", "[options.data_files]\nbin = x/pytest\n[options]\n", "[options.data_files] bin"),
        ("[options]\n", "[options.data_files]\nlib/site-packages = x/a.pth\n[options]\n", "[options.data_files] lib"),
        ("[options]\n", "[options.packages.find]\nwhere =\n    src\n    src/app\n[options]\n", "packages.find] where"),
        ("[options]\n", "[options]\npackage_dir =\n    = src/app\n", "[options] package_dir"),
        ("[options]\n", "[DEFAULT]\nwhere = x\n[options.packages.find]\ninclude = app\n[options]\n", "find] where"),
        ("[options]\n", "[DEFAULT]\nomit = *\n[options]\n", "[coverage:run] omit"),
        ("    click\n", "    click\n    pygments @ file:./x\n", "[options] install_requires"),
        ("pytest11 =", "distutils.commands =\n    x = app.x\npytest11 =", "entry_points] distutils.commands"),
        ("[options]\n", "[files]\nscripts = bin/pytest\n[options]\n", "[files] scripts"),
    ],
)
def test_setup_cfg_changes_that_are_a_humans(old: str, new: str, said: str) -> None:
    assert said in (edit("setup.cfg", SETUP, old, new) or "")


@pytest.mark.parametrize(
    ("path", "text"),
    [("pyproject.toml", b"[tool.pytest.ini_options]\n"), ("tox.ini", b"[pytest]\n"), ("setup.cfg", b"[tool:pytest]\n")],
)
def test_an_empty_pytest_section_steers_by_being_there(path: str, text: bytes) -> None:
    assert "pytest" in (protected_difference(path, b"", text) or "")


def test_long_lists_are_cut() -> None:
    said = protected_difference("setup.cfg", SETUP.encode(), None)
    assert said is not None
    assert said.endswith("and 4 more")


@pytest.mark.parametrize("path", ["pyproject.toml", "sub/Tox.INI", "setup.cfg"])
def test_files_without_steering_parts_come_and_go_freely(path: str) -> None:
    text = b"[metadata]\nname = 'app'\n"
    assert protected_difference(path, None, text) is None
    assert protected_difference(path, text, None) is None


@pytest.mark.parametrize("path", ["pyproject.toml", "tox.ini", "setup.cfg", "setup.py"])
@pytest.mark.parametrize("broken", [b"\xff", b"[x", b"x = [" + b"[" * 50_000])
def test_what_cannot_be_read_is_a_difference(path: str, broken: bytes) -> None:
    for old, new in ((b"", broken), (broken, b"")):
        assert "cannot be read" in (protected_difference(path, old, new) or "")


@given(text=st.text(max_size=80), path=st.sampled_from(["pyproject.toml", "tox.ini", "setup.cfg", "setup.py"]))
def test_no_text_breaks_the_comparison(text: str, path: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    result = protected_difference(path, b"[tool.pytest]\n[pytest]\n", data)
    assert result is None or isinstance(result, str)


HEAD, *TABLES = PYPROJECT.replace("\n[", "\n\0[").split("\0")


@given(tables=st.permutations([HEAD, *TABLES]))
def test_the_order_of_tables_is_no_difference(tables: list[str]) -> None:
    assert protected_difference("pyproject.toml", PYPROJECT.encode(), "".join(tables).encode()) is None


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        ("conftest.py", b"a", b"b", "its content"),
        ("conftest.py", b"a", b"a", None),
        ("conftest.py", None, b"", "added"),
        (".gitattributes", b"", None, "removed"),
        (".gitlab-ci.yml", b"  uses: a/b@v1", b"  uses: a/b@v2", "its content"),
    ],
)
def test_whole_files(path: str, old: bytes | None, new: bytes | None, expected: str | None) -> None:
    assert protected_difference(path, old, new) == expected


SETUP_PY = """\
from setuptools import find_packages, setup

setup(
    name="app",
    install_requires=["click>=8"],
    extras_require={"test": ["pytest>=8", "hypothesis"], "tox": ["tox"]},
    entry_points={"console_scripts": ["app = app:main"]},
)
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"click>=8"', '"click>=8.1", "pytest"'),
        ('"tox": ["tox"]', '"tox": ["tox >= 4", "coverage==7"], "coverage": ["coverage"]'),
        ("app = app:main", "app = app.cli:main"),
        ('["app = app:main"]', '["app = app:main"], "flake8.extension": ["X = app.x"]'),
        ('name="app"', 'name="app", packages=find_packages("src"), scripts=["bin/app"]'),
        ('name="app"', 'name="app", package_data={"app": ["weights/*.pth"]}'),
        ('name="app"', 'name="app", description="Runs pytest, tox and coverage"'),
        ("setup(", "# pytest11 is not used here\nsetup("),
    ],
)
def test_setup_py_changes_that_are_anyones(old: str, new: str) -> None:
    assert edit("setup.py", SETUP_PY, old, new) is None


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('["app = app:main"]', '["app = app:main"], "pytest11": ["x = app.x"]', "pytest11"),
        ('["app = app:main"]', '["app = app:main"], "hypothesis": ["_ = app.x"]', "hypothesis"),
        ('{"console_scripts": ["app = app:main"]}', 'dict(hypothesis=["_ = app.x"])', "hypothesis"),
        ('{"console_scripts": ["app = app:main"]}', 'dict(pytest11=PLUGINS) or "pytest11"', "pytest11"),
        ('{"console_scripts": ["app = app:main"]}', '"[hypothesis]\\n_ = app.x"', "[hypothesis] _ = app.x"),
        ("app = app:main", "pytest = app:main", "pytest = app:main"),
        ('name="app"', 'name="app", scripts=["bin/pytest"]', "bin/pytest"),
        ('name="app"', 'name="app", py_modules=["sitecustomize"]', "sitecustomize"),
        ('name="app"', 'name="app", data_files=[("", ["evil.pth"])]', "evil.pth"),
        ("setup(", "setup((", "cannot be read as Python"),
    ],
)
def test_setup_py_changes_that_are_a_humans(old: str, new: str, said: str) -> None:
    assert said in (edit("sub/setup.py", SETUP_PY, old, new) or "")


def test_the_entries_of_a_group_in_setup_py_count() -> None:
    text = SETUP_PY.replace("console_scripts", "pytest11")
    assert edit("setup.py", text, "app = app:main", "app = app.other") == "[pytest11] entries"
    assert edit("setup.py", text, '["app = app:main"]', "[\n  'app = app:main',\n]") is None


TASKS = """\
[tool.taskipy.tasks]
check = "pytest"
docs = "mkdocs build"
[tool.poe.tasks.check]
cmd = "pytest"
help = "check all"
[tool.poe.tasks.docs]
cmd = "mkdocs build"
[tool.pdm.scripts]
docs = "mkdocs build"
check = { cmd = "pytest" }
[tool.pixi.tasks]
check = "pytest"
[tool.hatch.envs.base]
skip-install = false
[tool.hatch.envs.checks]
template = "base"
[tool.hatch.envs.checks.scripts]
unit = "pytest"
lint = "ruff check ."
[tool.hatch.envs.docs]
detached = true
[tool.hatch.envs.docs.scripts]
build = "mkdocs build"
[tool.cibuildwheel]
test-command = "pytest"
skip = "pp*"
[end]
"""
BEFORE_END = "[end]\n"


def with_table(table: str, entry: str, text: str = TASKS) -> str | None:
    """What is said where an entry is added, in its table where that is there already."""
    heading = f"[{table}]\n"
    if heading in text:
        return edit("pyproject.toml", text, heading, f"{heading}{entry}\n")
    return edit("pyproject.toml", text, BEFORE_END, f"{heading}{entry}\n{BEFORE_END}")


AROUND = pytest.mark.parametrize(
    ("table", "entry"),
    [
        ("tool.taskipy.settings", 'runner = "true"'),
        ("tool.taskipy.tasks", 'pre_check = "rm x"'),
        ("tool.taskipy.tasks", 'post_check = "true"'),
        ("tool.poe", 'envfile = ".env"'),
        ("tool.poe", 'include = "more.toml"'),
        ("tool.poe", 'executor = { type = "simple" }'),
        ("tool.poe.tasks.check", 'envfile = ".env"'),
        ("tool.poe.tasks.check", 'cwd = "other"'),
        ("tool.pdm.scripts", '_ = { env_file = ".env" }'),
        ("tool.pdm.scripts", 'pre_check = "rm x"'),
        ("tool.pdm.scripts", 'pre_run = "rm x"'),
        ("tool.pixi.activation", 'scripts = ["x.sh"]'),
        ("tool.hatch.envs.checks", 'env-vars = { A = "b" }'),
        ("tool.hatch.envs.checks", 'pre-install-commands = ["x"]'),
        ("tool.hatch.envs.checks", 'type = "x"'),
        ("tool.hatch.envs.base", 'pre-install-commands = ["x"]'),
        ("tool.hatch.envs.default", "skip-install = true"),
        ("tool.cibuildwheel", 'environment = { A = "b" }'),
        ("tool.cibuildwheel.linux", 'before-all = "x"'),
    ],
)


@AROUND
def test_what_applies_to_a_task_that_runs_tests(table: str, entry: str) -> None:
    assert table.removeprefix("tool.") in (with_table(table, entry) or "")


@AROUND
def test_the_same_beside_tasks_that_run_none(table: str, entry: str) -> None:
    assert with_table(table, entry, TASKS.replace("pytest", "mypy").replace("test-command", "build")) is None


@pytest.mark.parametrize(
    ("table", "entry"),
    [
        ("tool.taskipy.tasks", 'pre_docs = "x"'),
        ("tool.taskipy.tasks", 'lint = "ruff check ."'),
        ("tool.poe.tasks.docs", 'envfile = ".env"'),
        ("tool.poe.tasks.lint", 'cmd = "ruff check ."'),
        ("tool.pdm.scripts", 'pre_docs = "x"'),
        ("tool.pixi.project", 'platforms = ["linux-64"]'),
        ("tool.pixi.dependencies", 'rich = "*"'),
        ("tool.hatch.envs.docs", 'env-vars = { A = "b" }'),
        ("tool.hatch.envs.docs", "skip-install = true"),
        ("tool.hatch.envs.checks", 'dependencies = ["rich"]'),
        ("tool.hatch.envs.checks", 'description = "all of it"'),
        ("tool.hatch.envs.checks.scripts", 'types = "mypy"'),
        ("tool.cibuildwheel", "build-verbosity = 1"),
    ],
)
def test_what_applies_to_other_tasks_is_anyones(table: str, entry: str) -> None:
    assert with_table(table, entry) is None


def test_another_help_text_of_a_test_task_is_anyones() -> None:
    assert edit("pyproject.toml", TASKS, "check all", "check everything") is None


@pytest.mark.parametrize(
    ("path", "old", "new", "is_humans"),
    [
        ("ci/nightly.ini", b"[pytest]\naddopts = -ra\n", b"[pytest]\naddopts = -k x\n", True),
        ("nightly.cfg", None, b"[tool:pytest]\n", True),
        ("nightly.toml", None, b"[tool.pytest.ini_options]\naddopts = ''\n", True),
        ("x.conf", b"[coverage:run]\nomit = x\n", b"", True),
        ("nightly.ini", b"[pytest]\n[app]\n", b"[pytest]\n[app]\nx = 1\n", False),
        ("app.ini", b"[app]\nruns = pytest\n", b"[app]\nruns = nose\n", False),
        ("app.conf", b"server {", b"server { listen 80; }", False),
        ("app.toml", b"[tool]\nname = 'pytest'\n", b"[tool]\nname = 'x'\n", False),
    ],
)
def test_settings_under_another_name(path: str, old: bytes | None, new: bytes | None, is_humans: bool) -> None:
    assert has_settings(path)
    assert bool(difference_elsewhere(path, old, new)) is is_humans


@pytest.mark.parametrize(
    ("path", "section"),
    [
        ("setup.cfg", "easy_install"),
        ("setup.cfg", "install"),
        ("setup.cfg", "nosetests"),
        ("setup.cfg", "unittest"),
        ("tox.ini", "mine"),
    ],
)
def test_sections_that_say_where_from(path: str, section: str) -> None:
    text = f"[testenv:x]\nbase = mine\n[{section}]\nindex_url = a\n[other]\nx = 1\n"
    assert edit(path, text, "index_url = a", "index_url = b") == f"[{section}] index_url"
    assert edit(path, text, "x = 1", "x = 2") is None
